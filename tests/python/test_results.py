"""A warehouse in Python: each method answers as its command, as a result."""

import base64
import html
import json
import re
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ndcg_sql import NdcgSqlError, Warehouse
from support.commands import Command, Once
from support.libraries import library
from support.scripts import scripted

pytestmark = pytest.mark.mostly_slow

ASKED: dict[str, tuple[Callable[[Warehouse], Any], list[str]]] = {
    "report": (lambda w: w.report("nDCG@10 AP"), ["report", "-m", "nDCG@10 AP"]),
    "slices": (
        lambda w: w.report("AP", by="device"),
        ["report", "-m", "AP", "--by", "device"],
    ),
    "queries": (lambda w: w.report("RR", per_query=True), ["report", "-m", "RR", "-q"]),
    "leaderboard": (
        lambda w: w.leaderboard("nDCG@10"),
        ["leaderboard", "-m", "nDCG@10"],
    ),
    "compare": (
        lambda w: w.compare("bm25", ["hybrid", "keyword"], "AP", test="t"),
        ["compare", "bm25", "hybrid", "keyword", "-m", "AP", "--test", "t"],
    ),
    "compared queries": (
        lambda w: w.compare("bm25", "hybrid", "AP", per_query=True),
        ["compare", "bm25", "hybrid", "-m", "AP", "-q"],
    ),
    "gate": (
        lambda w: w.gate("hybrid", "bm25", max_drop="5%", minimum={"AP": 0.1}),
        ["gate", "hybrid", "bm25", "--max-drop", "5%", "--min", "AP=0.1"],
    ),
    "explain": (lambda w: w.explain("hybrid", "q04"), ["explain", "hybrid", "q04"]),
    "against": (
        lambda w: w.explain("hybrid", "q04", against="bm25"),
        ["explain", "hybrid", "q04", "--against", "bm25"],
    ),
    "terms": (
        lambda w: w.explain("hybrid", "q04", "AP"),
        ["explain", "hybrid", "q04", "-m", "AP"],
    ),
    "unjudged": (lambda w: w.unjudged("nDCG@10"), ["holes", "-m", "nDCG@10"]),
    "history": (lambda w: w.history("AP"), ["history", "-m", "AP"]),
    "overlap": (
        lambda w: w.overlap("bm25", "hybrid", p=0.8),
        ["overlap", "bm25", "hybrid", "--p", "0.8"],
    ),
    "describe": (lambda w: w.describe("bm25"), ["describe", "bm25"]),
    "contents": (lambda w: w.contents(with_tags=True), ["list", "--tags"]),
    "measures": (lambda w: w.measures(), ["measures", "list"]),
    "families": (
        lambda w: w.measures(families=True),
        ["measures", "list", "--families"],
    ),
    "gains": (lambda w: w.gains(), ["gains", "list"]),
    "query": (
        lambda w: w.query("select run, value from run_values"),
        ["query", "select run, value from run_values"],
    ),
    "check": (lambda w: w.check(), ["check"]),
}


@pytest.fixture
def demo(ndcg: Command, once: Once) -> Command:
    once(lambda: (ndcg("demo"), ndcg("gains", "add", "steep", "1=1", "2=10")))
    return ndcg


def _plain(value: Any) -> Any:
    """Return a value as JSON has it."""
    # DuckDB leaves out the last zeros of a time.
    return json.loads(json.dumps(value, default=lambda time: str(time).rstrip("0")))


def shown(found: Any) -> Any:
    """Return what a notebook shows."""
    method = getattr(found, "_repr_html_", None) or found._repr_mimebundle_
    return method()


