"""ndcg-sql remove, evaluate, check: keeping a warehouse in order."""

from dataclasses import replace
from typing import Annotated

import typer

from ndcg_sql.cli.options import (
    Dataset,
    Format,
    Judgments,
    Output,
    Runs,
    State,
    reading,
    tell,
    writing,
)

app = typer.Typer()
remove_app = typer.Typer(
    help="Remove runs, judgments or a dataset.", no_args_is_help=True
)
Names = Annotated[
    list[str], typer.Argument(metavar="NAME...", help="As ndcg-sql list shows them.")
]


@remove_app.command("run")
def remove_runs(names: Names, dataset: Dataset = None) -> None:
    """Remove runs, with their rankings, tags and values."""
    from ndcg_sql.removing import remove_named

    with writing(make=False) as warehouse:
        remove_named(warehouse, "run", names, dataset, tell)


@remove_app.command("judgments")
def remove_judgments(names: Names, dataset: Dataset = None) -> None:
    """Remove judgment sets, and the values that rest on them."""
    from ndcg_sql.removing import remove_named

    with writing(make=False) as warehouse:
        remove_named(warehouse, "judgment set", names, dataset, tell)


@remove_app.command("assessments")
def remove_assessments(names: Names, dataset: Dataset = None) -> None:
    """Remove assessments; judgment sets that were made of them stay."""
    from ndcg_sql.removing import remove_named

    with writing(make=False) as warehouse:
        remove_named(warehouse, "assessments", names, dataset, tell)


@remove_app.command("dataset")
def remove_dataset(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the dataset.")],
) -> None:
    """Remove a dataset: its judgment sets, its runs, what is known of its queries."""
    from ndcg_sql.removing import remove_dataset

    with writing(make=False) as warehouse:
        remove_dataset(warehouse, name, tell)


@app.command()
def evaluate(
    run: Runs = None, judgments: Judgments = None, dataset: Dataset = None
) -> None:
    """Store the values of runs with judgments, where they are not stored yet."""
    from ndcg_sql import reports
    from ndcg_sql.text import quoted
    from ndcg_sql.valuing import evaluate_missing

    with writing(make=False) as warehouse:
        chosen, pairs = reports.choose_pairs(
            warehouse, tell, run or [], judgments, dataset
        )
        names = {entry.id: entry.name for entry in chosen}
        sets = {entry.id: entry.name for entry in reports.judgment_sets(warehouse)}
        done = evaluate_missing(warehouse, pairs)
    for run_id, set_id in done:
        tell(f"evaluated run {quoted(names[run_id])} with {quoted(sets[set_id])}")
    if not done:
        tell("all of these are evaluated already; nothing to do")


@app.command()
def check(form: Format = "table", output: Output = None) -> None:
    """Read all that is stored, and prove what can be proven of it."""
    from ndcg_sql import checking
    from ndcg_sql.rendering import rows_as_they_are, write

    # What is proven is computed of all runs and measures at once.
    State.limits = replace(State.limits, is_bounded=False)
    with reading() as warehouse, checking.checked(warehouse, tell):
        write(warehouse, form, output, rows_as_they_are)
