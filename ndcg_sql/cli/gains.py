"""ndcg-sql gains: named gain schemes, for measures to use."""

from typing import Annotated

import typer

from ndcg_sql.cli.chosen import key_values
from ndcg_sql.cli.command import Command
from ndcg_sql.cli.options import Format, Output
from ndcg_sql.cli.rows import print_rows
from ndcg_sql.cli.sections import Group
from ndcg_sql.cli.session import Session
from ndcg_sql.requests.printing import Printing

app = typer.Typer(
    cls=Group, help="List, add or remove gain schemes.", invoke_without_command=True
)


@app.callback()
def gains(context: typer.Context) -> None:
    """List, add or remove gain schemes."""
    if context.invoked_subcommand is None:
        list_gains(context)


@app.command("list", cls=Command, epilog="ndcg-sql gains list")
def list_gains(
    context: typer.Context, form: Format = None, output: Output = None
) -> None:
    """List the named gain schemes; linear, exp and binary are built in."""
    session = Session.of(context)
    with session.reading() as database:
        print_rows(
            session,
            database,
            "reports/gain_schemes",
            Printing(form, output),
            "no gain schemes except the built-in linear, exp and binary; ndcg-sql"
            " gains add NAME GRADE=GAIN... adds one",
        )


@app.command("add", cls=Command, epilog="ndcg-sql gains add steep 0=0 1=1 2=10")
def add_gains(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the scheme.")],
    worth: Annotated[
        list[str],
        typer.Argument(
            metavar="GRADE=GAIN...", help="Such as 3=1 2=0.1, or by label: Exact=1."
        ),
    ],
) -> None:
    """Add a gain scheme, for measures such as nDCG(gains='NAME')@10."""
    from ndcg_sql.evaluation.gains import add

    session = Session.of(context)
    pairs = key_values("GRADE=GAIN", worth, "3=1")
    with session.writing() as database, database.transaction():
        new = add(database, name, pairs)
    state = f"added gain scheme {name}"
    session.messages.tell(state if new else f"gain scheme {name} already exists")


@app.command("remove", cls=Command, epilog="ndcg-sql gains remove cubic")
def remove_gains(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the scheme.")],
) -> None:
    """Remove a gain scheme that no registered measure uses."""
    from ndcg_sql.evaluation.gains import remove

    session = Session.of(context)
    with session.writing(make=False) as database, database.transaction():
        remove(database, name)
    session.messages.tell(f"removed gain scheme {name}")
