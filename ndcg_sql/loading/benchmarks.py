"""Folders of BEIR and of MS MARCO: queries, documents, and judgment sets."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ndcg_sql.database.database import Database
from ndcg_sql.loading import described, sets, warnings
from ndcg_sql.loading.loaded import LoadedItem
from ndcg_sql.loading.options import Options
from ndcg_sql.loading.sentences import refusal
from ndcg_sql.loading.tasks import Task
from ndcg_sql.loading.unkept import advising
from ndcg_sql.system.messages import Collected, Messages
from ndcg_sql.system.paths import default_name, shown


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
        # On Hugging Face, a split is a folder or a file of Parquet.
        tuple(
            f"qrels/{split}{rest}"
            for split in ("train", "dev", "validation", "test")
            for rest in (".tsv", "*.parquet", "/*.parquet")
        ),
        ("queries.jsonl*", "queries*.parquet", "queries/**/*.parquet"),
        ("corpus.jsonl*", "corpus*.parquet", "corpus/**/*.parquet"),
        None,
        "qrels/test.tsv (or train.tsv, dev.tsv), queries.jsonl and corpus.jsonl, or"
        " folders of these names with Parquet files",
    ),
    "msmarco": Benchmark(
        "MS MARCO",
        ("*train*qrels*", "*qrels*train*", "*qrels.dev.tsv*", "*qrels*"),
        ("*queries*.tsv*", "*queries*.parquet"),
        ("collection.tsv*", "msmarco-docs.tsv*", "collection*.parquet"),
        "msmarco",
        "qrels.*.tsv, queries.*.tsv and collection.tsv",
    ),
}


def load(
    database: Database,
    messages: Messages,
    name: str,
    folder: Path,
    options: Options,
    has_documents: bool,
) -> list[LoadedItem]:
    """Load the judgments of a folder, a set for each file, then what they are about.

    If anything is wrong with any file, raises NdcgSqlError and stores nothing.
    """
    benchmark = BENCHMARKS[name]
    judged = _files(folder, benchmark.judgments)
    if not judged:
        about = {"name": benchmark.name, "expected": benchmark.expected}
        raise refusal("not_a_benchmark", folder=shown(folder), **about)
    command, held = "load_benchmark", Collected()
    names = {path: _split(path) for path in judged}
    judging = replace(options, strict=False, names=names)
    documents = _files(folder, benchmark.documents)
    with database.transaction():
        loaded: list[LoadedItem] = []
        for path in judged:
            with advising(command, "load_judgments", judging, path):
                loaded += sets.load(database, "judgments", [path], judging, held)
        files: Mapping[described.Described, Sequence[Path]] = {
            "queries": _files(folder, benchmark.queries),
            "documents": documents * has_documents,
        }
        for kind, paths in files.items():
            for place, path in enumerate(paths):
                is_parquet = path.suffix == ".parquet"
                one = Options(
                    dataset=options.dataset,
                    format_in=None if is_parquet else benchmark.format_in,
                    # The files after the first add to it.
                    replace=options.replace and place == 0,
                )
                with advising(command, f"load_{kind}", one, path):
                    loaded += described.load(Task(database, kind, [path], one, held))
        if has_documents and documents:
            sources = [item.name for item in loaded]
            values = {"dataset": options.dataset, "names": sources}
            held.warn_all(warnings.each(database, "missing_documents", values))
        warnings.check_strict(options.strict, held.warnings)
    held.pass_on(messages)
    if not has_documents:
        for path in documents:
            messages.tell(f"{shown(path)}: not loaded")
    return loaded


def _split(path: Path) -> str:
    """Return the name of judgments; Parquet has folders and numbered parts of it."""
    if path.suffix == ".parquet" and path.parent.parent.name == "qrels":
        return path.parent.name
    return re.sub(r"-\d+-of-\d+$", "", default_name(path))


def _files(folder: Path, patterns: Sequence[str]) -> list[Path]:
    """Return the files that match any pattern, those of the first pattern first."""
    paths = [path for pattern in patterns for path in sorted(folder.glob(pattern))]
    return list(dict.fromkeys(path for path in paths if path.is_file()))
