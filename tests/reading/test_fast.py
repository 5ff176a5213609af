"""The fast reading of clean files refuses whatever the strict one does."""

import random
from pathlib import Path

import duckdb
import pytest

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading import fast, sources
from ndcg_sql.reading.columns import Kind
from ndcg_sql.reading.detection import layout
from ndcg_sql.reading.fast import stage_fast
from ndcg_sql.reading.layouts import Reading
from ndcg_sql.reading.staging import check_staged, stage
from ndcg_sql.system.messages import Silent
from support import exploring

SEED = 20
CLEAN: dict[Kind, dict[str, str]] = {
    "run": {
        "trec": "q1 Q0 a 1 2.5 t\nq1 Q0 é 2 -1e3 t\nq2 Q0 a 1 0 t\nq2 Q0 b 2 .5 t\n",
        "csv": "query_id,doc_id,score\nq1,a,2.5\nq1,b_+c,-1e3\nq2,a,0.0\n",
        "tsv": "query_id\tother\tscore\tdoc_id\nq1\t\t2.5\ta\nq1\tx\t-0\tb\n",
    },
    "judgments": {
        "trec": "q1 0 apple 1\nq1 0 berry -1\nq2 0 apple 0\nq2 0 berry 2.50\n",
        "csv": "query_id,doc_id,grade,label\nq1,a,1,good\nq1,b,0,\nq2,a,.5, \n",
    },
}
PIECES = (
    *(b" ", b"\t", b"  ", b"\n", b"\n\n", b"\r\n", b"\r", b",", b'"', b"#", b"\0"),
    *(b"\v", b"\f", b"_", b"+", b"-", b".", b"e", b"1", b"0", b"nan", b"inf"),
    *(b"1e400", b"1e-400", b"0e5", b"1_0", b"+-5", b"0x1", b"\xff", b"\xef\xbb\xbf"),
    *("\u0663".encode(), b"NULL", b"true", b"q1 Q0 a 1 2.5 t\n", b"q1,a,2.5\n", b"\\"),
)
CASES = [
    pytest.param(kind, form, id=f"{kind}-{form}")
    for kind, forms in CLEAN.items()
    for form in forms
]
COLUMNS = {"run": "score", "judgments": "grade, label"}


def read(
    warehouse: Database, kind: Kind, path: Path, fast: bool
) -> list[tuple[object, ...]] | None:
    """Return the rows of a file, in order; None if they are refused."""
    with sources.opened(path, Silent()) as source:
        try:
            how, source = layout(source, kind, Reading())
            if fast:
                if not stage_fast(warehouse, kind, source, how, kind):
                    return None
            else:
                stage(warehouse, kind, source, how)
                check_staged(warehouse, kind, source, how)
        except NdcgSqlError:
            return None
        columns = f"query_id, doc_id, {COLUMNS[kind]}"
        return warehouse.execute(f"select {columns} from staged order by all")


@pytest.mark.parametrize(("kind", "form"), CASES)
def test_a_clean_file_is_read_fast(
    memory: Database, kind: Kind, form: str, tmp_path: Path
) -> None:
    path = tmp_path / f"file.{form}"
    for text in (CLEAN[kind][form], CLEAN[kind][form].replace("\n", "\r\n")):
        path.write_bytes(text.encode())
        rows = read(memory, kind, path, fast=True)
        assert rows
        assert rows == read(memory, kind, path, fast=False)


@pytest.mark.parametrize("many", [1, 1000], ids=["numpy", "sql"])
@pytest.mark.parametrize("twice", [True, False], ids=["twice", "once"])
def test_a_document_that_stands_twice_is_left_to_the_strict_reading(
    memory: Database,
    many: int,
    twice: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fast, "_MANY", many)
    monkeypatch.setattr(fast, "_AT_ONCE", 7)
    lines = [f"q{n % 5} Q0 d{n // 5} 1 {n} t\n" for n in range(60)]
    path = tmp_path / "run"
    for place in range(0, 60, 7):
        extra = lines[place] if twice else "q1 Q0 other 1 2 t\n"
        path.write_text("".join([*lines, extra]))
        rows = read(memory, "run", path, fast=True)
        assert (rows is None) == twice


