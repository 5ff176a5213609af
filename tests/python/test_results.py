"""A warehouse in Python: each method answers as its command, as a result."""

import base64
import html
import json
import re
import shlex
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

from ndcg_sql import NdcgSqlError, Warehouse
from support.commands import Command, Once
from support.libraries import library
from support.scripts import scripted
from support.tables import read_calls

pytestmark = pytest.mark.mostly_slow

ASKED = read_calls(Path(__file__).with_name("asked.txt"))


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


@pytest.mark.parametrize(("command", "call"), ASKED)
def test_a_method_gives_what_its_command_prints_and_a_notebook_shows(
    demo: Command, monkeypatch: pytest.MonkeyPatch, command: str, call: str
) -> None:
    monkeypatch.setattr("ndcg_sql.output.results.width", lambda: 1000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = eval(f"warehouse.{call}", {"warehouse": Warehouse("ndcg.duckdb")})
    told = json.loads(demo(*shlex.split(command), "--format", "json").out)
    assert _plain(found.to_dicts()) == told
    assert len(found) == len(told)
    assert found.columns == list(told[0])
    # Pictures have no words; signs of what is bold or coloured are those of a form.
    page = re.sub(r"<[^>]*>", " ", shown(found))
    words = html.unescape(page).replace("bold:", " ").split()
    signs = re.sub(r"[*─│▁-█▏-▏]", " ", repr(found)).split()
    # The reasons of a gate are a column there, and lines below the table here.
    named = {word for word in signs if word.endswith(":")}
    assert {*words} - {"why"} == {*signs} - named | {*words} & named


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
