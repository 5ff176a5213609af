"""A warehouse in Python: each method answers as its command, as a result."""

import base64
import html
import json
import pickle
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
    "query": (
        lambda w: w.query("select run, value from run_values"),
        ["query", "select run, value from run_values"],
    ),
    "check": (lambda w: w.check(), ["check"]),
}


@pytest.fixture
def demo(ndcg: Command, once: Once) -> Command:
    once(lambda: ndcg("demo"))
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
    again = pickle.loads(pickle.dumps(found))
    assert again.to_dicts() == found.to_dicts()
    assert repr(again) == repr(found)


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
    assert warehouse.history("AP").plot().name == "history"
    with pytest.raises(NdcgSqlError, match=r"draws others: plot\("):
        warehouse.contents().plot()
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


def test_an_explanation_has_its_formula(demo: Command) -> None:  # noqa: ARG001
    page = shown(Warehouse("ndcg.duckdb").explain("hybrid", "q04"))
    assert re.search(r"<p>nDCG@10 = DCG / IDCG = [\d.]+ / [\d.]+ = 0\.93\d+</p>", page)


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


def test_the_schema_is_a_table(demo: Command) -> None:  # noqa: ARG001
    page = shown(Warehouse("ndcg.duckdb").schema("runs"))
    assert "<h3><code>runs</code></h3>" in page
    assert "<bdi>run_id</bdi>" in page
    assert "|" not in page


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


def test_hostile_text_stays_text(here: Path) -> None:
    warehouse = Warehouse("ndcg.duckdb")
    hostile = "<img src=x onerror=alert(1)>\u202e"
    warehouse.load_judgments({hostile: {hostile: 1}}, "j")
    warehouse.load_run({hostile: [hostile]}, "r")
    page = shown(warehouse.report("RR", per_query=True))
    assert "<img" not in page
    assert "&lt;img" in page
    assert "\u202e" not in page
    assert [file.name for file in here.iterdir()] == ["ndcg.duckdb"]


def test_the_file_is_free_between_calls(demo: Command) -> None:
    warehouse = Warehouse("ndcg.duckdb", wait=0)
    assert len(warehouse.contents()) == 4
    assert demo("tag", "run", "bm25", "model=v1").code == 0
    assert warehouse.tag("bm25", {"model": "v2"}) == 'tagged run "bm25": model=v2'
    assert warehouse.add_measures("P@5") == "registered P@5"
    assert warehouse.rename("run", "bm25", "old").startswith("renamed")
    assert warehouse.remove("run", "old").startswith("removed")
    assert len(warehouse.contents()) == 3
    assert warehouse.remove_measures("P@5") == "removed P@5"
    assert "already evaluated" in warehouse.evaluate()
    assert warehouse.export("run", "hybrid", "h.csv")
    assert Path("h.csv").read_text(encoding="utf-8").startswith("query_id,")
    assert warehouse.publish("p.duckdb") == 'published "p.duckdb": a DuckDB file'


def test_a_gate_says_whether_it_passed(demo: Command) -> None:  # noqa: ARG001
    warehouse = Warehouse("ndcg.duckdb")
    with pytest.warns(UserWarning, match="without an answer"):
        good = warehouse.gate("bm25", "hybrid")
    with pytest.warns(UserWarning, match="without an answer"):
        bad = warehouse.gate("hybrid", "bm25")
    assert (good.passed, bad.passed) == (True, False)
    assert bad.message == repr(bad).splitlines()[-1]
    with pytest.raises(NdcgSqlError, match="max_drop"):
        warehouse.gate("bm25", "hybrid", max_drop="much")


@pytest.mark.quick
def test_values_of_other_types_are_refused(demo: Command) -> None:  # noqa: ARG001
    warehouse = Warehouse("ndcg.duckdb")
    for ask, reason in (
        (
            lambda: warehouse.report(judgments=_any(3.5)),
            'judgments=3.5: not text; write judgments="3.5"',
        ),
        (lambda: warehouse.leaderboard(test=_any(3)), "test=3: not text"),
        (
            lambda: warehouse.gate("bm25", "hybrid", max_drop=True),
            "max_drop=True: not a number or a percentage",
        ),
        (lambda: warehouse.report(html=_any(3)), "html=3: not a path"),
        (lambda: warehouse.compare("bm25", _any(None)), "candidates: not given"),
    ):
        with pytest.raises(NdcgSqlError, match=f"^{reason}$"):
            ask()


