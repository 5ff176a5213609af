"""Standard input and pipes: every row of them is loaded, or none."""

import gzip
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ndcg_sql.database import opening
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.values import refill
from ndcg_sql.loading.sets import Options, load
from ndcg_sql.reading.sources import opened
from ndcg_sql.system.messages import Messages
from ndcg_sql.system.paths import STDIN
from support import exploring
from support.files import QRELS, RUN, packed, pipe
from support.processes import begun
from support.systems import posix

pytestmark = posix
SEED = 20260131
PYTHON = f"PYTHONPATH='{os.environ.get('PYTHONPATH', '')}' '{sys.executable}'"


def slowly(data: bytes, chance: random.Random) -> Iterator[bytes]:
    """Return pieces of data, some after a pause."""
    while data:
        size = chance.choice([1, 3, 100, 5000, 100_000])
        yield data[:size]
        data = data[size:]
        time.sleep(chance.choice([0, 0, 0.002]))


def some_run(chance: random.Random) -> bytes:
    """Return a run, at times with line ends that must be cleaned."""
    end = chance.choice(["\n", "\r\n"])
    lines = (
        f"q{n // 9} Q0 d{n} 1 {chance.random()!r} t{end}"
        for n in range(chance.randrange(1, 3000))
    )
    return "".join(lines).encode()


def stored(memory: Database, path: Path, dataset: str, name: str) -> list[Any]:
    """Load a run; return its hash and its rows."""
    load(memory, "run", [path], Options(dataset=dataset, name=name), Messages())
    sql = "select max(run_id) from runs"
    return memory.execute(
        f"select content_hash from runs where run_id = ({sql})"
    ) + memory.execute(
        "select query_id, doc_id, position, score from rankings"
        f" where run_id = ({sql}) order by all"
    )


@pytest.fixture
def fifo(tmp_path: Path) -> Path:
    """Make a pipe with a name."""
    os.mkfifo(tmp_path / "fifo.run")
    return tmp_path / "fifo.run"


@pytest.mark.slow
@pytest.mark.parametrize("runs", [exploring.amount(4, 20)])
@pytest.mark.parametrize("kind", ["stdin", "fifo"])
def test_every_row_of_a_slow_stream_is_stored(
    memory: Database, dataset: str, fifo: Path, kind: str, runs: int
) -> None:
    chance = random.Random(f"{SEED} {kind}")
    saved = os.dup(0)
    for n in range(runs):
        run = some_run(chance)
        plain = fifo.with_name("plain")
        plain.write_bytes(run)
        compress = chance.choice([bytes, gzip.compress, packed])
        pieces = slowly(compress(run), random.Random(n))
        if kind == "stdin":
            os.dup2(int(pipe(pieces).name), 0)
            path = STDIN
        else:
            threading.Thread(target=write_to, args=(fifo, pieces)).start()
            path = fifo
        expected = stored(memory, plain, dataset, f"plain {n}")
        assert stored(memory, path, dataset, f"stream {n}") == expected
        os.dup2(saved, 0)
    os.close(saved)


def write_to(path: Path, pieces: Iterator[bytes]) -> None:
    """Write pieces to a pipe with a name, as soon as somebody reads it."""
    with path.open("wb", buffering=0) as file:
        for piece in pieces:
            file.write(piece)


def test_a_reader_that_must_not_wait_waits_all_the_same() -> None:
    path = pipe(slowly(RUN.encode() * 50, random.Random(SEED)))
    os.set_blocking(int(path.name), False)
    with opened(path, Messages()) as source:
        assert source.readable.read_text() == RUN * 50


@pytest.mark.parametrize("compress", [gzip.compress, packed])
def test_a_compressed_stream_that_breaks_off_is_refused(compress: Any) -> None:
    path = pipe([compress(RUN.encode())[:-5]])
    with (
        pytest.raises(NdcgSqlError, match="damaged or cut short"),
        opened(path, Messages()),
    ):
        pass


def test_a_redirected_file_that_grows_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "r"
    path.write_text(RUN)
    usage = shutil.disk_usage

    def growing(folder: Path) -> Any:
        with path.open("a") as file:
            file.write(RUN)
        monkeypatch.undo()
        return usage(folder)

    monkeypatch.setattr("ndcg_sql.reading.sources.shutil.disk_usage", growing)
    handle = os.open(path, os.O_RDONLY)
    with (
        pytest.raises(NdcgSqlError, match="changed while being read"),
        opened(Path(f"/dev/fd/{handle}"), Messages()),
    ):
        pass
    os.close(handle)


def shell(folder: Path, command: str, **given: Any) -> "subprocess.Popen[str]":
    """Start a line of bash, in which ndcg-sql is this one."""
    return begun(
        ["bash", "-c", f'ndcg-sql() {{ {PYTHON} -m ndcg_sql "$@"; }}; {command}'],
        folder,
        **given,
    )


