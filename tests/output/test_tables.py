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
from ndcg_sql.system.messages import Silent
from support.commands import Command

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
        load(warehouse, "judgments", [folder / "qrels"], Options(), Silent())
        load(warehouse, "run", [folder / "run"], Options(), Silent())
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


@pytest.mark.usefixtures("empty")
def test_names_with_marks_of_any_format_stay_text(ndcg: Command) -> None:
    names = ["[red]", "a|b *x*", "=1+1, 2", 'it\'s "x"', "漢字", "-"]
    Path("qrels").write_text("q 0 d 1\n")
    Path("run").write_text("q Q0 d 1 1 t\n")
    dataset = ["--dataset", "[b]a|b*[/b]"]
    assert ndcg("load", "judgments", "qrels", "--name", "`j`", *dataset).code == 0
    for name in names:
        assert ndcg("load", "run", "run", f"--name={name}", *dataset).code == 0
    table = lines(ndcg("report", "-m", "AP").out)
    assert table[0] == "dataset [b]a|b*[/b], judgment set `j`"
    assert [row.split("  ")[0] for row in table[3:]] == names
    markdown = lines(ndcg("report", "-m", "AP", "--format", "markdown").out)
    assert markdown[0] == "dataset \\[b\\]a\\|b\\*\\[/b\\], judgment set \\`j\\`"
    assert {row.replace("\\|", "").count("|") for row in markdown[2:]} == {7}
    found = json.loads(ndcg("report", "-m", "AP", "--format", "json").out)
    assert [row["run"] for row in found] == names
    one = ndcg("report", f"--run={names[3]}", "-m", "AP", "--format", "json").out
    assert [row["run"] for row in json.loads(one)] == [names[3]]


@pytest.mark.usefixtures("loaded")
def test_the_contents_are_listed(ndcg: Command) -> None:
    Path("r[1].run").write_text("q1 Q0 a 1 1 t\n")
    assert ndcg("load", "run", "r[1].run", "--dataset", "shop").code == 0
    found = json.loads(ndcg("list", "--format", "json").out)
    keys = ("kind", "dataset", "name", "queries", "documents", "source")
    assert [tuple(row[key] for key in keys) for row in found] == [
        ("judgments", "default", "qrels", 2, 4, "qrels"),
        ("run", "default", "base", 2, 4, "base"),
        ("run", "shop", "r[1]", 1, 1, "r[1].run"),
    ]
    table = ndcg("list")
    assert (table.code, table.err) == (0, "")
    assert len(lines(table.out)) == 5
    assert "r[1]" in table.out
    assert "r\\[1\\]" in ndcg("list", "--format", "markdown").out


def test_an_empty_warehouse_says_that_it_is(ndcg: Command, tmp_path: Path) -> None:
    assert ndcg("measures", "add", "P@5").code == 0
    assert json.loads(ndcg("list", "--format", "json").out) == []
    table = ndcg("list")
    assert (table.code, table.out) == (0, "")
    assert table.err == (
        "no judgments, assessments or runs; load some: ndcg-sql load judgments FILE,"
        " ndcg-sql load run FILE\n"
    )
    assert ndcg("--quiet", "list").err == ""
    assert [path.name for path in tmp_path.iterdir()] == ["ndcg.duckdb"]


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


@pytest.mark.usefixtures("here")
def test_a_table_in_colour_has_all_of_its_rows(ndcg: Command) -> None:
    Path("qrels").write_text("q 0 a 1\n")
    for name, score in (("first", 1), ("second", 3), ("third", 1)):
        Path(name).write_text(f"q Q0 a 1 {score} t\nq Q0 b 2 2 t\n")
    values = ("eval", "qrels", "first", "second", "third", "-m", "RR")
    coloured = ndcg("--color", "always", *values).out
    assert "\033" in coloured
    assert re.sub("\033\\[[0-9;]*m", "", coloured) == ndcg(*values).out
