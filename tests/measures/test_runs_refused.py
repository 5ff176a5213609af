"""What rests on values of queries refuses measures of runs, or leaves them out."""

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ndcg_sql import NdcgSqlError, Warehouse
from ndcg_sql.database import opening
from support.commands import Command
from support.shops import load
from support.shown import FOUR, RUNS_BY_HAND, Shop

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

NAME = "Coverage@2"
OTHER = Shop({q: top[::-1] for q, top in FOUR.rankings.items()}, {}, [])
OUT = "Coverage@2 left out: "
ASIDE = " rests on values of queries, not of runs as wholes\n"
REFUSED = 'measure "Coverage@2": '
ONE = " rests on values of queries; this is one of a run as a whole; name another\n"


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


COMPARED = ("shown", "other")
# Commands that rest on values of queries, with how they call it.
BY_QUERY: dict[tuple[str, ...], str] = {
    ("report", "-q"): "a report by query",
    ("compare", *COMPARED): "a comparison",
    ("compare", *COMPARED, "-q"): "a comparison",
    ("compare", *COMPARED, "--by", "device"): "a comparison",
    ("changes", "judged", "newer"): "a change of values",
    ("changes", "judged", "newer", "--order"): "a change of values",
    ("gate", "other", "shown"): "a comparison",
}


@pytest.mark.parametrize("command", BY_QUERY, ids=" ".join)
@pytest.mark.usefixtures("asked")
def test_named_they_are_refused_where_values_of_queries_are_needed(
    ndcg: Command, command: tuple[str, ...]
) -> None:
    refused = ndcg(*command, "-m", f"P@2 {NAME}")
    assert refused.refusal.endswith(REFUSED + BY_QUERY[command] + ONE)


@pytest.mark.parametrize("command", BY_QUERY, ids=" ".join)
@pytest.mark.usefixtures("asked")
def test_registered_they_are_left_out_there_and_named(
    ndcg: Command, command: tuple[str, ...]
) -> None:
    done = ndcg(*command, "--format", "csv")
    assert done.code == 0
    assert OUT + BY_QUERY[command] + ASIDE in done.err
    assert "nDCG@10" in done.out
    assert NAME not in done.out


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (("gate", *COMPARED, "-m", NAME), REFUSED),
        (
            ("gate", *COMPARED, "-m", "AP", "--min", f"{NAME}=0.1"),
            f"--min {NAME}=0.1: gate needs measures whose value is a mean",
        ),
        (
            ("explain", "shown", "u", "-m", NAME),
            REFUSED + "rests on which documents are shown, not on their grades; "
            'explain shows "nDCG", "DCG"',
        ),
        (("holes", "-m", NAME), ""),
        (("pool", "--budget", "3", "-m", NAME), ""),
        (("plot", "values", "-m", NAME, "-o", "f.svg"), REFUSED + "a distribution"),
        (("plot", "scatter", *COMPARED, "-m", NAME, "-o", "f.svg"), REFUSED + "a comp"),
        (
            ("fuse", *COMPARED, "--name", "f", "--tune", NAME),
            "--tune Coverage@2: not a measure",
        ),
        (("measures", "add", "Coverage(rel=1)@2"), "takes no parameter"),
    ],
)
@pytest.mark.usefixtures("copied")
def test_other_commands_refuse_them(
    ndcg: Command, command: tuple[str, ...], message: str
) -> None:
    refused = ndcg(*command)
    assert message in refused.refusal
    assert "Coverage" in refused.err
    assert refused.err.count("\n") == 1


# Commands that show them, or have nothing to do with them.
SHOWN = [
    ("report",),
    ("report", "--sort", NAME),
    ("leaderboard",),
    ("leaderboard", "-m", f"{NAME} P@2"),
    ("history",),
    ("report", "--by", "device"),
    ("leaderboard", "--by", "device"),
    ("history", "--by", "device"),
    ("query", "from run_values"),
    ("measures", "list"),
]
OTHERS = [
    ("explain", "shown", "u"),
    ("explain", "shown", "u", "--against", "other"),
    ("holes",),
    ("describe", "shown"),
    ("list",),
    pytest.param(("check",), marks=pytest.mark.slow),
    ("overlap", *COMPARED),
]


