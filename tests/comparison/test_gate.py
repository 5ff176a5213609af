"""The gate: what passes, what fails, what few queries cannot tell; rules in files."""

import gzip
import json
import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from ndcg_sql.comparison import significance
from ndcg_sql.comparison.gate_rules import read_rules
from ndcg_sql.python.warehouse import Warehouse
from ndcg_sql.questions import comparisons
from support import exploring
from support.commands import Command
from support.files import write_run
from support.gates import QUERIES, gate, rows
from support.scripts import scripted
from support.tables import check_rows, read_cases

pytestmark = pytest.mark.mostly_slow

CASES = read_cases(Path(__file__).with_name("decisions.txt"))
_FILE = Path("ndcg.duckdb")


def held(**limits: object) -> str:
    """Return what a gate of two runs says of each rule, and whether it passed."""
    given: Any = limits
    answer = Warehouse(_FILE).gate("base", "new", "RR(missing='omit')", **given)
    columns = ("rule", "measure", "minimum", "outcome", "candidate_value", "p", "n")
    lines = [" ".join(str(row[column]) for column in columns) for row in answer]
    return "\n".join([*lines, f"passed: {answer.passed}"])


def rules(path: str) -> list[tuple[object, object]]:
    """Return the minimums and the drops in slices of each rule of a file."""
    found = read_rules(Path(path), comparisons.rules_of_gate(), {})
    return [(one["minimum"], one["max_drop_in"]) for one in found.values()]


test_script = scripted(__file__, held, rules)
PROMISED = ["baseline", "candidate", "measure", "difference", "tolerance", "p"]


@pytest.mark.quick
@pytest.mark.usefixtures("gated")
@pytest.mark.parametrize(("command", "text", "expected"), exploring.sampled(CASES, 3))
def test_rules_decide(ndcg: Command, command: str, text: str, expected: str) -> None:
    Path("gate.toml").write_text(text)
    asked = ("--format", "json", "--junit", "gate.xml")
    result = ndcg(*shlex.split(command), *asked)
    found = json.loads(result.out)
    check_rows(found, expected)
    assert [column for column in found[0] if column in PROMISED] == PROMISED
    for row in (row for row in found if row["rule"] == "drop"):
        drop = row["difference"]
        assert row["exceeded"] == (drop < -row["tolerance"] - 1e-12)
        assert row["reason"].startswith(f"difference {drop:+.4f}, tolerated -")
        # A share is shown as it was given.
        for share in re.findall(r"[0-9.]+%", command):
            shown = f"tolerated -{row['tolerance']:.4f} ({float(share[:-1]):g}%)"
            assert shown in row["reason"]
    (outcome, reason), *others = [(row["outcome"], row["reason"]) for row in found]
    failed = sum(row["outcome"] == "fail" for row in found)
    failed = failed or int("--underpowered fail" in command)
    assert result.code == (failed > 0)
    if others:
        told = f"gate failed: {failed} of {len(found)} rules"
        assert (told in result.err) == (failed > 0)
        return
    # What strict alone makes fail says so, in each place; a significant drop does not.
    by_strict = ", 1 only because it is strict" * ("it is strict" in reason)
    told = f"gate failed: 1 of 1 rules{by_strict}\n" if failed else "gate passed"
    if not failed and outcome != "pass":
        told += f"; 1 of 1 rules {outcome.removeprefix('pass (').removesuffix(')')}"
        told += ", 1 with a drop above the tolerance" * found[0]["exceeded"]
    assert result.err == told.rstrip() + "\n"
    # A pass that is not proven is a passed case that says so.
    root = ElementTree.parse("gate.xml").getroot()
    assert (root.get("tests"), root.get("failures")) == ("1", str(failed))
    texts = "".join(root.itertext()) + str([e.attrib for e in root.iter()])
    if failed or outcome != "pass":
        assert reason in texts
        assert ("it is strict" in texts) == bool(by_strict)


