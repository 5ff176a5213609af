"""Commands that are broken off or disturbed: kills, full disks, crowds, clocks."""

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import warnings
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import duckdb
from inputs import Shape, write_judgments, write_run
from measuring import OURS, outcome, tell

from ndcg_sql import NdcgSqlError, Warehouse

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from support.kills import Warm, killed, moments, sampled, untraceable, warm

SHAPE = Shape(40, 25, 8, (0, 1, 2), 9_973)
# More rows than DuckDB keeps until the commit.
LARGE = Shape(130, 1000, 1000, (0, 1, 2), 9_973)
WAREHOUSE = "ndcg.duckdb"
# A command, how it begins to tell of its success, and what it writes.
COMMANDS = {
    "load run": (("load", "run", "late"), "loaded", WAREHOUSE),
    "load judgments": (("load", "judgments", "better"), "loaded", WAREHOUSE),
    "load judgments --replace": (
        ("load", "judgments", "better", "--name", "judges", "--replace"),
        "replaced",
        WAREHOUSE,
    ),
    "load documents": (("load", "documents", "titles.csv"), "loaded", WAREHOUSE),
    "remove run": (("remove", "run", "other"), "removed", WAREHOUSE),
    "measures add": (("measures", "add", "nDCG@7 ERR@9 P@3"), "added", WAREHOUSE),
    "publish FILE": (("publish", "copy.duckdb"), "published", "copy.duckdb"),
    "publish DIR": (("publish", "marts/"), "published", "marts"),
    "publish URL": (("publish", "sqlite:///marts.db"), "published", "marts.db"),
    "backup": (("backup", "backup.duckdb", "--force"), "backed up", "backup.duckdb"),
}
# After so many kills, the command is run again to its end.
AGAIN = 5
# What a disk has for messages.
LEAST = 1000
# What is said of too little room; files that are too large already are not written.
FULL = ("no space left", "larger than the limit on the size of files")
CROWD = 8
# In seconds.
DECADE = 10 * 365 * 86_400
# One of the processes: what it has loaded is printed.
MEMBER = """
import contextlib, io, os, random, sys, time
from ndcg_sql.cli.main import run
me, seed, end = sys.argv[1], sys.argv[2], time.time() + float(sys.argv[3])
chance, loaded = random.Random(seed), []
while time.time() < end:
    told = io.StringIO()
    name = f"{me}-{len(loaded)}"
    command = chance.choice(
        [["load", "run", "base", "--name", name], ["report"], ["list"], ["check"],
         ["publish", f"{me}.duckdb"], ["backup", f"{me}.copy", "--force"],
         ["tag", "run", chance.choice(loaded or ["base"]), f"{me}={len(loaded)}"]]
    )
    with (contextlib.redirect_stderr(told), open(os.devnull, "w") as nowhere,
          contextlib.redirect_stdout(nowhere)):
        code = run(["--timeout", "300", *command])
    if code != 0:
        sys.exit(f"{command}: {code}: {told.getvalue()}")
    print(command[0], flush=True)
    if command[0] == "load":
        loaded.append(name)
        print("=" + name, flush=True)
"""


@dataclass
class Count:
    """What was tried, and what came of it."""

    fault: str
    seed: int
    tries: int = 0
    hits: int = 0
    faults: dict[str, int] = field(
        default_factory=lambda: {"lost": 0, "partial": 0, "wrong": 0}
    )

    def found(self, kind: str, what: str) -> None:
        """Count a fault and tell it."""
        self.faults[kind] += 1
        tell(f"{self.fault}, try {self.tries}: {kind}: {what}")

    @property
    def row(self) -> dict[str, object]:
        """Return a row of the table."""
        counted = {"count": self.tries, "hit": self.hits, "seed": self.seed}
        return {"fault": self.fault, **counted, **self.faults}


Content = dict[str, object]


def content(path: Path) -> Content:
    """Return the number and the hash of the rows of each table, without times.

    path is a database file of DuckDB or SQLite, or a folder of Parquet files.
    """
    if path.suffix == ".db":
        with closing(sqlite3.connect(path)) as connection:
            sql = "select name from sqlite_master where type = 'table'"
            names = [name for (name,) in connection.execute(sql)]
            return {name: _rows_of_sqlite(connection, name) for name in names}
    if path.is_dir():
        with duckdb.connect() as connection:
            return {
                part.name: _rows(connection, f"read_parquet('{part}/*.parquet')")
                for part in sorted(path.iterdir())
                if part.is_dir()
            }
    with duckdb.connect(str(path), read_only=True) as connection:
        sql = (
            "select schema_name || '.' || table_name from duckdb_tables()"
            " where schema_name <> 'published' order by all"
        )
        names = [name for (name,) in connection.execute(sql).fetchall()]
        return {name: _rows(connection, name) for name in names}


