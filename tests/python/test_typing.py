"""What a type checker, and so an editor, knows of a user's script."""

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

SCRIPT = """\
from ndcg_sql import Loaded, LoadedItem, Result, Warehouse, evaluate

warehouse = Warehouse("ndcg.duckdb")
loaded: Loaded = warehouse.load_run({"q1": ["a"]}, "one")
items: tuple[LoadedItem, ...] = loaded.items
name: str = loaded.name
count: int = items[0].rows
warnings: tuple[str, ...] = loaded.warnings
found: Result = warehouse.report("RR", runs=name)
row: dict[str, object] = found[0]
first: list[dict[str, object]] = found[:2]
total: float = sum(found["value"]) + found[0]["value"]
keys: list[str] = [key for row in found for key in row]
values: float = evaluate({"q": {"a": 1}}, {"q": ["a"]}, like="sklearn")["RR"]
if items[0].outcome == "unchanged":
    print(found.df().shape, row, first, total, keys, values, count, warnings)
loaded.nam  # wrong
loaded.dataset = "other"  # wrong
items[0].outcome == "changed"  # wrong
found[0].valu  # wrong
found[0, 1]  # wrong
found.df(1)  # wrong
warehouse.load_run({}, position_rule="scores")  # wrong
warehouse.reports()  # wrong
warehouse.report("RR", like="sk-learn")  # wrong
warehouse.explain("one", "q1", like="quepid-cuts")  # wrong
evaluate({}, {}, like="trec")  # wrong
warehouse.report("RR", runs=1)  # wrong
warehouse.compare("one", "two", by={"device": 1}, test="z")  # wrong
"""


@pytest.mark.slow
@pytest.mark.skipif(find_spec("pyright") is None, reason="pyright is not installed")
def test_a_type_checker_knows_what_there_is(here: Path) -> None:
    (here / "script.py").write_text(SCRIPT)
    settings = {"reportUnnecessaryComparison": True, "include": ["script.py"]}
    (here / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [sys.executable, "-m", "pyright", "--outputjson"]
    command += ["--pythonpath", sys.executable, "--project", str(here)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    told = json.loads(done.stdout)["generalDiagnostics"]
    wrong = {
        number
        for number, line in enumerate(SCRIPT.splitlines())
        if line.endswith("# wrong")
    }
    shown = [(one["range"]["start"]["line"], one["message"]) for one in told]
    assert {line for line, _ in shown} == wrong, shown
