"""The methods of Warehouse, made of the functions that answer questions."""

from collections.abc import Callable
from functools import partial, wraps
from inspect import Parameter, cleandoc, signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar, get_args

from ndcg_sql.comparison.answers import Answer
from ndcg_sql.output.results import GateResult, Result
from ndcg_sql.python.access import Access, warn
from ndcg_sql.questions.handle import Handle
from ndcg_sql.requests.fields import checked, fields_of, method_of
from ndcg_sql.system.messages import Collected, Messages, Silent
from ndcg_sql.text import nearest
from ndcg_sql.wording import Text

if TYPE_CHECKING:
    from ndcg_sql.output.figures.figure import Figure, Plotted

P = ParamSpec("P")
R = TypeVar("R")
A = TypeVar("A")


def _method(
    work: Callable[Concatenate[Handle, P], A],
    answered: "Callable[[Access, partial[A]], R]",
) -> Callable[Concatenate[Access, P], R]:
    """Return a method whose parameters are those of a question."""
    taken = signature(work)

    @wraps(work)
    def method(self: Access, /, *args: P.args, **kwargs: P.kwargs) -> R:
        name = method_of(work)
        for word in kwargs.keys() - taken.parameters.keys():
            hint = nearest(word, list(taken.parameters)[1:])
            raise TypeError(
                f"{name}() takes no argument {word!r}" + (hint and f"; {hint}")
            )
        try:
            bound = taken.bind(None, *args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{name}() {error}") from None
        # They are now as the command line has them, too.
        values = checked(work, bound.arguments)
        of_any: Any = work
        return answered(self, partial(of_any, **values))

    # People see types without the options of commands.
    first, *others = taken.parameters.values()
    shown = [first.replace(name="self", annotation=Parameter.empty)]
    shown += [one.replace(annotation=get_args(one.annotation)[0]) for one in others]
    returned = signature(answered).return_annotation
    of_method = taken.replace(parameters=shown, return_annotation=returned)
    setattr(method, "__signature__", of_method)  # noqa: B010 - unknown to its type
    helps = [f"{one.name}: {Text(one.option.help)!s}" for one in fields_of(work)]
    method.__doc__ = "\n\n".join([cleandoc(work.__doc__ or ""), "\n".join(helps)])
    return method


def _kept(access: Access, ask: partial[Answer], messages: Messages) -> Answer:
    with access.handle(messages, ask.keywords) as warehouse:
        answer = ask(warehouse)
        kept = answer.kept()
        write_page(warehouse, answer, f"Warehouse.{method_of(ask.func)}")
    return kept


def _answered(access: Access, ask: partial[Answer]) -> Answer:
    messages = Collected()
    answer = _kept(access, ask, messages)
    warn(messages.lines)
    return answer


def question(
    work: Callable[Concatenate[Handle, P], Answer],
) -> Callable[Concatenate[Access, P], Result]:
    """Return the method that answers a question with rows; messages are warnings."""

    def answered(access: Access, ask: partial[Answer]) -> Result:
        return Result(_answered(access, ask))

    return _method(work, answered)


def verdict(
    work: Callable[Concatenate[Handle, P], Answer],
) -> Callable[Concatenate[Access, P], GateResult]:
    """Return the method that answers a question with a verdict and its rows."""

    def decided(access: Access, ask: partial[Answer]) -> GateResult:
        return GateResult(_answered(access, ask))

    return _method(work, decided)


def checking(
    work: Callable[Concatenate[Handle, P], Answer],
) -> Callable[Concatenate[Access, P], Result]:
    """Return the method that checks something; what was checked is no warning."""

    def proven(access: Access, ask: partial[Answer]) -> Result:
        return Result(_kept(access, ask, Silent()))

    return _method(work, proven)


def figure(
    work: "Callable[Concatenate[Handle, P], Plotted]",
) -> "Callable[Concatenate[Access, P], Figure]":
    """Return the method that draws a figure."""

    def drawn(access: Access, ask: "partial[Plotted]") -> "Figure":
        messages = Collected()
        with access.handle(messages, ask.keywords) as warehouse:
            shown = ask(warehouse).figure
        warn(messages.lines)
        return shown

    return _method(work, drawn)


def change(
    work: Callable[Concatenate[Handle, P], None],
) -> Callable[Concatenate[Access, P], str]:
    """Return the method that changes a warehouse; it returns the messages."""

    def changed(access: Access, ask: partial[None]) -> str:
        messages = Collected()
        with access.handle(messages, ask.keywords) as warehouse:
            ask(warehouse)
        return messages.text

    return _method(work, changed)


def write_page(warehouse: Handle, answer: Answer, command: str) -> Path | None:
    """Write the page of an answer, if it has one, and return its file.

    command is what the page names as its origin.
    """
    if answer.page is not None:
        from ndcg_sql.output.html.page import write_page as write
        from ndcg_sql.reports.overview import overviews

        boards = overviews(warehouse.database, answer)
        path = Path(warehouse.database.path)
        write(path, answer.page, command, boards, answer.about)
    return answer.page
