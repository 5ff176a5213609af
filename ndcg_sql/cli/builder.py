"""What Typer makes of questions: commands with options and help, and their groups."""

import inspect
import itertools
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from ndcg_sql import __version__
from ndcg_sql.cli import commands
from ndcg_sql.cli.catalogue import ALIASES, COMMANDS, GROUPS, SECTIONS, TOP, Entry
from ndcg_sql.cli.completion import completer
from ndcg_sql.cli.session import Session, begin
from ndcg_sql.cli.spelling import CommandLine, option_of, values_of
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.fields import Field, documentation, fields_of
from ndcg_sql.system import progress
from ndcg_sql.system.messages import Messages, OnTerminal
from ndcg_sql.text import nearest, quoted

# A comment of SQL: two hyphens, and then a blank or the end of a line, as no option.
_COMMENT = re.compile(r"--[^=\s]*\s|--.*\n")
# What the names of environment variables begin with.
_VARIABLES = "NDCG_SQL_"
# The share of letters that a command has of one that may be meant.
_ALIKE = 0.6
_FIRST = (
    ("ndcg-sql demo", "Try everything on bundled data."),
    ("ndcg-sql load judgments qrels.txt", "Load relevance judgments."),
    ("ndcg-sql load run first.run", "Load a ranking."),
    ("ndcg-sql report", "Print the values of its measures."),
    ("ndcg-sql eval qrels.txt first.run", "All of that at once, storing nothing."),
)
_GLOBAL = fields_of(begin)


@dataclass
class Terminal(Session):
    """A session whose messages are spelled as on the command line."""

    face: CommandLine = field(default_factory=CommandLine)


@cache
def command_at(path: str) -> Any:
    """Return the command, or the group of commands, that some words name, if any."""
    if path in GROUPS:
        return Group(path, name=path, help=GROUPS[path])
    if path == "trec_eval":
        return _made(path, _trec_eval, (), TyperCommand, context_settings=_ALL_ITS_OWN)
    if path not in COMMANDS:
        return None
    entry = COMMANDS[path]
    about = entry.documentation
    examples, own_help = "\n".join(about.examples), about.prose
    run = partial(_run, entry)
    return _made(path, run, entry.options, Command, epilog=examples, help=own_help)


@cache
def whole() -> Any:
    """Return the program: the group of all commands, with the global options."""
    made = _made("", _begin, _GLOBAL, TyperCommand)
    summary = documentation(begin).prose
    program = Root(name="ndcg-sql", help=summary, callback=made.callback)
    program.params = made.params
    program.context_settings = {"help_option_names": ["-h", "--help"]}
    return program


def _begin(context: typer.Context, **texts: Any) -> None:
    session: Terminal = context.obj
    begin(session, **values_of(_GLOBAL, texts))
    session.messages = Messages() if texts["quiet"] else OnTerminal(session.face)
    progress.show(not texts["quiet"])
    source = context.get_parameter_source("warehouse")
    if source and source.name == "COMMANDLINE":
        session.face.warehouse = session.path


def _run(entry: Entry, context: typer.Context, **texts: Any) -> None:
    session: Terminal = context.obj
    session.face.options = entry.options
    session.has_warehouse = entry.has_warehouse
    values = {**values_of(entry.options, texts), **entry.implied}
    taken = fields_of(entry.function)
    own: dict[str, Any] = {one.name: values[one.name] for one in taken}
    if question := entry.question:
        arguments = {one.name: values[one.name] for one in entry.parameters}
        own["question"] = partial(question, **arguments)
    entry.function(session, **own)


# All that follows are options of trec_eval.
_ALL_ITS_OWN: dict[str, Any] = {
    "allow_extra_args": True,
    "ignore_unknown_options": True,
    "help_option_names": [],
}


def _trec_eval(context: typer.Context) -> None:
    session: Terminal = context.obj
    session.has_warehouse = False
    commands.trec_eval(session, context.args)


_trec_eval.__doc__ = commands.trec_eval.__doc__


