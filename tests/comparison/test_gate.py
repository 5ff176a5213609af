"""The gate: what passes, what fails, and what so few queries cannot tell."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from ndcg_sql.comparison import significance
from ndcg_sql.comparison.gate_rules import read_rules
from ndcg_sql.database import opening
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from support import exploring
from support.commands import Command
from support.files import write_judgments, write_run
from support.gates import gate

pytestmark = pytest.mark.mostly_slow

Record = dict[str, Any]
QUERIES = [f"q{i:02}" for i in range(40)]
# The run "base" finds the one relevant document of each query at once. Others
# put it lower: by one place for all, for two queries, or for one segment.
LOWER: dict[str, Callable[[int], bool]] = {
    "base": lambda _: False,
    "same": lambda _: False,
    "lower": lambda i: i % 2 == 0,
    "slip": lambda i: i == 3,
    "mobile": lambda i: i < 10,
    "every": lambda _: True,
}


@pytest.fixture(scope="module")
def gated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a warehouse with runs that fail and runs that pass."""
    folder = tmp_path_factory.mktemp("gated")
    judged = {q: {"a": 1.0} for q in QUERIES}
    lines = [
        f"{q},{'mobile' if i < 10 else 'desktop'},{i // 20}"
        for i, q in enumerate(QUERIES)
    ]
    (folder / "queries.csv").write_text("\n".join(["query_id,segment,half", *lines]))
    with Warehouse.write(folder / "ndcg.duckdb") as warehouse:
        for name, is_lower in LOWER.items():
            ranked = {
                q: {"a": 1.0, "x": 2.0 if is_lower(i) else 0.0}
                for i, q in enumerate(QUERIES)
            }
            warehouse.load_run(write_run(folder / name, ranked))
        # Loaded last, they are evaluated with all runs at once.
        warehouse.load_judgments(write_judgments(folder / "qrels", judged))
        warehouse.load_queries(folder / "queries.csv")
    return folder / "ndcg.duckdb"


@pytest.fixture(scope="module")
def kept_open(gated_file: Path) -> Iterator[Path]:
    """Keep that warehouse open for the commands that only read it."""
    with opening.hold(gated_file):
        yield gated_file


