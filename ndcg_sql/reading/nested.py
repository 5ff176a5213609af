"""Nested data: what paths lead to in objects and lists, as rows.

A path such as a.b.c leads into objects; a key that contains dots is tried first as it
stands. Each item of a list on the way is a row. Lists beside each other have a value
for each of the same rows. A text that holds JSON, such as a cell of a CSV file, counts
as what it holds.
"""

import json
import re
from collections import Counter
from collections.abc import Collection, Container, Iterator, Mapping
from typing import Any, NamedTuple, cast

from ndcg_sql.reading import columns
from ndcg_sql.reading.columns import Kind
from ndcg_sql.reading.layouts import ReadRequest
from ndcg_sql.reading.scanning import Fault
from ndcg_sql.text import counted, listed, quoted

Row = tuple[int, dict[str, Any]]
# What the list of a query is called in an object that also names the query.
LISTED: dict[str, tuple[str, ...]] = {
    "run": ("ranking", "results", "documents", "items"),
    "judgments": ("relevant", "judgments", "ratings", "documents", "items"),
    "known": ("known", "history", "ratings", "documents", "items"),
}
# The key of a list that has no name in its file.
NAMELESS = "."
# What stands for the document of a query whose list of documents is empty.
EMPTY = object()
# What the id of a document is called inside a list.
_IDS = ("id", "_id")
# The columns of which each row has one value: a list does not stand for several.
_SINGLE = ("query_id", "run")
# The numbers of an item that count more than its place in the list.
_NUMBERS = {"score", "grade", "label", "rank"}
# Tracing writes a list as members with numbers: documents.0.id, documents.1.id.
_NUMBERED = re.compile(r"(.+?)\.(\d+)(?:\.(.+))?")


class Number(str):
    """A number of JSON as it is written in the file, so that checks see its text."""

    __slots__ = ()


class Order(str):
    """A rank that a list does not state, but that follows from its order."""

    __slots__ = ()


class Items(list[Any]):
    """What a path leads to in each item of a list."""


class Part(dict[str, Any]):
    """What a path leads to, by its name; of a document, also what is beside its id."""


class Leaf(NamedTuple):
    """A value at the end of a path, and the name of the list that it is in, if any."""

    path: str
    value: Any
    key: str