def _made(
    path: str,
    run: Callable[..., None],
    options: Iterable[Field],
    kind: type[TyperCommand],
    **about: Any,
) -> Any:
    """Return the command that runs a function of a context and the text of options."""

    def called(context: typer.Context, **texts: Any) -> None:
        run(context, **texts)

    options = tuple(options)
    face = CommandLine(options)
    context = inspect.Parameter(
        "context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context
    )
    parameters = [context, *(_parameter(one, face) for one in options)]
    called.__annotations__ = {one.name: one.annotation for one in parameters}
    called.__doc__ = run.__doc__
    setattr(called, "__signature__", inspect.Signature(parameters))  # noqa: B010
    # Like all help, its help is plain text without options for completion.
    app = typer.Typer(rich_markup_mode=None, add_completion=False)
    app.command(path.rpartition(" ")[2], cls=kind, **about)(called)
    return get_command(app)


def _parameter(field: Field, face: CommandLine) -> inspect.Parameter:
    option, is_flag = field.option, field.is_flag
    # All but a flag is read as text, see values_of.
    default: Any = False if is_flag and not field.is_optional else None
    annotation: Any = (
        bool if is_flag else list[str] if field.kind in (tuple, Mapping) else str
    )
    is_told = isinstance(field.default, (str, int, float, Path)) and not is_flag
    about: dict[str, Any] = {
        "metavar": field.metavar or None,
        "help": field.help.spelled(face),
        "show_default": option.default or (str(field.default) if is_told else False),
        "autocompletion": completer(option.names, field.words),
    }
    if option.variable:
        about["envvar"] = _VARIABLES + option.variable
    if option.is_argument:
        info = typer.Argument(**about)
    else:
        word = option_of(field)
        if is_flag and field.is_optional:
            # What a file of rules switches on can be switched off again.
            word = f"{word}/--no-{word.removeprefix('--')}"
        words = [word, f"-{option.short}"] if option.short else [word]
        info = typer.Option(*words, **about, rich_help_panel=field.group or None)
    if default is None and not field.is_required:
        annotation |= None
    return inspect.Parameter(
        field.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=inspect.Parameter.empty if field.is_required else default,
        annotation=Annotated[annotation, info],
    )


class _AsWritten:
    """Reads options as written: typer would import pydantic, as slow as DuckDB."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, whose values are not processed."""
        whole: Any = super()
        parameters: list[Any] = whole.get_params(ctx)
        for one in parameters:
            if not isinstance(one.process_value, partial):
                one.process_value = partial(_text, one, one.process_value)
        return parameters


def _text(
    parameter: Any, process: Callable[[Any, Any], Any], context: Any, text: Any
) -> Any:
    """Return what a user wrote, unless something is missing, or is a flag to act on."""
    is_missing = parameter.required and text in (None, (), [])
    return process(context, text) if is_missing or text is True else text


class Command(_AsWritten, TyperCommand):
    """A command that refuses a repeated option unless it may be repeated."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments; fail where the last of several values would win."""
        if any(parameter.name == "sql" for parameter in self.params):
            # A select that begins with a blank is not taken for an option.
            args = [f" {one}" if _COMMENT.match(one) else one for one in args]
        parser: Any = self.make_parser(ctx)
        try:
            order: list[Any] = parser.parse_args(args=list(args))[2]
        except Exception as error:
            # typer's errors have no public type; the message tells whose help to read.
            if getattr(error, "ctx", ctx) is None:
                setattr(error, "ctx", ctx)  # noqa: B010
            raise
        for option in order:
            # An argument of several values is listed once.
            if order.count(option) > 1 and not (option.multiple or option.is_flag):
                ctx.fail(f"{option.opts[0]} is given twice")
        return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return [OPTIONS], and the arguments; what may be omitted is in brackets."""
        arguments = [p for p in self.get_params(ctx) if p.param_type_name == "argument"]
        words = [(_word(one), one.required) for one in arguments]
        return ["[OPTIONS]", *(word if must else f"[{word}]" for word, must in words)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments and the options by group, without types of Python."""
        groups: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        parameters: list[Any] = [*self.get_params(ctx)]
        for parameter in parameters:
            name, text = _record(parameter, ctx)
            if parameter.param_type_name == "argument":
                groups["Arguments"].append((_word(parameter), text))
            else:
                title = parameter.rich_help_panel or "Options"
                groups.setdefault(title, []).append((name, text))
        for title, records in groups.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """Write the examples as they are, without breaking their lines."""
        lines = (self.epilog or "").splitlines()
        title = "Examples" if len(lines) > 1 else "Example"
        formatter.write(f"\n{title}:\n" + "".join(f"  {line}\n" for line in lines))


