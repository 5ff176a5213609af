"""Comparisons of runs for people; verdicts of gates for CI servers and GitHub, too."""

import re
from collections.abc import Callable, Generator, Sequence
from datetime import datetime, timezone
from functools import partial

from ndcg_sql.comparison.answers import Answer, Part, Record, part_of
from ndcg_sql.comparison.significance import NOT_PROVEN, Testing, Verdict
from ndcg_sql.output.columns import (
    CANDIDATE,
    MEASURE,
    QUERIES,
    RUN,
    Block,
    Column,
    Document,
    by_run,
    columns_of,
    common,
    mark,
    mark_best,
    of,
    signs,
    slice_name,
    slices,
    table,
    title,
)
from ndcg_sql.output.layout import Cells, Style
from ndcg_sql.output.templates import template
from ndcg_sql.text import counted, harmless

# Gives 1 for measures of which a higher value is better, and -1 for others.
Signs = Callable[[str | None], int]
# What the headings of further statistics mean.
EFFECT = "effect: mean difference / standard deviation of the differences"
_DETECTABLE = (
    "detectable: the difference that a test finds in 80 % of cases with this many"
    " queries, before any correction"
)
_STYLES = {
    "pass": "better",
    NOT_PROVEN: "better",
    "fail": "worse",
    "underpowered": "warning",
}


def differences(testing: Testing) -> list[Column]:
    """Return the columns of values, differences and what decides about them."""
    about = {"confidence": testing.confidence}
    return [*columns_of("values"), *columns_of("differences", **about)]


def tests(testing: Testing) -> list[Column]:
    """Return the columns of further statistics, of which a page shows only some."""
    unused = () if testing.test == "wilcoxon" else ("p_wilcoxon",)
    return columns_of("tests", *unused)


def style_of(row: Record, sign: Signs, is_marked: bool = False) -> Style:
    """Return how a difference is coloured: better, worse or the same."""
    side = (row["difference"] or 0) * sign(row.get("measure"))
    return Style("better" if side > 0 else "worse" if side < 0 else "same", is_marked)


def changes(sign: Signs) -> Callable[[Column, Record], Style | None]:
    """Return what colours the differences of a table."""
    return lambda column, row: style_of(row, sign) if column.is_change else None


def compare(answer: Answer, form: str) -> Document:
    """Lay out a comparison; Markdown and LaTeX begin with the values alone."""
    rows, by, about = answer.rows.records, answer.scope.by, answer.about
    testing, sign, covers = about["testing"], signs(about), about.get("covers", ())
    in_short: list[Block] = []
    if form in ("markdown", "latex") and _has_one_baseline(rows, by):
        in_short = _systems(rows, testing, by, sign)
        if form == "latex":
            return [[_title(rows[0]), *in_short, *covers]]
    differing = [*_differences(rows, form, testing, by, sign), *covers]
    document: Document = [[_title(rows[0]), *in_short], differing]
    if not in_short:
        document = [[_title(rows[0]), *differing]]
    if about["statistics"] == "all":
        leading = common([CANDIDATE, *slices(by), MEASURE])
        document.append([table([*leading, *tests(testing)], rows), EFFECT, _DETECTABLE])
    if worst := about.get("changes"):
        line = f"{about['measure']}: the queries that lost and won most"
        named = [{**row, "measure": about["measure"]} for row in worst]
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
    def style(column: Column, row: Record) -> Style | None:
        is_p = column.key == "p_adjusted"
        is_styled = (is_p or column.is_change) and testing.is_sure(row["p_adjusted"])
        return style_of(row, sign, is_p) if is_styled else None

    leading = common([CANDIDATE, *slices(by), MEASURE, QUERIES])
    drawn = table([*leading, *differences(testing)], rows, style)
    if all(row["p_adjusted"] is None for row in rows):
        return [drawn]
    how = f"{testing.test}, adjusted by {testing.correct}"
    if testing.correct in ("none", "tukey"):
        how = testing.test if testing.correct == "none" else "tukey"
    line = f"p ({how}) below {testing.alpha:g}"
    is_sure = any(testing.is_sure(row["p_adjusted"]) for row in rows)
    leads = f"{mark(form)} significant:" if is_sure else "not significant: no"
    # Tukey's test corrects for runs, not for measures and slices.
    among = f" in {counted(rows[0]['comparisons'], 'comparison')}"
    among = ", by measure and slice" if testing.correct == "tukey" else among
    return [drawn, f"{leads} {line}{among}"]


def _systems(
    rows: Sequence[Record], testing: Testing, by: Sequence[str], sign: Signs
) -> list[Block]:
    """Lay out values as papers print them: systems down, measures across."""
    measures = list(dict.fromkeys(row["measure"] for row in rows))
    # One slice below the other, each in the order of the comparison.
    parts: dict[tuple[str, ...], list[Record]] = {}
    for measure in measures:
        group = [row for row in rows if row["measure"] == measure]
        for row, p in zip(group, _corrected(group, testing), strict=True):
            part = parts.setdefault(tuple(row[name] for name in by), [])
            for side in ("baseline", "candidate"):
                own = {
                    "run": row[side],
                    of("side"): side,
                    "value": row[f"{side}_value"],
                }
                is_sure = side == "candidate" and testing.is_sure(p)
                part.append({**row, **own, "is_sure": is_sure})
    values = [row for part in parts.values() for row in part]
    systems = by_run(values, [*by, of("side"), "run"])
    mark_best(systems, by, measures, sign)
    any_sure = any(system[of(m)]["is_sure"] for system in systems for m in measures)

    def style(column: Column, system: Record) -> Style | None:
        # The baseline has the letter.
        if column == RUN:
            return Style(is_raised=any_sure and system[of("side")] == "baseline")
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
    how = " (tukey)" if testing.correct == "tukey" else how
    line = f"a: differs significantly from {rows[0]['baseline']}, p{how} below"
    return [drawn, f"{line} {testing.alpha:g}"]


