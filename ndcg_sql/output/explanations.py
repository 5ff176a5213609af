"""Explanations of values, for people to read: positions, terms, what moved."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ndcg_sql.comparison.answers import Answer, Record
from ndcg_sql.measures.names import Measure
from ndcg_sql.output.columns import (
    CHANGE,
    Block,
    Column,
    Document,
    of,
    plain,
    signs,
    table,
)
from ndcg_sql.output.comparison_tables import style_of
from ndcg_sql.output.layout import Cells, Style

_POSITION = Column("position", "position", "count")
_DOCUMENT = Column("doc_id", "document", "text")
_TITLE = Column("title", "title", "text")
_GRADE = Column("grade", "grade", "grade")
_STEPS = (
    Column("gain", "gain", "gain"),
    Column("discount", "discount"),
    Column("discounted_gain", "gain/discount"),
    Column("dcg", "DCG"),
    Column("ideal_doc_id", "ideal document", "text"),
    Column("ideal_gain", "ideal gain", "gain"),
    Column("ideal_dcg", "IDCG"),
    Column("run_position", "found at", "found"),
)
# What is not shown of two measures side by side, whose parts are numbered.
_OF_ONE, _SIDES = ("discount", "ideal_doc_id", "run_position"), ("1", "2")
_TERMS = (
    Column("position", "position", "position"),
    _DOCUMENT,
    _TITLE,
    _GRADE,
    Column("found", "found", "gain"),
    Column("satisfaction", "satisfies"),
    Column("reach", "reached"),
    Column("subtopics", "subtopics", "text"),
    Column("term", "term"),
    Column("term_sum", "sum"),
)


def positions(answer: Answer, _: str) -> Document:
    """Lay out a ranking next to the ideal one, position by position.

    Two measures are shown side by side, numbered.
    """
    rows: Sequence[Record] = answer.rows.records
    measures: Sequence[Measure] = answer.about["measures"]
    if len(measures) == 1:
        sides = [rows]
        drawn = table([_POSITION, *_document(rows), *_STEPS], rows)
    else:
        sides = [[r for r in rows if r["measure"] == m.name] for m in measures]
        drawn = _both_steps(sides)
    texts, values = zip(*map(_fraction, sides, measures), strict=True)
    return [[drawn, *_numbered(texts), *_gap(values)]]


def _numbered(texts: Sequence[str]) -> list[str]:
    """Return sentences about measures, numbered if they are several."""
    if len(texts) == 1:
        return [*texts]
    return [f"{number}: {text}" for number, text in enumerate(texts, start=1)]


def _gap(values: Sequence[float | None]) -> list[str]:
    """Return the line of the difference of two values."""
    numbers = [value for value in values if value is not None]
    if len(numbers) != 2:
        return []
    first, second = numbers
    return [f"2 - 1 = {second:.6f} - {first:.6f} = {second - first:+.6f}"]


def _both_steps(sides: Sequence[Sequence[Record]]) -> list[Cells]:
    rows = _beside([{row["position"]: row for row in side} for side in sides])
    documents = [
        {side["doc_id"]: side for side in sides if side and side["doc_id"]}
        for sides in ([row[of(number)] for number in _SIDES] for row in rows)
    ]
    # Measures that ignore documents have others at the same positions.
    same = all(len(at_position) <= 1 for at_position in documents)
    if same:
        nothing = {"doc_id": None, "grade": None}
        firsts = (next(iter(at.values()), nothing) for at in documents)
        rows = [{**first, **row} for first, row in zip(firsts, rows, strict=True)]
    leading = [_DOCUMENT, _GRADE]
    columns = [_POSITION, *(leading if same else [])]
    steps = [column for column in _STEPS if column.key not in _OF_ONE]
    for number in _SIDES:
        columns += [
            replace(column, heading=f"{number}: {column.heading}", measure=number)
            for column in (steps if same else [*leading, *steps])
        ]
    return table(columns, rows)


def _beside(sides: Iterable[Mapping[int, Record]]) -> list[Record]:
    """Return a row for each position, with what the sides have there, if anything."""
    both = dict(zip(map(of, _SIDES), sides, strict=True))
    return [
        {"position": place, **{key: side.get(place) for key, side in both.items()}}
        for place in sorted({place for side in both.values() for place in side})
    ]


def _document(rows: Sequence[Record]) -> list[Column]:
    """Return the columns of a document, with its title if any is loaded."""
    titled = bool(rows) and "title" in rows[0]
    return [_DOCUMENT, *([_TITLE] if titled else []), _GRADE]


def _fraction(rows: Sequence[Record], measure: Measure) -> tuple[str, float | None]:
    """Return how a value comes about, and the value, if the query has one."""
    name = measure.name
    omits = measure.parameters["missing"] == "omit"
    if omits and not any(row["doc_id"] for row in rows):
        return f"{name}: the run did not answer the query; it is left out", None
    dcg, ideal = (rows[-1]["dcg"], rows[-1]["ideal_dcg"]) if rows else (0.0, 0.0)
    if ideal <= 0:
        no_rel = measure.parameters["no_rel"]
        value = no_rel if isinstance(no_rel, float) else None
        counts = "is left out" if value is None else f"counts {value:g}"
        return f"{name}: the ideal ranking is empty; the query {counts}", value
    value = {"DCG": dcg, "IDCG": ideal}.get(measure.family.name, dcg / ideal)
    worked = f"DCG / IDCG = {dcg:.6f} / {ideal:.6f} = "
    shown = worked if measure.family.name == "nDCG" else ""
    return f"{name} = {shown}{value:.6f}", value


def terms(answer: Answer, _: str) -> Document:
    """Lay out the terms of a value, document by document, then the value.

    Two measures follow each other, numbered, with their difference.
    """
    measures: Sequence[Measure] = answer.about["measures"]
    rows = answer.rows.records
    groups = [[r for r in rows if r["measure"] == m.name] for m in measures]
    lines = _numbered([*map(_outcome, groups, measures)])
    blocks: list[Block] = []
    for group, line in zip(groups, lines, strict=True):
        blocks += [_table(group), line]
    return [[*blocks, *_gap([group[0]["value"] for group in groups])]]


def _table(rows: Sequence[Record]) -> list[Cells]:
    by_chance = any(row["satisfaction"] is not None for row in rows)
    unused = {"found"} if by_chance else {"satisfaction", "reach"}
    unused.add("found" if "subtopics" in rows[0] else "subtopics")
    unused |= {"title"} - rows[0].keys()
    columns = [column for column in _TERMS if column.key not in unused]
    return table(columns, [row for row in rows if row["doc_id"] is not None])


def _outcome(rows: Sequence[Record], measure: Measure) -> str:
    first = rows[0]
    name, value = first["measure"], first["value"]
    if value is None:
        if first["nothing_relevant"]:
            return f"{name}: no document is relevant; the query is left out"
        return f"{name}: the run did not answer the query; it is left out"
    if first["nothing_relevant"]:
        return f"{name}: no document is relevant; the query counts {value:g}"
    return f"{name} = {_worked(measure, first)}{value:.6f}{_emptiness(rows)}"


def _worked(measure: Measure, row: Record) -> str:
    """Return the formula of a value, with its numbers if it is a share of a sum."""
    formula = measure.family.formula
    if measure.parameters.get("norm") is None:
        formula = re.sub(r"case norm .* else (\w+) end", r"\1", formula)
    if formula == "total":
        return ""
    if row["divisor"] is None:
        return f"{formula.replace('total', 'sum')} = "
    divisor = formula.removeprefix("total / ")
    shown = f"{row['divisor']:.6f}" if row["divisor"] % 1 else plain(row["divisor"])
    what = divisor if divisor.isidentifier() else "divisor"
    return f"sum / {what} = {row['total'] or 0:.6f} / {shown} = "


def _emptiness(rows: Sequence[Record]) -> str:
    if any(row["position"] is not None for row in rows):
        return ""
    judged = "judged " if "judged_only=true" in rows[0]["measure"] else ""
    return f"; the run has no {judged}document for the query"


def moves(answer: Answer, _: str) -> Document:
    """Lay out two rankings of a query side by side, and what moved."""
    rows: list[Record] = answer.rows.records
    names: list[str] = answer.about["runs"]
    totals = [
        sum(row[share] or 0 for row in rows) for share in ("against_share", "share")
    ]
    line = f"{answer.about['measure']}: {totals[0]:.6f} for {names[0]}, {totals[1]:.6f}"
    line += f" for {names[1]}, difference {totals[1] - totals[0]:+.6f}"
    document: Document = [[_side_by_side(rows, names), line]]
    moved = [row for row in rows if row["difference"]]
    moved.sort(key=lambda row: (row["difference"], row["doc_id"]))
    if moved:
        columns = [
            *_document(rows),
            Column("against_position", "was at", "place"),
            Column("position", "is at", "place"),
            CHANGE,
        ]

        def style(column: Column, row: Record) -> Style | None:
            return style_of(row, signs(answer.about)) if column == CHANGE else None

        document.append([table(columns, moved, style)])
    return document


def _side_by_side(rows: Sequence[Record], names: Sequence[str]) -> list[Cells]:
    columns = [_POSITION]
    sides: list[dict[int, Record]] = []
    for number, name, place, share, other, heading in (
        ("1", names[0], "against_position", "against_share", "position", "goes to"),
        ("2", names[1], "position", "share", "against_position", "comes from"),
    ):
        sides.append({row[place]: row for row in rows if row[share] is not None})
        columns += [
            Column("doc_id", name, "text", number, is_named=True),
            replace(_GRADE, measure=number),
            Column(share, "worth", "number", number),
            Column(other, heading, "place", number),
        ]
    return table(columns, _beside(sides))
