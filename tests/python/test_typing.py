"""What type checkers, and so editors, know of a user's script."""

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

SCRIPT = """\
import sqlite3
from collections import defaultdict
from pathlib import Path

import duckdb
import ir_measures
import numpy as np
import pandas
import polars
import pyarrow
import sqlalchemy
from ir_measures import AP, nDCG

import ndcg_sql
from ndcg_sql import (
    Fused,
    Judgments,
    Known,
    Loaded,
    LoadedItem,
    Measures,
    Result,
    Rows,
    Run,
    Warehouse,
    database_rows,
    evaluate,
)

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
warehouse.reports()  # wrong

# Every kind of input, as variables have their types.
grades = {"q1": {"a": 2, "b": 1}, "q2": {"c": 1}}
fractions: Judgments = {"q1": {"a": 2}, "q2": {"c": 0.5}}
scores = {"q1": {"a": 2.0, "b": 1.0}}
counted: defaultdict[str, dict[str, int]] = defaultdict(dict)
by_number = {1: {10: 2}, 2: {11: 1}}
lists = {"q1": ["a", "b"], "q2": ["c"]}
tuples = {"q1": ("a", "b")}
sets = {"q1": {"a", "b"}}
arrays = {"q1": np.array(["a", "b"])}
single = {"q1": {"a": np.float32(0.5)}}
labels = {"q1": {"a": "Exact", "b": "Partial"}}
columns = {"query_id": np.array(["q1"]), "doc_id": np.array(["a"])}
many = [Path("one.run"), Path("two.run")]
pandas_frame = pandas.DataFrame({"query_id": ["q1"], "doc_id": ["a"]})
polars_frame = polars.DataFrame({"query_id": ["q1"], "doc_id": ["a"]})
arrow = pyarrow.table({"query_id": ["q1"], "doc_id": ["a"]})
relation = duckdb.sql("select 1")
sqlite = sqlite3.connect("shop.db").execute("select 1")
engine = sqlalchemy.create_engine("sqlite://")
qrels = [ir_measures.Qrel("q1", "a", 1)]
ranked = (ir_measures.ScoredDoc("q1", d, 1.0) for d in "ab")
each: Run = {"q1": {"a": 1.0}, "q2": ["b"]}
judged: Judgments = {"q1": {"a": 1}, "q2": ["b"]}
known: Known = {"q1": {"a"}, "q2": {"b": 3}}
rows: Rows = polars_frame
measures: Measures = [nDCG @ 10, "AP"]
evaluate(grades, scores)
evaluate(fractions, scores)
evaluate({"q1": {"a": 2}, "q2": {"c": 0.5}}, {"q1": {"a": 1}})
evaluate(counted, single)
evaluate(by_number, by_number)
evaluate(sets, lists)
evaluate(lists, tuples)
evaluate(arrays, arrays)
evaluate(labels, lists, labels={"Exact": 2, "Partial": 1})
evaluate(columns, columns, grade=1)
evaluate("qrels.txt", Path("run.txt"))
evaluate(pandas_frame, polars_frame, "AP")
evaluate(arrow, relation, ["AP", "RR"])
evaluate(sqlite, database_rows("sqlite:///shop.db", table="ranked"))
evaluate(qrels, ranked, [AP, nDCG @ 10])
evaluate(judged, each, measures)
ndcg_sql.compare(grades, {"one": scores, "two": scores}, nDCG @ 10)
ndcg_sql.compare(grades, [scores, pandas_frame], test="t")
with engine.connect() as connection:
    warehouse.load_run(connection.execute(sqlalchemy.text("select 1")))
warehouse.load_run(many, position_rule="given", duplicates="max")
warehouse.load_judgments(labels, labels={"Exact": 2})
warehouse.load_queries(rows)
warehouse.load_documents(pandas_frame)
warehouse.load_assessments(["ann.csv", "bob.csv"], assessor_from="file")
warehouse.load_known(known)
warehouse.load_known(lists)
warehouse.load_clicks(polars_frame, model="ctr")
warehouse.leaderboard(nDCG @ 10, test="bootstrap", correct="tukey")
warehouse.add_measures(["P@5", AP])
fused: Fused = warehouse.fuse(["one", "two"], "both", method="weighted")
warehouse.plot("leaderboard").save("board.svg")
ndcg_sql.emit("postgres", "AP", rankings="r", judgments="j", by=["device"])
evaluate({}, {}, like="trec")  # wrong
evaluate({"q1": 1}, {})  # wrong
evaluate({"q1": "a"}, {})  # wrong
evaluate({}, {"q1": "a"})  # wrong
evaluate({}, {"q1": {"a": "first"}})  # wrong
evaluate({}, {"q1": {"a", "b"}})  # wrong
evaluate({}, {"q1": [0.5]})  # wrong
evaluate({}, 1)  # wrong
evaluate(None, {})  # wrong
evaluate(qrels, qrels)  # wrong
evaluate({}, labels)  # wrong
evaluate({}, sets)  # wrong
evaluate({}, {}, 10)  # wrong
evaluate({}, {}, [10])  # wrong
evaluate({}, {}, measure="AP")  # wrong
evaluate({}, {}, position_rule="rank")  # wrong
ndcg_sql.compare({}, {"one": 1})  # wrong
ndcg_sql.compare({}, [scores, scores], correct="holms")  # wrong
ndcg_sql.compare({}, scores)  # wrong
warehouse.load_run({}, position_rule="scores")  # wrong
warehouse.load_run({"q1": 0.5})  # wrong
warehouse.load_run({}, duplicates="least")  # wrong
warehouse.load_judgments({"q1": {"a": None}})  # wrong
warehouse.load_judgments({}, labels={"Exact": "2"})  # wrong
warehouse.load_queries({"q1": "text"})  # wrong
warehouse.load_documents(["one.csv", "two.csv"])  # wrong
warehouse.load_known({"q1": {"a": "once"}})  # wrong
warehouse.load_clicks(sets)  # wrong
warehouse.load_clicks("log.csv", model="cm")  # wrong
warehouse.report("RR", like="sk-learn")  # wrong
warehouse.report(10)  # wrong
warehouse.report("RR", runs=1)  # wrong
warehouse.report(measure="RR")  # wrong
warehouse.explain("one", "q1", like="quepid-cuts")  # wrong
warehouse.compare("one", "two", test="z")  # wrong
warehouse.compare("one", "two", sort="differences")  # wrong
warehouse.gate("one", "two", underpowered="warn")  # wrong
warehouse.fuse(["one", "two"], "both", weights=1)  # wrong
warehouse.plot("leaderbord")  # wrong
warehouse.export("runs", "one", "one.txt")  # wrong
warehouse.export("run", "one", "one.txt", form="trecs")  # wrong
ndcg_sql.emit("oracle", "AP", rankings="r", judgments="j")  # wrong
"""
WRONG = {
    number
    for number, line in enumerate(SCRIPT.splitlines(), start=1)
    if line.endswith("# wrong")
}


