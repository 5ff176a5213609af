"""Runs compared with a baseline, by the command line."""

import json
import shutil
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest

from ndcg_sql.comparison import compare
from ndcg_sql.database.database import Database
from ndcg_sql.python.warehouse import Warehouse
from ndcg_sql.requests import choices
from support import exploring
from support.commands import Command
from support.files import noisy, write_judgments, write_run

pytestmark = pytest.mark.mostly_slow

np: Any = import_module("numpy")
# scipy imports its parts, which takes a second, where they are used.
scipy: Any = import_module("scipy")

Record = dict[str, Any]
TESTS = get_args(choices.Test)
QUERIES = [f"q{i:02}" for i in range(40)]
DOCUMENTS = [f"d{i}" for i in range(10)]
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


@pytest.fixture(scope="module")
def runs_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a warehouse of a run, a better one, a much worse one, and queries."""
    folder = tmp_path_factory.mktemp("runs")
    random = Random(1)
    grades = (0, 0, 0, 1, 2)
    judged = {q: {d: random.choice(grades) for d in DOCUMENTS} for q in QUERIES}
    lines = [f"{q},text of {q},{'mobile' if q < 'q25' else ''}" for q in QUERIES]
    (folder / "queries.csv").write_text("\n".join(["query_id,text,device", *lines]))
    with Warehouse.write(folder / "ndcg.duckdb") as warehouse:
        warehouse.load_judgments(write_judgments(folder / "qrels", judged))
        for name, noise in (("base", 1.2), ("better", 1), ("worse", 20)):
            run = write_run(folder / name, noisy(random, judged, noise))
            warehouse.load_run(run)
        warehouse.load_queries(folder / "queries.csv")
    return folder / "ndcg.duckdb"


@pytest.fixture
def runs(tmp_path: Path, runs_file: Path) -> Path:
    """Put that warehouse where commands find it."""
    shutil.copyfile(runs_file, tmp_path / "ndcg.duckdb")
    return tmp_path


def values(ndcg: Command, run: str, measure: str) -> Any:
    """Return the values of a run, query by query."""
    asked = ("report", "-q", "--run", run, "-m", measure, "--format", "json")
    return np.array([row["value"] for row in json.loads(ndcg(*asked).out)])


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
        expected = scipy.stats.ttest_rel(candidate, baseline)
        low, high = expected.confidence_interval()
        assert row["n"] == 40
        assert row["baseline_value"] == pytest.approx(baseline.mean(), rel=1e-14)
        assert row["candidate_value"] == pytest.approx(candidate.mean(), rel=1e-14)
        assert row["difference"] == row["candidate_value"] - row["baseline_value"]
        relative = row["difference"] / row["baseline_value"]
        assert row["relative_difference"] == pytest.approx(relative)
        assert row["p_t"] == pytest.approx(expected.pvalue, rel=1e-8)
        assert (row["ci_low"], row["ci_high"]) == pytest.approx((low, high), rel=1e-8)
        effect = differences.mean() / differences.std(ddof=1)
        assert row["effect_size"] == pytest.approx(effect)
        there = differences[differences != 0]
        wilcoxon = scipy.stats.wilcoxon(there, method="approx").pvalue
        assert row["p_wilcoxon"] == pytest.approx(wilcoxon, abs=0.02)
        counts = [int(sum(sign * differences > 0)) for sign in (1, -1)]
        assert [row["wins"], row["losses"]] == counts
        assert row["ties"] == 40 - sum(counts)
        drawn = scipy.stats.bootstrap(
            (differences,), np.mean, method="percentile", random_state=1
        ).confidence_interval
        interval = (row["bootstrap_low"], row["bootstrap_high"])
        assert interval == pytest.approx((drawn.low, drawn.high), abs=0.01)
        flips = scipy.stats.permutation_test(
            (candidate - baseline,),
            np.mean,
            permutation_type="samples",
            # The error of a p of one half: 0.0032, at most a fifth of what is allowed.
            n_resamples=100_000,
            random_state=1,
        )
        assert row["p_randomization"] == pytest.approx(flips.pvalue, abs=0.02)
        assert row["p_bootstrap"] == pytest.approx(row["p_t"], abs=0.1)
    ps = [row["p_wilcoxon"] for row in found]
    holm = [min(1, 2 * ps[0]) if ps[0] < ps[1] else max(ps[0], 2 * ps[1])]
    assert found[0]["p_adjusted"] == pytest.approx(holm[0])


@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize("test", exploring.mostly_slow(TESTS, "randomization"))
def test_the_chosen_test_is_adjusted(ndcg: Command, test: str) -> None:
    asked = ("base", "better", "worse", "--test", test, "--correct", "bonferroni")
    found = rows(ndcg, *asked)
    assert len(found) == 8
    tested = sum(row[f"p_{test}"] is not None for row in found)
    for row in found:
        p = row[f"p_{test}"]
        assert row["p_adjusted"] == (None if p is None else min(1, tested * p))
        assert (row["p_wilcoxon"] is None) == (test != "wilcoxon" or p is None)


@pytest.mark.quick
@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize(
    ("options", "line"),
    [
        ("", "(randomization, holm) below 0.05 in 1 comparison"),
        ("--correct none", "(randomization) below 0.05 in 1 comparison"),
        ("--test t --correct bh", "(t, bh) below 0.05 in 1 comparison"),
        ("--correct tukey", "(tukey) below 0.05, by measure and slice"),
        ("--alpha 0.001", "(randomization, holm) below 0.001 in 1 comparison"),
    ],
)
def test_a_comparison_without_a_significant_difference_names_the_test(
    ndcg: Command, options: str, line: str
) -> None:
    asked = ("base", "better", "-m", "P@3", *options.split())
    assert all(row["p_adjusted"] >= 0.05 for row in rows(ndcg, *asked))
    lines = ndcg("compare", *asked).out.splitlines()
    assert lines[4] == f"not significant: no p adjusted {line}"


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize(
    ("first", "second", "note"),
    exploring.sampled(
        [
            ("12", "23", "only one query has a value for every run"),
            ("12", "34", "no query has a value for every run"),
            ("123", "234", "p adjusted over 2 queries with a value for every run"),
            ("123", "123", None),
        ],
        2,
    ),
)
def test_tukey_rests_on_the_queries_of_every_run(
    ndcg: Command, first: str, second: str, note: str | None
) -> None:
    answered = {"base": "1234", "first": first, "second": second}
    with Warehouse.write("ndcg.duckdb") as own:
        own.load_judgments({q: {"a": 1} for q in "1234"})
        for name, queries in answered.items():
            place = -1 if name == "base" else 1
            own.load_run({q: {"a": 0, "x": place} for q in queries}, name)
    asked = (*answered, "-m", "RR(missing='omit')", "--correct", "tukey")
    for row in json.loads(ndcg("compare", *asked, "--format", "json").out):
        shown = "; ".join(filter(None, ("all differences are equal", note)))
        assert (row["n"], row["note"]) == (len(first), shown)
        assert row["p_randomization"] is not None
        assert (row["p_adjusted"] is None) == (note is not None and "adj" not in note)


@pytest.mark.usefixtures("runs")
def test_differences_of_a_single_comparison_are_held_at_a_time(
    ndcg: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched: list[int] = []
    arrays = Database.arrays

    def spied(database: Database, *asked: Any) -> list[Record]:
        found = arrays(database, *asked)
        fetched.append(sum(row["counts"].sum() for row in found))
        return found

    monkeypatch.setattr(Database, "arrays", spied)
    rows(ndcg, "base", "better", "worse", "-m", "nDCG@10 P@3 AP")
    assert fetched == [len(QUERIES)] * 6


@pytest.mark.usefixtures("runs")
def test_the_same_seed_gives_the_same_numbers(ndcg: Command) -> None:
    asked = ("base", "better", "-m", "nDCG@10", "--resamples", "200")
    first = rows(ndcg, *asked, "--seed", "7")
    # ... whatever else is compared beside it.
    (same, *_) = rows(ndcg, "base", "better", "worse", *asked[2:], "--seed", "7")
    assert same["p_bootstrap"] == first[0]["p_bootstrap"]
    other = rows(ndcg, *asked, "--seed", "8")
    assert other[0]["bootstrap_low"] != first[0]["bootstrap_low"]
    assert other[0]["p_t"] == first[0]["p_t"]


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
        assert [(row["device"], row["n"]) for row in own] == [
            ("mobile", 25),
            (None, 15),
        ]
        difference = sum(row["difference"] * row["n"] for row in own) / one["n"]
        assert difference == pytest.approx(one["difference"], abs=1e-15)
    tested = sorted(row["p_randomization"] for row in found)
    assert min(row["p_adjusted"] for row in found) == pytest.approx(8 * tested[0])


@pytest.mark.usefixtures("runs")
def test_tables_name_the_queries_that_lost_and_won_most(ndcg: Command) -> None:
    result = ndcg("compare", "base", "better", "worse", "-m", "nDCG@10", "-m", "P@3")
    assert (result.code, result.err) == (0, "")
    head, columns, _, *lines = result.out.splitlines()
    assert head == "dataset default, judgment set qrels, baseline base"
    assert "95 % interval" in columns
    assert "note" not in columns
    assert lines[2].split()[0] == "worse"
    assert "*" in lines[2]
    assert lines[4].startswith("* significant: p adjusted (randomization, holm) below")
    assert lines[4].endswith("in 4 comparisons")
    assert "p randomization" in lines[6]
    assert lines[13] == "nDCG@10: the queries that lost and won most"
    own = [line for line in lines[16:] if line.startswith("better")]
    assert "text of q" in own[0]
    found = rows(ndcg, "base", "better", "-m", "nDCG@10", "-q")
    ordered = [row["query_id"] for row in found]
    assert [line.split()[1] for line in own] == [*ordered[:3], *ordered[-3:]]
    differences = [row["difference"] for row in found]
    assert differences == sorted(differences)
    wins = sum(difference > 0 for difference in differences)
    losses = sum(difference < 0 for difference in differences)
    told = ["better", "nDCG@10", *map(str, (wins, 40 - wins - losses, losses))]
    assert lines[8].split()[:5] == told
    assert (len(found), found[0]["text"]) == (40, f"text of {ordered[0]}")
    by = rows(ndcg, "base", "better", "-m", "nDCG@10", "-q", "--by", "device")
    assert {row["device"] for row in by} == {"mobile", None}
    # Other tables are set apart by blank lines.
    lines = ndcg("compare", "base", "worse", "--format", "markdown").out.splitlines()
    place = next(i for i, line in enumerate(lines) if "significant" in line)
    assert (lines[1], lines[place - 1], lines[place + 1]) == ("", "", "")


@pytest.mark.parametrize(
    ("measure", "note"),
    [
        ("NumRet", "the value is a sum, not a mean"),
        ("gm_map", "the value is a geometric mean, not a mean"),
        ("P@10", "all differences are 0"),
    ],
)
@pytest.mark.usefixtures("runs")
def test_what_makes_no_sense_is_blank_with_a_reason(
    ndcg: Command, measure: str, note: str
) -> None:
    (row,) = rows(ndcg, "base", "worse", "-m", measure)
    assert row["note"] == note
    nulls = ("ci_low", "p_t", "p_bootstrap", "p_adjusted", "effect_size")
    assert [row[column] for column in nulls] == [None] * len(nulls)
    assert row["candidate_value"] > 0
    assert row["wins"] + row["ties"] + row["losses"] == row["n"]
    assert note in ndcg("compare", "base", "worse", "-m", measure).out


def test_queries_that_one_run_leaves_out_are_no_pair(ndcg: Command) -> None:
    with Warehouse.write("ndcg.duckdb") as own:
        own.load_judgments({q: {"x": 1} for q in ("q1", "q2", "q3")})
        own.load_run({"q1": ["x"], "q2": ["x"]}, "a")
        own.load_run({"q1": ["x"], "q3": ["x"]}, "b")
    told = "".join(f'run "{run}": 1 judged query without an answer\n' for run in "ab")
    found = rows(ndcg, "a", "b", "-m", "RR RR(missing='omit')", told=told)
    assert [(row["n"], row["ties"]) for row in found] == [(3, 1), (1, 1)]
    assert [row["candidate_value"] for row in found] == [pytest.approx(2 / 3), 1]


def test_a_name_that_looks_like_a_pattern_is_that_name(ndcg: Command) -> None:
    with Warehouse.write("ndcg.duckdb") as own:
        own.load_judgments({q: {"a": 1} for q in QUERIES})
        for name in ("a", "b*", "b1"):
            own.load_run({q: ["a"] for q in QUERIES}, name)
    for asked, names in (("b*", ["b*"]), ("b?", ["b*", "b1"])):
        found = rows(ndcg, "a", asked, "-m", "RR")
        assert [row["candidate"] for row in found] == names
    assert rows(ndcg, "b*", "a", "-m", "RR")[0]["baseline"] == "b*"


@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize(
    ("order", "names"),
    [
        ("difference", ["better", "worse"]),
        ("value", ["better", "worse"]),
        ("p", ["worse", "better"]),
        ("name", ["better", "worse"]),
    ],
)
def test_candidates_are_sorted_by_the_first_measure(
    ndcg: Command, order: str, names: list[str]
) -> None:
    asked = ("base", "worse", "better", "-m", "nDCG@5", "-m", "RR")
    unsorted = rows(ndcg, *asked)
    assert [row["candidate"] for row in unsorted[::2]] == ["worse", "better"]
    found = rows(ndcg, *asked, "--sort", order)
    assert [row["candidate"] for row in found[::2]] == names
    assert sorted(map(str, found)) == sorted(map(str, unsorted))
    # What is not shown is tested all the same.
    assert rows(ndcg, *asked, "--sort", order, "--limit", "1") == found[:2]
    assert "in 4 comparisons" in ndcg("compare", *asked, "--limit", "1").out
    sliced = rows(ndcg, *asked, "--by", "device", "--sort", order)
    if order == "difference":
        assert [row["candidate"] for row in sliced[::2]] == names * 2


REFUSED = {
    "bse better": 'no run "bse"; did you mean "base", "worse"?',
    "base better base": 'run "base" would be compared with itself; name another',
    "base beter": 'no run "beter"; did you mean "better"?',
    "*e better": 'run "*e": 3 runs match, "base", "worse", "elsewhere"; name one',
    "base b*e": 'run "base" would be compared with itself; name another',
    "base x* --dataset default": 'no run "x*"; known: "base", "better", "worse", "far"',
    "base better --sort z": "--sort z: not one of difference, value, p, name",
    "base better -q --limit 3": "--per-query: cannot be combined with --sort, --limit",
    "base far": 'runs "base" and "far" answered no judged query in common',
    "base elsewhere": 'run "base" belongs to dataset "default", run "elsewhere" to "o',
    "base better --by devce": "--by devce: no query has this attribute; did you mean ",
    "base better --judgments x": 'no judgment set "x"; known: "qrels"',
    "base better --alpha 1": "--alpha 1: must be above 0 and below 1",
    "base better --resamples 9": "--resamples 9: must be from 100 to 1000000",
    "base better --seed -1": "--seed -1: must be 0 or more",
    "base better --test z": "--test z: not one of randomization, t, bootstrap, wilcox",
    "base better --correct tukey --test t": "--correct tukey: is a test of its own; o",
    "base better --correct z": "--correct z: not one of holm, bonferroni, bh, tukey, ",
    "base": 'compare: no CANDIDATE; known: "better", "worse", "far"\nsuch as ndcg-sql ',
}


@pytest.mark.usefixtures("runs")
def test_what_cannot_be_compared_is_refused(ndcg: Command) -> None:
    with Warehouse.write("ndcg.duckdb") as own:
        own.load_run({"q98": ["a"], "q99": ["a"]}, "far", dataset="default")
        own.load_judgments({"q00": {"d1": 1}}, "qrels", dataset="other")
        own.load_run({"q00": ["d1"]}, "elsewhere", dataset="other")
    for arguments, message in REFUSED.items():
        assert ndcg("compare", *arguments.split()).refusal.startswith(message)
    # The first run decides which dataset is meant.
    with Warehouse.write("ndcg.duckdb") as own:
        own.load_run({"q00": ["d1"]}, "far", dataset="other")
    assert ndcg("compare", "elsewhere", "far", "-m", "RR").code == 0


@pytest.mark.usefixtures("runs")
def test_the_columns_are_those_that_attributes_may_not_have(ndcg: Command) -> None:
    found = {*rows(ndcg, "base", "better")[0], *rows(ndcg, "base", "better", "-q")[0]}
    assert {*found, "slice", "attribute"} == set(compare._COLUMNS)  # pyright: ignore[reportPrivateUsage]
