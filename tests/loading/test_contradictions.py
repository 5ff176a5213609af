"""Ranks that contradict scores, and runs that have nothing in common with judgments."""

import shlex
from pathlib import Path

import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from support import exploring
from support.commands import Command
from support.files import stored

pytestmark = pytest.mark.mostly_slow

QUERIES = 6
SCORES = {
    "distances": [0.1, 0.2, 0.3, 0.4],
    "reranked": [0.9, 0.2, 0.8, 0.1],
    "as ranked": [0.4, 0.3, 0.3, 0.1],
}


def run(case: str, form: str = "trec") -> str:
    """Return a run whose first ranks are the first of these scores."""
    rows = [
        (f"q{query}", f"d{place}", place, score)
        for query in range(QUERIES)
        for place, score in enumerate(SCORES[case], start=1)
    ]
    if form == "csv":
        lines = [f"{q},{d},{rank},{score}" for q, d, rank, score in rows]
        return "\n".join(["query_id,doc_id,rank,score", *lines, ""])
    return "".join(f"{q} Q0 {d} {rank} {score} t\n" for q, d, rank, score in rows)


@pytest.mark.parametrize("form", ["trec", "csv"])
def test_ranks_that_are_the_opposite_of_scores_are_told(
    ndcg: Command, form: str
) -> None:
    Path("r").write_text(run("distances", form))
    told = (
        "r: the ranks are the opposite of the scores in all 6 queries; are low scores"
        " the best, such as distances?; positions are by score; to use the ranks:"
        " --positions given; to leave this unsaid: --positions score"
    )
    assert ndcg("load", "run", "r", "--strict").refusal.startswith(told)
    assert ndcg("load", "run", "r").err.startswith(f"warning: {told}\nloaded run")
    for rule, first in (("given", "d1"), ("score", "d4")):
        loaded = ndcg("load", "run", "r", "--positions", rule, "--name", rule)
        assert (loaded.code, "warning" in loaded.err) == (0, False)
        sql = (
            "select doc_id from rankings join runs using (run_id)"
            f" where name = '{rule}' and query_id = 'q0' and position = 1"
        )
        assert stored(sql) == [(first,)]


@pytest.mark.usefixtures("bare")
def test_ranks_that_contradict_scores_nearly_everywhere_are_told(ndcg: Command) -> None:
    Path("r").write_text(run("reranked"))
    assert ndcg("load", "run", "r", "--strict").refusal.startswith(
        "r: the ranks contradict the scores in 6 of 6 queries"
    )
    assert not Path("ndcg.duckdb").exists()
    told = ndcg("load", "run", "r")
    assert told.code == 0
    assert told.err.splitlines()[0] == (
        "warning: r: the ranks contradict the scores in 6 of 6 queries; positions are"
        " by score; to use the ranks: --positions given; to leave this unsaid:"
        " --positions score"
    )
    chosen = ("load", "run", "r", "--strict", "--positions", "score", "--name", "s")
    assert ndcg(*chosen).err == (
        'loaded run "s": 6 queries, 24 documents; no judgments yet\n'
    )


@pytest.mark.quick
def test_equal_scores_and_ranks_that_are_none_contradict_nothing(ndcg: Command) -> None:
    Path("r").write_text(run("as ranked"))
    Path("zeros").write_text(
        "".join(f"q{n} Q0 d{m} 0 {m} t\n" for n in range(9) for m in range(9))
    )
    for name in ("r", "zeros"):
        told = ndcg("load", "run", name, "--strict")
        assert (told.code, "ranks" in told.err) == (0, False)


SWAPPED = "query_id,doc_id,grade\nd1,q0,1\nd2,q1,1\n"


@pytest.mark.parametrize("is_first", [True, False])
def test_swapped_judgments_are_told_with_the_way_back(
    ndcg: Command, is_first: bool
) -> None:
    Path("qrels").write_text("q0 0 d1 1\nq1 0 d2 1\n")
    Path("good.csv").write_text("query_id,doc_id,score\nq0,d1,1\nq1,d2,1\n")
    Path("swq.csv").write_text(SWAPPED)
    shop = ("--dataset", "shop")
    if not is_first:
        assert ndcg("load", "judgments", "qrels", *shop).code == 0
    assert ndcg("load", "run", "good.csv", *shop).code == 0
    strict = ndcg("load", "judgments", "swq.csv", *shop, "--strict")
    assert (strict.code, "to undo" in strict.err) == (2, False)
    told = ndcg("load", "judgments", "swq.csv", *shop)
    [warning] = [line for line in told.err.splitlines() if "warning" in line]
    unlike = 'run "good"' if is_first else 'judgment set "qrels"'
    assert warning == (
        f'warning: judgment set "swq" has no query in common with {unlike}; its'
        " documents look like queries, and its queries like documents: are the columns"
        " of queries and documents swapped?; to undo: ndcg-sql remove judgments swq"
        " --dataset shop"
    )
    # What is loaded in its place is not to blame, though the swapped set is there.
    Path("bad.csv").write_text("query_id,doc_id,score\nd1,q0,1\n")
    assert ndcg("load", "run", "bad.csv", *shop).code == 0
    again = ndcg("load", "judgments", "qrels", *shop, "--name", "again").err
    assert [line for line in again.splitlines() if "warning" in line] == [
        'warning: run "bad" and its judgments have no query in common; for example, the'
        ' run has "d1", the judgments have "q0"; its documents look like queries: are'
        " the columns of queries and documents swapped?"
    ]
    undo = shlex.split(warning.partition("to undo: ")[2])
    assert ndcg(*undo[1:]).code == 0
    assert ("swq",) not in stored("select name from judgment_sets")


# The documents and scores of ranks 1, 2, ..., and whether the ranks are of note: where
# most scores are equal, and documents are not in descending order.
TIED = {
    "all": ("abcd", [1, 1, 1, 1], True),
    "rounded": ("acbde", [9, 9, 9, 7, 7], True),
    "few": ("abcdef", [6, 5, 5, 5, 3, 2], False),
    "by document": ("dcba", [1, 1, 1, 1], False),
    "one pair": ("bac", [2, 2, 2], False),
}


@pytest.mark.quick
@pytest.mark.parametrize("case", exploring.mostly_slow(TIED, "all"))
def test_ranks_of_equal_scores_are_told(here: Path, case: str) -> None:
    documents, scores, is_told = TIED[case]
    lines = [
        f"q Q0 {document} {rank} {score} t\n"
        for rank, (document, score) in enumerate(
            zip(documents, scores, strict=True), start=1
        )
    ]
    (here / "r").write_text("".join(lines))
    with Warehouse.memory() as warehouse:
        warnings = warehouse.load_run("r").warnings
        assert [*warnings] == [
            "r: the ranks order documents with equal scores otherwise in 1 of 1 query;"
            " positions there are by document id, descending; to use the ranks:"
            ' position_rule="given"; to leave this unsaid: position_rule="score"'
        ] * is_told
        for rule in ("score", "given"):
            silent = warehouse.load_run("r", rule, position_rule=rule, strict=True)
            assert silent.warnings == ()
        if is_told:
            with pytest.raises(NdcgSqlError, match="equal scores otherwise"):
                warehouse.load_run("r", "strict", strict=True)
