"""Where the command line starts and ends: arguments in, exit codes out."""

import io
import os
import sys
import traceback
from types import ModuleType
from typing import Any, TextIO, cast

import typer

from ndcg_sql.cli import completion
from ndcg_sql.cli.builder import Terminal, whole
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.system import interrupts, progress, terminal
from ndcg_sql.system.files import discard_output, flush_output
from ndcg_sql.system.platforms import write_utf8
from ndcg_sql.text import harmless_lines, listed, quoted, unstorable
from ndcg_sql.wording import Text, Wording

_INTERRUPTED = 130


def main() -> None:
    """Run the command line; exit with 0, 2 (bad input), 130 (Ctrl-C), 143 (SIGTERM)."""
    interrupts.listen()
    write_utf8()
    # DuckDB 1.5 imports an installed pandas for its first parameter, which would
    # waste half a second.
    sys.modules.setdefault("pandas", cast("ModuleType", None))
    # If the caller closed standard error, Python would print messages to standard
    # output.
    sys.stderr = cast("TextIO | None", sys.stderr) or io.StringIO()
    code = run(sys.argv[1:])
    interrupts.ignore()
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code; print errors on standard error."""
    session = Terminal()
    terminal.choose(terminal.MODES[0])
    try:
        for argument in arguments:
            if unstorable(argument):
                raise NdcgSqlError(f"{quoted(argument)}: not UTF-8 text")
        if instruction := os.environ.get(completion.VARIABLE):
            return completion.answer(whole(), instruction)
        result = whole().main(arguments, "ndcg-sql", standalone_mode=False, obj=session)
        flush_output()
        interrupts.check()
        # Between two statements, typer itself turns Ctrl-C into an exit code.
        if result == _INTERRUPTED:
            return _interrupted(session)
        return result if isinstance(result, int) else 0
    except NdcgSqlError as error:
        return _refused(session, error.message, error.code)
    except (KeyboardInterrupt, typer.Abort):
        return _interrupted(session)
    except (BrokenPipeError, SystemExit):
        # The reader of our output closed it; nothing more can be written. Only in
        # this case does typer exit by itself.
        discard_output()
        return 0
    except Exception as error:
        is_misuse = hasattr(error, "format_message")
        return (_misused if is_misuse else _failed)(session, error)
    finally:
        progress.hide()


def _refused(session: Terminal, message: Wording, code: int = 2) -> int:
    if interrupts.interrupted():
        # The interrupt caused whatever error followed.
        return _interrupted(session)
    progress.hide()
    terminal.tell(harmless_lines(Text(message).spelled(session.face)), "error")
    return code


def _misused(session: Terminal, error: Exception) -> int:
    """Print what is wrong with the options; without any, print the help."""
    # typer's errors have no public type, but each has a context and a message.
    context: Any = getattr(error, "ctx", None)
    message = str(getattr(error, "format_message", error.__str__)())
    if message.startswith("Usage:"):
        terminal.tell(message)
        return 2
    option: Any = getattr(error, "param", None)
    path = context.command_path if context else "ndcg-sql"
    is_argument = option and context and option.param_type_name == "argument"
    if is_argument and session.path.exists():
        # What could be named is what a shell would complete.
        names = listed(item.value for item in option.shell_complete(context, ""))
        word = option.metavar.removesuffix("...")
        message = f"no {word}; known: {names}" if names else message
    is_more = message.startswith("Got unexpected extra argument")
    if is_more and any("--run" in one.opts for one in context.command.params):
        message += "; runs are named by --run"
    return _refused(session, f"{path}: {message}\nsee {path} --help")


def _interrupted(session: Terminal) -> int:
    interrupts.ignore()
    progress.hide()
    state = interrupts.left(session.has_changed)
    message = f"interrupted; {state}" if session.has_warehouse else "interrupted"
    terminal.tell(message)
    return interrupts.exit_code()


def _failed(session: Terminal, error: Exception) -> int:
    """Print what an error of DuckDB, the system or this program means."""
    import duckdb

    from ndcg_sql.database.connections import translated

    if os.environ.get("NDCG_SQL_DEBUG"):
        traceback.print_exc()
    if isinstance(error, duckdb.Error):
        return _refused(session, translated(error, str(session.path)).message)
    if isinstance(error, OSError):
        if error.filename is None:
            discard_output()
        where = error.filename or "standard output"
        return _refused(session, f"{where}: {error.strerror}")
    kind = type(error).__name__
    return _refused(session, f"unexpected: {kind}: {error}; please report it")
