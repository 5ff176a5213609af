"""Failures of the Python interface: they name arguments, and are one kind of error."""

import re
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ndcg_sql.cli.spelling import CommandLine
from ndcg_sql.database.database import Database
from ndcg_sql.errors import LockedError, NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from ndcg_sql.wording import PYTHON, Text, call, named, use
from support import exploring
from support.locks import held

pd: Any = import_module("pandas")

RUN: dict[str, Any] = {"query_id": ["q"], "doc_id": ["d"], "score": [1.0]}
JUDGED: dict[str, Any] = {"query_id": ["q"], "doc_id": ["d"], "grade": [1.0]}


def frame(columns: dict[str, Any], **other: Any) -> Any:
    """Return a frame with some columns in place of others; None leaves one out."""
    every = {**columns, **other}
    return pd.DataFrame({name: every[name] for name in every if every[name]})


# What is refused, and what its message ends with or has in it.
REFUSED: dict[str, tuple[Callable[[Warehouse], object], str]] = {
    "no query": (
        lambda own: own.load_run(frame(RUN, query_id=None, who=["q"]), "r"),
        '; if this is right: columns={"query_id": "who"}',
    ),
    "no gains": (lambda own: own.add_gains("own", {}), "gains: is empty"),
    "no tags": (
        lambda own: own.tag("r", {}),
        "tag: nothing to change; give tags, such as model=bm25, or run_at",
    ),
    "no score": (
        lambda own: own.load_run(frame(RUN, score=None), "r"),
        'frame: no column for the score; name it: columns={"score": "NAME"}',
    ),
    "ranks alone": (
        lambda own: own.load_run(frame(RUN, score=None, rank=[1]), "r"),
        'by ranks\nif this is right: position_rule="given"',
    ),
    "two queries": (
        lambda own: own.load_run(frame(RUN, query_id=None, qid=["q"], query=["q"])),
        'could each be the query_id; if this is right: columns={"query_id": "qid"}',
    ),
    "no such column": (
        lambda own: own.load_run(frame(RUN), columns={"gain": "score"}),
        "columns gain: not a column of a run file",
    ),
    "used twice": (
        lambda own: own.load_run(
            frame(RUN), columns={"doc_id": "doc_id", "score": "doc_id"}
        ),
        'columns score: column "doc_id" is already used',
    ),
    "two columns of runs": (
        lambda own: own.load_run(frame(RUN, system=["a"], model=["b"])),
        'name the run, or run_column="none"; if this is right: run_column="system"',
    ),
    "a name for several runs": (
        lambda own: own.load_run(
            frame(
                RUN, query_id=["q"] * 2, doc_id=["d"] * 2, score=[1, 2], run=["a", "b"]
            ),
            "r",
        ),
        'name names one run: name each by a pattern, such as name="r-{run}", or load'
        ' all rows as one run: run_column="none"',
    ),
    "two names": (
        lambda own: own.load_run(frame(RUN), "r", name_from="tag"),
        "name_from: name already names the run; omit one",
    ),
    "no run in the rows": (
        lambda own: own.load_run(frame(RUN), name_from="tag"),
        'as name_from="tag" expects; omit it, or name the run: name="NAME"',
    ),
    "another name_from": (
        lambda own: own.load_run(frame(RUN), name_from="row"),  # pyright: ignore[reportArgumentType]
        'name_from="row": not one of file, tag',
    ),
    "another duplicates": (
        lambda own: own.load_run(frame(RUN), duplicates="best"),  # pyright: ignore[reportArgumentType]
        'duplicates="best": not one of refuse, first, last, max',
    ),
    "other content": (
        lambda own: [own.load_run(frame(RUN, score=[n]), "other") for n in (1, 2)],
        'choose another name: name="NAME", or replace it: replace=True',
    ),
    "other tags": (
        lambda own: [own.load_run(frame(RUN), "t", tags={"k": v}) for v in "ab"],
        "with this content but another tags; to replace it: replace=True; to change it:"
        ' tag("t", {"k": "b"})',
    ),
    "a label": (
        lambda own: own.load_judgments(frame(JUDGED, grade=["--replace"]), "j"),
        'if this is right: labels={"--replace": GRADE}',
    ),
    "an empty grade": (
        lambda own: own.load_judgments(frame(JUDGED, grade=[""]), "j"),
        "the grade is empty",
    ),
    "its own base": (
        lambda own: [
            own.load_judgments(frame(JUDGED), "j", base=b) for b in (None, "j")
        ],
        'base="j": a judgment set cannot be its own base; choose another name:'
        ' name="NAME"',
    ),
    "no run": (
        lambda own: own.report("RR"),
        "no run in the warehouse; load_run(FILE) loads one",
    ),
    "an unknown attribute": (
        lambda own: [
            own.load_judgments(frame(JUDGED)),
            own.load_run(frame(RUN)),
            own.report("RR", by="country"),
        ],
        'by="country": no query has this attribute; load_queries(FILE) loads'
        " attributes",
    ),
    "an unknown system": (
        lambda own: [
            own.load_judgments(frame(JUDGED)),
            own.load_run(frame(RUN)),
            own.report("RR", like="solr"),  # pyright: ignore[reportArgumentType]
        ],
        'like="solr": unknown system',
    ),
}


