"""Shops in warehouses: one made by hand, and such that show things at random."""

from random import Random
from typing import Any

import pytest

from ndcg_sql import Warehouse
from support.known import known_of
from support.shown import Shop
from support.worlds import world


def load(warehouse: Warehouse, shop: Shop, judged: Any, **of: Any) -> None:
    """Load all of a shop, and judgments of its queries."""
    warehouse.load_documents(rows_of(shop), **of)
    warehouse.load_known(shop.known, **of)
    warehouse.load_judgments(judged, "judged", **of)
    warehouse.load_run(shop.rankings, "shown", **of)


def rows_of(shop: Shop) -> Any:
    """Return the catalogue of a shop as a frame."""
    pyarrow: Any = pytest.importorskip("pyarrow")
    names = sorted({name for d in shop.attributes.values() for name in d})
    columns = {
        name: [shop.attributes.get(d, {}).get(name) for d in shop.catalogue]
        for name in names
    }
    return pyarrow.table({"doc_id": shop.catalogue, **columns})


def random_shop(seed: int, size: int) -> tuple[Shop, dict[str, dict[str, float]]]:
    """Return a shop with what is shown at random, and judgments of its queries."""
    made, random = world(seed, size), Random(seed)
    known = known_of(made, seed + 1)
    known["not asked"] = [
        *dict.fromkeys(d for top in made.rankings.values() for d in top[:2])
    ]
    documents = sorted({d for top in made.rankings.values() for d in top})
    catalogue = [*random.sample(documents, len(documents) * 2 // 3), "never shown"]
    attributes = {
        document: {
            name: random.choice(some)
            for name, some in (("category", ["a", "b", "c"]), ("brand", ["x", "y"]))
            if random.random() < 0.8
        }
        for document in catalogue
    }
    # Unjudged queries are shown something too, which counts for nothing.
    rankings = {q: made.rankings.get(q, [*made.ranked[q]]) for q in made.ranked}
    return Shop(rankings, known, catalogue, attributes), made.judged
