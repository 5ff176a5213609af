"""What is written elsewhere: figures, files that can be loaded, tables, scripts."""

import re
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, get_args

from ndcg_sql import options
from ndcg_sql.errors import NdcgSqlError, refusal
from ndcg_sql.options import Option, Scope, several
from ndcg_sql.questions.changes import Named
from ndcg_sql.text import nearest, quoted
from ndcg_sql.wording import Blank, call, named, use

if TYPE_CHECKING:
    from ndcg_sql.output.figures.figure import Plotted
    from ndcg_sql.questions.handle import Handle

# Points in each unit of length.
_UNITS = {"cm": 72 / 2.54, "mm": 7.2 / 2.54, "in": 72.0, "pt": 1.0}
_LEAST_LENGTH, _MOST_LENGTH = 72.0, 7200.0
# The figures that take an option.
_TAKERS = {
    "alpha": ("leaderboard", "slices"),
    "by": ("slices", "history"),
    "tag": ("history",),
}


def plot(
    warehouse: "Handle",
    name: Annotated[options.Figure, Option(names="figures")],
    measures: options.Measures = None,
    *,
    runs: Annotated[options.Names, Option(names="runs", is_argument=True)] = None,
    judgments: options.Judgments = None,
    dataset: options.Dataset = None,
    by: options.Names = None,
    tag: str | None = None,
    alpha: options.Alpha = None,
    width: str | None = None,
    height: str | None = None,
    font: str | None = None,
    dpi: Annotated[int | None, Option(default="144", least=36, most=2400)] = None,
    no_title: bool = False,
) -> "Plotted":
    """Draw a figure of runs, curves, slices or values over time.

    name FIGURE: leaderboard, cutoffs, precision-recall, values, differences, scatter,
        slices or history.
    runs [RUN...]: Names of runs, or patterns such as 'input.*' (quoted); all if
        omitted. For differences, scatter and slices the first is the baseline.
    tag K[=V]: With history: a series for each value of a run tag, or for one value.

    Layout:
    width LENGTH: Width of the whole figure, such as 8cm, 80mm, 3.3in or 240pt: the
        figure is laid out for this width, with text of 7 to 8 points.
    height LENGTH: Height of the whole figure, such as 5cm.
    font FONT: Font of the text, such as 'Times New Roman'.
    dpi N: Resolution of a PNG in pixels per inch.
    no_title: Leave out the title, which a caption replaces.

    ndcg-sql plot differences bm25 hybrid -o diff.pdf
    ndcg-sql plot leaderboard -m nDCG@10 --width 8cm -o runs.svg
    """
    scope = Scope.of(locals())
    _check_figure(name, scope, {"by": scope.by, "tag": tag, "alpha": alpha})
    sides = {"width": width, "height": height}
    lengths = {side: points(side, length) for side, length in sides.items() if length}
    from ndcg_sql.comparison.significance import Testing
    from ndcg_sql.output.figures.drawing import Size
    from ndcg_sql.output.figures.figure import Plotted, figure
    from ndcg_sql.reports import figures

    size = Size(font=font, dpi=dpi, no_title=no_title, **lengths)
    testing = Testing.of({"alpha": alpha})
    kind, rows, about = figures.drawn(warehouse.read, name, scope, testing, tag)
    return Plotted(figure(kind, rows.records, size=size, **about), rows)


def _check_figure(
    name: options.Figure, scope: Scope, values: Mapping[str, object]
) -> None:
    """Raise NdcgSqlError for a figure, runs or options that make no sense together."""
    figures = get_args(options.Figure)
    if name not in figures:
        raise NdcgSqlError(f"no figure {quoted(name)}", nearest(name, figures))
    for field, takers in _TAKERS.items():
        if values[field] not in (None, ()) and name not in takers:
            only = " and ".join(takers)
            raise refusal(named(field), f"not for {name}, only for {only}")
    if name == "slices" and not scope.by:
        raise refusal("slices", "name an attribute of the queries with {by}")
    takes_two, count = name in ("scatter", "slices"), len(scope.runs)
    if (takes_two and count != 2) or (name == "differences" and count < 2):
        others = "one candidate" if takes_two else "candidates"
        baseline = scope.runs[0] if scope.runs else Blank("BASELINE")
        # A pattern matches whatever else there is.
        candidate = "*" if scope.runs and not takes_two else Blank("CANDIDATE")
        stated = {k: v for k, v in vars(scope).items() if v and k != "runs"}
        example = call("plot", name, runs=[baseline, candidate], **stated)
        raise NdcgSqlError(f"name a baseline and {others}: " + example, where=name)


def points(side: str, length: str) -> float:
    """Return a length such as 8cm in points; raise NdcgSqlError if it is none."""
    where = use(**{side: length})
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?) ?(cm|mm|in|pt)", length)
    if not match:
        raise refusal(where, "not a length, such as 8cm, 80mm, 3.3in or 240pt")
    size = float(match[1]) * _UNITS[match[2]]
    if not _LEAST_LENGTH <= size <= _MOST_LENGTH:
        raise refusal(where, "must be from 1in to 100in")
    return size