@pytest.mark.parametrize(
    ("refused", "told"), exploring.sampled(REFUSED.values(), 2), ids=REFUSED
)
def test_a_refusal_names_arguments(
    empty: Path, refused: Callable[[Warehouse], object], told: str
) -> None:
    with Warehouse.write(empty) as own, pytest.raises(NdcgSqlError) as error:
        refused(own)
    message = str(error.value)
    assert told in message
    assert not re.search(r"(?<!\")--[a-z]|ndcg-sql load", message), message


def test_what_is_told_names_arguments_too(own: Warehouse, dataset: str) -> None:
    many = {"query_id": ["q"] * 3, "doc_id": ["a", "a", "b"], "score": [1, 2, 3]}
    told = own.load_run(frame(many), "r", dataset=dataset, duplicates="max")
    assert str(told).endswith('; 1 duplicate dropped (duplicates="max")')


@pytest.mark.parametrize(
    ("told", "said", "meant"),
    [
        (
            'query "--name NAME": ' + use(name="NAME"),
            'query "--name NAME": --name NAME',
            'query "--name NAME": name="NAME"',
        ),
        (call("describe", "-dash"), "ndcg-sql describe -- -dash", 'describe("-dash")'),
        (use(p=1.0000001), "--p 1.0000001", "p=1.0000001"),
        (use(p=2.0), "--p 2", "p=2.0"),
        (
            "choose one with " + named("dataset") + ': "a", "b"',
            'choose one with --dataset: "a", "b"',
            'choose one with dataset: "a", "b"',
        ),
    ],
)
def test_fields_are_options_or_arguments_outside_of_quotes(
    told: Text, said: str, meant: str
) -> None:
    assert told.spelled(CommandLine()) == said
    assert told.spelled(PYTHON) == meant


def test_no_such_warehouse_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(NdcgSqlError) as error:
        Warehouse.read(tmp_path / "absent.duckdb")
    assert str(error.value).endswith(
        "absent.duckdb: no such warehouse; Warehouse.load_judgments(FILE) creates one"
    )


@pytest.mark.slow
def test_a_lock_names_the_arguments(loaded: Path) -> None:
    with held(loaded, "write", 60), pytest.raises(LockedError) as error:
        Warehouse.read(loaded, wait=0)
    message = str(error.value)
    assert "or wait longer: wait=SECONDS\n" in message
    assert message.endswith("for them; Warehouse.read(path, copy=True) opens one")


@pytest.mark.slow
def test_the_warehouse_itself_is_no_input_and_stays_locked(empty: Path) -> None:
    with Warehouse.write(empty) as own:
        with pytest.raises(NdcgSqlError, match="the warehouse itself; name another"):
            own.load_run(empty)
        with pytest.raises(NdcgSqlError, match="already open in this process"):
            Warehouse.read(empty)
        command = [sys.executable, "-m", "ndcg_sql", "--timeout", "0", "evaluate"]
        other = subprocess.run(
            command, cwd=empty.parent, capture_output=True, text=True, check=False
        )
        assert "in use by" in other.stderr


@pytest.mark.usefixtures("bare")
def test_a_name_opens_nothing_until_it_is_asked(here: Path) -> None:
    warehouse = Warehouse("ndcg.duckdb")
    assert list(here.iterdir()) == []
    for ask in (
        warehouse.report,
        warehouse.contents,
        lambda: warehouse.tag("r", {"k": "v"}),
    ):
        with pytest.raises(NdcgSqlError, match="no such warehouse"):
            ask()
    with pytest.raises(NdcgSqlError, match=r"Warehouse\.read"):
        _ = warehouse.connection
    assert list(here.iterdir()) == []


