"""Each diff of docs/extending.md is complete: applied to a copy, it works."""

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest

from support import pages
from support.processes import ran

pytestmark = pytest.mark.mostly_slow

PAGE = (pages.ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
# Diffs by the heading above them.
DIFFS = {
    section.partition("\n")[0]: re.findall(r"```diff\n(.*?)```", section, re.DOTALL)
    for section in PAGE.split("\n## ")[1:]
}
COPIED = ("ndcg_sql", "sql", "migrations", "tests")
QRELS = "q 0 a 1\nq 0 b 0\nq 0 c 1\nq 0 d 1\n"
RUN = "q Q0 a 1 3 t\nq Q0 b 2 2 t\nq Q0 c 3 1 t\n"
# The view and the formula agree on random queries.
AGREE = """
import sys
from pathlib import Path

from support.evaluations import Evaluation, assert_close
from support.formulas import VARIANTS
from support.worlds import NEAR, WHOLE, world

asked = {name: v for name, v in VARIANTS.items() if v.family == "Jaccard"}
assert len(asked) > 10
queries = world(7, 300, WHOLE, scores=NEAR)
found = Evaluation(Path(sys.argv[1]), queries.judged, queries.ranked, [*asked])
assert_close(found, {
    name: {q: v.value(g, queries.rankings[q]) for q, g in queries.judged.items()}
    for name, v in asked.items()
})
"""


@dataclass(frozen=True)
class Copy:
    """A copy of the repository, and an empty folder to run commands in."""

    root: Path
    folder: Path

    def run(self, *command: str) -> "subprocess.CompletedProcess[str]":
        """Run a command of Python with the packages of the copy."""
        paths = os.pathsep.join((str(self.root), str(self.root / "tests")))
        environment = {**os.environ, "PYTHONPATH": paths, "COLUMNS": "80"}
        for name in ("NDCG_SQL_WAREHOUSE", "PYTEST_ADDOPTS"):
            environment.pop(name, None)
        return ran([sys.executable, *command], self.folder, env=environment)

    def ndcg(self, *arguments: str, code: int = 0) -> str:
        """Run a command of ndcg-sql, and return all that it prints."""
        done = self.run("-m", "ndcg_sql", *arguments)
        assert done.returncode == code, done.stderr
        return done.stdout + done.stderr

    def tested(
        self, *files: str, about: str = "Jaccard"
    ) -> "subprocess.CompletedProcess[str]":
        """Run the tests in files that are about something."""
        options = ("-q", "-n0", "-p", "no:cacheprovider", "-k", about)
        config = ("-c", str(self.root / "pyproject.toml"))
        paths = [str(self.root / "tests" / file) for file in files]
        return self.run("-m", "pytest", *options, *config, *paths)

    def write(self, name: str, text: str) -> str:
        """Write a file for commands, and return its name."""
        (self.folder / name).write_text(text, encoding="utf-8")
        return name


@pytest.fixture
def extended(tmp_path: Path) -> Callable[..., Copy]:
    """Return a function that applies diffs to a copy of the repository."""

    def extend(*diffs: str) -> Copy:
        copy = Copy(tmp_path / "copy", tmp_path / "folder")
        copy.folder.mkdir()
        for name in COPIED:
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(pages.ROOT / name, copy.root / name, ignore=ignored)
        shutil.copy(pages.ROOT / "pyproject.toml", copy.root)
        for diff in diffs:
            command = ["git", "apply", "--unidiff-zero", "-"]
            subprocess.run(command, cwd=copy.root, input=diff, text=True, check=True)
        return copy

    return extend


def rows(text: str) -> list[dict[str, str]]:
    """Return the rows of CSV."""
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.quick
@pytest.mark.parametrize("heading", [name for name, diffs in DIFFS.items() if diffs])
def test_the_diffs_apply(heading: str) -> None:
    command = ["git", "apply", "--check", "--unidiff-zero", "-"]
    diff = "".join(DIFFS[heading])
    subprocess.run(command, cwd=pages.ROOT, input=diff, text=True, check=True)


@pytest.mark.quick
def test_every_kind_of_addition_has_its_diffs() -> None:
    assert {heading: len(diffs) for heading, diffs in DIFFS.items()} == {
        "A measure of an existing family": 0,
        "A gain scheme": 0,
        "A family": 2,
        "An input format": 1,
        "A check": 1,
        "An option of a question": 1,
        "A statistic": 1,
        "A method of fusion": 1,
        "A figure": 1,
        "A section of the page": 1,
        "A public relation": 1,
    }


def test_a_family_gives_its_values(extended: Callable[..., Copy]) -> None:
    copy = extended(DIFFS["A family"][0])
    copy.write("qrels", QRELS)
    copy.write("run", RUN)
    asked = ("-m", "Jaccard@2 Jaccard Jaccard(rel=2)", "--format", "csv", "-q")
    found = rows(copy.ndcg("--quiet", "eval", "qrels", "run", *asked))
    assert [row["value"] for row in found] == ["0.25", "0.5", "0.0"]
    families = copy.ndcg("measures", "list", "--families", "--format", "csv")
    assert "the overlap of the first k and the relevant documents" in families


def test_a_family_without_formula_and_case_fails_the_tests(
    extended: Callable[..., Copy],
) -> None:
    copy = extended(DIFFS["A family"][0])
    done = copy.tested("measures/test_catalog.py")
    assert done.returncode == 1
    missing = (
        r"Jaccard has no formula: add .* to\s+tests/support/formulas.py",
        r"Jaccard has no oracle: .*tests/support/oracles.py",
    )
    for message in missing:
        assert re.search(message, done.stdout), message


def test_a_family_with_formula_and_case_passes_the_tests(
    extended: Callable[..., Copy],
) -> None:
    copy = extended(*DIFFS["A family"])
    done = copy.tested("measures/test_catalog.py", "measures/test_families.py")
    assert done.returncode == 0, done.stdout
    assert "passed" in done.stdout
    agreed = copy.run("-c", AGREE, str(copy.folder))
    assert agreed.returncode == 0, agreed.stderr


def test_a_family_has_its_worked_value(extended: Callable[..., Copy]) -> None:
    copy = extended(*DIFFS["A family"])
    done = copy.tested("measures/test_worked_examples.py")
    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout


def test_a_format_is_read(extended: Callable[..., Copy]) -> None:
    copy = extended(*DIFFS["An input format"])
    # One file is detected by its suffix, one by its content.
    copy.write("qrels.pipes", "q|a|1\nq|b|0\nq|c|1\n")
    copy.write("run", "q|a|0.5\nq|b|0.9\n")
    asked = ("-m", "RR", "--format", "json")
    (row,) = json.loads(copy.ndcg("eval", "qrels.pipes", "run", *asked))
    assert row["value"] == 0.5
    copy.write("bad.pipes", "q|a|1\nq|b\n")
    message = copy.ndcg("load", "run", "bad.pipes", code=2)
    assert "bad.pipes:2: 2 fields, expected 3 (query|document|score)" in message
    assert "pipes" in copy.ndcg("load", "run", "--help")


def test_a_check_refuses_a_file_with_its_line(extended: Callable[..., Copy]) -> None:
    copy = extended(*DIFFS["A check"])
    message = 'query "q", document "b": grade "500" is above 100; is it a score?'
    # The second file has a blank line: it is read strictly from the start.
    for text, line in (("q 0 a 1\nq 0 b 500\n", 2), ("q 0 a 1\n\nq 0 b 500\n", 3)):
        name = copy.write(f"bad{line}", text)
        assert f"{name}:{line}: {message}" in copy.ndcg(
            "load", "judgments", name, code=2
        )
    copy.write("qrels", QRELS)
    assert "4 judgments" in copy.ndcg("load", "judgments", "qrels")


@pytest.mark.parametrize("formula", ["gain / discount", "total / ideal_total"])
def test_a_typo_in_a_formula_is_told_with_its_row(
    extended: Callable[..., Copy], formula: str
) -> None:
    copy = extended()
    path = copy.root / "sql" / "measures.csv"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(f",{formula}", ",gian / 2", 1), encoding="utf-8")
    copy.write("qrels", QRELS)
    told = copy.ndcg("load", "judgments", "qrels", code=2)
    assert told.startswith('sql/measures.csv, family "nDCG": Binder Error: ')
    assert '"gian"' in told


