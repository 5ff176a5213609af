"""ndcg-sql report, eval, explain, list, schema, demo: what comes out."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from ndcg_sql import progress
from ndcg_sql.cli.options import (
    Attributes,
    Columns,
    Dataset,
    Format,
    FormatIn,
    Groups,
    Judgments,
    Labels,
    Like,
    MeasureNames,
    OneQuery,
    Output,
    PerQuery,
    PositionsOrLike,
    RowsOf,
    Runs,
    State,
    chosen_columns,
    chosen_format,
    chosen_labels,
    chosen_positions,
    chosen_system,
    companions,
    input_file,
    print_rows,
    reading,
    tell,
)
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.text import harmless

app = typer.Typer()
_NO_RANKS = "Where its ranks are not to count, say --positions score."


@app.command()
def report(
    measure: MeasureNames = None,
    like: Like = None,
    run: Runs = None,
    judgments: Judgments = None,
    dataset: Dataset = None,
    by: Attributes = None,
    per_query: PerQuery = False,
    bounds: Annotated[
        bool,
        typer.Option(
            "--bounds",
            help="How far values could move under any grades, from 0 to the largest,"
            " of the documents that the runs returned and nobody judged; beside them"
            " the value without such documents, and Bpref.",
        ),
    ] = False,
    form: Format = None,
    output: Output = None,
) -> None:
    """Print the values of runs."""
    from ndcg_sql import holes, tables
    from ndcg_sql.asking import answered
    from ndcg_sql.rendering import rows_as_they_are, write

    slices = by or []
    if bounds and (slices or like):
        raise NdcgSqlError("--bounds: not with --by or --like; leave them out")
    if bounds:
        with (
            reading() as warehouse,
            holes.bounds(
                warehouse,
                tell,
                measure or [],
                run or [],
                judgments=judgments,
                dataset=dataset,
                per_query=per_query,
            ),
        ):
            write(warehouse, form, output, rows_as_they_are)
        return
    draw = tables.report_queries if per_query else tables.report
    system = chosen_system(like)
    with (
        reading() as warehouse,
        answered(
            warehouse,
            tell,
            measure or [],
            run or [],
            judgments=judgments,
            dataset=dataset,
            by=slices,
            per_query=per_query,
            like=system,
        ),
    ):
        write(warehouse, form, output, lambda w, f: draw(w, f, slices))


@app.command("eval")
def evaluate(
    qrels: Annotated[
        Path,
        typer.Argument(
            metavar="QRELS",
            parser=input_file,
            help="File of judgments; - is standard input.",
        ),
    ],
    runs: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUN...",
            parser=input_file,
            help="Files of runs; - is standard input.",
        ),
    ],
    measure: MeasureNames = None,
    like: Like = None,
    label: Labels = None,
    positions: PositionsOrLike = None,
    column: Columns = None,
    query: OneQuery = None,
    rows_of: RowsOf = None,
    groups: Groups = None,
    format_in: FormatIn = None,
    per_query: PerQuery = False,
    form: Format = None,
    output: Output = None,
) -> None:
    """Value runs in one shot, from files, keeping nothing."""
    from ndcg_sql import files, reports, tables
    from ndcg_sql.columns import check_known
    from ndcg_sql.lacking import lacking
    from ndcg_sql.loading import Options, load
    from ndcg_sql.paths import default_name
    from ndcg_sql.rendering import write
    from ndcg_sql.valuing import replace_registered
    from ndcg_sql.warehouse import Warehouse

    given = Options(
        columns=chosen_columns(column),
        query=query,
        groups=groups,
        format_in=chosen_format(format_in),
        many_files=True,
    )
    check_known(given.columns, "judgments", "run")
    judging = replace(given, labels=chosen_labels(label))
    system = chosen_system(like)
    usual = system.position_rule if system else "score"
    rule = usual if positions is None else chosen_positions(positions)
    ranking = replace(given, rows_of=rows_of, position_rule=rule)
    with Warehouse.scratch(State.limits) as warehouse:
        measures = reports.choose_measures(warehouse, measure or [], system)
        if system:
            tell(system.told(measures, rule))
        replace_registered(warehouse, measures)
        files_read = [qrels, *runs, *companions(rows_of, groups)]
        with files.streams(files_read, tell, warehouse.folder) as streams:
            load(warehouse, "judgments", [qrels], judging, _warn, streams)
            stems = [default_name(run) for run in runs]
            named = list(zip(runs, stems, strict=True))
            for run, stem in progress.each(named, "loading", "files"):
                # Files of one name in several folders are told apart by their paths.
                name = stem if stems.count(stem) == 1 else str(run)
                options = replace(ranking, name=name)
                try:
                    load(warehouse, "run", [run], options, _warn, streams)
                except NdcgSqlError as error:
                    if positions is None and ": rank " in str(error):
                        # Nobody asked for the ranks but the system to be like.
                        error = NdcgSqlError(f"{error}\n{_NO_RANKS}")
                    raise error from None
        pairs = reports.pairs(warehouse, reports.runs(warehouse), None)
        draw = tables.report_queries if per_query else tables.report
        with reports.report(warehouse, measures, pairs, per_query):
            for line in lacking(warehouse, measures, pairs):
                tell(line)
            write(warehouse, form, output, draw)


def _warn(told: str) -> None:
    """Repeat only the warnings of what a load tells."""
    for line in told.splitlines():
        if line.startswith("warning"):
            tell(line)


@app.command()
def explain(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Name of the run.")],
    query: Annotated[str, typer.Argument(metavar="QUERY", help="Id of the query.")],
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            "-m",
            metavar="M",
            help="An nDCG, DCG or IDCG, as nDCG@10; two of them side by side.",
        ),
    ] = None,
    like: Annotated[
        str | None,
        typer.Option(
            "--like",
            metavar="SYSTEM",
            help="Beside the measure, what another system makes of it; measures list"
            " --systems tells which.",
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="RUN",
            help="Another run: both rankings side by side, what moved, and what it"
            " cost.",
        ),
    ] = None,
    judgments: Judgments = None,
    dataset: Dataset = None,
    form: Format = None,
    output: Output = None,
) -> None:
    """Show how an nDCG comes about, position by position."""
    from ndcg_sql import explaining, reports, tables
    from ndcg_sql.asking import tell_like
    from ndcg_sql.rendering import write

    if against is not None:
        _explain_against(
            run, against, query, measure, like, judgments, dataset, form, output
        )
        return
    system = chosen_system(like)
    with reading() as warehouse:
        chosen = explaining.choose(warehouse, measure or [], system)
        entry = reports.choose_run(warehouse, run, dataset)
        pair = reports.pairs(warehouse, [entry], judgments)[0]
        tell_like(warehouse, tell, system, chosen[-1:], [pair])
        with explaining.explain(warehouse, pair, query, chosen):
            write(warehouse, form, output, lambda w, f: tables.explain(w, f, chosen))


def _explain_against(
    run: str,
    against: str,
    query: str,
    measure: list[str] | None,
    like: str | None,
    judgments: str | None,
    dataset: str | None,
    form: str | None,
    output: Path | None,
) -> None:
    """Show what moved between two rankings of a query, and what it cost."""
    from ndcg_sql import comparing, comparison_tables, explaining
    from ndcg_sql.rendering import write

    if like is not None:
        raise NdcgSqlError("explain --against does not take --like; name a measure: -m")
    with reading() as warehouse:
        measures = explaining.choose(warehouse, measure or [])
        if len(measures) > 1 or measures[0].family.name == "IDCG":
            raise NdcgSqlError(
                "explain --against shows one nDCG or DCG; name it: -m nDCG@10"
            )
        chosen = comparing.choose(
            warehouse, against, [run], measures, judgments, dataset
        )
        with comparing.explain(warehouse, chosen, query, measures[0]):
            draw = comparison_tables.explain
            write(warehouse, form, output, lambda w, f: draw(w, f, chosen))


@app.command("list")
def list_contents(form: Format = None, output: Output = None) -> None:
    """List the judgment sets and runs of every dataset."""
    with reading() as warehouse:
        print_rows(
            warehouse,
            "reports/contents",
            form,
            output,
            f"{harmless(str(State.warehouse))}: no judgments, assessments or runs;"
            " ndcg-sql load judgments FILE and ndcg-sql load run FILE bring them in",
        )


@app.command()
def schema(output: Output = None) -> None:
    """Print every table and view with the meaning of its columns, in Markdown."""
    from ndcg_sql import sqlfiles, tables
    from ndcg_sql.rendering import write
    from ndcg_sql.reports import output as rows_of
    from ndcg_sql.warehouse import Warehouse

    with (
        Warehouse.memory(with_comments=True) as warehouse,
        rows_of(warehouse, "reports/schema", {"names": sqlfiles.relations()}),
    ):
        write(warehouse, "markdown", output, tables.schema)


@app.command()
def demo() -> None:
    """Load the bundled data; report, explain, and say what to try next."""
    from ndcg_sql.demo import run

    run(State.warehouse, State.timeout, tell, State.limits)
