"""Write what the commands of README.md and docs/ print, and the reference pages.

    python tests/support/pages.py              all pages
    python tests/support/pages.py PAGE...      some, such as README.md docs/tour.md
    python tests/support/pages.py reference    the reference alone, for the site

Each page runs in a folder of its own. Its blocks run in order: console blocks
($ command), SQL through the bare duckdb package, Python as a script. A block
with a title is written to a file of that name. The tests render every page and
compare the result with the page. The reference is not kept in the repository.
"""

import contextlib
import csv
import inspect
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import is_dataclass
from datetime import datetime, timedelta
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import duckdb
import pytest
import typer

from ndcg_sql.fields import documentation, fields_of
from ndcg_sql.text import sql_text
from ndcg_sql.wording import Text

TOML: Any = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(
    r"```(console|sql|python)\n(.*?)```\n(\n```text\n.*?```\n)?", re.DOTALL
)
_FILE = re.compile(r'```\w+ title="([^"]+)"\n(.*?)```\n', re.DOTALL)
_TIME = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)(\.\d+)?")
_GENERATED = "<!-- Written by tests/support/pages.py; edit that instead. -->\n"
_PROGRAM = "ndcg-sql"
_DEMO = f"{_PROGRAM} --quiet demo > demo.txt"
_QUOTED = re.compile(r"""'[^']*'|"[^"$`\\!]*\"""")
_OF_SHELLS = re.compile(r"""[|&;<>$`*?~(){}\[\]\\#!'"]""")


def pages() -> list[Path]:
    """Return every page with commands, README.md first."""
    found = sorted((ROOT / "docs").glob("*.md"))
    return [ROOT / "README.md", *found]


def references() -> dict[Path, Callable[[Path], str]]:
    """Return the pages that are generated as a whole, and what writes them."""
    folder = ROOT / "docs" / "reference"
    return {
        folder / "commands.md": _commands,
        folder / "formats.md": _formats,
        folder / "measures.md": _measures,
        folder / "relations.md": _relations,
        folder / "systems.md": _systems,
        folder / "packages.md": _packages,
        folder / "python.md": _reference_of_python,
    }


def rendered(page: Path, folder: Path) -> str:
    """Return a page with the output of its commands, run in an empty folder."""
    text = page.read_text(encoding="utf-8")
    for name, body in _FILE.findall(text):
        (folder / name).write_text(body, encoding="utf-8")
    return _BLOCK.sub(lambda match: _block(match, folder), text)


def shell(command: str, folder: Path) -> str:
    """Run a command as a reader would, and return all that it prints."""
    if command == _DEMO and not (folder / "ndcg.duckdb").exists():
        shutil.copytree(_demo().name, folder, dirs_exist_ok=True)
        return ""
    arguments = _arguments(command)
    if arguments is not None:
        return _without_now(_printed(arguments, folder))
    return _without_now(_of_bash(command, folder))


@cache
def _demo() -> "tempfile.TemporaryDirectory[str]":
    """Return a folder with what the first command of most pages makes."""
    folder = tempfile.TemporaryDirectory()
    assert _of_bash(_DEMO, Path(folder.name)) == ""
    return folder


