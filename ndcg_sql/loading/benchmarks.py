"""Folders of BEIR and of MS MARCO: queries, documents, and judgment sets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.loading import documents, queries, sets
from ndcg_sql.loading.options import Options
from ndcg_sql.reading.layouts import Reading
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
    reading: Reading
    expected: str


BENCHMARKS: Mapping[str, Benchmark] = {
    "beir": Benchmark(
        "BEIR",
        ("qrels/train.tsv", "qrels/dev.tsv", "qrels/test.tsv"),
        ("queries.jsonl",),
        ("corpus.jsonl",),
        Reading(),
        "qrels/test.tsv (or train.tsv, dev.tsv), queries.jsonl and corpus.jsonl",
    ),
    "msmarco": Benchmark(
        "MS MARCO",
        ("*train*qrels*", "*qrels*train*", "*qrels.dev.tsv*", "*qrels*"),
        ("*queries*.tsv*",),
        ("collection.tsv*", "msmarco-docs.tsv*"),
        Reading(format_in="msmarco"),
        "qrels.*.tsv, queries.*.tsv and collection.tsv",
    ),
}


def load(
    database: Database,
    folder: Path,
    benchmark: Benchmark,
    dataset: str,
    messages: Messages,
    *,
    replacing: bool = False,
    with_documents: bool = True,
) -> None:
    """Load the judgments of a folder, a set for each file, then what they are about.

    If anything is wrong with the judgments, raises NdcgSqlError and stores nothing.
    """
    judged = _files(folder, benchmark.judgments)
    if not judged:
        raise NdcgSqlError(
            f"{shown(folder)}: not a folder of {benchmark.name}; expected"
            f" {benchmark.expected} in it"
        )
    options = Options(dataset=dataset, replace=replacing)
    sets.load(database, "judgments", judged, options, messages)
    for place, path in enumerate(_files(folder, benchmark.queries)):
        # The files after the first add to it.
        first = replacing and place == 0
        queries.load(
            database, path, dataset, benchmark.reading, messages, replace=first
        )
    found = _files(folder, benchmark.documents)
    if not with_documents:
        for path in found:
            messages.tell(f"{shown(path)}: not loaded")
        return
    for place, path in enumerate(found):
        first = replacing and place == 0
        documents.load(
            database, path, dataset, benchmark.reading, messages, replace=first
        )


def _files(folder: Path, patterns: Sequence[str]) -> list[Path]:
    """Return the files that match any pattern, those of the first pattern first."""
    found = [path for pattern in patterns for path in sorted(folder.glob(pattern))]
    return list(dict.fromkeys(path for path in found if path.is_file()))
