"""Nested data: what paths lead to in objects and lists, as rows.

A path such as a.b.c leads into objects; a key that contains dots is tried first as it
stands. Each item of a list on the way is a row. Lists beside each other have a value
for each of the same rows. A text that holds JSON, such as a cell of a CSV file, counts
as what it holds.
"""

import re
from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from ndcg_sql.reading.columns import (
    CLEAR,
    COLUMNS,
    DESCRIBED,
    Kind,
    has_word,
    meaning,
    name_score,
)
from ndcg_sql.reading.json_text import DECODER, Number
from ndcg_sql.reading.layouts import ReadRequest
from ndcg_sql.reading.scanning import Fault
from ndcg_sql.text import counted, listed, quoted

Row = tuple[int, dict[str, Any]]
# What the list of a query is called in an object that also names the query.
LISTED: dict[str, tuple[str, ...]] = {
    "run": ("ranking", "results", "documents", "items"),
    "judgments": ("relevant", "judgments", "documents", "items"),
    "known": ("known", "history", "documents", "items"),
}
# What the id of a document is called inside such a list.
_IDS = ("id", "_id")
# The columns of which each row has one value: a list does not stand for several.
_SINGLE = ("query_id", "run")
# What a path leads to that ends before.
_ABSENT = object()
_NOTHING: Mapping[str, Any] = {}
# The key of a list that has no name in its file.
NAMELESS = "."
_EXPECTED = "expected ids of documents, or objects with an id"
# The numbers of an item that count more than its place in the list.
_NUMBERS = {"score", "grade", "label", "rank"}
# Tracing writes a list as members with numbers: documents.0.id, documents.1.id.
_NUMBERED = re.compile(r"(.+?)\.(\d+)(?:\.(.+))?")


class Order(str):
    """A rank that a list does not state, but that follows from its order."""

    __slots__ = ()


@dataclass(frozen=True)
class Empty:
    """A query with a list of documents that is empty, and its line."""

    line: int
    query: Mapping[str, Any]


class Document(NamedTuple):
    """An id of a document, and the members of the objects that it is in."""

    id: Any
    beside: dict[str, Any]


class Items(list[Any]):
    """What a path leads to in each item of a list, and the path to the list."""

    def __init__(self, items: Iterable[Any], where: str) -> None:
        super().__init__(items)
        self.where = where


class Leaf(NamedTuple):
    """A value at the end of a path, and the name of the list that it is in, if any."""

    path: str
    value: Any
    key: str


class Paths:
    """The paths of a request, and the lists that objects have under usual names."""

    def __init__(self, request: ReadRequest) -> None:
        """Take the names that the user gave columns, and further ones."""
        self._kind: Kind = request.kind
        self._columns = request.named
        self._is_graded = "grade" in request.elsewhere
        self._meant = {name: column for column, name in self._columns.items()}
        self.names = names_of(request)
        self._query = self._columns.get("query_id", "")
        single = {self._columns.get(column, "") for column in _SINGLE}
        is_described = request.kind in DESCRIBED
        self._single = {*self.names} if is_described else single

    def lead_into(self, record: Mapping[str, Any]) -> bool:
        """Return whether any of the names is one of an object, or leads into it."""
        return any(_head(record, name) is not None for name in self.names)

    def rows(self, line: int, record: dict[str, Any]) -> Iterator[Row | Fault | Empty]:
        """Yield an object as it is, or a row for each document in its list."""
        paths, document = self._paths(record)
        if not paths:
            yield line, record
            return
        walk = _Walk(self._kind, document, self._single, [*paths])
        try:
            # Messages name the documents before what is beside them.
            ordered = sorted(paths, key=lambda path: paths[path] != document)
            values = {
                paths[path]: walk.value(record, path, paths[path]) for path in ordered
            }
            parts = [*walk.parts(values)]
        except ValueError as error:
            yield Fault(line, str(error))
            return
        outside = {
            key: value
            for key, value in record.items()
            if not any(_leads(key, path) for path in paths)
        }
        for place, (inside, is_empty) in enumerate(parts, 1):
            row = {**outside, **inside}
            if self._query in outside:
                row[self._query] = outside[self._query]
            if is_empty:
                yield Empty(line, row)
                continue
            if walk.key and _NUMBERS.isdisjoint(map(self._meaning, inside)):
                row |= self._implied(place, walk.key)
            yield line, row

    def _paths(self, record: dict[str, Any]) -> tuple[dict[str, str], str]:
        """Return the names by paths into an object, and which is that of documents."""
        lists = {key for key, value in record.items() if is_list(value)}
        paths = {
            name: name
            for name in self.names
            if name not in record or (name in lists and name not in self._single)
        }
        document = self._columns.get("doc_id", "")
        if self._kind in DESCRIBED or not lists:
            return paths, document
        usual = {key: meaning(key, self._kind) for key in lists}
        if not document:
            usual_names = (NAMELESS, *LISTED.get(self._kind, ()))
            keys = [key for key in usual_names if key in lists]
            document = next((key for key in lists if usual[key] == "doc_id"), "")
            if document:
                paths[document] = document
            elif len(keys) == 1 and "doc_id" not in map(self._meaning, record):
                document = paths[keys[0]] = "doc_id"
        if document in paths.values():
            rest = {key: _parsed(record[key], "[") for key in lists - paths.keys()}
            numbers = [
                key
                for key, values in rest.items()
                if values and all(isinstance(value, Number) for value in values)
            ]
            for role in _NUMBERS & {*COLUMNS[self._kind]} - {*self._columns}:
                # Numbers beside documents are theirs, if their name says so.
                named = [k for k in numbers if name_score(role, k, self._kind) >= CLEAR]
                paths |= {named[0]: role} if len(named) == 1 else {}
        return paths, document

    def _implied(self, place: int, key: str) -> dict[str, Any]:
        """Return what a list without numbers says of the document at a place.

        Without such a name, judgments may be a ranking, unless the user gave a grade.
        """
        if self._kind == "known" or self._is_graded:
            return {}
        is_relevant = self._kind == "judgments" and has_word(key, "relevant")
        return {"grade": "1"} if is_relevant else {"rank": Order(place)}

    def _meaning(self, name: str) -> str | None:
        """Return the column that a name means, by the user's word or as usual."""
        return self._meant.get(name) or meaning(name, self._kind)