def without(module: str) -> pytest.MarkDecorator:
    """Skip where a program is not installed."""
    reason = f"{module} is not installed"
    return pytest.mark.skipif(find_spec(module) is None, reason=reason)


def lines_of(command: list[str]) -> list[str]:
    """Return what a program prints."""
    command = [sys.executable, "-m", *command]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.splitlines()


@pytest.mark.slow
@without("pyright")
def test_pyright_finds_what_is_wrong_and_no_more(here: Path) -> None:
    (here / "script.py").write_text(SCRIPT)
    settings = {
        "include": ["script.py"],
        "typeCheckingMode": "strict",
        # pandas and pyarrow have no types of their own.
        "reportMissingTypeStubs": False,
        "reportUnknownArgumentType": False,
        "reportUnknownMemberType": False,
        "reportUnknownVariableType": False,
    }
    (here / "pyrightconfig.json").write_text(json.dumps(settings))
    command = ["pyright", "--outputjson", "--pythonpath", sys.executable]
    told = json.loads("\n".join(lines_of([*command, "--project", str(here)])))
    shown = [
        (one["range"]["start"]["line"] + 1, one["message"])
        for one in told["generalDiagnostics"]
    ]
    assert {line for line, _ in shown} == WRONG, shown


@pytest.mark.slow
@without("mypy")
def test_mypy_finds_what_is_wrong_and_no_more(here: Path) -> None:
    (here / "script.py").write_text(SCRIPT)
    command = ["mypy", "--strict", "--ignore-missing-imports", "--output", "json"]
    # What is there of untyped libraries is not followed.
    told = [json.loads(line) for line in lines_of([*command, "script.py"])]
    shown = [(one["line"], one["message"]) for one in told]
    assert {line for line, _ in shown} == WRONG, shown
