"""Measures that are registered, and those that are computed for a report alone."""

import json
from pathlib import Path
from typing import Any

import pytest

from support import exploring
from support.commands import Command
from support.files import QRELS, RUN, digest, tables, write_judgments, write_run

pytestmark = pytest.mark.mostly_slow

Record = dict[str, Any]
NEWER = "q1 0 u 3\nq1 0 a 1\nq3 0 a 0.5\nq4 0 z 0\n"
UNREGISTERED = [
    "nDCG(dcg='exp-log2')@10",
    "nDCG(gains={1:3.5,2:9})@10",
    "nDCG(no_rel='omit',missing='omit')",
    "P(rel=2)@5",
    "Judged@10",
]


def records(ndcg: Command, *command: str) -> list[Record]:
    """Return what a command prints as JSON."""
    result = ndcg(*command, "--format", "json")
    assert (result.code, result.err) == (0, "")
    return json.loads(result.out)


def stamp(path: Path) -> tuple[str, int]:
    """Return the hash of a file and when it was last changed."""
    return digest(path), path.stat().st_mtime_ns


@pytest.fixture
def files(loaded: Path) -> Path:
    """Put a warehouse and a run and judgments to be loaded later into place."""
    for name, text in (("qrels", QRELS), ("base", RUN), ("newer", NEWER)):
        (loaded.parent / name).write_text(text)
    return loaded


@pytest.mark.parametrize(
    "measure", exploring.mostly_slow(UNREGISTERED, UNREGISTERED[1])
)
def test_an_unregistered_measure_is_computed_without_writing(
    ndcg: Command, files: Path, measure: str
) -> None:
    before = stamp(files)
    means = records(ndcg, "report", "-m", measure)
    queries = records(ndcg, "report", "-q", "-m", measure)
    assert stamp(files) == before
    assert len(list(files.parent.iterdir())) == 4

    added = ndcg("measures", "add", measure)
    assert (added.code, added.out) == (0, "")
    assert added.err == f"registered {measure}\n"

    assert repr(records(ndcg, "report", "-m", measure)) == repr(means)
    assert repr(records(ndcg, "report", "-q", "-m", measure)) == repr(queries)
    assert [row["measure"] for row in means] == [measure]
    assert len(queries) == 2


@pytest.mark.parametrize(
    "per_query",
    [pytest.param([], marks=pytest.mark.slow), ["-q"]],
    ids=["means", "queries"],
)
def test_a_pair_that_is_not_evaluated_is_computed_for_the_report(
    ndcg: Command, files: Path, per_query: list[str]
) -> None:
    # The run "late" meets the set "newer" only; "base" meets both.
    assert ndcg("load", "judgments", "newer").code == 0
    assert ndcg("load", "run", "base", "--name", "late").code == 0
    before = stamp(files)

    wanted = ["-m", "nDCG@10 nDCG(gains={1:3.5,2:9})@10 P@5", *per_query]
    old = records(ndcg, "report", "--judgments", "qrels", *wanted)

    assert stamp(files) == before
    runs = {name: [r for r in old if r["run"] == name] for name in ("base", "late")}
    assert len(runs["base"]) == len(runs["late"]) > 0
    for mine, theirs in zip(runs["base"], runs["late"], strict=True):
        assert repr({**mine, "run": "late"}) == repr(theirs)
    new = records(ndcg, "report", *wanted)
    assert {row["judgment_set"] for row in old} == {"qrels"}
    assert {row["judgment_set"] for row in new} == {"newer"}


@pytest.mark.quick
@pytest.mark.usefixtures("files")
def test_the_registered_measures_are_listed(ndcg: Command) -> None:
    found = records(ndcg, "measures", "list")
    assert [(r["measure"], r["family"], r["evaluations"]) for r in found] == [
        ("nDCG@10", "nDCG", 1),
        ("AP", "AP", 1),
        ("RR", "RR", 1),
        ("R@100", "R", 1),
    ]
    table = ndcg("measures").out
    assert table == ndcg("measures", "list").out
    assert [line.split()[0] for line in table.splitlines()] == [
        "measure",
        table.splitlines()[1],
        "nDCG@10",
        "AP",
        "RR",
        "R@100",
    ]


def test_the_families_are_listed_without_a_warehouse(
    ndcg: Command, tmp_path: Path
) -> None:
    found = records(ndcg, "measures", "list", "--families")
    names = [row["measure"].split(" = ")[0] for row in found]
    assert {"nDCG", "P", "R", "AP", "RR", "Success", "Judged"} <= set(names)
    assert all(row["meaning"] and row["source"] for row in found)
    assert "nDCG" in ndcg("measures", "list", "--families").out
    assert list(tmp_path.iterdir()) == []


