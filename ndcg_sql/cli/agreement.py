"""ndcg-sql agreement: how much assessors agree."""

import typer

from ndcg_sql.cli.command import Command
from ndcg_sql.cli.options import AssessmentSets, Assessors, Dataset, Format, Output
from ndcg_sql.cli.session import Session

app = typer.Typer()


@app.command(cls=Command, epilog="ndcg-sql agreement")
def agreement(
    context: typer.Context,
    assessments: AssessmentSets = None,
    assessor: Assessors = None,
    dataset: Dataset = None,
    form: Format = None,
    output: Output = None,
) -> None:
    """Show how much assessors agree: kappa for each pair, kappa and alpha for all."""
    from ndcg_sql.analysis import agreement as statistics
    from ndcg_sql.output import tables
    from ndcg_sql.output.writing import check_output, write

    names, who = assessments or [], assessor or []
    check_output(form, output)
    with (
        Session.of(context).reading() as database,
        statistics.agreement(database, names, who, dataset),
    ):
        write(database, form, output, tables.answer)