class Nested:
    """The rows of objects, by the paths of a request and the usual names of lists."""

    def __init__(self, request: ReadRequest) -> None:
        """Take the names that the user gave columns, and further ones."""
        self._kind: Kind = request.kind
        self._columns = request.named
        self._is_graded = "grade" in request.reading.elsewhere
        self._meant = {name: column for column, name in self._columns.items()}
        self.names = names_of(request)
        single = {self._columns.get(column, "") for column in _SINGLE}
        is_described = request.kind in columns.DESCRIBED
        self._single = {*self.names} if is_described else single
        # The paths into the object at hand, with the names of what they lead to, and
        # the one that leads to its documents.
        self._paths: dict[str, str] = {}
        self._document = ""

    def lead_into(self, record: Mapping[str, Any]) -> bool:
        """Return whether any of the names is one of an object, or leads into it."""
        return any(_head(record, name) is not None for name in self.names)

    def rows(self, line: int, record: dict[str, Any]) -> Iterator[Row | Fault]:
        """Yield an object as it is, or a row for each document in its list.

        Where the list is empty, the document of its only row is EMPTY.
        """
        self._choose_paths(record)
        paths, document = self._paths, self._document
        if not paths:
            yield line, record
            return
        try:
            # Messages name the documents before what is beside them.
            ordered = sorted(paths, key=lambda path: path != document)
            values = {path: self._value(record, path, path) for path in ordered}
            parts = [*self._parts(values)]
        except ValueError as error:
            yield Fault(line, str(error))
            return
        outside = {
            key: value
            for key, value in record.items()
            if not any(_leads(key, path) for path in paths)
        }
        query = self._columns.get("query_id", "")
        above = {query: outside[query]} if query in outside else {}
        is_listed = isinstance(values.get(document), Items)
        for place, inside in enumerate(parts, 1):
            is_empty = EMPTY in inside.values()
            has_number = not _NUMBERS.isdisjoint(map(self._meaning, inside))
            if is_listed and not is_empty and not has_number:
                inside |= self._implied(place)
            yield line, {**outside, **inside, **above}

    def _choose_paths(self, record: dict[str, Any]) -> None:
        """Choose the paths into an object, with the names of what they lead to."""
        lists = {key for key, value in record.items() if is_list(value)}
        paths = {
            name: name
            for name in self.names
            if name not in record or (name in lists and name not in self._single)
        }
        document = self._columns.get("doc_id", "")
        self._paths, self._document = paths, document
        if self._kind in columns.DESCRIBED or not lists:
            return
        if not document:
            ids = [key for key in lists if columns.meaning(key, self._kind) == "doc_id"]
            # Assessments are judgments of an assessor.
            kind = "judgments" if self._kind == "assessments" else self._kind
            usual = [k for k in (NAMELESS, *LISTED.get(kind, ())) if k in lists]
            if ids:
                paths[ids[0]] = self._document = document = ids[0]
            elif len(usual) == 1 and "doc_id" not in map(self._meaning, record):
                self._document = document = usual[0]
                paths[document] = "doc_id"
        if document not in paths:
            return
        rest = {key: _parsed(record[key], "[") for key in lists - paths.keys()}
        numbers = [
            key
            for key, values in rest.items()
            if values and all(isinstance(value, Number) for value in values)
        ]
        for role in _NUMBERS & {*columns.COLUMNS[self._kind]} - {*self._columns}:
            # Numbers beside documents are theirs, if their name says so.
            named = [
                k
                for k in numbers
                if columns.name_score(role, k, self._kind) >= columns.CLEAR
            ]
            paths |= {named[0]: role} if len(named) == 1 else {}

    def _implied(self, place: int) -> dict[str, Any]:
        """Return what a list without numbers says of the document at a place.

        Without such a name, judgments may be a ranking, unless the user gave a grade.
        """
        if self._kind == "known" or self._is_graded:
            return {}
        is_relevant = columns.has_word(self._document, "relevant")
        is_relevant = is_relevant and self._kind == "judgments"
        return {"grade": "1"} if is_relevant else {"rank": Order(place)}

    def _meaning(self, name: str) -> str | None:
        """Return the column that a name means, by the user's word or as usual."""
        return self._meant.get(name) or columns.meaning(name, self._kind)

    def _value(
        self,
        value: Any,
        path: str,
        rest: str,
        in_list: bool = False,
        beside: Mapping[str, Any] | None = None,
    ) -> Items | Part:
        """Return what the rest of a path leads to in a value; "" is the value itself.

        Raises ValueError for what is neither a list nor an object. beside are the
        members of objects further out that also hold the document.
        """
        if rest or path not in self._single:
            value = _parsed(value, "[{" if rest else "[")
            if isinstance(value, list):
                items = cast("list[Any]", value)
                if in_list and not rest and len({*map(type, items)}) > 1:
                    # A document and its score, say.
                    raise ValueError(_no_ids(path))
                inside = (self._value(one, path, rest, True, beside) for one in items)
                return Items(inside)
        is_document = in_list and path == self._document
        if not rest:
            name = self._paths[path]
            members = self._identified(value, path) if is_document else {name: value}
            return Part({**(beside or {}), **members})
        if value in (None, ""):
            return Part()
        where = path.removesuffix(rest).removesuffix(".")
        expected = f"{_at(where)}expected objects with {quoted(rest)}"
        if not isinstance(value, dict):
            what = "a number" if isinstance(value, Number) else "text"
            what = str(value).lower() if isinstance(value, bool) else what
            reason = f"{quoted(where)} is {what}, not a list or an object"
            raise ValueError(expected if in_list else reason)
        record = cast("dict[str, Any]", value)
        if (key := _head(record, rest)) is None:
            record = _with_lists(record)
            key = _head(record, rest)
        if key is None:
            if is_document:
                raise ValueError(expected)
            return Part()
        if is_document:
            # Of document.id and document.score, the second is a score.
            prefix = key.rpartition(".")[0] + "."
            begin = f"{where}."
            rests = [p.removeprefix(begin) for p in self._paths if p.startswith(begin)]
            heads = {_head(record, other) for other in rests}
            others = {
                k.removeprefix(prefix): record[k] for k in record if k not in heads
            }
            beside = {**(beside or {}), **others}
        return self._value(record[key], path, rest[len(key) + 1 :], in_list, beside)

    def _identified(self, value: Any, path: str) -> dict[str, Any]:
        """Return the members of an item of documents, which is an id or has one."""
        name = self._paths[path]
        if isinstance(value, str):
            return {name: value}
        members = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
        ids = [key for key in members if columns.meaning(key, self._kind) == "doc_id"]
        ids = ids or [key for key in _IDS if key in members][:1]
        if len(ids) != 1:
            named = (
                f"; name the id of such an object as {path}.NAME, where NAME is one of"
                f" {listed(members, 5)}"
            )
            raise ValueError(_no_ids(path) + named * bool(members))
        others = {key: members[key] for key in members if key not in ids}
        return {**others, name: members[ids[0]]}

    def _parts(self, values: Mapping[str, Items | Part]) -> Iterator[dict[str, Any]]:
        """Yield the values of each item of lists; what is outside belongs to all."""
        lists = {path: one for path, one in values.items() if isinstance(one, Items)}
        outside = {p: one for p, one in values.items() if not isinstance(one, Items)}
        if not lists:
            # The names of paths count more than those beside a document.
            yield {key: part[key] for part in outside.values() for key in part}
            return
        [(path, first), *others] = lists.items()
        for beside, other in others:
            if len(other) != len(first):
                noun = "document" if path == self._document else "value"
                raise ValueError(
                    f"{quoted(path)}: {counted(len(first), noun)}, but"
                    f" {quoted(beside)} has {counted(len(other), 'value')}"
                )
        if not first:
            document = self._paths.get(self._document, "doc_id")
            yield from ({**part, document: EMPTY} for part in self._parts(outside))
        for items in zip(*lists.values(), strict=True):
            yield from self._parts({**values, **dict(zip(lists, items, strict=True))})


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
    is_document = [name for name in names if columns.meaning(name, kind) == "doc_id"]
    documents = [request.named.get("doc_id", ""), *is_document]
    if kind not in columns.DESCRIBED:
        heads |= {next(filter(None, documents), "")} & {n for n in names if n in nested}
    if not heads or kind in columns.DESCRIBED:
        return [*names] if heads else []
    return [n for n in names if n in heads or n in stated or columns.meaning(n, kind)]


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


def _no_ids(path: str) -> str:
    return f"{_at(path)}expected ids of documents, or objects with an id"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; raise ValueError if a key occurs twice."""
    members = dict(pairs)
    if len(members) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        twice = next(key for key, count in counts.items() if count > 1)
        raise ValueError(f"the key {quoted(twice)} occurs twice in an object")
    return members


DECODER = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_float=Number,
    parse_int=Number,
    parse_constant=Number,
)
