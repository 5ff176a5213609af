"""Let many processes use one warehouse at the same time, and change files being loaded.

    python benchmarks/crowds.py [--minutes M] [--files N] [--seed N] [--csv FILE]

    writers   eight processes load, tag, remove, publish and back up; every few seconds
              one of them is killed, whatever it holds, and begins anew
    readers   four processes report, and read what is published with DuckDB alone
    pipe      a pipe that arrives in pieces is loaded
    growing   a file is loaded while a process appends to it
    link      a link is loaded while it becomes one to another file

In the table, ended is how many commands were killed, or files refused. Lost is a run
that was reported as loaded and is not there; partial a run, or a published state, that
is not whole; wrong a failed check or any other message. The exit code is then 1.
"""

import argparse
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import duckdb
from faults import SMALL, WAREHOUSE, check, make
from measuring import OURS, Count, finish, outcome, workplace
from mutations import Format, Found, fields, loaded

from ndcg_sql import NdcgSqlError
from ndcg_sql.database import opening

WRITERS, READERS = 8, 4
# What is published, and what has its runs.
PUBLISHED = {
    "shared.duckdb": "shared.rankings",
    "marts/": "'{}/marts/rankings/*.parquet'",
}
# Between two kills, in seconds.
PAUSE = 7.0
COMMON = """
import contextlib, io, os, random, sys, time
import duckdb
from ndcg_sql.cli.main import run
me, seed, end = sys.argv[1], sys.argv[2], float(sys.argv[3])
chance = random.Random(seed)

def command(*words):
    told = io.StringIO()
    with (contextlib.redirect_stderr(told), open(os.devnull, "w") as nowhere,
          contextlib.redirect_stdout(nowhere)):
        code = run(["--timeout", "300", *words])
    if code != 0:
        sys.exit(f"{words}: {code}: {told.getvalue()}")
    print(words[0], flush=True)
"""
WRITER = f"""{COMMON}
loaded = []
while time.time() < end:
    what = chance.choice(("load", "load", "load", "tag", "remove", "publish", "backup"))
    if what == "load":
        name = f"{{me}}-{{seed}}-{{len(loaded)}}"
        command("load", "run", "base", "--name", name)
        print("+" + name, flush=True)
        loaded.append(name)
    elif what == "publish":
        command("publish", chance.choice(("shared.duckdb", "marts/")))
    elif what == "backup":
        command("backup", f"{{me}}.copy", "--force")
    elif what == "tag":
        name = chance.choice(loaded or ["base"])
        command("tag", "run", name, f"{{me}}={{len(loaded)}}")
    elif loaded:
        name = loaded.pop()
        # It may be removed, and the process killed before it says so.
        print("-" + name, flush=True)
        command("remove", "run", name)
"""
READER = f"""{COMMON}
whole = int(sys.argv[4])
relations = ("rankings", "runs", "evaluations", "query_values", "run_values")
while time.time() < end:
    command(*chance.choice((["report"], ["list"], ["query", "from run_values"])))
    with duckdb.connect("shared.duckdb", read_only=True) as connection:
        sql = "select count(*) from rankings where run <> 'other' group by run"
        counts = {{count for (count,) in connection.execute(sql).fetchall()}}
        if counts != {{whole}}:
            print(f"!{{counts}}", flush=True)
        named = {{
            name: {{row[0] for row in
                   connection.execute(f"select distinct run from {{name}}").fetchall()}}
            for name in relations
        }}
    if len({{frozenset(runs) for runs in named.values()}}) > 1:
        print(f"!{{named}}", flush=True)
    print("published", flush=True)
"""


class Member:
    """A process that works in the warehouse, and what it printed."""

    def __init__(self, folder: Path, code: str, name: str, *arguments: str) -> None:
        """Start it."""
        self.name = name
        self.log = folder / f"{name}.log"
        self.err = folder / f"{name}.err"
        with self.log.open("ab") as out, self.err.open("wb") as err:
            self.process = subprocess.Popen(
                [sys.executable, "-c", code, name, *arguments],
                cwd=folder,
                stdout=out,
                stderr=err,
            )


def documents_of_runs(path: Path) -> dict[str, int]:
    """Return how many documents each run of a warehouse has."""
    with duckdb.connect(str(path), read_only=True) as connection:
        sql = "select run, count(*) from rankings group by all"
        return dict(connection.execute(sql).fetchall())


