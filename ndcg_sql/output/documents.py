"""Answers drawn for people: by which layout, and in which format."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from ndcg_sql.comparison.answers import Answer
from ndcg_sql.output import (
    comparison_tables,
    explanations,
    gate_results,
    hypertext,
    judgment_sets,
    latex,
    layout,
    records,
    tables,
)
from ndcg_sql.output.columns import Block, Document, Verbatim
from ndcg_sql.output.layout import Cells, Screen
from ndcg_sql.text import counted, harmless

# By the name of the answer; what is not listed is laid out as it is.
_LAYOUTS: Mapping[str, Callable[[Answer, str], Document]] = {
    "agreement": judgment_sets.agreement,
    "changes": records.numbers,
    "comparison": comparison_tables.compare,
    "comparison by query": comparison_tables.compare_queries,
    "gate": gate_results.table,
    "judgment set": judgment_sets.description,
    "leaderboard": tables.leaderboard,
    "orders": judgment_sets.orders,
    "moves": explanations.moves,
    "plan": records.plan,
    "positions": explanations.positions,
    "query": records.numbers,
    "replicates": tables.replicates,
    "run": records.fields,
    "schema": records.schema,
    "terms": explanations.terms,
    "unjudged documents": records.numbers,
    "values": tables.report,
    "values by query": tables.report_queries,
}
# What is Markdown for a terminal, too.
_FORMS = {"schema": "markdown"}


@dataclass(frozen=True)
class _Format:
    """How a format writes text, a line beside a table, a table, and marked cells."""

    escaped: Callable[[str], str]
    line: Callable[[str, Screen], str]
    table: Callable[[Sequence[Cells], Screen], str]
    bold: str
    raised: str = "<sup>a</sup>"


_FORMATS = {
    "table": _Format(harmless, layout.folded, layout.on_terminal, "{}*"),
    "markdown": _Format(
        layout.escaped_markdown,
        lambda text, _: layout.escaped_markdown(text),
        lambda columns, _: layout.markdown(columns),
        "**{}**",
    ),
    "latex": _Format(
        latex.escaped,
        lambda text, _: f"% {harmless(text)}",
        lambda columns, _: latex.tabular(columns),
        "\\textbf{{{}}}",
        "\\textsuperscript{a}",
    ),
    "html": _Format(
        hypertext.escaped,
        lambda text, _: hypertext.paragraph(text),
        lambda columns, _: hypertext.table(columns),
        "<strong>{}</strong>",
    ),
}


def laid_out(answer: Answer, form: str, screen: Screen) -> str:
    """Return an answer as a table, as Markdown, as LaTeX or as HTML."""
    if form != "html":
        form = _FORMS.get(answer.name, form)
    layout_of = _LAYOUTS.get(answer.name, records.rows_as_they_are)
    return drawn(layout_of(answer, form), form, screen)


def drawn(document: Document, form: str, screen: Screen) -> str:
    """Return parts of tables and lines in a format, a blank line between parts."""
    # Markdown recognises tables and paragraphs only after a blank line.
    between = "\n" if form == "markdown" else ""
    parts = [[_block(block, form, screen) for block in part] for part in document]
    return "\n".join(between.join(part) for part in parts if part)


def escaped(text: str, form: str) -> str:
    """Return text with the special characters of the format escaped."""
    return _FORMATS[form].escaped(text)


def _block(block: Block, form: str, screen: Screen) -> str:
    if isinstance(block, Verbatim):
        return block.text
    if isinstance(block, str):
        return _FORMATS[form].line(block, screen) + "\n"
    rows = len(block[0].cells) if block else 0
    if not screen.most or rows <= screen.most:
        return _FORMATS[form].table(
            [_written(column, form) for column in block], screen
        )
    first = [
        replace(
            column,
            cells=column.cells[: screen.most],
            # What the rows that are shown have in common may differ in the others.
            is_common=column.is_common and len({*column.cells}) < 2,
        )
        for column in block
    ]
    more = f"… and {counted(rows - screen.most, 'more row')}"
    return _block(first, form, screen) + _block(more, form, screen)


def _written(column: Cells, form: str) -> Cells:
    """Return a column with its text escaped, and marks in its cells."""
    face, cells = _FORMATS[form], column.cells
    # Most columns of a long table have nothing to escape.
    joined = " ".join(cells)
    if face.escaped(joined) != joined:
        cells = [face.escaped(cell) for cell in cells]
    bold = {*column.marked}
    if form != "table":
        bold |= {row for row, style in column.styles.items() if style == "best"}
    if bold or column.raised:
        # Digits stay aligned: unmarked cells of a marked column get a blank.
        other = "{} " if form == "table" and bold else "{}"
        cells = [
            (face.bold if row in bold else other).format(cell)
            + (face.raised if row in column.raised else "")
            for row, cell in enumerate(cells)
        ]
    return replace(column, heading=face.escaped(column.heading), cells=cells)
