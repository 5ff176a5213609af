"""A command without the names that it needs tells which there are."""

import json
import shlex
from pathlib import Path

import pytest

from ndcg_sql.python.warehouse import Warehouse
from support.commands import Command, Once, Result

QUERIES = [f"q{i}" for i in range(7)]
JUDGED = {q: {"a": 1.0, "b": 2.0} for q in QUERIES}


def ranked(best: int) -> dict[str, dict[str, float]]:
    """Return a run that finds something for the first queries only."""
    found = {"a": 2.0, "b": 1.0, "x": 0.5}
    return {q: found if i < best else {"x": 1.0} for i, q in enumerate(QUERIES)}


@pytest.fixture
def held(here: Path, once: Once) -> Path:
    """Put a warehouse with runs of two datasets where commands find it."""

    def fill() -> None:
        with Warehouse.write("ndcg.duckdb") as own:
            for dataset in ("shop", "wiki"):
                own.load_judgments(JUDGED, "judgments", dataset=dataset)
                own.load_judgments(JUDGED, "later", dataset=dataset)
                for number, name in enumerate(("bm25", "dense model")):
                    own.load_run(ranked(number + 1), name, dataset=dataset)
            own.load_run(ranked(5), "alone", dataset="wiki")

    once(fill)
    return here


def pasted(ndcg: Command, asked: Result, command: str) -> Result:
    """Run the command that a refusal shows, after checking what it is."""
    (shown,) = [
        line.removeprefix("such as ")
        for line in asked.err.splitlines()
        if line.startswith("such as ")
    ]
    assert (asked.code, asked.out, shown) == (2, "", command)
    done = ndcg(*shlex.split(shown)[1:])
    assert done.code == 0
    return done


@pytest.mark.slow
@pytest.mark.usefixtures("held")
def test_explain_without_a_query_lists_the_worst(ndcg: Command) -> None:
    asked = ndcg("explain", "alone")
    options = ("-q", "--run", "alone", "-m", "nDCG@10", "--format", "json")
    values = {
        r["query_id"]: r["value"] for r in json.loads(ndcg("report", *options).out)
    }
    worst = sorted(values, key=lambda query: (values[query], query))[:5]
    assert asked.err.splitlines()[:6] == [
        'explain: no QUERY; the lowest nDCG@10 of run "alone":',
        *(f"  {query}  {values[query]:.4f}" for query in worst),
    ]
    assert asked.err.endswith("\nsee ndcg-sql explain --help\n")
    pasted(ndcg, asked, f"ndcg-sql explain alone {worst[0]} --dataset wiki")
    # What was asked for besides stays.
    asked = ndcg("explain", "dense*", "-m", "RR", "--dataset", "shop")
    assert asked.err.startswith('explain: no QUERY; the lowest RR of run "dense model"')
    pasted(ndcg, asked, "ndcg-sql explain 'dense model' q2 -m RR --dataset shop")


@pytest.mark.slow
@pytest.mark.usefixtures("held")
@pytest.mark.parametrize(
    ("asked", "known", "command"),
    [
        ("explain", '"bm25", "dense model", "bm25"', "explain alone q5 --dataset wiki"),
        (
            "compare --dataset shop",
            '"bm25", "dense model"',
            "compare bm25 'dense model' --dataset shop",
        ),
        ("compare alone -m RR", '"bm25", "dense model"\n', None),
        ("overlap alone", '"bm25", "dense model"\n', None),
        ("describe", '"bm25", "dense model", "bm25"', "describe alone --dataset wiki"),
        ("changes", '"judgments", "later", ', "changes judgments later --dataset wiki"),
    ],
)
def test_a_question_without_names_tells_those_that_are_there(
    ndcg: Command, asked: str, known: str, command: str | None
) -> None:
    word, *rest = asked.split()
    if command is None:
        command = f"{word} alone 'dense model'"
        command += " -m RR --dataset wiki" if rest[1:] else " --dataset wiki"
    told = ndcg(word, *rest)
    assert f"; known: {known}" in told.err
    pasted(ndcg, told, f"ndcg-sql {command}")


@pytest.mark.usefixtures("held")
def test_names_that_a_shell_would_complete_are_told(ndcg: Command) -> None:
    told = {
        "remove run": 'no NAME; known: "alone", "bm25", "dense model"',
        "rename judgments": 'no NAME; known: "judgments", "later"',
        "remove dataset": 'no NAME; known: "shop", "wiki"',
    }
    for command, message in told.items():
        assert ndcg(*command.split()).refusal == (
            f"ndcg-sql {command}: {message}\nsee ndcg-sql {command} --help\n"
        )
    # What a warehouse does not know is told as before.
    assert "tag: nothing to change" in ndcg("tag", "run", "alone").err
    assert "Missing argument 'SQL'" in ndcg("query").err


@pytest.mark.slow
@pytest.mark.usefixtures("loaded")
def test_a_warehouse_of_one_run_says_how_to_load_another(ndcg: Command) -> None:
    loads = "; ndcg-sql load run FILE loads another\nsee ndcg-sql compare --help\n"
    assert ndcg("compare").err == f'compare: no BASELINE; known: "base"{loads}'
    loads = loads.replace("another", "one")
    assert ndcg("compare", "base").err == f"compare: no CANDIDATE{loads}"
    assert ndcg("explain", "bse").err == 'no run "bse"; did you mean "base"?\n'


@pytest.mark.usefixtures("here")
def test_without_a_warehouse_the_argument_alone_is_named(ndcg: Command) -> None:
    assert ndcg("explain").err == (
        "ndcg-sql explain: Missing argument 'RUN'.\nsee ndcg-sql explain --help\n"
    )
