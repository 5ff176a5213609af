"""Tables of comparisons of runs, for people to read."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from ndcg_sql.comparison.answers import Answer, Record
from ndcg_sql.comparison.significance import Testing
from ndcg_sql.output.columns import (
    CHANGE,
    MEASURE,
    RUN,
    Block,
    Column,
    Document,
    best,
    common,
    mark,
    of,
    shown_in,
    signs,
    slices,
    table,
    title,
)
from ndcg_sql.output.layout import Cells, Style
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
# Gives 1 for measures of which a higher value is better, and -1 for others.
Signs = Callable[[str | None], int]


def differences(testing: Testing) -> list[Column]:
    """Return the columns of values, differences and what decides about them."""
    weighted = Column("weighted_difference", "weighted", "difference", only="pages")
    return [
        *VALUES,
        Column("relative_difference", "relative", "share", only="tables"),
        replace(weighted, if_any=True),
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


def style_of(row: Record, sign: Signs, is_marked: bool = False) -> Style:
    """Return how a difference is coloured: better, worse or the same."""
    side = (row["difference"] or 0) * sign(row.get("measure"))
    return Style("better" if side > 0 else "worse" if side < 0 else "same", is_marked)


def compare(answer: Answer, form: str) -> Document:
    """Lay out a comparison: candidates, slices and measures down.

    First come the differences, then the further statistics if about has all, and
    finally the queries that lost and won most by the first measure. Markdown and LaTeX
    begin with the values alone, and LaTeX has nothing else.
    """
    rows, by = answer.rows.records, answer.scope.by
    testing, sign = answer.about["testing"], signs(answer.about)
    covers = answer.about.get("covers", ())
    in_short: list[Block] = []
    if form in ("markdown", "latex") and _has_one_baseline(rows, by):
        in_short = _systems(rows, testing, by, sign)
        if form == "latex":
            return [[_title(rows[0]), *in_short, *covers]]
    differing = _differences(rows, form, testing, by, sign)
    document: Document = [[_title(rows[0]), *in_short], [*differing, *covers]]
    if not in_short:
        document = [[*document[0], *document[1]]]
    if answer.about["statistics"] == "all":
        leading = common([CANDIDATE, *slices(by), MEASURE])
        columns = [*leading, *shown_in("tables", tests(testing), rows)]
        legends = [LEGENDS[c.key] for c in columns if c.key in LEGENDS]
        document.append([table(columns, rows), *legends])
    if changes := answer.about.get("changes"):
        measure = answer.about["measure"]
        named = [{**row, "measure": measure} for row in changes]
        line = f"{measure}: the queries that lost and won most"
        document.append([line, queries(named, [], sign)])
    return document


def compare_queries(answer: Answer, _: str) -> Document:
    """Lay out a comparison query by query."""
    rows = answer.rows.records
    more = ["measure", *answer.scope.by]
    return [[_title(rows[0]), queries(rows, more, signs(answer.about))]]


def _title(row: Record) -> str:
    return title(row["dataset"], f"{row['judgment_set']}, baseline {row['baseline']}")


def _differences(
    rows: Sequence[Record], form: str, testing: Testing, by: Sequence[str], sign: Signs
) -> list[Block]:
    leading = common([CANDIDATE, *slices(by), MEASURE, QUERIES])
    columns = [*leading, *shown_in("tables", differences(testing), rows)]

    def style(column: Column, row: Record) -> Style | None:
        if column not in (CHANGE, _CHANCE) or not testing.is_sure(row["p_adjusted"]):
            return None
        return style_of(row, sign, column == _CHANCE)

    drawn = table(columns, rows, style)
    if all(row["p_adjusted"] is None for row in rows):
        return [drawn]
    how = f"{testing.test}, adjusted by {testing.correct}"
    if testing.correct in ("none", "tukey"):
        how = testing.test if testing.correct == "none" else "tukey"
    small = f"p ({how}) below {testing.alpha:g}"
    sure = any(testing.is_sure(row["p_adjusted"]) for row in rows)
    line = f"{mark(form)} significant: {small}"
    line = line if sure else f"not significant: no {small}"
    # Tukey's test corrects for runs, not for measures and slices.
    among = counted(rows[0]["comparisons"], "comparison")
    line += ", by measure and slice" if testing.correct == "tukey" else f" in {among}"
    return [drawn, line]


def _systems(
    rows: Sequence[Record], testing: Testing, by: Sequence[str], sign: Signs
) -> list[Block]:
    """Lay out values as papers print them: systems down, measures across.

    The best values are bold, and a letter marks those that differ significantly
    from the baseline, by a correction within each column.
    """
    measures = list(dict.fromkeys(row["measure"] for row in rows))
    # One slice below the other, each in the order of the comparison.
    parts: dict[tuple[str, ...], dict[tuple[str, str], Record]] = {}
    for measure in measures:
        group = [row for row in rows if row["measure"] == measure]
        for row, p in zip(group, _corrected(group, testing), strict=True):
            part = parts.setdefault(tuple(row[name] for name in by), {})
            for side in ("baseline", "candidate"):
                system = part.setdefault((side, row[side]), {**row, "run": row[side]})
                system[of("side")] = side
                system[of(measure)] = {
                    "measure": measure,
                    "value": row[f"{side}_value"],
                    "is_sure": side == "candidate" and testing.is_sure(p),
                }
    groups = [[*part.values()] for part in parts.values()]
    nothing = {"value": None, "is_sure": False}
    for group in groups:
        for measure in measures:
            for system in group:
                system.setdefault(of(measure), {"measure": measure, **nothing})
            values = [system[of(measure)]["value"] for system in group]
            for place in best(values, sign(measure)):
                group[place][of(measure)]["is_best"] = True
    systems = [system for group in groups for system in group]
    any_sure = any(system[of(m)]["is_sure"] for system in systems for m in measures)

    def style(column: Column, system: Record) -> Style | None:
        # The baseline has the letter.
        if column == RUN:
            is_raised = any_sure and system[of("side")] == "baseline"
            return Style(is_raised=True) if is_raised else None
        if not column.measure:
            return None
        part = column.part(system)
        return Style("best" if part.get("is_best") else "same", False, part["is_sure"])

    columns = [*slices(by), RUN]
    columns += [Column("value", measure, "value", measure) for measure in measures]
    drawn = table(columns, systems, style)
    if not any_sure:
        return [drawn]
    how = "" if testing.correct == "none" else f" ({testing.correct} within a column)"
    if testing.correct == "tukey":
        how = " (tukey)"
    line = f"a: differs significantly from {rows[0]['baseline']}, p{how} below"
    return [drawn, f"{line} {testing.alpha:g}"]


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


def queries(rows: Sequence[Record], more: Sequence[str], sign: Signs) -> list[Cells]:
    """Lay out values of queries, with their texts if any is known."""
    leading = common([CANDIDATE, *slices(more)], len(rows) > 1)
    query, text = Column("query_id", "query", "name"), Column("text", "text", "text")
    columns = [*leading, query, *VALUES, replace(text, if_any=True)]

    def style(column: Column, row: Record) -> Style | None:
        return style_of(row, sign) if column == CHANGE else None

    return table(shown_in("tables", columns, rows), rows, style)
