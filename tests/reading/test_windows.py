"""Text as Windows and Excel write it: in Windows-1252, and after a line sep=;."""

from pathlib import Path

import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from ndcg_sql.reading.scanning import is_likely_windows

pytestmark = pytest.mark.mostly_slow

FOUND = "select query_id, doc_id, grade from judgments order by doc_id"


ENCODINGS = ("cp1250", "iso-8859-2", "koi8-r", "shift_jis", "gb18030", "euc-kr", "big5")
WORDS = {"cp1250": "žluť", "iso-8859-2": "žluť", "koi8-r": "обувь", "euc-kr": "신발"}


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_encoding_that_python_knows_is_read(encoding: str) -> None:
    word = WORDS.get(encoding, "表能")
    text = f"query_id,doc_id,grade\n{word},a,1\nplain,b,0\n{word}{word},c,2\n"
    Path("old.csv").write_bytes(text.encode(encoding))
    with Warehouse.memory() as warehouse:
        warehouse.load_judgments("old.csv", encoding=encoding)
        found = warehouse.connection.execute(FOUND).fetchall()
    assert found == [(word, "a", 1), ("plain", "b", 0), (word * 2, "c", 2)]


@pytest.mark.quick
@pytest.mark.parametrize(
    ("line", "likely"),
    [
        ("größe,ß,1", False),
        ("größe,1", True),
        ("ÀÉÎ,1", False),
        ("“straße” \u2013 5 €", True),
        ("naïve", True),
        ("plain", False),
    ],
)
def test_words_are_told_from_other_bytes(line: str, likely: bool) -> None:
    assert is_likely_windows(line.encode("cp1252")) == likely
    # The same in UTF-8 is none, nor is what begins like it.
    assert not is_likely_windows(line.encode())
    assert not is_likely_windows(line.encode() + b"\x81")


@pytest.mark.parametrize(
    "line", [b"q1 \xff d", b"q \xed\xa0\x80 d", b"\xc0\xaf", b"a\x9d"]
)
def test_damage_is_no_text_of_windows(line: bytes) -> None:
    assert not is_likely_windows(line)


CHANGING = (
    *("utf-7", "utf-16", "cp037", "idna", "rot13", "base64", "hz", "iso2022_jp"),
    *("unicode_escape", "raw_unicode_escape", "punycode", "undefined", "latin-1\0"),
)


@pytest.mark.quick
@pytest.mark.parametrize("encoding", CHANGING)
@pytest.mark.usefixtures("here")
def test_an_encoding_that_would_change_ascii_is_refused(encoding: str) -> None:
    Path("j.csv").write_text("query,doc,grade\nq,a,1\n")
    refused = pytest.raises(NdcgSqlError, match="not an encoding that contains ASCII")
    with Warehouse.memory() as warehouse, refused:
        warehouse.load_judgments("j.csv", encoding=encoding)


@pytest.mark.parametrize("encoding", ["shift_jis", "gb18030", "big5", "euc_jp"])
@pytest.mark.usefixtures("here")
def test_signs_of_several_bytes_are_read_in_many_lines(encoding: str) -> None:
    rows = [f"日本{number},表,{number % 3}\n" for number in range(2500)]
    Path("j.csv").write_bytes(f"query,doc,grade\n{''.join(rows)}".encode(encoding))
    with Warehouse.memory() as warehouse:
        warehouse.load_judgments("j.csv", encoding=encoding)
        sql = "select count(distinct query_id), min(query_id), max(doc_id)"
        [row] = warehouse.query(f"{sql} from judgments").to_dicts()
    assert (*row.values(),) == (2500, "日本0", "表")
