"""The dbt package: its sources are what is published, and its example is right."""

import csv
import json
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml

from ndcg_sql.database import sql_files, views
from ndcg_sql.database.relations import relations
from support import pages
from support.commands import Command, Once
from support.other_clients import ended, examples, output, program
from support.servers import DATABASE, PASSWORD, USER, Server

FOLDER = pages.ROOT / "bi" / "dbt"
SEED = FOLDER / "example" / "seeds" / "query_revenue.csv"
QUERIES = pages.ROOT / "ndcg_sql" / "demo" / "queries.csv"
MODEL = "revenue_by_category"
COLUMNS = (
    "run, category, queries, queries_with_revenue, ndcg, revenue, revenue_at_stake"
)
# The tests of the package, without those of the example.
OF_PACKAGE = (
    "test",
    "--select",
    "package:ndcg_sql",
    "--indirect-selection",
    "cautious",
)
# Every test of the package, the seed, the model, and their tests.
FEWEST_STEPS = 150
Dbt = Callable[..., str]


@pytest.mark.usefixtures("here")
def test_the_sources_are_what_is_published() -> None:
    shutil.copytree(FOLDER, "dbt", ignore=shutil.ignore_patterns("sources.yml"))
    for _ in range(2):
        assert output(sys.executable, "dbt/sources.py").startswith('wrote "')
    text = Path("dbt/package/models/sources.yml").read_text(encoding="utf-8")
    [source] = yaml.safe_load(text)["sources"]
    assert {
        table["name"]: {column["name"] for column in table["columns"]}
        for table in source["tables"]
    } == {name: set(relation.columns) for name, relation in relations().items()}


def test_dbt_takes_no_description_for_a_template() -> None:
    meanings = [row["meaning"] for row in sql_files.rows("columns")]
    comments = [view.comment for view in views.public().values()]
    for text in (*meanings, *comments):
        assert not [mark for mark in ("{{", "{%", "{#") if mark in text], text


@pytest.fixture
def warehouse(ndcg: Command, once: Once, here: Path) -> Path:
    """Copy the package, and publish the demo into its example."""

    def publish() -> None:
        shutil.copytree(FOLDER, "dbt")
        output(sys.executable, "dbt/sources.py")
        assert ndcg("--quiet", "demo").code == 0
        assert ndcg("publish", "dbt/example/dashboards.duckdb").code == 0
        output(program("dbt"), "--quiet", "deps", "--project-dir", "dbt/example")

    once(publish)
    return here / "ndcg.duckdb"


