"""What is removed names the command that loads it again, where that is known."""

import shlex
from pathlib import Path

import pytest

from support.commands import Command

EXPORTED = "Query;SKU;Points\nq1;a;2,5\nq1;b;1,5\n"
NAMED = ("--column", "query_id=Query", "--column", "doc_id=SKU")
INSUFFICIENT: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "columns and decimals": (
        "run",
        EXPORTED,
        (*NAMED, "--column", "score=Points", "--decimal", ","),
    ),
    "a grade": ("judgments", "query_id,doc_id\nq1,a\n", ("--grade", "1")),
    "a query": ("run", "doc_id,score\na,1\n", ("--query", "q1")),
}


@pytest.mark.parametrize("case", INSUFFICIENT)
@pytest.mark.usefixtures("here")
def test_what_is_not_stored_makes_no_command(ndcg: Command, case: str) -> None:
    kind, text, options = INSUFFICIENT[case]
    Path("export.csv").write_text(text)
    assert ndcg("load", kind, "export.csv", *options).code == 0
    told = ndcg("remove", kind, "export").err.splitlines()[1:]
    assert told == ["loaded from export.csv, which is still there"]


@pytest.mark.usefixtures("here")
def test_each_of_the_runs_of_one_content_keeps_its_name_and_tags(ndcg: Command) -> None:
    Path("one").write_text("q1 Q0 a 1 1 t\n")
    named = ("load", "run", "one", "--name")
    for name in ("first", "second"):
        assert ndcg(*named, name, "--tag", f"seed={name}").code == 0
    told = ndcg("remove", "run", "first").err.splitlines()[1:]
    assert told == [
        "to load it again: ndcg-sql load run one --name first --tag seed=first"
    ]


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_what_is_stored_makes_a_command(ndcg: Command) -> None:
    Path("recs.json").write_text('{"u": ["a", "b"]}')
    Path("twice").write_text("q1 Q0 a 1 1 t\nq1 Q0 a 2 2 t\n")
    Path("changed").write_text("q1 Q0 a 1 1 t\n")
    more = {"recs.json": (), "twice": ("--duplicates", "max"), "changed": ()}
    for file, options in more.items():
        assert ndcg("load", "run", file, *options).code == 0
    Path("changed").write_text("q1 Q0 a 1 2 t\n")
    told = ndcg("remove", "run", "recs", "twice", "changed").err.splitlines()[3:]
    assert told == [
        "to load it again: ndcg-sql load run recs.json",
        "to load it again: ndcg-sql load run twice --duplicates max",
        "loaded from changed, which is still there",
    ]
    for line in told[:2]:
        assert ndcg(*shlex.split(line.partition("ndcg-sql ")[2])).code == 0


@pytest.mark.usefixtures("here")
def test_a_set_whose_base_is_gone_makes_no_command(ndcg: Command) -> None:
    Path("base").write_text("q1 0 a 1\n")
    Path("more").write_text("q1 0 b 0\n")
    ndcg("load", "judgments", "base")
    ndcg("load", "judgments", "more", "--base", "base")
    ndcg("remove", "judgments", "base")
    told = ndcg("remove", "judgments", "more").err.splitlines()[1:]
    assert told == ["loaded from more, which is still there"]
