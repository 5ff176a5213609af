"""Objects as records: their values as text, in rows that SQL reads."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from json.encoder import encode_basestring
from typing import Any, Literal

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.columns import COLUMNS, DESCRIBED, FIELDS, check_once, meaning
from ndcg_sql.reading.layouts import Layout, ReadRequest
from ndcg_sql.reading.meanings import understood
from ndcg_sql.reading.nested import EMPTY, Nested, Number, Order, Row, leaves
from ndcg_sql.reading.scanning import Fault, too_long
from ndcg_sql.reading.sources import Source, blaming
from ndcg_sql.text import unstorable
from ndcg_sql.wording import FILE, call, use

# How many objects show what a file has, where a path leads to nothing.
_SHOWN = 100
_NOT_TEXT = "expected text or a number"
_IDS = ("query_id", "doc_id")
# The columns that may be true or false; one without a meaning may, too.
_WORDS = (None, "run", "clicks")


@dataclass
class _Objects:
    """The objects of a file, as records with a column for each name that is read.

    roles are the names that are read, with the columns that they mean by themselves;
    unread are the others; nested those with structures; empty the rows of queries
    without documents; ordered the number of rows whose rank is their order. odd are
    values that a column with a meaning, or none (True), must not have: each with its
    record, its name and the fault.
    """

    request: ReadRequest
    roles: dict[str, str | None] = field(default_factory=dict[str, str | None])
    unread: dict[str, None] = field(default_factory=dict[str, None])
    nested: set[str] = field(default_factory=set[str])
    empty: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])
    odd: list[tuple[int, str, Fault, bool]] = field(
        default_factory=list[tuple[int, str, Fault, bool]]
    )
    count: int = 0
    ordered: int = 0

    def records(
        self, parts: Iterable[Row | Fault]
    ) -> Iterator[tuple[int, list[str | None]] | Fault]:
        """Yield the fields of records; those of a run without documents have null."""
        kind, wanted = self.request.kind, self.request.reading.wanted
        stated = {name: column for column, name in self.request.named.items()}
        for part in parts:
            if isinstance(part, Fault):
                yield part
                continue
            line, members = part
            if is_empty := EMPTY in members.values():
                self.empty.append(members)
            if is_empty and kind != "run":
                continue
            self.count += 1
            self.ordered += is_empty or isinstance(members.get("rank"), Order)
            for name in members:
                if name in self.roles or name in self.unread:
                    continue
                role = stated.get(name) or meaning(name, kind)
                if role or kind in DESCRIBED or name in wanted:
                    self.roles[name] = role
                else:
                    self.unread[name] = None
            texts = [self._text(name, members.get(name), line) for name in self.roles]
            yield line, texts

    def _text(self, name: str, value: Any, line: int) -> str | None:
        """Return a value as text; note what is odd about it."""
        role, text, reason = self.roles[name], value, ""
        if value is None:
            return ""
        if value is EMPTY:
            return None
        if isinstance(value, bool):
            text = str(value).lower()
            reason = "" if role in _WORDS else f"is {text}; {_NOT_TEXT}"
        elif not isinstance(value, str):
            self.nested.add(name)
            text, reason = "", f"is a list or an object; {_NOT_TEXT}" if role else ""
        elif role in _IDS and isinstance(value, Number):
            is_whole = re.fullmatch("-?[0-9]+", value)
            reason = "" if is_whole else f"is {value}; ids are text or integers"
        if reason:
            self.odd.append((self.count, name, Fault(line, reason), False))
        elif reason := unstorable(text):
            self.odd.append((self.count, name, Fault(line, reason), True))
            return ""
        return text

    def faults(self, how: Layout) -> dict[int, Fault]:
        """Return what is wrong with values that a layout reads, by their records."""
        columns = {name: column for column, name in how.column_names.items()}
        faults: dict[int, Fault] = {}
        for record, name, fault, is_of_any in self.odd:
            if name in columns or (is_of_any and name in how.attributes):
                reason = f"the {columns.get(name, name)} {fault.reason}"
                faults.setdefault(record, Fault(fault.line, reason))
        return faults


def layout(
    source: Source,
    request: ReadRequest,
    rows: Iterable[Row | Fault],
    unit: Literal["line", "item"] | None = None,
) -> Layout:
    """Return how to read the rows of objects, rewritten as records."""
    kind, nested, objects = request.kind, Nested(request), _Objects(request)
    with blaming(source.shown, source.folder):
        first = [*islice(rows := iter(rows), _SHOWN)]
    parts = (
        part
        for row in chain(first, rows)
        for part in ([row] if isinstance(row, Fault) else nested.rows(*row))
    )
    source = with_records(source, objects.records(parts))
    source = replace(source, unit=unit or source.unit)
    is_run = kind == "run"
    filled = objects.count - len(objects.empty) * is_run
    is_ordered = filled > 0 and objects.ordered == objects.count
    if is_ordered and kind == "judgments":
        remedy = "if all of them are relevant: " + use(grade=1)
        remedy += "; if they are rankings: " + call("load_run", FILE)
        needs = ("columns", "grade", "kind")
        raise source.error("lists of documents without grades", remedy, needs)
    # What is read comes first, as in the records.
    header = [*objects.roles, *objects.unread]
    missing = [name for name in nested.names if name not in header]
    if filled and missing:
        # The nearest path is one into what the objects hold.
        members = (row[1] for row in first if not isinstance(row, Fault))
        inside = (leaf.path for record in members for leaf in leaves(record))
        every_name = [*dict.fromkeys((*header, *inside))]
        check_once(source.shown, missing[0], every_name, FIELDS)
    # If no line is an object, the faults of the lines are reported.
    names = header or [request.named.get(c, c) for c in COLUMNS[kind]]
    how = understood(source, request, names, nested=objects.nested, has=FIELDS)
    if faults := objects.faults(how):
        source = _without(source, faults)
    if objects.empty and kind == "judgments":
        query = how.column_names.get("query_id", "")
        queries = (str(v.get(query, request.reading.query)) for v in objects.empty)
        source = replace(source, empty_queries=tuple(dict.fromkeys(queries)))
    has_empty = is_run and bool(objects.empty)
    how = replace(how, is_ordered=is_ordered, has_empty=has_empty)
    return how.of_records(source, len(names))


def objects(
    rows: Iterable[tuple[int, list[str]] | Fault],
    header: list[str],
    names: list[str],
    expected: str,
) -> Iterator[Row | Fault]:
    """Yield the columns of some names in rows as objects, in which JSON is text."""
    for row in rows:
        if isinstance(row, Fault):
            yield row
            continue
        line, cells = row
        if len(cells) == len(header):
            members = dict(zip(header, cells, strict=True))
            yield line, {name: members[name] for name in names}
        else:
            yield Fault(line, f"{len(cells)} fields, expected {expected}")


def with_records(
    source: Source, rows: Iterable[tuple[int, Sequence[str | None]] | Fault]
) -> Source:
    """Return a source with rows as JSON arrays: the number of each, and its fields."""
    faults = [*source.faults]
    target = source.folder / "records"
    with blaming(source.shown, source.folder), target.open("wb") as records:
        for row in rows:
            if isinstance(row, Fault):
                faults.append(row)
                continue
            line, fields = row
            # json.dumps makes an encoder for each row, which takes three times as long.
            texts = ("null" if f is None else encode_basestring(f) for f in fields)
            record = f'["{line}",{",".join(texts)}]\n'.encode()
            if reason := too_long(record[:-1]):
                raise NdcgSqlError(f"{source.at(line)}: {reason}")
            records.write(record)
    return replace(source, readable=target, faults=tuple(faults))


def _without(source: Source, faults: Mapping[int, Fault]) -> Source:
    """Return a source whose records, counted from 1, have no faults."""
    target = source.readable.with_name("sound records")
    with source.readable.open("rb") as records, target.open("wb") as sound:
        numbered = enumerate(records, 1)
        sound.writelines(line for number, line in numbered if number not in faults)
    every = (*source.faults, *faults.values())
    return replace(source, readable=target, faults=every)
