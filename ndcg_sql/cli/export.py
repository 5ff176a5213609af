"""ndcg-sql export: a run or judgment set as a file that loads again."""

from typing import Annotated

import typer

from ndcg_sql.cli import completers
from ndcg_sql.cli.command import Command
from ndcg_sql.cli.options import Dataset, Output
from ndcg_sql.cli.sections import Group
from ndcg_sql.cli.session import Session

app = typer.Typer(
    cls=Group,
    help="Write a run or judgment set to a file that can be loaded again.",
    no_args_is_help=True,
)
Form = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="F",
        help="trec, csv, tsv, json, jsonl or parquet; by default from the suffix"
        " of -o.",
    ),
]


@app.command("run", cls=Command, epilog="ndcg-sql export run hybrid -o hybrid.csv")
def export_run(
    context: typer.Context,
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="Name of the run.", autocompletion=completers.runs
        ),
    ],
    dataset: Dataset = None,
    form: Form = None,
    output: Output = None,
) -> None:
    """Write a run: query, document, rank and score."""
    from ndcg_sql.evaluation.entries import choose_entry
    from ndcg_sql.output import exporting

    session = Session.of(context)
    with session.reading() as database:
        run = choose_entry(database, "run", name, dataset)
        told = exporting.export_run(database, run, form, output)
    session.messages.tell(told)


@app.command(
    "judgments",
    cls=Command,
    epilog="ndcg-sql export judgments judgments -o judgments.parquet",
)
def export_judgments(
    context: typer.Context,
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="Name of the judgment set.",
            autocompletion=completers.judgment_sets,
        ),
    ],
    dataset: Dataset = None,
    form: Form = None,
    output: Output = None,
) -> None:
    """Write a judgment set: query, document, grade and label."""
    from ndcg_sql.evaluation.entries import choose_entry
    from ndcg_sql.output import exporting

    session = Session.of(context)
    with session.reading() as database:
        chosen = choose_entry(database, "judgment set", name, dataset)
        told = exporting.export_judgments(database, chosen, form, output)
    session.messages.tell(told)