@pytest.mark.usefixtures("gated")
def test_a_doubtful_pass_is_yellow(
    ndcg: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert "\x1b[33mgate passed; " in gate(ndcg, "slip").err
    assert "\x1b[33m" not in gate(ndcg, "same").err
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[33m" not in gate(ndcg, "slip").err


@pytest.mark.quick
@pytest.mark.usefixtures("gated")
def test_what_failed_is_shown_by_its_own_queries(ndcg: Command) -> None:
    _, _, listed = gate(ndcg, "lower").out.partition("the queries that lost most\n")
    lost = [line.split()[1] for line in listed.splitlines()[2:]]
    assert lost == [f"q{i:02}" for i in range(0, 10, 2)]
    # All queries of the second half lost as much as those that are listed first.
    tolerated = ("--max-drop", "1", "--max-drop-in", "half=0.1")
    result = gate(ndcg, "every", *tolerated)
    assert result.err == "gate failed: 2 of 3 rules\n"
    halves = re.split(r"RR, half (\d): the queries that lost most\n", result.out)[1:]
    assert halves[::2] == ["0", "1"]
    for place, text in enumerate(halves[1::2]):
        shown = [q for q in QUERIES if q in text]
        assert shown == QUERIES[20 * place : 20 * place + 5]
    assert "RR: the queries" not in result.out
    # A gain has none; slices have names.
    assert "lost most" not in ndcg("gate", "every", "lower", "-m", "RR").out
    assert "segment mobile" in gate(ndcg, "mobile", "--max-drop-in", "segment=0.6").out


@pytest.mark.usefixtures("here")
def test_unknown_queries_are_a_slice(ndcg: Command, gated_file: Path) -> None:
    shutil.copyfile(gated_file, "ndcg.duckdb")
    Path("more.csv").write_text("query_id,few\nq00,yes\n")
    assert ndcg("load", "queries", "more.csv").code == 0
    told = gate(ndcg, "every", "--max-drop", "1", "--max-drop-in", "few=0.1").out
    _, _, lost = told.partition("RR, few (not known): the queries that lost most\n")
    assert [line.split()[1] for line in lost.splitlines()[2:]] == [
        f"q0{i}" for i in range(1, 6)
    ]


@pytest.mark.quick
def test_tests_are_asked_for_as_compare_asks_for_them(ndcg: Command) -> None:
    texts = ["".join(ndcg(c, "--help").out.split()) for c in ("compare", "gate")]
    helps = [t[t.index("--testT") : t.index("--seedN")] for t in texts]
    assert helps[0] == helps[1]
    by_default = significance.Testing()
    for default in (by_default.test, by_default.alpha, by_default.resamples):
        assert f"[default:{default}]" in helps[0]


@pytest.mark.usefixtures("gated")
def test_an_interval_that_ends_at_the_tolerance_excludes_it(ndcg: Command) -> None:
    [worst] = [-row["ci_low"] for row in rows(ndcg, "lower")]
    for less, outcome in ((0, "pass"), (1e-15, "pass"), (1e-9, "pass (not proven)")):
        (row,) = rows(ndcg, "lower", "--max-drop", repr(worst - less))
        assert row["outcome"] == outcome


Change = Callable[[list[str]], list[str]]


def write_changed(source: Path, changes: dict[str, Change]) -> None:
    """Write runs whose first fifty documents functions order anew, by query."""
    opened = gzip.open if source.suffix == ".gz" else open
    documents: dict[str, list[tuple[float, str]]] = {}
    with opened(source, "rt") as file:
        for query, _, document, _, score, _ in map(str.split, file):
            documents.setdefault(query, []).append((float(score), document))
    for name, change in changes.items():
        ranked = {
            query: change([d for _, d in sorted(found, reverse=True)[:50]])
            for query, found in documents.items()
        }
        scores = {q: {d: -i for i, d in enumerate(ds)} for q, ds in ranked.items()}
        write_run(Path(name), scores)


def slightly(random: Random) -> Change:
    """Return what swaps two neighbours in the second half of the first ten."""

    def change(documents: list[str]) -> list[str]:
        i = random.randrange(5, 10)
        return [*documents[:i], documents[i + 1], documents[i], *documents[i + 2 :]]

    return change


def test_a_real_drop_fails_and_noise_does_not(ndcg: Command, shared: Path) -> None:
    folder = shared / "dl19"
    changes: dict[str, Change] = {
        **{"base": list, "same": list, "noisy": slightly(Random(1))},
        "worse": lambda documents: [*documents[3:], *documents[:3]],
    }
    published = "run.dl19-passage.bm25-default.top1000.txt.gz"
    write_changed(folder / published, changes)
    assert ndcg("load", "judgments", folder / "qrels.dl19-passage.txt.gz").code == 0
    assert ndcg("load", "run", *changes).code == 0
    for name, outcome in {"same": "pass", "noisy": "pass", "worse": "fail"}.items():
        result = gate(ndcg, name, "-m", "nDCG@10", "--format", "json")
        (row,) = json.loads(result.out)
        assert (row["n"], row["outcome"]) == (43, outcome)
        assert result.code == (outcome == "fail")


def test_three_queries_are_underpowered(ndcg: Command, shared: Path) -> None:
    folder = shared / "trec_eval"
    changes: dict[str, Change] = {"base": list, "worse": lambda d: [*d[20:], *d[:20]]}
    write_changed(folder / "results.test", changes)
    assert ndcg("load", "judgments", folder / "qrels.test").code == 0
    assert ndcg("load", "run", *changes).code == 0
    found = rows(ndcg, "worse", "-m", "AP nDCG@10")
    assert {(row["n"], row["outcome"]) for row in found} == {(3, "underpowered")}
    # Of three signs, the smallest p is a quarter; the test of Student has no least.
    assert all("nor can be with 3 queries" in row["reason"] for row in found)
    (row,) = rows(ndcg, "worse", "-m", "AP", "--test", "t")
    assert row["reason"].endswith("is not below 0.05")
    for options, code in (((), 0), (("--underpowered", "fail"), 1), (("--strict",), 1)):
        assert gate(ndcg, "worse", "-m", "AP", *options).code == code
