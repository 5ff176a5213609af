"""Curves of many queries: those of a sample, which is always the same."""

from hashlib import md5
from random import Random

import pytest

import ndcg_sql
from ndcg_sql.comparison.answers import Record
from ndcg_sql.database import opening
from ndcg_sql.database.database import Database
from ndcg_sql.evaluation.question import resolve
from ndcg_sql.loading import frames
from ndcg_sql.loading.options import Options
from ndcg_sql.options import Scope
from ndcg_sql.reports import figures
from ndcg_sql.system.messages import Messages
from support.files import Judged, noisy

MOST = 20
JUDGMENTS = Options(name="judgments")
DOCUMENTS = [f"d{i}" for i in range(8)]


def _world(random: Random) -> tuple[Judged, dict[str, dict[str, dict[str, float]]]]:
    """Return judgments of 90 queries and two runs; one query has the highest grade."""
    judged: Judged = {
        f"q{i}": {d: float(random.randint(0, 2)) for d in DOCUMENTS} for i in range(90)
    }
    judged["q7"]["d3"] = 4.0
    runs = {name: noisy(random, judged, noise) for name, noise in RUNS.items()}
    del runs["good"]["q11"]
    return judged, runs


RUNS = {"good": 0.5, "bad": 3.0}


def _drawn(queries: list[str]) -> list[str]:
    """Return the queries of the sample: that of the highest grade, and by hash."""
    others = sorted(set(queries) - {"q7"}, key=lambda q: md5(q.encode()).hexdigest())
    return ["q7", *others[: MOST - 1]]


def _along(
    database: Database, measure: str, kind: figures.Kind, most: int | None = None
) -> tuple[list[Record], list[str]]:
    """Return the values along the scale of a kind of curve, and the notes on it."""
    question = resolve(database, Messages(), Scope(measures=(measure,)))
    [drawn] = figures.curves(question, [kind], most)
    return drawn.rows.records, drawn.about.get("notes", [])


@pytest.mark.slow
def test_curves_of_a_sample_are_those_of_its_queries() -> None:
    judged, runs = _world(Random(5))
    drawn = _drawn([*judged])
    with opening.memory() as database:
        frames.load(database, judged, "judgments", JUDGMENTS, Messages())
        for name, run in runs.items():
            frames.load(database, run, "run", Options(name=name), Messages())
        for measure in ("nDCG@5", "ERR@5"):
            found, notes = _along(database, measure, "cutoffs", MOST)
            assert notes == [f"a sample of {MOST} of 90 queries"]
            names = list(dict.fromkeys(row["measure"] for row in found))
            assert len(found) == 2 * len(names) == 2 * 5
            assert {row["n"] for row in found} == {MOST}
            of_drawn = {q: judged[q] for q in drawn}
            for run, whole in runs.items():
                own = {q: whole[q] for q in drawn if q in whole}
                right = ndcg_sql.evaluate(of_drawn, own, names)
                values = {r["measure"]: r["value"] for r in found if r["run"] == run}
                assert values == dict(right)
        # What is stored is seen again.
        found, notes = _along(database, "nDCG@5", "cutoffs")
        assert notes == []
        assert {row["n"] for row in found} == {90}
        # No sample is drawn of few queries.
        for most, expected in ((90, []), (89, ["a sample of 89 of 90 queries"])):
            found, notes = _along(database, "nDCG", "precision-recall", most)
            assert notes == expected
            assert {row["n"] for row in found} == {most}
