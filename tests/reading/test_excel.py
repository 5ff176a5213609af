"""Excel workbooks: what is read from them, and what is refused."""

import sys
import zipfile
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from support.commands import Command
from support.scripts import scripted
from support.ways_in import JUDGED, POSITIONS, RANKED, loaded_judgments, loaded_run

# It comes without types.

HEADER = ("query_id", "doc_id", "score")


def workbook(path: Path, *sheets: list[tuple[Any, ...]]) -> Path:
    """Write a workbook with these sheets."""
    xlsxwriter: Any = import_module("xlsxwriter")
    with xlsxwriter.Workbook(str(path), {"default_date_format": "yyyy-mm-dd"}) as book:
        for rows in sheets:
            sheet = book.add_worksheet()
            for number, row in enumerate(rows):
                sheet.write_row(number, 0, row)
    return path


test_script = scripted(__file__, workbook, HEADER=HEADER)


def test_a_sheet_is_read(memory: Database, tmp_path: Path) -> None:
    run = workbook(tmp_path / "r.xlsx", [(), HEADER, (), *RANKED], [])
    assert loaded_run(memory, run) == POSITIONS
    judged = [("note", "product_id", "query", "rating")]
    judged += [(True, d, q, g) for q, d, g in JUDGED]
    judgments = workbook(tmp_path / "j.xlsx", judged)
    expected = sorted((*row, None) for row in JUDGED)
    assert loaded_judgments(memory, judgments) == expected


def test_integers_are_ids(memory: Database, tmp_path: Path) -> None:
    rows = [HEADER, (1, 7, 0.1), (1, 999_999_999_999_999, 0.123456789012345)]
    assert loaded_run(memory, workbook(tmp_path / "r", rows)) == [
        ("1", "999999999999999", 1, 0.123456789012345),
        ("1", "7", 2, 0.1),
    ]


@pytest.mark.usefixtures("loaded")
def test_an_error_in_a_cell_is_refused_as_an_empty_one(ndcg: Command) -> None:
    xlsxwriter: Any = import_module("xlsxwriter")
    with xlsxwriter.Workbook("j.xlsx") as book:
        sheet = book.add_worksheet()
        rows = [("query_id", "doc_id", "grade"), ("q", "a"), ("q", "b"), ("q", "c")]
        for number, row in enumerate(rows, start=1):
            sheet.write_row(number, 26, row)
        sheet.write_formula("AC3", "=NA()", None, "#N/A")
        sheet.write_formula("AC4", "=1/0", None, "#DIV/0!")
        # It has not been computed.
        sheet.write_formula("AC5", "=1", None, "")
        sheet.write_row(5, 26, ("q", "", 1))
        sheet.write_formula("AB6", "=1", None, "#REF!")
    result = ndcg("load", "judgments", "j.xlsx")
    assert result.err.splitlines() == [
        'j.xlsx: row 3: query "q", document "a": the grade is empty',
        '- the grades are words: ""; -1 means unjudged',
        "if this is right: ndcg-sql load judgments j.xlsx --label =-1",
    ]
    assert ndcg("load", "judgments", "j.xlsx", "--label", "=-1").refusal.startswith(
        'j.xlsx: row 6: query "q": the document id is empty'
    )


@pytest.mark.parametrize("name", ["xl/sharedStrings.xml", "xl/worksheets/sheet1.xml"])
def test_a_changed_byte_is_refused(memory: Database, tmp_path: Path, name: str) -> None:
    good = workbook(tmp_path / "r.xlsx", [HEADER, ("q1", "document", 2.5)])
    plain = tmp_path / "plain.xlsx"
    with zipfile.ZipFile(good) as source, zipfile.ZipFile(plain, "w") as target:
        for part in source.namelist():
            target.writestr(part, source.read(part))
    assert loaded_run(memory, plain) == [("q1", "document", 1, 2.5)]
    old, new = {"xl/sharedStrings.xml": (b">doc", b">dot")}.get(name, (b"2.5", b"3.5"))
    content = plain.read_bytes()
    assert old in content
    plain.write_bytes(content.replace(old, new))
    with pytest.raises(NdcgSqlError) as raised:
        loaded_run(memory, plain)
    assert str(raised.value) == (
        f"{plain}: the zip file is damaged or cut short (Bad CRC-32 for file"
        f" '{name}'); fetch or compress it again"
    )


def test_a_place_before_the_beginning_is_refused(
    memory: Database, tmp_path: Path
) -> None:
    file = workbook(tmp_path / "r.xlsx", [HEADER, *RANKED])
    content = bytearray(file.read_bytes())
    # The end of the archive says how long the directory before it is.
    end = content.rindex(b"PK\5\6")
    content[end + 12 : end + 16] = (end + 1).to_bytes(4, "little")
    file.write_bytes(content)
    with pytest.raises(NdcgSqlError, match="the zip file is damaged"):
        loaded_run(memory, file)
    # A part begins after the end of the file.
    good = workbook(file, [HEADER, *RANKED]).read_bytes()
    first = good.index(b"PK\1\2")
    part = (1 << 31).to_bytes(4, "little")
    file.write_bytes(good[: first + 42] + part + good[first + 46 :])
    with pytest.raises(NdcgSqlError, match="the zip file is damaged"):
        loaded_run(memory, file)


@pytest.mark.slow
@pytest.mark.usefixtures("loaded")
def test_a_missing_library_is_named(
    ndcg: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    workbook(Path("r.xlsx"), [HEADER])
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    assert ndcg("load", "run", "r.xlsx").refusal == (
        "r.xlsx: an Excel workbook; to read it: pip install 'ndcg-sql[excel]', or"
        " save the table as CSV\n"
    )