def test_an_option_is_one_of_the_command_and_of_python(
    extended: Callable[..., Copy],
) -> None:
    copy = extended(*DIFFS["An option of a question"])
    copy.ndcg("--quiet", "demo")
    asked = ("report", "-m", "RR", "--by", "device", "--least-queries")
    found = rows(copy.ndcg("--quiet", *asked, "10", "--format", "csv"))
    assert {(row["device"], row["n"]) for row in found} == {("mobile", "11")}
    assert "--least-queries 0: must be 1 or more" in copy.ndcg(*asked, "0", code=2)
    assert "cannot be combined" in copy.ndcg(*asked, "10", "-q", code=2)
    help_text = copy.ndcg("report", "--help")
    assert re.search(r"--least-queries N +Show only means over N", help_text)
    python = (
        "from ndcg_sql import Warehouse; warehouse = Warehouse('ndcg.duckdb');"
        "print(len(warehouse.report('RR', by='device', least_queries=10)))"
    )
    assert copy.run("-c", python).stdout == "3\n"


def test_a_statistic_is_in_comparisons(extended: Callable[..., Copy]) -> None:
    copy = extended(*DIFFS["A statistic"])
    copy.write("qrels", QRELS + QRELS.replace("q ", "p "))
    copy.ndcg("load", "judgments", "qrels")
    for name, run in (("old", "q Q0 b 1 2 t\nq Q0 a 2 1 t\n"), ("new", RUN)):
        copy.write(name, run + "p Q0 a 1 1 t\n")
    copy.ndcg("load", "run", "old", "new")
    asked = ("compare", "old", "new", "-m", "RR")
    (row,) = json.loads(copy.ndcg("--quiet", *asked, "--format", "json"))
    assert row["median_difference"] == row["difference"] == 0.25
    shown = copy.ndcg(*asked, "--statistics", "all", "--html", "page.html")
    assert re.search(r"effect +median +detectable", shown)
    page = (copy.folder / "page.html").read_text(encoding="utf-8")
    headings = re.findall(r"<th [^>]*><button [^>]*>(.*?)</button>", page)
    assert headings[headings.index("effect") + 1] == "median"
    assert "detectable" not in headings


