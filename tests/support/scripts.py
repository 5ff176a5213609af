r"""Scripts: files of text with cases, each of them files, commands and what they say.

test_script = scripted(__file__) runs those of the text beside a module. In a case,

    == a title (slow)    begins it; (loaded) has QRELS and RUN, (bare) no warehouse;
                         marks at the top of the text are those of all cases
    -- name              is a file, the lines of which follow; 3 * x is three lines;
                         few may stand on this line, as in -- name | x | y
    -e name              likewise, with \t, \n, \xff and the like; \c ends no line
    $ load run r         is a command, which must succeed; in $ COLUMNS=60 report, a
                         variable is set, in later steps too; it is unset by COLUMNS=
    $1 gate a b          is one that ends with the code 1
    = load run r         is one that must succeed and leaves the warehouse as it was
    ! load run r         is one that is refused and leaves the warehouse as it was
    > load_run("r")      is a call of Python, which must succeed; parquet(path, select),
                         sqlite(path, statement), ranked(path, column="x y") write;
                         told is what was said last, names() what is in the folder;
                         places({"r": "1 2"}) loads a run r that has the relevant
                         document of q0 at position 1, of q1 at 2, and its judgments
    !> load_run("r")     is one that is refused
    & load_run("r")      is refused as a call and as a command, in the same words
    @ GRADE>2            runs the command that was told last, with blanks filled in
    ? select ...         is a select; its rows follow, with blanks between the fields,
                         or stand on this line, as in ? select ... -> x 1 | y 2;
                         ? bi.duckdb: select ... is one on another file
    < page.html          is a file, packed or not, that takes the place of what was said
    + text               is in what was said, ~ text is not
    # text               is a comment

and the other lines are all that is said, in which ... is anything, on a line of its
own any lines; where none follow, anything. What stands above the first case is done
once, and each case begins with it.
"""

import contextlib
import datetime
import gzip
import itertools
import math
import re
import shlex
import sqlite3
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import duckdb
import numpy
import pytest
import sqlalchemy

import ndcg_sql
from ndcg_sql.cli.spelling import CommandLine
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from ndcg_sql.wording import use
from support.commands import Command, Once, Result
from support.files import change, digest, in_folder, shown
from support.libraries import library

_FILE = Path("ndcg.duckdb")
_STEP = re.compile(r"(?:--|-e|!>|\$1|[$=!>&@?~+#<]) ")
_WAREHOUSES = {"loaded", "bare"}
_MARKS = ("slow", *_WAREHOUSES)
_VARIABLE = re.compile(r"([A-Z_]+)=(\S*) ")
_OTHER_FILE = re.compile(r"(\S+\.duckdb): (.*)")
_ESCAPES = {"t": b"\t", "n": b"\n", "r": b"\r", "v": b"\v", "f": b"\f", "\\": b"\\"}


class ScoredDoc(NamedTuple):
    """A returned document, as ir_measures has it."""

    query_id: str
    doc_id: str
    score: float


class Qrel(NamedTuple):
    """A judgment, as ir_measures has it."""

    query_id: str
    doc_id: str
    relevance: float
    iteration: str = "0"


@dataclass
class Step:
    """A line that does something, and the lines below it."""

    kind: str
    text: str
    lines: list[str] = field(default_factory=list[str])


@dataclass
class Case:
    """A title, marks, and steps."""

    title: str
    marks: set[str]
    steps: list[Step]


