"""Refusals of content where what they advise may be a field of another method."""

from collections.abc import Collection, Generator, Mapping
from contextlib import contextmanager

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.wording import Blank, Call, Field, Part, Use


def is_of_run(error: NdcgSqlError) -> bool:
    """Return whether a refusal says that judgments look like a run."""
    parts = error.message.parts
    return any(isinstance(part, Call) and part.method == "load_run" for part in parts)


@contextmanager
def naming_loader(
    fields: Collection[str], method: str, argument: object, **values: object
) -> Generator[None]:
    """Name the method that loads a file alone where a refusal names a field of it.

    fields are those that the reader can give; others are told with the call that takes
    them, with these values of other fields.
    """

    def possible(part: Part) -> Part:
        named: Mapping[str, object] = part.fields if isinstance(part, Use) else {}
        if isinstance(part, Field):
            named = {part.name: Blank(part.name.upper())}
        if named.keys() <= {*fields}:
            return part
        return Call(method, (argument,), {**values, **named})

    try:
        yield
    except NdcgSqlError as error:
        error.change(lambda text: text.with_parts(possible))
        raise
