"""Refusals of content where what they advise is a field of another method."""

from collections.abc import Collection, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests.fields import options_of, stated
from ndcg_sql.system.paths import argument
from ndcg_sql.wording import Blank, Call, Field, Part, Use


def is_of_run(error: NdcgSqlError) -> bool:
    """Return whether a refusal says that judgments look like a run."""
    parts = error.message.parts
    return any(isinstance(part, Call) and part.method == "load_run" for part in parts)


def advise(
    error: NdcgSqlError,
    fields: Collection[str],
    method: str,
    *arguments: object,
    values: Mapping[str, object] | None = None,
) -> None:
    """Change a refusal of content so that its reader can do what it says.

    Loading refuses, and names fields of its own. Those that are not among fields,
    which the reader can give, are told with the call that takes them: with these
    arguments, and these values of other fields.
    """
    beyond = options_of(method) - {*fields}

    def possible(part: Part) -> Part:
        named: Mapping[str, object] = {}
        if isinstance(part, Use):
            named = part.fields
        elif isinstance(part, Field):
            named = {part.name: Blank(part.name.upper())}
        if beyond & named.keys():
            return Call(method, arguments, {**(values or {}), **named})
        return part

    error.change(lambda text: text.with_parts(possible))


@contextmanager
def advising(command: str, method: str, options: object, path: Path) -> Generator[None]:
    """Tell what is wrong with a file by the call that loads it alone.

    command is the method that has the file loaded among others; options have the
    fields of the method that loads it alone.
    """
    try:
        yield
    except NdcgSqlError as error:
        fields = options_of(command)
        values = stated(method, vars(options))
        advise(error, fields, method, argument(path), values=values)
        raise
