"""Bounds: floor and ceiling against every way to grade what nobody judged."""

import itertools
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

import pytest

from support.commands import Command
from support.evaluations import Evaluation
from support.files import Judged, Ranked, write_judgments, write_run
from support.unjudged import BEST, MEASURES, holes_of, loaded, random_queries

# To make a warehouse takes longer than to fill it.
pytestmark = pytest.mark.usefixtures("empty")

GRADES = (0, 1, 2, 2.5, 3)
MOST_HOLES = 3


def _check_bounds(
    folder: Path,
    judged: Judged,
    ranked: Ranked,
    measures: list[str],
    grades: Sequence[float],
) -> float:
    """Hold bounds against all gradings; return how many say little."""
    filled: dict[str, Mapping[str, float]] = {"top": judged["top"]}
    lists: dict[str, Mapping[str, float]] = {}
    for query in ranked:
        holes = holes_of(judged, ranked, query)
        for grading in itertools.product(grades, repeat=len(holes)):
            case = f"{query}/{len(filled)}"
            filled[case] = {**judged[query], **dict(zip(holes, grading, strict=True))}
            lists[case] = ranked[query]
    gradings = Evaluation(folder, filled, lists, measures)
    with loaded(folder, judged, ranked, measures) as warehouse:
        found = warehouse.execute(
            "select measure, query_id, floor, ceiling from value_bounds"
            " where query_id <> 'top'"
        )
    assert len(found) == len(ranked) * len(measures)
    values: dict[tuple[str, str], list[float]] = {}
    for measure, cases in gradings.queries.items():
        for case, value in cases.items():
            if value is not None:
                values.setdefault((measure, case.split("/")[0]), []).append(value)
    for measure, query, floor, ceiling in found:
        own = values[measure, query]
        assert floor == pytest.approx(min(own), abs=1e-12), (measure, query)
        assert ceiling == pytest.approx(max(own), abs=1e-12), (measure, query)
    return sum(ceiling - floor > 0.01 for _, _, floor, ceiling in found) / len(found)


@pytest.mark.slow
def test_bounds_are_those_of_all_gradings(tmp_path: Path) -> None:
    judged, ranked = random_queries(5, 24)
    for query in list(ranked):
        # Few enough holes for all gradings to be tried.
        left_out = holes_of(judged, ranked, query)[MOST_HOLES:]
        kept = {d: s for d, s in ranked[query].items() if d not in left_out}
        ranked = {**ranked, query: kept}
    assert _check_bounds(tmp_path, judged, ranked, MEASURES, GRADES) > 1 / 4


@pytest.mark.slow
def test_bounds_of_long_gaps_are_those_of_all_gradings(tmp_path: Path) -> None:
    judged: dict[str, dict[str, float]] = {"top": {"best": BEST}}
    ranked: dict[str, dict[str, float]] = {}
    random = Random(3)
    for i in range(9):
        documents = [f"d{n}" for n in range(9)]
        pool = random.sample(documents, 4)
        judged[f"q{i}"] = {d: random.choice((0, 0, 1, 3)) for d in pool}
        judged[f"q{i}"] |= {f"x{n}": random.choice((1, 3)) for n in range(i % 3)}
        ranked[f"q{i}"] = {d: -n for n, d in enumerate(documents)}
    measures = ["nDCG", "nDCG@8", "nDCG(dcg='jk',base=4)", "nCG@6", "AP", "AP@7"]
    _check_bounds(tmp_path, judged, ranked, measures, (0, 1, BEST))


def test_a_report_tells_the_bounds(ndcg: Command) -> None:
    judged = {"q1": {"a": 2, "b": 0}, "q2": {"a": 1}, "silent": {"a": 0}}
    write_judgments(Path("qrels"), judged)
    write_run(Path("run"), {"q1": {"u": 2, "b": 1, "a": 0}, "q2": {"a": 1}})
    assert ndcg("load", "judgments", "qrels").code == 0
    assert ndcg("load", "run", "run").code == 0
    asked = ("report", "--bounds", "-m", "P@1 RR ERR@3", "--format", "json")
    result = ndcg(*asked)
    assert result.err == "no bounds are known for ERR@3\n"
    rows = {row["measure"]: row for row in json.loads(result.out)}
    assert rows["P@1"] == {
        "run": "run",
        "judgment_set": "qrels",
        "dataset": "default",
        "measure": "P@1",
        "value": pytest.approx(1 / 3),
        "floor": pytest.approx(1 / 3),
        "ceiling": pytest.approx(2 / 3),
        "condensed": pytest.approx(1 / 3),
        "bpref": pytest.approx(1 / 3),
        "n": 3,
        "answered": 2,
        "unanswered": 1,
        "no_relevant": 1,
        "judged_at_k": pytest.approx(1 / 3),
    }
    columns = ("value", "floor", "ceiling", "condensed")
    means = [rows["RR"][column] for column in columns]
    assert means == pytest.approx([4 / 9, 4 / 9, 2 / 3, 1 / 2])
    assert (rows["ERR@3"]["floor"], rows["ERR@3"]["ceiling"]) == (None, None)
    queries = json.loads(ndcg(*asked, "-q").out)
    own = [row for row in queries if row["measure"] == "RR"]
    told = [(r["query_id"], r["ceiling"], r["nothing_relevant"]) for r in own]
    assert told == [("q1", 1, False), ("q2", 1, False), ("silent", 0, True)]
    assert ndcg("report", "--bounds", "--by", "x").refusal == (
        "--bounds: cannot be combined with --by or --like; omit them\n"
    )