def _has_one_baseline(rows: Sequence[Record], by: Sequence[str]) -> bool:
    """Return whether all candidates are compared with the same values."""
    parts = {(row["measure"], *(row[name] for name in by)) for row in rows}
    values = {
        (row["measure"], *(row[name] for name in by), row["baseline_value"])
        for row in rows
    }
    return len(parts) == len(values)


def _corrected(rows: Sequence[Record], testing: Testing) -> list[float | None]:
    if testing.correct == "tukey":
        return [row["p_adjusted"] for row in rows]
    from ndcg_sql.comparison import statistics

    p_values = [row[f"p_{testing.test}"] for row in rows]
    return statistics.adjusted(p_values, testing.correct)


def queries(rows: Sequence[Record], more: Sequence[str], sign: Signs) -> list[Cells]:
    """Lay out values of queries, with their texts if any is known."""
    columns = [
        *common([CANDIDATE, *slices(more)], len(rows) > 1),
        Column("query_id", "query", "name"),
        *columns_of("values"),
        Column("text", "text", "text", if_any=True),
    ]
    return table(columns, rows, changes(sign))


def rules(answer: Answer, form: str) -> Document:
    """Lay out the outcome of every rule, and the greatest losses where one failed."""
    rows = answer.rows.records
    verdict: Verdict = answer.about["verdict"]
    first = rows[0]
    runs = f"{first['judgment_set']}, baseline {first['baseline']}"
    head = title(first["dataset"], f"{runs}, candidate {first['candidate']}")
    columns, reasons = rule_columns(), list[str]()
    if all(part_of(row)[0] is None for row in rows):
        columns = [column for column in columns if column.key != "part"]
    if form == "table":
        # Below a table of a terminal, the reasons follow as text.
        columns.pop()
        reasons = [f"{_about(row)}: {row['reason']}" for row in rows]

    def style(column: Column, row: Record) -> Style | None:
        return Style(_STYLES[row["outcome"]]) if column.key == "outcome" else None

    whole: list[Block] = [head, table(columns, with_slices(rows), style), *reasons]
    document: Document = [[*whole, *answer.about.get("covers", ())]]
    for (measure, part), losses in verdict.losses.items():
        if losses:
            about: Record = {"measure": measure, "attribute": part[0], "slice": part[1]}
            line = f"{_about(about)}: the queries that lost most"
            named = [{**row, "measure": measure} for row in losses]
            document.append([line, queries(named, [], signs(answer.about))])
    return document


def rule_columns() -> list[Column]:
    """Return the columns of rules with slices, as with_slices names them."""
    return [*columns_of("rules"), *columns_of("values"), *columns_of("decided")]


def with_slices(rows: Sequence[Record]) -> list[Record]:
    """Return rules with the names of their slices."""
    return [{**row, "part": _slice(part_of(row))} for row in rows]


def junit(verdict: Verdict) -> bytes:
    """Return the verdict as JUnit XML: a test case for each rule."""
    text: str = template("gate.xml", _xml).render(
        rows=verdict.rows,
        losses=partial(_losses, verdict),
        rule=_rule,
        not_proven=NOT_PROVEN,
        now=datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S"),
    )
    return text.encode()


def annotations(verdict: Verdict) -> Generator[str]:
    """Give the workflow commands that make GitHub show the rules that did not pass."""
    for row in verdict.rows:
        if row["outcome"] not in ("pass", NOT_PROVEN):
            kind = "error" if row["fails"] else "warning"
            state = "failed" if row["outcome"] == "fail" else row["outcome"]
            heading = _command(f"gate {state}: {_rule(row)}", more=":,")
            lines = [row["reason"], *_losses(verdict, row)]
            yield f"::{kind} title={heading}::{_command(*lines)}"


def _rule(row: Record) -> str:
    return f"{row['rule']} of {_about(row)}"


def _about(row: Record) -> str:
    part = part_of(row)
    return row["measure"] if part[0] is None else f"{row['measure']}, {_slice(part)}"


def _slice(part: Part) -> str:
    attribute, value = part
    return "all queries" if attribute is None else f"{attribute} {slice_name(value)}"


def _losses(verdict: Verdict, rule: Record) -> list[str]:
    losses = verdict.losses.get((rule["measure"], part_of(rule)), [])
    return [
        f"query {row['query_id']}: {row['baseline_value']:.4f} to"
        f" {row['candidate_value']:.4f}" + (f"  {row['text']}" if row["text"] else "")
        for row in losses
    ]


def _command(*lines: str, more: str = "") -> str:
    """Return lines for a workflow command, with special characters escaped."""
    text = "\n".join(map(harmless, lines))
    return re.sub(f"[%\n{more}]", lambda match: f"%{ord(match[0]):02X}", text)


def _xml(value: object) -> object:
    """Return what a template writes without the characters that XML cannot hold."""
    if type(value) is not str:
        return value
    return re.sub("[\ufffe\uffff]", "\N{REPLACEMENT CHARACTER}", harmless(value))
