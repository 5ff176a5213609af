"""Progress of long work is shown on a terminal, and nowhere else."""

import gzip
import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from support.files import packed, tables

pytestmark = pytest.mark.mostly_slow

# What hides a terminal's cursor while lines are drawn, and shows it again.
_HIDES, _SHOWS = "\x1b[?25l", "\x1b[?25h"
# Shows progress after less than a second, and reads slowly.
_HASTY = (
    "import sys, rich.progress; from ndcg_sql.cli.main import main;"
    " from ndcg_sql.reading import compression, sources;"
    " from ndcg_sql.system import progress;"
    " progress._PATIENCE = progress._PAUSE = {};"
    " sources.CHUNK = compression.CHUNK = {}; main()"
)


class Terminal:
    """A command whose standard error is a terminal."""

    def __init__(
        self, folder: Path, *arguments: str, seconds: float = 0.001, chunk: int = 100
    ) -> None:
        """Start a command in a folder, which shows progress after some seconds."""
        self._ours, theirs = pytest.importorskip("pty").openpty()
        code = _HASTY.format(seconds, chunk)
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, *arguments],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=theirs,
            env={**os.environ, "TERM": "xterm", "COLUMNS": "120"},
        )
        os.close(theirs)
        self._seen = b""

    def read(self) -> bool:
        """Read more of what is shown; tell whether there was any."""
        try:
            piece = os.read(self._ours, 1 << 16)
        except OSError:
            # How Linux tells that the other end is closed.
            piece = b""
        self._seen += piece
        return piece != b""

    @property
    def seen(self) -> str:
        """Return what was shown up to now, without colours."""
        return re.sub(r"\x1b\[[0-9;]*m", "", self._seen.decode(errors="ignore"))

    def end(self) -> tuple[int, bytes]:
        """Wait for the end; return the exit code and standard output."""
        while self.read():
            pass
        out, _ = self.process.communicate()
        os.close(self._ours)
        return self.process.returncode, out


def left(seen: str) -> str:
    """Return what is left on a terminal of what was sent to it."""
    rows = [""]
    for part in re.split(r"(\r\n|\r|\x1b\[2K|\x1b\[1A|\x1b\[\?25[lh])", seen):
        if part == "\r\n":
            rows.append("")
        elif part == "\x1b[1A":
            rows.pop()
        elif part == "\x1b[2K":
            rows[-1] = ""
        elif part != "\r" and not part.startswith("\x1b[?25"):
            rows[-1] += part
    return "\n".join(rows)


@pytest.fixture
def folder(loaded: Path) -> Path:
    """Put a large run beside a warehouse."""
    chance = random.Random(3)
    lines = [
        f"q{query:03} Q0 d{rank:04} {rank} {score!r} t\n"
        for query in range(200)
        for rank, score in enumerate(
            sorted((chance.random() for _ in range(200)), reverse=True)
        )
    ]
    # The warehouse has judgments for a query q1.
    lines.append("q1 Q0 a 1 1 t\n")
    (loaded.parent / "large").write_text("".join(lines))
    return loaded.parent


TOLD = 'loaded run "large": 201 queries, 40001 documents; evaluated with "qrels"\n'


def test_reading_shows_how_far_how_fast_and_how_long(folder: Path) -> None:
    terminal = Terminal(folder, "load", "run", "large")
    assert terminal.end() == (0, b"")
    line = r"reading large [━╸╺ ]+ \d of 2 MB, \d+ MB/s (\d:\d\d:\d\d|-:--:--)"
    assert re.search(line, terminal.seen)
    # All of it has vanished, and the cursor is there again.
    assert left(terminal.seen) == TOLD
    assert terminal.seen.count(_HIDES) == terminal.seen.count(_SHOWS) > 0


def test_a_statement_shows_how_far_it_is(folder: Path) -> None:
    lines = (folder / "large").read_text()
    more = (lines.replace("q", f"q{n}") for n in range(8))
    (folder / "large").write_text("".join(more))
    terminal = Terminal(folder, "load", "run", "large", chunk=1 << 22)
    assert terminal.end() == (0, b"")
    assert re.search(r"working [━╸╺ ]+ \d+ % ", terminal.seen)


@pytest.mark.parametrize(
    "pack", [pytest.param(gzip.compress, marks=pytest.mark.slow), packed]
)
def test_of_a_compressed_file_its_own_bytes_are_counted(
    folder: Path, pack: Callable[[bytes], bytes]
) -> None:
    content = pack((folder / "large").read_bytes())
    (folder / "large").write_bytes(content)
    terminal = Terminal(folder, "load", "run", "large")
    assert terminal.end() == (0, b"")
    total = f"{len(content) / 1e6:.0f}"
    assert re.search(rf"reading large .+ \d of {total} MB, ", terminal.seen)


def test_of_several_files_their_number_is_shown(folder: Path) -> None:
    for name in ("b", "c"):
        (folder / name).hardlink_to(folder / "large")
    terminal = Terminal(folder, "load", "run", "large", "b", "c")
    assert terminal.end() == (0, b"")
    for done in range(3):
        assert re.search(rf"loading [━╸╺ ]+ {done} of 3 files ", terminal.seen)
    assert left(terminal.seen).count("\n") == 3


def test_what_is_told_meanwhile_stands_on_a_row_of_its_own(folder: Path) -> None:
    content = packed((folder / "large").read_bytes(), checksum=False)
    (folder / "large").write_bytes(content)
    terminal = Terminal(folder, "load", "run", "large")
    assert terminal.end() == (0, b"")
    warning, told = left(terminal.seen).splitlines()
    assert warning.startswith("warning: large: a zstd frame has no checksum;")
    assert told + "\n" == TOLD


@pytest.mark.parametrize(("seconds", "options"), [(0.001, ["--quiet"]), (30, [])])
def test_nobody_is_bothered_who_is_quick_or_wants_quiet(
    folder: Path, seconds: float, options: list[str]
) -> None:
    terminal = Terminal(folder, "load", "run", "large", *options, seconds=seconds)
    assert terminal.end() == (0, b"")
    assert "\x1b" not in terminal.seen


def test_where_there_is_no_terminal_nothing_is_drawn(folder: Path) -> None:
    code = _HASTY.format(0.001, 100)
    command = [sys.executable, "-c", code, "load", "run", "large"]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert (result.stdout, result.stderr) == ("", TOLD)


def test_an_interrupt_leaves_the_terminal_as_it_was(folder: Path) -> None:
    before = tables(folder / "ndcg.duckdb")
    terminal = Terminal(folder, "load", "run", "large")
    while "reading" not in terminal.seen:
        assert terminal.read()
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.end() == (130, b"")
    assert left(terminal.seen) == "interrupted; the warehouse is unchanged\n"
    assert terminal.seen.count(_HIDES) == terminal.seen.count(_SHOWS) > 0
    assert tables(folder / "ndcg.duckdb") == before


def test_a_refusal_stands_alone(folder: Path) -> None:
    with (folder / "large").open("a") as run:
        run.write("q Q0 d 1 x t\n")
    terminal = Terminal(folder, "load", "run", "large", "large")
    assert terminal.end() == (2, b"")
    assert left(terminal.seen).startswith("large:40002: query ")
    assert terminal.seen.count(_HIDES) == terminal.seen.count(_SHOWS) > 0