def _of_bash(command: str, folder: Path) -> str:
    """Run a command in a shell, and return all that it prints."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "COLUMNS": "80"}
    environment.pop("NDCG_SQL_WAREHOUSE", None)
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return done.stdout


def _without_now(printed: str) -> str:
    """Return what was printed with one time in place of those of today."""
    now = datetime.now()

    def fixed(time: re.Match[str]) -> str:
        is_now = abs(datetime.fromisoformat(time[1]) - now) < timedelta(days=2)
        return "2026-01-31 23:59:59" if is_now else time[0]

    return _TIME.sub(fixed, printed)


def _arguments(command: str) -> list[str] | None:
    """Return the arguments of a command of ours, or None where it needs a shell."""
    unquoted = _QUOTED.sub("", command)
    if _OF_SHELLS.search(unquoted) or not command.startswith(f"{_PROGRAM} "):
        return None
    return shlex.split(command)[1:]


def _printed(arguments: list[str], folder: Path) -> str:
    """Return what a command prints, run in this process: that takes a fifth.

    As in a pipe, standard error is written at once, and standard output at the end.
    """
    from ndcg_sql.cli.main import run

    with ExitStack() as stack:
        patched = stack.enter_context(pytest.MonkeyPatch.context())
        patched.chdir(folder)
        patched.setenv("COLUMNS", "80")
        patched.delenv("NDCG_SQL_WAREHOUSE", raising=False)
        file = stack.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8"))
        for number, buffering in ((1, -1), (2, 1)):
            # DuckDB writes to the number itself.
            kept = os.dup(number)
            stack.callback(os.close, kept)
            stack.callback(os.dup2, kept, number)
            os.dup2(file.fileno(), number)
            stream = stack.enter_context(
                os.fdopen(os.dup(number), "w", buffering, encoding="utf-8")
            )
            patched.setattr(sys, {1: "stdout", 2: "stderr"}[number], stream)
        run(arguments)
        sys.stdout.flush()
        file.seek(0)
        return file.read()


def _block(match: re.Match[str], folder: Path) -> str:
    """Return a block with what it prints."""
    kind, body = match[1], match[2]
    if kind == "console":
        commands = re.findall(r"(?m)^\$ (.*)$", body)
        printed = "".join(f"$ {c}\n{shell(c, folder)}" for c in commands)
        return f"```console\n{printed}```\n"
    printed = (_select if kind == "sql" else _python)(body, folder).rstrip()
    shown = f"\n```text\n{printed}\n```\n" if printed else ""
    return f"```{kind}\n{body}```\n{shown}"


def _select(sql: str, folder: Path) -> str:
    """Return the rows of a select through the bare duckdb package, as CSV."""
    with duckdb.connect(str(folder / "ndcg.duckdb"), read_only=True) as connection:
        # Names of files, and of attached databases, are those of the page's folder.
        connection.execute(f"set file_search_path = {sql_text(str(folder))}")
        result = connection.execute(sql)
        sheet = io.StringIO()
        writer = csv.writer(sheet, lineterminator="\n")
        writer.writerow([column[0] for column in result.description or []])
        writer.writerows(result.fetchall())
    return sheet.getvalue()


def _python(code: str, folder: Path) -> str:
    """Return what a piece of Python prints."""
    (folder / "example.py").write_text(code, encoding="utf-8")
    printed = shell("python example.py", folder)
    return "\n".join(line.rstrip() for line in printed.splitlines()) + "\n"


def commands() -> list[str]:
    """Return every command, such as ndcg-sql load run, by walking the program."""
    from ndcg_sql.cli.builder import whole

    root = whole()
    return _walk(root, typer.Context(root), _PROGRAM)


def _walk(command: Any, context: typer.Context, path: str) -> list[str]:
    """Return the path of a command and of all commands below it."""
    if not hasattr(command, "list_commands"):
        return [path]
    found = [path]
    for name in command.list_commands(context):
        below = command.get_command(context, name)
        found += _walk(below, typer.Context(below), f"{path} {name}")
    return found


def _help(path: str) -> str:
    """Return the help of a command; a process for each would take a minute."""
    from ndcg_sql.cli.main import run

    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("COLUMNS", "80")
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            assert run([*path.split()[1:], "--help"]) == 0
    return printed.getvalue()


def _commands(_folder: Path) -> str:
    """Return the help of every command."""
    parts = [
        "# Commands",
        _GENERATED,
        "Every command and its options, as `--help` prints them.",
    ]
    for path in commands():
        heading = "Global options" if path == _PROGRAM else f"`{path}`"
        help_text = _help(path)
        parts.append(f"## {heading}\n\n```text\n{help_text}```")
    return "\n\n".join(parts) + "\n"


def _formats(_folder: Path) -> str:
    """Return the table of the formats that can be read."""
    from ndcg_sql.cli.spelling import CommandLine
    from ndcg_sql.reading.detection import formats
    from ndcg_sql.wording import Text

    rows = ["| `--format-in` | what a file holds | suffixes |", "| --- | --- | --- |"]
    for name, known in formats().items():
        suffixes = ", ".join(f"`.{suffix}`" for suffix in known.suffixes)
        help_ = Text(known.help).spelled(CommandLine())
        holds = help_.replace("<", "&lt;").replace("|", "\\|")
        rows.append(f"| `{name}` | {holds} | {suffixes} |")
    table = "\n".join(rows)
    return (
        f"# Input formats\n\n{_GENERATED}\n"
        "Every format that files can have. [Formats](../formats.md) explains how they\n"
        f"are read.\n\n{table}\n"
    )


def _measures(folder: Path) -> str:
    """Return the table of the families of measures."""
    table = shell("ndcg-sql measures list --families --format markdown", folder)
    return (
        f"# Measures\n\n{_GENERATED}\n"
        "Every family of measures: its names, its names in trec_eval, its parameters\n"
        "with their defaults, and its source. [What the numbers\n"
        f"mean](../measures.md) explains the parameters.\n\n{table}"
    )


def _systems(folder: Path) -> str:
    """Return the table of the conventions of other systems."""
    table = shell("ndcg-sql measures list --systems --format markdown", folder)
    return (
        f"# Conventions of other systems\n\n{_GENERATED}\n"
        "What `--like SYSTEM` follows, and what still differs. [Conventions of\n"
        f"systems](../conventions.md) shows how to use it.\n\n{table}"
    )


def _relations(folder: Path) -> str:
    """Return the public relations with the meaning of every column."""
    return (
        f"# Public relations\n\n{_GENERATED}\n"
        "The views that every SQL client sees in a warehouse, with a comment on each\n"
        "column. [SQL](../sql.md) shows how to query them.\n\n"
        + shell("ndcg-sql schema", folder).replace("### ", "## ")
    )


def _packages(_folder: Path) -> str:
    """Return the packages and their imports as a table and a diagram."""
    from grimp import build_graph

    graph = build_graph("ndcg_sql")
    project = TOML.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    [contract, *_] = project["tool"]["importlinter"]["contracts"]
    layers = [
        layer
        for line in reversed(contract["layers"])
        for layer in sorted(line.split(" | "))
        if layer != "__main__"
    ]
    imports = {
        layer: [
            other
            for other in layers
            if other != layer
            and graph.direct_import_exists(
                importer=f"ndcg_sql.{layer}",
                imported=f"ndcg_sql.{other}",
                as_packages=True,
            )
        ]
        for layer in layers
    }
    rows = ["| package | what it holds | what it imports |", "| --- | --- | --- |"]
    arrows = ["flowchart BT"]
    for layer, imported in imports.items():
        source = ROOT / "ndcg_sql" / layer / "__init__.py"
        source = source if source.exists() else source.parent.with_suffix(".py")
        first = source.read_text(encoding="utf-8").split('"""')[1].split("\n")[0]
        named = ", ".join(f"`{other}`" for other in imported)
        rows.append(f"| `{layer}` | {first} | {named} |")
        # What another import implies needs no arrow of its own.
        indirect = {far for near in imported for far in _reached(near, imports)}
        arrows += [f"    {layer} --> {o}" for o in imported if o not in indirect]
    table, drawing = "\n".join(rows), "\n".join(arrows)
    return (
        f"# Packages\n\n{_GENERATED}\n"
        "What each package holds and imports. `lint-imports` enforces that imports\n"
        f"point one way only.\n\n{table}\n\n"
        "The same as a diagram. An arrow points from a package to one that it\n"
        "imports; imports that other arrows already imply are omitted.\n\n"
        f"```mermaid\n{drawing}\n```\n"
    )