def _record(parameter: Any, context: Any) -> tuple[str, str]:
    """Return the words of a parameter, and its help."""
    words, text = parameter.get_help_record(context)
    if "{formats}" in text:
        from ndcg_sql.reading.detection import formats

        text = text.replace("{formats}", ", ".join(formats()))
    # typer puts a default that is told in words in parentheses.
    return words, re.sub(r"default: \((.+)\)\]$", r"default: \1]", text)


def _word(argument: Any) -> str:
    word: str = argument.metavar or argument.human_readable_name
    return word.strip("[]")


class Group(_AsWritten, TyperGroup):
    """The commands that begin with some words, each made when it is used."""

    def __init__(self, words: str = "", **about: Any) -> None:
        """Take the words; about is what else typer takes."""
        super().__init__(no_args_is_help=True, rich_markup_mode=None, **about)
        self.words = words

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        """Return the last words of the commands."""
        begin = f"{self.words} "
        return [path.removeprefix(begin) for path in COMMANDS if path.startswith(begin)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        """Return the command of a name; what is loaded has others in other tools."""
        name = ALIASES.get(cmd_name, cmd_name) if self.words == "load" else cmd_name
        return command_at(f"{self.words} {name}".strip())

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments; without any, a group may list what there is."""
        if f"{self.words} list" in COMMANDS and not (args or ctx.resilient_parsing):
            args = ["list"]
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that the first argument names, and the rest."""
        name = args[0]
        if name.startswith("-") or self.get_command(ctx, name):
            return super().resolve_command(ctx, args)
        names = self.list_commands(ctx)
        hint = nearest(name, names, _ALIKE)
        raise NdcgSqlError(
            f"{ctx.command_path}: no command {quoted(name)}{hint and '; '}{hint}"
            f"\nsee {ctx.command_path} --help"
        )


class Root(Group):
    """All commands. Help begins with the first to run, and shows them by section."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        """Return the first words of all commands."""
        return list(TOP)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command, or the group of commands, of one word."""
        return super().get_command(ctx, cmd_name) if cmd_name in TOP else None

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments; global options may stand anywhere."""
        return super().parse_args(ctx, _globals_first(args))

    def invoke(self, ctx: Any) -> Any:
        """Run the command, or print the version."""
        if ctx.params["version"]:
            from importlib.metadata import version

            return print(f"ndcg-sql {__version__} (DuckDB {version('duckdb')})")
        return super().invoke(ctx)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the first commands to run, then all by section, then the options."""
        with formatter.section("Start with"):
            formatter.write_dl(_FIRST, col_max=40)
        width = max(map(len, TOP))
        for title, names in SECTIONS.items():
            lines = [(name.ljust(width), _summary(name)) for name in names]
            with formatter.section(title):
                formatter.write_dl(lines)
        with formatter.section("Options"):
            formatter.write_dl([_record(one, ctx) for one in self.get_params(ctx)])


def _summary(name: str) -> str:
    """Return the first line of the help of a command, which need not be made for it."""
    if name in GROUPS:
        return GROUPS[name]
    entry = COMMANDS.get(name)
    text = entry.documentation.prose if entry else str(_trec_eval.__doc__)
    return text.partition("\n")[0]


def _globals_first(arguments: list[str]) -> list[str]:
    # The version is not a question of a command: trec_eval's has one of its own.
    movable = [field for field in _GLOBAL if field.name != "version"]
    flags = {option_of(field) for field in movable if field.is_flag}
    long = {option_of(field) for field in movable} - flags
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
