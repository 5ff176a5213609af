"""What is exported loads again to the very same rows."""

import csv
import itertools
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ndcg_sql.database.database import Database
from ndcg_sql.evaluation.entries import choose_entry
from ndcg_sql.loading.sets import Options, load
from ndcg_sql.output import writing
from ndcg_sql.system.messages import Messages
from support.commands import Command
from support.ids import IDS, SPACED
from support.scripts import scripted

# To make a warehouse takes longer than to fill it.
pytestmark = [pytest.mark.usefixtures("empty"), pytest.mark.slow]

RANKED = "query_id, doc_id, position, score from rankings where run_id ="
JUDGED = "query_id, doc_id, grade, label from judgments where judgment_set_id ="
LOADABLE = ["trec", "csv", "tsv", "parquet"]
# Ids that stand for a line of comment in a TREC file.
PLAIN = [name for name in IDS if not name.startswith("#")]


def write_csv(path: Path, header: list[str], rows: list[list[Any]]) -> Path:
    """Write rows as CSV with quotes around every field."""
    with path.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.writer(lines, quoting=csv.QUOTE_ALL, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
    return path


DATASETS = (f"exports {n}" for n in itertools.count())
Rows = list[tuple[Any, ...]]


def export(
    memory: Database, kind: str, options: Options, form: str, target: Path
) -> None:
    """Write what was loaded to a file."""
    writing.export(memory, kind, str(options.name), options.dataset, target, form)


def run_again(
    memory: Database, source: Path, form: str, target: Path, **how: Any
) -> tuple[Rows, Rows]:
    """Load a run, export it, load that; return the rows of both."""
    options = Options(dataset=next(DATASETS), name="first", **how)
    load(memory, "run", [source], options, Messages())
    run = choose_entry(memory, "run", "first", options.dataset)
    export(memory, "run", options, form, target)
    load(memory, "run", [target], replace(options, name="again"), Messages())
    sql = f"select {RANKED} $id order by all"
    return memory.execute(sql, {"id": run.id}), memory.execute(sql, {"id": run.id + 1})


def judgments_again(
    memory: Database, source: Path, form: str, target: Path
) -> tuple[Rows, Rows]:
    """Load judgments, export them, load that; return the rows of both."""
    options = Options(dataset=next(DATASETS), name="first")
    load(memory, "judgments", [source], options, Messages())
    first = choose_entry(memory, "judgment set", "first", options.dataset)
    export(memory, "judgments", options, form, target)
    load(memory, "judgments", [target], replace(options, name="again"), Messages())
    sql = f"select {JUDGED} $id order by all"
    ids = first.id, first.id + 1
    return memory.execute(sql, {"id": ids[0]}), memory.execute(sql, {"id": ids[1]})


@pytest.mark.parametrize("form", LOADABLE)
def test_hostile_ids_come_back_to_the_byte(
    memory: Database, tmp_path: Path, form: str
) -> None:
    ids = PLAIN if form == "trec" else [*IDS, *SPACED]
    rows = [[query, doc, i] for query in ids[::7] for i, doc in enumerate(ids)]
    source = write_csv(tmp_path / "r.csv", ["query_id", "doc_id", "score"], rows)
    first, again = run_again(memory, source, form, tmp_path / "again")
    assert len(first) == len(rows)
    assert again == first


@pytest.mark.parametrize("form", LOADABLE[1:])
def test_judgments_come_back_with_grades_and_labels(
    memory: Database, tmp_path: Path, form: str
) -> None:
    labels = [name for name in [*IDS, "", "two words"] if name == name.strip()]
    rows = [["q", f"d{i}", i / 7, label] for i, label in enumerate(labels)]
    header = ["query_id", "doc_id", "grade", "label"]
    source = write_csv(tmp_path / "j.csv", header, rows)
    first, again = judgments_again(memory, source, form, tmp_path / "again")
    assert {label or "" for _, _, _, label in first} == set(labels)
    assert again == first


DOUBLES = st.floats(allow_nan=False).map(lambda score: score + 0)


@settings(max_examples=25, deadline=None)
@given(st.lists(DOUBLES, min_size=1, max_size=30), st.sampled_from(LOADABLE))
def test_scores_come_back_to_the_last_bit(
    memory: Database,
    tmp_path_factory: pytest.TempPathFactory,
    scores: list[float],
    form: str,
) -> None:
    folder = tmp_path_factory.mktemp("scores")
    lines = [f"q Q0 d{i} 0 {score!r} t\n" for i, score in enumerate(scores)]
    (folder / "run").write_text("".join(lines))
    first, again = run_again(memory, folder / "run", form, folder / "again")
    assert again == first


@pytest.mark.parametrize("form", LOADABLE)
@pytest.mark.parametrize("rule", ["score", "score32", "given"])
def test_ties_and_given_ranks_keep_their_order(
    memory: Database, tmp_path: Path, form: str, rule: str
) -> None:
    # Against the scores, tied as doubles, and tied only as single floats.
    scores = [("b", "1"), ("a", "1"), ("c", "1.00000001"), ("d", "2"), ("e", "0.5")]
    lines = [f"q Q0 {doc} {5 - i} {s} t\n" for i, (doc, s) in enumerate(scores)]
    (tmp_path / "run").write_text("".join(lines))
    first, again = run_again(
        memory, tmp_path / "run", form, tmp_path / "again", position_rule=rule
    )
    assert again == first


@pytest.mark.parametrize("form", ["csv", "tsv", "parquet"])
def test_a_run_without_scores_comes_back_without_them(
    memory: Database, tmp_path: Path, form: str
) -> None:
    header = ["query_id", "doc_id", "rank"]
    rows = [["q", "a", 2], ["q", "b", 1], ["p", "c", 7]]
    source = write_csv(tmp_path / "r.csv", header, rows)
    first, again = run_again(
        memory, source, form, tmp_path / "again", position_rule="given"
    )
    assert first == [("p", "c", 1, None), ("q", "a", 2, None), ("q", "b", 1, None)]
    assert again == first


@pytest.mark.parametrize(
    ("column", "blank"), [(0, " "), (0, "\t"), (0, "\r\n"), (1, " "), (1, "\n")]
)
def test_a_blank_in_an_id_is_refused_for_trec(
    ndcg: Command, blank: str, column: int
) -> None:
    fine, bad = ["q1", "d1", "2"], ["q2", "d2", "1"]
    bad[column] = f"a{blank}b"
    write_csv(Path("r.csv"), ["query_id", "doc_id", "score"], [fine, bad])
    assert ndcg("load", "run", "r.csv").code == 0
    Path("old").write_text("old")
    shown = [json.dumps(part) for part in bad]
    assert ndcg("export", "run", "r", "-o", "old").refusal == (
        'run "r": trec cannot hold a blank or line end: query'
        f" {shown[0]}, document {shown[1]};"
        " use --format, one of csv, tsv, json, jsonl, parquet\n"
    )
    assert Path("old").read_text() == "old"


def test_what_text_cannot_hold_is_left_to_json_and_parquet(
    ndcg: Command, memory: Database
) -> None:
    documents = ["a\rb", "a\ufeffb", "a b"]
    sql = "select 'q' as query_id, unnest($documents) as doc_id, 1 as score"
    given = {"documents": documents, "path": str(Path("r.parquet"))}
    duckdb.execute(f"copy ({sql}) to $path (format parquet)", given)
    assert ndcg("load", "run", "r.parquet").code == 0
    for form in ("trec", "csv", "tsv"):
        told = ndcg("export", "run", "r", "--format", form).refusal
        assert told.endswith("; use --format, one of json, jsonl, parquet\n")
    first, again = run_again(memory, Path("r.parquet"), "parquet", Path("again"))
    assert sorted(doc for _, doc, _, _ in again) == sorted(documents)
    assert again == first


test_script = scripted(__file__)
