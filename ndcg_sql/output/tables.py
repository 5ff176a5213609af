"""Values of runs for people to read: reports, leaderboards, means over replicates."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from ndcg_sql.comparison.answers import Answer, Record
from ndcg_sql.comparison.significance import Testing
from ndcg_sql.output.columns import (
    ANSWERS,
    MEASURE,
    RUN,
    Column,
    by_run,
    common,
    family,
    highest_is_best,
    is_count,
    of,
    slice_name,
    slices,
    table,
    with_queries,
)
from ndcg_sql.output.grids import below, grid, plain, shown, title
from ndcg_sql.output.layout import Cells
from ndcg_sql.text import sql_name

# The test of all runs at once, whose groups have letters.
TUKEY = "Tukey's randomised HSD"


def _by_dataset(answer: Answer, form: str, draw: Callable[[list[Record]], str]) -> str:
    """Draw a table for each dataset and judgment set, below their names."""
    parts: dict[tuple[str, str], list[Record]] = {}
    for row in answer.rows.records:
        parts.setdefault((row["dataset"], row["judgment_set"]), []).append(row)
    return "\n".join(title(*names, form) + draw(rows) for names, rows in parts.items())


def _counts_shown(answer: Answer, form: str) -> str:
    """Return which columns tell what values are based on: none, short or all.

    LaTeX has none, as papers print tables; every other format has them.
    """
    return "none" if form == "latex" else answer.about.get("counts", "usual")


def report(answer: Answer, form: str) -> str:
    """Lay out a report: a table for each dataset, runs down, measures across.

    With attributes of queries, every slice has a row for each run. counts in about
    says how many columns tell what the values are based on.
    """
    by, counts = answer.scope.by, _counts_shown(answer, form)
    return _by_dataset(answer, form, lambda rows: _report_part(rows, form, by, counts))


def _report_part(
    rows: Sequence[Record], form: str, attributes: Sequence[str], counts: str
) -> str:
    measures = list(dict.fromkeys(row["measure"] for row in rows))
    runs = by_run(rows, [*attributes, "run"])
    # Weighted values are shown if asked for, where any query has a weight.
    weights = [row for row in rows if row["weighted_n"] and counts == "all"]
    weighted = [m for m in measures if any(row["measure"] == m for row in weights)]
    columns = [
        *slices(attributes),
        RUN,
        *(Column("value", measure, "mean", measure) for measure in measures),
        *(Column("weighted_value", f"weighted {m}", "number", m) for m in weighted),
    ]
    if weighted:
        columns.append(Column(of("weights"), "with weight", "count"))
    columns += common(_counts(rows, counts))
    judged = [measure for measure in measures if not family(measure).is_loaded]
    for run in runs:
        run["no_relevant"] = _extremes(run, judged, "no_relevant")
        run[of("weights")] = _extremes(run, weighted, "weighted_n") if weighted else ""
        run[of("best")] = set[str]()
    rivals: dict[tuple[str | None, ...], list[Record]] = {}
    for run in runs:
        rivals.setdefault(tuple(run[name] for name in attributes), []).append(run)
    for group in rivals.values():
        for measure in filter(highest_is_best, measures):
            values = [run[of(measure)]["value"] for run in group]
            top = max((value for value in values if value is not None), default=None)
            # If all are equal, none is the best.
            if top is not None and any(value != top for value in values):
                for run, value in zip(group, values, strict=True):
                    run[of("best")] |= {measure} if value == top else set()

    def is_best(column: Column, run: Record) -> bool:
        return column.kind == "mean" and column.measure in run[of("best")]

    def style(column: Column, run: Record) -> str:
        return "best" if is_best(column, run) else ""

    # Highest is not yet best: in papers it is bold, on a terminal only coloured.
    if form != "table":
        return table(columns, runs, form, is_marked=is_best)
    return table(columns, runs, form, style)


def _counts(rows: Sequence[Record], counts: str) -> list[Column]:
    if counts == "none":
        return []
    # Values that were loaded rest on no judgments; how many queries have one varies.
    loaded = dict.fromkeys(
        row["measure"] for row in rows if family(row["measure"]).is_loaded
    )
    having = [Column("n", f"with {name}", "count", name) for name in loaded]
    # Which measure has a depth is the same for all runs.
    rows = [row for row in rows if row["measure"] not in loaded]
    depths = {row["judged_depth"]: row["measure"] for row in rows}
    judged = [
        Column("judged_at_k", f"judged@{depth}", "number", depths[depth])
        for depth in sorted(depths)
    ]
    if counts == "short":
        return [*ANSWERS[:1], *judged[:1], *having]
    in_catalogue = [
        replace(column, key="known_at_k", heading=f"known{column.heading[6:]}")
        for column in judged
        if any(row.get("known_at_k") is not None for row in rows)
    ]
    return [*(ANSWERS if rows else ()), *judged, *in_catalogue, *having]


def _extremes(run: Record, measures: Sequence[str], key: str) -> str:
    """Return the least and the greatest of the counts of measures."""
    counts = [run[of(m)][key] for m in measures if run[of(m)][key] is not None]
    if not counts:
        return ""
    return " to ".join(str(n) for n in dict.fromkeys([min(counts), max(counts)]))


def report_queries(answer: Answer, form: str) -> str:
    """Lay out a report query by query: queries down, measures across."""
    attributes = answer.scope.by
    # There may be millions of rows: no dictionary for each.
    names = ["dataset", "judgment_set", "run", "query_id", *attributes]
    selected = ", ".join(map(sql_name, [*names, "measure", "value"]))
    rows = answer.rows.relation.project(selected).fetchall()
    measures = list(dict.fromkeys(row[-2] for row in rows))
    write = {m: plain if is_count(m) else shown for m in measures}
    by_query: dict[tuple[str | None, ...], dict[str, str]] = {}
    for *key, measure, value in rows:
        by_query.setdefault(tuple(key), {})[measure] = write[measure](value)
    sides = dict(zip(names, zip(*by_query, strict=True), strict=True))
    judged = {key[:2] for key in by_query}
    leading = {"run": "run", "query": "query_id", **{name: name for name in attributes}}
    head = ""
    if len(judged) > 1:
        leading = {"dataset": "dataset", **leading}
    else:
        [(dataset, judgment_set)] = judged
        head = title(slice_name(dataset), slice_name(judgment_set), form)
    columns = [
        Cells(heading, [*map(slice_name, sides[name])], is_common=True)
        for heading, name in leading.items()
    ]
    for measure in measures:
        texts = [values.get(measure, "") for values in by_query.values()]
        columns.append(Cells(measure, texts, is_right=True))
    return head + grid(columns, form)


def replicates(answer: Answer, form: str) -> str:
    """Lay out systems: a table for each dataset, a row for each measure of a system.

    With attributes of queries, every slice has such rows. counts in about says how
    many columns tell what the values are based on.
    """
    counts = {"none": (), "short": ANSWERS[:1]}
    columns = [
        *slices(answer.scope.by),
        Column("system", "system", "name"),
        replace(MEASURE, is_common=True),
        # Counts of replicates are whole numbers, but not their means.
        Column("value", "mean", "average"),
        Column("deviation", "deviation"),
        Column("least", "least", "value"),
        Column("greatest", "greatest", "value"),
        Column("replicates", "replicates", "count", is_common=True),
        *common(counts.get(_counts_shown(answer, form), ANSWERS)),
    ]
    return _by_dataset(
        answer, form, lambda rows: table(columns, [*map(with_queries, rows)], form)
    )


def leaderboard(answer: Answer, form: str) -> str:
    """Lay out a leaderboard: a table for each dataset, runs down, measures across."""
    rows, by = answer.rows.records, answer.scope.by
    testing: Testing = answer.about["testing"]
    drawn = _by_dataset(
        answer,
        form,
        lambda rows: _leaderboard(rows, form, by, testing) + below(notes(rows), form),
    )
    # What letters and signs mean is the same for all datasets.
    several = len({(row["dataset"], row["judgment_set"]) for row in rows}) > 1
    return drawn + "\n" * several + below(_legend(rows, testing, form), form)


def _leaderboard(
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
    columns += common(counts(rows[0]), len(sheet) > 1)

    def is_best(column: Column, run: Record) -> bool:
        return column.kind == "mean" and column.part(run)["is_best"]

    return table(columns, sheet, form, is_marked=is_best)


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


def notes(rows: Iterable[Record]) -> list[str]:
    """Return each note once, after the measures that it is about."""
    about: dict[str, dict[str, None]] = {}
    for row in rows:
        if row["note"]:
            about.setdefault(row["note"], {})[row["measure"]] = None
    return [f"{', '.join(measures)}: {note}" for note, measures in about.items()]
