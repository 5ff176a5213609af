"""Where the command line starts and ends: global options, commands, exit codes."""

import inspect
import io
import itertools
import os
import sys
import traceback
from functools import cache
from types import ModuleType
from typing import Annotated, Any, TextIO, cast

import typer
from typer.main import get_command

from ndcg_sql import __version__
from ndcg_sql.cli import completion
from ndcg_sql.cli.apps import Terminal, app_of, session_of
from ndcg_sql.cli.options import values_of, with_options
from ndcg_sql.cli.sections import COMMANDS, Sections
from ndcg_sql.cli.session import begin
from ndcg_sql.cli.spelling import CommandLine, option_of
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests.fields import fields_of
from ndcg_sql.system import interrupts, progress, terminal
from ndcg_sql.system.messages import OnTerminal, Silent
from ndcg_sql.system.output_files import discard_output, flush_output
from ndcg_sql.system.platforms import write_utf8
from ndcg_sql.text import harmless_lines, listed, quoted
from ndcg_sql.wording import Text, Wording

_INTERRUPTED = 130
_GLOBAL = fields_of(begin)


class _Commands(Sections):
    """The commands, each imported when it is used: only help needs all."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, _globals_first(args))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        return _command(app_of(cmd_name), cmd_name)


@cache
def _command(part: typer.Typer, name: str) -> Any:
    """Return the command, or the group of commands, that a module defines.

    Like all help, its help is plain text without options for completion.
    """
    whole = typer.Typer(rich_markup_mode=None, add_completion=False)
    if part.registered_callback or len(part.registered_commands) > 1:
        whole.add_typer(part, name=name)
        group: Any = get_command(whole)
        return group.commands[name]
    whole.registered_commands += part.registered_commands
    command = get_command(whole)
    command.name = name
    return command


app = typer.Typer(
    name="ndcg-sql",
    cls=_Commands,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        import duckdb

        print(f"ndcg-sql {__version__} (DuckDB {duckdb.__version__})")
        raise typer.Exit


def _options(context: typer.Context, _version: bool, **values: Any) -> None:
    """Evaluate rankings in a warehouse: NDCG and related measures as SQL views."""
    session = session_of(context)
    parameters: list[Any] = [*context.command.params]
    session.face.variables = {
        one.name: one.envvar for one in parameters if _is_variable(context, one)
    }
    begin(session, **values_of(_GLOBAL, values))
    source = context.get_parameter_source("warehouse")
    if source is not None and source.name == "COMMANDLINE":
        session.face.warehouse = session.path
    session.messages = Silent() if values["quiet"] else OnTerminal(session.face)
    progress.show(not values["quiet"])


def _is_variable(context: Any, parameter: Any) -> bool:
    """Return whether the value of a parameter is from a variable of the environment."""
    source = context.get_parameter_source(parameter.name)
    return source is not None and source.name == "ENVIRONMENT"


_VERSION = inspect.Parameter(
    "_version",
    inspect.Parameter.KEYWORD_ONLY,
    default=False,
    annotation=Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_show_version,
            is_eager=True,
            help="Print the version.",
        ),
    ],
)
app.callback()(with_options(_options, _GLOBAL, CommandLine(_GLOBAL), _VERSION))


def _globals_first(arguments: list[str]) -> list[str]:
    flags = {option_of(field) for field in _GLOBAL if field.value_kind is bool}
    long = {option_of(field) for field in _GLOBAL} - flags
    short = tuple(f"-{field.option.short}" for field in _GLOBAL if field.option.short)
    front: list[str] = []
    rest: list[str] = []
    items = iter(arguments)
    for item in items:
        if item == "--":
            rest += [item, *items]
        elif item in long or item in short:
            front += [item, *itertools.islice(items, 1)]
        elif item.split("=")[0] in long or item in flags or item.startswith(short):
            # A value may follow the letter of its option without a blank.
            front.append(item)
        else:
            rest.append(item)
    return front + rest


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
        _check_text(arguments)
        if instruction := os.environ.get(completion.VARIABLE):
            return completion.answer(get_command(app), instruction)
        result = app(arguments, "ndcg-sql", standalone_mode=False, obj=session)
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
        return (_misused if is_misuse else _other)(session, error)
    finally:
        progress.hide()


def _refused(session: Terminal, message: Wording, code: int = 2) -> int:
    if interrupts.interrupted():
        # The interrupt caused whatever error followed.
        return _interrupted(session)
    progress.hide()
    terminal.tell(harmless_lines(Text(message).spelled(session.face)), "error")
    return code


def _check_text(arguments: list[str]) -> None:
    for argument in arguments:
        try:
            argument.encode()
        except UnicodeEncodeError:
            raise NdcgSqlError(f"{quoted(argument)}: not UTF-8 text") from None


def _misused(session: Terminal, error: Exception) -> int:
    """Print what is wrong with the options; without any, print the help."""
    # typer's errors have no public type, but each has a context and a message.
    context: Any = getattr(error, "ctx", None)
    message = str(getattr(error, "format_message", error.__str__)())
    if message.startswith("Usage:"):
        terminal.tell(message)
        return 2
    option: Any = getattr(error, "param", None)
    if option and (fault := getattr(error, "message", None)):
        if context and _is_variable(context, option):
            return _refused(session, f"{option.envvar}={fault}")
        return _refused(session, f"{option.opts[0]} {fault}")
    path = context.command_path if context else "ndcg-sql"
    help_ = f"\nsee {path} --help"
    if option and context and (names := _nameable(session, context, option)):
        return _refused(session, names + help_)
    is_more = message.startswith("Got unexpected extra argument")
    if is_more and any("--run" in one.opts for one in context.command.params):
        message += "; runs are named by --run"
    return _refused(session, f"{path}: {message}{help_}")


def _nameable(session: Terminal, context: Any, argument: Any) -> str:
    """Return what could be named for an argument; nothing if that is not known."""
    if argument.param_type_name != "argument" or not session.path.exists():
        return ""
    names = listed(item.value for item in argument.shell_complete(context, ""))
    word = argument.metavar.removesuffix("...")
    return f"{context.command_path}: no {word}; known: {names}" if names else ""


def _interrupted(session: Terminal) -> int:
    interrupts.ignore()
    progress.hide()
    state = interrupts.left(session.has_changed)
    message = f"interrupted; {state}" if session.has_warehouse else "interrupted"
    terminal.tell(message)
    return interrupts.exit_code()


def _other(session: Terminal, error: Exception) -> int:
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
