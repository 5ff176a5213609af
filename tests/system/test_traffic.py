"""Loads, publishing and readers of dashboards at the same time."""

import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from support.commands import Command
from support.files import RUN

SECONDS = 60
# What a process repeats until the time is over; it prints what it has done.
BEGINNING = f"""
import subprocess, sys, time
import duckdb
me, end, number = sys.argv[1], time.monotonic() + {SECONDS}, 0
def ndcg(*arguments):
    command = [sys.executable, "-m", "ndcg_sql", "--timeout", "60", *arguments]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
while time.monotonic() < end:
    number += 1
"""
LOADING = """
    with open(f"{me}-{number}", "w") as file:
        file.write(open("base").read())
    ndcg("load", "run", f"{me}-{number}")
    print(f"{me}-{number}")
"""
PUBLISHING = """
    ndcg("publish", me)
    print(number)
"""
READING = """
    with duckdb.connect("bi", read_only=True) as connection:
        relations = "runs", "rankings", "query_values", "run_values", "evaluations"
        found = [
            connection.execute(f"select count(distinct run) from {name}").fetchone()
            for name in relations
        ]
    assert len(set(found)) == 1 and found[0][0] >= 1, found
    print(found[0][0])
"""
WORKERS = [
    ("first", LOADING),
    ("second", LOADING),
    ("bi", PUBLISHING),
    ("marts/", PUBLISHING),
    *[("reader", READING)] * 4,
]


@pytest.mark.slow
def test_no_load_is_lost_and_no_reader_sees_half_of_one(
    ndcg: Command, loaded: Path
) -> None:
    folder = loaded.parent
    (folder / "base").write_text(RUN)
    assert ndcg("publish", "bi").code == 0
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", BEGINNING + work, name],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name, work in WORKERS
    ]
    done: dict[str, list[str]] = {name: [] for name, _ in WORKERS}
    try:
        for (name, _), worker in zip(WORKERS, workers, strict=True):
            printed, fault = worker.communicate(timeout=3 * SECONDS)
            assert (worker.returncode, fault) == (0, ""), name
            done[name] += printed.split()
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()
    # Everybody got on with their work, if slowly: eight processes share the machine.
    assert all(len(lines) >= 2 for lines in done.values()), done
    seen = [int(count) for count in done["reader"]]
    assert max(seen) > 3
    assert ndcg("publish", "bi").code == 0
    assert ndcg("publish", "marts/").code == 0
    assert ndcg("check").code == 0
    wanted = sorted({"base", *done["first"], *done["second"]})
    for relation in ("rankings", "query_values"):
        for table in (f"bi.{relation}", f"'marts/{relation}/*.parquet'"):
            with duckdb.connect() as connection:
                connection.execute("attach 'bi' (read_only)")
                sql = f"select distinct run from {table} order by run"
                assert [run for (run,) in connection.execute(sql).fetchall()] == wanted
