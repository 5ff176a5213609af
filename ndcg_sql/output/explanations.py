"""Explanations of values, for people to read: positions, terms, what moved."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ndcg_sql.comparison.answers import Answer, Record
from ndcg_sql.measures.names import Measure
from ndcg_sql.output.columns import CHANGE, Column, of, style_of, table
from ndcg_sql.output.grids import line, plain, prose

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


def positions(answer: Answer, form: str) -> str:
    """Lay out a ranking next to the ideal one, position by position.

    Two measures are shown side by side, numbered.
    """
    rows: Sequence[Record] = answer.rows.records
    measures: Sequence[Measure] = answer.about["measures"]
    if len(measures) == 1:
        drawn, lines = _steps(rows, form), [_fraction(rows, measures[0])]
    else:
        sides = [[r for r in rows if r["measure"] == m.name] for m in measures]
        drawn, lines = _both_steps(sides, form), _fractions(sides, measures)
    end = "\n" if form == "markdown" else ""
    # Markdown would join lines without a blank line into one paragraph.
    return drawn + end + f"\n{end}".join(prose(line, form) for line in lines) + "\n"


def _steps(rows: Sequence[Record], form: str) -> str:
    columns = [_POSITION, *_document(rows), *_STEPS]
    return table(columns, rows, form)


def _both_steps(sides: Sequence[Sequence[Record]], form: str) -> str:
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
    return table(columns, rows, form)


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


def _fractions(
    sides: Sequence[Sequence[Record]], measures: Sequence[Measure]
) -> list[str]:
    both = list(zip(sides, measures, strict=True))
    lines = [f"{i}: {_fraction(rows, m)}" for i, (rows, m) in enumerate(both, start=1)]
    first, second = (_fraction_value(rows, measure) for rows, measure in both)
    if first is not None and second is not None:
        lines.append(f"2 - 1 = {second:.6f} - {first:.6f} = {second - first:+.6f}")
    return lines


def _is_omitted(rows: Sequence[Record], measure: Measure) -> bool:
    answered = any(row["doc_id"] for row in rows)
    return measure.parameters["missing"] == "omit" and not answered


def _fraction_value(rows: Sequence[Record], measure: Measure) -> float | None:
    if _is_omitted(rows, measure):
        return None
    dcg = rows[-1]["dcg"] if rows else 0.0
    ideal = rows[-1]["ideal_dcg"] if rows else 0.0
    if ideal <= 0:
        no_rel = measure.parameters["no_rel"]
        return no_rel if isinstance(no_rel, float) else None
    return {"DCG": dcg, "IDCG": ideal}.get(measure.family.name, dcg / ideal)


def _fraction(rows: Sequence[Record], measure: Measure) -> str:
    value = _fraction_value(rows, measure)
    if _is_omitted(rows, measure):
        return f"{measure.name}: the run did not answer the query; it is left out"
    dcg = rows[-1]["dcg"] if rows else 0.0
    ideal = rows[-1]["ideal_dcg"] if rows else 0.0
    if ideal <= 0:
        counts = "is left out" if value is None else f"counts {value:g}"
        return f"{measure.name}: the ideal ranking is empty; the query {counts}"
    if measure.family.name != "nDCG":
        return f"{measure.name} = {value:.6f}"
    return f"{measure.name} = DCG / IDCG = {dcg:.6f} / {ideal:.6f} = {value:.6f}"


def terms(answer: Answer, form: str) -> str:
    """Lay out the terms of a value, document by document, then the value.

    Two measures follow each other, numbered, with their difference.
    """
    rows = answer.rows.records
    measures: Sequence[Measure] = answer.about["measures"]
    end = "" if form == "table" else "\n"
    parts: list[str] = []
    values: list[float | None] = []
    for number, measure in enumerate(measures, start=1):
        group = [row for row in rows if row["measure"] == measure.name]
        label = f"{number}: " if len(measures) > 1 else ""
        outcome = line(label + _outcome(group, measure), form)
        parts.append(f"{_table(group, form)}{end}{outcome}\n")
        values.append(group[0]["value"])
    if len(values) > 1 and None not in values:
        first, second = (value or 0.0 for value in values)
        difference = f"2 - 1 = {second:.6f} - {first:.6f} = {second - first:+.6f}"
        parts.append(line(difference, form) + "\n")
    return end.join(parts)


def _table(rows: Sequence[Record], form: str) -> str:
    by_chance = any(row["satisfaction"] is not None for row in rows)
    unused = {"found"} if by_chance else {"satisfaction", "reach"}
    unused.add("found" if "subtopics" in rows[0] else "subtopics")
    unused |= {"title"} - rows[0].keys()
    columns = [column for column in _TERMS if column.key not in unused]
    return table(columns, [row for row in rows if row["doc_id"] is not None], form)


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


def moves(answer: Answer, form: str) -> str:
    """Lay out two rankings of a query side by side, and what moved."""
    rows: list[Record] = answer.rows.records
    names: list[str] = answer.about["runs"]
    totals = [
        sum(row[share] or 0 for row in rows) for share in ("against_share", "share")
    ]
    line = f"{answer.about['measure']}: {totals[0]:.6f} for {names[0]}, {totals[1]:.6f}"
    line += f" for {names[1]}, difference {totals[1] - totals[0]:+.6f}"
    moved = [row for row in rows if row["difference"]]
    moved.sort(key=lambda row: (row["difference"], row["doc_id"]))
    blank = "" if form == "table" else "\n"
    parts = [_side_by_side(rows, form, names), f"{blank}{prose(line, form)}\n"]
    if moved:
        columns = [
            *_document(rows),
            Column("against_position", "was at", "place"),
            Column("position", "is at", "place"),
            CHANGE,
        ]

        def style(column: Column, row: Record) -> str:
            return style_of(row) if column == CHANGE else ""

        parts += ["\n", table(columns, moved, form, style)]
    return "".join(parts)


def _side_by_side(rows: Sequence[Record], form: str, names: Sequence[str]) -> str:
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
    return table(columns, _beside(sides), form)