@pytest.fixture
def gated(here: Path, kept_open: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Have commands find that warehouse; return the folder in which they run."""
    monkeypatch.setenv("NDCG_SQL_WAREHOUSE", str(kept_open))
    return here


@pytest.fixture
def changeable(here: Path, gated_file: Path) -> None:
    """Put a copy of it where commands find it, to be changed."""
    shutil.copyfile(gated_file, here / "ndcg.duckdb")


def rows(ndcg: Command, candidate: str, *options: str) -> list[Record]:
    """Return what became of the rules."""
    return json.loads(gate(ndcg, candidate, *options, "--format", "json").out)


@pytest.mark.quick
@pytest.mark.usefixtures("gated")
@pytest.mark.parametrize(
    ("candidate", "options", "code", "outcome"),
    exploring.sampled(
        [
            ("same", [], 0, "pass"),
            ("lower", [], 1, "fail"),
            ("lower", ["--max-drop", "0.5"], 0, "pass"),
            ("lower", ["--max-drop", "0.25"], 0, "pass (not proven)"),
            (
                "lower",
                ["--max-drop", "0.25", "--underpowered", "fail"],
                1,
                "underpowered",
            ),
            ("lower", ["--alpha", "1e-9"], 0, "underpowered"),
            ("lower", ["--test", "t", "--alpha", "1e-6"], 1, "fail"),
            ("slip", [], 0, "underpowered"),
            ("slip", ["--max-drop", "0.05"], 0, "pass"),
            ("slip", ["--strict"], 1, "fail"),
            ("slip", ["--strict", "--max-drop", "0.0125"], 0, "pass"),
        ],
        2,
    ),
)
def test_a_drop_has_an_outcome(
    ndcg: Command, candidate: str, options: list[str], code: int, outcome: str
) -> None:
    result = gate(ndcg, candidate, *options, "--format", "json")
    (row,) = json.loads(result.out)
    assert (result.code, row["outcome"]) == (code, outcome)
    verdict = "gate failed" if code else "gate passed"
    assert result.err.startswith(verdict)
    assert ("underpowered" in result.err) == (outcome == "underpowered" and not code)
    promised = ["baseline", "candidate", "measure", "difference", "tolerance", "p"]
    assert [column for column in row if column in promised] == promised
    drop = {"lower": -0.25, "slip": -0.0125}.get(candidate, 0)
    assert row["difference"] == pytest.approx(drop)
    assert f"difference {drop:+.4f}" in row["reason"]


@pytest.mark.quick
@pytest.mark.usefixtures("gated")
def test_what_strict_alone_makes_fail_says_so(ndcg: Command) -> None:
    asked = ("--strict", "--format", "json", "--junit", "gate.xml")
    result = gate(ndcg, "slip", *asked)
    (row,) = json.loads(result.out)
    told = f": fails by strict, p {row['p']:.4f} is not below 0.05"
    assert row["reason"] == f"difference -0.0125, tolerated -0.01{told}"
    assert result.err == "gate failed: 1 of 1 rules, 1 by strict alone\n"
    assert told in Path("gate.xml").read_text(encoding="utf-8")
    # A significant drop needs no strict to fail.
    result = gate(ndcg, "lower", *asked)
    assert "strict" not in result.err + result.out


@pytest.mark.usefixtures("gated")
@pytest.mark.parametrize(
    "tolerated",
    exploring.sampled(["0.25", "0.24999999999999997", "33.3333333333333%"], 3),
)
def test_a_drop_of_the_tolerance_except_for_the_last_bits_is_tolerated(
    ndcg: Command, tolerated: str
) -> None:
    candidate, options = "lower", ["--max-drop", tolerated, "--strict"]
    if tolerated.endswith("%"):
        # A third of 0.75 is 0.25.
        pair = ("--baseline", "lower", "--candidate", "every", "-m", "RR")
        result = ndcg("gate", *pair, *options)
    else:
        result = gate(ndcg, candidate, *options)
    assert result.code == 0
    assert "exceeded" not in result.out
    smaller = ("--max-drop", "0.2499999", "--strict")
    assert gate(ndcg, candidate, *smaller).code == 1


@pytest.mark.usefixtures("gated")
def test_an_interval_that_ends_at_the_tolerance_excludes_it(ndcg: Command) -> None:
    ((worst,),) = [[-row["ci_low"]] for row in rows(ndcg, "lower")]
    for tolerated, outcome in (
        (worst, "pass"),
        (worst - 1e-15, "pass"),
        (worst - 1e-9, "pass (not proven)"),
    ):
        (row,) = rows(ndcg, "lower", "--max-drop", repr(tolerated))
        assert row["outcome"] == outcome


@pytest.mark.usefixtures("gated")
def test_a_tolerance_may_be_a_share_of_the_baseline(ndcg: Command) -> None:
    # From 0.75 to 0.5.
    asked = ("lower", "every", "-m", "RR", "--format", "json")
    for share, code in (("30%", 1), ("50%", 0)):
        result = ndcg("gate", *asked, "--max-drop", share)
        (row,) = json.loads(result.out)
        assert result.code == code
        assert row["tolerance"] == pytest.approx(0.75 * float(share[:-1]) / 100)
        assert f"tolerated -{row['tolerance']:.4f} ({share})" in row["reason"]
    Path("gate.toml").write_text("max-drop = '50%'\n[max-drop-in]\nhalf = '10%'\n")
    found = json.loads(ndcg("gate", *asked, "--config", "gate.toml").out)
    assert [row["tolerance"] for row in found] == pytest.approx([0.375, 0.075, 0.075])
    found = json.loads(ndcg("gate", *asked, "--max-drop-in", "half=20%").out)
    assert [row["tolerance"] for row in found] == pytest.approx([0.01, 0.15, 0.15])


@pytest.mark.usefixtures("gated")
def test_an_underpowered_rule_says_whether_the_drop_exceeded(ndcg: Command) -> None:
    result = gate(ndcg, "slip")
    assert ": exceeded, but p 1.0000 is not below 0.05" in result.out
    told = "gate passed; 1 of 1 rules underpowered, 1 with a drop above the tolerance\n"
    assert (result.code, result.err) == (0, told)
    assert rows(ndcg, "slip")[0]["exceeded"] is True
    # A significant drop within the tolerance is not a loss, but a larger one is not
    # excluded: the candidate is not shown to be within the margin.
    result = gate(ndcg, "lower", "--max-drop", "0.3", "--underpowered", "fail")
    assert result.code == 1
    assert "; 40 queries leave -0.3310 possible" in result.out
    (row,) = rows(ndcg, "lower", "--max-drop", "0.3")
    assert (row["outcome"], row["exceeded"]) == ("pass (not proven)", False)
    assert gate(ndcg, "lower", "--max-drop", "0.3").err == (
        "gate passed; 1 of 1 rules not proven\n"
    )
    assert row["p"] < 0.05
    assert "significant" not in row["reason"]


@pytest.mark.usefixtures("gated")
def test_a_pass_is_yellow_where_a_drop_exceeded(
    ndcg: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert "\x1b[33mgate passed; " in gate(ndcg, "slip").err
    assert "\x1b[33m" not in gate(ndcg, "same").err
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[33m" not in gate(ndcg, "slip").err


@pytest.mark.usefixtures("gated")
def test_runs_may_be_named_by_position(ndcg: Command) -> None:
    named = gate(ndcg, "lower")
    assert ndcg("gate", "base", "lower", "-m", "RR") == named
    assert ndcg("gate", "base", "--candidate", "lower", "-m", "RR") == named
    Path("gate.toml").write_text("baseline = 'same'\ncandidate = 'slip'\n")
    asked = ("base", "lower", "-m", "RR", "--config", "gate.toml")
    assert ndcg("gate", *asked) == named


@pytest.mark.quick
@pytest.mark.usefixtures("gated")
@pytest.mark.parametrize(
    "test", exploring.sampled(["randomization", "t", "bootstrap", "wilcoxon"], 4)
)
def test_a_drop_of_every_query_by_the_same_fails(ndcg: Command, test: str) -> None:
    result = gate(ndcg, "every", "--test", test, "--format", "json")
    assert result.code == 1
    (row,) = json.loads(result.out)
    assert row["outcome"] == "fail"
    assert row["difference"] == -0.5


def test_two_runs_that_found_nothing_pass_no_rule(ndcg: Command) -> None:
    write_judgments(Path("qrels"), {q: {"a": 0.0} for q in QUERIES})
    assert ndcg("load", "judgments", "qrels").code == 0
    for name, document in (("base", "a"), ("other", "b")):
        write_run(Path(name), {q: {document: 1.0} for q in QUERIES})
        assert ndcg("load", "run", name).code == 0
    (row,) = rows(ndcg, "other")
    assert row["outcome"] == "underpowered"
    assert row["reason"].endswith("but both values are 0")
    assert gate(ndcg, "other", "--underpowered", "fail").code == 1


@pytest.mark.quick
@pytest.mark.usefixtures("gated")
def test_a_gain_passes(ndcg: Command) -> None:
    result = ndcg("gate", "--baseline", "lower", "--candidate", "base", "-m", "RR")
    assert result.code == 0
    assert result.err == "gate passed\n"
    assert "lost most" not in result.out


@pytest.mark.usefixtures("gated")
def test_slices_have_tolerances_of_their_own(ndcg: Command) -> None:
    whole, desktop, mobile = rows(
        ndcg, "mobile", "--max-drop", "0.2", "--by", "segment"
    )
    assert (whole["attribute"], whole["outcome"]) == (None, "pass")
    assert (desktop["slice"], desktop["outcome"]) == ("desktop", "pass")
    assert (mobile["slice"], mobile["outcome"]) == ("mobile", "fail")
    assert (mobile["difference"], mobile["tolerance"], mobile["n"]) == (-0.5, 0.2, 10)
    # Both drops are tested, so the smaller p is doubled: 2 flips of 2 ** 10.
    assert mobile["p"] == pytest.approx(2 * 2 / 2**10)
    uncorrected = rows(ndcg, "mobile", "--by", "segment", "--correct", "none")
    assert uncorrected[2]["p"] == pytest.approx(2 / 2**10)
    # To name an attribute is to ask for its slices.
    options = ("--max-drop", "0.2", "--max-drop-in", "segment=0.6")
    result = gate(ndcg, "mobile", *options)
    assert result.code == 0
    assert "segment mobile" in result.out


@pytest.mark.usefixtures("gated")
def test_a_minimum_is_what_a_mean_must_reach(ndcg: Command) -> None:
    asked = ("--max-drop", "1", "-m", "RR")
    for floor, outcome in (("0.75", "pass"), ("0.76", "fail")):
        floors = ("--min", f"RR={floor}", "--min", "P(rel=1)@2=0.5")
        drop, first, second = rows(ndcg, "lower", *asked, *floors)
        assert drop["rule"] == "drop"
        assert [first["measure"], second["measure"]] == ["RR", "P@2"]
        assert (first["rule"], first["minimum"]) == ("minimum", float(floor))
        assert [first["outcome"], second["outcome"]] == [outcome, "pass"]
        assert gate(ndcg, "lower", *asked, *floors).code == (outcome == "fail")


@pytest.mark.quick
@pytest.mark.usefixtures("gated")
def test_what_failed_is_told_by_query(ndcg: Command) -> None:
    result = gate(ndcg, "lower")
    lines = result.out.splitlines()
    about = "dataset default, judgment set qrels, baseline base, candidate lower"
    assert lines[0] == about
    assert lines[3].startswith("fail ")
    assert lines[5] == "RR: the queries that lost most"
    assert [line.split()[1] for line in lines[8:]] == [
        f"q{i:02}" for i in range(0, 10, 2)
    ]
    assert result.err == "gate failed: 1 of 1 rules\n"


@pytest.mark.usefixtures("changeable")
def test_a_slice_that_failed_is_told_by_its_own_queries(ndcg: Command) -> None:
    # All queries of the second half lost as much as those that are listed first.
    tolerated = ("--max-drop", "1", "--max-drop-in", "half=0.1")
    result = gate(ndcg, "every", *tolerated)
    assert result.err == "gate failed: 2 of 3 rules\n"
    first, second = result.out.split("RR, half ")[1:]
    assert first.startswith("0: the queries that lost most\n")
    assert [f"q{i:02}" in first for i in range(40)] == [i < 5 for i in range(40)]
    assert second.startswith("1: the queries that lost most\n")
    assert [f"q{i:02}" in second for i in range(40)] == [
        20 <= i < 25 for i in range(40)
    ]
    assert "RR: the queries" not in result.out
    # Queries of which the attribute is not known are a slice, too.
    Path("more.csv").write_text("query_id,few\nq00,yes\n")
    assert ndcg("load", "queries", "more.csv").code == 0
    told = gate(ndcg, "every", "--max-drop", "1", "--max-drop-in", "few=0.1").out
    heading, *lost = told[told.index("RR, few") :].splitlines()
    assert heading == "RR, few (not known): the queries that lost most"
    assert [line.split()[1] for line in lost[2:]] == [f"q0{i}" for i in range(1, 6)]


RULES = """
baseline = "base"
candidate = "lower"
measure = ["RR"]
max-drop = 1
[max-drop-in]
segment = 0.9
[min]
RR = 0.7
"""


@pytest.mark.usefixtures("gated")
def test_rules_may_stand_in_a_file(ndcg: Command) -> None:
    Path("gate.toml").write_text(RULES)
    asked = ("gate", "--config", "gate.toml", "--format", "json")
    result = ndcg(*asked)
    assert result.code == 0
    found = json.loads(result.out)
    assert [row["tolerance"] for row in found] == [1, 0.9, 0.9, None]
    assert found[3]["minimum"] == 0.7
    # What the command line says counts, ...
    result = ndcg(*asked, "--min", "RR=0.8", "--candidate", "mobile")
    assert result.code == 0
    assert ndcg(*asked, "--min", "RR=0.8").code == 1
    assert ndcg(*asked, "--max-drop", "0.01").code == 1
    # ... in tables entry by entry, whatever a measure is called.
    more = ("--min", "recip_rank=0.6", "--min", "P@1=0.5", "--max-drop-in", "half=0.8")
    found = json.loads(ndcg(*asked, *more).out)
    limits = {row["measure"]: row["minimum"] for row in found if row["minimum"]}
    assert limits == {"RR": 0.6, "P@1": 0.5}
    drops = {row["attribute"]: row["tolerance"] for row in found[:5]}
    assert drops == {None: 1, "segment": 0.9, "half": 0.8}


@pytest.mark.usefixtures("gated")
def test_what_a_file_makes_strict_can_be_let_go(ndcg: Command) -> None:
    Path("gate.toml").write_text("strict = true\n")
    asked = ("--config", "gate.toml")
    assert gate(ndcg, "slip", *asked).code == 1
    assert gate(ndcg, "slip", *asked, "--no-strict").code == 0


def test_a_minimum_is_held_against_the_value_of_a_report(ndcg: Command) -> None:
    write_judgments(Path("qrels"), {q: {"a": 1} for q in ("q1", "q2", "q3")})
    write_run(Path("base"), {q: {"a": 1} for q in ("q1", "q2")})
    # It is worse where the baseline has no answer.
    low = {"a": 1, "x": 2}
    write_run(Path("new"), {"q1": {"a": 1}, "q2": {"a": 1}, "q3": low})
    assert ndcg("load", "judgments", "qrels").code == 0
    assert ndcg("load", "run", "base", "new").code == 0
    name = "RR(missing='omit')"
    asked = ("-m", name, "--format", "json")
    (reported,) = json.loads(ndcg("report", "--run", "new", *asked).out)
    assert (reported["value"], reported["n"]) == (pytest.approx(5 / 6), 3)
    result = gate(ndcg, "new", "--min", f"{name}=0.9", *asked)
    assert result.code == 1
    drop, held = json.loads(result.out)
    assert (drop["candidate_value"], drop["n"]) == (1, 2)
    assert (held["candidate_value"], held["n"]) == (reported["value"], 3)
    assert (held["baseline_value"], held["difference"], held["p"]) == (None,) * 3
    assert gate(ndcg, "new", "--min", f"{name}=0.8", *asked).code == 0
    assert "at least 0.8" in gate(ndcg, "new", "--min", f"{name}=0.8", "-m", name).out


BAD_RULES = {
    "max_drop = 1": 'no rule is called "max_drop"; did you mean "max-drop"',
    "max-drop = true": "max-drop is not a number",
    "max-drop = 'x'": 'max-drop is not a number or a percentage such as "5%"',
    "max-drop = 'x%'": "max-drop is not a number or a percentage",
    f"max-drop = 1{'0' * 30}": "max-drop is not a number",
    f"seed = 1{'0' * 20}": "seed is not an integer",
    "max-drop-in = 0.1": "max-drop-in is not a table of numbers",
    "min = {RR = '0.1'}": "min is not a table of numbers",
    "measure = 'RR'": "measure is not a list of text",
    "by = [1]": "by is not a list of text",
    "seed = 0.5": "seed is not an integer",
    "strict = 1": "strict is not true or false",
    "baseline = 3": 'baseline is not text; put it in quotes: baseline = "3"\n',
    "baseline = 3.5": "baseline is not text\n",
    "baseline": "not TOML: ",
    "max-drop = 0.02%": "not TOML: ",
    "x = '\\ud800'": "not TOML: ",
    "measure = []": "measure is empty; omit it, or name one",
}


@pytest.mark.quick
@pytest.mark.usefixtures("gated")
@pytest.mark.parametrize("text", exploring.sampled(BAD_RULES, 3))
def test_bad_rules_are_refused(ndcg: Command, text: str) -> None:
    data = text.encode().replace(b"\\ud800", b"\xff")
    Path("gate.toml").write_bytes(data)
    result = ndcg("gate", "--config", "gate.toml")
    assert result.refusal.startswith(f"gate.toml: {BAD_RULES[text]}")
    assert result.err.count("\n") == 1


@pytest.mark.quick
@pytest.mark.usefixtures("gated")
@pytest.mark.parametrize(
    ("bare", "good"),
    [
        ("max-drop = 0.02%", 'max-drop = "0.02%"'),
        ("max-drop-in = { country = 2% }", 'max-drop-in = { country = "2%" }'),
    ],
)
def test_a_bare_percentage_is_told_with_its_quotes(
    ndcg: Command, bare: str, good: str
) -> None:
    Path("gate.toml").write_text(f"seed = 1\n{bare}\n")
    told = ndcg("gate", "--config", "gate.toml").err
    assert told.endswith(f"; put percentages in quotes: {good}\n")
    Path("gate.toml").write_text(told.partition("quotes: ")[2])
    assert "TOML" not in ndcg("gate", "--config", "gate.toml").err


@pytest.mark.quick
def test_tests_are_asked_for_as_compare_asks_for_them(ndcg: Command) -> None:
    helps: list[str] = []
    for command in ("compare", "gate"):
        text = "".join(ndcg(command, "--help").out.split())
        helps.append(text[text.index("--testT") : text.index("--seedN")])
    assert helps[0] == helps[1]
    by_default = significance.Testing()
    for default in (by_default.test, by_default.alpha, by_default.resamples):
        assert f"[default:{default}]" in helps[0]


REFUSED: dict[tuple[str, ...], str] = {
    ("--candidate", "lower"): (
        'gate: no baseline; known: "base", "same", "slip", "mobile", "every"; name a'
        " run: --baseline"
    ),
    ("--baseline", "base"): (
        'gate: no candidate; known: "same", "lower", "slip", "mobile", "every"; name a'
        " run: --candidate"
    ),
    ("--baseline", "bese", "--candidate", "lower"): (
        'no run "bese"; did you mean "base", "same"?'
    ),
    ("--baseline", "base", "--candidate", "base"): (
        'run "base" would be compared with itself; name another'
    ),
    ("base", "--baseline", "same", "--candidate", "lower"): (
        'gate: baseline given twice, "base" and --baseline same; name it once'
    ),
    ("base", "[l-m]*", "--baseline", "base"): (
        'gate: baseline given twice, "base" and --baseline base; name it once'
    ),
    ("--baseline", "base", "--candidate", "s*"): (
        'gate takes one candidate, not several: "same", "slip"'
    ),
    ("--max-drop", "-0.1"): "--max-drop -0.1: must be 0 or more",
    ("--max-drop", "-5%"): "--max-drop -5%: must be 0 or more",
    ("--max-drop", "100%"): "--max-drop 100%: must be below 100%",
    ("--max-drop", "5", "--baseline", "base", "--candidate", "lower"): (
        "a drop of 5: nDCG@10 is at most 1, so this could never fail; for a percentage"
        " of the baseline's value: 5%"
    ),
    ("--max-drop", "x%"): "--max-drop x%: not a number",
    ("--max-drop", "nan"): "--max-drop nan: not a number",
    ("--max-drop", "inf"): "--max-drop inf: not a finite number",
    ("--max-drop-in", "segment=-Inf"): (
        "--max-drop-in segment=-Inf: not a finite number"
    ),
    ("--min", "RR=nan"): "--min RR=nan: not a number",
    ("--max-drop-in", "segment"): (
        "--max-drop-in segment: write it like --max-drop-in segment=0.03"
    ),
    ("--max-drop-in", "sgment=0.1"): (
        '--max-drop-in sgment: no query has this attribute; did you mean "segment"?'
    ),
    ("--min", "RR=5", "--baseline", "base", "--candidate", "lower"): (
        "--min RR=5: RR is at most 1, so this could never pass; name a value up to 1"
    ),
    ("--min", "RR"): "--min RR: write it like --min nDCG@10=0.45",
    ("--min", "RR=0.1", "--min", "RR=0.2"): "--min RR: given twice",
    ("--min", "RR AP=0.1"): '--min "RR AP": not the name of one measure',
    ("--underpowered", "x"): "--underpowered x: not one of pass, fail",
    ("--correct", "tukey"): "--correct tukey: not one of holm, bonferroni, bh, none",
    ("--test", "x"): "--test x: not one of randomization, t, bootstrap, wilcoxon",
    ("--config", "none.toml"): "--config none.toml: No such file or directory",
    ("-m", "NumRet"): (
        'measure "NumRet": gate needs measures whose value is a mean and where higher'
        " is better, such as nDCG@10; name others: -m nDCG@10"
    ),
}


@pytest.mark.quick
@pytest.mark.usefixtures("gated")
@pytest.mark.parametrize(
    "options",
    exploring.sampled([(options,) for options in REFUSED], 3),
    ids=map(" ".join, REFUSED),
)
def test_what_makes_no_sense_is_refused(
    ndcg: Command, options: tuple[str, ...]
) -> None:
    named = "--baseline" in options or "--candidate" in options
    asked = () if named else ("--baseline", "base", "--candidate", "lower")
    result = ndcg("gate", *asked, *options, "--junit", "gate.xml")
    assert result.refusal == REFUSED[options] + "\n"
    assert not Path("gate.xml").exists()


RULE_TABLES = """
baseline = "base"
candidate = "lower"
max-drop = 0.5

[[rule]]
measure = ["RR"]

[[rule]]
measure = ["P@1"]
max-drop = 0.01
min = {RR = 0.2}
"""


@pytest.mark.usefixtures("gated")
def test_a_file_holds_several_rules_that_are_corrected_together(
    ndcg: Command, kept_open: Path
) -> None:
    Path("gate.toml").write_text(RULE_TABLES)
    result = ndcg("gate", "--config", "gate.toml", "--format", "json")
    found = json.loads(result.out)
    decided = [(row["rule"], row["measure"], row["outcome"]) for row in found]
    assert decided == [
        ("drop", "RR", "pass"),
        ("drop", "P@1", "fail"),
        ("minimum", "RR", "pass"),
    ]
    *_, last = result.err.splitlines()
    assert (result.code, last) == (1, "gate failed: 1 of 3 rules")
    ((alone,),) = [rows(ndcg, "lower", "-m", "P@1")]
    # Holm's factor for the smaller of two p-values, which are the same here.
    assert found[1]["p"] == pytest.approx(2 * alone["p"])
    assert [row["tolerance"] for row in found[:2]] == [0.5, 0.01]
    with pytest.warns(UserWarning, match="50% of the first 1 documents are judged"):
        frame: Any = Warehouse(kept_open).gate(config="gate.toml").df()
    assert frame["outcome"].tolist() == [row["outcome"] for row in found]
    # An option has precedence in each of the rules.
    result = ndcg("gate", "--config", "gate.toml", "--max-drop", "0.6")
    assert result.code == 0


@pytest.mark.usefixtures("gated")
def test_what_stands_before_the_tables_holds_for_all_of_them(ndcg: Command) -> None:
    Path("gate.toml").write_text(
        "min = {RR = 0.2, 'P@1' = 0.1}\nmax-drop-in = {web = 0.3}\n[[rule]]\n"
        "measure = ['P@1']\nmin = {'precision@1' = 0.01}\nmax-drop-in = {app = '5%'}\n"
    )
    [rules] = read_rules(Path("gate.toml"))
    assert rules["minimum"] == {"RR": 0.2, "P@1": 0.01}
    assert rules["max_drop_in"] == {"web": 0.3, "app": "5%"}
    Path("gate.toml").write_text(
        "min = {RR = 0.9999}\n[[rule]]\nmeasure = ['RR', 'P@1']\nmin = {'P@1' = 0.1}\n"
    )
    result = ndcg("gate", "base", "lower", "--config", "gate.toml", "--format", "json")
    failed = [(row["rule"], row["measure"]) for row in json.loads(result.out)]
    assert failed[-2:] == [("minimum", "RR"), ("minimum", "P@1")]
    assert result.code == 1


@pytest.mark.quick
@pytest.mark.usefixtures("gated")
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("rule = 1", "gate.toml: write each rule as a table [[rule]]\n"),
        (
            "[rule]\nmeasure = ['RR']",
            "gate.toml: write each rule as a table [[rule]]\n",
        ),
        ("rule = []", "gate.toml: write each rule as a table [[rule]]\n"),
        ("rule = [1]", "gate.toml: write each rule as a table [[rule]]\n"),
        ("[[rule]]\nmesure = ['RR']", 'gate.toml: no rule is called "mesure"; did you'),
        ("[[rule]]\nseed = 1", 'gate.toml: no rule is called "seed"; '),
        ("[[rule]]\nmax-drop = true", "gate.toml: max-drop is not a number or"),
    ],
)
def test_a_table_of_rules_that_is_wrong_is_refused_by_both_faces(
    ndcg: Command, kept_open: Path, text: str, told: str
) -> None:
    Path("gate.toml").write_text(text)
    result = ndcg("gate", "base", "lower", "--config", "gate.toml")
    assert result.refusal.startswith(told)
    with pytest.raises(NdcgSqlError) as error:
        Warehouse(kept_open).gate("base", "lower", config="gate.toml")
    assert str(error.value).startswith(told.rstrip())


# What a file says that makes no sense, and how it is told.
FILED: dict[str, str] = {
    "max-drop = '150%'": 'gate.toml: max-drop = "150%": must be below 100%',
    "max-drop = -1": "gate.toml: max-drop = -1: must be 0 or more",
    "underpowered = 'maybe'": 'gate.toml: underpowered = "maybe": not one of pass',
    "alpha = 2.0": "gate.toml: alpha = 2.0: must be above 0 and below 1",
    "correct = 'tukey'": 'gate.toml: correct = "tukey": not one of holm',
    "by = ['colour']": 'gate.toml: by = "colour": ',
    "max-drop-in = {colour = 0.1}": 'gate.toml: max-drop-in = "colour": ',
    "min = {'P@1' = 2}": 'gate.toml: min."P@1" = 2: P@1 is at most 1',
    "min = {'RR AP' = 0.5}": 'gate.toml: min "RR AP": not the name of one measure',
    "[[rule]]\n[[rule]]\nmax-drop = -1": "gate.toml: rule 2: max-drop = -1: must be",
    "[[rule]]\n[[rule]]\nmax-drop = true": "gate.toml: rule 2: max-drop is not a",
    "[[rule]]\nmin = {'RR' = 0.1}\n[[rule]]\nmin = {'RR' = 0, 'rr' = 1}": (
        "gate.toml: rule 2: min rr: given twice"
    ),
}


@pytest.mark.quick
@pytest.mark.usefixtures("gated")
@pytest.mark.parametrize("text", FILED)
def test_what_a_file_says_is_refused_with_its_keys(
    ndcg: Command, kept_open: Path, text: str
) -> None:
    Path("gate.toml").write_text(text)
    result = ndcg("gate", "base", "lower", "-m", "RR", "--config", "gate.toml")
    assert result.refusal.startswith(FILED[text])
    assert "--" not in result.err
    with pytest.raises(NdcgSqlError) as error:
        Warehouse(kept_open).gate("base", "lower", "RR", config="gate.toml")
    assert str(error.value).startswith(FILED[text])


@pytest.mark.quick
@pytest.mark.usefixtures("gated")
def test_an_option_beside_a_file_is_refused_as_an_option(ndcg: Command) -> None:
    Path("gate.toml").write_text("max-drop = -1\nmin = {'P@1' = 0.1}\n")
    asked = ("gate", "base", "lower", "-m", "RR", "--config", "gate.toml")
    result = ndcg(*asked, "--max-drop", "150%")
    assert result.err.startswith("--max-drop 150%: must be below 100%")
    result = ndcg(*asked, "--max-drop", "0.5", "--min", "RR=2")
    assert result.err.startswith("--min RR=2: RR is at most 1")


@pytest.mark.quick
@pytest.mark.usefixtures("gated")
def test_a_pass_that_is_not_proven_is_a_passed_case_that_says_so(ndcg: Command) -> None:
    assert gate(ndcg, "lower", "--max-drop", "0.3", "--junit", "gate.xml").code == 0
    root = ElementTree.parse("gate.xml").getroot()
    assert [root.attrib[name] for name in ("tests", "failures", "skipped")] == [
        *("1", "0", "0")
    ]
    [out] = root.iter("system-out")
    assert str(out.text).startswith("pass (not proven): difference -0.2500, ")
