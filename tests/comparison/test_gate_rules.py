"""Rules of the gate in a file: what they hold, and what is wrong with them."""

import json
from pathlib import Path
from typing import Any

import pytest

from ndcg_sql.comparison.gate_rules import read_rules
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from support import exploring
from support.commands import Command
from support.gates import gate, rows

pytestmark = pytest.mark.mostly_slow

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
    assert ndcg(*asked, "--min", "RR=0.8", "--candidate", "mobile").code == 0
    assert ndcg(*asked, "--min", "RR=0.8").code == 1
    assert ndcg(*asked, "--max-drop", "0.01").code == 1
    # ... in tables entry by entry, whatever a measure is called.
    more = ("--min", "recip_rank=0.6", "--min", "P@1=0.5", "--max-drop-in", "half=0.8")
    found = json.loads(ndcg(*asked, *more).out)
    limits = {row["measure"]: row["minimum"] for row in found if row["minimum"]}
    assert limits == {"RR": 0.6, "P@1": 0.5}
    drops = {row["attribute"]: row["tolerance"] for row in found[:5]}
    assert drops == {None: 1, "segment": 0.9, "half": 0.8}
    # Runs may be named by position, too; what a file makes strict can be let go.
    named = gate(ndcg, "slip", "--no-strict")
    Path("gate.toml").write_text(
        "baseline = 'same'\ncandidate = 'every'\nstrict = true"
    )
    asked = ("-m", "RR", "--config", "gate.toml")
    assert ndcg("gate", "base", "slip", "--no-strict", *asked) == named
    assert ndcg("gate", "base", "--candidate", "slip", "--no-strict", *asked) == named
    assert ndcg("gate", "base", "slip", *asked).code == 1


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
    assert ndcg("gate", "--config", "gate.toml", "--max-drop", "0.6").code == 0


@pytest.mark.usefixtures("gated")
def test_what_stands_before_the_tables_holds_for_all_of_them(ndcg: Command) -> None:
    Path("gate.toml").write_text(
        "min = {RR = 0.2, 'P@1' = 0.1}\nmax-drop-in = {web = 0.3}\n[[rule]]\n"
        "measure = ['P@1']\nmin = {'precision@1' = 0.01}\nmax-drop-in = {app = '5%'}\n"
    )
    [rules] = read_rules(Path("gate.toml")).values()
    assert rules["minimum"] == {"RR": 0.2, "P@1": 0.01}
    assert rules["max_drop_in"] == {"web": 0.3, "app": "5%"}
    Path("gate.toml").write_text(
        "min = {RR = 0.9999}\n[[rule]]\nmeasure = ['RR', 'P@1']\nmin = {'P@1' = 0.1}\n"
    )
    result = ndcg("gate", "base", "lower", "--config", "gate.toml", "--format", "json")
    failed = [(row["rule"], row["measure"]) for row in json.loads(result.out)]
    assert failed[-2:] == [("minimum", "RR"), ("minimum", "P@1")]
    assert result.code == 1


# What a file holds that makes no sense, and how the refusal begins after its name.
BAD_FILES = {
    "max_drop = 1": 'no rule is called "max_drop"; did you mean "max-drop"',
    "max-drop = true": "max-drop = true: not a number",
    "max-drop = 'x'": 'max-drop = "x": not a number',
    "max-drop = 'x%'": 'max-drop = "x%": not a number',
    "max-drop = 2020-01-01": 'max-drop = "2020-01-01": not a number',
    "max-drop = nan": "max-drop = NaN: not a number",
    "max-drop-in = 0.1": "max-drop-in = 0.1: not a mapping",
    "max-drop-in = {half = []}": 'max-drop-in."half" = []: not a number',
    "min = {RR = '0.1'}": "minimum of RR '0.1': not a number",
    "by = [1]": 'by = "1": no query has this attribute',
    "seed = 0.5": "seed = 0.5: not an integer",
    "strict = 1": "strict = 1: neither True nor False",
    "baseline = 3.5": 'baseline = 3.5: not text; write baseline = "3.5"\n',
    "alpha = nan": "alpha = NaN: not a finite number",
    "baseline": "not TOML: ",
    "x = '\\ud800'": "not TOML: ",
    "measure = []": "measure: is empty; omit it, or name one",
    "rule = 1": "write each rule as a table [[rule]]\n",
    "[rule]\nmeasure = ['RR']": "write each rule as a table [[rule]]\n",
    "rule = []": "write each rule as a table [[rule]]\n",
    "rule = [1]": "write each rule as a table [[rule]]\n",
    "[[rule]]\nmesure = ['RR']": 'no rule is called "mesure"; did you',
    "[[rule]]\nseed = 1": 'no rule is called "seed"; ',
    "[[rule]]\nmax-drop = true": "max-drop = true: not a number",
    "max-drop = '150%'": 'max-drop = "150%": must be below 100%',
    "max-drop = -1": "max-drop = -1: must be 0 or more",
    "underpowered = 'maybe'": 'underpowered = "maybe": not one of pass',
    "alpha = 2.0": "alpha = 2.0: must be above 0 and below 1",
    "correct = 'tukey'": 'correct = "tukey": not one of holm',
    "by = ['colour']": 'by = "colour": ',
    "max-drop-in = {colour = 0.1}": 'max-drop-in = "colour": ',
    "min = {'P@1' = 2}": 'min."P@1" = 2.0: P@1 is at most 1',
    "min = {'RR AP' = 0.5}": 'min "RR AP": not the name of one measure',
    "[[rule]]\n[[rule]]\nmax-drop = -1": "rule 2: max-drop = -1: must be",
    "[[rule]]\n[[rule]]\nmax-drop = true": "rule 2: max-drop = true: not a",
    "[[rule]]\nmin = {'RR' = 0.1}\n[[rule]]\nmin = {'RR' = 0, 'rr' = 1}": (
        "rule 2: min rr: given twice"
    ),
}


@pytest.mark.quick
@pytest.mark.usefixtures("gated")
@pytest.mark.parametrize("text", exploring.sampled(BAD_FILES, 3))
def test_what_a_file_holds_is_refused_with_its_keys_by_both_faces(
    ndcg: Command, kept_open: Path, text: str
) -> None:
    Path("gate.toml").write_bytes(text.encode().replace(b"\\ud800", b"\xff"))
    told = f"gate.toml: {BAD_FILES[text]}"
    result = ndcg("gate", "base", "lower", "-m", "RR", "--config", "gate.toml")
    assert result.refusal.startswith(told)
    assert result.err.count("\n") == 1
    assert "--" not in result.err
    with pytest.raises(NdcgSqlError) as error:
        Warehouse(kept_open).gate("base", "lower", "RR", config="gate.toml")
    assert str(error.value).startswith(told.rstrip())


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
    assert told.startswith("gate.toml: not TOML: ")
    assert told.endswith(f"; put percentages in quotes: {good}\n")
    Path("gate.toml").write_text(told.partition("quotes: ")[2])
    assert "TOML" not in ndcg("gate", "--config", "gate.toml").err
