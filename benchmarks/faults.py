"""Interrupt commands in their system calls, and count what is lost or wrong.

    python benchmarks/faults.py [--fault NAME]... [--command NAME]... [--calls N]
        [--turns N] [--seed N] [--csv FILE]

    kill     kill -9 on entering a call
    ENOSPC   the call fails, for the disk is full
    EIO      the call fails, for the disk is broken
    clock    the clock is turned back by years before and while a command runs, at
             --turns random moments in all (Debian's libfaketime)

Calls are those that change files (write, pwrite64, fsync, fdatasync, ftruncate,
link, rename, unlink, mkdir and the like) of each command, as strace counts them.
--calls is about how many of each kind are tried: the first, the last two, and some
between; with 0 only the last; without it all. A row of the table has the number of
tries, of those that the fault ended, and of those after which the old state was there;
then what must be 0:

    lost        reported as done, and not there
    partial     neither the state before nor the state afterwards
    wrong       a file that does not open, a failed check, a message that names no
                cause, success although the data could not be written
    failed      the same command, run again, does not succeed
    files       files that stay after that

What was wrong is told on standard error; the exit code is then 1. Linux only.
"""

import argparse
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import duckdb
from inputs import Shape, write_judgments, write_run
from measuring import OURS, Count, finish, outcome, tell, workplace

from ndcg_sql import NdcgSqlError, Warehouse

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from support.kills import UPGRADE, Moment, moments, sampled, untraceable, warm

SMALL = Shape(20, 10, 8, (0, 1, 2), 9_973)
# More rows than DuckDB keeps until the commit.
LARGE = Shape(125, 1000, 1000, (0, 1, 2), 9_973)
WAREHOUSE = "ndcg.duckdb"


@dataclass(frozen=True)
class Command:
    """A command, how it begins to tell of its success, and what it changes."""

    words: str
    told: str
    target: str = WAREHOUSE
    # Whether kills break off inserts of many rows; what the process runs before.
    is_large: bool = False
    first: str = ""


COMMANDS = {
    "load run": Command("load run late", "loaded", is_large=True),
    "load judgments": Command("load judgments better", "loaded"),
    "load judgments --replace": Command(
        "load judgments better --name judges --replace", "replaced", is_large=True
    ),
    "load documents": Command("load documents titles.csv", "loaded"),
    "load values": Command("load values values.csv --name base", "loaded"),
    "fuse": Command("fuse base other --name fused", "made"),
    "remove run": Command("remove run other", "removed", is_large=True),
    "measures add": Command("measures add nDCG@7", "registered"),
    "publish FILE": Command("publish copy.duckdb", "published", "copy.duckdb"),
    "publish DIR": Command("publish marts/", "published", "marts"),
    "publish SQLite": Command("publish sqlite:///marts.db", "published", "marts.db"),
    "backup --force": Command(
        "backup backup.duckdb --force", "backed up", "backup.duckdb"
    ),
    "migration": Command("evaluate", "all of these", first=UPGRADE),
}
# What strace does to a call, and what the message then says.
FAULTS = {
    "kill": ("signal=SIGKILL", ""),
    # SQLite has words of its own.
    "ENOSPC": ("error=ENOSPC", "no space left|disk is full|disk I/O error"),
    "EIO": ("error=EIO", "Input/output error|disk I/O error"),
}
# If one of these fails, data is not on the disk, whatever is seen of it.
WRITING = ("write", "pwrite64", "fsync", "fdatasync", "ftruncate")
# After so many tries the values are computed anew.
CHECKED = 5
# In seconds.
DECADE = 10 * 365 * 86_400

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
        # Whole migrations are states of their own, of which the next command that
        # writes makes the last.
        sql = (
            "select schema_name || '.' || table_name from duckdb_tables()"
            " where schema_name <> 'published' and table_name not in"
            " ('sql_files', 'copies', 'more_copies') order by all"
        )
        names = [name for (name,) in connection.execute(sql).fetchall()]
        return {name: _rows(connection, name) for name in names}


def _rows(connection: duckdb.DuckDBPyConnection, relation: str) -> object:
    """Return the number and the hash of the rows of a relation."""
    columns = (
        "columns(lambda c: c not like '%\\_at' escape '\\' and c not in ('mu', 'nu'))"
        f" from {relation}"
    )
    sql = f"select count(*), bit_xor(hash(held)) from (select {columns}) as held"
    return connection.execute(sql).fetchone()


