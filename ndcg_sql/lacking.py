"""What judgments lack for the measures that are asked of them."""

from ndcg_sql.measures import Measure
from ndcg_sql.text import quoted
from ndcg_sql.valuing import Pair
from ndcg_sql.warehouse import Warehouse

# What it means for a value that the judgments have no such documents.
_MEANINGS = {
    "not_relevant": (
        "no document is judged not relevant; what is left is the share of relevant"
        " documents that were returned"
    ),
    "negative": (
        "no grade is negative, as for documents that are in the pool but not judged;"
        " nothing is left to infer"
    ),
}


def lacking(
    warehouse: Warehouse, measures: list[Measure], chosen: list[Pair]
) -> list[str]:
    """Return what is to be said of judgments that cannot carry a measure.

    Must be called where the values of the measures are known.
    """
    ids = {
        "run_ids": [run_id for run_id, _ in chosen],
        "judgment_set_ids": sorted({set_id for _, set_id in chosen}),
    }
    names = [measure.name for measure in measures]
    found: dict[tuple[str, str], list[str]] = {}
    rows = warehouse.run("reports/nothing_relevant", {**ids, "measures": names})
    for judgment_set, highest, measure in rows:
        what = f"nothing is relevant, the highest grade is {highest:g}"
        if 0 < highest < 1:
            what += f"; a lower threshold may be meant, such as rel={highest:g}"
        found.setdefault((judgment_set, what), []).append(measure)
    needing = {measure.name: measure.family.needs for measure in measures}
    needing = {name: need for name, need in needing.items() if need}
    if needing:
        parameters = {
            "judgment_set_ids": ids["judgment_set_ids"],
            "measures": list(needing),
            "needs": list(needing.values()),
        }
        for judgment_set, need, measure in warehouse.run(
            "reports/lacking_grades", parameters
        ):
            found.setdefault((judgment_set, _MEANINGS[need]), []).append(measure)
    return [
        f"judgments {quoted(judgment_set)}, {', '.join(names)}: {what}"
        for (judgment_set, what), names in found.items()
    ]
