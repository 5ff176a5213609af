"""How runs and judgment sets are named: by their file, a column, or a pattern of both.

A pattern is such as {Week}/{Engine}: of columns, tags, the file, and its time.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from ndcg_sql.database.database import Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.loading.loaded import hash_of
from ndcg_sql.loading.options import Options, Ranked, time_of
from ndcg_sql.loading.replacing import NewEntry
from ndcg_sql.loading.sentences import refusal
from ndcg_sql.loading.tasks import Rows
from ndcg_sql.reading.columns import NO_RUNS, braced
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.system.paths import default_name
from ndcg_sql.text import check_name, quoted
from ndcg_sql.wording import Text, use

# A field in braces, a doubled brace that means itself, or a single one that is wrong.
_PIECE = re.compile(r"\{\{|\}\}|\{([^{}]+)\}|([{}])|([^{}]+)")
# Selects each run with the least and the greatest value of a field.
_VALUES = "lookups/values_within_runs"
# The field that is the name of the file, and that of the run by its column.
FILE = "file"
RUN = "run"


@dataclass(frozen=True)
class Naming:
    """How the runs of a file are named: by texts and columns, one after another."""

    pattern: str
    pieces: tuple[tuple[str, str | None], ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the file that are part of a name, RUN among them."""
        return tuple(dict.fromkeys(column for _, column in self.pieces if column))

    @property
    def text(self) -> str:
        """The name; empty if a column is part of it."""
        return "" if self.columns else "".join(text for text, _ in self.pieces)


def is_pattern(name: str | None) -> bool:
    """Return whether a name is a pattern, not a name."""
    return name is not None and bool(re.search("[{}]", name))


def naming(
    pattern: str, file: str, tags: Mapping[str, str], run_at: str | None
) -> Naming:
    """Return how a pattern names the runs of a file.

    A field in braces is a tag, file, date and time (of run_at, if it is given), or
    else a column; a doubled brace means itself. Raises NdcgSqlError for a single
    brace.
    """
    values = {FILE: file}
    if run_at is not None:
        time = datetime.fromisoformat(run_at)
        values |= {"date": time.date().isoformat(), "time": time.isoformat()}
    values |= tags
    pieces: list[tuple[str, str | None]] = []
    for match in _PIECE.finditer(pattern):
        column, wrong, text = match.groups()
        if wrong:
            like = Text(use(name="{file}-{Engine}"))
            raise refusal("single_brace", brace=wrong, like=like, name=pattern)
        if column is None:
            pieces.append((text or match[0][0], None))
        else:
            pieces.append(
                (values.get(column, ""), None if column in values else column)
            )
    return Naming(pattern, tuple(pieces))


def name_of(kind: Ranked, options: Options, path: Path) -> tuple[str, Naming | None]:
    """Return the name of a file that is one run, and the pattern of names, if any."""
    file_name = options.names.get(path) or default_name(path)
    if options.prefix is not None:
        return options.prefix + file_name, None
    if kind != "run" or options.name is None or not is_pattern(options.name):
        return options.name or file_name, None
    names = naming(options.name, file_name, options.tags, options.run_at)
    return names.text, names


def named_runs(how: Layout, names: Naming) -> Layout:
    """Return a layout in which a pattern names the run of each row."""
    places = dict(how.attributes)
    if RUN not in places and RUN in names.columns:
        if "run" not in how.fields:
            raise refusal(
                "no_column_of_runs", file=how.source.shown, name=names.pattern
            )
        places[RUN] = how.fields["run"]
    texts = [text for text, _ in names.pieces]
    parts = [
        len(texts) + places[column] if column else place
        for place, (_, column) in enumerate(names.pieces, start=1)
    ]
    parameters: Parameters = {"name_texts": texts, "name_places": parts}
    how = how.with_front("run", "read/named_runs", parameters)
    return replace(how, run_column=names.pattern)


def new_entries(rows: Rows, whole: NewEntry) -> list[NewEntry]:
    """Return what the rows of a file become, which is whole if it is one run."""
    file, options = rows.source.shown, rows.task.options
    name = options.name
    prefix, of_pattern = options.prefix or "", is_pattern(name)
    entries = _of_columns(rows, whole)
    if not rows.runs:
        by_column = name is None and None not in (rows.run, options.run_column)
        by_rows = options.name_from == "tag" or by_column
        if of_pattern and rows.task.kind == "run":
            by_rows = not whole.name
        if by_rows and rows.run is None:
            setting = use(name=name) if name else use(name_from="tag")
            raise refusal("no_run_of_name", file=file, setting=setting)
        name = f"{prefix}{rows.run}" if by_rows else whole.name
        return [replace(entries.get("", whole), name=name)]
    if name is not None and not of_pattern:
        about = {"count": len(rows.runs), "runs": rows.runs, "namer": rows.namer}
        about |= {"name": name + "-{run}", "run_column": NO_RUNS}
        raise refusal("several_runs_of_name", file=file, **about)
    new: list[NewEntry] = []
    for run in rows.runs:
        own = run.removeprefix(prefix)
        of_run = hash_of(whole.content_hash, own)
        entry = entries.get(own, whole)
        new.append(replace(entry, name=run, run=run, content_hash=of_run))
    return new


def _of_columns(rows: Rows, whole: NewEntry) -> dict[str, NewEntry]:
    """Return what columns make of each run, by their tags and times; all, under ""."""
    shown, how, options = rows.source.shown, rows.how, rows.task.options
    database, is_divided = rows.task.database, bool(rows.runs)
    run_field = how.fields["run"] if is_divided else None
    entries: dict[str, NewEntry] = {}
    for column in dict.fromkeys((*options.tag_columns, options.run_at_column)):
        if column is None:
            continue
        fields = {"value_field": how.attributes[column], "run_field": run_field}
        for run, least, greatest in how.rows(database, _VALUES, **fields):
            where = f"run {quoted(run)}: " if is_divided else ""
            if least != greatest:
                own = how.run_column if "run" in how.fields else None
                own = own if own and "{" in own else braced(own or FILE)
                about = {"column": column, "least": least, "greatest": greatest}
                about["name"] = f"{braced(column)}/{own}"
                file = f"{shown}: {where}"
                raise refusal("several_values_of_run", file=file, **about)
            entry = entries.get(run, whole)
            if column in options.tag_columns and least:
                if fault := check_name("tag", least):
                    raise NdcgSqlError(f"{shown}: {fault}")
                entry = replace(entry, tags={**entry.tags, column: least})
            if column == options.run_at_column and least:
                where = f"{shown}: column {quoted(column)}"
                entry = replace(entry, run_at=time_of(least, where))
            entries[run] = entry
    return entries


def check_apart(rows: Rows, names: Naming, place: int) -> None:
    """Raise NdcgSqlError if a pattern gives one name to several runs of a column."""
    fields = {"value_field": place, "run_field": rows.how.fields["run"]}
    for name, least, greatest in rows.how.rows(rows.task.database, _VALUES, **fields):
        if least != greatest:
            about = {"entry": name, "least": least, "greatest": greatest}
            longer = use(name=names.pattern + "/{run}")
            about |= {"name": names.pattern, "longer": longer}
            raise refusal("name_of_several_runs", file=rows.source.shown, **about)
