"""New judgments on a base: queries and documents that nothing else has."""

from random import Random

import pytest

from ndcg_sql.python import Warehouse

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


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("evaluate", [True, False])
def test_unknown_ids_are_those_of_no_other_rows(seed: int, evaluate: bool) -> None:
    random = Random(seed)

    def rows(queries: int, documents: int) -> dict[str, dict[str, int]]:
        """Return random rows of so many queries and documents."""
        chosen = {
            (random.randrange(queries), random.randrange(documents)) for _ in "x" * 9
        }
        found: dict[str, dict[str, int]] = {}
        for query, document in sorted(chosen):
            found.setdefault(f"q{query}", {})[f"d{document}"] = 1
        return found

    base, added, runs = rows(4, 9), rows(9, 20), [rows(6, 15) for _ in range(2)]
    known = [base, *runs]
    documents = {one for of in known for ranked in of.values() for one in ranked}
    far_queries = [one for one in added if all(one not in of for of in known)]
    far = [one for of in added.values() for one in of if one not in documents]
    # The base's own rows of the new set are not new.
    for query, judged in base.items():
        added.setdefault(query, {}).update(judged)
    expected: list[str] = []
    if far_queries:
        expected.append(told(far_queries, "query", "queries"))
    if far:
        expected.append(told([*dict.fromkeys(far)], "document", "documents"))
    with Warehouse.memory() as warehouse:
        warehouse.load_judgments(base, "base")
        for number, run in enumerate(runs):
            warehouse.load_run(run, f"run{number}")
        loaded = warehouse.load_judgments(added, "new", base="base", evaluate=evaluate)
    assert [line for line in loaded.warnings if "new judgments" in line] == expected
