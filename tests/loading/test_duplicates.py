"""A document twice for a query: refused, or one of its rows kept."""

import json
from pathlib import Path
from typing import Any

import pytest
from ir_measures import Qrel, ScoredDoc

import ndcg_sql
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from support import exploring
from support.commands import Command
from support.files import stored

pytestmark = pytest.mark.mostly_slow

RUN = "q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\nq1 Q0 a 3 5 t\nq1 Q0 a 4 3 t\n"
QRELS = "q1 0 a 1\nq1 0 b 0\nq1 0 a 3\nq1 0 a 2\n"
SCORES = "select doc_id, score from rankings join runs using (run_id) where name = 'f'"
GRADES = (
    "select doc_id, grade from judgments join judgment_sets using (judgment_set_id)"
    " where name = 'f'"
)


def dropped(rule: str, count: int = 2) -> str:
    return f"; {count} duplicates dropped (--duplicates {rule})"


@pytest.mark.parametrize(("rule", "score"), [("first", 2), ("last", 3), ("max", 5)])
@pytest.mark.usefixtures("loaded")
def test_one_row_of_a_run_is_kept(ndcg: Command, rule: str, score: int) -> None:
    Path("f").write_text(RUN)
    result = ndcg("load", "run", "f", "--duplicates", rule)
    assert result.err == (
        f'loaded run "f": 1 query, 2 documents; evaluated with "qrels"{dropped(rule)}\n'
    )
    assert stored(f"{SCORES} order by 1") == [("a", score), ("b", 1)]
    assert stored("select source from runs where name = 'f'") == [
        (f"f; 2 duplicates dropped (duplicates: {rule})",)
    ]


@pytest.mark.parametrize(("rule", "grade"), [("first", 1), ("last", 2), ("max", 3)])
@pytest.mark.usefixtures("empty")
def test_one_judgment_is_kept(ndcg: Command, rule: str, grade: int) -> None:
    Path("f").write_text(QRELS)
    result = ndcg("load", "judgments", "f", "--duplicates", rule)
    assert result.err.startswith(
        f'loaded judgment set "f": 1 query, 2 judgments{dropped(rule)}\n'
    )
    assert stored(f"{GRADES} order by 1") == [("a", grade), ("b", 0)]


@pytest.mark.usefixtures("loaded")
def test_the_rule_is_part_of_the_content(ndcg: Command) -> None:
    Path("f").write_text(RUN)
    assert ndcg("load", "run", "f", "--duplicates", "first").code == 0
    again = ndcg("load", "run", "f", "--duplicates", "first")
    assert again.err.endswith("nothing to do\n")
    other = ndcg("load", "run", "f", "--duplicates", "last")
    assert "already exists with other content" in other.err


REFUSED: dict[str, tuple[str, tuple[Any, ...], str]] = {
    "an unknown rule": (RUN, ("mean",), "--duplicates mean: not one of refuse, "),
    "the default": (RUN, ("refuse",), 'f:3: query "q1", document "a": already on'),
    "a bad row": (RUN + "q1 Q0 a 1 x t\n", ("max",), 'f:5: query "q1", document "a"'),
    "no scores": (
        "query_id,doc_id\nq1,a\nq1,a\n",
        ("max", "--positions", "given"),
        "f: no scores to compare, as --duplicates max does; use first or last",
    ),
}


@pytest.mark.quick
@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.usefixtures("loaded")
def test_what_is_wrong_is_refused(ndcg: Command, name: str) -> None:
    text, options, message = REFUSED[name]
    Path("f").write_text(text)
    result = ndcg("load", "run", "f", "--duplicates", *options)
    assert result.refusal.startswith(message)


KEEP = "To keep one row of each document: "


@pytest.mark.parametrize(
    ("kind", "text"), exploring.sampled([("run", RUN), ("judgments", QRELS)], 2)
)
def test_a_refusal_says_how_one_row_is_kept(
    ndcg: Command, kind: str, text: str
) -> None:
    Path("f").write_text(text)
    told = ndcg("load", kind, "f")
    assert told.code == 2
    assert all(f"--duplicates {rule}" in told.err for rule in ("first", "last", "max"))
    for rule in ("first", "last", "max"):
        assert ndcg("load", kind, "f", "--duplicates", rule, "--name", rule).code == 0
    Path("g.csv").write_text("query_id,doc_id\nq,a\nq,a\n")
    given = ndcg("load", "run", "g.csv", "--positions", "given").err
    assert "--duplicates first" in given


