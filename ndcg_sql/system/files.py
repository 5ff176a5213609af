"""Files that are replaced atomically, temporary folders, and standard output."""

import gzip
import io
import os
import re
import shutil
import stat
import sys
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import gettempdir
from typing import BinaryIO, TextIO, cast

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.system import terminal
from ndcg_sql.system.platforms import locked
from ndcg_sql.wording import FILE, Wording, use

# A mark is sought in this number of bytes.
_NEAR = 4096
PREFIX = "ndcg-sql-"
_NAME = re.compile(rf"\.?{PREFIX}[0-9a-f]{{16}}")
# How many seconds a folder may go without its final name.
_YOUTH = 60.0


@contextmanager
def replaced(target: Path, shown: Wording) -> Generator[Path]:
    """Give a path to write to; the file written there then replaces the target.

    Until then, and after any exception, the target is unchanged. A link stays
    and points to the new file, which has the mode of the old one; a device or a
    pipe is written into. Raises NdcgSqlError, which names the target as shown.
    """
    final, mode = check_target(target, shown)
    is_file = mode is None or stat.S_ISREG(mode)
    with refused(shown), temporary_folder(final.parent if is_file else None) as folder:
        new = folder / "output"
        yield new
        if not is_file:
            with new.open("rb") as written, final.open("wb") as stream:
                shutil.copyfileobj(written, stream)
            return
        if mode is not None:
            new.chmod(stat.S_IMODE(mode))
        new.replace(final)


@contextmanager
def refused(shown: Wording) -> Generator[None]:
    """Make an error of the system inside an NdcgSqlError, which names what is shown."""
    try:
        yield
    except OSError as error:
        raise NdcgSqlError(str(error.strerror), where=shown) from error


def check_target(target: Path, shown: Wording) -> tuple[Path, int | None]:
    """Return the file that a target is, links resolved, and its mode if it exists."""
    with refused(shown):
        mode = target.stat().st_mode if target.exists() else None
    if mode is not None and stat.S_ISDIR(mode):
        raise NdcgSqlError("a directory", where=shown)
    is_file = mode is None or stat.S_ISREG(mode)
    final = Path(os.path.realpath(target)) if is_file else target
    if not final.parent.is_dir():
        raise NdcgSqlError("the directory does not exist", where=shown)
    return final, mode


def is_foreign(target: Path, mark: str, shown: Wording) -> bool:
    """Return whether a file has content, but not our mark near its ends."""
    with refused(shown):
        if not target.is_file():
            return False
        with target.open("rb") as content:
            near = content.read(_NEAR)
            content.seek(max(target.stat().st_size - _NEAR, 0))
            near += content.read()
    return bool(near) and mark.encode() not in near


def print_text(text: str) -> None:
    """Print a text as it is; raise NdcgSqlError as print_all does."""
    print_all(io.BytesIO(text.encode()))


def print_all(content: BinaryIO) -> None:
    """Copy bytes to standard output; raise NdcgSqlError if that cannot be written."""
    # It is None if the caller closed it.
    text = cast("TextIO | None", sys.stdout)
    if text is None:
        remedy = "write to a file with " + use(output=FILE)
        raise NdcgSqlError("closed", remedy, where="standard output")
    try:
        text.flush()
        shutil.copyfileobj(content, text.buffer)
        text.flush()
    except BrokenPipeError:
        # Its reader has read enough.
        raise
    except OSError as error:
        discard_output()
        raise NdcgSqlError(f"standard output: {error.strerror}") from error


def flush_output() -> None:
    """Write what was printed, unless its reader has read enough."""
    try:
        # It is None if the caller closed it.
        if text := cast("TextIO | None", sys.stdout):
            text.flush()
    except BrokenPipeError:
        discard_output()


def discard_output() -> None:
    """Discard unwritten output, or writing it would fail again at exit."""
    terminal.discard(sys.stdout)


def compress(path: Path) -> None:
    """Replace a file by a gzip file; the same content gives the same bytes."""
    plain = path.rename(path.with_name("plain"))
    with (
        plain.open("rb") as content,
        path.open("wb") as file,
        gzip.GzipFile("", "wb", 6, file, mtime=0) as compressed,
    ):
        shutil.copyfileobj(content, compressed)


@contextmanager
def temporary_folder(parent: Path | None) -> Generator[Path]:
    """Make a folder that is removed afterwards; remove those of killed processes."""
    parent = parent or Path(gettempdir())
    _remove_stale(parent)
    name = PREFIX + os.urandom(8).hex()
    new, folder = parent / f".{name}", parent / name
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        stack.callback(shutil.rmtree, new, ignore_errors=True)
        try:
            new.mkdir(mode=0o700)
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(parent)) from error
        # It gets its final name once it is locked, so it never looks stale.
        stack.enter_context(locked(new))
        yield new.rename(folder)


def _remove_stale(parent: Path) -> None:
    """Remove the temporary folders that no living process has locked."""
    with suppress(OSError):
        # There may be thousands of files, most of which need no Path.
        names = os.listdir(parent)  # noqa: PTH208
        for folder in (parent / name for name in names if _NAME.fullmatch(name)):
            with suppress(OSError):
                age = time.time() - folder.stat().st_mtime
                if folder.name.startswith(".") and age < _YOUTH:
                    # It is about to be locked.
                    continue
                with locked(folder) as is_ours:
                    if is_ours:
                        shutil.rmtree(folder, ignore_errors=True)
