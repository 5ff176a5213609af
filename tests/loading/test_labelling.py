"""Names and tags can change; what they name cannot."""

import json
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from ndcg_sql.python.warehouse import Warehouse
from support import exploring
from support.commands import Command
from support.files import RUN
from support.files import tables as all_tables

pytestmark = pytest.mark.mostly_slow


def tables(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Return every row of every table but those with names and tags."""
    found = all_tables(path)
    return {k: v for k, v in found.items() if k not in ("runs", "run_tags")}


def test_a_run_is_renamed_and_nothing_else_changes(ndcg: Command, loaded: Path) -> None:
    before, values = tables(loaded), ndcg("report", "--format", "csv").out
    [run] = all_tables(loaded)["runs"]
    result = ndcg("rename", "run", "base", "bm25")
    assert (result.code, result.out) == (0, "")
    assert result.err == 'renamed run "base" of dataset "default" to "bm25"\n'
    assert tables(loaded) == before
    [renamed] = all_tables(loaded)["runs"]
    assert [new for old, new in zip(run, renamed, strict=True) if old != new] == [
        "bm25"
    ]
    assert ndcg("report", "--format", "csv").out == values.replace("base", "bm25")
    assert ndcg("check", "--quiet").code == 0


def test_a_renamed_judgment_set_is_still_what_others_were_made_from(
    ndcg: Command, loaded: Path
) -> None:
    Path("more").write_text("q1 0 new 1\n")
    assert ndcg("load", "judgments", "more", "--base", "qrels").code == 0
    result = ndcg("rename", "judgments", "qrels", "version 1")
    assert result.err == (
        'renamed judgment set "qrels" of dataset "default" to "version 1"\n'
    )
    [(_, _, _, parent, _)] = all_tables(loaded)["judgment_set_parents"]
    assert parent == "version 1"
    assert ndcg("check", "--quiet").code == 0
    assert ndcg("report", "--judgments", "version 1").code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("run", "base", "other"),
            'run "other": already in dataset "default"; choose another name',
        ),
        (
            ("run", "base", "base"),
            'run "base": already in dataset "default"; choose another name',
        ),
        (("run", "bsae", "x"), 'no run "bsae"; did you mean "base"?'),
        (("run", "base", ""), 'run "": a name has 1 to 200 characters'),
        (("run", "base", "*"), 'run "*": a pattern that stands for every name'),
        (
            ("run", "base", " x"),
            'run " x": a name cannot begin or end with a blank',
        ),
        (
            ("judgments", "qrels", "a\nb"),
            'judgment set "a\\nb": a name cannot contain control characters',
        ),
        (("judgments", "none", "x"), 'no judgment set "none"; known: "qrels"'),
    ],
)
def test_a_bad_name_changes_nothing(
    ndcg: Command, loaded: Path, arguments: tuple[str, ...], message: str
) -> None:
    Path("other").write_text(RUN.replace("9", "5"))
    assert ndcg("load", "run", "other").code == 0
    before = all_tables(loaded)
    assert ndcg("rename", *arguments).refusal == message + "\n"
    assert all_tables(loaded) == before


def test_a_run_is_tagged_and_a_tag_gets_a_new_value(
    ndcg: Command, loaded: Path
) -> None:
    before = tables(loaded)
    result = ndcg("tag", "run", "base", "model=bm25", "branch=a=b")
    assert (result.code, result.out) == (0, "")
    assert result.err == 'tagged run "base": model=bm25, branch=a=b\n'
    assert ndcg("tag", "run", "base", "model=v2").code == 0
    assert sorted(row[1:] for row in all_tables(loaded)["run_tags"]) == [
        ("branch", "a=b"),
        ("model", "v2"),
    ]
    assert tables(loaded) == before
    assert ndcg("check", "--quiet").code == 0
    shown = ndcg("list", "--tags").out
    assert "branch=a=b, model=v2" in shown
    assert ndcg("tag", "run", "base", "branch=", "none=").err == (
        'tagged run "base": branch removed, has no tag "none"\n'
    )
    none = ndcg("tag", "run", "base", "none=")
    assert none.err == 'run "base": has no tag "none"\n'
    assert [row[1:] for row in all_tables(loaded)["run_tags"]] == [("model", "v2")]
    assert "branch" not in ndcg("list").out


def test_a_run_gets_a_time_and_nothing_else_changes(
    ndcg: Command, loaded: Path
) -> None:
    before, runs = tables(loaded), all_tables(loaded)["runs"]
    timed = ndcg("tag", "run", "ba*", "--run-at", "2026-01-31T13:00+01:00", "k=1")
    assert (timed.code, timed.out) == (0, "")
    assert timed.err == 'tagged run "base": k=1, run_at 2026-01-31 12:00:00\n'
    assert tables(loaded) == before
    dated = json.loads(ndcg("history", "-m", "AP", "--format", "json").out)
    assert [row["made_at"] for row in dated] == ["2026-01-31 12:00:00"]
    dry = ndcg("tag", "run", "base", "--run-at", "", "--dry-run")
    assert dry.err == 'would tag run "base": no run_at\n'
    with Warehouse(loaded) as warehouse:
        [row] = warehouse.history("AP")
        assert row["made_at"] == datetime(2026, 1, 31, 12)
        noon = datetime(2026, 1, 30, 12, tzinfo=timezone.utc)
        assert warehouse.tag("base", run_at=noon) == (
            'tagged run "base": run_at 2026-01-30 12:00:00'
        )
        assert warehouse.history("AP")[0]["made_at"] == noon.replace(tzinfo=None)
        assert warehouse.tag("base", run_at="") == 'tagged run "base": no run_at'
    assert all_tables(loaded)["runs"] == runs
    assert all_tables(loaded)["run_tags"] == [(1, "k", "1")]


@pytest.mark.quick
@pytest.mark.parametrize(
    ("arguments", "message"),
    exploring.sampled(
        [
            (
                ("base",),
                "tag: nothing to change; give tags, such as model=bm25, or --run-at",
            ),
            (
                ("base", "--run-at", "soon"),
                "--run-at soon: not a time like 2026-01-31T23:59",
            ),
            (("base", "model"), "model: not KEY=VALUE; write it like model=bm25"),
            (("base", "=x"), "=x: not KEY=VALUE; write it like model=bm25"),
            (("base", "a=1", "a=2"), "a: given twice"),
            (("base", "a= x"), 'tag " x": a name cannot begin or end with a blank'),
            (("none", "a=1"), 'no run "none"; known: "base"'),
        ],
        2,
    ),
)
def test_a_bad_tag_changes_nothing(
    ndcg: Command, loaded: Path, arguments: tuple[str, ...], message: str
) -> None:
    before = all_tables(loaded)
    assert ndcg("tag", "run", *arguments).refusal == message + "\n"
    assert all_tables(loaded) == before


def test_a_dataset_is_renamed_with_all_that_is_in_it(
    ndcg: Command, loaded: Path
) -> None:
    Path("queries.csv").write_text("query_id,text,device\nq1,apple,phone\n")
    Path("documents.csv").write_text("doc_id,title\na,Apple\n")
    for kind in ("queries", "documents"):
        assert ndcg("load", kind, f"{kind}.csv").code == 0
    assert ndcg("measures", "add", "P@5", "--dataset", "default").code == 0
    before = all_tables(loaded)
    report = ndcg("report", "--by", "device", "--format", "csv").out
    result = ndcg("rename", "dataset", "default", "shop")
    assert (result.code, result.out) == (0, "")
    assert result.err == 'renamed dataset "default" to "shop"\n'
    after = all_tables(loaded)
    named = {
        table: [tuple("shop" if x == "default" else x for x in row) for row in rows]
        for table, rows in before.items()
    }
    assert after == {k: sorted(rows, key=repr) for k, rows in named.items()}
    own = ndcg("report", "--by", "device", "--format", "csv").out
    assert own == report.replace("default", "shop")
    assert ndcg("check", "--quiet").code == 0