def _reference_of_python(_folder: Path) -> str:
    """Return the public names of Python, with their signatures and docstrings."""
    import ndcg_sql
    from ndcg_sql.questions import inputs

    parts = ["# Python reference", "", _GENERATED]
    for name in (
        "evaluate",
        "compare",
        "database_rows",
        "emit",
        "figure",
    ):
        parts += _documented(f"ndcg_sql.{name}", getattr(ndcg_sql, name), "##")
    for shown in (
        *(ndcg_sql.Warehouse, ndcg_sql.Loaded, ndcg_sql.LoadedItem, ndcg_sql.Fused),
        *(ndcg_sql.Tuned, ndcg_sql.Result),
        *(ndcg_sql.GateResult, ndcg_sql.Evaluation, ndcg_sql.Figure),
    ):
        parts += [f"## {shown.__name__}", ""]
        fields = list(shown.__dataclass_fields__) if is_dataclass(shown) else []
        if fields:
            parts += ["```text", *_signature(shown.__name__, shown), "```", ""]
        parts += [*_prose(shown.__doc__), ""]
        methods = {
            name: getattr(shown, name)
            for name in dir(shown)
            if not name.startswith("_") and name not in fields and _is_ours(shown, name)
        }
        if shown is ndcg_sql.GateResult:
            methods = {}
        for name, method in methods.items():
            parts += _documented(f"{shown.__name__}.{name}", method, "###")
    definitions = inspect.getsource(inputs).partition("\nclass ")
    types = "".join(definitions[1:]).strip()
    parts += ["## Types of what is given", "", *_prose(inspect.getdoc(inputs)), ""]
    parts += ["```text", types, "```", ""]
    return "\n".join(parts)


