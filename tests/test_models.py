"""SQLAlchemy's tables describe the public relations, and select from them."""

from pathlib import Path
from typing import Any

import duckdb
import pytest
from sqlalchemy import MetaData, create_engine, func, inspect, select

from ndcg_sql import models
from ndcg_sql.database import views
from ndcg_sql.database.relations import relations
from ndcg_sql.models import run_values
from support import relations as facts
from support.commands import Command, Once

NAMES = sorted(views.public())


@pytest.fixture
def demo(ndcg: Command, here: Path, once: Once) -> Path:
    """Return a warehouse with rows in most relations."""

    def fill() -> None:
        assert ndcg("demo").code == 0
        text = (
            "query_id,doc_id,assessor,grade\nq1,a,Ann,1\nq1,a,Bob,0\nq1,b,Ann,2\n"
            "q1,b,Bob,2\nq2,a,Ann,0\n"
        )
        Path("said.csv").write_text(text)
        assert ndcg("load", "assessments", "said.csv", "--dataset", "demo").code == 0
        assert ndcg("tag", "run", "bm25", "model=a", "branch=main").code == 0
        assert ndcg("tag", "run", "hybrid", "model=b").code == 0
        Path("more.csv").write_text("query_id,doc_id,grade\nq01,a,1\nq02,b,0\n")
        loaded = ("load", "judgments", "more.csv", "--dataset", "demo")
        assert ndcg(*loaded).code == 0
        assert ndcg("measures", "add", "nDCG@5", "nDCG(gains='binary')@10").code == 0

    once(fill)
    return here / "ndcg.duckdb"


def test_the_types_are_those_of_a_new_warehouse() -> None:
    # After a change of sql/public, run python tests/support/relations.py.
    assert facts.FILE.read_text(encoding="utf-8") == facts.written()
    assert list(relations()) == NAMES


def test_every_public_relation_is_a_table_with_comments_and_a_key() -> None:
    assert sorted(models.metadata.tables) == NAMES
    for name in NAMES:
        table: Any = getattr(models, name)
        assert table is models.metadata.tables[name]
        assert table.comment == views.public()[name].comment
        assert list(table.primary_key.columns), name
        assert all(column.comment for column in table.columns)


@pytest.mark.slow
def test_no_two_rows_have_the_same_key(demo: Path) -> None:
    filled = 0
    with duckdb.connect(str(demo), read_only=True) as connection:
        for found in relations().values():
            key = ", ".join(found.key)
            count, keys = connection.execute(
                f"select count(*), count(distinct ({key})) from {found.name}"
            ).fetchall()[0]
            assert count == keys, found.name
            filled += bool(count)
            nulls = connection.execute(
                "select "
                + ", ".join(f"count(*) - count({column})" for column in found.key)
                + f" from {found.name}"
            ).fetchall()[0]
            for column, missing in zip(found.key, nulls, strict=True):
                assert not missing or column in found.nullable, (found.name, column)
    assert filled >= len(NAMES) - 6


@pytest.mark.slow
def test_selects_are_written_with_them(ndcg: Command, demo: Path) -> None:
    assert ndcg("-w", demo, "list").code == 0
    engine = create_engine(f"duckdb:///{demo}", connect_args={"read_only": True})
    best = (
        select(run_values.c.run, func.round(run_values.c.value, 4))
        .where(run_values.c.dataset == "demo", run_values.c.measure == "nDCG@10")
        .where(run_values.c.judgment_set == "judgments")
        .order_by(run_values.c.value.desc())
    )
    try:
        with engine.connect() as connection:
            found: list[Any] = [tuple(row) for row in connection.execute(best)]
            assert found[0] == ("hybrid", 0.8517)
            for name in NAMES:
                table = models.metadata.tables[name]
                connection.execute(select(table).limit(1)).fetchall()
    finally:
        engine.dispose()


def test_an_orm_finds_a_class_for_each() -> None:
    from sqlalchemy.ext.automap import automap_base

    engine = create_engine("sqlite://")
    models.metadata.create_all(engine)
    assert sorted(inspect(engine).get_table_names()) == NAMES
    base: Any = automap_base(metadata=MetaData())
    base.prepare(autoload_with=engine)
    assert sorted(base.classes.keys()) == NAMES
    engine.dispose()
