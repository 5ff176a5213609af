"""What changed: other judgments of the same runs, and runs over time."""

from pathlib import Path

import pytest

from support.commands import Command, Once, check_refused, load_texts, records
from support.files import stored, write_judgments, write_run

pytestmark = pytest.mark.mostly_slow

OLD = {"q1": {"a": 1, "b": 0, "c": 1}, "q2": {"a": 1}, "gone": {"a": 1}}
NEW = {"q1": {"a": 1, "b": 2, "x": 1}, "q2": {"a": 1, "c": -1}, "fresh": {"a": 1}}
RANKED = {"q1": {"a": 3, "b": 2, "c": 1}, "q2": {"a": 1}, "fresh": {"a": 1}}


@pytest.fixture
def sets(ndcg: Command, tmp_path: Path, once: Once) -> None:
    def fill() -> None:
        write_judgments(tmp_path / "old", OLD)
        write_judgments(tmp_path / "new", NEW)
        write_run(tmp_path / "run", RANKED)
        assert ndcg("load", "judgments", "old").code == 0
        assert ndcg("load", "run", "run").code == 0
        assert ndcg("load", "judgments", "new").code == 0

    once(fill)


@pytest.mark.quick
@pytest.mark.usefixtures("sets")
def test_judgments_that_differ(ndcg: Command) -> None:
    asked = ("changes", "old", "new", "--documents")
    assert "2 judgments added, 2 removed, 1 regraded in 3 queries" in ndcg(*asked).err
    found = [tuple(row.values()) for row in records(ndcg, *asked)]
    assert found == [
        ("fresh", "a", "added", None, 1),
        ("gone", "a", "removed", 1, None),
        ("q1", "b", "regraded", 0, 2),
        ("q1", "c", "removed", 1, None),
        ("q1", "x", "added", None, 1),
    ]
    assert len(records(ndcg, "changes", "new", "old", "--documents")) == 5


@pytest.mark.usefixtures("sets")
def test_values_that_moved(ndcg: Command) -> None:
    asked = ("changes", "old", "new", "-m", "P@2 R")
    found = [tuple(row.values())[1:] for row in records(ndcg, *asked, "-q")]
    assert found == [
        ("P@2", "fresh", None, 0.5, None, 1, 1),
        ("P@2", "gone", 0, None, None, 1, 0),
        ("P@2", "q1", 0.5, 1, 0.5, 3, 2),
        ("R", "fresh", None, 1, None, 1, 1),
        ("R", "gone", 0, None, None, 1, 0),
        ("R", "q1", 1, pytest.approx(2 / 3), pytest.approx(-1 / 3), 3, 2),
    ]
    first, _ = records(ndcg, *asked)
    expected = {"run": "run", "measure": "P@2", "old_value": 1 / 3, "new_value": 2 / 3}
    expected |= {"difference": 1 / 3, "old_n": 3, "new_n": 3, "queries_moved": 1}
    expected |= {"queries_in_one_set": 2, "old_judged_at_k": 2 / 3}
    assert list(first.values()) == [
        value if isinstance(value, str) else pytest.approx(value)
        for value in (*expected.values(), 1)
    ]
    assert list(first) == [*expected, "new_judged_at_k"]
    # What is registered is there in the views without a command.
    sql = "select difference from value_changes where measure = 'RR' and changes = 3"
    assert stored(sql) == [(0,), (0,)]


@pytest.mark.usefixtures("sets")
def test_what_cannot_be_compared_is_refused(ndcg: Command) -> None:
    write_judgments(Path("other"), NEW)
    assert ndcg("load", "judgments", "other", "--dataset", "other").code == 0
    other = '"old" belongs to dataset "default", "other" to "other": their queries diff'
    cases = {
        "old nw": 'no judgment set "nw"; did you mean "new"?',
        "old old": 'judgment set "old" is named twice; name another',
        "old other": other,
        "old new --documents -q": "--documents: lists judgments, not values; omit",
        "old new --run rnu": 'no run "rnu"; did you mean "run"?',
        # Means are never left out.
        "old new --limit 1": "--limit: needs --per-query or --documents\n",
        "old new --order --run run": "--order: needs two runs or more",
        "old new --order -q": "--order: cannot be combined with --documents or --per-q",
    }
    check_refused(ndcg, "changes", cases)


RUNS = {
    # Loaded in another order than they were made in.
    "third": ("2026-03-01", "bm25", 1),
    "first": ("2026-01-01", "bm25", 3),
    "second": ("2026-02-01", "dense", 2),
    "fourth": ("2026-04-01", "dense", 4),
}


