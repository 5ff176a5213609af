"""The methods of Warehouse, made of the functions that answer questions."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial, wraps
from inspect import Parameter, signature
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Concatenate,
    ParamSpec,
    TypeVar,
    get_args,
    get_origin,
)

from ndcg_sql.comparison.answers import Answer
from ndcg_sql.fields import checked, documentation, fields_of, method_of
from ndcg_sql.loading.loaded import Fused, Loaded, LoadedItem
from ndcg_sql.output.results import GateResult, Result
from ndcg_sql.python.access import Access, warn, write_page
from ndcg_sql.questions import outputs
from ndcg_sql.questions.handle import Handle
from ndcg_sql.system.messages import Collected
from ndcg_sql.text import nearest
from ndcg_sql.wording import Text

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
    """Return a method whose parameters are those of a question.

    It returns the result that is made of the answer, what was asked, and the messages.
    """
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
    helps = [f"{one.name}: {Text(one.help)!s}" for one in fields_of(work)]
    if (data := taken.parameters.get("data")) is not None:
        helps.insert(0, f"data: what is loaded, of the type ndcg_sql.{data.annotation}")
    method.__doc__ = "\n\n".join([documentation(work).prose, "\n".join(helps)])
    return method


def _type_of(annotation: Any) -> Any:
    is_option = get_origin(annotation) is Annotated
    return get_args(annotation)[0] if is_option else annotation


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
