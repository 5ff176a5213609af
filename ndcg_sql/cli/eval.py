"""ndcg-sql eval: evaluate runs straight from files."""

from pathlib import Path
from typing import Annotated

import typer

from ndcg_sql.cli.chosen import (
    chosen_columns,
    chosen_format,
    chosen_labels,
    chosen_positions,
    chosen_system,
)
from ndcg_sql.cli.command import Command
from ndcg_sql.cli.options import (
    Columns,
    Format,
    FormatIn,
    Groups,
    Labels,
    Like,
    MeasureNames,
    OneQuery,
    Output,
    PerQuery,
    PositionsOrLike,
    RowsOf,
    RunColumn,
    input_file,
)
from ndcg_sql.cli.session import Session

app = typer.Typer()


@app.command(
    "eval", cls=Command, epilog="ndcg-sql eval qrels.txt first.run -m 'nDCG@10 AP'"
)
def evaluate(
    context: typer.Context,
    qrels: Annotated[
        Path,
        typer.Argument(
            metavar="QRELS",
            parser=input_file,
            help="Judgment file; - is standard input.",
        ),
    ],
    runs: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUN...",
            parser=input_file,
            help="Run files; - is standard input.",
        ),
    ],
    measure: MeasureNames = None,
    like: Like = None,
    label: Labels = None,
    positions: PositionsOrLike = None,
    column: Columns = None,
    run_column: RunColumn = None,
    query: OneQuery = None,
    rows_of: RowsOf = None,
    groups: Groups = None,
    format_in: FormatIn = None,
    per_query: PerQuery = False,
    form: Format = None,
    output: Output = None,
) -> None:
    """Evaluate runs straight from files; nothing is stored."""
    from ndcg_sql.analysis.one_shot import evaluated
    from ndcg_sql.database import opening
    from ndcg_sql.loading.sets import Options
    from ndcg_sql.output import tables
    from ndcg_sql.output.writing import check_output, write

    session = Session.of(context)
    session.has_warehouse = False
    check_output(form, output, [qrels, *runs])
    options = Options(
        columns=chosen_columns(column),
        run_column=run_column,
        query=query,
        groups=groups,
        rows_of=rows_of,
        labels=chosen_labels(label),
        format_in=chosen_format(format_in),
        many_files=True,
    )
    draw = tables.report_queries if per_query else tables.report
    with (
        opening.scratch(session.limits) as database,
        evaluated(
            database,
            session.messages,
            qrels,
            runs,
            options,
            measure or [],
            chosen_system(like),
            None if positions is None else chosen_positions(positions),
            per_query,
        ),
    ):
        write(database, form, output, draw)
