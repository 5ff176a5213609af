"""Names and tags can change; what they name cannot."""

from pathlib import Path
from typing import Any

import pytest

from support import exploring
from support.commands import Command
from support.files import RUN
from support.files import tables as all_tables


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


@pytest.mark.slow
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


@pytest.mark.slow
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
    result = ndcg("rename", *arguments)
    assert (result.code, result.out, result.err) == (2, "", message + "\n")
    assert all_tables(loaded) == before


def test_a_name_in_several_datasets_needs_the_dataset(
    ndcg: Command, loaded: Path
) -> None:
    Path("base").write_text(RUN)
    assert ndcg("load", "run", "base", "--dataset", "other").code == 0
    result = ndcg("rename", "run", "base", "x")
    assert (result.code, "choose one with --dataset" in result.err) == (2, True)
    assert ndcg("rename", "run", "base", "x", "--dataset", "other").code == 0
    datasets = {(row[1], row[2]) for row in all_tables(loaded)["runs"]}
    assert datasets == {("default", "base"), ("other", "x")}


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
    assert ndcg("tag", "run", "base", "branch=", "none=").code == 0
    assert [row[1:] for row in all_tables(loaded)["run_tags"]] == [("model", "v2")]
    assert "branch" not in ndcg("list").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    exploring.sampled(
        [
            (("base", "model"), "tag model: write it like tag model=bm25"),
            (("base", "=x"), "tag =x: write it like tag model=bm25"),
            (("base", "a=1", "a=2"), "tag a: given twice"),
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
    result = ndcg("tag", "run", *arguments)
    assert (result.code, result.out, result.err) == (2, "", message + "\n")
    assert all_tables(loaded) == before


def test_one_dataset_is_listed(ndcg: Command, loaded: Path) -> None:
    Path("more").write_text(RUN)
    assert ndcg("load", "run", "more", "--dataset", "other").code == 0
    assert loaded.exists()
    listed = ndcg("list", "--dataset", "other", "--format", "csv").out.splitlines()
    assert [line.split(",")[:3] for line in listed[1:]] == [["run", "other", "more"]]
    result = ndcg("list", "--dataset", "othre")
    assert (result.code, result.err) == (
        2,
        'no dataset "othre"; did you mean "other"?\n',
    )
