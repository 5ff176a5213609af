"""The verdict of a gate, for people, CI servers and GitHub."""

import re
from collections.abc import Generator, Sequence
from datetime import datetime, timezone
from functools import partial
from typing import TYPE_CHECKING

from ndcg_sql.comparison.answers import Answer, Part, Record, part_of
from ndcg_sql.comparison.significance import NOT_PROVEN
from ndcg_sql.output.columns import (
    Block,
    Column,
    Document,
    columns_of,
    signs,
    slice_name,
    table,
    title,
)
from ndcg_sql.output.comparison_tables import queries
from ndcg_sql.output.layout import Style
from ndcg_sql.output.templates import template
from ndcg_sql.text import harmless

if TYPE_CHECKING:
    from ndcg_sql.comparison.significance import Verdict

_STYLES = {
    "pass": "better",
    NOT_PROVEN: "better",
    "fail": "worse",
    "underpowered": "warning",
}


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
    return f"{row['rule']} of {_about(row)}"


def _about(row: Record) -> str:
    part = part_of(row)
    return row["measure"] if part[0] is None else f"{row['measure']}, {_slice(part)}"


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