@pytest.mark.quick
def test_rows_can_be_sent_on(demo: Command) -> None:  # noqa: ARG001
    rows = Warehouse("ndcg.duckdb").report("AP").to_dicts()
    assert pickle.loads(pickle.dumps(rows)) == rows


@pytest.mark.usefixtures("demo")
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_pages_are_written_from_python() -> None:
    warehouse = Warehouse("ndcg.duckdb")
    warehouse.report("nDCG@10", html="r.html")
    assert "hybrid has the highest nDCG@10" in Path("r.html").read_text()
    warehouse.compare("bm25", "hybrid", html="c.html")
    warehouse.gate("bm25", "hybrid", html="g.html")
    assert "hybrid is 0.1787 above bm25" in Path("c.html").read_text()
    assert "Gate passed" in Path("g.html").read_text()
    Path("theirs.html").write_text("mine")
    with pytest.raises(NdcgSqlError, match="not a page of ndcg-sql; name another"):
        warehouse.report(html="theirs.html")
    with pytest.raises(NdcgSqlError, match="the suffix must be"):
        warehouse.gate("bm25", "hybrid", html="theirs.txt")
    assert Path("theirs.html").read_text() == "mine"
    warehouse.report("AP", html="theirs.html", force=True)
    assert "hybrid has the highest AP" in Path("theirs.html").read_text()


@pytest.mark.usefixtures("demo")
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_figures_of_results_state_their_confidence() -> None:
    warehouse = Warehouse("ndcg.duckdb")
    board = warehouse.leaderboard("nDCG@10", alpha=0.01)
    compared = warehouse.compare("bm25", "hybrid", "nDCG@10 AP", alpha=0.01)
    for found in (board, compared):
        assert "99 % intervals" in str(found.plot().spec["title"])
    assert compared.plot().title == "nDCG@10 of candidates against bm25 by run"


@pytest.mark.usefixtures("demo")
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_rows_that_do_not_belong_together_are_not_drawn() -> None:
    warehouse = Warehouse("ndcg.duckdb")
    for found in (
        warehouse.leaderboard("AP", by="device"),
        warehouse.compare("bm25", "hybrid", "AP", by="device"),
        warehouse.report("AP", per_query=True),
    ):
        with pytest.raises(NdcgSqlError, match="has no figure of its own") as error:
            found.plot()
        way = str(error.value).rpartition("; ")[2]
        assert way == "a warehouse draws others: plot(FIGURE)"
    warehouse.load_judgments({"q1": {"a": 1}}, "other", dataset="other")
    warehouse.load_run({"q1": {"a": 1.0}}, "other", dataset="other")
    with pytest.raises(NdcgSqlError, match='datasets; ask for one of "demo", "other"'):
        warehouse.history("AP").plot()


@pytest.mark.usefixtures("demo")
def test_messages_speak_of_arguments() -> None:
    warehouse = Warehouse("ndcg.duckdb")
    with pytest.raises(
        NdcgSqlError, match=r'plot\("scatter", runs=\["bm25", CANDIDATE'
    ):
        warehouse.plot("scatter", runs="bm25")
    with pytest.raises(NdcgSqlError, match=r'^output="none/x.txt": the directory'):
        warehouse.export("run", "bm25", "none/x.txt")
    with pytest.raises(NdcgSqlError, match="a warehouse in memory has no file"):
        Warehouse.memory().publish("x.duckdb")


def _any(value: Any) -> Any:
    """Return a value of a type that pyright would refuse."""
    return value


@pytest.mark.quick
@pytest.mark.usefixtures("demo")
def test_a_warehouse_that_is_held_answers_selects() -> None:
    with Warehouse.read("ndcg.duckdb") as warehouse:
        for sql in ("select run from runs;", "select run from runs -- all"):
            assert len(warehouse.query(sql)) == 3
        for sql in ("select rum from runs", "select 1) to 'x' (", ""):
            with pytest.raises(NdcgSqlError, match="query: "):
                warehouse.query(sql)
