"""What needs values of queries refuses measures of runs, or leaves them out."""

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ndcg_sql import Warehouse
from ndcg_sql.database import opening
from support.commands import Command
from support.shops import load
from support.shown import FOUR, RUNS_BY_HAND, Shop

NAME = "Coverage@2"
OTHER = Shop({q: top[::-1] for q, top in FOUR.rankings.items()}, {}, [])
OUT = "Coverage@2 left out: "
ASIDE = " needs values of queries, not of runs as wholes\n"
REFUSED = 'measure "Coverage@2": '
ONE = " needs values of queries; this is one of a run as a whole; name another\n"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a warehouse of two runs with such a measure registered."""
    path = tmp_path_factory.mktemp("four") / "four.duckdb"
    with Warehouse(path) as warehouse:
        load(warehouse, FOUR, {query: {"a": 1, "b": 0} for query in "uvwx"})
        warehouse.load_judgments({query: {"b": 1} for query in "uvwx"}, "newer")
        warehouse.load_run(OTHER.rankings, "other", run_at="2026-01-02")
        pyarrow: Any = pytest.importorskip("pyarrow")
        devices = {"query_id": [*"uvwx"], "device": [*"ppdd"]}
        warehouse.load_queries(pyarrow.table(devices))
        warehouse.add_measures(NAME)
    return path


@pytest.fixture(scope="module")
def kept_open(made: Path) -> Iterator[Path]:
    """Keep that warehouse open for the commands that only read it."""
    with opening.hold(made):
        yield made


@pytest.fixture
def asked(here: Path, kept_open: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Have commands find that warehouse; return the folder in which they run."""
    monkeypatch.setenv("NDCG_SQL_WAREHOUSE", str(kept_open))
    return here


@pytest.fixture
def copied(made: Path, here: Path) -> None:
    """Put a copy of it into the working directory, to be changed."""
    (here / "ndcg.duckdb").write_bytes(made.read_bytes())


# Commands that rest on values of queries, with how they call it.
BY_QUERY = {
    "report -q": "a report by query",
    "compare shown other": "a comparison",
    "compare shown other --by device": "a comparison",
    "changes judged newer": "a change of values",
    "gate other shown": "a comparison",
}


@pytest.mark.parametrize("command", BY_QUERY)
@pytest.mark.usefixtures("asked")
def test_where_values_of_queries_are_needed_they_are_refused_or_left_out(
    ndcg: Command, command: str
) -> None:
    refused = ndcg(*command.split(), "-m", f"P@2 {NAME}")
    assert refused.refusal.endswith(REFUSED + BY_QUERY[command] + ONE)
    # Registered, they are left out and named.
    done = ndcg(*command.split(), "--format", "csv")
    assert done.code == 0
    assert OUT + BY_QUERY[command] + ASIDE in done.err
    assert "nDCG@10" in done.out
    assert NAME not in done.out


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (f"gate shown other -m AP --min {NAME}=0.1", "measures whose value is a mean"),
        (f"explain shown u -m {NAME}", "so no query has a value; "),
        (f"plot values -m {NAME} -o f.svg", "a distribution needs values of"),
        (f"fuse shown other --name f --tune {NAME}", f"--tune {NAME}: not a measure"),
    ],
)
@pytest.mark.usefixtures("copied")
def test_other_commands_refuse_them(ndcg: Command, command: str, message: str) -> None:
    refused = ndcg(*command.split())
    assert message in refused.refusal
    assert NAME in refused.err


@pytest.mark.parametrize("name", ["Entropy@2", "Coverage@2", "Gini"])
def test_only_a_warehouse_has_them(ndcg: Command, name: str) -> None:
    Path("qrels").write_text("u 0 a 1\n")
    Path("run").write_text("u Q0 a 1 1 t\n")
    refused = ndcg("eval", "qrels", "run", "-m", name).refusal
    assert f"{name} needs " in refused
    assert "which only a warehouse has; load them and all else" in refused


# Commands that show them.
SHOWN = ["report", f"report --sort {NAME}", "history", "query 'from run_values'"]
BY_SLICE = [
    f"{command} --by device" for command in ("report", "leaderboard", "history")
]


