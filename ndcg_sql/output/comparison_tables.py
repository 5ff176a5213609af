"""Tables of comparisons of runs, for people to read."""

from collections.abc import Sequence
from dataclasses import replace

from ndcg_sql.comparison.answers import Answer, Record
from ndcg_sql.comparison.significance import Testing
from ndcg_sql.output.columns import (
    CHANGE,
    MEASURE,
    Column,
    common,
    highest_is_best,
    measured,
    shown_in,
    slice_name,
    slices,
    style_of,
    table,
)
from ndcg_sql.output.grids import below, grid, prose, title
from ndcg_sql.output.layout import Cells
from ndcg_sql.text import counted

CANDIDATE = Column("candidate", "candidate", "run")
QUERIES = Column("n", "queries", "count")
VALUES = (
    Column("baseline_value", "baseline", "value"),
    Column("candidate_value", "value", "value"),
    CHANGE,
)
_CHANCE = Column("p_adjusted", "p", "chance")
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
        _CHANCE,
        Column("wins", "won/tied/lost", "outcomes", only="tables", is_common=True),
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
    leading = common([CANDIDATE, *slices(by), MEASURE, QUERIES])
    columns = [*leading, *shown_in("tables", differences(testing), rows)]

    def is_sure(column: Column, row: Record) -> bool:
        return column.key == "p_adjusted" and testing.is_sure(row["p_adjusted"])

    def style(column: Column, row: Record) -> str:
        is_tested = column in (CHANGE, _CHANCE) and testing.is_sure(row["p_adjusted"])
        return style_of(row) if is_tested else ""

    drawn = table(columns, rows, form, style, is_sure)
    if all(row["p_adjusted"] is None for row in rows):
        return drawn
    how = f"{testing.test}, adjusted by {testing.correct}"
    if testing.correct in ("none", "tukey"):
        how = testing.test if testing.correct == "none" else "tukey"
    mark = "*" if form == "table" else "bold:"
    small = f"p ({how}) below {testing.alpha:g}"
    sure = any(testing.is_sure(row["p_adjusted"]) for row in rows)
    line = f"{mark} significant: {small}" if sure else f"not significant: no {small}"
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
    letters = {m: {keys.index(key) for key, of in raised if of == m} for m in measures}
    # The baseline has the letter.
    named = {r for r, key in enumerate(keys) if raised and key[-2] == "a"}
    parts_of_keys = zip(*(key[:-2] for key in keys), strict=True) if by else ()
    columns = [
        *(Cells(name, texts) for name, texts in zip(by, parts_of_keys, strict=True)),
        Cells("run", [key[-1] for key in keys], raised=named),
    ]
    for measure in measures:
        best = {
            r
            for r, key in enumerate(keys)
            if highest_is_best(measure) and _is_best(key, measure, values, len(by))
        }
        columns.append(
            Cells(
                measure,
                [texts[key].get(measure, "") for key in keys],
                is_right=True,
                styles=dict.fromkeys(best, "best"),
                marked=best,
                raised=letters[measure],
            )
        )
    drawn = grid(columns, form)
    if not raised:
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
    leading = common([CANDIDATE, *slices(by), MEASURE])
    columns = [*leading, *shown_in("tables", tests(testing), rows)]
    legends = [LEGENDS[c.key] for c in columns if c.key in LEGENDS]
    return table(columns, rows, form) + below(legends, form)


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
    leading = common([CANDIDATE, *slices(more)], len(rows) > 1)
    query, text = Column("query_id", "query", "name"), Column("text", "text", "text")
    columns = [*leading, query, *VALUES, replace(text, if_any=True)]
    return table(
        shown_in("tables", columns, rows),
        rows,
        form,
        lambda column, row: style_of(row) if column == CHANGE else "",
    )
