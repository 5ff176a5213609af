"""Text as Windows and Excel write it: in Windows-1252, and after a line sep=;."""

import csv
import gzip
import shutil
import subprocess
from io import StringIO
from pathlib import Path

import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python import Warehouse
from ndcg_sql.reading import windows
from support import exploring
from support.commands import Command
from support.files import stored

ENCODING = (
    "It looks like Windows-1252, not UTF-8: save it as UTF-8, or convert it with"
    " iconv -f cp1252 -t utf-8 {} > NEW."
)
JUDGED = [("größe", "a", 2), ("Äpfel", "b", 1), ("naïve “quotes”", "c", 0)]
HEADERS = {"ASCII": "query,doc,grade", "umlauts": "query,doc,grade,Größe"}


def judged(header: str = HEADERS["ASCII"], delimiter: str = ",") -> str:
    more = ("",) * (header.count(",") - 2)
    text = StringIO()
    rows = csv.writer(text, delimiter=delimiter, lineterminator="\r\n")
    rows.writerows([header.split(","), *((*row, *more) for row in JUDGED)])
    return text.getvalue()


@pytest.mark.parametrize("header", exploring.mostly_slow(HEADERS, "ASCII"))
@pytest.mark.usefixtures("here")
def test_text_of_windows_is_told_how_to_convert_it(ndcg: Command, header: str) -> None:
    content = judged(HEADERS[header]).encode("cp1252")
    Path("old one.csv").write_bytes(content)
    refused = ndcg("load", "judgments", "old one.csv")
    assert (refused.code, refused.out) == (2, "")
    line = 1 if header == "umlauts" else 2
    assert refused.err.startswith(f"old one.csv:{line}: byte ")
    told = ENCODING.format("'old one.csv'")
    assert refused.err.endswith(f"; nothing was loaded. {told}\n")
    command = refused.err[refused.err.index("iconv") :].rstrip(".\n")
    if not shutil.which("iconv"):
        pytest.skip("no iconv")
    command = command.replace("NEW", "new.csv")
    subprocess.run(command, shell=True, stdin=subprocess.DEVNULL, check=True)
    assert ndcg("load", "judgments", "new.csv").code == 0
    found = stored("select query_id, doc_id, grade from judgments order by doc_id")
    assert found == JUDGED


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_python_is_told_the_same() -> None:
    Path("old.csv").write_bytes(judged().encode("cp1252"))
    with Warehouse.memory() as warehouse:
        with pytest.raises(NdcgSqlError) as error:
            warehouse.load_judgments("old.csv")
        assert str(error.value).endswith(ENCODING.format("old.csv"))
        with pytest.raises(NdcgSqlError) as error:
            warehouse.load_queries("old.csv", columns={"text": "doc"})
        assert str(error.value).endswith(ENCODING.format("old.csv"))


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_the_file_to_convert_is_a_blank_where_it_is_compressed(ndcg: Command) -> None:
    Path("old.csv.gz").write_bytes(gzip.compress(judged().encode("cp1252")))
    refused = ndcg("load", "judgments", "old.csv.gz")
    assert refused.err.endswith(f" {ENCODING.format('FILE')}\n")


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_other_faults_are_told_beside(ndcg: Command) -> None:
    text = judged() + "q,d,high\r\n"
    Path("old.csv").write_bytes(text.encode("cp1252"))
    told = ndcg("load", "judgments", "old.csv").err
    assert '"high" is not a number' in told
    assert f"nothing was loaded. {ENCODING.format('old.csv')} Not numbers: " in told


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


@pytest.mark.slow
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
        'loaded judgment set "e": 2 queries, 2 judgments\nignored columns: price\n',
    )
    found = stored("select query_id, doc_id, grade from judgments order by doc_id")
    assert found == [(rows[1][0], "a", 2), ("q", "b", 1)]


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_what_is_stated_counts_before_what_the_header_has(ndcg: Command) -> None:
    header = "query;doc;grade;price, EUR"
    Path("e.csv").write_text(f"\ufeffsep=;\n{header}\nq;a;2;1\nq;b;x;1\n")
    told = ndcg("load", "judgments", "e.csv").err
    # Lines are those of the file.
    assert told.startswith('e.csv:4: query "q", document "b": "x" is not a number')
    by_number = (
        "--column",
        "query_id=1",
        "--column",
        "doc_id=2",
        "--column",
        "grade=3",
    )
    Path("e.csv").write_text("sep=;\nq;a;2\nq;b;1\n")
    assert ndcg("load", "judgments", "e.csv", *by_number).code == 0
    found = stored("select doc_id, grade from judgments order by doc_id")
    assert found == [("a", 2), ("b", 1)]


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_a_log_of_clicks_may_begin_so(ndcg: Command) -> None:
    rows = ["q;a;impression;1"] * 20 + ["q;a;click;1"] * 5
    text = "\n".join(["sep=;", "query;document;action;position", *rows, ""])
    Path("log.csv").write_text(text)
    assert ndcg("load", "clicks", "log.csv", "--model", "ctr").code == 0
    assert stored("select query_id, doc_id, grade from judgments") == [("q", "a", 0.25)]
