"""The errors that a user can get, with their exit codes."""

import errno
import os
import traceback
from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from itertools import takewhile
from pathlib import Path
from typing import Any, get_args

from ndcg_sql.wording import Text, Wording, listed, named, referring, use

# The numbers of errors of the system that mean a full disk: also a quota, and a
# limit on the size of files.
DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class NdcgSqlError(Exception):
    """A failed operation; its message states where, what is wrong and what to do.

    The message may have several lines: one per fault, then the remedy. The
    warehouse is left exactly as it was. where and remedy may be empty; what may have
    several lines. code is the exit code of the command line. needs are the fields of
    the request that may get past it, "kind" if the file may be of another kind.
    """

    code = 2

    def __init__(
        self,
        what: Wording,
        remedy: Wording = "",
        *,
        where: Wording = "",
        needs: Collection[str] = (),
    ) -> None:
        """Take what is wrong, what to do about it, and where it is wrong."""
        super().__init__(what, remedy, where)
        self.where, self.what, self.remedy = where, what, remedy
        self.needs = frozenset(needs)

    def __str__(self) -> str:
        return str(self.message)

    @property
    def message(self) -> Text:
        """The message, for a face to spell, or to be part of another one."""
        message = Text(self.where, ": " if self.where else "", self.what)
        return message + ("; " if self.remedy else "") + self.remedy

    def change(self, changed: Callable[[Text], Text]) -> None:
        """Change each text of the message."""
        parts = self.where, self.what, self.remedy
        self.where, self.what, self.remedy = (changed(Text(part)) for part in parts)

    def _render_traceback_(self) -> list[str]:
        """Return what a notebook shows: the lines of the user, and the message."""
        package = f"{Path(__file__).parent}{os.sep}"
        frames = traceback.extract_tb(self.__traceback__)
        outside = takewhile(lambda frame: package not in frame.filename, frames)
        lines = [frame for frame in outside if "IPython" not in frame.filename]
        shown = [text.rstrip() for text in traceback.format_list(lines)]
        return [*shown, f"{type(self).__name__}: {self}"]


class ExitError(NdcgSqlError):
    """A failed operation with its own exit code."""

    def __init__(self, message: Wording, code: int) -> None:
        """Take the message and the exit code."""
        super().__init__(message)
        self.code = code


class BadRowsError(NdcgSqlError):
    """Rows of a file that break checks; compared if only rows conflict with rows."""

    def __init__(
        self,
        message: Wording,
        checks: frozenset[str],
        compared: bool,
        needs: Collection[str] = (),
        scored: bool = False,
    ) -> None:
        """Take the message and what is wrong with the rows."""
        super().__init__(message, needs=needs)
        self.checks, self.compared, self.scored = checks, compared, scored


class LockedError(NdcgSqlError):
    """Another process has locked the warehouse file."""


class DiskFullError(NdcgSqlError):
    """A disk has no space left for a write."""


def check_choice(
    name: str, value: str, words: Any, synonyms: Mapping[str, str] | None = None
) -> None:
    """Raise NdcgSqlError if a value is none of some words, or of those of a Literal."""
    allowed: tuple[str, ...] = get_args(words) or tuple(words)
    if value in allowed:
        return

    def letters(word: str) -> str:
        return "".join(letter for letter in word.lower() if letter.isalnum())

    alike = {letters(word): word for word in allowed} | dict(synonyms or {})
    word = alike.get(letters(value))
    remedy = Text("did you mean ", use(**{name: word}), "?") if word else ""
    what = f"not one of {', '.join(allowed)}"
    raise NdcgSqlError(what, remedy, where=use(**{name: value}))


def refusal(where: Wording, what: str, remedy: str = "") -> NdcgSqlError:
    """Return a refusal, in whose texts braces name fields and methods."""
    place = referring(where) if isinstance(where, str) else where
    return NdcgSqlError(referring(what), referring(remedy), where=place)


def not_with(name: str, *others: str) -> NdcgSqlError:
    """Return the refusal of a field that cannot stand beside others."""
    rest = listed(others, "or")
    omit = "omit one" if len(others) == 1 else "omit them"
    return NdcgSqlError("cannot be combined with " + rest, omit, where=named(name))


def library(name: str) -> Any:
    """Return a library of frames; raise NdcgSqlError if it is not installed."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        raise NdcgSqlError(
            f"a frame of {name} needs {error.name}", f"pip install {error.name}"
        ) from None