@pytest.mark.parametrize(("ask", "command"), ASKED.values(), ids=ASKED)
def test_a_method_gives_the_rows_of_its_command(
    demo: Command, ask: Callable[[Warehouse], Any], command: list[str]
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = ask(Warehouse("ndcg.duckdb"))
    told = json.loads(demo(*command, "--format", "json").out)
    assert _plain(found.to_dicts()) == told
    assert len(found) == len(told)
    assert found.columns == list(told[0])


def test_a_schema_is_shown_as_its_command_prints_it(demo: Command) -> None:
    schema = Warehouse("ndcg.duckdb").schema("queries")
    assert f"{schema}\n" == demo("schema", "queries").out


def test_a_result_outlives_its_warehouse_in_every_form(demo: Command) -> None:  # noqa: ARG001
    with Warehouse.read("ndcg.duckdb") as warehouse:
        found = warehouse.leaderboard("nDCG@10")
        asked = warehouse.query("select run from runs")
    rows = found.to_dicts()
    assert list(found) == rows
    frame: Any = found.df()
    assert frame["value"].tolist() == [row["value"] for row in rows]
    assert found.pl()["run"].to_list() == [row["run"] for row in rows]
    assert found.arrow().to_pylist() == rows
    assert found.relation.filter("rank = 1").fetchall()[0][3] == "hybrid"
    assert found["value"] == [row["value"] for row in rows]
    assert (found[0], found[-1], found[1:]) == (rows[0], rows[2], rows[1:])
    assert rows[1] in found
    with pytest.raises(IndexError, match="row 3: there are 3 rows"):
        _ = found[3]
    with pytest.raises(KeyError, match='valu: no such column; did you mean "value"'):
        _ = found["valu"]
    assert [row["run"] for row in asked] == ["keyword", "bm25", "hybrid"]
    assert "hybrid" in repr(found)
    assert "0.8517*" in repr(found)


def test_a_notebook_sees_tables_and_figures(demo: Command) -> None:  # noqa: ARG001
    warehouse = Warehouse("ndcg.duckdb")
    found = warehouse.leaderboard("nDCG@10")
    page = shown(found)
    assert '<th scope="col" style="text-align: right">nDCG@10</th>' in page
    assert "<bdi><strong>0.8517</strong></bdi>" in page
    # The figure of the rows is below them, with what it shows in words.
    assert re.search(r'<img alt="Dots show nDCG@10 [^"]+" src="data:image/png;', page)
    assert "<img" not in shown(warehouse.contents())
    drawn, sizes = shown(found.plot())
    assert base64.b64decode(drawn["image/png"]).startswith(b"\x89PNG")
    assert 300 < sizes["image/png"]["width"] < 900
    assert drawn["image/svg+xml"].startswith("<svg")
    assert "hybrid" in drawn["image/svg+xml"]
    with pytest.warns(UserWarning, match="without an answer"):
        assert warehouse.plot("scatter", runs=["bm25", "hybrid"]).rows


@pytest.mark.parametrize("name", ASKED)
def test_a_notebook_shows_what_the_command_line_shows(
    demo: Command,  # noqa: ARG001
    name: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ndcg_sql.output.results.width", lambda: 1000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = ASKED[name][0](Warehouse("ndcg.duckdb"))
    # Pictures have no words; signs of what is bold or coloured are those of a form.
    page = re.sub(r"<[^>]*>", " ", shown(found))
    words = html.unescape(page).replace("bold:", " ").split()
    told = re.sub(r"[*─│▁-█▏-▏]", " ", repr(found)).split()
    # The reasons of a gate are a column there, and lines below the table here.
    named = {word for word in told if word.endswith(":")}
    assert {*words} - {"why"} == {*told} - named | {*words} & named


def test_long_results_are_cut_where_they_are_shown(demo: Command) -> None:  # noqa: ARG001
    warehouse = Warehouse("ndcg.duckdb")
    found = warehouse.query("select * from query_values")
    assert len(found) == 240
    assert repr(found).endswith("… and 180 more rows")
    assert "… and 180 more rows" in shown(found)
    # Of 240 values, four are a row.
    page = shown(warehouse.report(per_query=True))
    assert page.count("<tr>") == 1 + 60
    assert "more row" not in page
    # More than are laid out, of which the first have something in common.
    rows = "select n // 12000 as half, n from range(24000) numbers (n)"
    page = shown(warehouse.query(rows))
    assert page.count("<tr>") == 1 + 60
    assert "… and 9940 more rows" in page
    assert "of the first 10,000 of 24,000" in page


def test_what_cut_rows_share_with_those_that_are_shown_is_told_of_all() -> None:
    with Warehouse.memory() as warehouse:
        judged = {f"q{n}": {"a": 1} for n in range(40)}
        warehouse.load_judgments(judged)
        for name in ("one", "two"):
            warehouse.load_run({query: ["a"] for query in judged}, name)
        head = repr(warehouse.report("RR", per_query=True)).splitlines()[1]
        assert head.split() == ["run", "query", "RR"]


def test_a_notebook_shows_what_is_wrong_without_what_happens_inside(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library("IPython")
    monkeypatch.setenv("IPYTHONDIR", str(here))
    cell = (
        "from ndcg_sql import Warehouse\n"
        "def ask():\n"
        "    Warehouse('absent.duckdb').report()\n"
        "ask()\n"
    )
    command = [sys.executable, "-m", "IPython", "--quick", "--colors=nocolor", "-c"]
    done = subprocess.run([*command, cell], capture_output=True, text=True, check=False)
    told = done.stdout + done.stderr
    assert "in ask" in told
    assert "Warehouse('absent.duckdb').report()" in told
    assert "NdcgSqlError: absent.duckdb: no such warehouse;" in told
    assert "warehouse.py" not in told
    assert len(told.splitlines()) < 10, told


def evaluate_runs() -> str:
    """Evaluate what is not evaluated."""
    return Warehouse("ndcg.duckdb").evaluate()


def held(sql: str) -> int:
    """Return the number of rows of a select, asked of a warehouse that is held."""
    with Warehouse.read("ndcg.duckdb") as warehouse:
        with pytest.raises(NdcgSqlError, match="query: "):
            warehouse.query("select rum from runs")
        return len(warehouse.query(sql))


test_script = scripted(__file__, evaluate_runs, held, Warehouse)


@pytest.mark.parametrize(
    "sql",
    [
        "drop schema store cascade",
        "copy (select 1) to 'copied.csv'",
        "select 1; drop view runs",
        "explain analyze create table t as select 1",
        "",
    ],
)
def test_what_is_no_select_is_not_run_where_the_warehouse_is_open(sql: str) -> None:
    with Warehouse.memory() as warehouse:
        relations = "select count(*) as n from duckdb_views()"
        [before] = warehouse.query(relations)
        with pytest.raises(
            NdcgSqlError, match=r"query: .*(runs a single select|no statement)"
        ):
            warehouse.query(sql)
        assert [*warehouse.query(relations)] == [before]
    assert not Path("copied.csv").exists()
