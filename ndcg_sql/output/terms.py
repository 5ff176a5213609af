"""The explanation of a value that is a sum of terms, for people to read."""

from collections.abc import Callable, Sequence

from ndcg_sql.analysis.answers import Answer, Record
from ndcg_sql.output.grids import grade, grid, line, plain, shown


def terms(answer: Answer, form: str) -> str:
    """Lay out the terms of a value, document by document, then the value.

    Two measures follow each other, numbered, with their difference.
    """
    rows = answer.rows.records
    names = list(dict.fromkeys(row["measure"] for row in rows))
    end = "" if form == "table" else "\n"
    parts: list[str] = []
    values: list[float | None] = []
    for number, name in enumerate(names, start=1):
        group = [row for row in rows if row["measure"] == name]
        label = f"{number}: " if len(names) > 1 else ""
        outcome = line(label + _outcome(group), form)
        parts.append(f"{_table(group, form)}{end}{outcome}\n")
        values.append(group[0]["value"])
    if len(values) > 1 and None not in values:
        first, second = (value or 0.0 for value in values)
        difference = f"2 - 1 = {second:.6f} - {first:.6f} = {second - first:+.6f}"
        parts.append(line(difference, form) + "\n")
    return end.join(parts)


def _table(rows: Sequence[Record], form: str) -> str:
    cells: dict[str, Callable[[Record], str]] = {
        "position": lambda row: str(row["position"] or "missed"),
        "document": lambda row: row["doc_id"],
        "title": lambda row: row["title"] or "",
        "grade": grade,
        "found": lambda row: plain(row["found"]),
        "satisfies": lambda row: shown(row["satisfaction"]),
        "reached": lambda row: shown(row["reach"]),
        "subtopics": lambda row: row["subtopics"] or "",
        "term": lambda row: shown(row["term"]),
        "sum": lambda row: shown(row["term_sum"]),
    }
    by_chance = any(row["satisfaction"] is not None for row in rows)
    unused = {"found"} if by_chance else {"satisfies", "reached"}
    unused.add("found" if "subtopics" in rows[0] else "subtopics")
    if "title" not in rows[0]:
        unused.add("title")
    columns = [column for column in cells if column not in unused]
    listed = [row for row in rows if row["doc_id"] is not None]
    body = [[cells[column](row) for column in columns] for row in listed]
    right = {
        i
        for i, column in enumerate(columns)
        if column not in ("document", "title", "subtopics")
    }
    return grid(columns, body, form, right)


def _outcome(rows: Sequence[Record]) -> str:
    first = rows[0]
    name, value = first["measure"], first["value"]
    if value is None:
        if first["nothing_relevant"]:
            return f"{name}: no document is relevant; the query is left out"
        return f"{name}: the run did not answer the query; it is left out"
    if first["nothing_relevant"]:
        return f"{name}: no document is relevant; the query counts {value:g}"
    total = max((row["term_sum"] or 0.0 for row in rows), default=0.0)
    steps = [f"{name} = "]
    if first["factor"] is not None:
        steps.append(f"sum x (1 - p) = {total:.6f} x {first['factor']:.6f} = ")
    elif first["divided_by"] is not None:
        divisor = first["divisor"]
        shown_divisor = f"{divisor:.6f}" if divisor % 1 else plain(divisor)
        steps.append(f"sum / {first['divided_by']} = {total:.6f} / {shown_divisor} = ")
    return "".join(steps) + f"{value:.6f}{_emptiness(rows)}"


def _emptiness(rows: Sequence[Record]) -> str:
    if any(row["position"] is not None for row in rows):
        return ""
    judged = "judged " if "judged_only=true" in rows[0]["measure"] else ""
    return f"; the run has no {judged}document for the query"
