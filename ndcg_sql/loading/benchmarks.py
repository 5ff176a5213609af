"""Folders of BEIR and of MS MARCO: queries, documents, and judgment sets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.loading import described, sets
from ndcg_sql.loading.loaded import LoadedItem
from ndcg_sql.loading.options import Options
from ndcg_sql.loading.unkept import advising
from ndcg_sql.requests.loading import (
    LoadBenchmarkRequest,
    LoadDocumentsRequest,
    LoadQueriesRequest,
)
from ndcg_sql.system.messages import Messages
from ndcg_sql.system.paths import shown


@dataclass(frozen=True)
class Benchmark:
    """How the files of a benchmark are named, as patterns.

    judgments are in the order in which they are loaded: reports use the newest set.
    """

    name: str
    judgments: Sequence[str]
    queries: Sequence[str]
    documents: Sequence[str]
    format_in: str | None
    expected: str


BENCHMARKS: Mapping[str, Benchmark] = {
    "beir": Benchmark(
        "BEIR",
        ("qrels/train.tsv", "qrels/dev.tsv", "qrels/test.tsv"),
        ("queries.jsonl",),
        ("corpus.jsonl",),
        None,
        "qrels/test.tsv (or train.tsv, dev.tsv), queries.jsonl and corpus.jsonl",
    ),
    "msmarco": Benchmark(
        "MS MARCO",
        ("*train*qrels*", "*qrels*train*", "*qrels.dev.tsv*", "*qrels*"),
        ("*queries*.tsv*",),
        ("collection.tsv*", "msmarco-docs.tsv*"),
        "msmarco",
        "qrels.*.tsv, queries.*.tsv and collection.tsv",
    ),
}


def load(
    database: Database, messages: Messages, request: LoadBenchmarkRequest
) -> list[LoadedItem]:
    """Load the judgments of a folder, a set for each file, then what they are about.

    If anything is wrong with the judgments, raises NdcgSqlError and stores nothing.
    """
    benchmark, folder = BENCHMARKS[request.benchmark], request.folder
    dataset, form = request.dataset, benchmark.format_in
    judged = _files(folder, benchmark.judgments)
    if not judged:
        raise NdcgSqlError(
            f"{shown(folder)}: not a folder of {benchmark.name}; expected"
            f" {benchmark.expected} in it"
        )
    options = Options(dataset=dataset, replace=request.replace)
    command = type(request)
    loaded = sets.load(
        database, "judgments", judged, options, messages, command=command
    )
    document_files = _files(folder, benchmark.documents)
    for kind, load_one, files in (
        (
            LoadQueriesRequest,
            described.load_queries,
            _files(folder, benchmark.queries),
        ),
        (
            LoadDocumentsRequest,
            described.load_documents,
            document_files * request.documents,
        ),
    ):
        for place, path in enumerate(files):
            # The files after the first add to it.
            first = request.replace and place == 0
            one: Any = kind(dataset=dataset, format_in=form, replace=first)
            with advising(command, kind, one, path):
                loaded.append(load_one(database, path, one, messages))
    if not request.documents:
        for path in document_files:
            messages.tell(f"{shown(path)}: not loaded")
    return loaded


def _files(folder: Path, patterns: Sequence[str]) -> list[Path]:
    """Return the files that match any pattern, those of the first pattern first."""
    paths = [path for pattern in patterns for path in sorted(folder.glob(pattern))]
    return list(dict.fromkeys(path for path in paths if path.is_file()))
