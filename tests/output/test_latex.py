"""LaTeX that a paper can include: systems by measures, and nothing else."""

import re
import shutil
import subprocess
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from support.commands import Command
from support.files import write_judgments, write_run

# It has no types of its own.
walker: Any = import_module("pylatexenc.latexwalker")
QUERIES = [f"q{i}" for i in range(12)]
NAMES = ("base", "better_run", "50% & #1 {x} ~^\\ $y$ [z]")
ASKED = ("compare", *NAMES, "-m", "RR", "-m", "AP", "--format", "latex")


@pytest.fixture
def compared(ndcg: Command, tmp_path: Path) -> Path:
    """Load a run, one that wins everywhere, and one that equals the first."""
    write_judgments(tmp_path / "qrels", {q: {"a": 1.0} for q in QUERIES})
    assert ndcg("load", "judgments", "qrels").code == 0
    for name, other in zip(NAMES, (2.0, 0.0, 2.0), strict=True):
        write_run(tmp_path / "run", {q: {"a": 1.0, "x": other} for q in QUERIES})
        # A single brace would begin the name of a column.
        literal = name.replace("{", "{{").replace("}", "}}")
        assert ndcg("load", "run", "run", "--name", literal).code == 0
    return tmp_path


def _has_booktabs() -> bool:
    found = subprocess.run(
        ["kpsewhich", "booktabs.sty"], stdout=subprocess.DEVNULL, check=False
    )
    return found.returncode == 0


def check(table: str, folder: Path) -> None:
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
    (folder / "paper.tex").write_text(document, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "paper.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
@pytest.mark.usefixtures("compared")
def test_a_comparison_is_systems_by_measures_with_letters(
    ndcg: Command, tmp_path: Path
) -> None:
    result = ndcg(*ASKED, "--caption", "All of a_b, 50%", "--label", "tab:all")
    assert (result.code, result.err) == (0, "")
    assert result.out == (
        "\\begin{table}\n"
        "\\centering\n"
        "\\caption{All of a\\_b, 50\\%}\n"
        "\\label{tab:all}\n"
        "% dataset default, judgment set qrels, baseline base\n"
        "% needs \\usepackage{booktabs}\n"
        "\\begin{tabular}{lrr}\n"
        "\\toprule\n"
        "run & RR & AP \\\\\n"
        "\\midrule\n"
        "base\\textsuperscript{a} & 0.5000 & 0.5000 \\\\\n"
        "better\\_run & \\textbf{1.0000}\\textsuperscript{a}"
        " & \\textbf{1.0000}\\textsuperscript{a} \\\\\n"
        "50\\% \\& \\#1 \\{x\\} \\textasciitilde{}\\textasciicircum{}"
        "\\textbackslash{} \\$y\\$ {[}z{]} & 0.5000 & 0.5000 \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
        "% a: differs significantly from base, p (holm within a column)"
        " below 0.05\n"
        "\\end{table}\n"
    )
    check(result.out, tmp_path)


@pytest.mark.slow
@pytest.mark.usefixtures("compared")
@pytest.mark.parametrize(
    "command",
    [
        ("report", "--caption", "Means"),
        ("report", "-q", "--label", "tab:queries"),
        ("compare", *NAMES, "-q"),
        ("explain", "base", "q1"),
        ("gate", "--baseline", "better_run", "--candidate", "base"),
        ("list",),
        ("measures", "list"),
        ("measures", "list", "--families"),
    ],
)
def test_every_table_compiles_and_stands_alone(
    ndcg: Command, tmp_path: Path, command: tuple[str, ...]
) -> None:
    out = ndcg("--quiet", *command, "--format", "latex").out
    check(out, tmp_path)
    bare = re.sub(r"\\begin{tabular}.*?\\end{tabular}", "", out, flags=re.DOTALL)
    for line in bare.splitlines():
        assert not line or line.startswith(("%", "\\")), line


@pytest.mark.slow
@pytest.mark.usefixtures("compared")
def test_letters_are_corrected_within_a_column(ndcg: Command) -> None:
    # Two measures or one: a column has the same letters.
    raised = "better\\_run & \\textbf{1.0000}\\textsuperscript{a}"
    assert raised in ndcg(*ASKED).out
    assert raised in ndcg("compare", *NAMES, "-m", "RR", "--format", "latex").out
    strict = ndcg(*ASKED, "--alpha", "0.0001").out
    assert "textsuperscript" not in strict
    assert "% a:" not in strict


@pytest.mark.usefixtures("loaded")
@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("--caption", "x"), "--caption: only with --format latex"),
        (("--label", "x", "-o", "r.csv"), "--label: only with --format latex"),
        (
            ("--label", "a b", "--format", "latex"),
            "--label 'a b': use only letters, digits and :./+-_, such as tab:results",
        ),
    ],
)
def test_a_caption_or_label_elsewhere_is_refused(
    ndcg: Command, given: tuple[str, ...], told: str
) -> None:
    assert ndcg("report", *given).refusal == f"{told}\n"
    assert not Path("r.csv").exists()
    assert ndcg("report", "--label", "x", "-o", "r.tex").code == 0
