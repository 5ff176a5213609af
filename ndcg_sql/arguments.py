"""Messages of the command line for Python: options become arguments."""

import inspect
import re
import warnings
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager

import duckdb

from ndcg_sql.database.connections import harmless_path, translated
from ndcg_sql.errors import NdcgSqlError

# The argument that does what an option does.
_ARGUMENTS = {
    "alpha": "alpha",
    "assessor": "assessor",
    "assessor-column": "assessor_columns",
    "base": "base",
    "bounds": "bounds",
    "by": "by",
    "column": "columns",
    "correct": "correct",
    "dataset": "dataset",
    "depth": "depth",
    "duplicates": "duplicates",
    "format": "form",
    "from": "url",
    "html": "html",
    "judgments": "judgments",
    "label": "labels",
    "like": "like",
    "limit": "limit",
    "max-drop": "max_drop",
    "max-drop-in": "max_drop_in",
    "memory-limit": "memory",
    "min": "minimum",
    "name": "name",
    "name-from": "name_from",
    "p": "p",
    "per-query": "per_query",
    "positions": "position_rule",
    "queries": "queries",
    "rankings": "rankings",
    "resamples": "resamples",
    "run": "runs",
    "run-at": "run_at",
    "run-column": "run_column",
    "schema": "schema",
    "seed": "seed",
    "select": "select",
    "sort": "sort",
    "tag": "tags",
    "temp-directory": "temporary",
    "test": "test",
    "threads": "threads",
    "underpowered": "underpowered",
    "worst": "worst",
}
# The modules that a call passes through, from a caller's own.
_INSIDE = ("ndcg_sql.", "contextlib")
# Options that no argument replaces.
_WITHOUT = ("format-in", "groups", "keep-going", "query", "rows-of")
# What a message says, and what it says in Python; the first match counts.
_SAID = (
    (r"--column (\w+)=(NAME\b|[^\n]+?(?= --column | \(|$))", r'columns={"\1": "\2"}'),
    (r"--run-column (\S.*?)(?=, or ignore them|$)", r'run_column="\1"'),
    (r'--label "?([^"\n]*)"?=(-?1|GRADE)\b', r'labels={"\1": \2}'),
    (r"--tag K=V", 'tags={"K": "V"}'),
    (r"(?<!\S)-m ([^\s;,]+)", r'measures="\1"'),
    (r"--replace\b", "replace=True"),
    (r"--force\b", "force=True"),
    (r"--timeout (SECONDS|[\d.]+)", r"wait=\1"),
    (r'--select "select \.\.\."', 'select="select ..."'),
    (r"--temp-directory DIR", "limits=Limits(temporary=DIR)"),
    (r"--memory-limit SIZE", "limits=Limits(memory=BYTES)"),
    (r"--threads 1\b", "limits=Limits(threads=1)"),
    (r"named with --warehouse", "opened with Warehouse.read(path)"),
    (r" with --warehouse", ""),
    (
        r"--(duplicates|name-from|positions)"
        r" (first|last|max|tag|given|score32|score)\b(?!:)",
        r'--\1="\2"',
    ),
    (r"--([a-z-]+) (NAME|D)\b", r'--\1="\2"'),
    (r"ndcg-sql load judgments FILE (creates|makes)", r"Warehouse.write(path) \1"),
    (r"the next command that writes, such as \w+,", "Warehouse.write(path)"),
    (r"ndcg-sql load run FILE --tag K=V", 'load_run(FILE, tags={"K": "V"})'),
    (
        r"ndcg-sql load (run|judgments|queries|documents|assessments) FILE",
        r"load_\1(FILE)",
    ),
    (r"in Python, (?=Warehouse)", ""),
    (r"run the same command again", "try again"),
    (r"^-o (?=\S)", ""),
    (
        r"ndcg-sql plot (\S+) BASELINE CANDIDATE",
        r'plot("\1", ["BASELINE", "CANDIDATE"])',
    ),
)
# Quoted text is the user's, and stays as it is.
_QUOTED = '(?P<quoted>"[^"\n]*")'


@contextmanager
def in_python(path: str) -> Generator[None]:
    """Make every failure inside an NdcgSqlError that speaks of arguments.

    path is that of the warehouse.
    """
    try:
        yield
    except NdcgSqlError as error:
        error.args = (as_arguments(str(error)),)
        raise
    except duckdb.InterruptException:
        raise
    except duckdb.Error as error:
        fault = translated(error, harmless_path(path))
        raise NdcgSqlError(as_arguments(str(fault))) from error
    except OSError as error:
        where = harmless_path(str(error.filename or path))
        raise NdcgSqlError(f"{where}: {error.strerror}") from error


def warn(lines: Iterable[str]) -> None:
    """Issue messages of the command line as warnings about the line of a caller.

    That is the innermost one outside this package.
    """
    frame, level = inspect.currentframe(), 0
    while frame and frame.f_globals.get("__name__", "").startswith(_INSIDE):
        frame, level = frame.f_back, level + 1
    for line in lines:
        said = as_arguments(line.removeprefix("warning: "))
        warnings.warn(said, stacklevel=level + 1)


def as_arguments(text: str) -> str:
    """Return a message of the command line with arguments in place of options."""
    for old, new in _SAID:
        text = _replaced(old, text, lambda match, new=new: match.expand(new))
    # Several columns are one argument.
    text = text.replace('"} columns={"', '", "')
    without = [name for name in _WITHOUT if re.search(rf"--{name}\b", text)]
    text = _replaced("--([a-z][a-z-]*)", text, _argument)
    if without:
        options = ", ".join(f"--{name}" for name in without)
        text += f"\nOnly the command line has {options}: ndcg-sql load --help"
    return text


def _argument(match: re.Match[str]) -> str:
    """Return the argument that does what an option does, or the option."""
    return _ARGUMENTS.get(match[1], match[0])


def _replaced(old: str, text: str, new: Callable[[re.Match[str]], str]) -> str:
    """Replace what a pattern matches outside of quotes."""

    def chosen(match: re.Match[str]) -> str:
        return match[0] if match["quoted"] else new(match)

    return re.sub(f"(?m:{old}|{_QUOTED})", chosen, text)
