"""Folders of BEIR and of MS MARCO: queries, documents, and judgment sets."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from ndcg_sql.database.database import Database
from ndcg_sql.fields import options_of
from ndcg_sql.loading import described, sets, warnings
from ndcg_sql.loading.loaded import LoadedItem
from ndcg_sql.loading.options import Options
from ndcg_sql.loading.sentences import naming_loader, refusal
from ndcg_sql.loading.tasks import Task
from ndcg_sql.system.messages import Collected, Messages
from ndcg_sql.system.paths import argument, default_name, shown


class Benchmark(NamedTuple):
    """How the files of a benchmark are named, as patterns.

    judgments are in the order in which they are loaded: reports use the newest set.
    """

    name: str
    judgments: Sequence[str]
    queries: Sequence[str]
    documents: Sequence[str]
    format_in: str | None
    expected: str


# On Hugging Face, a split is a folder or a file of Parquet.
_SPLITS = [f"qrels/{split}" for split in ("train", "dev", "validation", "test")]
_FILES = (".tsv", "*.parquet", "/*.parquet")
BENCHMARKS: Mapping[str, Benchmark] = {
    "beir": Benchmark(
        "BEIR",
        [split + rest for split in _SPLITS for rest in _FILES],
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
    """Load the judgments of a folder, a set a file, and the rest; all or none."""
    benchmark = BENCHMARKS[name]
    judged = _files(folder, benchmark.judgments)
    documents = _files(folder, benchmark.documents)
    if not judged:
        about = {"name": benchmark.name, "expected": benchmark.expected}
        raise refusal("not_a_benchmark", folder=shown(folder), **about)
    fields, held = options_of("load_benchmark"), Collected()
    items = list[LoadedItem]()
    names = {path: _split(path) for path in judged}
    judging = replace(options, strict=False, names=names)
    files: Mapping[described.Described, Sequence[Path]] = {
        "queries": _files(folder, benchmark.queries),
        "documents": documents * has_documents,
    }
    with database.transaction():
        for path in judged:
            values = judging.stated("load_judgments")
            with naming_loader(fields, "load_judgments", argument(path), **values):
                items += sets.load(database, "judgments", [path], judging, held)
        for kind, paths in files.items():
            for path in paths:
                is_parquet = path.suffix == ".parquet"
                one = Options(
                    dataset=options.dataset,
                    format_in=None if is_parquet else benchmark.format_in,
                    # The files after the first add to it.
                    replace=options.replace and path == paths[0],
                )
                values = one.stated(f"load_{kind}")
                with naming_loader(fields, f"load_{kind}", argument(path), **values):
                    items += described.load(Task(database, kind, [path], one, held))
        if has_documents and documents:
            values = {"dataset": options.dataset, "names": [one.name for one in items]}
            held.warn_all(warnings.each(database, "missing_documents", values))
        warnings.check_strict(options.strict, held.warnings)
    held.pass_on(messages)
    for path in () if has_documents else documents:
        messages.tell(f"{shown(path)}: not loaded")
    return items


def _split(path: Path) -> str:
    """Return the name of judgments; Parquet has folders and numbered parts of it."""
    if path.suffix == ".parquet" and path.parent.parent.name == "qrels":
        return path.parent.name
    return re.sub(r"-\d+-of-\d+$", "", default_name(path))


def _files(folder: Path, patterns: Sequence[str]) -> list[Path]:
    """Return the files that match any pattern, those of the first pattern first."""
    paths = [path for pattern in patterns for path in sorted(folder.glob(pattern))]
    return list(dict.fromkeys(path for path in paths if path.is_file()))
