"""Tables of comparisons of runs, for people to read."""

from collections.abc import Sequence

from ndcg_sql.comparison.answers import Answer, Record
from ndcg_sql.comparison.significance import Testing
from ndcg_sql.output.columns import (
    CHANGE,
    MEASURE,
    Column,
    highest_is_best,
    measured,
    shown_in,
    slice_name,
    slices,
    style_of,
    table,
)
from ndcg_sql.output.grids import Shape, below, grid, prose
from ndcg_sql.output.tables import title
from ndcg_sql.text import counted

CANDIDATE = Column("candidate", "candidate", "run")
QUERIES = Column("n", "queries", "count")
VALUES = (
    Column("baseline_value", "baseline", "value"),
    Column("candidate_value", "value", "value"),
    CHANGE,
)
OUTCOMES = tuple(Column(key, key, "count") for key in ("wins", "ties", "losses"))


def differences(testing: Testing) -> list[Column]:
    """Return the columns of values, differences and what decides about them."""
    return [
        *VALUES,
        Column("relative_difference", "relative", "share", only="tables"),
        Column(
            "weighted_difference", "weighted", "difference", only="pages", if_any=True
        ),
        Column("difference", f"{testing.confidence} interval", "interval"),
        Column("p_adjusted", "p", "chance"),
        Column("wins", "won/tied/lost", "outcomes", only="tables"),
        Column("note", "note", "text", only="tables", if_any=True),
    ]


def tests(testing: Testing) -> list[Column]:
    """Return the columns of further statistics, of which a page shows only some."""
    chances = ["p_t", "p_randomization", "p_bootstrap"]
    chances += ["p_wilcoxon"] * (testing.test == "wilcoxon")
    return [
        *(Column(p, p.replace("_", " "), "chance", only="tables") for p in chances),
        Column("effect_size", "effect", "number"),
        Column("detectable_difference", "detectable", "number", only="tables"),
    ]


# What the headings of further statistics mean.
LEGENDS = {
    "effect_size": "effect: mean difference / standard deviation of the differences",
    "detectable_difference": "detectable: the difference that a test finds in 80 % of"
    " cases with this many queries, before any correction",
}


def compare(answer: Answer, form: str) -> str:
    """Lay out a comparison: candidates, slices and measures down.

    First come the differences, then the further statistics if about has all, and
    finally the queries that lost and won most by the first measure. Markdown and LaTeX
    begin with the values alone, and LaTeX has nothing else.
    """
    rows, by = answer.rows.records, answer.scope.by
    testing: Testing = answer.about["testing"]
    if form == "latex" and _has_one_baseline(rows, by):
        table = _title(rows[0], form) + _systems(rows, form, testing, by)
        return table + covered(answer, form)
    in_short = form == "markdown" and _has_one_baseline(rows, by)
    parts = [
        _title(rows[0], form)
        + (f"{_systems(rows, form, testing, by)}\n" if in_short else "")
        + _differences(rows, form, testing, by)
        + covered(answer, form),
        _tests(rows, form, testing, by) if answer.about["statistics"] == "all" else "",
        _changes(answer, form),
    ]
    return "\n".join(part for part in parts if part)


def covered(answer: Answer, form: str) -> str:
    """Return what means over replicates and their intervals cover, if there are any."""
    return below(answer.about.get("covers", ()), form)


def compare_queries(answer: Answer, form: str) -> str:
    """Lay out a comparison query by query."""
    rows = answer.rows.records
    return _title(rows[0], form) + queries(rows, form, ["measure", *answer.scope.by])


def _title(row: Record, form: str) -> str:
    judged = f"{row['judgment_set']}, baseline {row['baseline']}"
    return title(row["dataset"], judged, form)


def _differences(
    rows: Sequence[Record], form: str, testing: Testing, by: Sequence[str]
) -> str:
    leading = [CANDIDATE, *slices(by), MEASURE]
    columns = [*leading, QUERIES, *shown_in("tables", differences(testing), rows)]
    keys = [column.key for column in columns]
    changed, adjusted, won = map(keys.index, ("difference", "p_adjusted", "wins"))
    sure = [r for r, row in enumerate(rows) if testing.is_sure(row["p_adjusted"])]
    marked = {(r, adjusted) for r in sure}
    styles = {(r, c): style_of(rows[r]) for r in sure for c in (changed, adjusted)}
    shape = Shape(common={*range(len(leading) + 1), won})
    drawn = table(columns, rows, form, shape, marked, styles)
    if all(row["p_adjusted"] is None for row in rows):
        return drawn
    how = f"{testing.test}, adjusted by {testing.correct}"
    if testing.correct in ("none", "tukey"):
        how = testing.test if testing.correct == "none" else "tukey"
    mark = "*" if form == "table" else "bold:"
    small = f"p ({how}) below {testing.alpha:g}"
    line = f"{mark} significant: {small}" if marked else f"not significant: no {small}"
    # Tukey's test corrects for runs, not for measures and slices.
    among = counted(rows[0]["comparisons"], "comparison")
    line += ", by measure and slice" if testing.correct == "tukey" else f" in {among}"
    blank = "" if form == "table" else "\n"
    return f"{drawn}{blank}{prose(line, form)}\n"