def _rows(connection: duckdb.DuckDBPyConnection, relation: str) -> object:
    """Return the number and the hash of the rows of a relation."""
    columns = f"columns(c -> c not like '%\\_at' escape '\\') from {relation}"
    sql = f"select count(*), bit_xor(hash(held)) from (select {columns}) as held"
    return connection.execute(sql).fetchone()


def _rows_of_sqlite(connection: sqlite3.Connection, name: str) -> object:
    """Return the number and the hash of the rows of a table."""
    cursor = connection.execute(f'select * from "{name}"')
    kept = [i for i, c in enumerate(cursor.description) if not c[0].endswith("_at")]
    if name == "published_parts":
        return 0
    rows = [hash(tuple(row[i] for i in kept)) for row in cursor]
    return len(rows), sum(rows)


def make(folder: Path) -> None:
    """Fill a folder with files, a warehouse of two runs, and what was left of one."""
    for name, shape, number in (
        ("base", SHAPE, 1),
        ("other", LARGE, 2),
        ("late", LARGE, 3),
    ):
        write_run(folder / name, shape, number)
    write_judgments(folder / "judges", SHAPE)
    write_judgments(folder / "better", LARGE)
    titles = "".join(f"d{number},title {number}\n" for number in range(130_000))
    (folder / "titles.csv").write_text("doc_id,title\n" + titles)
    for words in (
        "load judgments judges",
        "load run base",
        "publish copy.duckdb",
        "publish marts/",
        "publish sqlite:///marts.db",
        "backup backup.duckdb",
        "load run other",
    ):
        outcome([*OURS, *words.split()], folder)


class Broken:
    """A command in a folder of its own, which is broken off again and again."""

    def __init__(self, made: Path, folder: Path, command: Warm, name: str) -> None:
        """Run the command to its end."""
        self.made, self.folder, self.command, self.name = made, folder, command, name
        words, self.told, target = COMMANDS[name]
        self.words, self.path = ["--threads", "1", *words], folder / target
        self.restore()
        self.before, self.source = content(self.path), content(folder / WAREHOUSE)
        if self.run() != 0:
            sys.exit(f"{name}: {self.errors()}")
        self.after = content(self.path)
        self.size = max(
            file.stat().st_size for file in folder.rglob("*") if file.is_file()
        )
        if self.before == self.after:
            sys.exit(f"{name}: changes nothing")

    def restore(self) -> None:
        """Make the folder as it was."""
        shutil.rmtree(self.folder)
        shutil.copytree(self.made, self.folder)

    def run(self, room: int | None = None) -> int:
        """Run the command and return its exit code."""
        return self.command(self.words, room)

    def errors(self) -> str:
        """Return what the command printed on standard error."""
        return (self.folder / "err").read_text()

    def look(self, count: Count, code: int, again: bool) -> None:
        """Count what is wrong with what the command left."""
        errors = self.errors() if (self.folder / "err").exists() else ""
        is_done = code == 0 or errors.startswith(self.told)
        if (
            "Traceback" in errors
            or "please report it" in errors
            or code not in (0, 2, -9)
        ):
            count.found("wrong", f"exit code {code}: {errors}")
        try:
            left = content(self.path)
            if left not in (self.before, self.after):
                count.found("partial", f"{self._differing(left)}")
            elif is_done and left != self.after:
                count.found("lost", errors)
            is_own = self.path.name == WAREHOUSE
            if not is_own and content(self.folder / WAREHOUSE) != self.source:
                count.found("wrong", "the warehouse itself changed")
            if self.path.name in (WAREHOUSE, "backup.duckdb"):
                check(self.path)
            if again and left == self.before and not self._succeeds():
                count.found("wrong", f"afterwards: {self.errors()}")
        except (duckdb.Error, sqlite3.Error, NdcgSqlError) as error:
            count.found("wrong", str(error))

    def _succeeds(self) -> bool:
        """Run the command to its end; return whether all is there then."""
        return self.run() == 0 and content(self.path) == self.after

    def _differing(self, left: Content) -> list[str]:
        """Return the tables that are as neither before nor afterwards."""
        names = left.keys() | self.after.keys()
        return sorted(name for name in names if left.get(name) != self.after.get(name))


