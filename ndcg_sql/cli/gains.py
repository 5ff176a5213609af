"""ndcg-sql gains: what grades are worth, under a name that measures can use."""

from typing import Annotated

import typer

from ndcg_sql.cli.options import (
    Format,
    Output,
    key_values,
    print_rows,
    reading,
    tell,
    writing,
)

app = typer.Typer(help="List, add or remove gain schemes.", invoke_without_command=True)


@app.callback()
def gains(context: typer.Context) -> None:
    """List the gain schemes, or add and remove some."""
    if context.invoked_subcommand is None:
        list_gains()


@app.command("list")
def list_gains(form: Format = None, output: Output = None) -> None:
    """List the named gain schemes; linear, exp and binary are built in."""
    with reading() as warehouse:
        print_rows(
            warehouse,
            "reports/gain_schemes",
            form,
            output,
            "no gain schemes but linear, exp and binary, which are built in; ndcg-sql"
            " gains add NAME GRADE=GAIN... adds one",
        )


@app.command("add")
def add_gains(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the scheme.")],
    worth: Annotated[
        list[str],
        typer.Argument(
            metavar="GRADE=GAIN...", help="As 3=1 2=0.1, or with labels: Exact=1."
        ),
    ],
) -> None:
    """Add a gain scheme, for measures such as nDCG(gains='NAME')@10."""
    from ndcg_sql.gains import add

    pairs = key_values("GRADE=GAIN", worth, "3=1")
    with writing() as warehouse, warehouse.transaction():
        new = add(warehouse, name, pairs)
    tell(f"added gain scheme {name}" if new else f"gain scheme {name} is there already")


@app.command("remove")
def remove_gains(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the scheme.")],
) -> None:
    """Remove a gain scheme that no registered measure needs."""
    from ndcg_sql.gains import remove

    with writing(make=False) as warehouse, warehouse.transaction():
        remove(warehouse, name)
    tell(f"removed gain scheme {name}")
