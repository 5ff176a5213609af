"""Refusals of content where what they advise is a field of another method."""

from collections.abc import Collection, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.loading.options import Options
from ndcg_sql.reading.columns import COLUMNS, Kind
from ndcg_sql.reading.layouts import Reading
from ndcg_sql.reading.profile import profile_of
from ndcg_sql.reading.sources import Source
from ndcg_sql.requests.fields import options_of
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


def columns_named(error: NdcgSqlError, kind: Kind) -> set[str]:
    """Return the columns that a refusal names, of those that a kind of file has."""
    uses = (part.fields for part in error.message.parts if isinstance(part, Use))
    columns = (cast("Mapping[str, object]", one.get("columns", {})) for one in uses)
    return {
        name
        for names in columns
        for role, name in names.items()
        if role in COLUMNS[kind] and isinstance(name, str) and name != "NAME"
    }


def may_have(names: set[str], source: Source, kind: Kind, reading: Reading) -> bool:
    """Return whether a file has columns of these names, or none with names."""
    profile = profile_of(source, kind, reading)
    return not profile or bool(profile.width) or names <= profile.columns.keys()


@contextmanager
def advising(
    command: str, method: str, options: Options, path: Path
) -> Generator[None]:
    """Tell what is wrong with a file by the call that loads it alone.

    command is the method that has the file loaded among others; options have the
    fields of the method that loads it alone.
    """
    try:
        yield
    except NdcgSqlError as error:
        fields = options_of(command)
        values = options.stated(method)
        advise(error, fields, method, argument(path), values=values)
        raise
