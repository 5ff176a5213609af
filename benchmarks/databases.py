"""Measure loading from PostgreSQL beside the same rows in files, and publishing to it.

    python benchmarks/databases.py [--rows N] [--folder FOLDER] [--csv FILE]

A PostgreSQL server is started (Debian's package postgresql; it needs the extra test)
and filled with a run: by default 5,000,000 rows, 20 for each user, with judgments of
2 of them. The run is loaded into a warehouse of its own from a TSV file, a Parquet
file, and the server, through psycopg, and psycopg2 if it is installed. All reports must
agree. Then one of the warehouses is published to the server, and published again
with nothing changed; there, the values of each run and of each query must equal those
of report. Seconds of the processor are ours alone, without those of the server.
"""

import argparse
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inputs import apart
from measuring import OURS, Outcome, machine, outcome, table, tell, workplace, write_csv

if TYPE_CHECKING:
    from support.servers import Server

TESTS = Path(__file__).parents[1] / "tests"
SQL = Path(__file__).parent / "sql"
DOCUMENTS = 20
# The drivers by which the server is read, in their modules, and their names in a URL.
DRIVERS = (
    ("PostgreSQL, psycopg", "psycopg", "+psycopg"),
    ("PostgreSQL, psycopg2", "psycopg2", "+psycopg2"),
)
SCHEMA = "marts"
# What must be the same in report and in what was published.
VALUES = {
    "run_values": ("run", "measure", "value"),
    "query_values": ("run", "measure", "query_id", "value"),
}


def main() -> None:
    """Load and publish, print the costs and write the CSV file."""
    asked = arguments()
    # The fixtures of the tests start the same servers.
    sys.path.append(str(TESTS))
    from support import servers

    with workplace(asked.folder) as folder, servers.postgresql() as server:
        rows = measured(folder, server, asked.rows)
    print(machine("psycopg"))
    print(f"{asked.rows:,} rows\n")
    print(table(rows))
    if asked.csv:
        write_csv(asked.csv, rows)


def measured(folder: Path, server: "Server", rows: int) -> list[dict[str, object]]:
    """Return the costs of each step."""
    tell("filling the server and the files")
    users = rows // DOCUMENTS
    for name in ("ranked", "judged"):
        select = (SQL / f"postgresql_{name}.sql").read_text()
        select = select.replace("$users", str(users))
        server.execute(f"create table {name} as {select}", f"analyze {name}")
    apart(write_files, folder, server.url)
    server_url = server.url.replace("+psycopg", "")
    judged = folder / "judged.duckdb"
    judged.unlink(missing_ok=True)
    given = ("--from", server_url, "--table", "judged")
    ours(folder, judged, "load", "judgments", *given)
    ways: dict[str, tuple[str | Path, ...]] = {
        "TSV file": (folder / "ranked.tsv",),
        "Parquet file": (folder / "ranked.parquet",),
    }
    for way, module, driver in DRIVERS:
        if find_spec(module):
            url = server_url.replace("postgresql:", f"postgresql{driver}:")
            ways[way] = ("--from", url, "--table", "ranked")
        else:
            tell(f"{module} is not installed: left out")
    found: list[dict[str, object]] = []
    reports: dict[str, str] = {}
    warehouse = folder / "ndcg.duckdb"
    for way, words in ways.items():
        shutil.copyfile(judged, warehouse)
        did = ours(folder, warehouse, "load", "run", *words)
        found.append(costs(f"load run: {way}", did))
        shown = ours(folder, warehouse, "report", "--format", "csv").output
        reports[shown] = way
        if len(reports) > 1:
            sys.exit(f"reports differ: {', '.join(reports.values())}")
    to = ("publish", server.url, "--schema", SCHEMA)
    found.append(costs("publish", ours(folder, warehouse, *to)))
    apart(check, warehouse, server.url)
    found.append(costs("publish, nothing new", ours(folder, warehouse, *to)))
    return found


def ours(folder: Path, warehouse: Path, *words: str | Path) -> Outcome:
    """Run a command of ours."""
    return outcome((*OURS, "--warehouse", warehouse, *words), folder)


def costs(step: str, did: Outcome) -> dict[str, object]:
    """Return a row of the table."""
    tell(f"{step}: {did.seconds:.2f} s")
    return {
        "step": step,
        "seconds": did.seconds,
        "CPU seconds": did.cpu,
        "peak memory, MB": did.megabytes,
    }


def write_files(folder: Path, url: str) -> None:
    """Write the rows of the server to files."""
    import duckdb

    form = "format csv, header, delimiter e'\\t'"
    copied(url, f"copy ranked to stdout ({form})", folder / "ranked.tsv")
    with duckdb.connect() as connection:
        connection.execute(
            "copy (from read_csv($tsv, delim = '\t')) to $parquet (format parquet)",
            {
                "tsv": str(folder / "ranked.tsv"),
                "parquet": str(folder / "ranked.parquet"),
            },
        )


def copied(url: str, sql: str, path: Path) -> None:
    """Write what a COPY of the server sends to a file."""
    from sqlalchemy import create_engine

    with create_engine(url).connect() as connection, path.open("wb") as file:
        driver: Any = connection.connection.driver_connection
        with driver.cursor().copy(sql) as pieces:
            for piece in pieces:
                file.write(piece)


def check(warehouse: Path, url: str) -> None:
    """End the benchmark if the server has other values than a report."""
    import duckdb

    path = warehouse.with_name("published.csv")
    report = warehouse.with_name("report.csv")
    for relation, columns in VALUES.items():
        listed = ", ".join(columns)
        select = f"select {listed} from {SCHEMA}.{relation}"
        copied(url, f"copy ({select}) to stdout (format csv, header)", path)
        per_query = ("-q",) if "query_id" in columns else ()
        words = ("report", *per_query, "--format", "csv", "--output", report)
        ours(warehouse.parent, warehouse, *words)
        with duckdb.connect() as connection:
            given = {"theirs": str(path), "ours": str(report)}
            for name, file in given.items():
                rows = f"select {listed} from read_csv('{file}', header = true)"
                connection.execute(f"create table {name} as {rows}")
            sql = (
                "select (select count(*) from theirs), count(*) from"
                " (from theirs except all from ours)"
                " union all select (select count(*) from ours), count(*) from"
                " (from ours except all from theirs)"
            )
            counts = connection.execute(sql).fetchall()
        tell(f"{relation}: {counts[0][0]:,} values compared with report")
        if {different for _, different in counts} != {0} or not counts[0][0]:
            sys.exit(f"{relation}: published and reported values differ: {counts}")
    path.unlink()
    report.unlink()


def arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--folder", type=Path, help="keep the data there")
    parser.add_argument("--csv", type=Path, help="write the table as CSV, too")
    return parser.parse_args()


if __name__ == "__main__":
    main()