def check(path: Path) -> None:
    """Raise NdcgSqlError if a warehouse has a fault."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with Warehouse.read(path) as warehouse:
            warehouse.check()


def kill(made: Path, folder: Path, kills: int) -> list[Count]:
    """Kill each command in its system calls: so many of each kind, and the last."""
    if why := untraceable():
        tell(f"kill: left out, {why}")
        return []
    counts: list[Count] = []
    with warm(folder) as command:
        for name in COMMANDS:
            broken = Broken(made, folder, command, name)
            broken.restore()
            every = moments(command, broken.words, folder)
            kinds = " ".join(f"{call} {last}" for call, last in dict(every).items())
            count = Count(f"kill: {name}", 0)
            for number, moment in enumerate(sampled(every, kills)):
                broken.restore()
                code = killed(command, broken.words, moment)
                count.tries += 1
                count.hits += code == -signal.SIGKILL
                broken.look(count, code, number % AGAIN == 0)
            tell(f"{count.row}; calls: {kinds}")
            counts.append(count)
    return counts


def limited(made: Path, folder: Path, seed: int, limits: int) -> list[Count]:
    """Give each command in turn too little room, as often as told."""
    count, chance = Count("full disk", seed), random.Random(f"{seed} full")
    with warm(folder) as command:
        for broken in in_turn(made, folder, command, limits):
            code = broken.run(chance.randint(LEAST, broken.size * 3 // 2))
            count.tries += 1
            count.hits += code != 0
            if code == 2 and not any(word in broken.errors() for word in FULL):
                count.found("wrong", f"{broken.name}: {broken.errors()}")
            broken.look(count, code, True)
    return [count]


def in_turn(made: Path, folder: Path, command: Warm, tries: int) -> Generator[Broken]:
    """Yield each command as often as the others, in a folder as it was."""
    for at, name in enumerate([*COMMANDS][:tries]):
        broken = Broken(made, folder, command, name)
        for _ in range(at, tries, len(COMMANDS)):
            broken.restore()
            yield broken


def clocked(made: Path, folder: Path, seed: int, turns: int) -> list[Count]:
    """Turn the clock back, before commands start and while they run.

    Debian's libfaketime lets a process see the time that a file says.
    """
    [*libraries] = Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1")
    if not libraries:
        tell("clock: left out, for libfaketime is not there (apt-get install faketime)")
        return []
    count, chance = Count("clock", seed), random.Random(f"{seed} clock")
    clock, turned = folder.with_name("clock"), list[bool]()
    environment = {
        **os.environ,
        "LD_PRELOAD": str(libraries[0]),
        "FAKETIME_TIMESTAMP_FILE": str(clock),
        "FAKETIME_NO_CACHE": "1",
        # Clocks that only measure go on.
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }

    def run(words: list[str], room: None = None) -> int:  # noqa: ARG001 - as a warm command
        clock.write_text(f"-{chance.randrange(DECADE)}")
        with (folder / "out").open("wb") as out, (folder / "err").open("wb") as err:
            process = subprocess.Popen(
                [sys.executable, "-m", "ndcg_sql", *words],
                cwd=folder,
                env=environment,
                stdout=out,
                stderr=err,
            )
            time.sleep(chance.uniform(0, 1))
            turned.append(process.poll() is None)
            clock.write_text(f"-{DECADE + chance.randrange(DECADE)}")
            return process.wait()

    for broken in in_turn(made, folder, run, turns):
        code = broken.run()
        count.tries += 1
        count.hits += turned[-1]
        if code != 0:
            count.found("wrong", f"{broken.name}: {broken.errors()}")
        broken.look(count, code, again=False)
    return [count]


def documents_of_runs(path: Path) -> dict[str, int]:
    """Return how many documents each run of a warehouse has."""
    with duckdb.connect(str(path), read_only=True) as connection:
        sql = "select run, count(*) from rankings group by all"
        return dict(connection.execute(sql).fetchall())


def crowded(made: Path, folder: Path, seed: int, minutes: float) -> list[Count]:
    """Let eight processes work on one warehouse."""
    count = Count(f"{CROWD} processes, {minutes:g} min", seed)
    shutil.rmtree(folder)
    shutil.copytree(made, folder)
    before = documents_of_runs(folder / WAREHOUSE)
    members = [
        subprocess.Popen(
            [sys.executable, "-c", MEMBER, f"m{n}", f"{seed} {n}", str(minutes * 60)],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for n in range(CROWD)
    ]
    loaded: set[str] = set()
    for member in members:
        printed, fault = member.communicate()
        names = {line[1:] for line in printed.splitlines() if line.startswith("=")}
        loaded |= names
        count.tries += len(printed.splitlines()) - len(names)
        if member.returncode != 0:
            count.found("wrong", fault)
    count.hits = count.tries
    there = documents_of_runs(folder / WAREHOUSE)
    for name in sorted((loaded | before.keys()) - there.keys()):
        count.found("lost", name)
    for name, rows in there.items():
        # What is loaded is the file of one of the runs that were there.
        if rows != before.get(name, before["base"]):
            count.found("partial", f"{name}: {rows} documents")
    try:
        check(folder / WAREHOUSE)
    except NdcgSqlError as error:
        count.found("wrong", str(error))
    return [count]
