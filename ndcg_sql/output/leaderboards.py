"""Leaderboards, for people to read."""

from collections.abc import Sequence

from ndcg_sql.comparison.answers import Answer, Record
from ndcg_sql.comparison.significance import Testing
from ndcg_sql.output.columns import ANSWERS, RUN, Column, by_run, of, slices, table
from ndcg_sql.output.grids import Shape, below
from ndcg_sql.output.tables import by_dataset, title

# The test of all runs at once, whose groups have letters.
TUKEY = "Tukey's randomised HSD"


def leaderboard(answer: Answer, form: str) -> str:
    """Lay out a leaderboard: a table for each dataset, runs down, measures across."""
    rows, by = answer.rows.records, answer.scope.by
    testing: Testing = answer.about["testing"]
    parts: list[str] = []
    for about, group in by_dataset(rows).items():
        drawn = _table(group, form, by, testing)
        parts.append(title(*about, form) + drawn + below(notes(group), form))
    # What letters and signs mean is the same for all datasets.
    between = "\n" if len(parts) > 1 else ""
    return "\n".join(parts) + between + below(_legend(rows, testing, form), form)


def _table(
    rows: Sequence[Record], form: str, by: Sequence[str], testing: Testing
) -> str:
    # Digits stay aligned: a rank without a mark gets a blank.
    runs = by_run(rows, [*by, "run"])
    tied = any(run["is_tied"] for run in runs)
    unmarked = " " if tied and form == "table" else ""
    sheet = [{**run, of("rank"): _rank(run, unmarked)} for run in runs]
    columns = [*slices(by), Column(of("rank"), "rank", "count"), RUN]
    interval = Column("value", f"{testing.confidence} interval", "interval")
    for number, measure in enumerate(dict.fromkeys(row["measure"] for row in rows)):
        columns.append(Column("value", measure, "mean", measure))
        columns += [] if number else [interval]
        columns.append(Column("groups", "groups", "text", measure))
    first_count = len(columns)
    columns += counts(rows[0])
    best = {
        (r, c)
        for r, run in enumerate(sheet)
        for c, column in enumerate(columns)
        if column.kind == "mean" and column.part(run)["is_best"]
    }
    shape = Shape(range(first_count, len(columns)) if len(sheet) > 1 else ())
    return table(columns, sheet, form, shape, best)


def counts(row: Record) -> list[Column]:
    """Return the columns that tell what the values of a leaderboard are based on."""
    return [Column("judged_at_k", f"judged@{row['judged_depth']}"), *ANSWERS[:2]]


def _rank(row: Record, unmarked: str) -> str:
    if row["rank"] is None:
        return ""
    return f"{row['rank']}{'=' if row['is_tied'] else unmarked}"


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
