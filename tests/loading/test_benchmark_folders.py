"""Folders of BEIR: loaded whole or not at all, with warnings of what they lack."""

from pathlib import Path

import duckdb
import pytest

from support.commands import Command
from support.files import stored

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
