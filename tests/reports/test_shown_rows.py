"""A limit shows the rows that matter most, and tells how many there are."""

import json
from pathlib import Path
from typing import Any

import pytest

from support.commands import Command, Once

WEEKS = range(1, 6)


@pytest.fixture
def weeks(ndcg: Command, once: Once) -> None:
    """Load two datasets of five weekly runs, and two judgment sets of one."""

    def fill() -> None:
        Path("old.txt").write_text("".join(f"q{n} 0 d 1\n" for n in range(4)))
        Path("new.txt").write_text(
            "".join(f"q{n} 0 d 1\nq{n} 0 e{n} 1\n" for n in range(4))
        )
        for dataset in ("search", "shop"):
            assert ndcg("load", "judgments", "old.txt", "--dataset", dataset).code == 0
            for week in WEEKS:
                lines = [f"q{n} Q0 x 1 9 t\nq{n} Q0 d 2 8 t\n" for n in range(4)]
                Path(f"w{week}.run").write_text(
                    "".join([*lines, f"q0 Q0 y{week} 3 7 t\n"])
                )
                file = f"w{week}.run"
                at = ("--run-at", f"2026-01-0{week}", "--tag", f"week={week}")
                loaded = ndcg("load", "run", file, "--dataset", dataset, *at)
                assert loaded.code == 0, loaded.err
        assert ndcg("load", "judgments", "new.txt", "--dataset", "shop").code == 0

    once(fill)


def _rows(ndcg: Command, *arguments: str) -> tuple[list[dict[str, Any]], str]:
    """Return the rows of a command, and its messages."""
    found = ndcg(*arguments, "--format", "json")
    assert found.code == 0, found.err
    return json.loads(found.out), found.err


@pytest.mark.slow
@pytest.mark.usefixtures("weeks")
def test_a_list_has_the_newest_of_each_kind_and_dataset(ndcg: Command) -> None:
    rows, told = _rows(ndcg, "list", "--limit", "2")
    names = {
        (dataset, kind): [
            row["name"]
            for row in rows
            if (row["dataset"], row["kind"]) == (dataset, kind)
        ]
        for dataset in ("search", "shop")
        for kind in ("judgments", "run")
    }
    assert names == {
        ("search", "judgments"): ["old"],
        ("search", "run"): ["w4", "w5"],
        ("shop", "judgments"): ["old", "new"],
        ("shop", "run"): ["w4", "w5"],
    }
    assert "7 of 13 rows shown" in told


@pytest.mark.slow
@pytest.mark.usefixtures("weeks")
def test_a_history_has_the_last_runs_with_their_differences(ndcg: Command) -> None:
    asked = ("history", "--dataset", "shop", "-m", "RR", "-m", "P@2")
    whole, told = _rows(ndcg, *asked)
    assert "shown" not in told
    rows, told = _rows(ndcg, *asked, "--limit", "2")
    assert [row for row in whole if row["run"] in ("w4", "w5")] == rows
    assert len(rows) == 4
    assert {row["previous_run"] for row in rows} == {"w3", "w4"}
    assert "4 of 10 rows shown" in told


@pytest.mark.slow
@pytest.mark.usefixtures("weeks")
def test_changes_has_the_queries_that_changed_most(ndcg: Command) -> None:
    asked = ("changes", "old", "new", "--dataset", "shop", "-m", "AP", "--per-query")
    whole, _ = _rows(ndcg, *asked)
    rows, told = _rows(ndcg, *asked, "--limit", "1")
    assert [row["run"] for row in rows] == [f"w{week}" for week in WEEKS]
    first = {row["run"]: row for row in reversed(whole)}
    assert rows == [first[row["run"]] for row in rows]
    assert f"5 of {len(whole)} rows shown" in told
    documents = ("changes", "old", "new", "--dataset", "shop", "--documents")
    rows, told = _rows(ndcg, *documents, "--limit", "3")
    assert [row["doc_id"] for row in rows] == ["e0", "e1", "e2"]
    assert "3 of 4 rows shown" in told


@pytest.mark.usefixtures("loaded")
def test_means_are_never_left_out(ndcg: Command) -> None:
    Path("new.txt").write_text("q1 0 a 1\n")
    assert ndcg("load", "judgments", "new.txt").code == 0
    found = ndcg("changes", "qrels", "new", "--limit", "1")
    assert found.refusal == "--limit: needs --per-query or --documents\n"


@pytest.mark.slow
@pytest.mark.usefixtures("weeks")
def test_a_limit_that_leaves_nothing_out_says_nothing(ndcg: Command) -> None:
    whole, quiet = _rows(ndcg, "list")
    rows, told = _rows(ndcg, "list", "--limit", "99")
    assert (rows, told) == (whole, quiet)
