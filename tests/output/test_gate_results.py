"""What a gate tells a CI server: JUnit XML, GitHub's summary and annotations."""

import os
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import junitparser
import pytest
import yaml

from ndcg_sql import Warehouse
from ndcg_sql.comparison.gate_rules import read_rules
from ndcg_sql.questions.comparisons import rules_of_gate
from support.commands import Command
from support.files import write_judgments, write_run
from support.processes import ran
from support.scripts import scripted

pytestmark = pytest.mark.mostly_slow

EXAMPLE = Path(__file__).parents[2] / "examples" / "github"
QUERIES = [f"q{i}" for i in range(12)]
ODD = "50% off: <b>\u202e\n]]>, ::error::\ufffe"


def fill() -> None:
    """Load a run, one that loses everywhere, and texts that could do harm."""
    rows = [f'{q},"{ODD}",{"odd" if q < "q2" else "even"}' for q in QUERIES]
    text = "\n".join(["query_id,text,kind", *rows])
    Path("queries.csv").write_text(text, encoding="utf-8")
    with Warehouse("ndcg.duckdb") as warehouse:
        warehouse.load_judgments({q: {"a": 1.0} for q in QUERIES}, "qrels")
        for name, other in (("base", 0.0), ("worse", 2.0)):
            warehouse.load_run({q: {"a": 1.0, "x": other} for q in QUERIES}, name)
        warehouse.load_queries("queries.csv")


test_script = scripted(__file__, fill)


ASKED = ("gate", "--baseline", "base", "--candidate", "worse", "-m", "RR")


def read(path: Path) -> Any:
    """Return a report as another program reads it."""
    library: Any = junitparser
    return library.JUnitXml.fromfile(str(path))


@pytest.mark.usefixtures("empty")
def test_junit_counts_what_failed_and_what_is_open(ndcg: Command) -> None:
    fill()
    junit = Path("gate.xml")
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
    [found] = read_rules(rules, rules_of_gate(), {}).values()
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
        ran(["bash", "-e", "-o", "pipefail", "-c", command], tmp_path, env=env)
        for command in commands.values()
    ]
    assert [one.returncode for one in done] == [0, 0, code]
    assert ("::error" in done[-1].stderr) == worse
    state = "failed" if worse else "passed"
    assert f"### gate {state}" in (tmp_path / "summary.md").read_text()
    (kept,) = [s["with"]["path"] for s in steps if "upload" in s.get("uses", "")]
    report = read(tmp_path / kept)
    assert report.failures == (2 if worse else 0)
