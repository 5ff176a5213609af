"""Several files of a command, some of them bad."""

from pathlib import Path

import pytest

from support.commands import Command
from support.files import tables

FAULT = 'query "q1", document "a": score "x" is not a number'


@pytest.fixture(autouse=True)
def files(loaded: Path) -> Path:
    """Put two good files between two bad ones."""
    for name, score in (("bad1", "x"), ("good1", 1), ("good2", 2), ("bad2", "x")):
        (loaded.parent / name).write_text(f"q1 Q0 a 1 {score} t\n")
    return loaded


@pytest.mark.parametrize(
    "order", [("bad1", "good1", "bad2"), ("good1", "bad1", "bad2")]
)
def test_all_bad_files_are_reported_and_nothing_is_loaded(
    ndcg: Command, files: Path, order: tuple[str, ...]
) -> None:
    before = tables(files)
    result = ndcg("load", "run", *order)
    assert result.code == 2
    correct = "1 bad line of 1; nothing was loaded. Correct the file and"
    assert result.err.splitlines() == [
        f"bad1:1: {FAULT}",
        f"{correct} load it again.",
        f"bad2:1: {FAULT}",
        f"{correct} load it again.",
        "2 of 3 files cannot be loaded; nothing was loaded",
    ]
    assert tables(files) == before
