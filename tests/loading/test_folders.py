"""Folders as input, and other words for what is loaded."""

import shlex
from pathlib import Path

import duckdb
import pytest

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
    assert empty.refusal.startswith("runs/old: no data files in this folder; ")


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
    assert ndcg("load", "beir", "beir/qrels").refusal.startswith(
        "beir/qrels: not a folder of BEIR; expected qrels/test.tsv"
    )
    assert ndcg("load", "judgments", "beir").err == (
        "beir: a folder of BEIR; load it with ndcg-sql load beir beir\n"
    )


@pytest.mark.usefixtures("empty")
def test_a_file_of_a_beir_folder_is_loaded_alone_as_told(ndcg: Command) -> None:
    Path("my beir", "qrels").mkdir(parents=True)
    Path("my beir", "queries.jsonl").write_bytes(b'{"_id": "1", "text": "caf\xe9"}\n')
    file, header = Path("my beir", "qrels", "test.tsv"), "query-id\tcorpus-id"
    judged = header + "\tscore\n1\td1\t1\n"
    for told, rows in (
        ("--label good=GRADE", judged.replace("\t1\n", "\tgood\n")),
        ("--grade 1", f"{header}\n1\td1\n"),
    ):
        file.write_text(rows)
        refused = ndcg("load", "beir", "my beir", "--dataset", "b").refusal
        command = f"ndcg-sql load judgments '{file}' --dataset b {told}"
        assert command in refused
        pasted = shlex.split(command.replace("GRADE", "2"))[1:]
        assert ndcg(*pasted, "--name", told).code == 0
    file.write_text(judged + "1\td1\t0\n")
    twice = ndcg("load", "beir", "my beir", "--dataset", "b").refusal
    assert "first, --duplicates last or --duplicates max. To load the grades" in twice
    file.write_text(judged.replace("1\td1", "1"))
    file.with_name("train.tsv").write_text(judged.replace("1\td1", "1"))
    assert ndcg("load", "beir", "my beir", "--dataset", "b").refusal.endswith(
        "2 of 2 files cannot be loaded; nothing was loaded\n"
    )
    for one in (file, file.with_name("train.tsv")):
        one.write_text(judged)
    assert "ndcg-sql load queries 'my beir/queries.jsonl' --encoding" in (
        ndcg("load", "beir", "my beir").refusal
    )


QUERIES = {"queries.jsonl": '{"_id": "1", "text": "a"}\n{"_id": "2", "text": "b"}\n'}
CORPUS = {"corpus.jsonl": '{"_id": "d1", "title": "t"}\n'}
JUDGED = {"qrels/test.tsv": "query-id\tcorpus-id\tscore\n1\td1\t1\n2\td1\t0\n"}
MISSING = {"qrels/test.tsv": JUDGED["qrels/test.tsv"] + "1\td2\t1\n2\td3\t1\n"}
TWICE = {"qrels/test.tsv": JUDGED["qrels/test.tsv"] + "1\td1\t0\n"}
JUDGMENT = "select '1' as \"query-id\", '{}' as \"corpus-id\", 1 as score"
PARQUET = {
    "queries/queries-00000-of-00001.parquet": "select '1' as _id, 'a' as text",
    "corpus/0000.parquet": "select 'd1' as _id, 't' as title, 'x' as text",
    "corpus/0001.parquet": "select 'd2' as _id, 't' as title, 'x' as text",
    "qrels/test/0000.parquet": JUDGMENT.format("d1"),
    "qrels/train-00000-of-00001.parquet": JUDGMENT.format("d2"),
}
LOADED = 'loaded judgment set "test": 2 queries, {} judgments{}\n' + (
    'loaded 2 queries of dataset "default"\nloaded 1 document of dataset "default"\n'
)
LOST = (
    'judgment set "test": 2 of 3 relevant documents are not among the documents of the'
    ' dataset, such as "d2"',
    'judgment set "test": 1 of 2 queries is without a'
    ' relevant document among these, such as "2"',
)


@pytest.mark.parametrize(
    ("files", "options", "told"),
    [
        (JUDGED, "", LOADED.format(2, "")),
        (
            MISSING,
            "",
            LOADED.format(4, "") + "".join(f"warning: {line}\n" for line in LOST),
        ),
        (MISSING, "--strict", "\n".join(LOST)),
        (MISSING, "--no-documents", "folder/corpus.jsonl: not loaded\n"),
        (TWICE, "", 'test.tsv:4: query "1", document "d1": already on line 2'),
        (
            TWICE,
            "--duplicates max",
            LOADED.format(2, "; 1 duplicate dropped (--duplicates max)"),
        ),
        ({**JUDGED, "corpus.jsonl": '{"_id": ""}'}, "", "folder/corpus.jsonl:1: the"),
        ({**JUDGED, "queries.jsonl": "{"}, "", "folder/queries.jsonl"),
        (
            PARQUET,
            "",
            'loaded judgment set "train": 1 query, 1 judgment\n'
            'loaded judgment set "test": 1 query, 1 judgment\n'
            'judgment set "test" is now the newest: report and other commands use it'
            ' unless --judgments train is given\nloaded 1 query of dataset "default"\n'
            'loaded 1 document of dataset "default"\n'
            'loaded 1 document of dataset "default"\n',
        ),
    ],
)
@pytest.mark.usefixtures("empty")
def test_a_folder_is_loaded_whole_or_not_at_all(
    ndcg: Command, files: dict[str, str], options: str, told: str
) -> None:
    described = {} if files is PARQUET else {**QUERIES, **CORPUS}
    for name, content in {**described, **files}.items():
        path = Path("folder", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".parquet":
            duckdb.sql(content).write_parquet(str(path))
        else:
            path.write_text(content)
    done = ndcg("load", "beir", "folder", *options.split())
    assert told in done.err
    assert (done.code == 0) == done.err.startswith("loaded")
    if done.code == 0:
        counts = (
            "select (select count(*) from queries), (select count(*) from documents)"
        )
        documents = 0 if options == "--no-documents" else 1 + (files is PARQUET)
        assert stored(counts) == [(1 if files is PARQUET else 2, documents)]
    else:
        assert stored("from judgment_sets") == stored("from queries") == []
        assert "loaded judgment set" not in done.err


@pytest.mark.usefixtures("empty")
def test_other_words_are_understood(ndcg: Command) -> None:
    Path("q").write_text(QRELS)
    Path("r").write_text(RUN)
    assert ndcg("load", "qrels", "q").err.startswith('loaded judgment set "q"')
    assert ndcg("load", "judgements", "q").err.endswith("nothing to do\n")
    assert ndcg("load", "runs", "r").err.startswith('loaded run "r"')
    assert ndcg("load", "nothing", "r").code == 2
