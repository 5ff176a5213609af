"""Temporary folders, removed even if their process is killed."""

import os
import re
import shutil
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from tempfile import gettempdir

from ndcg_sql.system.platforms import locked

PREFIX = "ndcg-sql-"
_NAME = re.compile(rf"\.?{PREFIX}[0-9a-f]{{16}}")
# How many seconds a folder may go without its final name.
_YOUTH = 60.0


@contextmanager
def temporary_folder(parent: Path | None) -> Generator[Path]:
    """Make a folder that is removed afterwards, even after an interrupt.

    Also removes the folders that killed processes left next to it. Raises OSError
    with the name of the parent if that is not writable.
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
        # It gets its final name once it is locked, so it never looks stale.
        stack.enter_context(locked(new))
        yield new.rename(folder)


def _remove_stale(parent: Path) -> None:
    """Remove the temporary folders that no living process has locked.

    On a file system without locks, none is removed.
    """
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
