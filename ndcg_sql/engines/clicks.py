"""The select that makes judgments of clicks, for the engine that has the events."""

import re
from collections.abc import Sequence
from functools import reduce

from sqlglot import exp

from ndcg_sql.database import sql_files
from ndcg_sql.engines.dialects import engine_of
from ndcg_sql.engines.relations import parsed
from ndcg_sql.engines.script import select_of
from ndcg_sql.engines.statement import names_of, plain, qualified
from ndcg_sql.engines.tables import check_table, inserted
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests.clicks import IMPRESSION
from ndcg_sql.requests.engines import EmitClicksRequest
from ndcg_sql.text import listed, nearest, sql_text
from ndcg_sql.wording import use

_COLUMNS = ("query_id", "doc_id", "action", "position")


def one_select(request: EmitClicksRequest) -> str:
    """Return one select of the grades that clicks make; it checks nothing.

    It is what load clicks computes. Raises NdcgSqlError for a dialect, a table or a
    column that cannot be.
    """
    engine = engine_of(request.dialect)
    _check(request)
    trees = _trees(request)
    if request.events.strip('"').lower() in trees:
        # A relation would read itself.
        raise NdcgSqlError(
            "the select has a relation of this name",
            "write the schema, too: " + use(events=f"SCHEMA.{request.events}"),
            where=use(events=request.events),
        )
    shown, _ = trees.pop("judgments")
    weights = ", ".join(
        f"{action} {weight:g}" for action, weight in request.weights.items() if weight
    )
    about = (
        f"Judgments of clicks by {request.model}: documents that were shown for a query"
        f" {request.min_impressions} times or more. Clicks that an action is worth:"
        f" {weights}."
    )
    return select_of(engine, about, trees, shown)


def _check(request: EmitClicksRequest) -> None:
    """Raise NdcgSqlError for a name of a table or a column that cannot be."""
    check_table("events", request.events)
    for column in request.columns:
        if column not in _COLUMNS:
            raise NdcgSqlError(
                "not a column of events",
                nearest(column, _COLUMNS) or f"the columns are {listed(_COLUMNS)}",
                where=use(columns={column: request.columns[column]}),
            )


def _trees(request: EmitClicksRequest) -> dict[str, tuple[exp.Expr, str]]:
    """Return the relations of the select, and their comments, in order of creation."""
    texts = {
        "events": sql_files.read("emit/events"),
        "fractions": sql_files.read("clicks/grades"),
        "judgments": sql_files.read("emit/clicked_judgments"),
    }
    values = {
        "model": sql_text(request.model),
        "min_impressions": str(request.min_impressions),
    }
    relations = {"actions": (_actions(request), "The actions that count.")}
    for name, text in texts.items():
        tree = parsed(re.sub(r"\$(\w+)", lambda parameter: values[parameter[1]], text))
        inside = tree.args.get("with_")
        for cte in list(inside.expressions) if inside else ():
            relations[cte.alias] = cte.this, ""
        tree.set("with_", None)
        relations[name] = tree, sql_files.opening_comment(text)
    _choose_model(relations["fractions"][0], request.model)
    _read_words(relations["known_events"][0], request.impressions)
    _grade(relations["judgments"][0], request.limits)
    read: dict[str, Sequence[str]] = {"given_events": _COLUMNS}
    renamed = {("events", ours): theirs for ours, theirs in request.columns.items()}
    for name, (tree, _) in relations.items():
        plain(qualified(tree, read))
        read[name] = names_of(tree)
        inserted(tree, {"events": request.events}, renamed)
    return relations


def _read_words(events: exp.Expr, impressions: Sequence[str]) -> None:
    """Read further words for what was shown as the one that actions have."""
    for cast in list(events.find_all(exp.Cast)) if impressions else ():
        if cast.this.name == "action":
            words = [exp.Literal.string(word) for word in impressions]
            is_shown = exp.In(this=cast.copy(), expressions=words)
            shown = exp.Literal.string(IMPRESSION)
            cast.replace(exp.case().when(is_shown, shown).else_(cast.copy()))


def _choose_model(grades: exp.Expr, model: str) -> None:
    """Write the fraction of one model in place of the case of all."""
    for case in grades.find_all(exp.Case):
        branches = {
            branch.this.name: branch.args["true"] for branch in case.args["ifs"]
        }
        if case.this and model in branches:
            case.replace(branches[model])


def _actions(request: EmitClicksRequest) -> exp.Expr:
    """Return the select of the actions that count, numbered as load clicks does."""
    weights = {**request.weights, IMPRESSION: 1.0}
    rows = [
        f"select {number} as action_number, {sql_text(action)} as event_action,"
        f" cast({weight!r} as double) as weight"
        for number, (action, weight) in enumerate(sorted(weights.items()))
        if weight
    ]
    return parsed(" union all ".join(rows))


def _grade(judgments: exp.Expr, limits: tuple[float, ...]) -> None:
    """Make a grade the number of limits that its fraction reaches, if there are any."""
    [item] = [one for one in judgments.expressions if one.alias == "grade"]
    reached = [
        exp.case()
        .when(exp.GTE(this=item.this.copy(), expression=_number(limit)), "1")
        .else_("0")
        for limit in limits
    ]
    if reached:
        item.set("this", reduce(lambda one, other: one + other, reached))


def _number(limit: float) -> exp.Expr:
    """Return a number as a double."""
    return exp.cast(exp.Literal.number(repr(limit)), "double")
