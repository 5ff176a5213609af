"""Runs of chunks: a document takes the place of its best chunk."""

from random import Random
from typing import Any

import polars as pl
import pytest
from ir_measures import ScoredDoc

import ndcg_sql
from support.scripts import scripted

test_script = scripted(__file__)

MEASURES = ("nDCG@3", "R@3", "P@3")
# Chunks a#1 .9, a#2 .8, a#3 .7 of a; a and b are relevant.
EXPECTED = [0.6131471928, 0.5, 1 / 3]
CHUNKS = {"a#1": 0.9, "a#2": 0.8, "a#3": 0.7}
JUDGED = {"q1": {"a": 1, "b": 1}}


FRAME = pl.DataFrame({"query_id": ["q1"] * 3, "d": ["a"] * 3, "score": [0.9, 0.8, 0.7]})
GIVEN: dict[str, tuple[Any, dict[str, Any]]] = {
    "dict": ({"q1": CHUNKS}, {"unit_before": "#"}),
    "list": ({"q1": [*CHUNKS]}, {"unit_before": "#"}),
    "ScoredDoc": (
        [ScoredDoc("q1", d, s) for d, s in CHUNKS.items()],
        {"unit_before": "#"},
    ),
    "frame": (FRAME, {"unit": "d"}),
    "frame of chunks": (
        FRAME.with_columns(d=pl.Series([*CHUNKS])),
        {"unit_before": "#", "columns": {"doc_id": "d"}},
    ),
}


@pytest.mark.parametrize("name", GIVEN)
def test_python_takes_chunks_too(
    own: ndcg_sql.Warehouse, dataset: str, name: str
) -> None:
    run, options = GIVEN[name]
    values = ndcg_sql.evaluate(JUDGED, run, MEASURES, **options)
    assert [values[one] for one in MEASURES] == pytest.approx(EXPECTED)
    told = str(own.load_run(run, "run", dataset=dataset, **options))
    assert f"2 chunks dropped ({'unit' if name == 'frame' else 'unit_b'}" in told


def test_units_are_those_of_a_loop() -> None:
    """Against the definition, with ties, negative scores and ids without the text."""
    random = Random(5)
    ids = [f"{doc}{rest}" for doc in "abcé" for rest in ("", "::1", "::2", "::x::3")]
    for position_rule in ("score", "given"):
        run = {
            f"q{q}": {
                d: random.choice([-1, 0, 0.5, 2])
                for d in random.sample(ids, random.randint(1, len(ids)))
            }
            for q in range(30)
        }
        expected: dict[str, dict[str, float]] = {}
        for query, ranked in run.items():
            units = expected.setdefault(query, {})
            for place, (chunk, score) in enumerate(ranked.items()):
                unit = chunk.rpartition("::")[0] or chunk
                value = -place if position_rule == "given" else score
                units[unit] = max(value, units.get(unit, value))
        judged = {q: {d: random.randint(0, 3) for d in [*ids, "a::x"]} for q in run}
        given: Any = {q: [*ranked] for q, ranked in run.items()}
        if position_rule == "score":
            given = run
        names = "nDCG@3 AP RR nDCG"
        values = ndcg_sql.evaluate(judged, given, names, unit_before="::")
        assert values.per_query == ndcg_sql.evaluate(judged, expected, names).per_query


@pytest.mark.parametrize("mark", ["#", "_", "-", ":", "::", "/", "_chunk_"])
def test_chunks_of_judged_documents_are_recognised(
    own: ndcg_sql.Warehouse, dataset: str, mark: str
) -> None:
    run = {"q1": {f"a{mark}{n}": n for n in range(3)}}
    example = f'the run has "a{mark}0", the judgments have "a"'
    named = f'{example}; if it ranks chunks of documents: unit_before="{mark}"'
    with pytest.warns(UserWarning, match=named):
        ndcg_sql.evaluate(JUDGED, run, "RR")
    own.load_run(run, "run", dataset=dataset)
    [told] = own.load_judgments(JUDGED, "judged", dataset=dataset).warnings
    assert f"{example}; if it ranks chunks of documents: load_run(FILE, " in told
    assert f'unit_before="{mark}"' in told
    assert told.endswith("replace=True)")
