"""A file whose runs several columns tell apart: the command that is told loads them."""

import shlex
from itertools import product
from pathlib import Path
from random import Random

import pytest

from support import exploring
from support.commands import Command
from support.files import stored

pytestmark = pytest.mark.mostly_slow


def written(path: Path, **columns: tuple[str, ...]) -> Path:
    """Write a file with a ranking for each combination of the columns' values."""
    random = Random(1)
    lines = [",".join((*columns, "query_id", "doc_id", "score"))]
    for values in product(*columns.values()):
        for query in ("q1", "q2", "q3"):
            for document in random.sample("abcdef", 4):
                score = round(random.random(), 3)
                lines.append(",".join((*values, query, document, str(score))))
    path.write_text("\n".join(lines) + "\n")
    return path


# The columns of a file, what is told of it, and the options that are told.
OFFERED: dict[str, tuple[dict[str, tuple[str, ...]], str, str]] = {
    "a model and its seeds": (
        {"model": ("bm25", "pop"), "seed": ("1", "2", "3")},
        '"model" and "seed" tell runs apart',
        "--name '{model}/{seed}'",
    ),
    "one model and its seeds": (
        {"model": ("als",), "seed": ("1", "2", "3")},
        '"model" and "seed" tell runs apart',
        "--name '{model}/{seed}'",
    ),
    "another name of the model": (
        {"algorithm": ("bm25", "pop"), "seed": ("1", "2", "3")},
        '"algorithm" and "seed" tell runs apart',
        "--name '{algorithm}/{seed}'",
    ),
    "seeds and folds": (
        {"seed": ("1", "2"), "fold": ("a", "b"), "model": ("bm25", "pop")},
        '"model" and "seed" and "fold" tell runs apart',
        "--name '{model}/{seed}/{fold}'",
    ),
    "seeds alone": (
        {"seed": ("1", "2", "3")},
        '"seed" tells runs apart',
        "--run-column seed",
    ),
    "weeks of models": (
        {"model": ("bm25", "pop"), "week": ("46", "47")},
        '"model" and "week" tell runs apart',
        "--name '{model}/{week}'",
    ),
    "another column of runs": (
        {"model": ("bm25", "pop"), "region": ("at", "de")},
        '"model" and "region" tell runs apart',
        "--name '{model}/{region}'",
    ),
}


@pytest.mark.quick
@pytest.mark.parametrize(
    "case", exploring.mostly_slow(OFFERED, "one model and its seeds")
)
@pytest.mark.usefixtures("empty")
def test_runs_of_each_combination_are_loaded_as_told(ndcg: Command, case: str) -> None:
    columns, fact, options = OFFERED[case]
    written(Path("runs.csv"), **columns)
    asked = ndcg("load", "run", "runs.csv")
    command = f"ndcg-sql load run runs.csv {options}"
    assert f"\n- {fact}" in asked.refusal
    assert asked.err.endswith(f"\nif this is right: {command}\n")
    assert ndcg(*shlex.split(command)[1:]).code == 0
    combinations = [*product(*columns.values())]
    found = stored(
        "select count(*), count(distinct run_id), count(distinct name) from rankings"
        " join runs using (run_id)"
    )
    size = len(combinations)
    assert found == [(size * 12, size, size)]


@pytest.mark.usefixtures("empty")
def test_tags_of_seeds_make_replicates(ndcg: Command) -> None:
    written(Path("runs.csv"), model=("bm25", "pop"), seed=("1", "2", "3"))
    Path("qrels").write_text("q1 0 a 1\nq2 0 b 1\nq3 0 c 1\n")
    assert ndcg("load", "judgments", "qrels").code == 0
    tags = ("--tag-column", "model", "--tag-column", "seed")
    named = ("--name", "{model}/{seed}")
    assert ndcg("load", "run", "runs.csv", *named, *tags).code == 0
    told = ndcg("report", "--over", "seed", "--format", "csv", "-m", "nDCG@10").out
    assert [line.split(",")[0] for line in told.splitlines()[1:]] == [
        "model=bm25",
        "model=pop",
    ]


# Options that name runs, and those that are told.
NAMED = {
    "--tag model=mine": "--tag model=mine --name '{model}/{seed}'",
    "--name '{run}-x'": "--name '{run}-x/{seed}'",
    "--tag a=b --name '{a}/{model}'": "--name '{a}/{model}/{seed}' --tag a=b",
    "--run-at 2026-01-31 --name '{date}/{model}'": (
        "--name '{date}/{model}/{seed}' --run-at '2026-01-31 00:00:00'"
    ),
}


@pytest.mark.parametrize("given", NAMED)
@pytest.mark.usefixtures("empty")
def test_what_names_the_runs_is_kept_in_what_is_told(ndcg: Command, given: str) -> None:
    written(Path("runs.csv"), model=("als",), seed=("1", "2"))
    asked = ndcg("load", "run", "runs.csv", *shlex.split(given)).err
    command = asked.rpartition("if this is right: ")[2]
    assert [*shlex.split(command)[:4]] == ["ndcg-sql", "load", "run", "runs.csv"]
    assert sorted(shlex.split(command)[4:]) == sorted(shlex.split(NAMED[given]))
    assert ndcg(*shlex.split(command)[1:]).code == 0
    assert stored("select count(*) from runs") == [(2,)]


@pytest.mark.usefixtures("empty")
def test_a_pattern_without_the_seeds_gets_them(ndcg: Command) -> None:
    written(Path("runs.csv"), model=("bm25", "pop"), seed=("1", "2"), lot=("x",))
    asked = ndcg("load", "run", "runs.csv", "--name", "new-{model}").err
    assert asked.endswith("--name 'new-{model}/{seed}'\n")
    command = shlex.split(asked[asked.rindex("ndcg-sql load") :])
    assert ndcg(*command[1:]).code == 0
    assert stored("select name from runs order by name") == [
        (f"new-{model}/{seed}",) for model in ("bm25", "pop") for seed in (1, 2)
    ]
