"""Python's own collections as input: dicts by query, and named tuples."""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any, cast

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading import columns
from ndcg_sql.reading.clean.arrays import np
from ndcg_sql.reading.plain import Kind, Plain, ordered, plain
from ndcg_sql.text import as_id, quoted, unstorable

# A query, a document, its score or grade, which is None if the order is the ranking,
# and the iteration of ir_measures, which may be a subtopic.
_Row = tuple[object, object, object, object]


@dataclass(frozen=True)
class Rows:
    """Columns as arrays, which DuckDB reads like a frame, or lines of TSV.

    is_ordered is true if the rows are lists without scores, whose order is the
    ranking. empty_queries are those of judgments or of a run without documents.
    """

    columns: dict[str, Any]
    lines: bytes | None = None
    is_ordered: bool = False
    empty_queries: tuple[str, ...] = ()


def rows(source: Any, kind: Kind, may_be_lines: bool) -> Rows | None:
    """Return the rows of a dict or of named tuples; None for anything else.

    The dict is {query: {document: number}} or {query: [document, ...]}; the tuples have
    query_id, doc_id and score or relevance, as those of ir_measures, and those of
    judgments may have a subtopic as iteration. What is known has a count for a number.
    A run in which nothing is unusual may become lines. What rows have in common is
    checked when they are staged.
    """
    # Qrels and Run of ranx, which need not be installed.
    if type(source).__module__.partition(".")[0] == "ranx":
        source = source.to_dict()
    if isinstance(source, Mapping):
        by_query = cast("Mapping[object, object]", source)
        if _is_frame(by_query, kind):
            return None
        clean = plain(by_query, kind) if may_be_lines else None
        lines = clean.lines() if clean else None
        arrays = Rows({}, lines) if lines else _arrays(_of_dict(by_query, kind), kind)
        empty = tuple(
            str(query)
            for query, documents in by_query.items()
            if isinstance(documents, Collection) and not len(cast("Any", documents))
        )
        return replace(arrays, empty_queries=empty if kind != "known" else ())
    if isinstance(source, list | tuple | set | frozenset | Iterator) and not hasattr(
        cast("object", source), "schema"
    ):
        return _arrays(_of_tuples(cast("Iterable[object]", source), kind), kind)
    return None


def plain_rows(by_query: Mapping[Any, Any], kind: Kind) -> Plain | None:
    """Return the rows of a plain dict by query, or of lists of a run; else None."""
    if _is_frame(by_query, kind):
        return None
    rows = plain(by_query, kind)
    return ordered(by_query) if rows is None and kind == "run" else rows


def _is_frame(by_query: Mapping[object, object], kind: Kind) -> bool:
    """Return whether the keys of a dict are names of columns, as DuckDB reads them."""
    names = columns.of_header((str(name) for name in by_query), kind)
    return {"query_id", "doc_id"} <= names


def _of_dict(by_query: Mapping[object, object], kind: Kind) -> Iterator[_Row]:
    seen: set[str] = set()
    # A set has no order.
    no_list = (str, bytes, set, frozenset) if kind == "run" else (str, bytes)
    for query, documents in by_query.items():
        noun, is_list = type(documents).__name__, isinstance(documents, Collection)
        is_list = is_list and not isinstance(documents, no_list)
        name = str(query)
        if name in seen:
            raise NdcgSqlError(f"{kind}: query {quoted(name)} occurs twice")
        seen.add(name)
        if isinstance(documents, Mapping):
            by_document = cast("Mapping[object, object]", documents)
            for document, value in by_document.items():
                yield query, document, _number(query, document, value, kind), None
        elif is_list:
            value = None if kind == "run" else 1.0
            for document in cast("Collection[object]", documents):
                yield query, document, value, None
        else:
            raise NdcgSqlError(
                f"{kind}: query {quoted(name)}: {noun} is neither a"
                f" dict of documents and their {columns.number_of(kind)}s nor a list of"
                " documents",
                "give [] where there are none" if documents is None else "",
            )


def _of_tuples(tuples: Iterable[object], kind: Kind) -> Iterator[_Row]:
    name, attribute = ("ScoredDoc", "score") if kind == "run" else ("Qrel", "relevance")
    for row in tuples:
        try:
            query, document = cast("Any", row).query_id, cast("Any", row).doc_id
            value = getattr(row, attribute)
        except AttributeError:
            raise NdcgSqlError(
                f"{kind}: {type(row).__name__} is not a {name}: it has no query_id,"
                f" doc_id and {attribute}"
            ) from None
        iteration = None if kind == "run" else getattr(row, "iteration", None)
        number = 1.0 if kind == "known" else _number(query, document, value, kind)
        yield query, document, number, iteration


def _number(query: object, document: object, value: object, kind: Kind) -> object:
    """Return a score, grade or count as a number; a grade may also be a label."""
    if isinstance(value, str) and kind == "judgments":
        return value
    try:
        number = float(value) if isinstance(value, Real) else math.nan
    except OverflowError:
        number = math.nan if kind == "run" else math.inf
    if math.isnan(number) or (kind != "run" and math.isinf(number)):
        finite = "" if kind == "run" else "finite "
        raise NdcgSqlError(
            f"{_place(kind, query, document)}: {columns.number_of(kind)}"
            f" {quoted(value)} is not a {finite}number",
            "omit documents without a score" if value is None else "",
        )
    return number


def _arrays(rows: Iterator[_Row], kind: Kind) -> Rows:
    """Return rows as arrays; refuse ids that are not text."""
    queries: list[str] = []
    documents: list[str] = []
    values: list[object] = []
    iterations: list[str] = []
    for query, document, value, iteration in rows:
        queries.append(_id(kind, query))
        documents.append(_id(kind, query, document))
        if values and (value is None) != (values[0] is None):
            at = _place(kind, query, document)
            raise NdcgSqlError(f"{at}: some queries have scores, others have none")
        values.append(value)
        iterations.append("" if iteration is None else str(iteration))
    if not queries:
        raise NdcgSqlError(f"{kind}: no rows")
    ids: dict[str, Any] = {
        "query_id": np.array(queries, dtype=object),
        "doc_id": np.array(documents, dtype=object),
    }
    if len(set(iterations)) > 1:
        ids["subtopic"] = np.array(iterations, dtype=object)
    if values[0] is None:
        return Rows({**ids, "rank": np.arange(1, len(values) + 1)}, is_ordered=True)
    if any(isinstance(value, str) for value in values):
        return Rows({**ids, "grade": np.array([*map(str, values)], dtype=object)})
    return Rows({**ids, columns.number_of(kind): np.array(values, dtype=float)})


def _place(kind: Kind, query: object, *document: object) -> str:
    """Return where a row is, for a message."""
    of_document = "".join(f", document {quoted(one)}" for one in document)
    return f"{kind}: query {quoted(query)}{of_document}"


def _id(kind: Kind, *ids: object) -> str:
    """Return the last of a query and a document as text; refuse what is no id."""
    text = as_id(ids[-1])
    reason = "" if text is None else unstorable(text)
    if text is None:
        reason = f"is {type(ids[-1]).__name__}; ids are text or integers"
    if text is None or reason:
        noun = "document" if len(ids) > 1 else "query"
        raise NdcgSqlError(f"{_place(kind, *ids)}: the {noun} id {reason}")
    return text