@pytest.mark.slow
@pytest.mark.parametrize("command", SHOWN)
@pytest.mark.usefixtures("asked")
def test_they_are_shown_with_values_of_runs(
    ndcg: Command, command: tuple[str, ...]
) -> None:
    shown = ndcg(*command, "--format", "json")
    assert shown.code == 0
    rows = [row for row in json.loads(shown.out) if row.get("measure") == NAME]
    assert rows
    # Those of all queries, and of the two slices.
    values = {row["value"] for row in rows if "value" in row}
    assert values <= {0.8, 0.6, 0.2, None, 1}


@pytest.mark.parametrize("command", OTHERS)
@pytest.mark.usefixtures("asked")
def test_other_commands_do_without(ndcg: Command, command: tuple[str, ...]) -> None:
    assert ndcg(*command).code == 0


@pytest.mark.usefixtures("asked")
def test_a_leaderboard_tests_none_of_them(ndcg: Command) -> None:
    board = ndcg("leaderboard", "-m", NAME, "--format", "json")
    rows = json.loads(board.out)
    assert [row["run"] for row in rows] == ["shown", "other"]
    for row in rows:
        assert row["note"] == (
            "the value is one of the run as a whole, not a mean over queries"
        )
        assert (row["ci_low"], row["groups"]) == (None, None)
        assert not row["is_best"]


@pytest.mark.slow
@pytest.mark.usefixtures("copied")
def test_a_page_shows_them(ndcg: Command) -> None:
    for chosen in ((), ("-m", f"{NAME} P@2"), ("-m", f"P@2 {NAME}")):
        assert ndcg("report", "--html", "page.html", *chosen).code == 0
        page = Path("page.html").read_text(encoding="utf-8")
        assert NAME in page
    # Then it is the first that is registered.
    assert ndcg("measures", "remove", "nDCG@10", "AP", "RR", "R@100").code == 0
    assert ndcg("measures", "add", "P@2").code == 0
    assert ndcg("report", "--html", "other.html").code == 0
    assert "the highest P@2" in Path("other.html").read_text(encoding="utf-8")
    refused = ndcg("report", "--html", "none.html", "-m", NAME)
    assert refused.code == 2
    last = refused.err.splitlines()[-1]
    assert last == REFUSED + "a page" + ONE.rstrip("\n") + ", -m nDCG@10"
    assert not Path("none.html").exists()


@pytest.mark.parametrize("name", ["Entropy@2", "Coverage@2", "Gini"])
def test_only_a_warehouse_has_them(ndcg: Command, name: str) -> None:
    Path("qrels").write_text("u 0 a 1\n")
    Path("run").write_text("u Q0 a 1 1 t\n")
    refused = ndcg("eval", "qrels", "run", "-m", name)
    assert f"{name} needs " in refused.refusal
    assert "which only a warehouse has; load them and all else" in refused.err


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
    assert ndcg("report").code == 0
    assert ndcg("check").code == 0


@pytest.mark.usefixtures("copied")
def test_a_gate_in_python_leaves_them_out() -> None:
    with pytest.warns(UserWarning, match=OUT + "a comparison"):
        verdict = Warehouse("ndcg.duckdb").gate("other", "shown")
    measures = {row["measure"] for row in verdict}
    assert measures == {"nDCG@10", "AP", "RR", "R@100"}


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


@pytest.mark.slow
@pytest.mark.parametrize("measure", [NAME, "Popularity@2", "ILD(by='size')@2"])
@pytest.mark.usefixtures("copied")
def test_what_cannot_be_explained_is_reported_as_told(
    ndcg: Command, measure: str
) -> None:
    refused = ndcg("explain", "shown", "u", "-m", measure)
    assert "rests on which documents are shown, not on their grades; " in refused.err
    _, *words = shlex.split(refused.err.rpartition(": ")[2])
    told = ndcg(*words, "--format", "json")
    assert told.code == 0, told.err
    rows = json.loads(told.out)
    assert {(row["run"], row["measure"]) for row in rows} == {("shown", measure)}
    assert ("query_id" in rows[0]) == (measure != NAME)
    with Warehouse.read("ndcg.duckdb") as warehouse:
        with pytest.raises(NdcgSqlError) as error:
            warehouse.explain("shown", "u", measure)
        call = str(error.value).rpartition(": report(")[2]
        assert eval(f"warehouse.report({call}").to_dicts()
