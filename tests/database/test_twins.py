"""A dataset is alone: what another one holds changes nothing that is said of it."""

import json
import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import duckdb
import pytest

from support import exploring, twins
from support.commands import Command, Result
from support.files import Rows, made_tables, tables
from support.twins import Holding

PUBLIC = [
    path.stem
    for path in sorted((Path(__file__).parents[2] / "sql" / "public").glob("*.sql"))
    if path.stem not in ("gains", "measure_names", "measures")
]
RELATIONS = [f"main.{name}" for name in PUBLIC]
REPORTS, CHANGES = exploring.starred(__file__)


@pytest.fixture(scope="session")
def files(
    tmp_path_factory: pytest.TempPathFactory, empty_file: Path
) -> dict[str, Path]:
    """Return a warehouse with both datasets, and one with the second alone."""
    made: dict[str, Path] = {}
    for name, datasets in {"both": ("shop", "news"), "alone": ("news",)}.items():
        folder = tmp_path_factory.mktemp(name)
        made[name] = Path(shutil.copyfile(empty_file, folder / "ndcg.duckdb"))
        twins.fill(made[name], datasets)
    return made


@pytest.fixture(scope="module")
def held(
    files: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[Holding]]:
    """Return what both warehouses hold, as copies: commands open them, too."""
    folder = tmp_path_factory.mktemp("held")
    copies = [str(shutil.copyfile(path, folder / name)) for name, path in files.items()]
    with ExitStack() as stack:
        yield [
            Holding(stack.enter_context(duckdb.connect(copy, True, {"threads": 1})))
            for copy in copies
        ]


@pytest.mark.parametrize("relation", RELATIONS)
def test_a_relation_has_the_rows_of_a_dataset_alone(
    held: list[Holding], relation: str
) -> None:
    both, alone = (each.rows(relation, "news") for each in held)
    assert both == alone
    assert both
    assert held[0].rows(relation, "shop") != both


@pytest.mark.parametrize("report", exploring.tried(REPORTS))
def test_a_report_says_of_a_dataset_what_it_says_of_it_alone(
    ndcg: Command, files: dict[str, Path], report: str
) -> None:
    both, alone = (
        plain(ndcg("-w", path, *report.split(), "--dataset", "news"), path)
        for path in files.values()
    )
    assert both == alone
    assert both.code in (0, 1)
    assert len(both.out) > 100


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param([one for one in CHANGES if CHANGES[one]], id="deletions"),
        pytest.param([*CHANGES], marks=pytest.mark.slow, id="all"),
    ],
)
def test_a_change_of_a_dataset_leaves_the_other(
    ndcg: Command, files: dict[str, Path], changes: list[str]
) -> None:
    path = Path(shutil.copyfile(files["both"], Path("ndcg.duckdb")))
    with duckdb.connect(str(path), read_only=True) as connection:
        owned = {*Holding(connection).relations("store")} & made_tables()
    before = kept(path, owned)
    Path("other.csv").write_text("query_id,weight,device\nq1,7,tv\nq2,8,\nq9,1,tv\n")
    Path("documents.csv").write_text(
        "doc_id,title,category\nd1,1,a\nd2,2,a\nd13,13,a\n"
    )
    Path("known.csv").write_text("query_id,doc_id,count\nq1,d1,7\nq2,d13,1\n")
    Path("other").write_text("q1 0 d1 1\nq2 0 d2 2\n")
    Path("run").write_text("q1 Q0 d1 1 3 t\nq2 Q0 d3 1 2 t\n")
    Path("panel.csv").write_text("query_id,doc_id,grade\nq1,d1,2\n")
    for change in changes:
        was = path.read_bytes()
        of = () if change.startswith("remove dataset") else ("--dataset", "shop")
        result = ndcg(*change.split(), *of)
        assert result.code == 0, result.err
        assert path.read_bytes() != was, change
        assert kept(path, owned) == before, change
    has_all_gone = "shop" not in json.dumps(tables(path), default=str)
    assert has_all_gone == ("remove dataset shop" in changes)


def plain(result: Result, path: Path) -> Result:
    """Return what a command printed without where, when and as what it was stored."""
    there = str(path.parent)
    out = re.sub(r"20\d\d-\d\d-\d\d[ T][\d:.]+", "then", result.out)
    out = re.sub(r'"run_id":\d+', "", out)
    return Result(result.code, out.replace(there, ""), result.err.replace(there, ""))


def kept(path: Path, names: set[str]) -> dict[str, Rows]:
    """Return the rows of these tables that belong to the second dataset."""
    with duckdb.connect(str(path), read_only=True) as connection:
        holding = Holding(connection)
        return {name: holding.rows(f"store.{name}", "news") for name in names}
