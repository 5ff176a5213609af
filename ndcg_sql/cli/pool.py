"""ndcg-sql pool: the documents to be judged, for assessors."""

from dataclasses import dataclass
from typing import Annotated

import typer

from ndcg_sql.cli.requests import command
from ndcg_sql.cli.session import Session
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests.fields import Option
from ndcg_sql.requests.printing import Output
from ndcg_sql.requests.questions import PoolRequest
from ndcg_sql.wording import named, use

app = typer.Typer()


@dataclass(frozen=True)
class _File:
    """The file that assessors write their grades into."""

    form: Annotated[
        str | None,
        Option(
            "csv, tsv, json, jsonl or parquet; by default from the suffix of "
            + named("output")
            + ".",
            "F",
            word="format",
        ),
    ] = None
    output: Output = None
    force: Annotated[bool, Option("Replace FILE, and the grades written into it.")] = (
        False
    )


@command(app, PoolRequest, _File, epilog="ndcg-sql pool --depth 10 -o pool.csv")
def pool(context: typer.Context, request: PoolRequest, file: _File) -> None:
    """Write the documents to be judged: the top of each run.

    The names of the runs are left out.
    """
    from ndcg_sql.analysis.pools import FORMATS
    from ndcg_sql.output.writing import chosen_format, write_data

    form = chosen_format(file.form, file.output, FORMATS)
    if file.output is not None and file.output.is_file() and not file.force:
        raise NdcgSqlError(
            "exists, and may hold grades",
            "name another file, or replace it with " + use(force=True),
            where=use(output=str(file.output)),
        )
    session = Session.of(context)
    with session.warehouse_read() as warehouse:
        answer = warehouse.answer(request, session.messages)
        write_data(answer.rows, form, file.output, session.warehouse)
