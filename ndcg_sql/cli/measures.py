"""ndcg-sql measures: what is registered, and what could be."""

from typing import Annotated

import typer

from ndcg_sql.cli.options import (
    Format,
    Output,
    print_rows,
    reading,
    tell,
    writing,
)
from ndcg_sql.errors import NdcgSqlError

app = typer.Typer(help="List, add or remove measures.", invoke_without_command=True)


@app.callback()
def measures(context: typer.Context) -> None:
    """List the registered measures, or add and remove some."""
    if context.invoked_subcommand is None:
        list_measures()


@app.command("list")
def list_measures(
    families: Annotated[
        bool, typer.Option("--families", help="What there is to register, instead.")
    ] = False,
    systems: Annotated[
        bool,
        typer.Option("--systems", help="How other systems have them, instead."),
    ] = False,
    form: Format = None,
    output: Output = None,
) -> None:
    """List the measures whose values the warehouse stores."""
    from ndcg_sql.conventions import known_conventions
    from ndcg_sql.valuing import known_families
    from ndcg_sql.warehouse import Warehouse

    if families and systems:
        raise NdcgSqlError("--families and --systems: one list at a time")
    if systems:
        with Warehouse.scratch() as warehouse, known_conventions(warehouse):
            print_rows(warehouse, "reports/conventions", form, output)
        return
    if families:
        with Warehouse.scratch() as warehouse, known_families(warehouse):
            print_rows(warehouse, "reports/families", form, output)
        return
    with reading() as warehouse:
        print_rows(
            warehouse,
            "reports/registered_measures",
            form,
            output,
            "no measure is registered; ndcg-sql measures add nDCG@10 registers one",
        )


@app.command("add")
def add_measures(
    names: Annotated[
        list[str],
        typer.Argument(metavar="MEASURE...", help="As nDCG(dcg='exp-log2')@7."),
    ],
) -> None:
    """Register measures, and value every evaluation with them."""
    from ndcg_sql.measures import parse
    from ndcg_sql.valuing import register

    wanted = parse(" ".join(names))
    told: list[str] = []
    with writing() as warehouse, warehouse.transaction():
        for measure in wanted:
            new = register(warehouse, measure)
            state = f"registered {measure.name}"
            told.append(state if new else f"{measure.name} is registered already")
    for line in told:
        tell(line)


@app.command("remove")
def remove_measures(
    names: Annotated[
        list[str], typer.Argument(metavar="MEASURE...", help="As nDCG@10.")
    ],
) -> None:
    """Remove registered measures and their stored values."""
    from ndcg_sql.measures import parse
    from ndcg_sql.text import nearest, quoted
    from ndcg_sql.valuing import registered, unregister

    wanted = parse(" ".join(names))
    told: list[str] = []
    with writing(make=False) as warehouse, warehouse.transaction():
        for measure in wanted:
            known = registered(warehouse)
            if measure.name not in known:
                raise NdcgSqlError(
                    f"measure {quoted(measure.name)}: not registered;"
                    f" {nearest(measure.name, known)}"
                )
            unregister(warehouse, measure)
            told.append(f"removed {measure.name}")
    for line in told:
        tell(line)
