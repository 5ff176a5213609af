"""Values that Spark computed, loaded as runs whose rankings are elsewhere."""

import shutil
import struct
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ndcg_sql.database import views
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from support.commands import Command, Once
from support.evaluated import (
    change_manifest,
    fill_judgments,
    fill_warehouse,
    rewrite,
    write_values,
)
from support.expected import ALL, check_equal
from support.libraries import library
from support.scripts import scripted

OURS = Path("ours.duckdb")
FILE = Path("ndcg.duckdb")
VALUES = Path("values")


def fill() -> None:
    """Write a warehouse with rankings, the values of it, and one without."""
    fill_warehouse(OURS)
    fill_judgments(FILE)
    write_values(VALUES, OURS, "nDCG@10 AP P@5")
    shutil.copytree(VALUES, "whole")


def damage(name: str, content: bytes | None) -> None:
    """Have a file of the folder with other content, or without it, and others whole."""
    shutil.copytree("whole", VALUES, dirs_exist_ok=True)
    (VALUES / name).unlink()
    if content is not None:
        (VALUES / name).write_bytes(content)


def rows(relation: str, select: str, **others: str) -> None:
    """Have other rows of relations, and others whole."""
    shutil.copytree("whole", VALUES, dirs_exist_ok=True)
    for name, of_name in {relation: select, **others}.items():
        rewrite(VALUES, name, of_name)


def columns(relation: str, replaced: str) -> None:
    """Have other values of columns."""
    rows(relation, f"select * replace ({replaced}) from old")


def first_hit(replaced: str) -> None:
    """Have one hit, with other values of columns."""
    first = "from old order by run, query_id, position limit 1"
    rows("hits", f"select * replace ({replaced}) {first}")


def manifest(**entries: object) -> str:
    """Return how a folder with other entries of its manifest is refused."""
    shutil.copytree("whole", VALUES, dirs_exist_ok=True)
    change_manifest(VALUES, **entries)
    with pytest.raises(NdcgSqlError) as error:
        Warehouse(FILE).load_values(VALUES)
    return str(error.value).partition(";")[0]


def scrambled() -> bytes:
    """Return a Parquet file whose middle is turned round."""
    content = bytearray((Path("whole") / "hits" / "part-0.parquet").read_bytes())
    content[4:-500] = bytes(reversed(content[4:-500]))
    return bytes(content)


def flipped() -> bytes:
    """Return a Parquet file with a flipped bit of a value whose page has a checksum."""
    parquet: Any = library("pyarrow.parquet")
    path = Path("flipped.parquet")
    table = parquet.read_table(Path("whole") / "query_values" / "part-0.parquet")
    plain: dict[str, Any] = {"use_dictionary": False, "write_statistics": False}
    parquet.write_table(
        table, path, write_page_checksum=True, compression="none", **plain
    )
    whole = path.read_bytes()
    place = whole.index(struct.pack("<d", max(table["value"].to_pylist())))
    return whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]


test_script = scripted(
    __file__,
    *(fill, damage, rows, columns, first_hit, manifest, scrambled, flipped),
    *(rewrite, write_values),
    VALUES=VALUES,
)


def _load() -> None:
    fill()
    with Warehouse(FILE) as warehouse:
        warehouse.load_values(VALUES)


@pytest.fixture
def valued(here: Path, once: Once) -> Path:
    """Put the files into place, with the values loaded."""
    once(_load)
    return here / FILE


def _values(path: Path, measures: str | None) -> dict[tuple[str, ...], tuple[float]]:
    with Warehouse(path) as warehouse:
        relation = warehouse.report(measures, per_query=True).relation
        rows = relation.select("run", "query_id", "measure", "value").fetchall()
    return {row[:3]: row[3:] for row in rows}


@pytest.mark.slow
def test_all_values_are_those_of_the_rankings(valued: Path) -> None:
    for measures in (None, ALL):
        wanted = _values(OURS, measures)
        assert wanted
        check_equal(_values(valued, measures), wanted)


@pytest.mark.slow
@pytest.mark.usefixtures("valued")
def test_commands_show_what_they_show_of_rankings(ndcg: Command) -> None:
    for asked in (
        *(("report",), ("compare", "b", "Ä-1", "--per-query")),
        *(("gate", "b", "Ä-1"), ("leaderboard",)),
    ):
        found, wanted = (
            ndcg("--warehouse", path, *asked, "--format", "json")
            for path in (FILE, OURS)
        )
        assert found == wanted
        assert (found.code, len(found.out) > 100) == (0, True)


# These show rankings, which are elsewhere.
EMPTY = {"ndcg_steps", "rankings", "run_documents", "unjudged_documents"}
# These say where a row comes from.
SOURCES = {
    *("source", "content_hash"),
    *("engine", "dialect", "ndcg_sql_version"),
}


@pytest.mark.slow
def test_relations_have_the_rows_that_rankings_give(valued: Path) -> None:
    with duckdb.connect(str(valued), read_only=True) as connection:
        connection.execute(f"attach '{OURS}' as ours (read_only)")
        for relation in views.public():
            known = connection.execute(f"describe {relation}").fetchall()
            names = ", ".join(
                name
                for name, kind, *_ in known
                if name not in SOURCES and kind != "TIMESTAMP"
            )
            mine, ours = (
                f"select {names} from {catalog}{relation}" for catalog in ("", "ours.")
            )
            if relation in EMPTY:
                assert not connection.execute(mine).fetchall(), relation
                assert connection.execute(ours).fetchall(), relation
                continue
            for one, other in ((ours, mine), (mine, ours)):
                differing = connection.execute(f"{one} except all {other}").fetchall()
                assert not differing, (relation, differing[:3])