def _is_ours(shown: type, name: str) -> bool:
    """Tell whether a class of ours, not of Python, defines a member."""
    owners = [owner for owner in shown.__mro__ if name in vars(owner)]
    return owners[0].__module__.startswith("ndcg_sql")


def _documented(name: str, what: Any, level: str) -> list[str]:
    """Return the heading, signature and docstring of a function or property."""
    parts = [f"{level} {name}", ""]
    if callable(what):
        parts += ["```text", *_signature(name, what), "```", ""]
    asks: Any = inspect.unwrap(what) if callable(what) else what
    if not getattr(asks, "__module__", "").startswith("ndcg_sql.questions."):
        return [*parts, *_prose(inspect.getdoc(what)), ""]
    fields = fields_of(asks)
    texts = [f"- `{one.name}`: {Text(one.help)!s}" for one in fields]
    prose = _prose(documentation(asks).prose)
    return [*parts, *prose, "", *texts, *([""] if texts else [])]


def _signature(name: str, what: Any) -> list[str]:
    """Return the signature of a function or class, on lines of 100 characters."""
    signature = str(inspect.signature(what)).replace("ndcg_sql.", "")
    signature = signature.replace("typing.", "")
    several = "options.OfIrMeasures"
    measures = f"str | {several} | collections.abc.Iterable[str | {several}]"
    signature = signature.replace(measures, "Measures")
    # Python 3.13 alone tells where pathlib has its classes.
    signature = signature.replace("pathlib._local.", "pathlib.")
    signature = _with_bars(signature)
    # Types that are imported for type checkers alone are text here.
    signature = re.sub(r"(: |-> )'([^']+)'", r"\1\2", signature)
    # A default without a text of its own.
    signature = re.sub(r"<[\w.]+ object at \w+>", "...", signature)
    arguments = re.sub(r"\bself, |\(self\)", lambda m: "()" * ("(" in m[0]), signature)
    return textwrap.wrap(
        f"{name}{arguments}", 100, subsequent_indent="    ", break_on_hyphens=False
    )


def _with_bars(signature: str) -> str:
    """Return a signature with unions as Python 3.14 shows them all: A | B."""
    choice = r"Literal\[[^]]*\]"
    signature = re.sub(rf"Optional\[({choice})\]", r"\1 | None", signature)
    return re.sub(
        rf"Union\[({choice}(?:, {choice})*)\]",
        lambda m: re.sub(r"\], ", "] | ", m[1]),
        signature,
    )


def _prose(text: str | None) -> list[str]:
    """Return a docstring; what it indents or begins with >>> is code."""
    blocks = inspect.cleandoc(text or "").split("\n\n")
    parts: list[str] = []
    for block in blocks:
        is_code = block.startswith((">>>", "    "))
        if is_code:
            parts += ["```text", textwrap.dedent(block), "```"]
        else:
            parts.append(block.replace("<", "&lt;"))
        parts.append("")
    return parts[:-1]


def _reached(package: str, imports: dict[str, list[str]]) -> set[str]:
    """Return all packages that a package imports, directly or through others."""
    return {
        far for near in imports[package] for far in {near, *_reached(near, imports)}
    }


def main() -> None:
    """Render the pages that the arguments name, or all."""
    named = [Path(name).resolve() for name in sys.argv[1:] if name != "reference"]
    if named or sys.argv[1:] != ["reference"]:
        for page in named or pages():
            with tempfile.TemporaryDirectory() as folder:
                page.write_text(rendered(page, Path(folder)), encoding="utf-8")
    if not named:
        for page, write in references().items():
            page.parent.mkdir(exist_ok=True)
            with tempfile.TemporaryDirectory() as folder:
                page.write_text(write(Path(folder)), encoding="utf-8")


if __name__ == "__main__":
    main()
