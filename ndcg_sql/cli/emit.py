"""ndcg-sql emit: the SQL of measures for another engine."""

from typing import TYPE_CHECKING

from ndcg_sql.cli.session import Session
from ndcg_sql.database import opening
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.output.writing import check_printing, write
from ndcg_sql.python.emitting import clicks_select_of, emission_of
from ndcg_sql.requests.engines import EmitClicksRequest, EmitRequest
from ndcg_sql.requests.printing import Printing
from ndcg_sql.system.urls import address
from ndcg_sql.wording import named

if TYPE_CHECKING:
    from ndcg_sql.engines.script import Emission


def emit(session: Session, request: EmitRequest, printing: Printing) -> None:
    """Print a script that evaluates measures in another database."""
    if request.run is None and (printing.form or printing.output):
        where = named("form") + " and " + named("output")
        only = "only with " + named("run") + "; a script is plain text"
        raise NdcgSqlError(only, where=where)
    emission = emission_of(request)
    from ndcg_sql.engines import dbt_package, script

    if request.run is not None:
        _run(session, emission, request.run, printing)
    elif request.dbt is not None:
        dbt_package.write(emission, request.dbt)
    else:
        text = script.one_select if request.one_select else script.script
        print(text(emission), end="")


def clicks(_session: Session, request: EmitClicksRequest) -> None:
    """Print a select that makes judgments of clicks in another database."""
    print(clicks_select_of(request), end="")


def _run(session: Session, emission: "Emission", url: str, printing: Printing) -> None:
    from ndcg_sql.engines import running

    check_printing(printing)
    rows = running.run(emission, address(url, named("run")), session.wait)
    with opening.scratch(session.limits) as database:
        answer = running.answer(database, emission, rows)
        write(answer, printing, session.path)
