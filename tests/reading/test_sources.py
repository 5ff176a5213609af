"""The bytes of a file: what is wrong is said of the right file, folder and line."""

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading import sources
from ndcg_sql.reading.sources import opened
from ndcg_sql.system.files import temporary_folder
from ndcg_sql.system.messages import Messages
from support.commands import Command
from support.files import RUN, packed

LONGEST = 1 << 26
TOO_LONG = "longer than 64 MB; is this the right file?"
NUL = "a NUL byte; is this a text file?"


def appended(path: Path) -> None:
    """Make a file longer."""
    path.write_text(RUN + RUN)


def cut(path: Path) -> None:
    """Make a file shorter."""
    path.write_text(RUN[:10])


def touched(path: Path) -> None:
    """Write the same bytes once more, at another time."""
    os.utime(path, ns=(0, 0))


def replaced(path: Path) -> None:
    """Put another file of the same size and time in the place of a file."""
    status = path.stat()
    other = path.with_name("other")
    other.write_text(RUN.replace("q3", "q4"))
    os.utime(other, ns=(status.st_atime_ns, status.st_mtime_ns))
    other.replace(path)


@pytest.mark.parametrize("change", [appended, cut, touched, replaced])
@pytest.mark.parametrize("compress", [bytes, packed], ids=["plain", "zstd"])
def test_a_file_that_changes_while_it_is_read_is_refused(
    tmp_path: Path, change: Callable[[Path], None], compress: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "changing"
    path.write_bytes(compress(RUN.encode()))
    with (
        pytest.raises(NdcgSqlError, match="changing: changed while being read; load"),
        opened(path, Messages()),
    ):
        change(path)


def test_a_file_that_is_removed_while_it_is_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "r"
    path.write_text(RUN)
    with (
        pytest.raises(NdcgSqlError, match="/r: the file no longer exists"),
        opened(path, Messages()),
    ):
        path.unlink()


@pytest.mark.slow
@pytest.mark.usefixtures("loaded")
def test_a_change_is_seen_before_anything_is_stored(
    ndcg: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("r").write_text(RUN)
    check = sources._check_unchanged  # pyright: ignore[reportPrivateUsage]

    def changed(name: str, before: os.stat_result, _: os.stat_result) -> None:
        check(name, before, Path().stat())

    monkeypatch.setattr(sources, "_check_unchanged", changed)
    assert ndcg("load", "run", "r").code == 2
    assert "base" in ndcg("list").out
    assert " r " not in ndcg("list").out


def test_a_fault_of_something_else_is_not_that_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "r").write_text(RUN)
    fault = PermissionError(errno.EACCES, "Permission denied", "elsewhere")
    with pytest.raises(PermissionError) as raised, opened(tmp_path / "r", Messages()):
        raise fault
    assert raised.value is fault


def test_a_full_disk_is_that_of_the_folder(
    ndcg: Command, loaded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    Path("r").write_bytes(RUN.encode().replace(b"\n", b"\r\n"))
    monkeypatch.setattr(sources, "clean_copy", full)
    result = ndcg("load", "run", "r")
    assert result.err == (
        f"{loaded.parent}: no space left on the disk for a copy of r; make room and"
        " try again\n"
    )
    assert result.code == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("start", "end"),
    [
        (b"", b"\n"),
        (b"", b"\r\n"),
        ("\ufeff".encode(), b"\n"),
        ("\ufeff".encode(), b"\r\n"),
    ],
    ids=["LF", "CRLF", "BOM-LF", "BOM-CRLF"],
)
def test_a_line_is_too_long_by_one_byte(
    tmp_path: Path, start: bytes, end: bytes
) -> None:
    lines = [b"x", b"x" * LONGEST, b"x", b"x" * (LONGEST + 1), b"x", b"x" * LONGEST]
    (tmp_path / "r").write_bytes(start + end.join(lines) + end)
    with opened(tmp_path / "r", Messages()) as source:
        assert [(fault.line, fault.reason) for fault in source.faults] == [
            (4, TOO_LONG)
        ]


HOLD = (
    "import sys; from pathlib import Path; from ndcg_sql.system.files import *\n"
    "with temporary_folder(Path(sys.argv[1])) as folder:\n"
    "    (folder / 'copy').write_text('x')\n"
    "    print(folder, flush=True); sys.stdin.read()"
)


def holding(parent: Path) -> "tuple[subprocess.Popen[str], Path]":
    """Start a process that holds a temporary folder."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(parent)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip())


@pytest.mark.slow
def test_what_a_killed_process_left_is_removed_and_nothing_else(
    ndcg: Command, loaded: Path
) -> None:
    Path("r").write_text(RUN)
    others = [Path(name) for name in ("ndcg-sql-notes", "ndcg-sql-0123")]
    for other in others:
        other.mkdir()
    killed, stale = holding(loaded.parent)
    living, held = holding(loaded.parent)
    with temporary_folder(loaded.parent) as own:
        killed.send_signal(signal.SIGKILL)
        killed.communicate()
        assert stale.is_dir()
        assert ndcg("load", "run", "r").code == 0
        assert not stale.exists()
        assert (held / "copy").is_file()
        assert own.is_dir()
    living.communicate()
    left = {path.name for path in loaded.parent.glob("*ndcg-sql*")}
    assert left == {other.name for other in others}


def test_a_folder_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    with (
        pytest.raises(FileNotFoundError) as raised,
        temporary_folder(tmp_path / "absent"),
    ):
        pass
    assert raised.value.filename == str(tmp_path / "absent")
