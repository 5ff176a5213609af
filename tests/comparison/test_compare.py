"""Runs compared with a baseline, by the command line."""

import json
import re
from importlib import import_module
from typing import Any, get_args

import pytest

from ndcg_sql import options
from ndcg_sql.comparison import compare
from ndcg_sql.database.database import Database
from ndcg_sql.python.warehouse import Warehouse
from support import exploring
from support.commands import Command, records
from support.gates import QUERIES, store_noisy_runs
from support.scripts import scripted

pytestmark = pytest.mark.mostly_slow

np: Any = import_module("numpy")
# scipy imports its parts, which takes a second, where they are used.
scipy: Any = import_module("scipy")

Record = dict[str, Any]
# What scripts rely on, in this order.
PROMISED = [
    *("baseline", "candidate", "measure", "n", "baseline_value", "candidate_value"),
    *("difference", "ci_low", "ci_high", "p_t", "p_randomization", "p_adjusted"),
    *("effect_size", "wins", "ties", "losses"),
]


def rows(ndcg: Command, *arguments: str, told: str = "") -> list[Record]:
    """Return the rows of a comparison."""
    result = ndcg("compare", *arguments, "--format", "json")
    assert (result.code, result.err) == (0, told)
    assert "nan" not in result.out.lower()
    return json.loads(result.out)


def values(ndcg: Command, run: str, measure: str) -> Any:
    """Return the values of a run, query by query."""
    found = records(ndcg, "report", "-q", "--run", run, "-m", measure)
    return np.array([row["value"] for row in found])


def blanks(*measures: str) -> str:
    """Return why nothing is known of differences by measures but their counts."""
    rows = Warehouse("ndcg.duckdb").compare("base", "worse", " ".join(measures))
    nulls = ("ci_low", "p_t", "p_bootstrap", "p_adjusted", "effect_size")
    for row in rows:
        assert [row[column] for column in nulls] == [None] * len(nulls)
        assert row["candidate_value"] > 0
        assert row["wins"] + row["ties"] + row["losses"] == row["n"]
    return "\n".join(f"{row['measure']}: {row['note']}" for row in rows)


def ordered() -> str:
    """Return the candidates as they are sorted; other orders have the same rows."""
    own, candidates = Warehouse("ndcg.duckdb"), ["worse", "better"]
    unsorted = own.compare("base", candidates, "nDCG@5 RR").to_dicts()
    lines = ["- " + " ".join(row["candidate"] for row in unsorted)]
    for order in ("difference", "value", "p", "name"):
        asked: Any = {"measures": "nDCG@5 RR", "sort": order}
        found = own.compare("base", candidates, **asked).to_dicts()
        lines.append(f"{order} " + " ".join(row["candidate"] for row in found))
        assert sorted(map(str, found)) == sorted(map(str, unsorted))
        first = own.compare("base", candidates, **asked, limit=1).to_dicts()
        assert first == found[:2]
        if order == "difference":
            sliced = own.compare("base", candidates, **asked, by="device")["candidate"]
            lines[-1] += f", sliced: {' '.join(sliced)}"
    return "\n".join(lines)


test_script = scripted(__file__, store_noisy_runs, blanks, ordered)