class _Walk:
    """A walk along the paths into one object.

    document is the name of the documents, single are names of which a row has one
    value. key is afterwards the name of the list of documents, if there is one.
    """

    def __init__(
        self, kind: Kind, document: str, single: Container[str], paths: list[str]
    ) -> None:
        self._kind: Kind = kind
        self._document, self._single, self._paths = document, single, paths
        self.key = ""

    def value(
        self,
        value: Any,
        path: str,
        name: str,
        where: str = "",
        in_list: bool = False,
        beside: Mapping[str, Any] = _NOTHING,
    ) -> Any:
        """Return what the rest of a path leads to in a value; "" is the value itself.

        Raises ValueError for what is neither a list nor an object. beside are the
        members of objects further out that also hold the document.
        """
        if path or name not in self._single:
            value = _parsed(value, "[{" if path else "[")
            if isinstance(value, list):
                items = cast("list[Any]", value)
                if in_list and not path and len({*map(type, items)}) > 1:
                    # A document and its score, say.
                    raise ValueError(f"{_at(where)}{_EXPECTED}")
                if name == self._document:
                    self.key = self.key or where
                inside = (
                    self.value(item, path, name, where, True, beside) for item in items
                )
                return Items(inside, where)
        if not path:
            return self._leaf(value, name, where, in_list, beside)
        if value in (None, ""):
            return _ABSENT
        if not isinstance(value, dict):
            if in_list:
                raise ValueError(_no_objects(where, path))
            what = f"{_described(value)}, not a list or an object"
            raise ValueError(f"{quoted(where)} is {what}")
        record = cast("dict[str, Any]", value)
        if _head(record, path) is None:
            record = _with_lists(record)
        is_listed = in_list and name == self._document
        key = _head(record, path)
        if key is None and is_listed:
            raise ValueError(_no_objects(where, path))
        if key is None:
            return _ABSENT
        if is_listed:
            # Of document.id and document.score, the second is a score.
            prefix = key.rpartition(".")[0] + "."
            begin = f"{where}."
            rests = [p.removeprefix(begin) for p in self._paths if p.startswith(begin)]
            heads = {_head(record, rest) for rest in rests}
            others = {
                k.removeprefix(prefix): record[k] for k in record if k not in heads
            }
            beside = {**beside, **others}
        path, place = path[len(key) + 1 :], f"{where}.{key}" if where else key
        return self.value(record[key], path, name, place, in_list, beside)

    def _leaf(
        self,
        value: Any,
        name: str,
        where: str,
        in_list: bool,
        beside: Mapping[str, Any],
    ) -> Any:
        """Return the value at the end of a path: an item of documents has an id."""
        if name != self._document or not in_list:
            return value
        if isinstance(value, str):
            return Document(value, {**beside})
        members = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
        ids = [key for key in members if meaning(key, self._kind) == "doc_id"]
        ids = ids or [key for key in _IDS if key in members][:1]
        if len(ids) != 1:
            fault = f"{_at(where)}{_EXPECTED}"
            if members:
                fault += (
                    f"; name the id of such an object as {where}.NAME, where NAME is"
                    f" one of {listed(members, 5)}"
                )
            raise ValueError(fault)
        others = {key: members[key] for key in members if key not in ids}
        return Document(members[ids[0]], {**beside, **others})

    def parts(self, values: dict[str, Any]) -> Iterator[tuple[dict[str, Any], bool]]:
        """Yield the values of each item of lists, and whether a list has none.

        What is outside of a list belongs to all its items. Raises ValueError for lists
        of different lengths, which are no pair.
        """
        lists = {name: one for name, one in values.items() if isinstance(one, Items)}
        if not lists:
            part: dict[str, Any] = {}
            for name, value in values.items():
                if isinstance(value, Document):
                    part = {**value.beside, **part, name: value.id}
                elif value is not _ABSENT:
                    part[name] = value
            yield part, False
            return
        [(name, first), *others] = lists.items()
        for _, other in others:
            if len(other) != len(first):
                noun = "document" if name == self._document else "value"
                raise ValueError(
                    f"{_at(first.where)}{counted(len(first), noun)}, but"
                    f" {quoted(other.where)} has {counted(len(other), 'value')}"
                )
        if not first:
            outside = {name: values[name] for name in values if name not in lists}
            yield from ((part, True) for part, _ in self.parts(outside))
        for place in range(len(first)):
            items = {name: one[place] for name, one in lists.items()}
            yield from self.parts({**values, **items})


