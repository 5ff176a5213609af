"""ndcg-sql eval: evaluate runs straight from files."""

from pathlib import Path
from typing import Annotated

import typer

from ndcg_sql.cli.chosen import (
    chosen_columns,
    chosen_format,
    chosen_labels,
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
from ndcg_sql.requests.printing import Printing
from ndcg_sql.requests.shared import Request

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
    from ndcg_sql.analysis import one_shot
    from ndcg_sql.database import opening
    from ndcg_sql.loading.sets import Options
    from ndcg_sql.output.writing import check_printing, write

    session = Session.of(context)
    session.has_warehouse = False
    printing = Printing(form, output)
    check_printing(printing, [qrels, *runs])
    request = Request(measures=tuple(measure or ()), like=like)
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
    with opening.scratch(session.limits) as database:
        files = (qrels, runs, options)
        messages = session.messages
        answer = one_shot.answer(
            database, messages, *files, request, positions, per_query
        )
        write(answer, printing, session.warehouse)
