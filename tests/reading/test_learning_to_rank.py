"""Lists for learning to rank: their rows have scores, groups and queries."""

from pathlib import Path
from random import Random

import pytest

from support import exploring
from support.commands import Command
from support.files import stored

# To make a warehouse takes longer than to fill it.
pytestmark = pytest.mark.usefixtures("empty")

LIST = "2 qid:b 1:1\n# comment\n0 qid:b 1:2\n\n1 qid:a 1:3\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    "scores",
    exploring.sampled(["0.5\n0.75\n-1\n", "b\t0\t0.5\nb\t1\t0.75\n\na\t0\t-1\n"], 2),
)
def test_scores_belong_to_the_rows_of_a_list(ndcg: Command, scores: str) -> None:
    Path("list").write_text(LIST)
    Path("scores").write_text(scores)
    assert ndcg("load", "judgments", "list").code == 0
    assert ndcg("load", "run", "scores", "--rows-of", "list").code == 0
    sql = "select query_id, doc_id, {} order by 1, 2"
    assert stored(sql.format("grade from judgments")) == [
        ("a", "3", 1.0),
        ("b", "1", 2.0),
        ("b", "2", 0.0),
    ]
    assert stored(sql.format("position, score from rankings")) == [
        ("a", "3", 1, -1.0),
        ("b", "1", 2, 0.5),
        ("b", "2", 1, 0.75),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("seed", exploring.mostly_slow(range(3), 0))
def test_groups_give_the_rows_the_queries_that_they_had(
    ndcg: Command, seed: int
) -> None:
    chance = Random(seed)
    sizes = [chance.randrange(1, 9) for _ in range(30)]
    rows = [
        (str(q), chance.randrange(4)) for q, n in enumerate(sizes, 1) for _ in range(n)
    ]
    Path("qid").write_text("".join(f"{g} qid:{q} 1:1\n" for q, g in rows))
    Path("bare").write_text("".join(f"{g} 1:1\n" for _, g in rows))
    Path("bare.csv").write_text("".join(f"0.5,{g}\n" for _, g in rows))
    Path("groups").write_text("".join(f"{size}\n" for size in sizes))
    assert ndcg("load", "judgments", "qid", "--name", "qid").code == 0
    for name, more in (("bare", []), ("bare.csv", ["--column", "grade=2"])):
        options = ["--groups", "groups", "--name", name, *more]
        assert ndcg("load", "judgments", name, *options).code == 0
    sql = "select query_id, doc_id, grade from judgments where judgment_set_id = {}"
    sets = [stored(sql.format(n) + " order by all") for n in (1, 2, 3)]
    assert sets[0] == sets[1] == sets[2]
    assert len(sets[0]) == len(rows)


def test_scores_in_another_order_than_their_list_are_refused(ndcg: Command) -> None:
    Path("list").write_text("2 qid:1 1:0.5\n0 qid:1 1:0.1\n1 qid:2 1:3\n")
    Path("good").write_text("1\t0\t0.5\n1\t1\t0.7\n2\t0\t3\n")
    Path("swapped").write_text("1\t1\t0.5\n1\t0\t0.7\n2\t0\t3\n")
    assert ndcg("load", "run", "good", "--rows-of", "list").code == 0
    result = ndcg("load", "run", "swapped", "--rows-of", "list")
    assert "swapped:1: " in result.refusal
    assert "2 bad lines of 3; nothing was loaded" in result.err
