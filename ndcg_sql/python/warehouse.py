"""A warehouse from Python: its methods are made of the functions of questions."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial, wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar, cast

import duckdb

from ndcg_sql.comparison.answers import Answer, from_parquet
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.fields import Field, checked, documentation, fields_of, method_of, number
from ndcg_sql.loading.loaded import Fused, Loaded, LoadedItem
from ndcg_sql.output.results import GateResult, Result
from ndcg_sql.python.access import Access, in_python, warn, write_page
from ndcg_sql.questions import changes as changing
from ndcg_sql.questions import comparisons, judging, loading, outputs, reports
from ndcg_sql.questions.handle import Handle
from ndcg_sql.system.files import temporary_folder
from ndcg_sql.system.messages import Collected
from ndcg_sql.text import harmless_lines, nearest
from ndcg_sql.wording import Text, use

if TYPE_CHECKING:
    from ndcg_sql.output.figures.figure import Figure, Plotted


P = ParamSpec("P")
R = TypeVar("R")
A = TypeVar("A")
# A question with its values.
Ask = partial[A]


def method(
    work: Callable[Concatenate[Handle, P], A],
    result: Callable[[A, Ask[A], Collected], R],
) -> Callable[Concatenate[Access, P], R]:
    """Return a method with the parameters of a question, and its result."""
    taken = signature(work)

    @wraps(work)
    def method(self: Access, /, *args: P.args, **kwargs: P.kwargs) -> R:
        name = method_of(work)
        try:
            bound = taken.bind(None, *args, **kwargs)
        except TypeError as error:
            unknown = [key for key in kwargs if key not in taken.parameters]
            hint = nearest(unknown[0], taken.parameters) if unknown else ""
            raise TypeError(f"{name}() {error}" + (hint and f"; {hint}")) from None
        # They are now as the command line has them, too.
        values = {**bound.arguments, **checked(fields_of(work), bound.arguments)}
        del values[next(iter(taken.parameters))]
        of_any: Any = work
        ask, messages = partial(of_any, **values), Collected()
        with self.handle(messages, values) as warehouse:
            answer: Any = ask(warehouse)
            if isinstance(answer, Answer):
                kept = answer.kept()
                write_page(warehouse, answer, f"Warehouse.{name}")
                answer = kept
        return result(answer, ask, messages)

    # People see types without the options of commands.
    first, *others = taken.parameters.values()
    shown = [first.replace(name="self", annotation=Parameter.empty)]
    shown += [one.replace(annotation=_type_of(one.annotation)) for one in others]
    returned = signature(result).return_annotation
    of_method = taken.replace(parameters=shown, return_annotation=returned)
    setattr(method, "__signature__", of_method)  # noqa: B010 - unknown to its type
    helps = [*map(_help, fields_of(work))]
    if (data := taken.parameters.get("data")) is not None:
        helps.insert(0, f"data: what is loaded, of the type ndcg_sql.{data.annotation}")
    method.__doc__ = "\n\n".join([documentation(work).prose, "\n".join(helps)])
    return method


def _help(field: Field) -> str:
    """Return the help of a parameter; that of a flag says what the other value does."""
    name = f"{field.name}={not field.default}" if field.is_flag else field.name
    text = str(Text(field.help)).replace(": {formats};", ", such as csv;")
    several = "a dict" if field.kind is Mapping else "a list"
    return f"{name}: {text.replace('may be repeated', f'{several} for several')}"


def _type_of(annotation: Any) -> Any:
    is_option = hasattr(annotation, "__metadata__")
    return annotation.__origin__ if is_option else annotation


def rows(answer: Answer, _: Ask[Answer], messages: Collected) -> Result:
    """Return the rows of an answer; messages are warnings."""
    warn(messages.lines)
    return Result(answer)


def verdict(answer: Answer, _: Ask[Answer], messages: Collected) -> GateResult:
    """Return a verdict and its rows; messages are warnings."""
    warn(messages.lines)
    return GateResult(answer)


def proofs(answer: Answer, _: Ask[Answer], __: Collected) -> Result:
    """Return the rows of what was checked, which is no warning."""
    return Result(answer)


def figure(plotted: "Plotted", _: "Ask[Plotted]", messages: Collected) -> "Figure":
    """Return a figure; messages are warnings."""
    warn(messages.lines)
    return plotted.figure


def text(_: None, __: Ask[None], messages: Collected) -> str:
    """Return what was changed, in the messages of the command."""
    return messages.text


def loaded(
    items: list[LoadedItem], ask: Ask[list[LoadedItem]], messages: Collected
) -> Loaded:
    """Return what was loaded, with the messages about it."""
    return Loaded.of(ask.keywords["dataset"], items, messages)


def fused(made: Fused, _: Ask[Fused], messages: Collected) -> Fused:
    """Return how a run was fused, with the messages about it."""
    warnings = tuple(map(str, messages.warnings))
    return replace(made, text=messages.text, warnings=warnings)


def script(answer: str, _: Ask[str], __: Collected) -> str:
    """Return an answer that is text."""
    return answer


def _without_warehouse(method: Callable[Concatenate[Access, P], R]) -> Callable[P, R]:
    """Return the function that asks what no warehouse is needed for."""

    @wraps(method)
    def function(*args: P.args, **kwargs: P.kwargs) -> R:
        return method(Access(":memory:"), *args, **kwargs)

    taken = signature(method)
    shown = taken.replace(parameters=[*taken.parameters.values()][1:])
    setattr(function, "__signature__", shown)  # noqa: B010 - unknown to its type
    return function


emit = _without_warehouse(method(outputs.emit, script))


class Warehouse(Access):
    """A warehouse of judgments, runs and the values of measures.

        warehouse = Warehouse("ndcg.duckdb")
        warehouse.load_judgments("qrels.txt")
        warehouse.load_run(frame, "first")
        warehouse.report("nDCG@10 AP").df()

    It opens the file for each call, as the command line does, so that others can
    read and write it in between. Warehouse.read, Warehouse.write and
    Warehouse.memory hold it open until it is closed; use them as context managers.
    Use a warehouse from one thread only. Every failure is an ndcg_sql.NdcgSqlError.

    measures are written as on the command line ("nDCG@10 AP", or a list); by
    default they are the registered ones. runs are names or patterns, all by
    default; judgments is a judgment set, by default the newest of each dataset.
    Ids and names are text; an integer is taken for its digits.
    What a command would print beside its rows is issued as a Python warning. What
    changes the warehouse returns the messages that the command would print, of what
    is loaded with names and counts, and raises NdcgSqlError, with nothing changed,
    where it would refuse.
    """

    def __repr__(self) -> str:
        call = f"{type(self).__name__}({str(self._path)!r})"
        return f"{call}, closed" if self._is_closed else call

    load_run = method(loading.load_run, loaded)
    load_judgments = method(loading.load_judgments, loaded)
    load_assessments = method(judging.load_assessments, loaded)
    load_values = method(loading.load_values, loaded)
    load_benchmark = method(loading.load_benchmark, loaded)
    load_queries = method(loading.load_queries, loaded)
    load_documents = method(loading.load_documents, loaded)
    load_known = method(loading.load_known, loaded)
    load_clicks = method(judging.load_clicks, loaded)
    fuse = method(changing.fuse, fused)
    report = method(reports.report, rows)
    leaderboard = method(comparisons.leaderboard, rows)
    compare = method(comparisons.compare, rows)
    gate = method(comparisons.gate, verdict)
    explain = method(reports.explain, rows)
    unjudged = method(reports.unjudged, rows)
    history = method(reports.history, rows)
    changes = method(comparisons.changes, rows)
    overlap = method(comparisons.overlap, rows)
    agreement = method(comparisons.agreement, rows)
    describe = method(reports.describe, rows)
    contents = method(reports.contents, rows)
    pool = method(reports.pool, rows)
    check = method(reports.check, proofs)
    measures = method(reports.measures, rows)
    gains = method(reports.gains, rows)
    schema = method(reports.schema, rows)
    plot = method(outputs.plot, figure)
    adjudicate = method(judging.adjudicate, text)
    add_measures = method(changing.add_measures, text)
    remove_measures = method(changing.remove_measures, text)
    add_gains = method(changing.add_gains, text)
    remove_gains = method(changing.remove_gains, text)
    evaluate = method(changing.evaluate, text)
    remove = method(changing.remove, text)
    remove_queries = method(changing.remove_queries, text)
    remove_documents = method(changing.remove_documents, text)
    remove_known = method(changing.remove_known, text)
    remove_dataset = method(changing.remove_dataset, text)
    tag = method(changing.tag, text)
    rename = method(changing.rename, text)
    export = method(outputs.export, text)
    publish = method(outputs.publish, text)
    backup = method(outputs.backup, text)

    def query(self, sql: str, *, time_limit: float = 3600.0) -> Result:
        """Return the rows of a select on the public relations, which writes nothing.

        Files and the network are out of its reach, as on the command line, and it is
        stopped after time_limit seconds, unless the warehouse is held open; there one
        select is run as by connection, which runs all other statements.
        """
        from ndcg_sql.sandbox import parent

        if not isinstance(cast("object", sql), str):
            raise NdcgSqlError("not text", where=use(sql=sql))
        time_limit = number("time_limit", time_limit)
        parent.check_limit(time_limit)
        with temporary_folder(None) as folder:
            path = folder / "rows.parquet"
            if self._held is None:
                self._check_open()
                place = self._path, self._wait, self._limits
                with in_python(str(self._path)):
                    parent.query(sql, "parquet", path, time_limit, *place)
            else:
                with in_python(self._held.path):
                    _write_select(self.connection, sql, path)
            return Result(Answer("query", from_parquet(path)))


def _write_select(connection: duckdb.DuckDBPyConnection, sql: str, path: Path) -> None:
    from ndcg_sql.sandbox.selects import one_select, rows_of

    try:
        explain, select = one_select(connection, sql)
        connection.sql(f"{explain} {rows_of(select)}").write_parquet(str(path))
    except duckdb.InterruptException:
        raise
    except duckdb.Error as error:
        raise NdcgSqlError(f"query: {harmless_lines(str(error))}") from error


# What Python says of wrong arguments names the class that people know.
Access.__init__.__qualname__ = Warehouse.__name__
