"""Answers drawn for people: by which layout, and in which format."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape

from ndcg_sql.comparison.answers import Answer
from ndcg_sql.output import comparison_tables, explanations, layout, records, tables
from ndcg_sql.output.columns import Block, Document, Verbatim
from ndcg_sql.output.layout import Cells, Screen, Style
from ndcg_sql.text import counted, harmless

# By the name of the answer; what is not listed is laid out as it is.
_LAYOUTS: Mapping[str, Callable[[Answer, str], Document]] = {
    "agreement": records.agreement,
    "changes": records.numbers,
    "comparison": comparison_tables.compare,
    "comparison by query": comparison_tables.compare_queries,
    "gate": comparison_tables.rules,
    "judgment set": records.description,
    "leaderboard": tables.leaderboard,
    "orders": records.orders,
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
# The special characters of LaTeX. A bracket or star that begins a row would belong
# to the command that ends the row above.
_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        '"': r"\char34{}",
        **{letter: "\\" + letter for letter in "&%$#_{}"},
        **{letter: f"{{{letter}}}" for letter in "[]*"},
    }
)
# How cells of HTML look; a notebook has no style sheet of ours.
_STYLES = {
    "best": "font-weight: bold",
    "better": "color: #0067a3",
    "worse": "color: #b84a00",
}
# Cells of so many characters are no longer a name, a number, an interval or a time.
_LONG = 24


def _markdown(text: str) -> str:
    """Return text that Markdown shows as it is."""
    # An underscore inside a word does not mark emphasis.
    marks = r"[\\|`*<>\[\]]|(?<![^\W_])_|_(?![^\W_])"
    return harmless(re.sub(marks, r"\\\g<0>", text))


def _markdown_table(columns: Sequence[Cells], _: Screen) -> str:
    head, *rows = (f"| {' | '.join(row)} |" for row in layout.padded(columns))
    rules = ["-" * (c.width + 1) + (":" if c.is_right else "-") for c in columns]
    return "\n".join([head, f"|{'|'.join(rules)}|", *rows]) + "\n"


def _latex(text: str) -> str:
    """Return text that LaTeX prints as it is."""
    text = harmless(text).translate(_LATEX)
    # An empty group keeps two dashes or quotes from becoming one character.
    return re.sub(r"([-'`,?!])(?=[-'`,])", r"\1{}", text)


def _latex_table(columns: Sequence[Cells], _: Screen) -> str:
    letters = "".join("r" if column.is_right else "l" for column in columns)
    sheet = [[column.heading, *column.cells] for column in columns]
    head, *body = (" & ".join(row) + r" \\" for row in zip(*sheet, strict=True))
    begin = rf"\begin{{tabular}}{{{letters}}}", r"\toprule", head, r"\midrule"
    lines = [r"% needs \usepackage{booktabs}", *begin, *body]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])


def _html(text: str) -> str:
    """Return text that HTML shows as it is."""
    return escape(harmless(text))


def _html_table(columns: Sequence[Cells], _: Screen) -> str:
    heads: list[str] = []
    sides: list[list[str]] = []
    for column in columns:
        side = f"text-align: {'right' if column.is_right else 'left'}"
        heads.append(f'<th scope="col" style="{side}">{column.heading}</th>')
        # Long text may have several lines.
        wrapping = "" if column.content > _LONG else "white-space: nowrap"
        sides.append([])
        for row, cell in enumerate(column.cells):
            colour = _STYLES.get(column.styles.get(row, Style()).name, "")
            looks = "; ".join(filter(None, [side, wrapping, colour]))
            sides[-1].append(f'<td style="{looks}"><bdi>{cell}</bdi></td>')
    rows = ["".join(row) for row in zip(*sides, strict=True)]
    body = "\n".join(f"<tr>{row}</tr>" for row in rows)
    return (
        f"<table>\n<thead><tr>{''.join(heads)}</tr></thead>\n"
        f"<tbody>\n{body}\n</tbody>\n</table>\n"
    )


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
        _markdown, lambda text, _: _markdown(text), _markdown_table, "**{}**"
    ),
    "latex": _Format(
        _latex,
        lambda text, _: f"% {harmless(text)}",
        _latex_table,
        "\\textbf{{{}}}",
        "\\textsuperscript{a}",
    ),
    "html": _Format(
        _html,
        lambda text, _: f"<p>{_html(text)}</p>",
        _html_table,
        "<strong>{}</strong>",
    ),
}


def laid_out(answer: Answer, form: str, screen: Screen) -> str:
    """Return an answer as a table, as Markdown, as LaTeX or as HTML."""
    if form != "html":
        form = _FORMS.get(answer.name, form)
    layout_of = _LAYOUTS.get(answer.name, records.rows_as_they_are)
    return drawn(layout_of(answer, form), form, screen)


def floated(latex: str, caption: str | None, label: str | None) -> str:
    """Return LaTeX as a float with a caption, which is plain text, and a label."""
    if caption is None and label is None:
        return latex
    named = [] if caption is None else [rf"\caption{{{_latex(caption)}}}"]
    named += [] if label is None else [rf"\label{{{label}}}"]
    lines = [r"\begin{table}", r"\centering", *named, latex + r"\end{table}"]
    return "\n".join(lines) + "\n"


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
        return block.html if form == "html" else block.text
    face = _FORMATS[form]
    if isinstance(block, str):
        return face.line(block, screen) + "\n"
    rows, most = len(block[0].cells) if block else 0, screen.most
    if not most or rows <= most:
        return face.table([_written(column, form) for column in block], screen)
    first = [
        replace(
            column,
            cells=column.cells[:most],
            # What the rows that are shown have in common may differ in the others.
            is_common=column.is_common and len({*column.cells}) < 2,
            styles={r: s for r, s in column.styles.items() if r < most},
        )
        for column in block
    ]
    more = f"… and {counted(rows - most, 'more row')}"
    return _block(first, form, screen) + _block(more, form, screen)


def _written(column: Cells, form: str) -> Cells:
    """Return a column with its text escaped, and marks in its cells."""
    face, cells = _FORMATS[form], column.cells
    # Most columns of a long table have nothing to escape.
    joined = " ".join(cells)
    if face.escaped(joined) != joined:
        cells = [face.escaped(cell) for cell in cells]
    bold: set[int] = set()
    raised: set[int] = set()
    for row, style in column.styles.items():
        if style.is_marked or (form != "table" and style.name == "best"):
            bold.add(row)
        if style.is_raised:
            raised.add(row)
    if bold or raised:
        # Digits stay aligned: unmarked cells of a marked column get a blank.
        other = "{} " if form == "table" and bold else "{}"
        cells = [
            (face.bold if row in bold else other).format(cell)
            + (face.raised if row in raised else "")
            for row, cell in enumerate(cells)
        ]
    return replace(column, heading=face.escaped(column.heading), cells=cells)