def crowded(folder: Path, seed: int, minutes: float) -> list[Count]:
    """Let writers and readers work in one warehouse, and kill a writer now and then."""
    make(folder, SMALL)
    (folder / "copy.duckdb").rename(folder / "shared.duckdb")
    before = documents_of_runs(folder / WAREHOUSE)
    chance, end = random.Random(f"{seed} crowd"), time.time() + minutes * 60
    until, whole = str(end), str(before["base"])
    readers = [
        Member(folder, READER, f"r{n}", f"{seed}r{n}", until, whole)
        for n in range(READERS)
    ]
    writers = {
        f"w{n}": Member(folder, WRITER, f"w{n}", f"{seed}", until)
        for n in range(WRITERS)
    }
    writing = Count(f"{WRITERS} writers, {minutes:g} min", "writers")
    reading = Count(f"{READERS} readers, {minutes:g} min", "readers")
    while time.time() + PAUSE < end:
        time.sleep(PAUSE)
        name = chance.choice([*writers])
        if writers[name].process.poll() is None:
            writers[name].process.kill()
            writers[name].process.wait()
            writing.add("ended")
            again = f"{seed}-{writing.counts['ended']}"
            writers[name] = Member(folder, WRITER, name, again, until)
    for count, members in ((writing, [*writers.values()]), (reading, readers)):
        for member in members:
            if member.process.wait() != 0:
                count.found("wrong", f"{member.name}: {member.err.read_text()[:1000]}")
            for line in member.log.read_text().splitlines():
                if line.startswith("!"):
                    count.found("partial", line)
                elif line[0] not in "+-":
                    count.add("tries")
    lines = [
        line
        for member in writers.values()
        for line in member.log.read_text().splitlines()
    ]
    loaded_runs = {line[1:] for line in lines if line.startswith("+")}
    removed = {line[1:] for line in lines if line.startswith("-")}
    there = documents_of_runs(folder / WAREHOUSE)
    for name in sorted((loaded_runs - removed | before.keys()) - there.keys()):
        writing.found("lost", name)
    for name, rows in there.items():
        # What is loaded is the file of one of the runs that were there.
        if rows != before.get(name, before["base"]):
            writing.found("partial", f"{name}: {rows} documents")
    try:
        check(folder / WAREHOUSE)
    except NdcgSqlError as error:
        writing.found("wrong", str(error))
    for target, relation in PUBLISHED.items():
        outcome([*OURS, "publish", target], folder)
        with duckdb.connect() as connection:
            connection.execute(f"attach '{folder}/shared.duckdb' (read_only)")
            sql = f"select distinct run from {relation.format(folder)}"
            found = {run for (run,) in connection.execute(sql).fetchall()}
        if found != there.keys():
            writing.found("partial", f"{target}: {found ^ there.keys()}")
    return [writing, reading]


Work = Callable[[Path, random.Random], tuple[Callable[[], None], list[Found]]]


def changed(folder: Path, seed: int, kind: str, work: Work, files: int) -> Count:
    """Load a file so often, while a thread does something with it."""
    chance, count = random.Random(f"{seed} {kind}"), Count(f"changing: {kind}")
    form = Format("r.run", b"", lambda content: fields(content, 6, 4))
    with opening.memory() as database:
        for number in range(files):
            path = folder / form.name
            path.unlink(missing_ok=True)
            change, may_be = work(path, chance)
            thread = threading.Thread(target=change)
            thread.start()
            count.place = str(number)
            found = loaded(database, path, form, count)
            thread.join()
            count.add("tries")
            count.add("ended", found is None)
            if found is not None and found not in may_be:
                sizes = f"{len(found)} rows of {list(map(len, may_be))}"
                count.found("partial", sizes)
    return count


def _run(prefix: str, rows: int) -> tuple[bytes, Found]:
    """Return a run, and its rows."""
    found = {(f"q{n % 50}", f"{prefix}{n}", float(n)) for n in range(rows)}
    return "".join(f"{q} Q0 {d} 0 {s} t\n" for q, d, s in sorted(found)).encode(), found


def _pipe(path: Path, chance: random.Random) -> tuple[Callable[[], None], list[Found]]:
    """Make a pipe, and give what writes to it in pieces of any size."""
    content, rows = _run("d", chance.randrange(100, 5000))
    cuts = sorted(chance.sample(range(len(content)), 20))
    os.mkfifo(path)

    def write() -> None:
        with path.open("wb", buffering=0) as file:
            for start, end in zip([0, *cuts], [*cuts, len(content)], strict=True):
                file.write(content[start:end])
                time.sleep(0.0005)

    return write, [rows]


def _grow(path: Path, chance: random.Random) -> tuple[Callable[[], None], list[Found]]:
    """Make a file, and give what appends to it after a while."""
    content, rows = _run("d", 5000)
    more, later = _run("e", 20)
    path.write_bytes(content)
    moment = chance.uniform(0, 0.1)

    def append() -> None:
        time.sleep(moment)
        with path.open("ab", buffering=0) as file:
            file.write(more)

    return append, [rows, rows | later]


def _swap(path: Path, chance: random.Random) -> tuple[Callable[[], None], list[Found]]:
    """Make a link to a file, and give what makes it one to another file."""
    both: list[Found] = []
    for name in ("d", "e"):
        content, rows = _run(name, 5000)
        path.with_name(name).write_bytes(content)
        both.append(rows)
    path.symlink_to("d")
    moment = chance.uniform(0, 0.1)

    def swap() -> None:
        time.sleep(moment)
        other = path.with_name("link")
        other.symlink_to("e")
        other.replace(path)

    return swap, both


def main() -> None:
    """Do all of this, print the table and write the CSV file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=5, help="of the processes")
    parser.add_argument("--files", type=int, default=50, help="of each kind")
    parser.add_argument("--seed", type=int, default=4711)
    parser.add_argument("--csv", type=Path, help="write the rows there, too")
    options = parser.parse_args()
    kinds = {"pipe": _pipe, "growing": _grow, "link": _swap}
    with workplace(None) as folder:
        counts = crowded(folder / "crowd", options.seed, options.minutes)
        counts += [
            changed(folder, options.seed, kind, work, options.files)
            for kind, work in kinds.items()
        ]
    finish(counts, options.csv)


if __name__ == "__main__":
    main()
