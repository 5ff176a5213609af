"""Warehouses that releases made, in tests/data/warehouses, have the same values.

Until 0.1.0 is released its file is made anew whenever the first migration changes:

    PYTHONPATH=tests python tests/database/test_released_files.py
"""

import lzma
import tempfile
from pathlib import Path

import duckdb
import pytest

from support import everything
from support.commands import Command

FOLDER = Path(__file__).parents[1] / "data" / "warehouses"
# What was loaded and what was computed, in an order of its own.
KEPT = {
    "stored_values": "run_id, judgment_set_id, query_id, measure, value is null,"
    " coalesce(value, 0)",
    "rankings": "run_id, query_id, position, doc_id, score",
    "judgments": "judgment_set_id, query_id, doc_id, grade",
    "subtopic_judgments": "judgment_set_id, query_id, doc_id, subtopic, grade",
    "known_documents": "dataset, query_id, doc_id",
    "document_attributes": "dataset, doc_id, attribute, attribute_value",
}


def kept(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return the values and what was loaded, read by DuckDB alone."""
    with duckdb.connect(str(path), read_only=True) as connection:
        return {
            table: connection.execute(
                f"select {columns} from store.{table} order by all"
            ).fetchall()
            for table, columns in KEPT.items()
        }


@pytest.mark.parametrize("name", sorted(path.name for path in FOLDER.glob("*.xz")))
def test_what_a_release_made_has_the_same_values(
    ndcg: Command, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "ndcg.duckdb"
    path.write_bytes(lzma.decompress((FOLDER / name).read_bytes()))
    before = kept(path)
    assert all(before.values())
    # The first command that writes upgrades it, and computes anew what it must.
    upgraded = ndcg("evaluate")
    assert upgraded.code == 0, f"{upgraded.err}\n{__doc__}"
    assert ndcg("check").code == 0
    after = kept(path)
    # DuckDB 2 rounds decimals to doubles in a way of its own; 1.5 made the file.
    rel = 0 if duckdb.__version__ < "2" else 1e-14
    (*keys, values), (*same_keys, same_values) = (
        zip(*rows.pop("stored_values"), strict=True) for rows in (before, after)
    )
    assert (same_keys, after) == (keys, before)
    assert same_values == pytest.approx(values, rel=rel, abs=0)
    for words in (["report"], ["explain", "first", "q0"]):
        assert ndcg(*words, "--dataset", "one").code == 0


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "ndcg.duckdb"
        everything.fill(made)
        packed = lzma.compress(made.read_bytes(), preset=9)
    (FOLDER / "0.1.0.duckdb.xz").write_bytes(packed)
