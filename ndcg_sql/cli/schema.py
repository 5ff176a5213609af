"""ndcg-sql schema: the public relations and the meanings of their columns."""

import typer

from ndcg_sql.cli.options import Command, Output

app = typer.Typer()


@app.command(cls=Command)
def schema(output: Output = None) -> None:
    """Print every public relation and the meanings of its columns, in Markdown."""
    from ndcg_sql.database import opening, views
    from ndcg_sql.database.results import output as rows_of
    from ndcg_sql.output import tables
    from ndcg_sql.output.writing import write

    with (
        opening.memory() as database,
        rows_of(database, "reports/schema", {"names": list(views.public())}),
    ):
        write(database, "markdown", output, tables.schema)
