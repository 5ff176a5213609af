"""The SQL files keep the rules that let them be read one by one."""

import re
from itertools import groupby
from pathlib import Path

import pytest

from ndcg_sql import sqlfiles
from ndcg_sql.warehouse import Warehouse

ROOT = Path(__file__).parents[1]
VIEWS = sorted((ROOT / "sql" / "views").glob("*/*.sql"))
SQL_FILES = sorted((ROOT / "sql").rglob("*.sql")) + sorted(
    (ROOT / "migrations").glob("*.sql")
)


def code(path: Path) -> str:
    """Return the text of a SQL file without its comments."""
    return re.sub(r"(?m)--.*$", "", path.read_text(encoding="utf-8"))


def layer(path: Path) -> int:
    """Return the number of a view's layer."""
    return int(path.parent.name.split("_")[0])


def shown(path: Path) -> str:
    """Return the path of a SQL file as the name of a test."""
    return str(path.relative_to(ROOT))


def read_by(path: Path) -> set[str]:
    """Return the relations that a SQL file reads."""
    return set(re.findall(r"\b(?:from|join)\s+([a-z_0-9]+)", code(path)))


@pytest.mark.parametrize("path", VIEWS, ids=shown)
def test_a_view_reads_only_lower_layers_and_tables(path: Path) -> None:
    layers = {other.stem: layer(other) for other in VIEWS}
    names = r"(?:with|with recursive|,)\s+([a-z_0-9]+) as (?:materialized )?\("
    own = set(re.findall(names, code(path)))
    known = set(sqlfiles.relations())
    for name in read_by(path) - own:
        assert name in known, name
        assert layers.get(name, 0) < layer(path), name


def test_the_views_of_a_layer_may_be_made_in_any_order() -> None:
    backwards = [
        path
        for _, group in groupby(VIEWS, layer)
        for path in sorted(group, reverse=True)
    ]
    with Warehouse.memory() as warehouse:
        for path in VIEWS:
            warehouse.execute(f"drop view {path.stem}")
        for path in backwards:
            text = path.read_text(encoding="utf-8")
            warehouse.execute(f"create view {path.stem} as {text}")
        for path in VIEWS:
            assert warehouse.execute(f"select * from {path.stem} limit 0") == []


def test_views_have_names_of_their_own() -> None:
    names = [path.stem for path in VIEWS]
    assert len(set(names)) == len(names)
    made = re.findall(r"create table (\w+)", "".join(map(code, SQL_FILES)))
    assert not set(names) & set(made)


@pytest.mark.parametrize("path", VIEWS, ids=shown)
def test_a_view_is_one_select_that_opens_with_its_comment(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert sqlfiles.opening_comment(text)
    assert ";" not in code(path)
    assert re.match(r"\s*(select|with)\b", code(path))


@pytest.mark.parametrize("path", SQL_FILES, ids=shown)
def test_a_sql_file_is_tidy(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert "\t" not in text
    assert "\r" not in text
    assert not re.search(r"(?m) +$", text)


CHECKS = [path.name for path in sorted((ROOT / "sql" / "checks").iterdir())]


@pytest.mark.parametrize("folder", CHECKS)
def test_a_check_has_a_number_that_orders_it_and_a_sentence(folder: str) -> None:
    for name in sqlfiles.names(f"checks/{folder}"):
        text = sqlfiles.read(name)
        assert re.fullmatch(r"[1-9]_[a-z_]+", name.split("/")[-1])
        sentence = sqlfiles.opening_comment(text)
        for field in re.findall(r"{(\w+)}", sentence):
            assert re.search(rf"\b{field}\b", code(ROOT / "sql" / f"{name}.sql")), name