CLOSED: list[Callable[[Warehouse], object]] = [
    lambda own: own.report(),
    lambda own: own.connection,
    lambda own: own.load_run(RUN),
    lambda own: own.load_judgments("absent"),
    lambda own: own.load_queries(RUN),
    lambda own: own.load_documents(RUN),
]


def test_a_closed_warehouse_says_so() -> None:
    with Warehouse.memory() as own:
        own.close()
        for use in CLOSED:
            with pytest.raises(NdcgSqlError, match=r"^the warehouse is closed; open"):
                use(own)


def test_an_error_of_the_system_is_one_of_ours(empty: Path) -> None:
    with Warehouse.write(empty) as own:
        with pytest.raises(NdcgSqlError, match="absent: no such file"):
            own.load_run(Path("absent"))
        own.connection.execute("create table main.taken as select 1 as x")
        own.database.execute("drop table rankings")
        with pytest.raises(NdcgSqlError, match="please report it"):
            own.load_run(frame(RUN))


INDEXED: dict[str, Callable[[Any], Any]] = {
    "reversed": lambda rows: rows[::-1],
    "sorted": lambda rows: rows.sort_values("score", ascending=False),
    "selected": lambda rows: rows[rows.score > 0],
    "by query": lambda rows: rows.set_index("query_id"),
    "by query and document": lambda rows: rows.set_index(["query_id", "doc_id"]),
    "by one of two": lambda rows: rows.set_index(["query_id", rows.index]),
    "labelled": lambda rows: rows.set_axis(["x", "x", "y"]),
    "in groups": lambda rows: pd.concat({"group": rows}),
    "a copy as index": lambda rows: rows.set_index("query_id", drop=False),
}


@pytest.mark.parametrize("text", ["object", "str", "category", None])
@pytest.mark.parametrize("index", exploring.sampled(INDEXED.values(), 3), ids=INDEXED)
def test_rows_are_read_whatever_their_index_is(
    memory: Database, dataset: str, index: Callable[[Any], Any], text: str | None
) -> None:
    columns = {"query_id": [1, 1, 2], "doc_id": [7, 8, 9], "score": [0.5, 1, 2]}
    rows: Any = pd.DataFrame(columns)
    if text:
        rows = rows.astype({"query_id": str, "doc_id": str})
        rows = rows.astype({"query_id": text, "doc_id": text})
    Warehouse(":memory:").holding(memory).load_run(index(rows), "r", dataset=dataset)
    sql = (
        "select query_id, doc_id, score from rankings inner join runs using (run_id)"
        " where dataset = $dataset order by all"
    )
    assert memory.execute(sql, {"dataset": dataset}) == [
        ("1", "7", 0.5),
        ("1", "8", 1),
        ("2", "9", 2),
    ]


def test_a_series_is_no_frame(own: Warehouse) -> None:
    series = frame(RUN).set_index(["query_id", "doc_id"])["score"]
    with pytest.raises(NdcgSqlError, match=r"use its reset_index\(\)$"):
        own.load_run(series)


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ({}, "frame: it has no columns"),
        (
            {"query_id": ["q"], "doc_id": [np.array(["a", "b"])]},
            'frame: column "doc_id" has arrays; give a row for each document, or a dict'
            " of lists by query",
        ),
    ],
)
def test_frames_that_no_row_can_be_read_of_are_told(
    own: Warehouse, columns: dict[str, Any], told: str
) -> None:
    pandas: Any = import_module("pandas")
    with pytest.raises(NdcgSqlError) as refused:
        own.load_run(pandas.DataFrame(columns))
    assert str(refused.value) == told


EMPTY = float("nan")


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ({"query_id": ["q", EMPTY]}, "frame:2: the query id is empty"),
        ({"doc_id": ["d", None]}, 'frame:2: query "q": the document id is empty'),
        ({"score": [1, EMPTY]}, 'frame:2: query "q", document "e": score "" is not a'),
        (
            {"query_id": [7, EMPTY]},
            'frame: column "query_id" is DOUBLE; ids are text or integers, and row 2'
            " has none",
        ),
    ],
)
def test_a_missing_value_is_named_by_its_row(
    own: Warehouse, columns: dict[str, Any], told: str
) -> None:
    whole = {"query_id": ["q", "q"], "doc_id": ["d", "e"], "score": [1, 2]}
    with pytest.raises(NdcgSqlError) as error:
        own.load_run(frame(whole, **columns)[["query_id", "doc_id", "score"]])
    assert str(error.value).startswith(told)