@pytest.fixture
def timed(ndcg: Command, once: Once) -> None:
    def fill() -> None:
        load_texts(ndcg, {"judgments qrels": "q 0 a 1\n"})
        for name, (run_at, model, position) in RUNS.items():
            lines = [f"q Q0 u{n} 0 {9 - n} t\n" for n in range(1, position)]
            text = "".join([*lines, f"q Q0 a 0 {9 - position} t\n"])
            key = f"run {name} --run-at {run_at} --tag model={model}"
            load_texts(ndcg, {key: text})

    once(fill)


def told(ndcg: Command, *options: str) -> list[tuple[object, ...]]:
    """Return series, run, value, the run before and the difference."""
    rows = records(ndcg, "history", "-m", "RR", *options)
    columns = ("tag_value", "run", "value", "previous_run", "difference")
    return [tuple(row.get(c) for c in columns) for row in rows]


@pytest.mark.usefixtures("timed")
def test_values_over_time(ndcg: Command) -> None:
    assert told(ndcg) == [
        (None, "first", 1 / 3, None, None),
        (None, "second", 1 / 2, "first", 1 / 2 - 1 / 3),
        (None, "third", 1, "second", 1 / 2),
        (None, "fourth", 1 / 4, "third", -3 / 4),
    ]
    bm25: list[tuple[object, ...]] = [("bm25", "first", 1 / 3, None, None)]
    bm25 += [("bm25", "third", 1, "first", 1 - 1 / 3)]
    dense: list[tuple[object, ...]] = [("dense", "second", 1 / 2, None, None)]
    dense += [("dense", "fourth", 1 / 4, "second", -1 / 4)]
    assert told(ndcg, "--tag", "model") == bm25 + dense
    assert told(ndcg, "--tag", "model=dense") == dense
    # The previous run is one of those that were asked for.
    assert told(ndcg, "--tag", "model", "--run", "third") == [
        ("bm25", "third", 1, None, None)
    ]
    assert told(ndcg, "--run", "*ir*") == [(None, *row[1:]) for row in bm25]
    # A measure that is not registered has the same run before it.
    rows = records(ndcg, "history", "-m", "P@3")
    assert [row["previous_run"] for row in rows] == [None, "first", "second", "third"]
    times = [row["made_at"] for row in rows]
    assert times == sorted(times)


def test_history_tells_a_run_that_was_loaded_after_a_later_one(ndcg: Command) -> None:
    load_texts(ndcg, {"judgments qrels": "q 0 a 1\n"})
    for name in ("W9/bm25", "W10/bm25", "W10/dense", "W46/bm25", "W45/bm25"):
        load_texts(ndcg, {f"run file --name {name}": "q Q0 a 1 1 t\n"})
    line = 'run "W45/bm25" comes after "W46/bm25", as they were loaded; to say when'
    line += " it was made: ndcg-sql tag run W45/bm25 --run-at "
    found = ndcg("history", "-m", "RR")
    assert found.err == f"{line}TIME\n"
    # It is in no series of a tag that it does not have.
    assert ndcg("tag", "run", "W9/bm25", "k=v").code == 0
    assert ndcg("history", "-m", "RR", "--tag", "k=v").err == ""
    # A time of its own gives it another place.
    assert ndcg(*line.split()[-4:], "2026-01-31").code == 0
    assert ndcg("history", "-m", "RR").err == ""
    assert records(ndcg, "history", "-m", "RR")[0]["run"] == "W45/bm25"


@pytest.mark.usefixtures("timed")
def test_history_refuses_what_is_not_there(ndcg: Command) -> None:
    run = "run only --dataset shop --tag model=shop --tag region=x"
    texts = {"judgments shop --dataset shop": "q 0 a 1\n", run: "q Q0 a 1 1 t\n"}
    load_texts(ndcg, texts)
    none = "none of these runs has it; "
    no_tag = f'--tag region: {none}known: "model"'
    cases = {
        "--tag modle": f'--tag modle: {none}did you mean "model"?',
        "--tag model=bm2": f'--tag model=bm2: {none}did you mean "bm25"?',
        # What only runs have that are not asked for, is not there.
        "--tag region --dataset default": no_tag,
        "--tag region --run first": no_tag,
        "--tag model=shop --dataset default": f'=shop: {none}known: "bm25", "dense"',
        "--tag model=dense --run first": f'model=dense: {none}known: "bm25"\n',
        "--run fift": 'no run "fift"; did you mean "first"?',
    }
    check_refused(ndcg, "history", cases)
