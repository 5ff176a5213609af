"""How the value of one query comes about, position by position."""

from collections.abc import Generator
from contextlib import contextmanager

from ndcg_sql import reports
from ndcg_sql.conventions import System
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.measures import Measure, distinct, parse
from ndcg_sql.text import listed, quoted
from ndcg_sql.valuing import Pair, registered, valued
from ndcg_sql.warehouse import Parameters, Warehouse


def choose(
    warehouse: Warehouse, names: list[str], like: System | None = None
) -> list[Measure]:
    """Return the measures to explain: those named, or the first nDCG.

    Beside one stands what a system makes of it that is to be followed.
    """
    explained = ("nDCG", "DCG", "IDCG")
    if not names:
        known = [m for name in registered(warehouse) for m in parse(name)]
        candidates = [m.name for m in known if m.family.name == "nDCG"]
        names = (candidates or ["nDCG@10"])[:1]
    measures = parse(" ".join(names))
    if like and len(measures) > 1:
        raise NdcgSqlError(
            f"explain --like {like.name} shows a measure beside what {like.name} makes"
            " of it; name one: -m nDCG@10"
        )
    if like:
        measures = distinct([*measures, *like.measures(names)])
    if len(measures) > 2:
        raise NdcgSqlError(
            f"explain shows one measure, or two side by side, but not {len(measures)};"
            " leave some out"
        )
    for measure in measures:
        if measure.family.name not in explained:
            raise NdcgSqlError(
                f"measure {quoted(measure.name)}: explain shows {listed(explained)}"
            )
    if len({measure.family.name for measure in measures}) > 1:
        what = listed(measure.name for measure in measures)
        raise NdcgSqlError(
            f"explain shows two forms of one measure side by side, but not {what};"
            " name two nDCG, for example"
        )
    return measures


def check_query(warehouse: Warehouse, parameters: Parameters) -> None:
    """Raise NdcgSqlError if nobody judged the query of a run."""
    answered, judged = warehouse.run("reports/query_known", parameters)[0]
    if not judged:
        state = "was not judged" if answered else "is not known to the run or judgments"
        raise NdcgSqlError(f"query {quoted(parameters['query_id'])}: {state}")


@contextmanager
def explain(
    warehouse: Warehouse, pair: Pair, query_id: str, measures: list[Measure]
) -> Generator[None]:
    """Put a query's ranking, position by position, into the table OUTPUT.

    Several measures follow each other; of a single one, the name is left out.
    """
    parameters: Parameters = {
        "run_id": pair[0],
        "judgment_set_id": pair[1],
        "query_id": query_id,
        "measures": [measure.name for measure in measures],
    }
    check_query(warehouse, parameters)
    with (
        valued(warehouse, measures, [pair], with_values=False),
        reports.output(warehouse, "reports/explain", parameters),
    ):
        if len(measures) == 1:
            warehouse.execute(f"alter table {reports.OUTPUT} drop measure")
        yield
