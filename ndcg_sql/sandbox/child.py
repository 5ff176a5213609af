"""The child process that runs untrusted SQL.

It cannot write (the file is opened read-only), reach other files or the network
(external access is off), change settings (they are locked), run any statement but
a select, or call functions that read files or switch logs on. The system ends it
at a limit of time or memory.
"""

import json
import os
import shutil
import sys
import threading
from pathlib import Path
from types import ModuleType
from typing import cast

import duckdb

from ndcg_sql.comparison.answers import Answer, Rows
from ndcg_sql.database import opening
from ndcg_sql.database.connections import Settings, is_damage, is_disk_full, translated
from ndcg_sql.database.database import ROWS, Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.output.writing import fill
from ndcg_sql.sandbox.parent import Task
from ndcg_sql.sandbox.selects import one_select, rows_of
from ndcg_sql.system import platforms
from ndcg_sql.text import quoted
from ndcg_sql.wording import Blank, Text, Wording, call, joined, packed, use

# The table functions that are allowed. All others are refused: some read files, and
# on DuckDB 1.5 a select from enable_profiling() writes a profile over the
# warehouse, although it is read-only and settings are locked.
_FUNCTIONS = ["generate_series", "json_each", "json_tree", "range", "repeat", "unnest"]
# Address space that Python with DuckDB, and each thread, need for themselves.
_PROCESS_SPACE = 1 << 30
_THREAD_SPACE = 1 << 27
_LONGEST_MESSAGE = 500
# How DuckDB begins a hint, and what it raises where a name is unknown.
_HINTS = ("Did you mean", "Candidate bindings")
_UNKNOWN = (duckdb.CatalogException, duckdb.BinderException)
_FILES = "a query reads no files: join them in any DuckDB client"
# The disk space for what does not fit in memory, as a multiple of the memory limit.
_SPILL = 4


def main() -> None:
    """Answer the query on standard input; exit with 0, or with 2 and a message."""
    # As in the command line: DuckDB 1.5 would import pandas for a parameter.
    sys.modules.setdefault("pandas", cast("ModuleType", None))
    task = Task(**json.loads(sys.stdin.readline()))
    folder = Path(task.file).parent
    threading.Thread(target=_end_with_parent, args=[folder], daemon=True).start()
    # These signals often reach both processes; the parent ends the child.
    platforms.ignore_ends()
    # DuckDB's own limit does not count every string and list.
    threads = task.threads or os.cpu_count() or 1
    platforms.limit_memory(task.memory + _PROCESS_SPACE + threads * _THREAD_SPACE)
    settings: Settings = {
        "enable_external_access": "false",
        "python_enable_replacements": "false",
        "autoload_known_extensions": "false",
        "allow_persistent_secrets": "false",
        "memory_limit": f"{task.memory}B",
        # Files here can be read and written although external access is off.
        "temp_directory": str(folder),
        # On the disk of the warehouse, room must stay for loads.
        "max_temp_directory_size": f"{_SPILL * task.memory}B",
        "lock_configuration": "true",
    }
    if task.threads:
        settings["threads"] = task.threads
    try:
        path = Path(task.warehouse)
        with opening.read(path, task.wait, settings=settings) as database:
            platforms.end_after(task.seconds)
            _answer(database, task)
        message = None
    except NdcgSqlError as error:
        message = error.message
    except duckdb.Error as error:
        message = fault(error, task)
    except MemoryError:
        message = _needs_memory(task)
    if message is not None:
        print(packed(message), file=sys.stderr, flush=True)
    # At a normal exit, DuckDB 2.0 would complain of objects that were not freed.
    os._exit(0 if message is None else 2)


def _end_with_parent(folder: Path) -> None:
    """End at once, leaving no file, when the parent has ended for any reason."""
    sys.stdin.read()
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(1)


def _answer(database: Database, task: Task) -> None:
    """Run the select, or explain it, and write the result."""
    explain, select = _checked(database, task.sql)
    shown, parameters = rows_of(select), Parameters()
    if explain:
        steps = database.execute(f"{explain} {shown}")
        parameters["rows"] = [{"step": step, "plan": text} for step, text in steps]
        shown = ROWS
    rows = Rows.selected(database, shown, parameters)
    answer = Answer("plan" if explain else "query", rows)
    fill(answer, task.form, Path(task.file))


def _checked(database: Database, sql: str) -> tuple[str, str]:
    """Return the keywords of explain, if any, and the select; refuse all else."""
    explain, select = one_select(database.connection, sql)
    sql_tree = "select json_serialize_sql($statement)"
    tree = database.execute(sql_tree, {"statement": select})[0][0]
    if not tree.startswith('{"error":false'):
        raise NdcgSqlError("query: only a statement that only selects is run")
    # In the tree, only table functions have this form.
    sql_names = "select json_extract_string($tree, '$..function.function_name')"
    for name in database.execute(sql_names, {"tree": tree})[0][0]:
        if name.lower() not in _FUNCTIONS:
            raise NdcgSqlError(
                f"query: {quoted(name)}: the only table functions allowed are"
                f" {', '.join(_FUNCTIONS)}; {_FILES}"
            )
    return explain, select


def fault(error: duckdb.Error, task: Task) -> Text:
    """Return DuckDB's message about a statement, and what to do about it."""
    text = str(error)
    if is_disk_full(error) or is_damage(error):
        return translated(error, task.warehouse).message
    if isinstance(error, duckdb.OutOfMemoryException):
        return _needs_memory(task)
    message, *more = text.splitlines()
    if len(message) > _LONGEST_MESSAGE:
        message = message[: _LONGEST_MESSAGE - 1] + "…"
    hints: list[Wording] = [one for one in more if one.startswith(_HINTS)]
    if isinstance(error, duckdb.PermissionException):
        hints = [_FILES]
    elif not hints and isinstance(error, _UNKNOWN):
        hints = [call("schema") + " shows the tables and columns"]
    return joined([f"query: {message}", *hints], "; ")


def _needs_memory(task: Task) -> Text:
    """Return the message that the memory limit was reached."""
    return Text(
        f"query: needs more memory than {task.memory // 10**6} MB; select less,"
        " or raise the limit: ",
        use(memory=Blank("SIZE")),
    )
