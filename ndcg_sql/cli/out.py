"""ndcg-sql export and publish: ways out of the warehouse."""

from pathlib import Path
from typing import Annotated

import typer

from ndcg_sql.cli.options import Dataset, Output, State, reading, tell

app = typer.Typer()
exports = typer.Typer(
    help="Write a run or judgment set to a file that can be loaded again.",
    no_args_is_help=True,
)
Form = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="F",
        help="trec, csv, tsv, json, jsonl or parquet; told from the suffix of -o.",
    ),
]


@exports.command("run")
def export_run(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the run.")],
    dataset: Dataset = None,
    form: Form = None,
    output: Output = None,
) -> None:
    """Write a run: query, document, rank and score."""
    from ndcg_sql import exporting, reports

    with reading() as warehouse:
        run = reports.choose_run(warehouse, name, dataset)
        told = exporting.export_run(warehouse, run, form, output)
    tell(told)


@exports.command("judgments")
def export_judgments(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Name of the judgment set.")
    ],
    dataset: Dataset = None,
    form: Form = None,
    output: Output = None,
) -> None:
    """Write a judgment set: query, document, grade and label."""
    from ndcg_sql import exporting, reports

    with reading() as warehouse:
        chosen = reports.choose_judgment_set(warehouse, name, dataset)
        told = exporting.export_judgments(warehouse, chosen, form, output)
    tell(told)


@app.command()
def publish(
    target: Annotated[
        Path,
        typer.Argument(
            metavar="TARGET", parser=Path, help="The file that readers open."
        ),
    ],
) -> None:
    """Write a compact copy for BI tools, which may read the old one meanwhile."""
    from ndcg_sql.publishing import publish as write
    from ndcg_sql.text import quoted

    with reading() as warehouse:
        write(warehouse, target, State.timeout, tell)
    tell(f"published {quoted(str(target))}")
