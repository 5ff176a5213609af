"""New judgments on a base: queries and documents that nothing else has."""

import pytest

from ndcg_sql.python.warehouse import Warehouse

BASE = {"Grill": {"001": 3, "002": 1}, "Fön": {"001": 3}}
RUN = {"Grill": {"001": 9.0, "003": 1.0}, "Zelt": {"004": 1.0}}


def told(ids: list[str], noun: str, nouns: str) -> str:
    """Return the warning about these ids."""
    are = f"1 {noun} of the new judgments is"
    if len(ids) > 1:
        are = f"{len(ids)} {nouns} of the new judgments are"
    named = ", ".join(f'"{one}"' for one in ids[:5]) + ", ..." * (len(ids) > 5)
    return f'{are} neither in "base" nor in any run of the dataset: {named}'


@pytest.mark.slow
def test_unknown_queries_and_documents_are_told() -> None:
    added = {
        "FÃ¶n": {"002": 2},
        "Grill": {"7": 2, "003": 1, "8": 0},
        "Zelt": {"004": 1},
    }
    with Warehouse.memory() as warehouse:
        warehouse.load_judgments(BASE, "base")
        # What another dataset has says nothing.
        warehouse.load_run({"FÃ¶n": {"7": 1.0}}, "far", dataset="other")
        assert warehouse.load_judgments(added, "early", base="base").warnings == ()
        warehouse.load_run(RUN, "run")
        loaded = warehouse.load_judgments(added, "new", base="base")
        assert loaded.warnings == (
            told(["FÃ¶n"], "query", "queries"),
            told(["7", "8"], "document", "documents"),
        )
        # New queries may be intended: only what else is wrong is refused.
        again = {"Topf": {"001": 1}}
        strict = warehouse.load_judgments(again, "strict", base="base", strict=True)
        assert strict.warnings == (told(["Topf"], "query", "queries"),)