def scripted(
    module: str, *functions: Callable[..., Any], **values: Any
) -> Callable[..., None]:
    """Return the test of the script beside a module, a case of which is a parameter.

    Its calls may use functions and values of the module.
    """
    names = {**{function.__name__: function for function in functions}, **values}
    path = Path(module).with_suffix(".txt")
    first, *cases = _cases(path.read_text(encoding="utf-8"))
    assert cases, path

    for case in cases:
        # What a case says of the warehouse holds in place of what the top says.
        own = _WAREHOUSES if case.marks & _WAREHOUSES else set[str]()
        case.marks |= first.marks - own

    @pytest.mark.parametrize("case", [_parameter(case) for case in cases])
    def test_script(
        case: Case,
        request: pytest.FixtureRequest,
        ndcg: Command,
        once: Once,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        request.getfixturevalue("loaded" if "loaded" in case.marks else "empty")

        def fill() -> None:
            Play(ndcg, names, monkeypatch).run(first.steps)

        fill.__qualname__ = f"{path} {'loaded' in case.marks}"
        if first.steps:
            once(fill)
        if "bare" in case.marks:
            _FILE.unlink(missing_ok=True)
        Play(ndcg, names, monkeypatch).run(case.steps)

    return test_script


def _cases(text: str) -> Iterator[Case]:
    """Yield what stands above the first case, and the cases."""
    for part in re.split("(?m)^== ", f"\n{text}"):
        title, *lines = part.split("\n")
        top = title or part.partition("\n\n")[0]
        marks = {name for name in _MARKS if f"({name})" in top}
        case = Case(re.sub(r" \(\w+\)", "", title), marks, [])
        for line in lines:
            if _STEP.match(line):
                case.steps.append(_step(*line.split(" ", 1)))
            elif case.steps and (line or case.steps[-1].kind in ("--", "-e")):
                case.steps[-1].lines.append(line)
        for step in case.steps:
            # Blank lines between cases belong to none.
            while step.lines and not step.lines[-1]:
                del step.lines[-1]
        yield case


def _step(kind: str, text: str) -> Step:
    """Return a step, with the lines that stand on its own."""
    if kind in ("--", "-e"):
        name, *lines = text.split(" | ")
        return Step(kind, name, lines)
    sql, arrow, rows = text.partition(" -> ") if kind == "?" else (text, "", "")
    return Step(kind, sql, rows.split(" | ") if arrow and rows else [])


def _parameter(case: Case) -> Any:
    speed = pytest.mark.slow if "slow" in case.marks else pytest.mark.quick
    return pytest.param(case, id=case.title, marks=speed)


class Play:
    """Runs steps, each of which sees what the one before it said."""

    def __init__(
        self, ndcg: Command, names: dict[str, Any], patch: pytest.MonkeyPatch
    ) -> None:
        self._ndcg, self._patch, self._told = ndcg, patch, ""
        self._names: dict[str, Any] = {
            **names,
            **{
                "pd": library("pandas"),
                "np": numpy,
                "math": math,
                "Path": Path,
                "gzip": gzip,
            },
            **{"datetime": datetime.datetime, "evaluate": ndcg_sql.evaluate},
            "ndcg_sql": ndcg_sql,
            **{"database_rows": ndcg_sql.database_rows, "Fraction": Fraction},
            **{"Loaded": ndcg_sql.Loaded, "LoadedItem": ndcg_sql.LoadedItem},
            **{"ScoredDoc": ScoredDoc, "Qrel": Qrel, "sqlalchemy": sqlalchemy},
            **{"shop": lambda: sqlite3.connect("shop.db"), "refused": _refused},
            **{"shown": shown, "change": _change, "names": _names},
            "change_file": _change_file,
            **{"parquet": _parquet, "sqlite": _sqlite, "ranked": _ranked},
            "places": _places,
        }

    def run(self, steps: list[Step]) -> None:
        """Run steps one after the other."""
        for step in steps:
            kinds[step.kind](self, step)

    def write(self, step: Step) -> None:
        """Write a file."""
        lines = [re.fullmatch(r"(?:(\d+) \* )?(.*)", line) for line in step.lines]
        text = "".join(f"{m[2]}\n" * int(m[1] or 1) for m in lines if m)
        data = _unescaped(text) if step.kind == "-e" else text.encode()
        path = Path(step.text)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    def succeed(self, step: Step) -> None:
        """Run a command that must succeed."""
        self._end(step, 0)

    def fail(self, step: Step) -> None:
        """Run a command that ends with the code 1."""
        self._end(step, 1)

    def _end(self, step: Step, code: int) -> None:
        result = self._ndcg(*self._words(step))
        assert result.code == code, (step.text, result.err)
        self._check(step, result)

    def _words(self, step: Step) -> list[str]:
        """Return the words of a command, with its variables set."""
        text = step.text
        while match := _VARIABLE.match(text):
            name, value = match.groups()
            if value:
                self._patch.setenv(name, value)
            else:
                self._patch.delenv(name, raising=False)
            text = text[match.end() :]
        return shlex.split(text)

    def leave(self, step: Step) -> None:
        """Run a command that must succeed and change nothing."""
        before = _content()
        self.succeed(step)
        assert _content() == before, step.text

    def refuse(self, step: Step) -> None:
        """Run a command that must be refused."""
        before = _content()
        result = self._ndcg(*self._words(step))
        assert (result.code, result.out) == (2, ""), (step.text, result)
        assert "unexpected:" not in result.err, result.err
        assert _content() == before, step.text
        self._check(step, result)

    def call(self, step: Step) -> None:
        """Call Python."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            told = str(self._value(step.text))
        warned = "".join(f"warned: {one.message}\n" for one in caught)
        self._check(step, Result(0, "", f"{told}\n{warned}"))

    def refuse_call(self, step: Step) -> None:
        """Call Python, which must be refused."""
        before = _content()
        with pytest.raises(NdcgSqlError) as error:
            self._value(step.text)
        assert _content() == before, step.text
        _check_arguments(str(error.value))
        self._check(step, Result(2, "", f"{error.value}\n"))

    def refuse_both(self, step: Step) -> None:
        """Have a method and its command refuse the same in the same words."""
        method, _, rest = step.text.partition("(")
        spelled: list[tuple[tuple[Any, ...], dict[str, Any]]] = []

        def note(*files: Any, **given: Any) -> None:
            spelled.append((files, given))

        eval(f"note({rest}", {**self._names, "note": note})
        [(files, given)] = spelled
        options = shlex.split(use(**given).spelled(CommandLine())) if given else []
        words = [*method.split("_", 1), *map(str, files), *options]
        self.refuse(Step("!", shlex.join(words), step.lines))
        with pytest.raises(NdcgSqlError) as error:
            self._value(step.text)
        assert f"{error.value.message.spelled(CommandLine())}\n" == self._told
        _check_arguments(str(error.value))

    def paste(self, step: Step) -> None:
        """Run the command that was told last."""
        command = self._told[self._told.rindex("ndcg-sql ") :].splitlines()[0]
        for pair in shlex.split(step.text):
            blank, _, value = pair.partition(">")
            assert blank in command, command
            command = command.replace(blank, value)
        self.succeed(Step("$", command.removeprefix("ndcg-sql "), step.lines))

    def select(self, step: Step) -> None:
        """Compare the rows of a select."""
        match = _OTHER_FILE.fullmatch(step.text)
        sql, *file = (match[2], match[1]) if match else (step.text,)
        rows = [" ".join(map(_cell, row)) for row in shown(sql, *file)]
        assert rows == step.lines, f"{step.text} {rows}"

    def read(self, step: Step) -> None:
        """Read a file."""
        data = Path(step.text).read_bytes()
        text = (gzip.decompress(data) if step.text.endswith(".gz") else data).decode()
        self._check(step, Result(0, text, ""))

    def contain(self, step: Step) -> None:
        """Check that something was said."""
        part = re.escape(step.text).replace(r"\.\.\.", ".*")
        assert re.search(part, self._told), f"{step.text}\n{self._told}"

    def lack(self, step: Step) -> None:
        """Check that something was not said."""
        assert step.text not in self._told, self._told

    def comment(self, step: Step) -> None:
        """Do nothing."""

    def _value(self, text: str) -> Any:
        warehouse = Warehouse(_FILE)
        methods = {
            name: getattr(warehouse, name)
            for name in dir(Warehouse)
            if name[0] != "_" and callable(getattr(Warehouse, name))
        }
        return eval(text, {**methods, **self._names, "told": self._told})

    def _check(self, step: Step, result: Result) -> None:
        self._told = result.out + result.err
        if step.lines:
            lines = [re.escape(line).replace(r"\.\.\.", ".*") for line in step.lines]
            pattern = "".join(
                r"(?:.*\n)*?" if line == ".*" else f"{line}\n" for line in lines
            )
            assert re.fullmatch(pattern, self._told), f"{step.text}\n{self._told}"


kinds: dict[str, Callable[[Play, Step], None]] = {
    **{"--": Play.write, "-e": Play.write, "$": Play.succeed, "=": Play.leave},
    **{"$1": Play.fail, "<": Play.read},
    **{"!": Play.refuse, ">": Play.call, "!>": Play.refuse_call, "&": Play.refuse_both},
    **{
        "@": Play.paste,
        "?": Play.select,
        "+": Play.contain,
        "~": Play.lack,
        "#": Play.comment,
    },
}


def _check_arguments(message: str) -> None:
    """Check that what Python says names arguments, not options of a command."""
    assert not re.search(r'(?<!")--[a-z]|ndcg-sql load', message), message


def _content() -> str | None:
    """Return the hash of the warehouse; None if there is none."""
    return digest(_FILE) if _FILE.exists() else None


def _names(folder: str = ".") -> str:
    """Return the names of all that is in a folder."""
    return " ".join(in_folder(Path(folder)))


def _change(*statements: str) -> None:
    change(_FILE, *statements)


def _change_file(path: str, *statements: str) -> None:
    change(Path(path), *statements)


def _refused(call: Callable[..., object], *content: Any, **given: Any) -> str:
    with pytest.raises(NdcgSqlError) as error:
        call(*content, **given)
    return str(error.value)


def _parquet(path: str, select: str) -> None:
    duckdb.execute(f"copy ({select}) to '{path}' (format parquet)")


def _sqlite(path: str, *statements: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def _ranked(path: str, **columns: str) -> None:
    """Write a file with a ranking for each combination of words of columns."""
    random = Random(1)
    lines = [",".join((*columns, "query_id", "doc_id", "score"))]
    for values in itertools.product(*(words.split() for words in columns.values())):
        for query in ("q1", "q2", "q3"):
            for document in random.sample("abcdef", 4):
                score = round(random.random(), 3)
                lines.append(",".join((*values, query, document, str(score))))
    Path(path).write_text("\n".join(lines) + "\n")


def _places(runs: dict[str, str]) -> None:
    """Load judgments, and runs that rank the relevant document at these positions."""
    at = {name: [*map(int, text.split())] for name, text in runs.items()}
    depth = max(max(places) for places in at.values())
    others = [f"x{n}" for n in range(1, depth)]
    with Warehouse(_FILE) as warehouse:
        queries = [f"q{n}" for n in range(len(next(iter(at.values()))))]
        grades = {"a": 1, **dict.fromkeys(others, 0)}
        warehouse.load_judgments(dict.fromkeys(queries, grades), "q")
        for name, places in at.items():
            lists = [[*others[: n - 1], "a", *others[n - 1 :]] for n in places]
            warehouse.load_run(dict(zip(queries, lists, strict=True)), name)


def _unescaped(text: str) -> bytes:
    """Return text whose escapes were replaced, as bytes."""

    def replaced(match: re.Match[bytes]) -> bytes:
        one = match[1].decode()
        if one[0] == "x":
            return bytes.fromhex(one[1:])
        return chr(int(one[1:], 16)).encode() if one[0] == "u" else _ESCAPES[one]

    pattern = rb"\\(x[0-9a-f]{2}|u[0-9a-f]{4}|[tnrvf\\])"
    data = re.sub(pattern, replaced, text.encode())
    return data.removesuffix(b"\\c\n")


def _cell(value: object) -> str:
    """Return a field as a row of a script has it."""
    if value is None:
        return "-"
    return f"{value:.12g}" if isinstance(value, float) else str(value)
