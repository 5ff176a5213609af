"""The leaderboard: runs in order, intervals, and groups that no test separates."""

import json
import shutil
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ndcg_sql.comparison import leaderboard
from ndcg_sql.comparison.statistics import adjusted
from ndcg_sql.python.warehouse import Warehouse
from ndcg_sql.system import terminal
from support.commands import Command
from support.files import noisy, write_judgments

pytestmark = pytest.mark.mostly_slow

# scipy imports its parts, which takes a second, where they are used.
scipy: Any = import_module("scipy")

Record = dict[str, Any]
QUERIES = [f"q{i:02}" for i in range(30)]
DOCUMENTS = [f"d{i}" for i in range(10)]
NOISES = {"bm25.a": 1.6, "bm25.b": 1.5, "dense": 0.5, "worst": 20.0}
# What scripts rely on, in this order.
PROMISED = [
    *("dataset", "judgment_set", "rank", "run", "measure", "value", "ci_low"),
    *("ci_high", "n", "groups", "judged_at_k"),
]


@pytest.fixture(scope="module")
def ranked_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a warehouse of runs of several qualities, and a copy of one of them."""
    folder = tmp_path_factory.mktemp("ranked")
    random = Random(5)
    grades = (0, 0, 0, 1, 2)
    judged = {q: {d: random.choice(grades) for d in DOCUMENTS} for q in QUERIES}
    lines = [f"{q},{'mobile' if q < 'q20' else ''}" for q in QUERIES]
    (folder / "queries.csv").write_text("\n".join(["query_id,device", *lines]))
    with Warehouse.write(folder / "ndcg.duckdb") as warehouse:
        warehouse.load_judgments(write_judgments(folder / "qrels", judged))
        for name, noise in NOISES.items():
            run = noisy(random, judged, noise)
            warehouse.load_run(run, name)
            if name == "bm25.a":
                warehouse.load_run(run, "copy")
        warehouse.load_queries(folder / "queries.csv")
    return folder / "ndcg.duckdb"


@pytest.fixture
def held(tmp_path: Path, ranked_file: Path) -> Path:
    """Put that warehouse where commands find it."""
    shutil.copyfile(ranked_file, tmp_path / "ndcg.duckdb")
    return tmp_path


def rows(ndcg: Command, *options: str, told: str = "") -> list[Record]:
    """Return the rows of a leaderboard."""
    result = ndcg("leaderboard", *options, "--format", "json")
    assert (result.code, result.err) == (0, told)
    return json.loads(result.out)


@pytest.mark.usefixtures("held")
def test_runs_are_in_the_order_of_the_first_measure(ndcg: Command) -> None:
    found = rows(ndcg, "-m", "RR", "-m", "nDCG@5")
    assert [column for column in found[0] if column in PROMISED] == PROMISED
    first = [row for row in found if row["measure"] == "RR"]
    values = [row["value"] for row in first]
    assert values == sorted(values, reverse=True)
    # Both measures of a run stand together, each with the rank by itself.
    assert [row["run"] for row in found[::2]] == [row["run"] for row in found[1::2]]
    second = sorted(found[1::2], key=lambda row: -row["value"])
    assert [row["rank"] for row in second] == sorted(row["rank"] for row in second)
    reported = json.loads(ndcg("report", "-m", "RR", "--format", "json").out)
    assert {r["run"]: r["value"] for r in first} == {
        r["run"]: r["value"] for r in reported
    }


@pytest.mark.usefixtures("held")
def test_the_interval_is_students(ndcg: Command) -> None:
    asked = ("-m", "nDCG@5", "--format", "json")
    queries = json.loads(ndcg("report", "-q", "--run", "dense", *asked).out)
    values = [row["value"] for row in queries]
    (row,) = rows(ndcg, "-m", "nDCG@5", "--run", "dense", "--alpha", "0.1")
    found = scipy.stats.ttest_1samp(values, 0).confidence_interval(0.9)
    assert (row["ci_low"], row["ci_high"]) == pytest.approx(found)
    assert (row["n"], row["groups"], row["is_best"]) == (30, "a", False)


@pytest.mark.usefixtures("held")
def test_ties_share_a_rank_and_the_best_is_marked_where_it_is_alone(
    ndcg: Command,
) -> None:
    found = {row["run"]: row for row in rows(ndcg, "-m", "nDCG@5")}
    a, copy = found["bm25.a"], found["copy"]
    assert (a["rank"], a["groups"]) == (copy["rank"], copy["groups"])
    tied = [row["run"] for row in found.values() if row["is_tied"]]
    assert tied == ["bm25.a", "copy"]
    # The next rank counts both.
    assert max(row["rank"] for row in found.values()) == 5
    assert [row["run"] for row in found.values() if row["is_best"]] == ["dense"]
    printed = ndcg("leaderboard", "-m", "nDCG@5").out
    assert printed.count(f"{a['rank']}=") == 2
    assert printed.endswith("= same value as another run\n")
    assert f"{found['dense']['value']:.4f}*" in printed
    assert "* significantly better than every other run\n" in printed
    close = ("-m", "nDCG@5", "--run", "bm25.?")
    assert not any(row["is_best"] for row in rows(ndcg, *close))
    assert "*" not in ndcg("leaderboard", *close).out


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize(
    ("options", "column", "method"),
    [
        # Tukey's p is corrected for all pairs, also where compare has one baseline.
        ("--correct tukey", "p_adjusted", "none"),
        ("--test randomization", "p_randomization", "holm"),
        ("--test t", "p_t", "holm"),
    ],
)
def test_runs_share_a_group_iff_compare_does_not_separate_them(
    ndcg: Command, options: str, column: str, method: str
) -> None:
    asked = ("-m", "nDCG@5", "--resamples", "500", *options.split())
    groups = {row["run"]: {*row["groups"]} for row in rows(ndcg, *asked)}
    names = list(groups)
    chances: dict[tuple[str, str], float | None] = {}
    for one in names[:-1]:
        others = [name for name in names if name != one]
        compared = ndcg("compare", one, *others, *asked, "--format", "json").out
        for row in json.loads(compared):
            if names.index(one) < names.index(row["candidate"]):
                chances[one, row["candidate"]] = row[column]
    corrected = adjusted(list(chances.values()), method)
    # The pair of equal runs has no p-value.
    for (one, other), p in zip(chances, corrected, strict=True):
        assert bool(groups[one] & groups[other]) == (p is None or p >= 0.05)


@pytest.mark.usefixtures("held")
def test_slices_have_their_own_ranks_and_groups(ndcg: Command) -> None:
    found = rows(ndcg, "-m", "nDCG@5", "--by", "device")
    assert list(found[0])[:4] == ["dataset", "judgment_set", "device", "rank"]
    for device, n in (("mobile", 20), (None, 10)):
        own = [row for row in found if row["device"] == device]
        assert [row["n"] for row in own] == [n] * 5
        assert own[0]["rank"] == 1
        assert own[0]["groups"].startswith("a")
    printed = ndcg("leaderboard", "-m", "nDCG@5", "--by", "device").out
    assert "(not known)" in printed


@pytest.mark.usefixtures("held")
def test_a_limit_shows_the_first_and_tests_all(ndcg: Command) -> None:
    everything = rows(ndcg, "-m", "nDCG@5")
    told = "2 of 5 runs shown; all of them were tested\n"
    assert rows(ndcg, "-m", "nDCG@5", "--limit", "2", told=told) == everything[:2]
    assert rows(ndcg, "-m", "nDCG@5", "--limit", "9") == everything


@pytest.mark.usefixtures("held")
def test_a_value_that_is_no_mean_has_no_interval_or_group(ndcg: Command) -> None:
    found = rows(ndcg, "-m", "gm_map")
    for row in found:
        nothing = (row["ci_low"], row["groups"], row["is_best"])
        assert nothing == (None, None, None) or nothing == (None, None, False)
        assert row["note"] == "the value is a geometric mean, not a mean"
    printed = ndcg("leaderboard", "-m", "gm_map").out
    assert "\ngm_map: the value is a geometric mean, not a mean\n" in printed


@pytest.mark.usefixtures("held")
def test_a_narrow_terminal_keeps_measures_and_groups_together(
    ndcg: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("leaderboard", "-m", "nDCG@5", "-m", "AP", "-m", "RR")
    asked += ("--resamples", "100")
    # What is equal for all runs stays in the table where there is room.
    assert "   queries   unanswered\n" in ndcg(*asked).out
    monkeypatch.setattr(terminal, "width", lambda: 60)
    lines = ndcg(*asked).out.splitlines()
    assert lines[0] == "dataset default, judgment set qrels"
    assert lines[1] == "judged@5 1.0000, queries 30, unanswered 0"
    headings = [line.split() for line in lines if line.startswith("rank")]
    assert headings == [
        ["rank", "run", "nDCG@5", "95", "%", "interval", "groups"],
        ["rank", "run", "AP", "groups", "RR", "groups"],
    ]
    for name in NOISES:
        assert sum(name in line.split()[:2] for line in lines) == 2
    # The lines below the table fit, too.
    assert max(map(len, lines)) <= 60
    assert "groups: runs that share a letter are not separated (Tukey's" in lines


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--limit 0", "--limit 0: must be 1 or more"),
        ("--limit x", "--limit x: not an integer"),
        ("--run colbert*", 'no run "colbert*"; known: "bm25.a", "copy", "bm25.b", '),
        (
            "--correct tukey --test t",
            "--correct tukey: is a test of its own; omit --te",
        ),
        ("--by devce", "--by devce: no query has this attribute; did you mean "),
    ],
)
def test_what_makes_no_sense_is_refused(
    ndcg: Command, options: str, message: str
) -> None:
    assert ndcg("leaderboard", *options.split()).refusal.startswith(message)


@pytest.mark.quick
@pytest.mark.usefixtures("held")
def test_the_columns_are_those_that_attributes_may_not_have(ndcg: Command) -> None:
    assert {*rows(ndcg)[0], "slice"} == set(leaderboard.COLUMNS)


def test_every_dataset_has_its_own_ranks(ndcg: Command) -> None:
    with Warehouse.write("ndcg.duckdb") as own:
        for dataset in ("one", "two"):
            own.load_judgments({"q": {"a": 1.0}}, dataset=dataset)
            own.load_run({"q": {"a": 1.0}}, "run", dataset=dataset)
    found = rows(ndcg, "-m", "RR")
    assert [(row["dataset"], row["rank"]) for row in found] == [("one", 1), ("two", 1)]
    note = "only one query has a value for every run"
    assert [row["note"] for row in found] == [note] * 2
    printed = ndcg("leaderboard").out
    assert printed.count("dataset ") == 2
    # A note of several measures is told once.
    lines = f"nDCG@10, AP, RR, R@100: {note}\n"
    assert printed.count("only one query") == printed.count(lines) == 2
