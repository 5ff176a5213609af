"""Known documents at random, and values of rankings without them, computed apart."""

from random import Random

from ndcg_sql.measures.names import parse
from support.formulas import VARIANTS, Variant
from support.user_models import MODELS
from support.worlds import World

Known = dict[str, list[str]]
# The measures that take known documents out, by canonical name; the formulas know
# nothing of this. Ties cannot be shared in such rankings.
OMITTING: dict[str, Variant] = {
    parse(omitting.name)[0].name: variant
    for variant in (*VARIANTS.values(), *MODELS.values())
    if "ties" not in variant.options
    for omitting in [
        Variant(variant.family, variant.k, {**variant.options, "known": "omit"})
    ]
}


def known_of(world: World, seed: int) -> Known:
    """Return documents that queries know: of some queries none, of others all."""
    random = Random(seed)
    known: Known = {}
    for query, grades in world.judged.items():
        met = [*dict.fromkeys((*grades, *world.rankings[query])), f"only-{query}"]
        share = random.choice((0, 0.1, 0.3, 0.6, 1))
        if drawn := random.sample(met, int(share * len(met))):
            known[query] = drawn
    return known


def value(
    variant: Variant, grades: dict[str, float], ranking: list[str], known: list[str]
) -> float | None:
    """Return the value of a query whose known documents were taken out before."""
    judged = {d: grade for d, grade in grades.items() if d not in known}
    left = [document for document in ranking if document not in known]
    if left or not ranking:
        return variant.value(judged, left)
    # The query was answered, if only with documents that it knows.
    plain = variant.plain(judged, [])
    no_rel = variant.options.get("no_rel", 0)
    return plain if plain is not None else None if no_rel == "omit" else no_rel
