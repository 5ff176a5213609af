"""Folders of BEIR: queries, and a judgment set for each split."""

from pathlib import Path

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.loading import queries, sets
from ndcg_sql.loading.options import Options
from ndcg_sql.reading.layouts import Reading
from ndcg_sql.system.messages import Messages
from ndcg_sql.system.paths import shown

# In the order in which they are loaded: reports use the newest judgment set.
_SPLITS = ("train", "dev", "test")


def load(
    database: Database, folder: Path, dataset: str, replacing: bool, messages: Messages
) -> None:
    """Load the judgments of a BEIR folder, a set for each split, then its queries.

    If anything is wrong with the judgments, raises NdcgSqlError and stores nothing.
    """
    files = [folder / "qrels" / f"{split}.tsv" for split in _SPLITS]
    found = [file for file in files if file.is_file()]
    if not found:
        raise NdcgSqlError(
            f"{shown(folder)}: not a BEIR folder; expected qrels/test.tsv (or"
            " train.tsv, dev.tsv) and queries.jsonl in it"
        )
    options = Options(dataset=dataset, replace=replacing)
    sets.load(database, "judgments", found, options, messages)
    texts = folder / "queries.jsonl"
    if texts.is_file():
        queries.load(database, texts, dataset, Reading(), messages)
    if (folder / "corpus.jsonl").exists():
        messages.tell("corpus.jsonl: not loaded; measures do not read documents")
