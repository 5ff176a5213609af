"""Temporary folders, gone afterwards even where a process was killed."""

import fcntl
import os
import re
import shutil
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from tempfile import gettempdir

PREFIX = "ndcg-sql-"
_NAME = re.compile(rf"\.?{PREFIX}[0-9a-f]{{16}}")
# For how many seconds a folder may be without its name.
_YOUTH = 60.0


@contextmanager
def temporary_folder(parent: Path | None) -> Generator[Path]:
    """Make a folder that is gone afterwards, whenever an interrupt comes.

    Removes what killed processes left beside it. Raises OSError with the name
    of the parent if that cannot be written to.
    """
    parent = parent or Path(gettempdir())
    _remove_stale(parent)
    name = PREFIX + token_hex(8)
    new, folder = parent / f".{name}", parent / name
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        stack.callback(shutil.rmtree, new, ignore_errors=True)
        try:
            new.mkdir(mode=0o700)
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(parent)) from error
        # It gets its name when it is locked, so nobody can take it for stale.
        stack.enter_context(_locked(new))
        yield new.rename(folder)


def _remove_stale(parent: Path) -> None:
    """Remove the temporary folders that no living process has locked.

    Where the file system knows no locks, none is ever removed.
    """
    with suppress(OSError):
        # Thousands of files may be there; only few are worth a path.
        names = os.listdir(parent)  # noqa: PTH208
        for folder in (parent / name for name in names if _NAME.fullmatch(name)):
            with suppress(OSError):
                age = time.time() - folder.stat().st_mtime
                if folder.name.startswith(".") and age < _YOUTH:
                    # It is about to be locked.
                    continue
                with _locked(folder) as is_ours:
                    if is_ours:
                        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _locked(folder: Path) -> Generator[bool]:
    """Lock a folder while inside; tell whether that could be done."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        is_locked = True
    except OSError:
        # Somebody else has it, or the file system knows no locks.
        is_locked = False
    try:
        yield is_locked
    finally:
        os.close(handle)