@pytest.fixture
def published(warehouse: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Go to the example, and return the published file."""
    monkeypatch.chdir(warehouse.parent / "dbt" / "example")
    return Path("dashboards.duckdb")


@pytest.fixture
def dbt(published: Path) -> Dbt:
    """Run dbt in the example; a warning is an error."""
    assert published.exists()

    def run(*arguments: str, **variables: str) -> str:
        return output(program("dbt"), "--warn-error", *arguments, **variables)

    return run


def rounded(rows: list[Any]) -> list[list[Any]]:
    """Return rows with six decimals, for sums that differ in their last bits."""
    return [[round(v, 6) if isinstance(v, float) else v for v in row] for row in rows]


def expected(ndcg: Command, warehouse: Path) -> list[list[Any]]:
    """Return the rows of the model, computed from a report and the CSV files."""
    report = ("report", "-m", "nDCG@10", "-q", "--format", "json")
    with SEED.open(encoding="utf-8", newline="") as file:
        revenue = {row["query_id"]: int(row["revenue"]) for row in csv.DictReader(file)}
    with QUERIES.open(encoding="utf-8", newline="") as file:
        category = {row["query_id"]: row["category"] for row in csv.DictReader(file)}
    slices: dict[tuple[str, str], list[tuple[float, int | None]]] = {}
    for row in json.loads(ndcg("-w", warehouse, *report).out):
        query = row["query_id"]
        values = slices.setdefault((row["run"], category[query]), [])
        values.append((row["value"], revenue.get(query)))
    rows: list[Any] = []
    for (run, name), values in sorted(slices.items()):
        known = [(value, amount) for value, amount in values if amount is not None]
        mean = sum(value for value, _ in values) / len(values)
        total = sum(amount for _, amount in known)
        lost = sum((1 - value) * amount for value, amount in known)
        rows.append((run, name, len(values), len(known), mean, total, lost))
    return rounded(rows)


def steps(printed: str) -> int:
    """Return how many steps of dbt passed."""
    assert "WARN=0 ERROR=0 SKIP=0" in printed
    return int(printed.split("PASS=")[1].split()[0])


@pytest.mark.clients
def test_the_example_on_duckdb(ndcg: Command, warehouse: Path, dbt: Dbt) -> None:
    built = dbt("build")
    assert "WARNING" not in built
    assert steps(built) >= FEWEST_STEPS
    # The file of dbt's DuckDB is newer than what this process may read.
    Path("read.py").write_text(
        "import duckdb, json\n"
        "connection = duckdb.connect('shop.duckdb', read_only=True)\n"
        f"sql = 'select {COLUMNS} from {MODEL} order by run, category'\n"
        "print(json.dumps(connection.execute(sql).fetchall()))\n"
    )
    rows = json.loads(output(program("python"), "read.py"))
    assert rounded(rows) == expected(ndcg, warehouse)


@pytest.mark.clients
def test_the_example_on_postgresql(
    ndcg: Command, warehouse: Path, dbt: Dbt, postgresql: Server
) -> None:
    assert ndcg("-w", warehouse, "publish", postgresql.url).code == 0
    where = {
        "PGHOST": "127.0.0.1",
        "PGPORT": str(postgresql.port),
        "PGUSER": USER,
        "PGPASSWORD": PASSWORD,
        "PGDATABASE": DATABASE,
    }
    try:
        built = dbt("build", "--target", "postgresql", **where)
        assert steps(built) >= FEWEST_STEPS
        rows = postgresql.rows(f"select {COLUMNS} from shop.{MODEL} order by 1, 2")
        assert rounded(rows) == expected(ndcg, warehouse)
        elsewhere = ("--target", "postgresql", "--vars", "ndcg_sql_schema: elsewhere")
        runs = ("test", "--select", "source:ndcg_sql.runs")
        code, printed = ended(program("dbt"), *runs, *elsewhere, **where)
        assert code == 1
        assert 'relation "elsewhere.runs" does not exist' in printed
    finally:
        postgresql.execute("drop schema if exists shop cascade")
        postgresql.execute("drop schema if exists ndcg_sql cascade")


@pytest.mark.clients
def test_its_tests_find_what_is_wrong(published: Path) -> None:
    with duckdb.connect(str(published)) as connection:
        connection.execute("insert into run_values from run_values limit 1")
        connection.execute("insert into gains values (null, 1, 1)")
        connection.execute("delete from runs where run = 'keyword'")
        for missing in ("comparisons", "ndcg_steps"):
            connection.execute(f"drop table {missing}")
    page = dict(examples("dbt"))
    assert page["profiles.yml"].count("alias: ndcg_sql") == 1
    profile = page["profiles.yml"].replace("alias: ndcg_sql", "alias: quality")
    Path("profiles.yml").write_text(profile)
    # The page switches off one of the two that are missing.
    off = page["dbt_project.yml"]
    with Path("dbt_project.yml").open("a", encoding="utf-8") as file:
        file.write(off[off.index("sources:") :])
    database = ("--vars", "ndcg_sql_database: quality")
    code, printed = ended(program("dbt"), *OF_PACKAGE, *database)
    assert code == 1
    failed = " ".join(re.findall(r"(?:FAIL \d+|ERROR) source_(\w+)", printed))
    assert "unique_key_ndcg_sql_run_values_run_id__judgment_set_id__measure" in failed
    assert "not_null_ndcg_sql_gains_gain_scheme" in failed
    assert "relationships_ndcg_sql_evaluations_run_id__run_id__source" in failed
    assert "unique_key_ndcg_sql_comparisons" in failed
    assert "ndcg_steps" not in failed
    assert "query_values" not in failed
