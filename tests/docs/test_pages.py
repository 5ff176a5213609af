"""Every page shows what its commands print, and every command is on a page."""

import re
from pathlib import Path

import duckdb
import pytest

from ndcg_sql.database import sql_files
from ndcg_sql.reading.detection import formats
from support import pages

PAGES = {str(page.relative_to(pages.ROOT)): page for page in pages.pages()}
REFERENCES = {page.name: write for page, write in pages.references().items()}
FAMILIES = sql_files.rows("measures")
default_install = pytest.mark.skipif(
    duckdb.__version__.startswith("2"),
    reason="the pages show the default install, which has DuckDB 1.5 and pandas",
)


@default_install
@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_a_page_shows_what_its_commands_print(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert pages.rendered(page, tmp_path).splitlines() == text.splitlines()


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("commands.md", [f"## `{command}`\n" for command in pages.commands()[1:]]),
        ("formats.md", [f"| `{name}` |" for name in formats()]),
        ("measures.md", [f"| {row['family']} " for row in FAMILIES]),
        ("packages.md", ["| `loading` |", "cli --> python"]),
        ("python.md", ["### Warehouse.report\n", "- `measures`: "]),
        ("relations.md", ["## `query_values`\n", "| judgment_set "]),
        ("systems.md", ["| trec_eval-9 "]),
    ],
)
def test_a_reference_page_has_all_that_there_is(
    name: str, parts: list[str], tmp_path: Path
) -> None:
    page = REFERENCES[name](tmp_path)
    assert [part for part in parts if part not in page] == []


def test_no_block_is_empty() -> None:
    blocks = re.compile(r"(?ms)^ *```\w+[^\n]*\n(.*?)^ *```$")
    texts = {page: page.read_text(encoding="utf-8") for page in PAGES.values()}
    empty = [
        p.name
        for p, text in texts.items()
        if not all(map(str.strip, blocks.findall(text)))
    ]
    assert empty == []
    assert sum(len(blocks.findall(text)) for text in texts.values()) > 100


def test_the_readme_is_short() -> None:
    lines = (pages.ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 200


@pytest.mark.parametrize("command", pages.commands())
def test_every_command_is_on_a_page(command: str) -> None:
    program, *names = command.split()
    # A command line of a console block, or a code span.
    used = rf"(?m)(^\$ |`){program} (--\w+ )*{' '.join(names)}\b"
    assert any(re.search(used, page.read_text("utf-8")) for page in PAGES.values())


def test_every_page_is_in_the_navigation() -> None:
    navigation = (pages.ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    pages_of_site = [*(pages.ROOT / "docs").glob("*.md"), *pages.references()]
    for page in pages_of_site:
        assert f": {page.relative_to(pages.ROOT / 'docs')}\n" in navigation


def test_every_column_of_the_table_of_families_is_explained() -> None:
    page = (pages.ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
    shown = page.partition("The columns of `sql/measures.csv`:")[2]
    rows = re.findall(r"(?m)^\| (`.*?`) \|", shown.partition("\n\nThe chain")[0])
    columns = [name.strip("`") for row in rows for name in row.split(", ")]
    assert columns == list(sql_files.rows("measures")[0])


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_a_select_of_values_chooses_a_judgment_set(page: Path) -> None:
    """A run has its values once for each judgment set: a second one doubles rows."""
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"^```.*?^```", text, re.M | re.S)
    selects = [
        block for block in blocks if re.search(r"from (run|query)_values\b", block)
    ]
    assert [block for block in selects if "judgment_set" not in block] == []
