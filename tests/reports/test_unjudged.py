"""What nobody judged: holes, and what filling one of them would change."""

import json
from pathlib import Path

import pytest

from ndcg_sql.database.database import Database
from support.commands import Command, Once
from support.evaluations import Evaluation
from support.files import Judged, Ranked
from support.unjudged import BEST, MEASURES, holes_of, loaded, random_queries

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> tuple[Judged, Ranked, Database]:
    judged, ranked = random_queries(11, 25)
    folder = tmp_path_factory.mktemp("world")
    return judged, ranked, loaded(folder, judged, ranked)


def test_a_hole_is_worth_what_filling_it_gives(
    world: tuple[Judged, Ranked, Database], tmp_path: Path
) -> None:
    judged, ranked, warehouse = world
    filled: dict[str, dict[str, float]] = {"top": {"best": BEST}}
    lists: dict[str, dict[str, float]] = {}
    for query in ranked:
        for document in [*holes_of(judged, ranked, query), "missed"]:
            case = f"{query} {document}".replace(" ", "/")
            filled[case] = {**judged[query], document: BEST}
            lists[case] = dict(ranked[query])
    expected = Evaluation(tmp_path, filled, lists, MEASURES)
    sql = (
        "select measure, query_id, doc_id, value_if_best from unjudged_document_values"
    )
    missed = (
        "select measure, query_id, 'missed', value_if_missed from value_parts"
        " where query_id <> 'top'"
    )
    compared = 0
    for measure, query, document, value in warehouse.execute(
        f"{sql} union all {missed}"
    ):
        theirs = expected.query(measure, f"{query}/{document}")
        assert value == pytest.approx(theirs, abs=1e-12), (measure, query, document)
        compared += 1
    assert compared == (len(filled) - 1) * len(MEASURES) > 1000


QRELS = "q1 0 a 2\nq1 0 b 0\nq1 0 n -1\nq2 0 a 1\nq2 0 b 2\n"
RUNS = {
    "one": "q1 Q0 n 1 9 t\nq1 Q0 a 2 8 t\nq1 Q0 u 3 7 t\nq2 Q0 v 1 9 t\nq3 Q0 z 1 1 t",
    "two": "q1 Q0 a 1 9 t\nq1 Q0 u 2 8 t\nq2 Q0 b 1 9 t\n",
}


@pytest.fixture
def runs(ndcg: Command, tmp_path: Path, once: Once) -> None:
    def fill() -> None:
        (tmp_path / "qrels").write_text(QRELS)
        for name, text in RUNS.items():
            (tmp_path / name).write_text(text)
        assert ndcg("load", "judgments", "qrels").code == 0
        assert ndcg("load", "run", *RUNS).code == 0

    once(fill)


@pytest.mark.usefixtures("runs")
def test_a_limit_shows_the_first_and_tells_how_many_there_are(ndcg: Command) -> None:
    asked = ("holes", "-m", "P@2", "--depth", "3", "--format", "json")
    everything = ndcg(*asked)
    found = json.loads(everything.out)
    assert len(found) > 1
    result = ndcg(*asked, "--limit", "1")
    assert json.loads(result.out) == found[:1]
    assert result.err == f"{everything.err}1 of {len(found)} rows shown\n"
    assert ndcg(*asked, "--limit", str(len(found))) == everything
    assert ndcg(*asked, "--limit", "0").err == "--limit 0: must be 1 or more\n"


@pytest.mark.usefixtures("runs")
def test_holes_are_listed_by_what_they_could_change(ndcg: Command) -> None:
    result = ndcg("holes", "-m", "P@2", "--depth", "3", "--format", "json")
    assert result.err == (
        "1 query without any judgment: left out\n"
        "3 unjudged documents among the first 3 of 2 runs, ranked by P@2\n"
    )
    rows = json.loads(result.out)
    found = [list(row.values())[:7] for row in rows]
    # Half a document of P@2 in one of two queries; u is at 2 in one run only.
    assert found == [
        ["q1", "u", 2, 2, "P@2", 0.25, 0.25],
        ["q1", "n", 1, 1, "P@2", 0.25, 0.25],
        ["q2", "v", 1, 1, "P@2", 0.25, 0.25],
    ]
    assert [row["judgment_set"] for row in rows] == ["qrels"] * 3
    result = ndcg("holes", "-m", "RR", "--run", "one", "--format", "json")
    assert [
        (r["doc_id"], r["largest_move"], r["move_between"])
        for r in json.loads(result.out)
    ] == [("v", 0.5, None), ("n", 0.25, None), ("u", 0, None)]


@pytest.mark.usefixtures("runs")
def test_what_cannot_be_listed_is_refused(ndcg: Command) -> None:
    for options, message in {
        ("-m", "ERR@10"): '"ERR@10": the effect of one more judgment is known only for',
        ("-m", "P@5 AP"): "holes ranks by one measure, not by 2; name one",
        ("--depth", "0"): "--depth 0: must be 1 or more",
        ("--run", "on"): 'no run "on"; did you mean "one"',
        ("--judgments", "x"): 'no judgment set "x"; known: "qrels"',
    }.items():
        result = ndcg("holes", *options)
        assert (result.code, result.out) == (2, ""), options
        assert result.err.splitlines()[-1].startswith(message), options


def test_bounds_are_those_of_the_judgments_in_use(ndcg: Command) -> None:
    for dataset, grade in (("one", 1), ("two", 2)):
        Path(f"qrels-{dataset}").write_text(f"q 0 a {grade}\n")
        Path(f"run-{dataset}").write_text("q Q0 b 1 1 t\n")
        for kind, name in (("judgments", "qrels"), ("run", "run")):
            file = f"{name}-{dataset}"
            assert ndcg("load", kind, file, "--dataset", dataset).code == 0
    # Only in the second dataset has a document a gain below 0.
    measure = ("-m", "DCG(gains={1:1,2:-1})@10")
    assert ndcg("holes", "--dataset", "one", *measure).code == 0
    refused = ndcg("holes", "--dataset", "two", *measure)
    assert (refused.code, refused.out) == (2, "")
    told = ndcg("report", "--bounds", "--dataset", "two", *measure)
    assert "no bounds are known" in told.err
