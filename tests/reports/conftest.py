"""What the tests of analyses share: the worked example."""

import shutil
from pathlib import Path

import pytest

from ndcg_sql.database import opening
from ndcg_sql.evaluation.values import refill
from ndcg_sql.loading.sets import Options, load
from ndcg_sql.system.messages import Messages
from support.commands import Reading

# The worked example: grades 3 2 3 0 1 2 by position, with 3 and 2 not returned.
WORKED = {"d1": 3, "d2": 2, "d3": 3, "d4": 0, "d5": 1, "d6": 2, "m1": 3, "m2": 2}


@pytest.fixture(scope="session")
def worked_file(tmp_path_factory: pytest.TempPathFactory, empty_file: Path) -> Path:
    """Return a warehouse with the worked example and some odd queries."""
    folder = tmp_path_factory.mktemp("worked")
    lines = [f"w 0 {doc_id} {grade}" for doc_id, grade in WORKED.items()]
    lines += ["odd 0 a 2", "odd 0 b -1", "odd 0 missed 1", "silent 0 a 1"]
    lines += ["zero 0 a 0", "zero 0 b -3"]
    (folder / "qrels").write_text("\n".join(lines))
    lines = [f"w Q0 d{n} {n} {9 - n} t" for n in range(1, 7)]
    lines += ["odd Q0 x 1 9 t", "odd Q0 a 2 8 t", "odd Q0 b 3 7 t", "odd Q0 y 4 6 t"]
    lines += ["zero Q0 a 1 1 t", "unjudged Q0 a 1 1 t"]
    (folder / "base").write_text("\n".join(lines))
    shutil.copyfile(empty_file, folder / "ndcg.duckdb")
    with opening.write(folder / "ndcg.duckdb", refill) as database:
        load(database, "judgments", [folder / "qrels"], Options(), Messages())
        load(database, "run", [folder / "base"], Options(), Messages())
    return folder / "ndcg.duckdb"


@pytest.fixture
def worked(here: Path, worked_file: Path, reading: Reading) -> Path:  # noqa: ARG001
    """Have commands find the worked example, which none may change."""
    return reading(worked_file)


@pytest.fixture
def changeable(here: Path, worked_file: Path) -> Path:
    """Put a copy of the worked example where commands find it, and its run."""
    shutil.copyfile(worked_file.parent / "base", here / "base")
    return Path(shutil.copyfile(worked_file, here / "ndcg.duckdb"))
