"""The command line: options in, data on standard output, talk on standard error."""

import io
import itertools
import os
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, TextIO, cast

import typer
from typer.core import TyperCommand

from ndcg_sql import __version__, progress, statements
from ndcg_sql.cli import (
    assessments,
    changes,
    comparisons,
    gains,
    gate,
    holes,
    house,
    load,
    measures,
    out,
    overlaps,
    query,
    reports,
    trec_eval,
)
from ndcg_sql.cli.options import State, decimal, whole
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.limits import Limits, check_folder, memory_bytes
from ndcg_sql.targets import discard_output
from ndcg_sql.text import harmless_lines, quoted

_INTERRUPTED = 130
_GLOBAL = (
    *("-w", "--warehouse", "--timeout"),
    *("--threads", "--memory-limit", "--temp-directory"),
)

app = typer.Typer(
    name="ndcg-sql",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(load.app, name="load")
app.add_typer(measures.app, name="measures")
app.add_typer(gains.app, name="gains")
app.add_typer(out.exports, name="export")
app.add_typer(house.remove_app, name="remove")
app.registered_commands += reports.app.registered_commands
app.registered_commands += comparisons.app.registered_commands
app.registered_commands += gate.app.registered_commands
app.registered_commands += holes.app.registered_commands
app.registered_commands += assessments.app.registered_commands
app.registered_commands += changes.app.registered_commands
app.registered_commands += overlaps.app.registered_commands
app.registered_commands += query.app.registered_commands
app.registered_commands += house.app.registered_commands
app.registered_commands += out.app.registered_commands
app.registered_commands += trec_eval.app.registered_commands


class _Command(TyperCommand):
    """A command that takes an option twice only where it may be repeated."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments; fail where the last of several would win."""
        parser: Any = self.make_parser(ctx)
        order: list[Any] = parser.parse_args(args=list(args))[2]
        for option in order:
            # An argument of several values stands there once.
            once = order.count(option) == 1 or option.multiple or option.is_flag
            if not once:
                ctx.fail(f"{option.opts[0]} is given twice")
        return super().parse_args(ctx, args)


for _app in (app, *(group.typer_instance for group in app.registered_groups)):
    for _info in _app.registered_commands if _app else ():
        _info.cls = _Command


def _show_version(wanted: bool) -> None:
    """Print the versions of ndcg-sql and DuckDB, and end."""
    if wanted:
        import duckdb

        print(f"ndcg-sql {__version__} (DuckDB {duckdb.__version__})")
        raise typer.Exit


@app.callback()
def options(
    warehouse: Annotated[
        Path,
        typer.Option(
            "--warehouse",
            "-w",
            envvar="NDCG_SQL_WAREHOUSE",
            metavar="FILE",
            # Without a parser, typer itself would refuse what it cannot read.
            parser=Path,
            help="The warehouse file.",
        ),
    ] = Path("ndcg.duckdb"),
    timeout: Annotated[
        float,
        typer.Option(
            "--timeout",
            metavar="SECONDS",
            parser=decimal,
            help="How long to wait for a file that another process has open.",
        ),
    ] = State.timeout,
    threads: Annotated[
        int | None,
        typer.Option(
            "--threads",
            envvar="NDCG_SQL_THREADS",
            metavar="N",
            parser=whole,
            help="How many threads work, 1 to 1024; as many as there are processors for"
            " us if left out.",
        ),
    ] = None,
    memory_limit: Annotated[
        str | None,
        typer.Option(
            "--memory-limit",
            envvar="NDCG_SQL_MEMORY_LIMIT",
            metavar="SIZE",
            help="What DuckDB may take, as 500MB or 2GiB; what does not fit goes to"
            " temporary files. 1.2GB if left out, for query 1GB.",
        ),
    ] = None,
    temp_directory: Annotated[
        Path | None,
        typer.Option(
            "--temp-directory",
            envvar="NDCG_SQL_TEMP_DIRECTORY",
            metavar="DIR",
            parser=Path,
            help="Where temporary files go; beside the warehouse if left out.",
        ),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No talk, only data.")] = False,
    _version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_show_version,
            is_eager=True,
            help="Print the version.",
        ),
    ] = False,
) -> None:
    """Value rankings in a warehouse: NDCG and its kin as SQL views."""
    if timeout < 0:
        raise NdcgSqlError(f"--timeout {timeout:g}: not 0 or more")
    if temp_directory is not None:
        check_folder(temp_directory)
        temp_directory = temp_directory.absolute()
    memory = None if memory_limit is None else memory_bytes(memory_limit)
    State.limits = Limits(threads, memory, temp_directory)
    State.warehouse = warehouse
    State.timeout = timeout
    State.quiet = quiet
    progress.show(not quiet)


