"""LaTeX that a paper can include: systems by measures, and nothing else."""

import re
import shutil
import subprocess
from importlib import import_module
from pathlib import Path
from typing import Any

from ndcg_sql import Warehouse
from support.scripts import scripted

# It has no types of its own.
walker: Any = import_module("pylatexenc.latexwalker")
QUERIES = [f"q{i}" for i in range(12)]
NAMES = ("base", "better_run", "50% & #1 {x} ~^\\ $y$ [z]")


def fill() -> None:
    """Load a run, one that wins everywhere, and one that equals the first."""
    with Warehouse("ndcg.duckdb") as warehouse:
        warehouse.load_judgments({q: {"a": 1.0} for q in QUERIES}, "qrels")
        for name, other in zip(NAMES, (2.0, 0.0, 2.0), strict=True):
            # A single brace would begin the name of a column.
            literal = name.replace("{", "{{").replace("}", "}}")
            warehouse.load_run({q: {"a": 1.0, "x": other} for q in QUERIES}, literal)


def _has_booktabs() -> bool:
    found = subprocess.run(
        ["kpsewhich", "booktabs.sty"], stdout=subprocess.DEVNULL, check=False
    )
    return found.returncode == 0


def check(table: str) -> None:
    """Parse a table strictly, and compile it where LaTeX and booktabs are there."""
    document = (
        "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n"
        f"{table}\\end{{document}}\n"
    )
    for shown in re.findall(r"\\begin{tabular}{(.*?\\bottomrule)", table, re.DOTALL):
        columns, _, rows = shown.partition("}\n")
        for row in rows.split("\\midrule\n")[1].splitlines()[:-1]:
            assert row.endswith(" \\\\")
            assert row.replace("\\&", "").count(" & ") == len(columns) - 1
    library: Any = walker
    library.LatexWalker(document, tolerant_parsing=False).get_latex_nodes()
    if not shutil.which("pdflatex") or not _has_booktabs():
        return
    Path("paper.tex").write_text(document, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "paper.tex"]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout


def stands_alone(table: str) -> bool:
    """Tell whether all but the rows of tables is commands and comments."""
    check(table)
    bare = re.sub(r"\\begin{tabular}.*?\\end{tabular}", "", table, flags=re.DOTALL)
    return all(not line or line[0] in "%\\" for line in bare.splitlines())


test_script = scripted(__file__, stands_alone, fill)
