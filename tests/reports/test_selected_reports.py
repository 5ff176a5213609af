"""Reports of some runs and queries: by patterns, tags, order and limits."""

from pathlib import Path

import pytest

from ndcg_sql.python.warehouse import Warehouse
from support.commands import Command, Reading, records

pytestmark = pytest.mark.mostly_slow

QUERIES = [f"q{i}" for i in range(6)]
# The position of the relevant document of each query.
POSITIONS = {
    "input.a": [1, 1, 1, 2, 2, 3],
    "input.b": [1, 1, 1, 1, 1, 1],
    "other": [4, 4, 4, 4, 4, 1],
    "none": [9, 9, 9, 9, 9, 9],
}


@pytest.fixture(scope="module")
def reported_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a warehouse of runs with tags, and of queries with weights."""
    folder = tmp_path_factory.mktemp("reported")
    known = "".join(f"{q},{i // 3},{i}\n" for i, q in enumerate(QUERIES))
    (folder / "queries.csv").write_text("query_id,half,weight\n" + known)
    with Warehouse.write(folder / "ndcg.duckdb") as warehouse:
        warehouse.load_judgments({q: {"a": 1.0} for q in QUERIES})
        for name, positions in POSITIONS.items():
            ranked = {
                q: ["a" if d == place else f"x{d}" for d in range(1, 6)]
                for q, place in zip(QUERIES, positions, strict=True)
            }
            tags = {"branch": "main" if name != "other" else "new", "team": name[0]}
            warehouse.load_run(ranked, name, tags=tags)
        warehouse.load_queries(folder / "queries.csv")
    return folder / "ndcg.duckdb"


@pytest.fixture(autouse=True)
def reported(here: Path, reported_file: Path, reading: Reading) -> None:  # noqa: ARG001
    """Have commands find that warehouse."""
    reading(reported_file)


SORTED = ["input.b", "input.a", "other", "none"]
SELECTED = {
    "": [*POSITIONS],
    "--run input.*": ["input.a", "input.b"],
    "--run none --run *[ab]": ["input.a", "input.b", "none"],
    "--tag branch=new": ["other"],
    "--tag branch=main --run *n*": ["input.a", "input.b", "none"],
    "--tag branch=main --tag team=n": ["none"],
    "-q --tag team=i": ["input.a", "input.b"],
    "--sort RR": SORTED,
    "--sort mrr --limit 2": SORTED[:2],
    "--limit 3": [*POSITIONS][:3],
    "-q --sort RR": SORTED,
    "-m Success@1 --sort Success@1": SORTED,
}


@pytest.mark.quick
def test_runs_are_selected_sorted_and_limited(ndcg: Command) -> None:
    for options, names in SELECTED.items():
        found = records(ndcg, "report", "-m", "RR", *options.split())
        assert list(dict.fromkeys(row["run"] for row in found)) == names, options
    result = ndcg("report", "-m", "RR", "--limit", "2")
    assert (result.code, result.err) == (0, "2 of 4 runs shown\n")
    # The runs of slices are in the order of all queries.
    asked = ("report", "-m", "RR", "--by", "half", "--sort", "RR", "--limit", "3")
    assert [(row["half"], row["run"]) for row in records(ndcg, *asked)] == [
        (half, name) for half in "01" for name in SORTED[:3]
    ]


def test_the_worst_queries_are_those_of_the_first_measure(ndcg: Command) -> None:
    asked = ("report", "-q", "-m", "RR", "-m", "Success@1", "--worst", "2")
    found = records(ndcg, *asked, "--run", "[io]*")
    first = [row for row in found if row["measure"] == "RR"]
    assert [(row["run"], row["query_id"]) for row in first] == [
        *(("input.a", "q5"), ("input.a", "q3")),
        *(("input.b", "q0"), ("input.b", "q1")),
        *(("other", "q0"), ("other", "q1")),
    ]
    # The other measures are those of the same queries.
    assert [row["measure"] for row in found] == ["RR", "Success@1"] * 6
    assert found[1]["query_id"] == "q5"
    printed = ndcg(*asked, "--run", "input.a").out
    assert [line.split()[:2] for line in printed.splitlines()[3:]] == [
        ["input.a", "q5"],
        ["input.a", "q3"],
    ]
    sliced = records(ndcg, *asked, "--by", "half", "--run", "input.a")
    assert [row["half"] for row in sliced] == ["1"] * 4


HEADINGS = {
    "none": ["run", "RR"],
    "short": ["run", "RR", "queries", "judged@10"],
}


@pytest.mark.parametrize("counts", HEADINGS)
def test_counts_are_shown_as_far_as_wanted(ndcg: Command, counts: str) -> None:
    printed = ndcg("report", "-m", "RR", "--counts", counts).out
    assert printed.splitlines()[1].split() == HEADINGS[counts]
    rows = ndcg("report", "-m", "RR", "--counts", counts, "--format", "csv").out
    assert rows == ndcg("report", "-m", "RR", "--format", "csv").out


def test_columns_are_those_chosen(ndcg: Command) -> None:
    asked = ("report", "-m", "RR", "--run", "input.*", "--columns", "value, run,run")
    csv = ndcg(*asked, "--format", "csv").out
    assert csv.splitlines() == [
        "value,run",
        "0.7222222222222222,input.a",
        "1.0,input.b",
    ]
    printed = ndcg(*asked).out.splitlines()
    assert printed[0].split() == ["value", "run"]
    assert printed[2].split() == ["0.7222", "input.a"]
