"""The bundle for Superset fits what is published; its command says what is wrong."""

import json
import subprocess
import sys
import zipfile
from importlib import import_module
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml

from support.commands import Command, Once
from support.processes import ran
from support.servers import USER, Server, free_port
from support.superset import FOLDER

# scipy imports its parts, which takes a second, where they are used.
scipy: Any = import_module("scipy")
SQL_TYPES = {"FLOAT": "DOUBLE"}


def command(*arguments: str | Path, password: str = "") -> tuple[int, str, str]:
    """Run the command; return its exit code and what it prints."""
    done = ran(
        [sys.executable, FOLDER / "import_dashboard.py", *arguments],
        env={"SUPERSET_PASSWORD": password} if password else {},
        stdin=subprocess.DEVNULL,
    )
    return done.returncode, done.stdout, done.stderr


def written(target: str | Path, *options: str) -> dict[str, dict[str, Any]]:
    """Return the files of the bundle for a target, by their names."""
    code, out, err = command(target, "--output", "bundle.zip", *options)
    assert (code, out, err) == (0, 'wrote "bundle.zip"\n', "")
    with zipfile.ZipFile("bundle.zip") as files:
        return {
            name.removeprefix("ndcg-sql/"): yaml.safe_load(files.read(name))
            for name in files.namelist()
        }


def of_kind(bundle: dict[str, dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [file for name, file in bundle.items() if name.startswith(f"{kind}/")]


def columns_of(dataset: dict[str, Any]) -> list[str]:
    return [column["column_name"] for column in dataset["columns"]]


@pytest.fixture
def published(ndcg: Command, once: Once, here: Path) -> Path:
    def publish() -> None:
        assert ndcg("--quiet", "demo").code == 0
        assert ndcg("publish", "dashboards.duckdb").code == 0

    once(publish)
    return here / "dashboards.duckdb"


def select(dataset: dict[str, Any]) -> str:
    """Return a select of all columns and metrics of a dataset."""
    source = f"({dataset['sql']}) as x" if dataset.get("sql") else dataset["table_name"]
    columns = [
        f"{column.get('expression') or column['column_name']}"
        for column in dataset["columns"]
    ]
    metrics = [metric["expression"] for metric in dataset["metrics"]]
    groups = ", ".join(str(place + 1) for place in range(len(columns)))
    return f"select {', '.join([*columns, *metrics])} from {source} group by {groups}"


@pytest.mark.slow
def test_its_datasets_are_what_is_published(published: Path) -> None:
    bundle = written(published)
    [database] = of_kind(bundle, "databases")
    assert database["sqlalchemy_uri"] == f"duckdb:///{published}?access_mode=read_only"
    with duckdb.connect(str(published), read_only=True) as connection:
        for dataset in of_kind(bundle, "datasets"):
            assert dataset["schema"] == "main"
            assert dataset["database_uuid"] == database["uuid"]
            answer = connection.execute(select(dataset))
            found = [str(column[1]) for column in answer.description or []]
            named = [column["type"] for column in dataset["columns"]]
            known = [SQL_TYPES.get(each, each) for each in named]
            assert found[: len(known)] == known, dataset["table_name"]
            assert answer.fetchall(), dataset["table_name"]


@pytest.mark.slow
def test_its_datasets_on_postgresql(
    ndcg: Command, published: Path, postgresql: Server
) -> None:
    assert published.exists()
    assert ndcg("publish", postgresql.url, "--schema", "quality").code == 0
    try:
        postgresql.execute(f"alter role {USER} set search_path to quality")
        bundle = written(postgresql.url, "--schema", "quality")
        [database] = of_kind(bundle, "databases")
        known = postgresql.url.replace("postgresql+psycopg", "postgresql")
        assert database["sqlalchemy_uri"] == known
        for dataset in of_kind(bundle, "datasets"):
            assert dataset["schema"] == "quality"
            assert postgresql.rows(select(dataset)), dataset["table_name"]
    finally:
        postgresql.execute(f"alter role {USER} reset search_path")
        postgresql.execute("drop schema quality cascade")


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_its_parts_belong_together() -> None:
    bundle = written("x.duckdb")
    datasets = {each["uuid"]: each for each in of_kind(bundle, "datasets")}
    charts = {each["uuid"]: each for each in of_kind(bundle, "charts")}
    [dashboard] = of_kind(bundle, "dashboards")
    parts: dict[str, Any] = dashboard["position"]
    names = [name for name in parts if name.startswith("CHART-")]
    placed: list[dict[str, Any]] = [parts[name]["meta"] for name in names]
    assert {part["uuid"]: part["sliceName"] for part in placed} == {
        uuid: chart["slice_name"] for uuid, chart in charts.items()
    }
    used = {chart["dataset_uuid"] for chart in charts.values()}
    for each in dashboard["metadata"]["native_filter_configuration"]:
        [target] = each["targets"]
        dataset = datasets[target["datasetUuid"]]
        used.add(target["datasetUuid"])
        names = columns_of(dataset)
        assert target["column"]["name"] in names
        metrics = [metric["metric_name"] for metric in dataset["metrics"]]
        assert each.get("sortMetric") in [None, *metrics]
        # Without this, charts are drawn before the filter has its first value.
        first = each["controlValues"]["defaultToFirstItem"]
        assert each.get("requiredFirst", False) == first
        # What reads no filter is not asked again when it changes.
        unread = {
            part["chartId"]
            for part in placed
            if target["column"]["name"]
            not in columns_of(datasets[charts[part["uuid"]]["dataset_uuid"]])
        }
        excluded = set(each["scope"]["excluded"])
        assert excluded in (unread, set())
        assert excluded or len(unread) < len(placed) / 2
    assert used == set(datasets)
    for chart in charts.values():
        dataset = datasets[chart["dataset_uuid"]]
        known = columns_of(dataset)
        known += [each["metric_name"] for each in dataset["metrics"]]
        asked = chart["params"]
        keys = ("all_columns", "metrics", "groupby")
        named = [name for key in keys for name in asked.get(key, [])]
        named += [json.loads(each)[0] for each in asked.get("order_by_cols", [])]
        assert set(named) <= set(known), chart["slice_name"]


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_its_datasets_are_the_queries_of_all_programs() -> None:
    datasets = of_kind(written("x.duckdb"), "datasets")
    text = {each["table_name"]: each["sql"] for each in datasets if "sql" in each}
    for name in ("pairs", "verdict", "slices", "queries", "trust", "to_judge"):
        question = (FOLDER.parent / "sql" / f"{name}.sql").read_text()
        lines = question.splitlines()
        code = [line for line in lines if not line.strip().startswith("--")]
        # Charts order their rows themselves.
        end = [line.startswith("order by") for line in code].index(True)
        assert text[name].split() == " ".join(code[:end]).split()
    assert not [name for name, sql in text.items() if "{{" in sql]


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            "mysql://ann:secret@host/shop",
            "mysql://…: neither a published .duckdb file nor postgresql",
        ),
        ("what?.duckdb", "what?.duckdb: a path in a URL cannot have a question mark"),
        ("x.duckdb", "no password of admin: set SUPERSET_PASSWORD"),
        (
            "x.duckdb --output none/x.zip",
            "none/x.zip: cannot write: No such file or directory",
        ),
    ],
)
def test_refusals(arguments: str, message: str) -> None:
    assert command(*arguments.split()) == (2, "", f"{message}\n")