@pytest.mark.slow
@pytest.mark.parametrize("command", [*SHOWN, *BY_SLICE])
@pytest.mark.usefixtures("asked")
def test_they_are_shown_with_values_of_runs(ndcg: Command, command: str) -> None:
    shown = ndcg(*shlex.split(command), "--format", "json")
    rows = [row for row in json.loads(shown.out) if row["measure"] == NAME]
    # Those of all queries, and of the two slices.
    values = {row["value"] for row in rows}
    assert rows
    assert values <= {0.8, 0.6, 0.2, None, 1}


@pytest.mark.parametrize(
    "command",
    [
        *("explain shown u", "explain shown u --against other", "overlap shown other"),
        *("holes", "describe shown", "list"),
        # Unjudged documents are ranked by the discount of nDCG, whatever the measure.
        *(f"holes -m {NAME}", f"pool --budget 3 -m {NAME}"),
        # What is not one of a run as a whole is explained.
        *("explain shown u -m Popularity@2", "explain shown u -m ILD(by='size')@2"),
    ],
)
@pytest.mark.usefixtures("asked")
def test_other_commands_do_without(ndcg: Command, command: str) -> None:
    done = ndcg(*command.split())
    assert done.code == 0, done.err
    assert done.out.strip()


@pytest.mark.usefixtures("asked")
def test_what_cannot_be_explained_is_reported_as_told(ndcg: Command) -> None:
    refused = ndcg("explain", "shown", "u", "-m", NAME).refusal
    _, *words = shlex.split(refused.rpartition(": ")[2])
    rows = json.loads(ndcg(*words, "--format", "json").out)
    assert [(row["run"], row["measure"]) for row in rows] == [("shown", NAME)]


@pytest.mark.usefixtures("asked")
def test_a_leaderboard_tests_none_of_them(ndcg: Command) -> None:
    board = ndcg("leaderboard", "-m", NAME, "--format", "json")
    rows = json.loads(board.out)
    assert [row["run"] for row in rows] == ["shown", "other"]
    for row in rows:
        assert "one of the run as a whole, not a mean over queries" in row["note"]
        assert not any(row[name] for name in ("ci_low", "groups", "is_best"))


@pytest.mark.slow
@pytest.mark.usefixtures("copied")
def test_a_page_shows_them(ndcg: Command) -> None:
    assert ndcg("report", "--html", "page.html", "-m", f"{NAME} P@2").code == 0
    assert NAME in Path("page.html").read_text(encoding="utf-8")
    # Then it is the first that is registered.
    assert ndcg("measures", "remove", "nDCG@10", "AP", "RR", "R@100").code == 0
    assert ndcg("measures", "add", "P@2").code == 0
    assert ndcg("report", "--html", "other.html").code == 0
    assert "the highest P@2" in Path("other.html").read_text(encoding="utf-8")
    refused = ndcg("report", "--html", "none.html", "-m", NAME)
    assert refused.code == 2
    assert REFUSED + "a page" + ONE.rstrip("\n") in refused.err
    assert not Path("none.html").exists()


@pytest.mark.slow
@pytest.mark.usefixtures("copied")
def test_weights_leave_them_out(ndcg: Command) -> None:
    Path("weights.csv").write_text("query_id,weight\nu,3\nv,1\n")
    assert ndcg("load", "queries", "weights.csv").code == 0
    rows = json.loads(ndcg("report", "-m", f"{NAME} P@2", "--format", "json").out)
    weighted = {row["measure"]: row["weighted_value"] for row in rows}
    assert weighted[NAME] is None
    assert weighted["P@2"] is not None
    assert rows[0]["value"] == RUNS_BY_HAND[NAME][0]
    assert ndcg("check").code == 0


@pytest.mark.usefixtures("copied")
def test_what_a_gate_cannot_test_is_answered_with_a_command_that_works(
    ndcg: Command,
) -> None:
    asked = ("gate", "other", "shown")
    assert ndcg("measures", "add", "NumRet").code == 0
    refused = ndcg(*asked)
    assert refused.refusal.startswith('measure "NumRet": gate needs measures whose')
    _, _, hint = refused.err.partition("name others: ")
    assert ndcg(*asked, *shlex.split(hint)).code == 0
