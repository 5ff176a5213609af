"""A limit shows the rows that matter most, and tells how many there are."""

from typing import Any

import pytest

from support.commands import Command, Once, load_texts, records

pytestmark = pytest.mark.slow

WEEKS = range(1, 6)


@pytest.fixture
def weeks(ndcg: Command, once: Once) -> None:
    """Load two datasets of five weekly runs, and two judgment sets of one."""

    def fill() -> None:
        old = "".join(f"q{n} 0 d 1\n" for n in range(4))
        new = "".join(f"q{n} 0 d 1\nq{n} 0 e{n} 1\n" for n in range(4))
        run = "".join(f"q{n} Q0 x 1 9 t\nq{n} Q0 d 2 8 t\n" for n in range(4))
        for dataset in ("search", "shop"):
            load_texts(ndcg, {f"judgments old.txt --dataset {dataset}": old})
            for week in WEEKS:
                at = f"--run-at 2026-01-0{week} --tag week={week} --dataset {dataset}"
                text = f"{run}q0 Q0 y{week} 3 7 t\n"
                load_texts(ndcg, {f"run w{week}.run {at}": text})
        load_texts(ndcg, {"judgments new.txt --dataset shop": new})

    once(fill)


def _rows(ndcg: Command, *arguments: str) -> tuple[list[dict[str, Any]], str]:
    """Return the rows of a command, and its messages."""
    return records(ndcg, *arguments), ndcg(*arguments).err


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
    # A limit that leaves nothing out says nothing.
    assert _rows(ndcg, "list", "--limit", "99") == _rows(ndcg, "list")


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