def test_a_method_of_fusion_has_its_worked_value(extended: Callable[..., Copy]) -> None:
    copy = extended(*DIFFS["A method of fusion"])
    copy.write("other", "q Q0 d 1 2 t\nq Q0 a 2 1 t\n")
    copy.write("run", RUN)
    copy.ndcg("load", "run", "run", "other")
    copy.ndcg("fuse", "run", "other", "--name", "rbc", "--method", "rbc")
    done = copy.tested("loading/test_fusing.py", about="rbc or every_method")
    assert done.returncode == 0, done.stdout
    assert "3 passed" in done.stdout


def test_a_figure_is_drawn(extended: Callable[..., Copy]) -> None:
    copy = extended(*DIFFS["A figure"])
    copy.ndcg("--quiet", "demo")
    copy.ndcg("plot", "unanswered", "bm*", "hybrid", "-o", "drawn.svg", "--data")
    drawn = (copy.folder / "drawn.svg").read_text(encoding="utf-8")
    assert "Unanswered queries by run" in drawn
    found = rows((copy.folder / "drawn.csv").read_text(encoding="utf-8"))
    unanswered = {row["run"]: row["unanswered"] for row in found}
    assert unanswered == {"bm25": "1", "hybrid": "0"}
    assert "history or unanswered" in " ".join(copy.ndcg("plot", "--help").split())


def test_a_section_is_on_the_page(extended: Callable[..., Copy]) -> None:
    copy = extended(*DIFFS["A section of the page"])
    copy.ndcg("--quiet", "demo")
    copy.ndcg("report", "-m", "RR AP", "--html", "page.html")
    page = (copy.folder / "page.html").read_text(encoding="utf-8")
    assert '<a href="#d0-best">Best runs</a>' in page
    _, _, section = page.partition('<section id="d0-best"')
    section, _, _ = section.partition("</section>")
    assert re.findall(r'<th scope="row"[^>]*>(\w+)<', section) == ["RR", "AP"]
    assert section.count("hybrid") == 2


def test_a_public_relation_is_in_the_warehouse(extended: Callable[..., Copy]) -> None:
    copy = extended(*DIFFS["A public relation"])
    copy.ndcg("demo")
    warehouse = str(copy.folder / "ndcg.duckdb")
    with duckdb.connect(warehouse, read_only=True) as connection:

        def fetch(sql: str) -> list[tuple[Any, ...]]:
            return connection.execute(sql).fetchall()

        assert ("best_runs",) in fetch("show tables")
        best = "select run from best_runs where measure = 'nDCG@10'"
        assert fetch(best) == [("hybrid",)]
        comments = "select comment from duckdb_columns() where table_name = 'best_runs'"
        assert all(comment for (comment,) in fetch(comments))
