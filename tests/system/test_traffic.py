"""Loads, publishing and readers of dashboards at the same time."""

import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

from support.commands import Command
from support.files import RUN

# The traffic lasts this long, and until each loader has done so much.
SECONDS, LOADS = 20, 3
# Long enough for any machine; a test that hangs ends.
PATIENCE = 900
# What a process repeats, once more after a file appears; it prints what it has done.
BEGINNING = """
import os, subprocess, sys
import duckdb
me, end, number, is_last = *sys.argv[1:], 0, False
def ndcg(*arguments):
    command = [sys.executable, "-m", "ndcg_sql", "--timeout", "600", *arguments]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
while not is_last:
    is_last, number = os.path.exists(end), number + 1
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
# The processes of a kind, what they do, and the file after which they end.
TRAFFIC = [
    (["first", "second"], LOADING, "over"),
    (["bi", "marts/"], PUBLISHING, "loaded"),
    (["reader 1", "reader 2", "reader 3", "reader 4"], READING, "published"),
]


@pytest.mark.slow
def test_no_load_is_lost_and_no_reader_sees_half_of_one(
    ndcg: Command, loaded: Path
) -> None:
    folder = loaded.parent
    (folder / "base").write_text(RUN)
    assert ndcg("publish", "bi").code == 0
    workers = {
        name: subprocess.Popen(
            [sys.executable, "-c", BEGINNING + work, name, end],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for names, work, end in TRAFFIC
        for name in names
    }
    done: dict[str, list[str]] = {}
    try:
        began = time.monotonic()
        last = [folder / f"{name}-{LOADS}" for name in ("first", "second")]
        while time.monotonic() < began + SECONDS or not all(map(Path.exists, last)):
            assert time.monotonic() < began + PATIENCE, list(folder.iterdir())
            time.sleep(0.1)
        for names, _, end in TRAFFIC:
            (folder / end).touch()
            for name in names:
                printed, fault = workers[name].communicate(timeout=PATIENCE)
                assert (workers[name].returncode, fault) == (0, ""), name
                done[name] = printed.split()
    finally:
        for worker in workers.values():
            worker.kill()
            worker.wait()
    wanted = sorted({"base", *done["first"], *done["second"]})
    assert len(wanted) > 2 * LOADS
    # Everybody got on with their work, if slowly: eight processes share the machine.
    assert all(len(lines) >= 2 for lines in done.values()), done
    # Readers saw each state of what was published, or a later one, up to the last.
    for name in TRAFFIC[-1][0]:
        seen = [int(count) for count in done[name]]
        assert seen == sorted(seen)
        assert seen[-1] == len(wanted)
    assert ndcg("publish", "bi").code == 0
    assert ndcg("publish", "marts/").code == 0
    assert ndcg("check").code == 0
    for relation in ("rankings", "query_values"):
        for table in (f"bi.{relation}", f"'marts/{relation}/*.parquet'"):
            with duckdb.connect() as connection:
                connection.execute("attach 'bi' (read_only)")
                sql = f"select distinct run from {table} order by run"
                assert [run for (run,) in connection.execute(sql).fetchall()] == wanted
