"""Lists of documents in JSON: the documents of a query, in the order of a ranking."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from ndcg_sql.reading import columns
from ndcg_sql.reading.columns import Kind
from ndcg_sql.reading.json_text import Items, Members
from ndcg_sql.text import listed, quoted

# What the list of a query is called in an object that also names the query.
LISTED: dict[str, tuple[str, ...]] = {
    "run": ("ranking", "results", "documents", "items"),
    "judgments": ("relevant", "judgments", "documents", "items"),
    "known": ("known", "history", "documents", "items"),
}
# What the id of a document is called inside such a list.
_IDS = ("id", "_id")


class TwiceError(ValueError):
    """A document occurs twice in a list; rows are those of the whole list."""

    def __init__(self, reason: str, rows: list[tuple[int, dict[str, Any]]]) -> None:
        super().__init__(reason)
        self.rows = rows


class Order(str):
    """A rank that a list does not state, but that follows from its order."""

    __slots__ = ()


def list_of(row: dict[str, Any], kind: Kind) -> str | None:
    """Return the key of the list of documents in an object, or None."""
    if "doc_id" in columns.of_header(row, kind):
        return None
    keys = [key for key in LISTED.get(kind, ()) if isinstance(row.get(key), list)]
    return keys[0] if len(keys) == 1 else None


@dataclass(frozen=True)
class Named:
    """The list of documents in an object, by the names that the user gave.

    name is that of the documents: of a list of ids, or of objects with an id; after
    a point, that of the id in each object. columns are all names by column.
    """

    name: str
    key: str
    inner: str
    columns: Mapping[str, str]

    @classmethod
    def of(cls, row: dict[str, Any], columns: Mapping[str, str]) -> "Named | None":
        """Return the list that a row has under a name of the user's, or None."""
        name = columns.get("doc_id", "")
        key, inner = (name, "") if name in row else name.partition(".")[::2]
        if isinstance(row.get(key), list):
            return cls(name, key, inner, columns)
        return None

    def rows(
        self, line: int, row: dict[str, Any], kind: Kind
    ) -> list[tuple[int, dict[str, Any]]]:
        """Return a row for each document, with its line in the file.

        What else is a list under a name of the user's has a value for each of them.
        Raises ValueError as rows_of_list does, and for a list of another length.
        """
        documents = _placed(line, row[self.key])
        beside = {
            name: _placed(line, row[name])
            for column, name in self.columns.items()
            if column not in ("query_id", "doc_id") and isinstance(row.get(name), list)
        }
        for name, values in beside.items():
            if len(values) != len(documents):
                raise ValueError(
                    f"{len(documents)} documents, but {quoted(name)} has {len(values)}"
                    " values"
                )
        query = {
            key: value
            for key, value in row.items()
            if key != self.key and key not in beside
        }
        query_name = self.columns.get("query_id", "")
        rows: list[tuple[int, dict[str, Any]]] = []
        for place, (at, item) in enumerate(documents):
            item_row = self._item_row(item, kind)
            item_row |= {name: values[place][1] for name, values in beside.items()}
            whole = {**query, **item_row}
            if query_name in query:
                whole[query_name] = query[query_name]
            stated = columns.of_header(item_row, kind) | {
                column for column, name in self.columns.items() if name in item_row
            }
            if not {"score", "grade", "label", "rank"} & stated:
                whole |= _by_order(place + 1, kind)
            rows.append((at, whole))
        if reason := twice((whole.get(self.name) for _, whole in rows), kind):
            raise TwiceError(reason, rows)
        return rows

    def _item_row(self, item: object, kind: Kind) -> dict[str, Any]:
        """Return what an item says of its document, by the names of the user."""
        if self.inner and isinstance(item, str):
            raise ValueError(f"expected objects with {quoted(self.inner)}")
        if not self.inner:
            row = _row(item, kind)
            ids = (
                []
                if row is None
                else [k for k in row if "doc_id" in columns.of_header([k], kind)]
            )
            if row is None or len(ids) != 1:
                fault = "expected ids of documents, or objects with an id"
                if row:
                    fault += (
                        f"; name the id of such an object as {self.key}.NAME, where"
                    )
                    fault += f" NAME is one of {listed(row, 5)}"
                raise ValueError(fault)
            return {self.name if key in ids else key: row[key] for key in row}
        members = _members(item)
        if members is None or self.inner not in members:
            raise ValueError(f"expected objects with {quoted(self.inner)}")
        names = set(self.columns.values())
        dotted = {key: f"{self.key}.{key}" for key in members}
        return {
            dotted[key] if dotted[key] in names else key: value
            for key, value in members.items()
        }


def _placed(line: int, values: list[Any]) -> list[tuple[int, Any]]:
    """Return the items of a list, each with its line in the file."""
    # Only documents, not lines, know where their items are.
    return values if isinstance(values, Items) else [(line, item) for item in values]


def _by_order(place: int, kind: Kind) -> dict[str, Any]:
    """Return what a list without scores says of the document at a place."""
    return {"rank": Order(place)} if kind == "run" else {"grade": "1"}


def twice(documents: Iterable[object], kind: Kind) -> str | None:
    """Return what is wrong with a list in which a document occurs twice, or None.

    A query may know a document several times over.
    """
    if kind == "known":
        return None
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
    rows: list[tuple[int, dict[str, Any]]] = []
    for place, (at, item) in enumerate(_placed(line, documents), start=1):
        row = _row(item, kind)
        if row is None:
            raise ValueError("expected ids of documents, or objects with an id")
        if not {"score", "grade", "label", "rank"} & columns.of_header(row, kind):
            row |= _by_order(place, kind)
        rows.append((at, {**query, **row}))
    if reason := twice((row.get("doc_id") for _, row in rows), kind):
        raise TwiceError(reason, rows)
    return rows


def _row(item: object, kind: Kind) -> dict[str, Any] | None:
    """Return what an item of a list says of a document; None if it is no document."""
    if isinstance(item, str):
        return {"doc_id": item}
    row = _members(item)
    if row is None:
        return None
    keys = [key for key in _IDS if key in row]
    if keys and "doc_id" not in columns.of_header(row, kind):
        row["doc_id"] = row.pop(keys[0])
    return row


def _members(item: object) -> dict[str, Any] | None:
    """Return the members of an object by key; None if it is none."""
    if isinstance(item, Members):
        return {key: value for _, key, value in item}
    return dict(cast("dict[str, Any]", item)) if isinstance(item, dict) else None