@pytest.mark.usefixtures("here")
def test_no_server() -> None:
    address = f"http://127.0.0.1:{free_port()}"
    given = ("x.duckdb", "--superset", address)
    code, out, err = command(*given, password="secret")
    assert (code, out) == (2, "")
    assert err.startswith(f"{address}: no answer of Superset: ")
    assert err.count("\n") == 1


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_the_intervals_are_nearly_those_of_student() -> None:
    [dataset] = [
        found
        for found in of_kind(written("some.duckdb"), "datasets")
        if found["table_name"] == "run_values"
    ]
    low, high = (
        column["expression"]
        for end in ("ci_low", "ci_high")
        for column in dataset["columns"]
        if column["column_name"] == end
    )
    counts = "select n::bigint as n, 0.0 as value, 1.0 as standard_error"
    with duckdb.connect() as connection:
        rows = connection.execute(
            f"select n, {low}, {high} from ({counts} from range(1, 2000) t(n))"
        ).fetchall()
    assert [row[1:] for row in rows[:4]] == [(None, None)] * 4
    for n, from_, to in rows[4:]:
        student = scipy.stats.t.ppf(0.975, n - 1)
        assert (from_, to) == (
            pytest.approx(-student, rel=4e-4),
            pytest.approx(student, rel=4e-4),
        )
        if n >= 10:
            assert to == pytest.approx(student, rel=1e-5)
