"""Text as Windows and Excel write it: in Windows-1252, and after a line sep=;."""

import csv
import shlex
from io import StringIO
from pathlib import Path

import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from ndcg_sql.reading import windows
from support import exploring
from support.commands import Command
from support.files import stored

pytestmark = pytest.mark.mostly_slow

LOOKS = "it looks like Windows-1252, as Excel saves CSV"
JUDGED = [("größe", "a", 2), ("Äpfel", "b", 1), ("naïve “quotes”", "c", 0)]
HEADERS = {"ASCII": "query,doc,grade", "umlauts": "query,doc,grade,Größe"}


def judged(header: str = HEADERS["ASCII"], delimiter: str = ",") -> str:
    more = ("",) * (header.count(",") - 2)
    text = StringIO()
    rows = csv.writer(text, delimiter=delimiter, lineterminator="\r\n")
    rows.writerows([header.split(","), *((*row, *more) for row in JUDGED)])
    return text.getvalue()


FOUND = "select query_id, doc_id, grade from judgments order by doc_id"


@pytest.mark.quick
@pytest.mark.parametrize("header", exploring.mostly_slow(HEADERS, "ASCII"))
@pytest.mark.usefixtures("here")
def test_text_of_windows_is_read_as_told(ndcg: Command, header: str) -> None:
    content = judged(HEADERS[header]).encode("cp1252")
    Path("old one.csv").write_bytes(content)
    refused = ndcg("load", "judgments", "old one.csv")
    assert (refused.code, refused.out) == (2, "")
    line = 1 if header == "umlauts" else 2
    assert refused.err.startswith(f"old one.csv:{line}: byte ")
    more = {"umlauts": 3, "ASCII": 2}[header]
    assert f" is not UTF-8 text (and {more} more lines alike); {LOOKS}" in refused.err
    command = "ndcg-sql load judgments 'old one.csv' --encoding windows-1252"
    assert refused.err.endswith(f"\nif this is right: {command}\n")
    assert ndcg(*shlex.split(command)[1:]).code == 0
    assert stored(FOUND) == JUDGED


@pytest.mark.quick
@pytest.mark.usefixtures("here")
def test_judgments_of_windows_in_place_of_a_run_are_loaded_as_told(
    ndcg: Command,
) -> None:
    Path("old.txt").write_bytes("größe 0 a 2\nÄpfel 0 b 1\n".encode("cp1252"))
    told = ndcg("load", "run", "old.txt").refusal.splitlines()
    assert told[1:3] == [
        "- the text is Windows-1252, not UTF-8",
        "- it looks like judgments",
    ]
    command = "ndcg-sql load judgments old.txt --encoding windows-1252"
    assert told[3] == f"if this is right: {command}"
    assert ndcg(*shlex.split(command)[1:]).code == 0
    assert stored(FOUND) == JUDGED[:2]


@pytest.mark.usefixtures("here")
def test_all_that_a_file_needs_is_asked_at_once(ndcg: Command) -> None:
    text = "Wort;SKU;Wert\r\ngröße;a;1,5\r\nfön;b;2\r\n"
    Path("old.csv").write_bytes(text.encode("cp1252"))
    asked = ndcg("load", "run", "old.csv", "--column", "score=Wert")
    assert asked.err.splitlines()[1:3] == [
        '- no usual name of a column for "query_id", "doc_id"',
        "- the text is Windows-1252, not UTF-8",
    ]
    Path("new.csv").write_text(text, newline="")
    named = ("--column=score=Wert", "--column=query_id=Wort", "--column=doc_id=SKU")
    options = (*named, "--encoding", "windows-1252", "--decimal", ",")
    for file in ("old.csv", "new.csv"):
        # UTF-8 stays what it is, so that one option serves several files.
        assert ndcg("load", "run", file, *options).code == 0
    sql = "select count(*), count(distinct query_id) from rankings"
    assert stored(sql) == [(4, 2)]


@pytest.mark.usefixtures("here")
def test_what_an_encoding_has_not_keeps_its_line(ndcg: Command) -> None:
    content = judged().encode("cp1252") + b"q\x81,d,1\r\n" + b"q,e,high\r\n"
    Path("old.csv").write_bytes(content)
    told = ndcg("load", "judgments", "old.csv", "--encoding", "windows-1252").err
    assert "old.csv:5: not windows-1252 text\n" in told
    assert 'old.csv:6: query "q", document "e": "high" is not a number' in told
    assert "2 bad lines of 5; nothing was loaded." in told


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("letter", ["ö", "Á"])
def test_lines_of_two_encodings_are_never_garbled(letter: str) -> None:
    lines = [f"{letter}x,a,1\n".encode(), f"{letter}y,b,1\n".encode("cp1252")]
    Path("old.csv").write_bytes(b"query_id,doc_id,grade\n" + b"".join(lines))
    with Warehouse.memory() as warehouse:
        with pytest.raises(NdcgSqlError, match="csv:3: byte 1 is not") as error:
            warehouse.load_judgments("old.csv")
        assert "encoding" not in str(error.value)
        with pytest.raises(NdcgSqlError, match="csv:2: not windows-1252 text"):
            warehouse.load_judgments("old.csv", encoding="windows-1252")


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
    assert windows.is_likely(line.encode("cp1252")) == likely
    # The same in UTF-8 is none, nor is what begins like it.
    assert not windows.is_likely(line.encode())
    assert not windows.is_likely(line.encode() + b"\x81")


@pytest.mark.parametrize(
    "line", [b"q1 \xff d", b"q \xed\xa0\x80 d", b"\xc0\xaf", b"a\x9d"]
)
def test_damage_is_no_text_of_windows(line: bytes) -> None:
    assert not windows.is_likely(line)


# What the first line says, what separates the fields, and what ends the lines.
STATED = {
    "semicolons": ("sep=;", ";", "\n"),
    "commas": ("sep=,", ",", "\r\n"),
    "upper case": ("SEP=;", ";", "\r\n"),
}


@pytest.mark.quick
@pytest.mark.parametrize("case", exploring.mostly_slow(STATED, "semicolons"))
@pytest.mark.parametrize("quotes", ["", pytest.param('"', marks=pytest.mark.slow)])
@pytest.mark.usefixtures("here")
def test_a_line_for_excel_is_read_past(ndcg: Command, case: str, quotes: str) -> None:
    stated, delimiter, end = STATED[case]
    rows = (
        ["query", "doc", "grade", "price"],
        ["q;1", "a", "2", "1,5"],
        ["q", "b", "1", "2"],
    )
    if not quotes:
        rows[1][0], rows[1][3] = "q1", "1.5"
    lines = [delimiter.join(f"{quotes}{one}{quotes}" for one in row) for row in rows]
    Path("e.csv").write_text(end.join([stated, *lines, ""]), newline="")
    told = ndcg("load", "judgments", "e.csv")
    assert (told.code, told.err) == (
        0,
        'loaded judgment set "e": 2 queries, 2 judgments\n'
        "ignored columns: price; to keep one of queries: --attribute NAME\n",
    )
    found = stored("select query_id, doc_id, grade from judgments order by doc_id")
    assert found == [(rows[1][0], "a", 2), ("q", "b", 1)]


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