def _rows_of_sqlite(connection: sqlite3.Connection, name: str) -> object:
    """Return the number and the hash of the rows of a table."""
    if name == "published_parts":
        return 0
    cursor = connection.execute(f'select * from "{name}"')
    kept = [i for i, c in enumerate(cursor.description) if not c[0].endswith("_at")]
    rows = [hash(tuple(row[i] for i in kept)) for row in cursor]
    return len(rows), sum(rows)


def make(folder: Path, large: Shape) -> None:
    """Fill a folder with files, a warehouse of two runs, and what was made of one."""
    folder.mkdir()
    for name, shape, number in (
        ("base", SMALL, 1),
        ("other", large, 2),
        ("late", large, 3),
    ):
        write_run(folder / name, shape, number)
    write_judgments(folder / "judges", SMALL)
    write_judgments(folder / "better", large)
    # It differs from the other, however small both are.
    with (folder / "better").open("a") as better:
        better.write("q1 0 another 1\n")
    titles = (f"d{n},title {n}\n" for n in range(large.queries * large.documents))
    (folder / "titles.csv").write_text("doc_id,title\n" + "".join(titles))
    values = (f"q{n},{n}\n" for n in range(large.queries * large.documents))
    (folder / "values.csv").write_text("query_id,latency\n" + "".join(values))
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


