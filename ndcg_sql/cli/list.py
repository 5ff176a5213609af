"""ndcg-sql list: what is in the warehouse."""

from typing import Annotated

import typer

from ndcg_sql.cli.command import Command
from ndcg_sql.cli.options import Dataset, Format, Output
from ndcg_sql.cli.session import Session
from ndcg_sql.text import harmless

app = typer.Typer()


@app.command("list", cls=Command, epilog="ndcg-sql list --dataset demo --tags")
def list_contents(
    context: typer.Context,
    dataset: Dataset = None,
    tags: Annotated[
        bool, typer.Option("--tags", help="Also show the tags of each run.")
    ] = False,
    form: Format = None,
    output: Output = None,
) -> None:
    """List the judgment sets, assessments and runs of every dataset, or of one."""
    from ndcg_sql.database.results import OUTPUT
    from ndcg_sql.database.results import output as rows_of
    from ndcg_sql.evaluation.entries import check_dataset
    from ndcg_sql.output.grids import rows_as_they_are
    from ndcg_sql.output.writing import write

    session = Session.of(context)
    with session.reading() as database:
        check_dataset(database, dataset)
        with rows_of(database, "reports/contents", {"dataset": dataset}):
            if not tags:
                database.execute(f"alter table {OUTPUT} drop tags")
            write(database, form, output, rows_as_they_are)
            if not database.execute(f"from {OUTPUT} limit 1"):
                session.messages.tell(
                    f"{harmless(str(session.warehouse))}: no judgments, assessments or"
                    " runs; load some with ndcg-sql load judgments FILE and ndcg-sql"
                    " load run FILE"
                )