@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize(
    "measure",
    exploring.mostly_slow(["nDCG@10", "P@3", "nDCG(dcg='exp-log2')@5"], "nDCG@10"),
)
def test_a_comparison_has_the_numbers_of_scipy(ndcg: Command, measure: str) -> None:
    asked = ("base", "better", "worse", "-m", measure, "--test", "wilcoxon")
    found = rows(ndcg, *asked)
    assert [row["candidate"] for row in found] == ["better", "worse"]
    baseline = values(ndcg, "base", measure)
    for row in found:
        assert [column for column in row if column in PROMISED] == PROMISED
        candidate = values(ndcg, row["candidate"], measure)
        differences = (candidate - baseline).round(12)
        student = scipy.stats.ttest_rel(candidate, baseline)
        low, high = student.confidence_interval()
        there = differences[differences != 0]
        wilcoxon = scipy.stats.wilcoxon(there, method="approx").pvalue
        drawn = scipy.stats.bootstrap(
            (differences,), np.mean, method="percentile", random_state=1
        ).confidence_interval
        flips = scipy.stats.permutation_test(
            (candidate - baseline,),
            np.mean,
            permutation_type="samples",
            # The error of a p of one half: 0.0032, at most a fifth of what is allowed.
            n_resamples=100_000,
            random_state=1,
        )
        difference = row["candidate_value"] - row["baseline_value"]
        expected = {
            "n": 40,
            "baseline_value": pytest.approx(baseline.mean(), rel=1e-14),
            "candidate_value": pytest.approx(candidate.mean(), rel=1e-14),
            "difference": difference,
            "relative_difference": pytest.approx(difference / row["baseline_value"]),
            "p_t": pytest.approx(student.pvalue, rel=1e-8),
            "ci_low": pytest.approx(low, rel=1e-8),
            "ci_high": pytest.approx(high, rel=1e-8),
            "effect_size": pytest.approx(differences.mean() / differences.std(ddof=1)),
            "p_wilcoxon": pytest.approx(wilcoxon, abs=0.02),
            "wins": (differences > 0).sum(),
            "losses": (differences < 0).sum(),
            "ties": 40 - len(there),
            "bootstrap_low": pytest.approx(drawn.low, abs=0.01),
            "bootstrap_high": pytest.approx(drawn.high, abs=0.01),
            "p_randomization": pytest.approx(flips.pvalue, abs=0.02),
            "p_bootstrap": pytest.approx(row["p_t"], abs=0.1),
        }
        assert {name: row[name] for name in expected} == expected
    ps = [row["p_wilcoxon"] for row in found]
    holm = [min(1, 2 * ps[0]) if ps[0] < ps[1] else max(ps[0], 2 * ps[1])]
    assert found[0]["p_adjusted"] == pytest.approx(holm[0])


@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize(
    "test", exploring.mostly_slow(get_args(options.TestName), "randomization")
)
def test_the_chosen_test_is_adjusted(ndcg: Command, test: str) -> None:
    asked = ("base", "better", "worse", "--test", test, "--correct", "bonferroni")
    found = rows(ndcg, *asked)
    assert len(found) == 8
    tested = sum(row[f"p_{test}"] is not None for row in found)
    for row in found:
        p = row[f"p_{test}"]
        assert row["p_adjusted"] == (None if p is None else min(1, tested * p))
        assert (row["p_wilcoxon"] is None) == (test != "wilcoxon" or p is None)


