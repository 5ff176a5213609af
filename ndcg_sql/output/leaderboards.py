"""Leaderboards, for people to read."""

from collections.abc import Sequence
from typing import Any

from ndcg_sql.analysis.answers import Answer, Record
from ndcg_sql.analysis.significance import Testing
from ndcg_sql.output.grids import Shape, below, grid, shown
from ndcg_sql.output.tables import by_dataset, measured, no_value, slice_name, title

# The test of all runs at once, whose groups have letters.
TUKEY = "Tukey's randomised HSD"


def leaderboard(answer: Answer, form: str) -> str:
    """Lay out a leaderboard: a table for each dataset, runs down, measures across."""
    rows, by = answer.rows.records, answer.request.by
    testing: Testing = answer.about["testing"]
    parts: list[str] = []
    for about, group in by_dataset(rows).items():
        table = _table(group, form, by, testing)
        parts.append(title(*about, form) + table + below(notes(group), form))
    # What letters and signs mean is the same for all datasets.
    between = "\n" if len(parts) > 1 else ""
    return "\n".join(parts) + between + below(_legend(rows, testing, form), form)


def _table(
    rows: Sequence[Record], form: str, by: Sequence[str], testing: Testing
) -> str:
    by_run: dict[tuple[Any, ...], list[Record]] = {}
    for row in rows:
        by_run.setdefault((*(row[name] for name in by), row["run"]), []).append(row)
    first, *others = next(iter(by_run.values()))
    columns = [*by, "rank", "run", first["measure"]]
    columns += [f"{testing.confidence} interval", "groups"]
    for other in others:
        columns += [other["measure"], "groups"]
    counts = [f"judged@{first['judged_depth']}", "queries", "unanswered"]
    left = {*range(len(by)), len(by) + 1}
    left |= {c for c, column in enumerate(columns) if column == "groups"}
    # Digits stay aligned: a rank without a mark gets a blank.
    tied = any(records[0]["is_tied"] for records in by_run.values())
    unmarked = " " if tied and form == "table" else ""
    cells: list[list[str]] = []
    best: set[tuple[int, int]] = set()
    for number, (key, records) in enumerate(by_run.items()):
        cell = [
            *map(slice_name, key[:-1]),
            _rank(records[0], unmarked),
            slice_name(key[-1]),
        ]
        for row in records:
            if row["is_best"]:
                best.add((number, len(cell)))
            cell.append(measured(row["value"], row["measure"]) or no_value(row))
            if row is records[0]:
                cell.append(_interval(row))
            cell.append(row["groups"] or "")
        head = records[0]
        cell.append(shown(head["judged_at_k"]))
        cell.append(str(head["answered"] + head["unanswered"]))
        cell.append(str(head["unanswered"]))
        cells.append(cell)
    columns += counts
    first_count = len(columns) - len(counts)
    shape = Shape(
        len(by) + 2,
        common=range(first_count, len(columns)) if len(cells) > 1 else (),
        stays=left | {columns.index(f"{testing.confidence} interval")},
    )
    right = set(range(len(columns))) - left
    return grid(columns, cells, form, right, best, shape)


def _rank(row: Record, unmarked: str) -> str:
    if row["rank"] is None:
        return ""
    return f"{row['rank']}{'=' if row['is_tied'] else unmarked}"


def _interval(row: Record) -> str:
    low, high = row["ci_low"], row["ci_high"]
    return "" if low is None else f"{low:.4f} to {high:.4f}"


def _legend(rows: Sequence[Record], testing: Testing, form: str) -> list[str]:
    lines: list[str] = []
    if any(row["groups"] for row in rows):
        test = TUKEY
        if testing.correct != "tukey":
            corrected = testing.correct.replace("none", "not corrected")
            test = f"{testing.test} test of each pair, {corrected}"
        lines.append(
            "groups: runs that share a letter are not separated"
            f" ({test}, p below {testing.alpha:g})"
        )
    if any(row["is_best"] for row in rows):
        mark = "*" if form == "table" else "bold:"
        lines.append(f"{mark} significantly better than every other run")
    if any(row["is_tied"] and row["measure"] == rows[0]["measure"] for row in rows):
        lines.append("= same value as another run")
    return lines


def notes(rows: Sequence[Record]) -> list[str]:
    """Return each note once, after the measures that it is about."""
    about: dict[str, dict[str, None]] = {}
    for row in rows:
        if row["note"]:
            about.setdefault(row["note"], {})[row["measure"]] = None
    return [f"{', '.join(measures)}: {note}" for note, measures in about.items()]
