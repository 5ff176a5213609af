"""Folders as input, and other words for what is loaded."""

from pathlib import Path
from typing import Any

import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python import Warehouse
from support.commands import Command
from support.files import QRELS, RUN, stored


@pytest.mark.slow
@pytest.mark.usefixtures("loaded")
def test_the_data_files_of_a_folder_are_loaded(ndcg: Command) -> None:
    Path("runs", "old").mkdir(parents=True)
    for name in ("b.trec", "a.run", ".hidden.run", "README.md"):
        Path("runs", name).write_text(RUN)
    result = ndcg("load", "run", "runs")
    assert result.code == 0
    assert result.err.splitlines()[0] == "runs: skipped .hidden.run, README.md, old"
    names = stored("select name from runs order by run_id")
    assert names == [("base",), ("a",), ("b",)]
    named = ndcg("load", "run", "runs", "--name", "x")
    assert named.err.endswith("--name: names one run, but several files are given\n")
    empty = ndcg("load", "judgments", "runs/old")
    assert empty.code == 2
    assert empty.err.startswith("runs/old: no data files in this folder; ")


@pytest.mark.slow
@pytest.mark.usefixtures("loaded")
def test_python_loads_folders_and_several_files_too() -> None:
    Path("runs").mkdir()
    for name in ("b.trec", "a.run", "README.md"):
        Path("runs", name).write_text(RUN)
    Path("bad.run").write_text("q1 Q0 a 1 high tag\n")
    warehouse = Warehouse("ndcg.duckdb")
    told = str(warehouse.load_run("runs")).splitlines()
    assert told[0] == "runs: skipped README.md"
    assert [line.split(":")[0] for line in told[1:]] == [
        'loaded run "a"',
        'loaded run "b"',
    ]
    refused: dict[str, tuple[list[str | Path], dict[str, Any]]] = {
        "bad.run:1: ": (["runs/a.run", Path("bad.run")], {"prefix": "new/"}),
        "name: names one run, but several files are given": (
            ["runs/a.run", "runs/b.trec"],
            {"name": "x"},
        ),
        "/dev/stdin: a stream has no name; load it alone with name=": (
            ["/dev/stdin"],
            {},
        ),
    }
    for message, (paths, fields) in refused.items():
        with pytest.raises(NdcgSqlError) as error:
            warehouse.load_run(paths, **fields)
        assert message.replace("/dev/stdin", "-") in str(error.value)
    with pytest.raises(NdcgSqlError, match="several files are given; load queries one"):
        warehouse.load_queries(["a.csv", "b.csv"])  # pyright: ignore[reportArgumentType]
    warehouse.load_run(["runs/a.run", Path("runs/b.trec")], prefix="new/")
    names = stored("select name from runs order by run_id")
    assert names == [("base",), ("a",), ("b",), ("new/a",), ("new/b",)]


@pytest.mark.slow
@pytest.mark.usefixtures("empty")
def test_a_beir_folder_becomes_queries_and_sets(ndcg: Command) -> None:
    Path("beir", "qrels").mkdir(parents=True)
    Path("beir", "queries.jsonl").write_text('{"_id": "1", "text": "blue"}\n')
    Path("beir", "corpus.jsonl").write_text('{"_id": "d1", "text": "tent"}\n')
    for split in ("test", "train"):
        text = "query-id\tcorpus-id\tscore\n1\td1\t1\n"
        Path("beir", "qrels", f"{split}.tsv").write_text(text)
    result = ndcg("load", "beir", "beir", "--dataset", "b")
    assert result.code == 0
    assert result.err.endswith('loaded 1 document of dataset "b"\n')
    assert stored("select doc_id, title from documents") == [("d1", "tent")]
    again = ndcg("load", "beir", "beir", "--dataset", "b", "--no-documents")
    assert again.code == 0
    assert again.err.endswith("beir/corpus.jsonl: not loaded\n")
    sets = "select name from judgment_sets order by judgment_set_id"
    assert stored(sets) == [("train",), ("test",)]
    assert stored("select query_id, text from queries") == [("1", "blue")]
    wrong = ndcg("load", "beir", "beir/qrels")
    assert wrong.code == 2
    assert wrong.err.startswith(
        "beir/qrels: not a folder of BEIR; expected qrels/test.tsv"
    )
    assert ndcg("load", "judgments", "beir").err == (
        "beir: a folder of BEIR; load it with ndcg-sql load beir beir\n"
    )


@pytest.mark.slow
@pytest.mark.usefixtures("empty")
def test_a_folder_of_ms_marco_is_loaded(ndcg: Command) -> None:
    Path("m").mkdir()
    for split, grade in (("train", 1), ("dev", 1), ("dev.small", 0)):
        Path("m", f"qrels.{split}.tsv").write_text(f"7\t0\t{split}\t{grade}\n")
    Path("m", "queries.dev.tsv").write_text('7\thow "long" is it\n')
    Path("m", "collection.tsv").write_text("dev\tAs long as it is.\n")
    Path("m", "msmarco-docs.tsv").write_text("D1\thttps://a.b\tA title\tText\n")
    result = ndcg("load", "msmarco", "m", "--dataset", "m")
    assert result.code == 0
    sets = "select name from judgment_sets order by judgment_set_id"
    names = ("qrels.train", "qrels.dev", "qrels.dev.small")
    assert stored(sets) == [(name,) for name in names]
    assert stored("select query_id, text from queries") == [("7", 'how "long" is it')]
    assert stored("select doc_id, title, url from documents order by doc_id") == [
        ("D1", "A title", "https://a.b"),
        ("dev", "As long as it is.", None),
    ]


@pytest.mark.usefixtures("empty")
def test_other_words_are_understood(ndcg: Command) -> None:
    Path("q").write_text(QRELS)
    Path("r").write_text(RUN)
    assert ndcg("load", "qrels", "q").err.startswith('loaded judgment set "q"')
    assert ndcg("load", "judgements", "q").err.endswith("nothing to do\n")
    assert ndcg("load", "runs", "r").err.startswith('loaded run "r"')
    assert ndcg("load", "nothing", "r").code == 2
