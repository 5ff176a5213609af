"""What people read is harmless; what programs read is exact."""

import csv
import io
import json
import re
import shutil
import unicodedata
from pathlib import Path

import duckdb
import pytest

from ndcg_sql.database import opening, sql_files, views
from ndcg_sql.database.database import Database
from ndcg_sql.evaluation.values import refill
from ndcg_sql.loading.sets import Options, load
from ndcg_sql.output.documents import escaped
from ndcg_sql.system.messages import Messages
from support.commands import Command
from support.scripts import scripted

pytestmark = pytest.mark.mostly_slow

FAMILY = "👩‍👩‍👧"
IDS = [
    *("[red]x[/red]", "[/]", "[link=http://example.org]x[/link]", ":smile:"),
    *("\x1b[31mred", "\x1b]0;title\x07", "\x9b31m", "\x08\x08", "\x7f", "\x01"),
    *("\u202eevil", "\u2066x", "\u200fx", "\u200b", "\u2028", "\u0085"),
    *("a|b", "||", "*b*", "_i_", "`c`", "<b>", "<script>", "a\\|b", "[x](y)", "~s~"),
    *("=cmd()", "+1", "-1", "@x", "%s", "{0}", "$1", "'", '"', '""', "a,b", "a;b"),
    *(
        "é",
        "e\u0301",
        "漢字",
        FAMILY,
        "\U0010ffff",
        "\u00a0x",
        "x" * 300,
        "NULL",
        "null",
    ),
]
UNSAFE = {"Cc", "Cf", "Zl", "Zp"}


@pytest.fixture(scope="module")
def hostile_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a warehouse with a run whose queries and documents have hostile ids."""
    folder = tmp_path_factory.mktemp("hostile")
    run = "".join(f"q Q0 {i} 1 {n} t\n" for n, i in enumerate(IDS))
    run += "".join(f"{i} Q0 {i} 1 1 t\n" for i in IDS)
    qrels = "".join(f"q 0 {i} 1\n" for i in IDS)
    qrels += "".join(f"{i} 0 {i} 1\n" for i in IDS)
    (folder / "run").write_bytes(run.encode())
    (folder / "qrels").write_bytes(qrels.encode())
    with opening.write(folder / "ndcg.duckdb", refill) as warehouse:
        load(warehouse, "judgments", [folder / "qrels"], Options(), Messages())
        load(warehouse, "run", [folder / "run"], Options(), Messages())
    return folder / "ndcg.duckdb"


@pytest.fixture
def hostile(tmp_path: Path, hostile_file: Path) -> list[str]:
    """Put the hostile warehouse where commands find it; return its queries."""
    shutil.copyfile(hostile_file, tmp_path / "ndcg.duckdb")
    return [*IDS, "q"]


def is_harmless(text: str) -> bool:
    """Tell whether a text for people has no control character but line ends.

    The joiners of an emoji are part of it.
    """
    characters = text.replace(FAMILY, "").replace("\n", "")
    return all(unicodedata.category(c) not in UNSAFE for c in characters)


def lines(text: str) -> list[str]:
    """Return the lines of a table, told apart by line feeds alone."""
    return text.removesuffix("\n").split("\n")


def test_a_table_of_hostile_ids_is_harmless(ndcg: Command, hostile: list[str]) -> None:
    for command in (
        ["report", "-q", "-m", "AP"],
        ["explain", "run", "q", "-m", "nDCG"],
        ["explain", "run", "\x1b[31mred", "-m", "nDCG"],
    ):
        out = ndcg(*command).out
        assert is_harmless(out)
        assert "\\x1b[31mred" in out or "\\x1b" not in "".join(command)
    table = ndcg("report", "-q", "-m", "AP").out
    assert len(lines(table)) == len(hostile) + 3
    cells = ("[red]x[/red]", ":smile:", r"\u202eevil", r"\x9b31m", "a|b", "=cmd()")
    assert all(f"run   {cell} " in table for cell in cells)


def test_a_markdown_table_of_hostile_ids_keeps_its_shape(
    ndcg: Command, hostile: list[str]
) -> None:
    out = ndcg("report", "-q", "-m", "AP", "--format", "markdown").out
    assert is_harmless(out)
    rows = lines(out)[2:]
    assert len(rows) == len(hostile) + 2
    for row in rows:
        bare = row.replace("\\\\", "").replace("\\|", "")
        assert bare.count("|") == 4, row
    for shown in ("a\\|b", "\\*b\\*", "\\`c\\`", "\\<b\\>", "\\[x\\](y)", "\\_i\\_"):
        assert f" {shown} " in out


def test_hostile_ids_are_exact_in_every_data_format(
    ndcg: Command, hostile: list[str]
) -> None:
    command = ["report", "-q", "-m", "AP", "--format"]
    expected = sorted(hostile)
    of_json = json.loads(ndcg(*command, "json").out)
    assert sorted(row["query_id"] for row in of_json) == expected
    for form, delimiter in (("csv", ","), ("tsv", "\t")):
        text = io.StringIO(ndcg(*command, form).out, newline="")
        rows = list(csv.DictReader(text, delimiter=delimiter))
        assert sorted(row["query_id"] for row in rows) == expected
    ndcg(*command, "parquet", "-o", "out.parquet")
    stored = duckdb.execute("select query_id from 'out.parquet'").fetchall()
    assert sorted(query for (query,) in stored) == expected


def test_a_hostile_query_is_explained(ndcg: Command, hostile: list[str]) -> None:
    for query in ("[red]x[/red]", "\x1b[31mred", "-1", "漢字", "=cmd()"):
        result = ndcg("explain", "--format", "json", "run", "--", query)
        assert [row["doc_id"] for row in json.loads(result.out)] == [query]
        assert query in hostile


def test_the_schema_tells_every_public_relation(
    ndcg: Command, memory: Database
) -> None:
    result = ndcg("schema")
    assert (result.code, result.err) == (0, "")
    _, *sections = re.split(r"(?m)^### `", result.out)
    told = {text.partition("`")[0]: text for text in sections}
    assert list(told) == list(views.public())
    meanings = {row["column"]: row["meaning"] for row in sql_files.rows("columns")}
    for name, text in told.items():
        assert views.public()[name].comment in text
        columns = memory.execute(f"describe main.{name}")
        lines = [line for line in text.splitlines() if line.startswith("| ")][1:]
        assert len(lines) == len(columns)
        for line, (column, kind, *_) in zip(lines, columns, strict=True):
            cells = re.split(r"(?<!\\)\|", line)[1:-1]
            meaning = escaped(meanings[column], "markdown")
            expected = [column, kind.lower(), meaning]
            assert [cell.strip() for cell in cells] == expected, (name, column)
    assert ndcg("schema", "-o", "schema.md").out == ""
    assert Path("schema.md").read_text(encoding="utf-8") == result.out


test_script = scripted(__file__)