def test_a_measure_is_added_once_and_valued_everywhere(
    ndcg: Command, files: Path
) -> None:
    assert ndcg("load", "judgments", "newer").code == 0
    before = tables(files)
    assert ndcg("measures", "add", "P@5", "NDCG(gains={1:5})@5").err.splitlines() == [
        "registered P@5",
        "registered nDCG(gains={1:5})@5",
    ]
    after = tables(files)
    assert len(after["measures"]) == len(before["measures"]) + 2
    # Two measures, for two queries of "qrels" and three of "newer".
    assert len(after["stored_values"]) == len(before["stored_values"]) + 2 * 5
    assert len(after["stored_run_values"]) == len(before["stored_run_values"]) + 4
    assert len(after["gains"]) == 1
    again = ndcg("measures", "add", "P.5")
    assert (again.code, again.err) == (0, "P@5 is already registered\n")
    assert tables(files) == after
    removed = ndcg("measures", "remove", "P.5", "nDCG(gains={1:5})@5")
    assert removed.err.splitlines() == ["removed P@5", "removed nDCG(gains={1:5})@5"]
    assert tables(files) == before


SHARED_MAP = ["nDCG(gains={1:5})@5", "DCG(gains={1:5})@10", "nCG(gains={1:5})"]


def test_registered_measures_may_share_a_map_of_gains(
    ndcg: Command, files: Path
) -> None:
    alone = [row for m in SHARED_MAP for row in records(ndcg, "report", "-m", m)]
    assert ndcg("measures", "add", *SHARED_MAP).code == 0
    wanted = ["report", "-m", " ".join(SHARED_MAP)]
    assert repr(records(ndcg, *wanted)) == repr(alone)

    assert ndcg("measures", "remove", SHARED_MAP[0]).code == 0
    assert len(tables(files)["gains"]) == 1
    assert ndcg("load", "run", "base", "--name", "late").code == 0
    late = records(ndcg, *wanted, "--run", "late")
    assert [row["value"] for row in late] == [row["value"] for row in alone]


@pytest.mark.parametrize(
    ("command", "last"),
    [
        (
            ["measures", "add", "P@5", "nDCG(gains='nothing')@3"],
            'no gain scheme "nothing"',
        ),
        (["measures", "remove", "AP", "P@77"], 'measure "P@77": not registered'),
    ],
    ids=["add", "remove"],
)
def test_what_is_undone_is_not_told_as_done(
    ndcg: Command, files: Path, command: list[str], last: str
) -> None:
    before = tables(files)
    result = ndcg(*command)
    assert last in result.refusal
    assert tables(files) == before
    assert len(result.err.splitlines()) == 1


def test_without_a_registered_measure_a_report_asks_for_one(
    ndcg: Command, files: Path
) -> None:
    assert ndcg("measures", "remove", "nDCG@10", "AP", "RR", "R@100").code == 0
    result = ndcg("report")
    assert result.err == "no measure is registered; name one: -m nDCG@10\n"
    assert (result.code, result.out) == (2, "")
    listed = ndcg("measures")
    assert (listed.code, listed.out) == (0, "")
    assert listed.err == (
        "no measure is registered; ndcg-sql measures add nDCG@10 registers one\n"
    )
    (row,) = records(ndcg, "report", "-m", "AP")
    assert row["measure"] == "AP"
    Path("late").write_text(RUN)
    assert ndcg("load", "run", "late").code == 0
    assert tables(files)["measures"] == []


def test_only_what_is_better_where_it_is_higher_is_marked(ndcg: Command) -> None:
    write_judgments(Path("qrels"), {"q": {"a": 1, "b": 0}})
    write_run(Path("good"), {"q": {"a": 2, "b": 1}})
    write_run(Path("bad"), {"q": {"x": 2, "a": 1}})
    measures = "RR R@100 unj@2 NumRet NumQ IDCG Judged@2"
    told = ndcg("eval", "qrels", "good", "bad", "-m", measures, "--format", "markdown")
    good, bad = (line.split("|")[2:9] for line in told.out.splitlines()[-2:])
    assert [cell.strip() for cell in good] == [
        *("**1.0000**", "1.0000", "0.0000", "2", "1", "1.0000", "1.0000")
    ]
    assert not any("*" in cell for cell in bad)
