"""Tables as LaTeX with the package booktabs."""

import re
from collections.abc import Sequence

from ndcg_sql.output.layout import Cells
from ndcg_sql.text import harmless

# The special characters of LaTeX. A bracket or star that begins a row would belong
# to the command that ends the row above.
_ESCAPES = str.maketrans(
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


def escaped(text: str) -> str:
    """Return text that LaTeX prints as it is."""
    text = harmless(text).translate(_ESCAPES)
    # An empty group keeps two dashes or quotes from becoming one character.
    return re.sub(r"([-'`,?!])(?=[-'`,])", r"\1{}", text)


def floated(content: str, caption: str | None, label: str | None) -> str:
    """Return tables as a float with a caption, which is plain text, and a label."""
    if caption is None and label is None:
        return content
    named = [] if caption is None else [rf"\caption{{{escaped(caption)}}}"]
    named += [] if label is None else [rf"\label{{{label}}}"]
    lines = [r"\begin{table}", r"\centering", *named, content + r"\end{table}"]
    return "\n".join(lines) + "\n"


def tabular(columns: Sequence[Cells]) -> str:
    """Return a table as LaTeX with the package booktabs."""
    letters = "".join("r" if column.is_right else "l" for column in columns)
    sheet = [[column.heading, *column.cells] for column in columns]
    head, *body = (" & ".join(row) + r" \\" for row in zip(*sheet, strict=True))
    begin = rf"\begin{{tabular}}{{{letters}}}", r"\toprule", head, r"\midrule"
    lines = [r"% needs \usepackage{booktabs}", *begin, *body]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])
