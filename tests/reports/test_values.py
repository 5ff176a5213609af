"""Values as Python gets them: those of report, as frames, without a file written."""

import gc
import json
import shutil
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from ndcg_sql import NdcgSqlError, Warehouse
from support.commands import Command
from support.files import QRELS, RUN, digest
from support.libraries import library

pytestmark = pytest.mark.mostly_slow

# They come without complete types.
pa: Any = library("pyarrow")
pd: Any = library("pandas")
pl: Any = library("polars")

MEASURES = "nDCG@10 AP Judged@3 P(rel=2)@1"
COUNTS = ("n", "answered", "unanswered", "no_relevant", "unjudged_queries")


def rows(found: Any) -> list[dict[str, Any]]:
    return found.arrow().to_pylist()


def nulls(found: Any) -> list[bool]:
    return found.df()["value"].isna().tolist()


@pytest.fixture(scope="module")
def shop_file(tmp_path_factory: pytest.TempPathFactory, empty_file: Path) -> Path:
    """Return a warehouse of two datasets and three runs, for copying."""
    folder = tmp_path_factory.mktemp("shop")
    path = Path(shutil.copyfile(empty_file, folder / "ndcg.duckdb"))
    (folder / "qrels").write_text(QRELS)
    (folder / "base").write_text(RUN)
    known = pd.DataFrame({"query_id": ["q1", "q2"], "device": ["phone", "desk"]})
    ranked = {"query_id": ["q2"], "doc_id": ["a"], "score": [1.0]}
    with Warehouse.write(path) as warehouse:
        for dataset in ("web", "shop"):
            warehouse.load_judgments(folder / "qrels", dataset=dataset)
        warehouse.load_run(folder / "base", dataset="web")
        warehouse.load_run(folder / "base", dataset="shop")
        warehouse.load_run(pd.DataFrame(ranked), "other", dataset="shop")
        warehouse.load_queries(known, dataset="shop")
    return path


@pytest.fixture
def shop(here: Path, shop_file: Path) -> Path:
    """Put that warehouse where commands find it."""
    return Path(shutil.copyfile(shop_file, here / "ndcg.duckdb"))


ASKED: dict[str, tuple[dict[str, Any], list[str]]] = {
    "registered": ({}, []),
    "measures": ({"measures": MEASURES}, ["-m", MEASURES]),
    "a list": ({"measures": ["RR", "AP"]}, ["-m", "RR", "-m", "AP"]),
    "runs": ({"runs": ["other"]}, ["--run", "other"]),
    "a run": ({"runs": "base"}, ["--run", "base"]),
    "a dataset": ({"dataset": "web"}, ["--dataset", "web"]),
    "judgments": ({"judgments": "qrels"}, ["--judgments", "qrels"]),
    "queries": ({"per_query": True, "measures": MEASURES}, ["-q", "-m", MEASURES]),
    "slices": (
        {"by": "device", "dataset": "shop"},
        ["--by", "device", "--dataset", "shop"],
    ),
}


@pytest.mark.parametrize(("asked", "options"), ASKED.values(), ids=ASKED)
def test_values_are_those_of_the_command(
    ndcg: Command, shop: Path, asked: dict[str, Any], options: list[str]
) -> None:
    before = digest(shop)
    with Warehouse.read(shop) as warehouse:
        found = rows(warehouse.report(**asked))
    told = ndcg("report", *options, "--format", "json")
    assert found == json.loads(told.out)
    assert found
    assert digest(shop) == before


def test_values_come_as_every_kind_of_frame(shop: Path) -> None:
    with Warehouse.read(shop) as warehouse:
        found: Any = warehouse.report(MEASURES, runs="base", dataset="shop")
    # The warehouse is closed by now, and asked more than once.
    gc.collect()
    expected = rows(found)
    assert [row["measure"] for row in expected] == MEASURES.split()
    table = found.arrow()
    types = {field.name: field.type for field in table.schema}
    assert types["run"] == types["measure"] == pa.string()
    assert types["value"] == types["judged_at_k"] == pa.float64()
    assert {types[name] for name in COUNTS} == {pa.int64()}
    frame = found.pl()
    assert frame.to_dicts() == expected
    assert (frame.schema["run"], frame.schema["n"]) == (pl.String, pl.Int64)
    frame = found.df()
    assert frame["value"].tolist() == [row["value"] for row in expected]
    assert (frame["value"].dtype, frame["n"].dtype) == ("float64", "int64")
    assert found.relation.filter("measure = 'AP'").fetchall()[0][:4] == tuple(
        expected[1][name] for name in ("run", "judgment_set", "dataset", "measure")
    )


def test_a_value_that_is_left_out_is_null(shop: Path) -> None:
    with Warehouse.read(shop) as warehouse:
        found = warehouse.report(
            "nDCG(missing='omit')", runs="base", dataset="shop", per_query=True
        )
    values = [row["value"] for row in rows(found)]
    assert values[1] is None
    assert nulls(found) == [False, True]
    assert found.pl()["value"].to_list() == values


def test_measures_of_ir_measures_are_understood(shop: Path) -> None:
    theirs: Any = import_module("ir_measures")
    asked = [theirs.nDCG @ 10, theirs.P(rel=2) @ 1]
    with Warehouse.read(shop) as warehouse:
        found = rows(warehouse.report(asked, runs="base", dataset="shop"))
        one = rows(warehouse.report(asked[0], runs="base", dataset="shop"))
    assert [row["measure"] for row in found] == ["nDCG@10", "P(rel=2)@1"]
    assert one == found[:1]


@pytest.mark.quick
@pytest.mark.parametrize("asked", ["measures", "runs", "by"])
def test_a_list_of_nothing_is_not_all_there_is(shop: Path, asked: str) -> None:
    nothing: dict[str, Any] = {asked: []}
    with (
        Warehouse.read(shop) as warehouse,
        pytest.raises(NdcgSqlError, match=f"{asked}: is empty; omit it"),
    ):
        warehouse.report(**nothing)


@pytest.mark.quick
def test_an_empty_warehouse_has_no_values() -> None:
    with (
        Warehouse.memory() as warehouse,
        pytest.raises(NdcgSqlError, match="no run in the warehouse"),
    ):
        warehouse.report()


def test_values_do_not_replace_each_other(shop: Path) -> None:
    with Warehouse.read(shop) as warehouse:
        first = warehouse.report("AP")
        second = warehouse.report("RR")
    assert {row["measure"] for row in rows(first)} == {"AP"}
    assert {row["measure"] for row in rows(second)} == {"RR"}


def test_a_file_that_is_only_now_begun_has_no_values(tmp_path: Path) -> None:
    path = tmp_path / "new.duckdb"
    with Warehouse.write(path) as warehouse:
        for measures in ("nDCG@10", None):
            with pytest.raises(NdcgSqlError, match="no run in the warehouse; load_run"):
                warehouse.report(measures)
    assert not path.exists()
