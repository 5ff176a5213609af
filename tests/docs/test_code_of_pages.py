"""Code that pages and examples show does what they say of it."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from inspect import unwrap
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import duckdb
import pytest

from support.commands import Command
from support.libraries import library
from support.pages import ROOT

EXAMPLES = ROOT / "examples"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))
NDCG, ARCHITECTURE, PUBLISHING = (
    (ROOT / "docs" / name).read_text(encoding="utf-8")
    for name in ("ndcg.md", "architecture.md", "publishing.md")
)
(SELECT,) = re.findall(r"```sql\n(with .*?)```", NDCG, re.DOTALL)
LOADED = "select run from runs order by run_id"
VALUES = """
    select query_id, value
    from query_values
    where run = $run and measure = 'nDCG@10'
    order by query_id
"""
# The calls of loads and of reports, by the commands that make them.
WALKS = {
    command: re.findall(r"(?m)^\| (\d+) \| `([\w.]+)` \|", part)
    for part in ARCHITECTURE.split("\n## How ")[1:]
    for command in re.findall(r"\n`ndcg-sql ([\w ]+)` makes these calls", part)
}


def _texts(notebook: Any) -> list[str]:
    """Return what the cells of a notebook print or show as text."""
    found: list[str] = []
    for cell in notebook.cells:
        texts: list[str] = []
        for shown in cell.get("outputs", []):
            assert shown["output_type"] != "error", shown
            text = shown.get("text") or shown.get("data", {}).get("text/plain", "")
            texts.append(text)
        # What one cell prints comes in one piece or in several.
        found += ["".join(texts)] if texts else []
    return found


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_prints_what_it_shows(path: Path, tmp_path: Path) -> None:
    nbformat = library("nbformat")
    kept = nbformat.read(path, as_version=4)
    fresh = nbformat.read(path, as_version=4)
    client = library("nbclient").NotebookClient(
        fresh, timeout=120, resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute()
    assert _texts(fresh) == _texts(kept)
    assert len(_texts(kept)) > 3


def test_there_are_notebooks() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["rag", "recommender", "search"]


@pytest.mark.slow
def test_the_training_loop_stops_at_the_gate(tmp_path: Path) -> None:
    found = subprocess.run(
        [sys.executable, EXAMPLES / "training_loop.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    lines = found.stdout.splitlines()
    assert lines[2] == "epoch-04: gate failed: 1 of 1 rules"
    assert lines[3] == "best: epoch-03"
    assert [line.split()[0] for line in lines[4:]] == [
        f"epoch-0{n}" for n in (1, 2, 3, 4)
    ]


def compare(warehouse: Path) -> int:
    """Compare the select with the views for every run; return the number of values."""
    count = 0
    with duckdb.connect(str(warehouse), read_only=True) as connection:
        for (run,) in connection.execute(LOADED).fetchall():
            expected = connection.execute(VALUES, {"run": run}).fetchall()
            # The page has one run; a temporary view hides the others.
            connection.execute(
                "create or replace temp view rankings as select *"
                f" from ndcg.main.rankings where run = '{run}'"
            )
            assert connection.execute(SELECT).fetchall() == expected
            count += len(expected)
    return count


def test_the_select_is_short() -> None:
    assert len(SELECT.splitlines()) <= 34


@pytest.mark.slow
def test_the_select_gives_the_values_of_the_demo(ndcg: Command) -> None:
    assert ndcg("--quiet", "demo").code == 0
    assert compare(Path("ndcg.duckdb")) == 60


@pytest.mark.slow
def test_the_select_gives_the_values_of_dl19(ndcg: Command, shared: Path) -> None:
    folder = shared / "dl19"
    (qrels,) = folder.glob("qrels.*")
    runs = sorted(folder.glob("run.*"))
    assert ndcg("load", "judgments", qrels).code == 0
    assert ndcg("load", "run", *runs).code == 0
    assert compare(Path("ndcg.duckdb")) == 43 * len(runs)


def code_of(name: str) -> CodeType:
    """Return the code of a function that the walk names."""
    package, module, *path = name.split(".")
    function: Any = import_module(f"ndcg_sql.{package}.{module}")
    for part in path:
        function = getattr(function, part)
    return unwrap(function).__code__


def called(codes: set[CodeType], work: Callable[[], object]) -> list[CodeType]:
    """Return which of these functions some work calls, in the order of its calls."""
    calls: list[CodeType] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code in codes:
            calls.append(frame.f_code)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls


@pytest.mark.usefixtures("loaded")
@pytest.mark.parametrize(
    ("command", "output"),
    [("load run", 'loaded run "new"'), ("report", "nDCG@10")],
)
def test_a_command_takes_the_walk_of_the_page(
    ndcg: Command, command: str, output: str
) -> None:
    walk = [code_of(name) for _, name in WALKS[command]]
    Path("new").write_text("q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\nq2 Q0 a 1 1 t\n")
    arguments = [*command.split(), *(["new"] if "load" in command else [])]
    results: list[Any] = []
    # A context is called again where it ends.
    calls = called({*walk}, lambda: results.append(ndcg(*arguments)))
    assert [*dict.fromkeys(calls)] == walk
    assert results[0].code == 0
    assert output in results[0].out + results[0].err


def test_the_drawings_show_the_walks() -> None:
    drawn = re.findall(r'"(\d+) ([\w.]+)"', ARCHITECTURE)
    steps = [step for walk in WALKS.values() for step in walk]
    assert [number for number, _ in drawn] == [number for number, _ in steps]
    for (_, shown), (_, name) in zip(drawn, steps, strict=True):
        assert name.endswith(f".{shown}")


@pytest.mark.slow
def test_the_api_answers_from_a_published_file(
    ndcg: Command, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library("fastapi")
    testclient: Any = library("fastapi.testclient")
    assert ndcg("demo").code == 0
    assert ndcg("publish", "dashboards.duckdb").code == 0
    [code] = re.findall(r'```py title="api.py"\n(.*?)```', PUBLISHING, re.DOTALL)
    (here / "api.py").write_text(code, encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(here), *sys.path])
    import api  # pyright: ignore[reportMissingImports]

    module: Any = api
    client = testclient.TestClient(module.app)
    try:
        answer = client.get("/runs", params={"measure": "AP"})
        report = ndcg("report", "-m", "AP", "--format", "json")
        wanted = {row["run"]: row["value"] for row in json.loads(report.out)}
        assert {row["run"]: row["value"] for row in answer.json()} == wanted
        assert client.get("/runs", params={"dataset": "'; drop"}).json() == []
    finally:
        module.engine.dispose()
        del sys.modules["api"]
