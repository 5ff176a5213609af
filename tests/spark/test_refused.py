"""ndcg-sql spark refuses what it can tell before Java starts."""

import shlex
import sys

import pytest

from support.commands import Command

PLAIN = ["spark", "-m", "nDCG@10", "--rankings", "r", "--judgments", "j"]


def test_missing_library_is_named(
    ndcg: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyspark", None)
    done = ndcg(*PLAIN, "--out", "values", "--master", "local")
    assert done.refusal == "spark needs pyspark: pip install 'ndcg-sql[spark]'\n"


@pytest.mark.spark
def test_example_of_the_help_misses_only_its_cluster(ndcg: Command) -> None:
    *_, heading, example = ndcg("spark", "--help").out.rstrip().splitlines()
    assert heading == "Example:"
    done = ndcg(*shlex.split(example)[1:])
    assert "--master spark://host:7077: no answer" in done.refusal


@pytest.mark.spark
@pytest.mark.parametrize("name", ["JAVA_HOME", "PATH"])
def test_missing_java_is_named(
    ndcg: Command, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv(name, "/nowhere")
    done = ndcg(*PLAIN, "--out", "values", "--master", "local")
    assert "spark needs Java 17 or newer, and there is no " in done.refusal


@pytest.mark.spark
@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (["--master", "spark://127.0.0.1:1"], "127.0.0.1:1: no answer"),
        (["--master", "lokal"], "--master lokal: not a master of Spark; write it like"),
        (["--master", "spark://127.0.0.1"], "write it like spark://host:7077"),
        (
            ["--master", "local", "--format-in", "tsv"],
            '--format-in: "tsv": unknown; these work',
        ),
        (["--master", "local", "-m", "nDCG@ten"], "nDCG@ten"),
        (["--master", "local", "--column", "user=u"], "--column user=u: write it"),
    ],
)
def test_bad_option_is_named(ndcg: Command, asked: list[str], message: str) -> None:
    done = ndcg(*PLAIN, "--out", "values", *asked)
    assert message in done.refusal
    assert len(done.err.splitlines()) == 1