@pytest.fixture
def folder(loaded: Path) -> Path:
    """Return a folder with a warehouse, judgments and a run."""
    (loaded.parent / "qrels").write_text(QRELS)
    (loaded.parent / "run").write_text(RUN)
    return loaded.parent


LOADED = "loaded run {}: 2 queries, 4 documents; evaluated with"
UNNAMED = ": a stream has no name; load it alone with --name NAME"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("cat run | ndcg-sql load run - --name s", LOADED.format('"s"')),
        ("ndcg-sql load run --name s -- - < run", LOADED.format('"s"')),
        ("cat run | ndcg-sql load run /dev/stdin --name s", LOADED.format('"s"')),
        ("ndcg-sql load run <(cat run) --name s", LOADED.format('"s"')),
        ("mkfifo p.txt; cat run > p.txt & ndcg-sql load run p.txt", "loaded run"),
        ("cat run > ./-; ndcg-sql load run ./-", LOADED.format('"-"')),
        (
            "printf 'query_id,text\\nq1,x\\n' | ndcg-sql load queries -",
            "loaded 1 query",
        ),
        ("cat qrels | ndcg-sql load judgments - --name s", 'loaded judgment set "s"'),
        ("ndcg-sql load run - < run", f"-{UNNAMED}"),
        ("ndcg-sql load run run <(cat run)", f"/dev/fd/63{UNNAMED}"),
        ("ndcg-sql load judgments - < qrels", f"-{UNNAMED}"),
        ("ndcg-sql eval - - < run", "-: can be read only once; name it once"),
        ("ndcg-sql eval - /dev/fd/0 < run", "-: can be read only once; name it once"),
        ("ndcg-sql load run - --name s < /dev/null", "-: neither a file nor a pipe"),
        ("ndcg-sql load run - --name s < /dev/zero", "-: neither a file nor a pipe"),
        ("ndcg-sql load run - --name s <&-", "-: standard input is closed"),
        ("ndcg-sql load run /dev/fd/99 --name s", "/dev/fd/99: no open stream"),
        (": | ndcg-sql load run - --name s", "-: no rows; is this the right file?"),
        (
            "echo q1 Q0 d 1 x t | ndcg-sql load run - --name s",
            '-:1: query "q1", document "d": score "x" is not a number',
        ),
    ],
)
def test_a_stream_is_loaded_or_refused(folder: Path, command: str, told: str) -> None:
    process = shell(folder, command)
    out, err = process.communicate()
    assert err.startswith(told)
    assert out == ""
    assert process.returncode == (0 if told.startswith("loaded") else 2)
    assert not list(folder.glob("*ndcg-sql-*"))


@pytest.mark.slow
def test_the_name_of_a_stream_without_one_is_stored_as_it_was_told(
    folder: Path,
) -> None:
    shell(folder, "cat run | ndcg-sql load run - --name s").communicate()
    with opening.read(folder / "ndcg.duckdb") as warehouse:
        last = "select name, source from runs order by run_id desc limit 1"
        assert warehouse.execute(last) == [("s", "-")]


@pytest.mark.slow
def test_nobody_waits_for_a_slow_writer(folder: Path) -> None:
    command = "ndcg-sql load run - --name slow"
    process = shell(folder, command, stdin=subprocess.PIPE)
    assert process.stdin is not None
    waiting(folder, process)
    with opening.write(folder / "ndcg.duckdb", refill, wait=0) as warehouse:
        load(warehouse, "run", [folder / "run"], Options(name="quick"), Messages())
    out, err = process.communicate(RUN)
    assert (out, err[:16], process.returncode) == ("", 'loaded run "slow', 0)


def waiting(folder: Path, process: "subprocess.Popen[str]") -> None:
    """Wait until a process has begun to read, which a folder of its own shows."""
    while process.poll() is None and not list(folder.glob("ndcg-sql-*")):
        time.sleep(0.001)
    time.sleep(0.2)


@pytest.mark.slow
@pytest.mark.parametrize("is_new", [False, True], ids=["old", "new"])
def test_an_interrupt_while_nobody_writes_leaves_nothing(
    folder: Path, fifo: Path, is_new: bool
) -> None:
    if is_new:
        (folder / "ndcg.duckdb").unlink()
    before = sorted(folder.iterdir())
    process = begun(
        [sys.executable, "-m", "ndcg_sql", "load", "run", fifo.name], folder
    )
    waiting(folder, process)
    process.send_signal(signal.SIGINT)
    assert process.communicate() == ("", "interrupted; the warehouse is unchanged\n")
    assert process.returncode == 130
    assert sorted(folder.iterdir()) == before


@pytest.mark.slow
def test_reading_from_the_terminal_is_said(folder: Path) -> None:
    ours, theirs = pytest.importorskip("pty").openpty()
    process = shell(folder, "ndcg-sql load run - --name typed", stdin=theirs)
    os.write(ours, f"{RUN}\x04".encode())
    out, err = process.communicate()
    assert err.startswith(
        '-: reading from the terminal; end with Ctrl-D\nloaded run "t'
    )
    assert (out, process.returncode) == ("", 0)
