"""ndcg-sql explain: how a value is computed, position by position."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ndcg_sql.cli import completers
from ndcg_sql.cli.chosen import chosen_system, request
from ndcg_sql.cli.command import Command
from ndcg_sql.cli.options import Dataset, Format, Judgments, Output
from ndcg_sql.cli.session import Session

if TYPE_CHECKING:
    from ndcg_sql.evaluation.question import Request

app = typer.Typer()


@app.command(cls=Command, epilog="ndcg-sql explain hybrid q18 -m nDCG@10")
def explain(
    context: typer.Context,
    run: Annotated[
        str,
        typer.Argument(
            metavar="RUN", help="Name of the run.", autocompletion=completers.runs
        ),
    ],
    query: Annotated[str, typer.Argument(metavar="QUERY", help="Id of the query.")],
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            "-m",
            metavar="M",
            help="Such as nDCG@10, AP, RR, P@10, RBP or ERR; two of a kind are shown"
            " together.",
            autocompletion=completers.measures,
        ),
    ] = None,
    like: Annotated[
        str | None,
        typer.Option(
            "--like",
            metavar="SYSTEM",
            help="Also show the measure as another system computes it; measures list"
            " --systems lists them.",
            autocompletion=completers.systems,
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="RUN",
            help="Another run: show both rankings side by side, what moved, and what"
            " that cost.",
            autocompletion=completers.runs,
        ),
    ] = None,
    judgments: Judgments = None,
    dataset: Dataset = None,
    form: Format = None,
    output: Output = None,
) -> None:
    """Show how the value of a query is computed, position by position."""
    from ndcg_sql.analysis import explaining
    from ndcg_sql.output import tables
    from ndcg_sql.output.terms import terms
    from ndcg_sql.output.writing import check_output, write

    check_output(form, output)
    session = Session.of(context)
    asked = request(measure, None, judgments, dataset, like=chosen_system(like))
    if against is not None:
        _explain_against(session, run, against, query, asked, form, output)
        return
    with session.reading() as database:
        question = explaining.resolve(database, session.messages, run, asked)
        with explaining.explain(database, question, query):
            if explaining.is_by_terms(question.measures):
                write(database, form, output, terms)
                return
            write(
                database,
                form,
                output,
                lambda d, f: tables.explain(d, f, question.measures),
            )


def _explain_against(
    session: Session,
    run: str,
    against: str,
    query: str,
    asked: "Request",
    form: str | None,
    output: Path | None,
) -> None:
    """Show what moved between two rankings of a query, and what that cost."""
    from ndcg_sql.analysis import comparing
    from ndcg_sql.output import comparison_tables
    from ndcg_sql.output.writing import write

    with session.reading() as database:
        question = comparing.to_explain(database, against, run, asked)
        with comparing.explain(database, question, query, question.measures[0]):
            draw = comparison_tables.explain
            write(database, form, output, lambda d, f: draw(d, f, question))