def names_of(request: ReadRequest) -> list[str]:
    """Return the names in a file that a request states."""
    return [*dict.fromkeys((*request.named.values(), *request.reading.wanted))]


def looked_into(
    names: Collection[str], request: ReadRequest, nested: Container[str]
) -> list[str]:
    """Return the columns of a file that paths or lists must be read from.

    These are all that have a meaning, if any path leads into one, or if that of the
    documents is among the nested ones.
    """
    stated = names_of(request)
    missing = [name for name in stated if name not in names]
    heads = {name for name in names if any(_leads(name, path) for path in missing)}
    kind = request.kind
    is_document = [name for name in names if meaning(name, kind) == "doc_id"]
    documents = [request.named.get("doc_id", ""), *is_document]
    if kind not in DESCRIBED:
        heads |= {next(filter(None, documents), "")} & {n for n in names if n in nested}
    if not heads or kind in DESCRIBED:
        return [*names] if heads else []
    return [n for n in names if n in heads or n in stated or meaning(n, kind)]


def _leads(key: str, path: str) -> bool:
    """Return whether a path begins with a key; a number in it is that of an item."""
    match = _NUMBERED.fullmatch(key)
    prefixes = (key, match[1]) if match else (key,)
    return any(path == one or path.startswith(f"{one}.") for one in prefixes)


def leaves(value: Any, name: str = "", key: str = "") -> Iterator[Leaf]:
    """Yield what is at the end of each path in a value, item by item of lists."""
    value = _parsed(value, "[{")
    if isinstance(value, list):
        for item in cast("list[Any]", value):
            yield from leaves(item, name, key or name)
    elif isinstance(value, dict) and value:
        for member, inside in _with_lists(cast("dict[str, Any]", value)).items():
            yield from leaves(inside, f"{name}.{member}" if name else member, key)
    else:
        yield Leaf(name, None if value == {} else value, key)


def _head(record: Container[str], path: str) -> str | None:
    """Return the longest key of an object that a path begins with, or None."""
    while path not in record:
        path = path.rpartition(".")[0]
        if not path:
            return None
    return path


def _with_lists(record: dict[str, Any]) -> dict[str, Any]:
    """Return an object in which members with numbers from 0 in their names are lists.

    Items without any value are left out: in a table, another row has as many.
    """
    matches = {key: _NUMBERED.fullmatch(key) for key in record}
    names = {match[1] for match in matches.values() if match and match[2] == "0"}
    whole: dict[str, Any] = {}
    for key, match in matches.items():
        if match is None or match[1] not in names or match[1] in record:
            whole[key] = record[key]
        elif record[key] not in (None, ""):
            items = whole.setdefault(match[1], {})
            if match[3]:
                items.setdefault(int(match[2]), {})[match[3]] = record[key]
            else:
                items[int(match[2])] = record[key]
    lists = {name: dict(sorted(whole[name].items())) for name in names & whole.keys()}
    return whole | {name: [*items.values()] for name, items in lists.items()}


def _parsed(value: Any, brackets: str) -> Any:
    """Return what a text holds that is JSON and begins with one of the brackets."""
    if isinstance(value, str) and value and value[0] in brackets:
        try:
            return DECODER.decode(value)
        except (ValueError, RecursionError):
            return value
    return value


def is_list(value: object) -> bool:
    """Return whether a value is a list, or a text that holds one."""
    is_text = isinstance(value, str) and value[:1] == "["
    return isinstance(_parsed(value, "[") if is_text else value, list)


def _at(where: str) -> str:
    return "" if where == NAMELESS else f"{quoted(where)}: "


def _no_objects(where: str, path: str) -> str:
    return f"{_at(where)}expected objects with {quoted(path)}"


def _described(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "a number" if isinstance(value, Number) else "text"
