"""ndcg-sql spark refuses what it can tell before Java starts."""

import pytest

from support.commands import Command


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (["--master", "spark://127.0.0.1:1"], "127.0.0.1:1: no answer"),
        (["--master", "spark://127.0.0.1"], "write it like spark://host:7077"),
        (["--master", "local", "--format-in", "tsv"], '"tsv": unknown; these work'),
    ],
)
def test_bad_option_is_named(ndcg: Command, asked: list[str], message: str) -> None:
    plain = ["spark", "-m", "nDCG@10", "--rankings", "r", "--judgments", "j"]
    done = ndcg(*plain, "--out", "values", *asked)
    assert done.code == 2
    assert message in done.err
    assert len(done.err.splitlines()) == 1
