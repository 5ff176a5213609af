"""emit --dbt: a package of dbt with the relations of the script."""

import re
from pathlib import Path

import duckdb
import pytest
import yaml

from support.commands import Command
from support.engines import NAMES, DuckDb
from support.other_clients import output, program

RANKINGS = [("u1", "a", 2.0, "base"), ("u1", "b", 1.0, "base"), ("u2", "b", 1.0, "new")]
JUDGMENTS = [("u1", "a", 1.0), ("u1", "b", 3.0)]
USERS = [("u1", "NO")]
EMIT = (
    *("emit", "--dialect", "duckdb", "-m", "nDCG(gains={1:3.5,2:9})@10 AP"),
    *("--rankings", "shop.main.results", "--judgments", "shop.main.grades"),
    *("--queries", "shop.main.users", "--by", "land", "--run-column", "system"),
    *(part for name in NAMES for part in ("--column", name)),
)


@pytest.mark.slow
def test_package_has_models_descriptions_and_tests(ndcg: Command) -> None:
    done = ndcg(*EMIT, "--compare", "{{ base }}", "--dbt", "package")
    assert (done.code, done.out) == (0, "")
    folder = Path("package")
    models = {path.stem: path.read_text() for path in folder.glob("models/*.sql")}
    described = yaml.safe_load((folder / "models" / "models.yml").read_text())
    assert {model["name"] for model in described["models"]} == models.keys()
    assert all(model["description"] for model in described["models"])
    assert {
        "query_values",
        "run_values",
        "slice_values",
        "comparisons",
    } <= models.keys()
    for name, text in models.items():
        read = set(re.findall(r"\{\{ ref\('(\w+)'\) \}\}", text))
        assert read <= models.keys() - {name}
    # What a user wrote is no template.
    assert any("'{{ '{' }}{{ '{' }} base }}'" in text for text in models.values())
    # No model replaces a table of the user.
    project = yaml.safe_load((folder / "dbt_project.yml").read_text())
    assert project["models"]["ndcg_sql"]["+schema"] == "ndcg_sql"
    tests = {path.stem for path in folder.glob("tests/*.sql")}
    assert {"rankings_duplicates", "judgments_nulls", "queries_nulls"} <= tests


def test_folder_that_is_there_is_not_written_to(ndcg: Command) -> None:
    Path("package").mkdir()
    done = ndcg(*EMIT, "--dbt", "package")
    assert "name a new folder" in done.refusal
    assert not [*Path("package").iterdir()]


@pytest.mark.clients
def test_dbt_builds_the_package(ndcg: Command) -> None:
    target = DuckDb()
    target.fill(RANKINGS, JUDGMENTS, USERS)
    shop = Path("shop.duckdb")
    target.connection.execute(f"attach '{shop}' as shop")
    for table in ("results", "grades", "users"):
        target.connection.execute(f"create table shop.{table} as from {table}")
    target.connection.execute("detach shop")
    assert ndcg(*EMIT, "--compare", "base", "--dbt", "package").code == 0
    project = Path("package") / "dbt_project.yml"
    project.write_text(project.read_text() + "\nprofile: shop\n")
    (Path("package") / "profiles.yml").write_text(
        "shop:\n  target: dev\n  outputs:\n    dev:\n      type: duckdb\n"
        f"      path: {Path('out.duckdb')}\n      attach:\n"
        f"        - {{path: {shop}, alias: shop}}\n"
    )
    folder = ("--project-dir", "package", "--profiles-dir", "package")
    built = output(program("dbt"), "--warn-error", "build", *folder)
    assert "WARN=0 ERROR=0 SKIP=0" in built
    Path("read.py").write_text(
        "import duckdb\nconnection = duckdb.connect('out.duckdb')\n"
        "print(connection.execute('select run, measure, round(value, 4) from"
        " main_ndcg_sql.run_values order by all').fetchall())\n"
    )
    with duckdb.connect(str(shop)) as connection:
        connection.execute(ndcg(*EMIT).out)
        rows = connection.execute(
            "select run, measure, round(value, 4) from ndcg_sql.run_values order by all"
        ).fetchall()
    assert output(program("python"), "read.py").strip() == str(rows)