# A ranking of a, b, a: in each form that a list has, what its lists are in Python, and
# the positions that remain by rule.
LISTS: dict[str, tuple[str, dict[str, str]]] = {
    "f.json": ('{"q1": ["a", "b", "a"]}', {"first": "ab", "last": "ba", "max": "ab"}),
    "f.jsonl": (
        '{"query_id": "q1", "ranking": ["a", "b", "a"]}',
        {"first": "ab", "last": "ba", "max": "ab"},
    ),
    "scored.jsonl": (
        '{"query_id": "q1", "results": [{"id": "a", "score": 1},'
        ' {"id": "b", "score": 2}, {"id": "a", "score": 3}]}',
        {"first": "ba", "last": "ab", "max": "ab"},
    ),
    "f.tsv": ("q1\ta,b,a\n", {"first": "ab", "last": "ba", "max": "ab"}),
    "f.csv": (
        "query_id,doc_id,score\nq1,a,1\nq1,b,2\nq1,a,3\n",
        {"first": "ba", "last": "ab", "max": "ab"},
    ),
}


@pytest.mark.quick
@pytest.mark.usefixtures("loaded")
@pytest.mark.parametrize("name", LISTS)
def test_later_documents_of_a_list_move_up(ndcg: Command, name: str) -> None:
    text, kept = LISTS[name]
    Path(name).write_text(text)
    Path("j").write_text("q1 0 a 1\n")
    for command in (("load", "run", name), ("eval", "j", name)):
        refused = ndcg(*command)
        assert refused.code == 2
        assert f"{KEEP}--duplicates first, --duplicates last or" in refused.err
    for rule, documents in kept.items():
        chosen = ("--duplicates", rule)
        loaded = ndcg("load", "run", name, *chosen, "--name", rule)
        assert f"; 1 duplicate dropped (--duplicates {rule})\n" in loaded.err
        sql = "select doc_id from rankings join runs using (run_id) where name = $1"
        ranked = stored(f"{sql.replace('$1', repr(rule))} order by position")
        assert "".join(document for (document,) in ranked) == documents
        told = ndcg("eval", "j", name, *chosen, "-m", "RR", "--format", "json")
        assert json.loads(told.out)[0]["value"] == 1 / (1 + documents.index("a"))


@pytest.mark.quick
@pytest.mark.parametrize(
    ("run", "kept"),
    [
        ({"q": ["c", "a", "c", "b"]}, {"first": "cab", "last": "acb", "max": "cab"}),
        (
            [ScoredDoc("q", d, s) for d, s in (("a", 1), ("b", 2), ("a", 3))],
            {"first": "ba", "last": "ab", "max": "ab"},
        ),
    ],
    ids=["list", "ScoredDoc"],
)
def test_python_keeps_one_place_too(run: Any, kept: dict[str, str]) -> None:
    with pytest.raises(NdcgSqlError, match=r'document: duplicates="first"$'):
        ndcg_sql.evaluate({"q": {"a": 1}}, run, "RR")
    for rule, documents in kept.items():
        chosen: Any = {"duplicates": rule}
        values = ndcg_sql.evaluate({"q": {"a": 1}}, run, "RR", **chosen)
        assert values["RR"] == 1 / (1 + documents.index("a"))
        with Warehouse.memory() as warehouse:
            warehouse.load_run(run, **chosen)
            ranked = warehouse.connection.execute(
                "select string_agg(doc_id, '' order by position) from rankings"
            )
            assert ranked.fetchall() == [(documents,)]


@pytest.mark.quick
def test_python_keeps_one_judgment() -> None:
    judgments = [Qrel("q", "a", 1), Qrel("q", "a", 3), Qrel("q", "b", 2)]
    values = ndcg_sql.evaluate(judgments, {"q": ["a"]}, "DCG@1", duplicates="max")
    assert values["DCG@1"] == 3


# A file of one ranking whose documents are in several parts of it.
PARTS = {
    "chunks": "query_id,doc_id,chunk,score\n"
    + "".join(
        f"q{query},d{document},{chunk},{score}\n"
        for query in range(4)
        for document in range(3)
        for chunk, score in enumerate((document, document + 10, document + 5))
    ),
}


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.usefixtures("empty")
def test_parts_of_a_ranking_are_no_runs(ndcg: Command, name: str) -> None:
    head, *rows = PARTS[name].splitlines()
    best = [("d2", 12), ("d1", 11), ("d0", 10)]
    for order, lines in enumerate((rows, rows[::-1])):
        Path("f.csv").write_text("\n".join([head, *lines]))
        assert ndcg("load", "run", "f.csv").code == 2
        loaded = ndcg(
            *("load", "run", "f.csv", "--duplicates", "max", "--name", f"n{order}")
        )
        assert loaded.code == 0, loaded.err
        sql = "select doc_id, score from rankings join runs using (run_id)"
        where = f"where name = 'n{order}' and query_id = 'q1' order by position"
        assert stored(f"{sql} {where}") == best


@pytest.mark.usefixtures("empty")
def test_the_best_rank_is_kept_of_equal_scores(ndcg: Command) -> None:
    Path("f").write_text("q Q0 a 3 1 t\nq Q0 b 2 1 t\nq Q0 a 1 1 t\n")
    kept = ("--duplicates", "max", "--positions", "given")
    assert ndcg("load", "run", "f", *kept).code == 0
    assert stored("select doc_id from rankings order by position") == [("a",), ("b",)]
