"""Folders of values as ndcg-sql spark writes them, made from a warehouse."""

import json
from pathlib import Path

import duckdb
import pandas as pd  # pyright: ignore[reportMissingTypeStubs]

from ndcg_sql.measures.names import parse
from ndcg_sql.python.warehouse import Warehouse
from support.engines import Rows, rows_of
from support.expected import load, worlds
from support.worlds import FRACTIONS

_RELATIONS = {
    "run_queries": "runs.name as run, query_id, retrieved from store.run_queries",
    "hits": "runs.name as run, query_id, doc_id, position, tie_first, tie_last"
    " from store.hits",
}


def rows() -> tuple[Rows, Rows]:
    """Return rankings of two runs, and the judgments of their queries."""
    rankings, judgments = rows_of(worlds(FRACTIONS))
    return sorted(rankings, key=lambda row: row[3]), judgments


def fill_warehouse(path: Path) -> None:
    """Make a warehouse with the runs and their judgments, j."""
    with Warehouse(path) as warehouse:
        load(warehouse, *rows())


def fill_judgments(path: Path) -> None:
    """Make a warehouse with the judgments alone, j."""
    frame = pd.DataFrame(rows()[1], columns=["query_id", "doc_id", "grade"])
    with Warehouse(path) as warehouse:
        warehouse.load_judgments(frame, "j")


def write_values(
    folder: Path, warehouse: Path, measures: str, run: str | None = None
) -> None:
    """Write what Spark would of the runs of a warehouse, or of one without a name."""
    names = [measure.name for measure in parse(measures)]
    with Warehouse(warehouse) as opened:
        report = opened.report(measures, runs=run, per_query=True)
        values = report.relation.select("run", "query_id", "measure", "value")
        values = values.fetchall()
    which = "" if run is None else f" where runs.name = '{run}'"
    counts: dict[str, int] = {}
    with duckdb.connect(str(warehouse), read_only=True) as connection:
        found = {
            name: f"select {text} inner join store.runs using (run_id){which}"
            for name, text in _RELATIONS.items()
        }
        found["judgments"] = "select query_id, doc_id, grade from store.judgments"
        frame = pd.DataFrame(values, columns=["run", "query_id", "measure", "value"])
        connection.register("values_frame", frame)
        found["query_values"] = "from values_frame"
        for name, select in found.items():
            (folder / name).mkdir(parents=True)
            target = folder / name / "part-0.parquet"
            connection.execute(f"copy ({select}) to '{target}' (format parquet)")
            counted = f"select count(*) from '{target}'"
            counts[name] = connection.execute(counted).fetchall()[0][0]
    manifest = {
        **{"version": "9.9.9", "dialect": "spark", "engine": "Spark 4.3.0"},
        **{"measures": names, "position_rule": "score"},
        "run_column": None if run else "system",
        "rows": counts,
    }
    (folder / "manifest.json").write_text(json.dumps(manifest))


def rewrite(folder: Path, relation: str, select: str) -> None:
    """Replace the rows of a relation by a select from them, called old."""
    target = folder / relation / "part-0.parquet"
    with duckdb.connect() as connection:
        connection.execute(f"create table old as from '{target}'")
        connection.execute(f"copy ({select}) to '{target}' (format parquet)")
        [(count,)] = connection.execute(f"select count(*) from '{target}'").fetchall()
    change_manifest(folder, **{relation: count})


def change_manifest(folder: Path, **counts: object) -> None:
    """Change counts of rows, or other entries, of a manifest."""
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    for name, value in counts.items():
        (manifest["rows"] if name in manifest["rows"] else manifest)[name] = value
    path.write_text(json.dumps(manifest))