@pytest.mark.parametrize("rounds", [exploring.amount(15, 300)])
@pytest.mark.parametrize(("kind", "form"), CASES)
def test_what_is_read_fast_is_read_strictly_as_well(
    memory: Database, kind: Kind, form: str, rounds: int, tmp_path: Path
) -> None:
    chance = random.Random(SEED)
    path = tmp_path / f"file.{form}"
    fast = 0
    for _ in range(rounds):
        text = bytearray(CLEAN[kind][form].encode())
        for _ in range(chance.choice((1, 1, 1, 2, 3))):
            place = chance.randrange(len(text) + 1)
            end = place + chance.choice((0, 0, 1, 2, 4))
            text[place:end] = chance.choice((*PIECES, b""))
        path.write_bytes(text)
        rows = read(memory, kind, path, fast=True)
        if rows is not None:
            fast += 1
            assert rows == read(memory, kind, path, fast=False), bytes(text)
    assert fast > rounds // 20


_NUMBERS = ("double", "float", "tinyint", "bigint", "uinteger")


@pytest.mark.parametrize("kind", ["run", "judgments"])
@pytest.mark.parametrize("type_", exploring.sampled(_NUMBERS, 2))
def test_a_clean_parquet_file_is_read_fast(
    memory: Database, kind: Kind, type_: str, tmp_path: Path
) -> None:
    number = "score" if kind == "run" else "grade"
    values = "(1, 'a', 1), (1, 'é +_ ', 0), (2, '#', 7)"
    if type_ in ("double", "float"):
        values += ", (2, 'x', 0.1), (2, 'y', -0.0), (2, 'z', -1e-30), (3, 'a', 1e30)"
    path = _parquet(tmp_path, f"user_id, item_id, n::{type_} as {number}", values)
    rows = read(memory, kind, path, fast=True)
    assert rows
    assert rows == read(memory, kind, path, fast=False)


@pytest.mark.parametrize("kind", ["run", "judgments"])
@pytest.mark.parametrize(
    ("columns", "values"),
    exploring.sampled(
        [
            ("user_id, item_id, n", "(1, 'a', 'nan'::double)"),
            ("user_id, item_id, n", "(1, 'a', 'inf'::double)"),
            ("user_id, item_id, n", "(1, 'a', 1.5::decimal(2, 1))"),
            ("user_id, item_id, n", "(1, 'a', ' 1')"),
            ("user_id, item_id, n", "(1, 'a', '1_0')"),
            ("user_id, item_id, n", "(1, 'a', true)"),
            ("user_id, item_id, n", "(1, 'a', null::double)"),
            ("user_id, item_id, n", "(1, 'a', 1), (1, 'a', 2)"),
            ("user_id, item_id, n", "(null, 'a', 1)"),
            ("user_id, item_id, n", "(1, '', 1)"),
            ("user_id, item_id, n", "(1, chr(11), 1)"),
            ("user_id, item_id, n", "(1, 'a' || chr(0), 1)"),
            ("user_id, item_id, n", "(1.5, 'a', 1)"),
            ("user_id, item_id, 'x' as run, 'y' as label, n", "(1, 'a', 1)"),
        ],
        2,
    ),
)
def test_a_parquet_file_with_anything_unusual_is_read_strictly(
    memory: Database, kind: Kind, columns: str, values: str, tmp_path: Path
) -> None:
    number = "score" if kind == "run" else "grade"
    path = _parquet(tmp_path, f"{columns} as {number}", values)
    assert read(memory, kind, path, fast=True) is None


def _parquet(folder: Path, columns: str, values: str) -> Path:
    """Write rows to a Parquet file."""
    path = folder / "file.parquet"
    rows = f"(values {values}) as rows (user_id, item_id, n)"
    with duckdb.connect() as connection:
        connection.execute(f"copy (select {columns} from {rows}) to '{path}'")
    return path