class Trial:
    """A command in a folder of its own, in which it is interrupted again and again."""

    def __init__(self, made: Path, folder: Path, name: str, run: Callable[..., int]):
        """Run the command to its end."""
        self.made, self.folder, self.run = made, folder, run
        self.command = COMMANDS[name]
        self.words = ["--threads", "1", *self.command.words.split()]
        self.path = folder / self.command.target
        self.restore()
        self.before, self.source = content(self.path), content(folder / WAREHOUSE)
        if self.run(self.words) != 0:
            sys.exit(f"{name}: {self.errors()}")
        self.after, self.files = content(self.path), self._files()
        if self.before == self.after and not self.command.first:
            sys.exit(f"{name}: changes nothing")

    def restore(self) -> None:
        """Make the folder as it was."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.made, self.folder, copy_function=os.link)
        # What commands change must not be the files of the other folder.
        for path in self.folder.rglob("*.d*b"):
            path.unlink()
            shutil.copyfile(self.made / path.relative_to(self.folder), path)

    def errors(self) -> str:
        """Return what the command printed on standard error."""
        path = self.folder / "err"
        return path.read_text(errors="replace") if path.exists() else ""

    def look(
        self, count: Count, code: int, cause: str = "", writes: bool = True
    ) -> None:
        """Count what is wrong with what the command left, and run it again."""
        errors = self.errors()
        is_done = code == 0 or errors.startswith(self.command.told)
        tries = count.counts["tries"]
        count.add("tries")
        count.add("ended", code != 0)
        if (
            any(text in errors for text in ("Traceback", "please report"))
            or code not in (0, 2, -9)
            or (code == 2 and not re.search(f"(?i){cause}", errors))
        ):
            count.found("wrong", f"exit code {code}: {errors}")
        if code == 0 and cause and writes:
            count.found("wrong", "reported as done")
        try:
            left = content(self.path)
            count.add("old state", left == self.before)
            if left not in (self.before, self.after):
                count.found("partial", f"{self._differing(left)}")
            elif is_done and left != self.after:
                count.found("lost", errors)
            is_own = self.path.name == WAREHOUSE
            if not is_own and content(self.folder / WAREHOUSE) != self.source:
                count.found("wrong", "the warehouse itself changed")
            # What has the rows of a state has its values; that takes most of the time.
            is_warehouse = self.path.name in (WAREHOUSE, "backup.duckdb")
            if is_warehouse and not self.command.first and tries % CHECKED == 0:
                check(self.path)
            for path in self.folder.glob(".ndcg-sql-*"):
                # In its first minute, it could be of a process that has just begun.
                os.utime(path, (0, 0))
            again = self.run(self.words)
            # What is there already may be refused.
            if (again != 0 and left == self.before) or content(self.path) != self.after:
                count.found("failed", f"exit code {again}: {self.errors()}")
            elif self._files() != self.files:
                count.found("files", f"{self._files() ^ self.files}")
        except (duckdb.Error, sqlite3.Error, NdcgSqlError) as error:
            count.found("wrong", str(error))

    def _files(self) -> set[str]:
        """Return the names of the files of the folder."""
        names = {path.name for path in self.folder.iterdir()} | {"out", "err"}
        return names - {"calls"}

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


def interrupted(
    world: Callable[[bool], Path],
    folder: Path,
    name: str,
    faults: list[str],
    calls: int,
) -> Generator[Count]:
    """Yield what comes of each fault in the system calls of a command."""
    command, log = COMMANDS[name], folder.with_name("calls")
    with warm(folder, command.first) as run:
        for fault in faults:
            # Only a kill leaves what was written before the commit.
            is_large = command.is_large and fault == "kill"
            trial = Trial(world(is_large), folder, name, run)
            trial.restore()
            every = moments(run, trial.words, folder)
            injected, cause = FAULTS[fault]
            count = Count(f"{fault}: {name}")
            for call, number in sampled(every, calls):
                trial.restore()
                count.place = f"{call} {number}"
                code = _traced(run, trial.words, (call, number), injected, log)
                # Threads do not make the same number of calls each time.
                if code == -9 or "(INJECTED)" in log.read_text():
                    trial.look(count, code, cause, call in WRITING)
            tell(f"{count.row}, {len(every)} calls")
            yield count


def _traced(
    run: Callable[..., int], words: list[str], moment: Moment, injected: str, log: Path
) -> int:
    """Run a command with a fault in a system call; return its exit code, log all."""
    inject = f"inject={moment[0]}:{injected}:when={moment[1]}"
    return run(words, trace=("-e", f"trace={moment[0]}", "-e", inject, "-o", str(log)))


def clocked(made: Path, folder: Path, seed: int, turns: int) -> Generator[Count]:
    """Turn the clock back, before commands start and while they run.

    Debian's libfaketime lets a process see the time that a file says.
    """
    [*libraries] = Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1")
    if not libraries:
        tell("clock: left out, for libfaketime is not there (apt-get install faketime)")
        return
    chance = random.Random(f"{seed} clock")
    clock = folder.with_name("clock")
    environment = {
        **os.environ,
        "LD_PRELOAD": str(libraries[0]),
        "FAKETIME_TIMESTAMP_FILE": str(clock),
        "FAKETIME_NO_CACHE": "1",
        # Clocks that only measure go on.
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }

    def run(words: list[str]) -> int:
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
            clock.write_text(f"-{DECADE + chance.randrange(DECADE)}")
            return process.wait()

    count = Count("clock")
    names = [name for name, command in COMMANDS.items() if not command.first][:turns]
    for at, name in enumerate(names):
        trial = Trial(made, folder, name, run)
        for _ in range(at, turns, len(names)):
            trial.restore()
            count.place = name
            code = run(trial.words)
            if code != 0:
                count.found("wrong", trial.errors())
            trial.look(count, code)
    yield count


def main() -> None:
    """Interrupt what is asked for, print the table and write the CSV file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--fault", action="append", choices=(*FAULTS, "clock"))
    parser.add_argument("--command", action="append", choices=COMMANDS)
    parser.add_argument("--calls", type=int, default=10_000, help="of each kind")
    parser.add_argument("--turns", type=int, default=60, help="of the clock, in all")
    parser.add_argument("--seed", type=int, default=4711, help="of the clock")
    parser.add_argument("--csv", type=Path, help="write the rows there, too")
    parser.add_argument("--folder", type=Path, help="keep the data there")
    options = parser.parse_args()
    asked: list[str] = options.fault or [*FAULTS, "clock"]
    counts: list[Count] = []
    with workplace(options.folder) as folder:

        @cache
        def world(is_large: bool) -> Path:
            made = folder / ("large" if is_large else "small")
            make(made, LARGE if is_large else SMALL)
            return made

        faults = [fault for fault in asked if fault in FAULTS]
        if faults and (why := untraceable()):
            tell(f"{', '.join(faults)}: left out, {why}")
            faults = []
        for name in (options.command or COMMANDS) if faults else ():
            counts += interrupted(world, folder / "own", name, faults, options.calls)
        if "clock" in asked:
            counts += clocked(world(False), folder / "own", options.seed, options.turns)
    finish(counts, options.csv)


if __name__ == "__main__":
    main()
