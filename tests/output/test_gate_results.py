"""What a gate tells a CI server: JUnit XML, GitHub's summary and annotations."""

import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import junitparser
import pytest
import yaml

from ndcg_sql.comparison.gate_rules import read_rules
from ndcg_sql.questions.comparisons import gate
from ndcg_sql.requests.fields import checked
from support.commands import Command, Once
from support.files import write_judgments, write_run

pytestmark = pytest.mark.mostly_slow

EXAMPLE = Path(__file__).parents[2] / "examples" / "github"
QUERIES = [f"q{i}" for i in range(12)]
ODD = "50% off: <b>\u202e\n]]>, ::error::\ufffe"


@pytest.fixture
def gated(ndcg: Command, tmp_path: Path, once: Once) -> Path:
    """Load a run, one that loses everywhere, and texts that could do harm."""

    def fill() -> None:
        write_judgments(tmp_path / "qrels", {q: {"a": 1.0} for q in QUERIES})
        for name, other in (("base", 0.0), ("worse", 2.0)):
            write_run(tmp_path / name, {q: {"a": 1.0, "x": other} for q in QUERIES})
        quoted = '"' + ODD + '"'
        rows = [f"{q},{quoted},{'odd' if q < 'q2' else 'even'}" for q in QUERIES]
        text = "\n".join(["query_id,text,kind", *rows])
        (tmp_path / "queries.csv").write_text(text, encoding="utf-8")
        assert ndcg("load", "judgments", "qrels").code == 0
        assert ndcg("load", "run", "base", "worse").code == 0
        assert ndcg("load", "queries", "queries.csv").code == 0

    once(fill)
    return tmp_path


ASKED = ("gate", "--baseline", "base", "--candidate", "worse", "-m", "RR")


def read(path: Path) -> Any:
    """Return a report as another program reads it."""
    library: Any = junitparser
    return library.JUnitXml.fromfile(str(path))


def test_junit_counts_what_failed_and_what_is_open(ndcg: Command, gated: Path) -> None:
    junit = gated / "gate.xml"
    asked = (*ASKED, "--by", "kind", "--max-drop", "0.5", "--max-drop-in", "kind=0.1")
    result = ndcg(*asked, "--min", "RR=0.9", "--junit", junit)
    assert result.code == 1
    report = read(junit)
    counts = [report.tests, report.failures, report.errors, report.skipped]
    assert counts == [4, 2, 0, 1]
    (suite,) = report
    assert suite.name == "worse against base"
    assert [suite.tests, suite.failures, suite.errors, suite.skipped] == counts
    cases: dict[str, Any] = {case.name: case for case in suite}
    assert list(cases) == [
        "drop of RR",
        "drop of RR, kind even",
        "drop of RR, kind odd",
        "minimum of RR",
    ]
    kinds = [[type(one).__name__ for one in case.result] for case in cases.values()]
    assert kinds == [[], ["Failure"], ["Skipped"], ["Failure"]]
    (failure,) = cases["minimum of RR"].result
    assert failure.message == "value 0.5000, at least 0.9"
    lost = "query q0: 1.0000 to 0.5000  50% off: <b>\\u202e\\n]]>"
    assert failure.text.startswith(lost)
    (failure,) = cases["drop of RR, kind even"].result
    told = failure.text.splitlines()
    assert [line.split(":")[0] for line in told] == [
        f"query q{i}" for i in (2, 3, 4, 5, 6)
    ]
    # Elements and attributes stand where the schema of JUnit's reports has them.
    root = ElementTree.parse(junit).getroot()
    assert [child.tag for child in root] == ["testsuite"]
    assert [child.tag for child in root[0]] == ["properties", *["testcase"] * 4]
    assert {"name", "tests", "failures", "errors", "time", "timestamp", "hostname"} <= {
        *root[0].attrib
    }
    for case in root[0][1:]:
        assert {*case.attrib} == {"classname", "name", "time"}
        assert {child.tag for child in case} <= {"failure", "skipped", "system-out"}


def test_what_is_open_and_passes_is_skipped(ndcg: Command, gated: Path) -> None:
    for more, skipped in ((), 1), (("--underpowered", "fail"), 0):
        asked = (*ASKED, "--alpha", "1e-9", "--junit", "gate.xml", *more)
        assert ndcg(*asked).code == 1 - skipped
        report = read(gated / "gate.xml")
        assert (report.skipped, report.failures) == (skipped, 1 - skipped)


