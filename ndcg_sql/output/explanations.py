"""Explanations of values, for people to read: positions, terms, what moved."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ndcg_sql.comparison.answers import Answer, Record
from ndcg_sql.measures.names import Measure
from ndcg_sql.output.columns import (
    Block,
    Column,
    Document,
    columns_of,
    of,
    plain,
    signs,
    table,
)
from ndcg_sql.output.comparison_tables import changes
from ndcg_sql.output.layout import Cells

_POSITION = Column("position", "position", "count")
# What is not shown of two measures side by side, whose parts are numbered.
_OF_ONE, _SIDES = ("discount", "ideal_doc_id", "run_position"), ("1", "2")


def positions(answer: Answer, _: str) -> Document:
    """Lay out a ranking next to the ideal one; two measures are numbered."""
    rows: Sequence[Record] = answer.rows.records
    measures: Sequence[Measure] = answer.about["measures"]
    if len(measures) == 1:
        sides = [rows]
        drawn = table([_POSITION, *_document(rows), *columns_of("step")], rows)
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
    leading, steps = columns_of("document", "title"), columns_of("step", *_OF_ONE)
    # Measures that ignore documents have others at the same positions.
    documents = [
        {side["doc_id"]: side for number in _SIDES if (side := row[of(number)])}
        for row in rows
    ]
    for at_position in documents:
        at_position.pop(None, None)
    same = all(len(at_position) <= 1 for at_position in documents)
    if same:
        nothing = {"doc_id": None, "grade": None}
        firsts = (next(iter(at.values()), nothing) for at in documents)
        rows = [{**first, **row} for first, row in zip(firsts, rows, strict=True)]
    numbered = [
        replace(column, heading=f"{number}: {column.heading}", measure=number)
        for number in _SIDES
        for column in (steps if same else [*leading, *steps])
    ]
    return table([_POSITION, *(leading if same else []), *numbered], rows)


def _beside(sides: Iterable[Mapping[int, Record]]) -> list[Record]:
    """Return a row for each position, with what the sides have there, if anything."""
    both = dict(zip(map(of, _SIDES), sides, strict=True))
    return [
        {"position": place, **{key: side.get(place) for key, side in both.items()}}
        for place in sorted({place for side in both.values() for place in side})
    ]


def _document(rows: Sequence[Record]) -> list[Column]:
    """Return the columns of a document, with its title if any is loaded."""
    is_titled = bool(rows) and "title" in rows[0]
    return columns_of("document", *([] if is_titled else ["title"]))


def _fraction(rows: Sequence[Record], measure: Measure) -> tuple[str, float | None]:
    """Return how a value comes about, and the value, if the query has one."""
    name = measure.name
    omits = measure.parameters["missing"] == "omit"
    if omits and not any(row["doc_id"] for row in rows):
        return f"{name}: the run did not answer the query; it is omitted", None
    dcg, ideal = (rows[-1]["dcg"], rows[-1]["ideal_dcg"]) if rows else (0.0, 0.0)
    if ideal <= 0:
        no_rel = measure.parameters["no_rel"]
        value = no_rel if isinstance(no_rel, float) else None
        counts = "is omitted" if value is None else f"counts {value:g}"
        return f"{name}: the ideal ranking is empty; the query {counts}", value
    value = {"DCG": dcg, "IDCG": ideal}.get(measure.family.name, dcg / ideal)
    worked = f"DCG / IDCG = {dcg:.6f} / {ideal:.6f} = "
    shown = worked if measure.family.name == "nDCG" else ""
    return f"{name} = {shown}{value:.6f}", value


def terms(answer: Answer, _: str) -> Document:
    """Lay out the terms of a value, document by document, then the value."""
    measures: Sequence[Measure] = answer.about["measures"]
    rows = answer.rows.records
    groups = [[r for r in rows if r["measure"] == m.name] for m in measures]
    lines = _numbered([*map(_outcome, groups, measures)])
    blocks: list[Block] = []
    for group, line in zip(groups, lines, strict=True):
        blocks += [_terms(group), line]
    return [[*blocks, *_gap([group[0]["value"] for group in groups])]]


def _terms(rows: Sequence[Record]) -> list[Cells]:
    by_chance = any(row["satisfaction"] is not None for row in rows)
    unused = ["found"] if by_chance else ["satisfaction", "reach"]
    unused.append("found" if "subtopics" in rows[0] else "subtopics")
    position = Column("position", "position", "position")
    columns = [position, *_document(rows), *columns_of("term", *unused)]
    return table(columns, [row for row in rows if row["doc_id"] is not None])


def _outcome(rows: Sequence[Record], measure: Measure) -> str:
    first = rows[0]
    name, value = first["measure"], first["value"]
    if first["nothing_relevant"]:
        counts = "is omitted" if value is None else f"counts {value:g}"
        return f"{name}: no document is relevant; the query {counts}"
    if value is None:
        return f"{name}: the run did not answer the query; it is omitted"
    judged = "judged " if "judged_only=true" in name else ""
    is_empty = all(row["position"] is None for row in rows)
    empty = f"; the run has no {judged}document for the query" if is_empty else ""
    return f"{name} = {_worked(measure, first)}{value:.6f}{empty}"


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


def moves(answer: Answer, _: str) -> Document:
    """Lay out two rankings of a query side by side, and what moved."""
    rows: list[Record] = answer.rows.records
    names: list[str] = answer.about["runs"]
    first, second = (
        sum(row[share] or 0 for row in rows) for share in ("against_share", "share")
    )
    line = f"{answer.about['measure']}: {first:.6f} for {names[0]}, {second:.6f}"
    line += f" for {names[1]}, difference {second - first:+.6f}"
    document: Document = [[_side_by_side(rows, names), line]]
    moved = [row for row in rows if row["difference"]]
    moved.sort(key=lambda row: (row["difference"], row["doc_id"]))
    if moved:
        columns = [*_document(rows), *columns_of("moved")]
        document.append([table(columns, moved, changes(signs(answer.about)))])
    return document


def _side_by_side(rows: Sequence[Record], names: Sequence[str]) -> list[Cells]:
    columns = [_POSITION]
    sides: list[dict[int, Record]] = []
    against, own = ("against_position", "against_share"), ("position", "share")
    for number, name, (place, share), (other, _), heading in (
        ("1", names[0], against, own, "goes to"),
        ("2", names[1], own, against, "comes from"),
    ):
        sides.append({row[place]: row for row in rows if row[share] is not None})
        columns += [
            Column("doc_id", name, "text", number, is_named=True),
            Column("grade", "grade", "grade", number),
            Column(share, "worth", "number", number),
            Column(other, heading, "place", number),
        ]
    return table(columns, _beside(sides))
