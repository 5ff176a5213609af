"""Bounds: floor and ceiling against every way to grade what nobody judged."""

import itertools
import json
from pathlib import Path

import pytest
from conftest import Command, Evaluation, write_judgments, write_run
from test_holes import MEASURES, holes_of, loaded, random_queries

GRADES = (0, 1, 2, 2.5, 3)
MOST_HOLES = 3


def test_bounds_are_those_of_all_gradings(tmp_path: Path) -> None:
    judged, ranked = random_queries(5, 24)
    for query in list(ranked):
        # Few enough holes for all gradings to be tried.
        left_out = holes_of(judged, ranked, query)[MOST_HOLES:]
        kept = {d: s for d, s in ranked[query].items() if d not in left_out}
        ranked = {**ranked, query: kept}
    filled = {"top": judged["top"]}
    lists: dict[str, dict[str, float]] = {}
    for query in ranked:
        holes = holes_of(judged, ranked, query)
        for grading in itertools.product(GRADES, repeat=len(holes)):
            case = f"{query}/{len(filled)}"
            filled[case] = {**judged[query], **dict(zip(holes, grading, strict=True))}
            lists[case] = dict(ranked[query])
    gradings = Evaluation(tmp_path, filled, lists, MEASURES)
    with loaded(tmp_path, judged, ranked) as warehouse:
        found = warehouse.execute(
            "select measure, query_id, floor, ceiling from value_bounds"
            " where query_id <> 'top'"
        )
    assert len(found) == len(ranked) * len(MEASURES)
    loose = 0
    for measure, query, floor, ceiling in found:
        values = [
            value
            for case, value in gradings.queries[measure].items()
            if case.split("/")[0] == query and value is not None
        ]
        where = (measure, query)
        assert floor == pytest.approx(min(values), abs=1e-12), where
        assert ceiling == pytest.approx(max(values), abs=1e-12), where
        loose += ceiling - floor > 0.01
    assert loose > len(found) / 4


def test_a_report_tells_the_bounds(ndcg: Command, tmp_path: Path) -> None:
    judged = {"q1": {"a": 2, "b": 0}, "q2": {"a": 1}, "silent": {"a": 0}}
    write_judgments(tmp_path / "qrels", judged)
    write_run(tmp_path / "run", {"q1": {"u": 2, "b": 1, "a": 0}, "q2": {"a": 1}})
    assert ndcg("load", "judgments", "qrels").code == 0
    assert ndcg("load", "run", "run").code == 0
    asked = ("report", "--bounds", "-m", "P@1 RR ERR@3", "--format", "json")
    result = ndcg(*asked)
    assert result.err == "no bounds are known of ERR@3\n"
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
    told = [(r["query_id"], r["ceiling"], r["no_relevant"]) for r in own]
    assert told == [("q1", 1, False), ("q2", 1, False), ("silent", 0, True)]
    result = ndcg("report", "--bounds", "--by", "x")
    assert (result.code, result.out) == (2, "")
    assert result.err == "--bounds: not with --by or --like; leave them out\n"
