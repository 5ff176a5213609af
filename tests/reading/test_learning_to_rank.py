"""Lists for learning to rank: their rows have scores and queries."""

from pathlib import Path

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


def test_scores_in_another_order_than_their_list_are_refused(ndcg: Command) -> None:
    Path("list").write_text("2 qid:1 1:0.5\n0 qid:1 1:0.1\n1 qid:2 1:3\n")
    Path("good").write_text("1\t0\t0.5\n1\t1\t0.7\n2\t0\t3\n")
    Path("swapped").write_text("1\t1\t0.5\n1\t0\t0.7\n2\t0\t3\n")
    assert ndcg("load", "run", "good", "--rows-of", "list").code == 0
    result = ndcg("load", "run", "swapped", "--rows-of", "list")
    assert "swapped:1: " in result.refusal
    assert "2 bad lines of 3; nothing was loaded" in result.err
