"""Lists in JSON objects: the documents of a query, or what is said of each of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading import columns
from ndcg_sql.reading.columns import CLEAR, COLUMNS, has_word, name_score
from ndcg_sql.reading.json_text import Number
from ndcg_sql.reading.layouts import ReadRequest
from ndcg_sql.reading.sources import Source
from ndcg_sql.text import counted, listed, quoted
from ndcg_sql.wording import FILE, Text, call, use

# What the list of a query is called in an object that also names the query.
LISTED: dict[str, tuple[str, ...]] = {
    "run": ("ranking", "results", "documents", "items"),
    "judgments": ("relevant", "judgments", "documents", "items"),
    "known": ("known", "history", "documents", "items"),
}
# What the id of a document is called inside such a list.
_IDS = ("id", "_id")
_NUMBERS = ("score", "grade", "label", "rank")


class Order(str):
    """A rank that a list does not state, but that follows from its order."""

    __slots__ = ()


@dataclass(frozen=True)
class Values:
    """A list of an object: its key and its items.

    inner is the name of the value in each item that is an object.
    """

    key: str
    items: list[Any]
    inner: str = ""


def rows_of_object(
    row: Mapping[str, Any], request: ReadRequest
) -> list[dict[str, Any]]:
    """Return the rows of an object: itself, or one for each item of its lists.

    Lists are those that the user named, or else the documents under a usual name, with
    the numbers beside them. Raises ValueError for a list that is none of documents.
    """
    whole = dict(row)
    lists: dict[str, Values] = {}
    query = request.named.get("query_id")
    for name in (*request.named.values(), *request.reading.wanted):
        key, value, inner = _looked_up(row, name)
        if isinstance(value, list) and name != query:
            lists[name] = Values(key, cast("list[Any]", value), inner)
        elif key and not inner:
            whole[name] = value
    usual = [
        key for key in LISTED.get(request.kind, ()) if isinstance(row.get(key), list)
    ]
    if (
        len(usual) == 1
        and "doc_id" not in request.named
        and "doc_id" not in columns.of_header(row, request.kind)
    ):
        lists["doc_id"] = Values(usual[0], row[usual[0]])
    if not lists:
        return [whole]
    documents = lists.get(request.named.get("doc_id", "doc_id"))
    if documents and all(isinstance(item, str) for item in documents.items):
        lists |= _numbers(row, documents.key, request)
    for one in lists.values():
        whole.pop(one.key, None)
    return rows_of_lists(whole, lists, request)


def _looked_up(row: Mapping[str, Any], name: str) -> tuple[str, Any, str]:
    """Return the key that a name begins with, its value, and the rest of the name.

    Points lead into objects. Nothing is found under an empty key.
    """
    key = name
    while key:
        value, inner = row.get(key), name[len(key) + 1 :]
        if inner and isinstance(value, dict):
            within, value, inner = _looked_up(cast("dict[str, Any]", value), inner)
            if within:
                return f"{key}.{within}", value, inner
        elif key in row and (not inner or isinstance(value, list)):
            return key, cast("Any", value), inner
        key = key.rpartition(".")[0]
    return "", None, name


def _numbers(
    row: Mapping[str, Any], key: str, request: ReadRequest
) -> dict[str, Values]:
    """Return the lists of numbers that their names say to be of the documents."""
    of_role: dict[str, Values] = {}
    for role in {*_NUMBERS} & {*COLUMNS[request.kind]} - request.named.keys():
        named = [
            (name, cast("list[Any]", value))
            for name, value in row.items()
            if name != key
            and isinstance(value, list)
            and name_score(role, name, request.kind) >= CLEAR
        ]
        numbers = [one for one in named if all(isinstance(v, Number) for v in one[1])]
        if len(numbers) == 1:
            of_role[role] = Values(*numbers[0])
    return of_role


def rows_of_lists(
    query: Mapping[str, Any], lists: Mapping[str, Values], request: ReadRequest
) -> list[dict[str, Any]]:
    """Return a row for each item of lists of one length, by the names of columns.

    A document is its id, or an object with its id and perhaps a score or a grade.
    Without one, the order is the ranking of a run, and the grade of a judgment is 1 if
    the name of the list says that its documents are relevant.
    """
    name = request.named.get("doc_id", "doc_id")
    documents = lists.get(name)
    (first, *_), sizes = lists.values(), {k: len(v.items) for k, v in lists.items()}
    for other, one in lists.items():
        if sizes[other] != len((documents or first).items):
            count = len((documents or first).items)
            raise ValueError(
                f"{counted(count, 'document' if documents else 'value')}, but"
                f" {quoted(one.key)} has {counted(sizes[other], 'value')}"
            )
    query_name = request.named.get("query_id", "")
    rows: list[dict[str, Any]] = []
    for place in range(len((documents or first).items)):
        values: dict[str, Any] = {}
        for column, one in lists.items():
            item: Any = one.items[place]
            if one is documents:
                inner = {o.inner for o in lists.values() if o.key == one.key}
                members = _document(one, column, item, request)
                values = {k: v for k, v in members.items() if k not in inner} | values
            else:
                is_inside = one.inner and isinstance(item, dict)
                values[column] = (
                    _looked_up(cast("dict[str, Any]", item), one.inner)[1]
                    if is_inside
                    else item
                )
        stated = columns.of_header(values, request.kind)
        stated |= {c for c, named in request.named.items() if named in values}
        if documents and not stated & {*_NUMBERS}:
            values |= _implied(place + 1, documents.key, request)
        kept = {query_name: query[query_name]} if query_name in query else {}
        rows.append({**query, **values, **kept})
    return rows


def _document(
    documents: Values, name: str, item: object, request: ReadRequest
) -> dict[str, Any]:
    """Return what an item says of its document, whose id has a name."""
    members = cast("dict[str, Any]", item) if isinstance(item, dict) else None
    where = f"{quoted(documents.key)}: " if documents.key else ""
    if documents.inner:
        key, value, _ = _looked_up(members or {}, documents.inner)
        if not members or not key:
            raise ValueError(f"{where}expected objects with {quoted(documents.inner)}")
        return {**members, name: value}
    if isinstance(item, str):
        return {name: item}
    is_named = "doc_id" in request.named
    if members is not None:
        ids = [k for k in members if "doc_id" in columns.of_header([k], request.kind)]
        ids = ids or [key for key in _IDS if key in members][:1]
        if len(ids) == 1:
            return {name if key in ids else key: members[key] for key in members}
        if not is_named:
            return members
    fault = f"{where}expected ids of documents, or objects with an id"
    if members and is_named:
        fault += f"; name the id of such an object as {documents.key}.NAME, where NAME"
        fault += f" is one of {listed(members, 5)}"
    raise ValueError(fault)


def _implied(place: int, key: str, request: ReadRequest) -> dict[str, Any]:
    """Return what a list without numbers says of the document at a place.

    Without such a name, judgments may be a ranking, unless the user gave a grade.
    """
    if request.kind == "known" or "grade" in request.elsewhere:
        return {}
    is_relevant = request.kind == "judgments" and has_word(key, "relevant")
    return {"grade": "1"} if is_relevant else {"rank": Order(place)}


def ungraded(source: Source) -> NdcgSqlError:
    """Return the error for lists given as judgments that may be rankings."""
    return NdcgSqlError(
        f"{source.shown}: lists of documents without grades",
        Text(
            "if all of them are relevant: ",
            use(grade=1),
            "; if they are rankings: ",
            call("load_run", FILE),
        ),
        needs=("columns", "grade", "kind"),
    )
