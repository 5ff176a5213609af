"""Paths into nested data: the same rows from every format that can hold them."""

import csv
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from ndcg_sql.reading.columns import Kind
from support import exploring
from support.commands import Command
from support.files import json_lines, stored
from support.libraries import library
from support.scripts import scripted

test_script = scripted(__file__)

Objects = list[dict[str, Any]]
Columns = dict[str, str]
SELECTS: dict[str, str] = {
    "run": "select query_id, doc_id from rankings order by query_id, position",
    "judgments": "select query_id, doc_id, grade from judgments order by all",
    "queries": "select query_id, text from queries order by all",
}


def write_csv(objects: Objects, path: Path) -> Path:
    """Write a table, in which what is nested is JSON."""
    header = list(dict.fromkeys(key for row in objects for key in row))
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.DictWriter(file, header)
        rows.writeheader()
        for row in objects:
            cells = {
                key: value if isinstance(value, str) else json.dumps(value)
                for key, value in row.items()
            }
            rows.writerow(cells)
    return path


def written(text: str, path: Path) -> Path:
    """Write a text; return its path."""
    path.write_text(text, encoding="utf-8")
    return path


def write_parquet(objects: Objects, path: Path) -> Path:
    """Write structs and lists."""
    table = library("pyarrow").Table.from_pylist(objects)
    library("pyarrow.parquet").write_table(table, path)
    return path


FORMS: dict[str, Callable[[Objects, Path], Any]] = {
    "jsonl": lambda objects, path: written(json_lines(objects), path / "f.jsonl"),
    "json": lambda objects, path: written(json.dumps(objects), path / "f.json"),
    "indented": lambda objects, path: written(
        json.dumps(objects, indent=1), path / "f.json"
    ),
    "csv": lambda objects, path: write_csv(objects, path / "f.csv"),
    "parquet": lambda objects, path: write_parquet(objects, path / "f.parquet"),
    "arrow": lambda objects, _: library("pyarrow").Table.from_pylist(objects),
    "pandas": lambda objects, _: library("pandas").DataFrame(objects),
    "polars": lambda objects, _: library("polars").DataFrame(objects),
}


def rows_of(source: Any, kind: Kind, columns: Columns, **options: Any) -> list[Any]:
    """Return what a warehouse holds after a source is loaded."""
    with Warehouse.memory() as warehouse:
        load = getattr(warehouse, f"load_{kind}")
        load(source, columns=columns, **options)
        return [*warehouse.query(SELECTS[kind]).df().itertuples(index=False, name=None)]


@dataclass(frozen=True)
class Shape:
    """Nested objects, the paths that name columns, and the rows that they are."""

    objects: Objects
    columns: Columns
    rows: list[list[Any]]
    kind: Kind = "run"
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])


TEXT = Path(__file__).with_name("shapes.json").read_text(encoding="utf-8")
SHAPES = {name: Shape(**shape) for name, shape in json.loads(TEXT).items()}
CASES = [(form, name) for name in SHAPES for form in FORMS]


@pytest.mark.parametrize(("form", "name"), exploring.sampled(CASES, 5))
def test_a_shape_is_the_same_rows_in_every_format(
    tmp_path: Path, form: str, name: str
) -> None:
    shape = SHAPES[name]
    source = FORMS[form](shape.objects, tmp_path)
    rows = rows_of(source, shape.kind, shape.columns, **shape.options)
    assert [*map(list, rows)] == shape.rows


IDS = st.text("abxyz .-é", min_size=1, max_size=3).filter(str.strip)
RANKED = st.dictionaries(
    IDS, st.lists(IDS, max_size=4, unique=True), min_size=1, max_size=3
).filter(lambda ranked: any(ranked.values()))


@st.composite
def nestings(draw: st.DrawFn) -> tuple[dict[str, list[str]], Objects, Columns]:
    """Draw rankings, objects in which they are nested somehow, and their columns."""
    ranked = draw(RANKED)
    names = st.lists(st.sampled_from(["a", "b.c", "d e", "ids"]), max_size=2)
    above, inside, at_query = draw(names), draw(names), draw(names)
    form = draw(st.sampled_from(["ids", "objects", "parallel"]))
    by_score = form != "ids" and draw(st.booleans())
    depth = draw(st.integers(0, 2))

    def under(keys: list[str], value: Any) -> Any:
        for key in reversed(keys):
            value = {key: value}
        return value

    def in_lists(items: list[Any]) -> list[Any]:
        for _ in range(depth):
            items = [items[:1], items[1:]] if len(items) > 1 else [items]
        return items

    objects: Objects = []
    for query, documents in ranked.items():
        scored = [*enumerate(documents)]
        if by_score:
            scored.reverse()
        ids, scores = [d for _, d in scored], [10 - at for at, _ in scored]
        items: list[Any] = ids
        if form == "objects":
            items = [
                under(inside, {"key": d} | ({"sim": s} if by_score else {}))
                for d, s in zip(ids, scores, strict=True)
            ]
        lists = {"docs": in_lists(items)}
        if form == "parallel" and by_score:
            lists["sims"] = in_lists(scores)
        objects.append({"q": under(at_query, query), "rest": under(above, lists)})
    path = ".".join(["rest", *above, "docs"])
    deep = ".".join([path, *inside])
    columns = {
        "query_id": ".".join(["q", *at_query]),
        "doc_id": f"{deep}.key" if form == "objects" else path,
    }
    if by_score:
        beside = ".".join(["rest", *above, "sims"])
        columns["score"] = f"{deep}.sim" if form == "objects" else beside
    return ranked, objects, columns


@settings(max_examples=exploring.amount(12, 300))
@given(nestings(), st.sampled_from(["jsonl", "json", "csv", "pandas"]))
def test_rankings_come_back_from_wherever_they_are_nested(
    nested: tuple[dict[str, list[str]], Objects, Columns], form: str
) -> None:
    ranked, objects, columns = nested
    with TemporaryDirectory() as folder:
        rows = rows_of(FORMS[form](objects, Path(folder)), "run", columns)
    assert rows == [(q, d) for q in sorted(ranked) for d in ranked[q]]


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet"])
def test_a_missing_column_is_proposed_by_its_path(tmp_path: Path, form: str) -> None:
    documents = [{"id": f"d{at}", "score": 0.5 - at / 10} for at in range(3)]
    objects = [
        {"query_id": f"q{at}", "retrieval": {"documents": documents}} for at in range(3)
    ]
    with pytest.raises(NdcgSqlError) as error:
        rows_of(FORMS[form](objects, tmp_path), "run", {})
    assert '"doc_id": "retrieval.documents.id"' in str(error.value)


@pytest.mark.slow
def test_runs_and_slices_of_a_file_are_named_by_paths(ndcg: Command) -> None:
    spans = [
        {"kind": {"of": kind}, "by": {"run": run}, "q": "1", "docs": [doc]}
        for kind, run, doc in (("r", "x", "a"), ("r", "y", "b"), ("s", "x", "c"))
    ]
    Path("f.jsonl").write_text(json_lines(spans))
    named = ("--column", "query_id=q", "--column", "doc_id=docs")
    chosen = ("--run-column", "by.run", "--where", "kind.of=r")
    assert ndcg("load", "run", "f.jsonl", *named, *chosen).code == 0
    select = "select name, doc_id from rankings join runs using (run_id) order by all"
    assert stored(select) == [("x", "a"), ("y", "b")]
