"""The verdict of a gate, for people, CI servers and GitHub."""

import re
from collections.abc import Generator, Sequence
from datetime import datetime, timezone
from functools import partial
from typing import TYPE_CHECKING

from ndcg_sql.comparison.answers import Answer, Part, Record, part_of
from ndcg_sql.comparison.significance import NOT_PROVEN
from ndcg_sql.output.columns import (
    MEASURE,
    Block,
    Column,
    Document,
    common,
    signs,
    slice_name,
    title,
)
from ndcg_sql.output.columns import table as laid_out
from ndcg_sql.output.comparison_tables import QUERIES, VALUES, queries
from ndcg_sql.output.layout import Style
from ndcg_sql.output.templates import template
from ndcg_sql.text import harmless

if TYPE_CHECKING:
    from ndcg_sql.comparison.significance import Verdict

COLUMNS = (
    Column("outcome", "outcome", "outcome"),
    *common([MEASURE]),
    Column("part", "slice", "name"),
    *common([QUERIES]),
    *VALUES,
    Column("p", "p adjusted", "chance"),
    Column("reason", "why", "text"),
)
_STYLES = {
    "pass": "better",
    NOT_PROVEN: "better",
    "fail": "worse",
    "underpowered": "warning",
}


def _style(column: Column, row: Record) -> Style | None:
    return Style(_STYLES[row["outcome"]]) if column.key == "outcome" else None


def table(answer: Answer, form: str) -> Document:
    """Lay out the outcome of every rule, and the greatest losses where one failed."""
    rows = answer.rows.records
    verdict: Verdict = answer.about["verdict"]
    first = rows[0]
    runs = f"{first['judgment_set']}, baseline {first['baseline']}"
    head = title(first["dataset"], f"{runs}, candidate {first['candidate']}")
    sliced = any(row["attribute"] for row in rows)
    columns = [c for c in COLUMNS if sliced or c.key != "part"]
    reasons: list[str] = []
    if form == "table":
        # Below a table of a terminal, the reasons follow as text.
        columns.pop()
        for row in rows:
            about = _about(row["measure"], part_of(row))
            reasons.append(f"{about}: {row['reason']}")
    whole: list[Block] = [head, laid_out(columns, with_slices(rows), _style)]
    document: Document = [[*whole, *reasons, *answer.about.get("covers", ())]]
    for (measure, part), losses in verdict.losses.items():
        if losses:
            line = f"{_about(measure, part)}: the queries that lost most"
            named = [{**row, "measure": measure} for row in losses]
            document.append([line, queries(named, [], signs(answer.about))])
    return document


def with_slices(rows: Sequence[Record]) -> list[Record]:
    """Return rules with the names of their slices, as COLUMNS shows them."""
    return [{**row, "part": _slice(part_of(row))} for row in rows]


def junit(verdict: "Verdict") -> bytes:
    """Return the verdict as JUnit XML: a test case for each rule.

    An underpowered rule that passes is a skipped test case, with the reason; a pass
    that is not proven is a passed one that says so.
    """
    text: str = template("gate.xml", _xml).render(
        rows=verdict.rows,
        losses=partial(_losses, verdict),
        rule=_rule,
        not_proven=NOT_PROVEN,
        now=datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S"),
    )
    return text.encode()


def annotations(verdict: "Verdict") -> Generator[str]:
    """Give the workflow commands that make GitHub show the rules that did not pass."""
    for row in verdict.rows:
        if row["outcome"] not in ("pass", NOT_PROVEN):
            kind = "error" if row["fails"] else "warning"
            state = "failed" if row["outcome"] == "fail" else row["outcome"]
            heading = _command(f"gate {state}: {_rule(row)}", more=":,")
            lines = [row["reason"], *_losses(verdict, row)]
            yield f"::{kind} title={heading}::{_command(*lines)}"


def _rule(row: Record) -> str:
    return f"{row['rule']} of {_about(row['measure'], part_of(row))}"


def _about(measure: str, part: Part) -> str:
    return measure if part[0] is None else f"{measure}, {_slice(part)}"


def _slice(part: Part) -> str:
    attribute, value = part
    return "all queries" if attribute is None else f"{attribute} {slice_name(value)}"


def _losses(verdict: "Verdict", rule: Record) -> list[str]:
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