@pytest.mark.usefixtures("gated")
def test_a_junit_file_that_cannot_be_written_is_named_by_its_option(
    ndcg: Command,
) -> None:
    for file, reason in (
        ("no/gate.xml", "the directory does not exist"),
        ("ndcg.duckdb", "the warehouse itself"),
    ):
        result = ndcg(*ASKED, "--junit", file)
        assert result.refusal == f"--junit {file}: {reason}\n"
    # This is known before anything is computed.
    result = ndcg(*ASKED[:2], "nobody", *ASKED[3:], "--junit", "no/gate.xml")
    assert result.err == "--junit no/gate.xml: the directory does not exist\n"


@pytest.mark.usefixtures("gated")
def test_github_is_told_in_its_own_words(
    ndcg: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = Path("summary.md")
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    result = ndcg(*ASKED, "--format", "json")
    error, verdict = result.err.splitlines()
    assert verdict == "gate failed: 1 of 1 rules"
    title = "title=gate failed%3A drop of RR"
    assert error.startswith(f"::error {title}::difference -0.5000")
    assert "%0Aquery q0: 1.0000 to 0.5000  50%25 off: <b>\\u202e\\n]]>" in error
    first, heading, *rest = summary.read_text(encoding="utf-8").splitlines()
    assert (first, heading) == ("before", "### gate failed: 1 of 1 rules")
    assert any(line.startswith("| fail    | RR ") for line in rest)
    assert "\\<b\\>" in "".join(rest)
    # What cannot be told is a warning where it passes.
    result = ndcg(*ASKED, "--alpha", "1e-9")
    assert result.code == 0
    assert result.err.startswith("::warning title=gate underpowered%3A drop of RR::")


@pytest.mark.usefixtures("gated")
def test_a_summary_that_cannot_be_written_is_told(
    ndcg: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "none/summary.md")
    result = ndcg(*ASKED)
    assert result.code == 1
    told = "none/summary.md: No such file or directory; no step summary was written\n"
    assert result.err == told + "gate failed: 1 of 1 rules\n"


@pytest.mark.usefixtures("gated")
def test_outside_of_github_nothing_is_said_to_it(ndcg: Command) -> None:
    assert ndcg(*ASKED).err == "gate failed: 1 of 1 rules\n"


@pytest.mark.parametrize(
    ("worse", "code"), [pytest.param(False, 0, marks=pytest.mark.slow), (True, 1)]
)
def test_the_example_for_github_does_what_it_says(
    tmp_path: Path, worse: bool, code: int
) -> None:
    workflow = yaml.safe_load((EXAMPLE / "relevance.yml").read_text())
    steps = workflow["jobs"]["gate"]["steps"]
    folder = tmp_path / "relevance"
    folder.mkdir()
    rules = EXAMPLE / "relevance" / "gate.toml"
    (folder / "gate.toml").write_bytes(rules.read_bytes())
    [found] = read_rules(rules, partial(checked, gate), {}).values()
    assert set(found) >= {"baseline", "candidate", "measures", "max_drop"}
    write_judgments(folder / "judgments.qrels", {q: {"a": 1.0} for q in QUERIES})
    write_run(folder / "baseline.run", {q: {"a": 1.0, "x": 0.0} for q in QUERIES})
    other = 2.0 if worse else 0.0
    write_run(folder / "ranked", {q: {"a": 1.0, "x": other} for q in QUERIES})
    programs = {
        folder / "rank": "cat relevance/ranked",
        tmp_path / "bin" / "ndcg-sql": f'exec "{sys.executable}" -m ndcg_sql "$@"',
    }
    (tmp_path / "bin").mkdir()
    for path, script in programs.items():
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
    env = {
        **os.environ,
        "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}",
        "PYTHONPATH": str(EXAMPLE.parents[1]),
        "GITHUB_ACTIONS": "true",
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
    }
    commands = {step["name"]: step["run"] for step in steps if "run" in step}
    assert commands.pop("Install") == "pip install ndcg-sql"
    done = [
        # As GitHub runs them.
        subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", command],
            cwd=tmp_path,
            env=env,
            capture_output=True,
            text=True,
        )
        for command in commands.values()
    ]
    assert [one.returncode for one in done] == [0, 0, code]
    assert ("::error" in done[-1].stderr) == worse
    state = "failed" if worse else "passed"
    assert f"### gate {state}" in (tmp_path / "summary.md").read_text()
    (kept,) = [s["with"]["path"] for s in steps if "upload" in s.get("uses", "")]
    report = read(tmp_path / kept)
    assert report.failures == (2 if worse else 0)
