"""Duplicates that a column explains hide no other fault, and none hides them."""

import shlex
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from support.commands import Command
from support.files import json_lines, stored

pytestmark = pytest.mark.mostly_slow

# Two engines that return the same products in another order.
RANKED = [
    (engine, f"zelt {query}", f"p{(query + place * step) % 5}", place)
    for engine, step in (("bm25", 1), ("dense", 2))
    for query in range(3)
    for place in (1, 2, 3)
]


def pasted(told: str, **grades: int) -> list[str]:
    """Return the arguments of the only command of a message, with grades filled in."""
    command = told[told.index("ndcg-sql load") :]
    for label, grade in grades.items():
        command = command.replace(f"{label}=GRADE", f"{label}={grade}")
    return shlex.split(command)[1:]


def ranks() -> str:
    lines = [",".join(map(str, row)) for row in RANKED]
    return "\n".join(["Engine,Query,Product,Rank", *lines, ""])


def commas() -> str:
    lines = [f"{q};{p};{engine};{9 - r},5" for engine, q, p, r in RANKED]
    return "\n".join(["query_id;doc_id;Engine;score", *lines, ""])


def objects() -> str:
    return json_lines(
        [
            {"question": q, "passage": p, "Engine": engine, "score": f"{9 - r},5"}
            for engine, q, p, r in RANKED
        ]
    )


RUNS = {
    "ranks of engines": ("export.csv", ranks),
    "decimal commas": ("export.csv", commas),
    "JSON lines": ("export.jsonl", objects),
}


@pytest.mark.parametrize("case", RUNS)
def test_runs_with_several_needs_are_asked_about_once(ndcg: Command, case: str) -> None:
    name, text = RUNS[case]
    Path(name).write_text(text())
    told = ndcg("load", "run", name)
    assert '- "Engine" tells runs apart: ' in told.refusal
    loaded = ndcg(*pasted(told.err))
    assert loaded.code == 0, loaded.err
    assert stored(
        "select name, query_id, doc_id, position from rankings join runs using (run_id)"
        " order by all"
    ) == sorted((e, q, p, r) for e, q, p, r in RANKED)


# Version 10 judges less than version 9 did.
VERSIONS = [(9, "q", "a", 1), (9, "q", "b", 3), (9, "q", "c", 0), (10, "q", "a", 2)]
GRADES = "select doc_id, grade from judgments order by all"


@pytest.mark.parametrize("source", ["file", "table", "select"])
def test_judgments_of_several_versions_are_those_of_one(
    ndcg: Command, source: str
) -> None:
    names = "version, query_id, doc_id, grade"
    with closing(sqlite3.connect("shop.db")) as connection, connection:
        connection.execute(f"create table judged ({names})")
        connection.executemany("insert into judged values (?, ?, ?, ?)", VERSIONS)
    lines = [names.replace(" ", ""), *(",".join(map(str, row)) for row in VERSIONS)]
    Path("judged.csv").write_text("\n".join(lines) + "\n")
    ways = {
        "file": ["judged.csv"],
        "table": ["--from", "sqlite:///shop.db", "--table", "judged"],
        "select": [
            *("--from", "sqlite:///shop.db", "--name", "judged"),
            *("--select", "select * from judged"),
        ],
    }
    told = ndcg("load", "judgments", *ways[source])
    assert "To keep one row of each document: --duplicates first" in told.refusal
    loaded = ndcg("load", "judgments", *ways[source], "--where", "version=10")
    assert loaded.code == 0, loaded.err
    assert stored(GRADES) == [("a", 2.0)]
    assert stored("select name from judgment_sets") == [("judged",)]
    older = ndcg(
        "load", "judgments", *ways[source], "--where", "version=9", "--replace"
    )
    assert older.code == 0, older.err
    assert stored(GRADES) == [("a", 1.0), ("b", 3.0), ("c", 0.0)]


def test_only_rows_with_a_value_are_read(ndcg: Command) -> None:
    Path("f.csv").write_text(ranks())
    columns = ["--column", "doc_id=Product", "--positions", "given"]
    words = ["load", "run", "f.csv", *columns, "--where", "Engine=dense"]
    assert ndcg(*words, "--where", "Query=zelt 1").code == 0
    assert stored("select query_id, doc_id from rankings order by position") == [
        (q, p) for e, q, p, _ in RANKED if (e, q) == ("dense", "zelt 1")
    ]
    # Other rows are other contents.
    assert "replaced run" in ndcg(*words, "--replace").err
    assert ndcg("load", "run", "f.csv", *columns, "--where", "Engine=none").refusal == (
        '--where Engine=none: f.csv: no such row; look at the values of "Engine"\n'
    )
    odd = ndcg("load", "run", "f.csv", *columns, "--where", "engine=dense")
    assert odd.err.startswith('f.csv: no column "engine"; did you mean "Engine"?')