def _systems(
    rows: Sequence[Record], form: str, testing: Testing, by: Sequence[str]
) -> str:
    """Lay out values as papers print them: systems down, measures across.

    The best values are bold, and a letter marks those that differ significantly
    from the baseline, by a correction within each column.
    """
    measures = list(dict.fromkeys(row["measure"] for row in rows))
    texts: dict[tuple[str, ...], dict[str, str]] = {}
    values: dict[tuple[str, ...], dict[str, float | None]] = {}
    raised: set[tuple[tuple[str, ...], str]] = set()
    for measure in measures:
        group = [row for row in rows if row["measure"] == measure]
        for row, p in zip(group, _corrected(group, testing), strict=True):
            part = tuple(slice_name(row[column]) for column in by)
            for name, letter in (("baseline", "a"), ("candidate", "")):
                key, value = (*part, letter, row[name]), row[f"{name}_value"]
                texts.setdefault(key, {})[measure] = measured(value, measure)
                values.setdefault(key, {})[measure] = value
            if testing.is_sure(p):
                raised.add(((*part, "", row["candidate"]), measure))
    # One slice below the other, each in the order of the comparison.
    parts = list(dict.fromkeys(key[:-2] for key in texts))
    keys = sorted(texts, key=lambda key: parts.index(key[:-2]))
    places = {m: c for c, m in enumerate(measures, start=len(by) + 1)}
    best = {
        (r, places[measure])
        for r, key in enumerate(keys)
        for measure in measures
        if highest_is_best(measure) and _is_best(key, measure, values, len(by))
    }
    letters = {(keys.index(key), places[measure]) for key, measure in raised}
    # The baseline has the letter.
    letters |= {(r, len(by)) for r, key in enumerate(keys) if raised and key[-2] == "a"}
    cells = [
        [*key[:-2], key[-1], *(texts[key].get(measure, "") for measure in measures)]
        for key in keys
    ]
    columns = [*by, "run", *measures]
    right = range(len(by) + 1, len(columns))
    drawn = grid(columns, cells, form, right, best, letters=letters)
    if not letters:
        return drawn
    how = "" if testing.correct == "none" else f" ({testing.correct} within a column)"
    if testing.correct == "tukey":
        how = " (tukey)"
    baseline = rows[0]["baseline"]
    line = f"a: differs significantly from {baseline}, p{how} below"
    blank = "" if form == "latex" else "\n"
    return f"{drawn}{blank}{prose(f'{line} {testing.alpha:g}', form)}\n"


def _has_one_baseline(rows: Sequence[Record], by: Sequence[str]) -> bool:
    """Return whether all candidates are compared with the same values.

    Measures that leave out queries may have others for each candidate.
    """
    baselines: dict[tuple[str, ...], set[float | None]] = {}
    for row in rows:
        key = (row["measure"], *(row[column] for column in by))
        baselines.setdefault(key, set()).add(row["baseline_value"])
    return all(len(values) == 1 for values in baselines.values())


def _corrected(rows: Sequence[Record], testing: Testing) -> list[float | None]:
    if testing.correct == "tukey":
        return [row["p_adjusted"] for row in rows]
    from ndcg_sql.comparison import statistics

    p_values = [row[f"p_{testing.test}"] for row in rows]
    return statistics.adjusted(p_values, testing.correct)


def _is_best(
    key: tuple[str, ...],
    measure: str,
    values: dict[tuple[str, ...], dict[str, float | None]],
    sliced: int,
) -> bool:
    rivals = [
        by_measure.get(measure)
        for other, by_measure in values.items()
        if other[:sliced] == key[:sliced]
    ]
    numbers = [value for value in rivals if value is not None]
    value = values[key].get(measure)
    return value is not None and value == max(numbers) and value != min(numbers)


def _tests(
    rows: Sequence[Record], form: str, testing: Testing, by: Sequence[str]
) -> str:
    leading = [CANDIDATE, *slices(by), MEASURE]
    columns = [*leading, *shown_in("tables", tests(testing), rows)]
    legends = [LEGENDS[c.key] for c in columns if c.key in LEGENDS]
    drawn = table(columns, rows, form, Shape(range(len(leading))))
    return drawn + below(legends, form)


def _changes(answer: Answer, form: str) -> str:
    measure = answer.about["measure"]
    rows = [{**row, "measure": measure} for row in answer.about.get("changes", ())]
    if not rows:
        return ""
    end = "\n" if form == "table" else "\n\n"
    line = f"{measure}: the queries that lost and won most"
    return prose(line, form) + end + queries(rows, form, [])


def queries(rows: Sequence[Record], form: str, more: Sequence[str]) -> str:
    """Lay out values of queries, with their texts if any is known."""
    leading = [CANDIDATE, *slices(more), Column("query_id", "query", "name")]
    text = Column("text", "text", "text", if_any=True)
    columns = shown_in("tables", [*leading, *VALUES, text], rows)
    changed = columns.index(CHANGE)
    styles = {(r, changed): style_of(row) for r, row in enumerate(rows)}
    common = range(len(leading) - 1) if len(rows) > 1 else ()
    return table(columns, rows, form, Shape(common), styles=styles)