def export(
    warehouse: "Handle",
    kind: Literal["run", "judgments"],
    name: Named,
    output: Annotated[str | Path | None, Option(short="o")] = None,
    *,
    dataset: options.Dataset = None,
    form: Annotated[options.ExportFormat | None, Option(word="format")] = None,
) -> None:
    """Write a run or a judgment set to a file.

    That is query, document, rank and score of a run; query, document, grade and label
    of judgments. It can be loaded again.

    kind KIND: run or judgments.
    name NAME: Its name.
    form F: trec, csv, tsv, json, jsonl or parquet; by default from the suffix of
        {output}.

    Output:
    output FILE: Write to this file; compressed if it ends in .gz.

    ndcg-sql export run hybrid -o hybrid.csv
    ndcg-sql export judgments judgments -o judgments.parquet
    """
    from ndcg_sql.output import writing

    file = None if output is None else Path(output)
    warehouse.messages.tell(
        writing.export(warehouse.database, kind, name, dataset, file, form)
    )


def backup(
    warehouse: "Handle", target: str | Path | PathLike[str], *, force: bool = False
) -> None:
    """Copy the whole warehouse to a file.

    The copy is consistent while others write. It is a warehouse itself, under its own
    name or another; to restore it, copy it over the warehouse when no program has that
    open, and remove a log (.wal) beside it.

    target FILE: The file to write.
    force: Replace an earlier copy.

    ndcg-sql backup backup.duckdb
    """
    _check_file(warehouse, "backup")
    from ndcg_sql.database.backups import back_up

    place = warehouse.wait, warehouse.messages, warehouse.held
    back_up(warehouse.path, Path(target), force, *place)


def publish(
    warehouse: "Handle",
    target: str | PathLike[str],
    *,
    schema: str | None = None,
    baseline: Annotated[options.Names, Option(names="runs")] = None,
    all_pairs: bool = False,
) -> None:
    """Write the public relations as tables for BI tools.

    Readers of the tables never wait for the warehouse.

    For a dataset with more than 20 runs, each run is compared only with the baselines,
    the last release before it and the best run.

    target TARGET: A DuckDB file; a folder for Parquet files, ending in /; or the URL of
        a database.
    schema NAME: The schema in the database; by default ndcg_sql, or the database of the
        URL where schemas are databases.
    baseline RUN: Run that all runs are compared with, or a pattern such as 'input.*'
        (quoted); may be repeated. If omitted, the runs with the tag baseline, or else
        the run before each. The best run and, of each run, the last one before it with
        the tag release or production are always compared.
    all_pairs: Compare all pairs of runs, not only those of up to 20 runs.

    ndcg-sql publish dashboards.duckdb
    """
    if baseline and all_pairs:
        raise refusal("{baseline}", "all pairs are compared; omit {all_pairs}")
    _check_file(warehouse, "publish")
    from ndcg_sql.publishing.plan import Publication
    from ndcg_sql.publishing.publish import publish as write

    wanted = Publication(str(target), schema, several(baseline), all_pairs)
    write(warehouse.opened, wanted, warehouse.wait, warehouse.messages)


def _check_file(warehouse: "Handle", method: str) -> None:
    """Raise NdcgSqlError if a warehouse is in memory."""
    if str(warehouse.path) == ":memory:":
        raise NdcgSqlError(f"{method}: a warehouse in memory has no file to copy")


def emit(
    warehouse: "Handle",  # noqa: ARG001 - what asks no warehouse is a question, too
    dialect: Annotated[options.Dialect, Option(is_argument=False, names="dialects")],
    measures: Annotated[
        options.Measured, Option(is_argument=False, short="m", names="measures")
    ],
    *,
    rankings: str,
    judgments: str,
    columns: Annotated[
        Mapping[str, str] | None, Option(example="query_id=user_id")
    ] = None,
    run_column: str | None = None,
    queries: str | None = None,
    by: options.Names = None,
    compare: str | None = None,
    schema: str = "ndcg_sql",
    one_select: bool = False,
) -> str:
    """Print a script that evaluates measures in another database.

    dialect D: The engine that runs the script: duckdb, postgres, clickhouse or spark,
        or, for which scripts are only parsed in tests, bigquery or snowflake.
    measures M: A measure; repeatable.
    rankings TABLE: The table of rankings, with columns query_id, doc_id and score.
    judgments TABLE: The table of judgments, with columns query_id, doc_id and grade;
        for measures of subtopics also subtopic.
    columns OURS=THEIRS: Another name of a column, such as query_id=user_id or
        judgments.query_id=user_id; position=NAME if positions are given; repeatable.
    run_column COLUMN: The column of rankings that names the run; one run if omitted.
    queries TABLE: The table of queries, with a column query_id and those of {by}.
    by COLUMN: A column of queries: also values for each of its values; repeatable, each
        column by itself.
    compare BASELINE: Also compare all other runs with this one.
    schema NAME: The schema that the script creates for its relations.
    one_select: Print one select of the values of a measure per query instead, which
        checks and creates nothing.

    ndcg-sql emit --dialect postgres -m nDCG@10 -m AP --rankings shop.results
        --judgments shop.grades --column query_id=search_id
    """
    try:
        from ndcg_sql.engines import script
        from ndcg_sql.engines.tables import Tables
        from ndcg_sql.measures.names import parse
    except ModuleNotFoundError as error:
        if error.name != "sqlglot":
            raise
        what = "emit needs sqlglot: pip install 'ndcg-sql[emit]'"
        raise NdcgSqlError(what) from error
    names = columns or {}
    tables = Tables(rankings, judgments, names, run_column, queries, several(by))
    chosen = parse(" ".join(several(measures)))
    emission = script.Emission(dialect, chosen, tables, schema, compare)
    return (script.one_select if one_select else script.script)(emission)
