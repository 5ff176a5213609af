"""Lists of documents in JSON: the documents of a query, in the order of a ranking."""

from collections.abc import Iterable
from typing import Any, cast

from ndcg_sql.reading import columns
from ndcg_sql.reading.columns import Kind
from ndcg_sql.reading.json_text import Items, Members
from ndcg_sql.text import quoted

# What the list of a query is called in an object that also names the query.
LISTED: dict[str, tuple[str, ...]] = {
    "run": ("ranking", "results", "documents", "items"),
    "judgments": ("relevant", "judgments", "documents", "items"),
}
# What the id of a document is called inside such a list.
_IDS = ("id", "_id")


class Order(str):
    """A rank that a list does not state, but that follows from its order."""

    __slots__ = ()


def list_of(row: dict[str, Any], kind: Kind) -> str | None:
    """Return the key of the list of documents in an object, or None."""
    if "doc_id" in columns.known(row, kind):
        return None
    keys = [key for key in LISTED.get(kind, ()) if isinstance(row.get(key), list)]
    return keys[0] if len(keys) == 1 else None


def twice(documents: Iterable[object]) -> str | None:
    """Return what is wrong with a list in which a document occurs twice, or None."""
    seen: set[str] = set()
    for document in documents:
        if isinstance(document, str):
            if document in seen:
                return f"document {quoted(document)} occurs twice in the list"
            seen.add(document)
    return None


def rows_of_list(
    line: int, query: dict[str, Any], documents: list[Any], kind: Kind
) -> list[tuple[int, dict[str, Any]]]:
    """Return a row for each document of a list, with its line in the file.

    A document is its id, or an object with its id and perhaps a score or a grade.
    Without one, the order is the ranking of a run, and the grade of a judgment is
    1. Raises ValueError if the list contains anything else, or a document twice.
    """
    # Only documents, not lines, know where their items are.
    placed = (
        documents if isinstance(documents, Items) else [(line, d) for d in documents]
    )
    rows: list[tuple[int, dict[str, Any]]] = []
    for place, (at, item) in enumerate(placed, start=1):
        row = _row(item, kind)
        if row is None:
            raise ValueError("expected ids of documents, or objects with an id")
        if not {"score", "grade", "label", "rank"} & columns.known(row, kind):
            row |= {"rank": Order(place)} if kind == "run" else {"grade": "1"}
        rows.append((at, {**query, **row}))
    reason = twice(row.get("doc_id") for _, row in rows)
    if reason:
        raise ValueError(reason)
    return rows


def _row(item: object, kind: Kind) -> dict[str, Any] | None:
    """Return what an item of a list says of a document; None if it is no document."""
    if isinstance(item, str):
        return {"doc_id": item}
    if isinstance(item, Members):
        item = {key: value for _, key, value in item}
    if not isinstance(item, dict):
        return None
    row = dict(cast("dict[str, Any]", item))
    keys = [key for key in _IDS if key in row]
    if keys and "doc_id" not in columns.known(row, kind):
        row["doc_id"] = row.pop(keys[0])
    return row