@pytest.mark.usefixtures("runs")
def test_differences_of_a_single_comparison_are_held_at_a_time(
    ndcg: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched: list[int] = []
    arrays = Database.arrays

    def spied(database: Database, *asked: Any) -> list[Record]:
        found = arrays(database, *asked)
        fetched.append(sum(len(row["query_values"]) for row in found))
        return found

    monkeypatch.setattr(Database, "arrays", spied)
    asked = ("base", "better", "worse", "-m", "nDCG@10 P@3 AP")
    rows(ndcg, *asked)
    assert fetched == [len(QUERIES) * 9]
    # Those of large runs are held one comparison at a time.
    monkeypatch.setattr("ndcg_sql.comparison.paired_values.AT_ONCE", 1)
    fetched.clear()
    rows(ndcg, *asked)
    assert fetched == [len(QUERIES) * 2] * 6


@pytest.mark.usefixtures("runs")
def test_the_same_seed_gives_the_same_numbers(ndcg: Command) -> None:
    asked = ("base", "better", "-m", "nDCG@10", "--resamples", "200", "--seed")
    [first] = rows(ndcg, *asked, "7")
    # ... whatever else is compared beside it.
    (same, *_) = rows(ndcg, *asked, "7", "worse")
    assert same["p_bootstrap"] == first["p_bootstrap"]
    [other] = rows(ndcg, *asked, "8")
    assert other["bootstrap_low"] != first["bootstrap_low"]
    assert other["p_t"] == first["p_t"]


@pytest.mark.usefixtures("runs")
def test_slices_are_compared_and_recombine(ndcg: Command) -> None:
    asked = ("base", "better", "worse", "-m", "nDCG@10 P@3")
    whole = rows(ndcg, *asked)
    found = rows(ndcg, *asked, "--by", "device")
    first = ["baseline", "candidate", "judgment_set", "dataset", "device"]
    assert list(found[0])[:5] == first
    for one in whole:
        own = [
            r for r in found if all(r[k] == one[k] for k in ("candidate", "measure"))
        ]
        slices = [(row["device"], row["n"]) for row in own]
        assert slices == [("mobile", 25), (None, 15)]
        difference = sum(row["difference"] * row["n"] for row in own) / one["n"]
        assert difference == pytest.approx(one["difference"], abs=1e-15)
    tested = sorted(row["p_randomization"] for row in found)
    assert min(row["p_adjusted"] for row in found) == pytest.approx(8 * tested[0])


@pytest.mark.usefixtures("runs")
def test_tables_name_the_queries_that_lost_and_won_most(ndcg: Command) -> None:
    result = ndcg("compare", "base", "better", "worse", "-m", "nDCG@10", "-m", "P@3")
    assert (result.code, result.err) == (0, "")
    _, columns, _, *lines = result.out.splitlines()
    assert "note" not in columns
    small = "p (randomization, adjusted by holm) below 0.05"
    assert lines[4] == f"* significant: {small} in 4 comparisons"
    own = [line for line in lines[7:] if line.startswith("better")]
    assert "text of q" in own[0]
    found = rows(ndcg, "base", "better", "-m", "nDCG@10", "-q")
    ordered = [row["query_id"] for row in found]
    assert [line.split()[1] for line in own] == [*ordered[:3], *ordered[-3:]]
    differences = [row["difference"] for row in found]
    assert differences == sorted(differences)
    wins, losses = (sum(s * d > 0 for d in differences) for s in (1, -1))
    assert lines[0].split()[:2] == ["better", "nDCG@10"]
    assert lines[0].split()[-1] == f"{wins}/{40 - wins - losses}/{losses}"
    assert (len(found), found[0]["text"]) == (40, f"text of {ordered[0]}")
    by = rows(ndcg, "base", "better", "-m", "nDCG@10", "-q", "--by", "device")
    assert {row["device"] for row in by} == {"mobile", None}
    # Both kinds of rows have the columns that attributes may not have.
    columns = {*rows(ndcg, "base", "better")[0], *found[0], "slice", "attribute"}
    assert columns == set(compare.COLUMNS)
    # Other tables are set apart by blank lines.
    lines = ndcg("compare", "base", "worse", "--format", "markdown").out.splitlines()
    place = next(i for i, line in enumerate(lines) if "significant" in line)
    assert (lines[1], lines[place - 1], lines[place + 1]) == ("", "", "")


@pytest.mark.usefixtures("runs")
def test_a_table_has_one_p_unless_all_statistics_are_asked_for(ndcg: Command) -> None:
    asked = ("base", "better", "-m", "P@3", "--no-queries", "--test", "wilcoxon")
    short = ndcg("compare", *asked).out
    assert re.findall(r" (p\b[ a-z]*?) *  ", short) == ["p"]
    assert not re.search("effect|detectable", short)
    full = ndcg("compare", *asked, "--statistics", "all").out
    assert full.startswith(short)
    _, columns, _, row, *legends = full[len(short) :].splitlines()
    tests = ["p_t", "p_randomization", "p_bootstrap", "p_wilcoxon"]
    headings = [key.replace("_", " ") for key in tests] + ["effect", "detectable"]
    assert re.split("  +", columns)[2:] == headings
    [found] = rows(ndcg, *asked)
    statistics = [
        found[key] for key in (*tests, "effect_size", "detectable_difference")
    ]
    assert row.split()[2:] == [f"{value:.4f}" for value in statistics]
    assert [line.partition(":")[0] for line in legends] == headings[-2:]