def _globals_first(arguments: list[str]) -> list[str]:
    """Return arguments with the global options, wherever they stand, at the front."""
    front: list[str] = []
    rest: list[str] = []
    items = iter(arguments)
    for item in items:
        if item == "--":
            rest += [item, *items]
        elif item in _GLOBAL:
            front += [item, *itertools.islice(items, 1)]
        elif item.split("=")[0] in _GLOBAL or item == "--quiet":
            front.append(item)
        else:
            rest.append(item)
    return front + rest


def main() -> None:
    """Run the command line; exit with 0, 2 (bad input) or 130 (interrupted)."""
    statements.listen()
    # DuckDB 1.5 imports pandas, where it is installed, for its first parameter:
    # half a second, for nothing.
    sys.modules.setdefault("pandas", cast("ModuleType", None))
    # Where the caller closed standard error, Python would talk on standard output.
    sys.stderr = cast("TextIO | None", sys.stderr) or io.StringIO()
    code = run(sys.argv[1:])
    statements.ignore()
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code; say on standard error what is wrong."""
    try:
        _check_text(arguments)
        result = app(_globals_first(arguments), "ndcg-sql", standalone_mode=False)
        if cast("TextIO | None", sys.stdout) is not None:
            sys.stdout.flush()
        statements.check()
        # Between two statements, typer makes an exit code of Ctrl-C itself.
        if result == _INTERRUPTED:
            return _interrupted()
        return result if isinstance(result, int) else 0
    except NdcgSqlError as error:
        return _refused(str(error), error.code)
    except (KeyboardInterrupt, typer.Abort):
        return _interrupted()
    except (BrokenPipeError, SystemExit):
        # Whoever read our output has seen enough; nothing more can be written.
        # For this alone typer exits by itself.
        discard_output()
        return 0
    except Exception as error:
        return (_misused if hasattr(error, "format_message") else _other)(error)
    finally:
        progress.hide()


def _refused(message: str, code: int = 2) -> int:
    """Say why something cannot be done; whatever it quotes is harmless to show."""
    if statements.interrupted():
        # Whatever went wrong then, this is why.
        return _interrupted()
    progress.hide()
    print(harmless_lines(message), file=sys.stderr)
    return code


def _check_text(arguments: list[str]) -> None:
    """Raise NdcgSqlError for an argument whose bytes are no text."""
    for argument in arguments:
        try:
            argument.encode()
        except UnicodeEncodeError:
            raise NdcgSqlError(f"{quoted(argument)}: not UTF-8 text") from None


def _misused(error: Exception) -> int:
    """Say what is wrong with the options; without any, print the help."""
    # typer gives its own errors no public type, but each a context and a message.
    context: Any = getattr(error, "ctx", None)
    message = str(getattr(error, "format_message", error.__str__)())
    if message.startswith("Usage:"):
        print(message, file=sys.stderr)
        return 2
    option: Any = getattr(error, "param", None)
    if option and (fault := getattr(error, "message", None)):
        return _refused(f"{option.opts[0]} {fault}")
    path = context.command_path if context else "ndcg-sql"
    return _refused(f"{path}: {message}\n{path} --help tells what it takes")


def _interrupted() -> int:
    """Say that the user ended the command, and what became of it."""
    statements.ignore()
    progress.hide()
    # What was interrupted may be the import.
    opened: Any = sys.modules.get("ndcg_sql.warehouse")
    changed = opened and opened.Warehouse.commits
    state = "already has the change" if changed else "is as it was"
    print(f"interrupted; the warehouse {state}", file=sys.stderr)
    return _INTERRUPTED


def _other(error: Exception) -> int:
    """Say what a fault of DuckDB, the system or this program means."""
    import duckdb

    from ndcg_sql.connections import translated

    if os.environ.get("NDCG_SQL_DEBUG"):
        traceback.print_exc()
    if isinstance(error, duckdb.Error):
        return _refused(str(translated(error, str(State.warehouse))))
    if isinstance(error, OSError):
        if error.filename is None:
            discard_output()
        return _refused(f"{error.filename or 'standard output'}: {error.strerror}")
    kind = type(error).__name__
    return _refused(f"unexpected: {kind}: {error}; please report it")
