"""Refusals of content where what they advise is a field of another request."""

from collections.abc import Collection, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests.fields import fields_of, method_of, stated
from ndcg_sql.system.paths import argument
from ndcg_sql.wording import Blank, Call, Field, Part, Use


def is_of_run(error: NdcgSqlError) -> bool:
    """Return whether a refusal says that judgments look like a run."""
    parts = error.message.parts
    return any(isinstance(part, Call) and part.method == "load_run" for part in parts)


def advise(
    error: NdcgSqlError,
    fields: Collection[str],
    request: type,
    *arguments: object,
    values: Mapping[str, object] | None = None,
) -> None:
    """Change a refusal of content so that its reader can do what it says.

    Loading refuses, and names fields of its request. Those that are not among fields,
    which the reader can give, are told with the call that takes them: with these
    arguments, and these values of other fields.
    """
    beyond = {field.name for field in fields_of(request)} - {*fields}
    method = method_of(request)

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
def advising(
    command: type, request: type, options: object, path: Path
) -> Generator[None]:
    """Tell what is wrong with a file by the call that loads it alone.

    command is the request that has the file loaded among others; options have the
    fields of the request that loads it alone.
    """
    try:
        yield
    except NdcgSqlError as error:
        fields = {field.name for field in fields_of(command)}
        values = stated(request, options)
        advise(error, fields, request, argument(path), values=values)
        raise
