"""Runs that differ in a tag only are replicates of a system."""

import json
import random
import shlex
import warnings
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from support import exploring
from support.commands import Command, Once
from support.files import shown

pytestmark = pytest.mark.mostly_slow

# scipy imports its parts, which takes a second, where they are used.
scipy: Any = import_module("scipy")

SYSTEMS = ("small", "large")
SEEDS = ("1", "2", "3")


@pytest.fixture
def seeds(here: Path, once: Once) -> Warehouse:  # noqa: ARG001 - where it is made
    """Make two systems of three seeds and two folds, and a run without any.

    The last query is in no fold.
    """

    def fill() -> None:
        drawn = random.Random(7)
        documents = [f"d{i}" for i in range(8)]
        queries = [f"q{i}" for i in range(5)]
        judged = {
            q: {d: float(drawn.choice([0, 1, 2])) for d in documents} for q in queries
        }

        def ranked() -> dict[str, dict[str, float]]:
            return {q: {d: drawn.random() for d in documents} for q in queries}

        with Warehouse.write("ndcg.duckdb") as own:
            for model in SYSTEMS:
                for seed in SEEDS:
                    tags = {"seed": seed, "model": model}
                    own.load_run(ranked(), f"{model}-{seed}", tags=tags)
            own.load_run(ranked(), "alone", tags={"model": "alone"})
            for model in SYSTEMS:
                for fold in range(2):
                    own.load_run(
                        {q: ranked()[q] for q in queries[fold:-1:2]},
                        f"{model}-fold{fold}",
                        tags={"fold": str(fold), "model": model},
                    )
            # Loaded last, they are evaluated with all runs at once.
            own.load_judgments(judged)

    once(fill)
    return Warehouse("ndcg.duckdb")


def test_a_report_over_seeds_has_mean_deviation_and_count(
    ndcg: Command, seeds: Warehouse
) -> None:
    result = ndcg("report", "-m", "nDCG@5 AP", "--over", "seed", "--format", "json")
    assert result.code == 0
    assert '5 runs without the tag "seed" omitted\n' in result.err
    found = json.loads(result.out)
    reported: Any = seeds.report("nDCG@5 AP").df()
    values = reported.set_index(["run", "measure"])["value"]
    assert [(row["system"], row["measure"]) for row in found] == [
        (f"model={model}", measure) for model in SYSTEMS for measure in ("nDCG@5", "AP")
    ]
    for row in found:
        model = row["system"].removeprefix("model=")
        own = [values[f"{model}-{seed}", row["measure"]] for seed in SEEDS]
        assert row["value"] == pytest.approx(np.mean(own), abs=1e-12)
        assert row["deviation"] == pytest.approx(np.std(own, ddof=1), abs=1e-12)
        assert (row["least"], row["greatest"]) == (min(own), max(own))
        assert (row["replicates"], row["n"]) == (3, 5)
        counts = ("answered", "unanswered", "no_relevant")
        assert [row[name] for name in counts] == [5, 0, 0]
    with pytest.warns(UserWarning, match="without the tag"):
        frame: Any = seeds.report("nDCG@5 AP", over="seed").df()
    assert frame["value"].tolist() == [row["value"] for row in found]


@pytest.mark.quick
def test_a_report_over_replicates_counts_queries_without_answer_or_relevance(
    ndcg: Command,
) -> None:
    with Warehouse.write("ndcg.duckdb") as own:
        own.load_judgments({"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 0}})
        own.load_run({"q1": ["a"], "q2": ["a"]}, "m-1", tags={"seed": "1"})
        own.load_run({"q1": ["b"]}, "m-2", tags={"seed": "2"})
        [row] = own.report("AP", over="seed").relation.fetchall()
        names = own.report("AP", over="seed").relation.columns
    found = dict(zip(names, row, strict=True))
    assert found["value"] == (2 / 3 + 0) / 2
    expected = {"n": 3, "answered": 1, "unanswered": 2, "no_relevant": 1}
    assert {name: found[name] for name in expected} == expected
    table = ndcg("report", "-m", "AP", "--over", "seed").out
    # On a terminal, the counts that are the same for all are above the table.
    title, headings, _, row = table.splitlines()
    assert title == "dataset default, judgment set judgments"
    assert headings.split(maxsplit=6)[:6] == [
        *("system", "measure", "mean", "deviation", "least", "greatest"),
    ]
    assert headings.endswith("replicates   queries   unanswered   nothing relevant")
    assert row.split()[-4:] == ["2", "3", "2", "1"]
    short = ndcg("report", "-m", "AP", "--over", "seed", "--counts", "short").out
    assert short.splitlines()[1].endswith("replicates   queries")


@pytest.mark.parametrize("by", [["device"], ["device", "place"]])
def test_slices_have_means_over_seeds_of_their_own(
    ndcg: Command, seeds: Warehouse, by: list[str]
) -> None:
    # Nobody knows the device of the last two queries.
    told = "query_id,device,place\nq0,phone,a\nq1,phone,b\nq2,tablet,a\nq9,phone,a\n"
    Path("queries.csv").write_text(told)
    assert ndcg("load", "queries", "queries.csv").code == 0
    options = [word for name in by for word in ("--by", name)]
    asked = ("report", "-m", "nDCG@5 AP", "--over", "seed", *options)
    found = json.loads(ndcg(*asked, "--format", "json").out)
    single: Any = seeds.report("nDCG@5 AP", runs=["small-?", "large-?"], by=by).df()
    single["system"] = "model=" + single["run"].str.removesuffix("-1").str[:5]
    keys = ["system", *by, "measure"]
    expected = single.groupby(keys, dropna=False, sort=False)["value"]
    assert len(found) == expected.ngroups
    for row in found:
        [own] = [
            group
            for key, group in expected
            if [None if part != part else part for part in key]
            == [row[name] for name in keys]
        ]
        assert row["value"] == pytest.approx(own.mean(), abs=1e-12)
        assert row["deviation"] == pytest.approx(own.std(), abs=1e-12)
        assert (row["least"], row["greatest"]) == (own.min(), own.max())
        assert row["replicates"] == 3
    sizes = {tuple(row[name] for name in by): row["n"] for row in found}
    assert sum(sizes.values()) == 5
    with pytest.warns(UserWarning, match="without the tag"):
        rows = list(seeds.report("nDCG@5 AP", over="seed", by=by))
    assert [{**row} for row in rows] == found


def test_what_is_no_replicate_is_refused_by_both_faces(
    ndcg: Command, seeds: Warehouse
) -> None:
    assert ndcg("report", "--over", "sed").refusal == (
        '--over sed: none of these runs has it; did you mean "seed"?\n'
    )
    result = ndcg("report", "--over", "seed", "-q")
    assert result.err.startswith("--over: cannot be combined with --per-query, --s")
    with pytest.raises(NdcgSqlError, match=r"^over: cannot be combined with per_q"):
        seeds.report(over="seed", sort="AP")
    result = ndcg("report", "--over", "seed", "--html", "page.html")
    assert result.err == (
        "--html: a page shows runs, not means over replicates; omit --over for a page"
        " of every replicate\n"
    )
    seeds.load_run({"q1": {"d1": 1.0}}, "again", tags={"seed": "1", "model": "small"})
    told = 'runs "small-1" and "again" are both seed=1 of one system; give them another'
    result = ndcg("report", "--over", "seed")
    again = "ndcg-sql tag run again model=NAME"
    assert result.err == f"--over seed: {told} tag: {again}\n"
    with pytest.raises(NdcgSqlError) as error:
        seeds.report(over="seed")
    assert str(error.value).startswith(f'over="seed": {told}')
    # The way out: a tag that tells the two apart.
    seeds.tag("again", {"model": "other"})
    assert ndcg("report", "--over", "seed").code == 0


# Names of the runs of two models, and the calls that tag those of each.
NAMES = {
    "{}/{}": ("als/*", "ease/*"),
    "{}-seed{}": ("als-seed*", "ease-seed*"),
    "{}_{}": ("als_*", "ease_*"),
}


def without_models(pattern: str, firsts: tuple[int, int] = (1, 1)) -> None:
    """Write a warehouse with two seeds of two models, whose only tag is the seed."""
    with Warehouse.write("ndcg.duckdb") as own:
        own.load_judgments({"q": {"a": 1}, "p": {"b": 1}})
        for model, first in zip(("als", "ease"), firsts, strict=True):
            for seed in (first, first + 1):
                ranked = {"q": ["b", "a"], "p": ["b", "a"]}
                own.load_run(
                    ranked, pattern.format(model, seed), tags={"seed": str(seed)}
                )


@pytest.mark.parametrize("pattern", exploring.mostly_slow(NAMES, "{}/{}"))
@pytest.mark.usefixtures("here")
def test_models_that_only_names_tell_apart_are_tagged_as_told(
    ndcg: Command, pattern: str
) -> None:
    without_models(pattern)
    first, second = (pattern.format(model, 1) for model in ("als", "ease"))
    als, ease = NAMES[pattern]
    told = f'runs "{first}" and "{second}" are both seed=1 of one system; give them'
    commands = [f"tag run '{als}' model=als", f"tag run '{ease}' model=ease"]
    message = f"{told} another tag: {', then '.join(f'ndcg-sql {c}' for c in commands)}"
    for asked in (("report",), ("compare", first, second), ("gate", first, second)):
        assert ndcg(*asked, "--over", "seed").refusal == f"--over seed: {message}\n"
    calls = [f'tag("{als}", {{"model": "als"}})', f'tag("{ease}", {{"model": "ease"}})']
    with Warehouse("ndcg.duckdb") as own, pytest.raises(NdcgSqlError) as error:
        own.report(over="seed")
    assert str(error.value).endswith(f"another tag: {', then '.join(calls)}")
    report = ("report", "-m", "AP", "--over", "seed", "--format", "csv")
    for command, systems in zip(
        commands,
        (["model=als", "(no other tag)"], ["model=als", "model=ease"]),
        strict=True,
    ):
        assert ndcg(*shlex.split(command)).code == 0
        lines = ndcg(*report).out.splitlines()[1:]
        assert [line.split(",")[0] for line in lines] == systems


@pytest.mark.usefixtures("here")
def test_a_pattern_that_matches_other_runs_is_not_told(ndcg: Command) -> None:
    without_models("{}-{}")
    told = "another tag: ndcg-sql tag run "
    with Warehouse.write("ndcg.duckdb") as own:
        own.load_run({"q": ["a"]}, "als-wide-1", tags={"model": "als-wide"})
    err = ndcg("report", "--over", "seed").err
    assert err.endswith(f"{told}ease-1 model=NAME\n")
    with Warehouse.write("ndcg.duckdb") as own:
        own.remove("run", "als-wide-1")
        own.load_run({"q": ["a"]}, "als-1", dataset="other")
    err = ndcg("report", "--over", "seed").err
    assert err.endswith(
        f"{told}'als-*' model=als --dataset default, then"
        " ndcg-sql tag run 'ease-*' model=ease --dataset default\n"
    )


def values(warehouse: Warehouse, measure: str, runs: list[str]) -> NDArray[np.float64]:
    """Return the values of runs: a row for each run, queries in their order."""
    frame: Any = warehouse.report(measure, runs=runs, per_query=True).df()
    table = frame.pivot_table(
        index="run", columns="query_id", values="value", dropna=False
    )
    return table.loc[runs].to_numpy()


@pytest.mark.parametrize("measure", ["nDCG@5", "RR(missing='omit')"])
def test_seeds_are_compared_by_their_means_of_each_query(
    ndcg: Command, seeds: Warehouse, measure: str
) -> None:
    # A seed without an answer to a query: 0 there, or no value if that is omitted.
    short = {q: {"d1": 1.0, "d2": 0.5} for q in ("q0", "q1", "q2")}
    seeds.load_run(short, "large-4", tags={"seed": "4", "model": "large"})
    asked = ("small-2", "large-1", "--over", "seed", "-m", measure)
    result = ndcg("compare", *asked, "--format", "json")
    assert result.code == 0
    (row,) = json.loads(result.out)
    small = values(seeds, measure, [f"small-{s}" for s in SEEDS])
    large = values(seeds, measure, [f"large-{s}" for s in (*SEEDS, "4")])
    first, second = np.nanmean(small, axis=0), np.nanmean(large, axis=0)
    tested = scipy.stats.ttest_rel(second, first)
    interval = tested.confidence_interval(0.95)
    assert (row["baseline"], row["candidate"]) == ("model=small", "model=large")
    assert row["n"] == 5
    assert row["baseline_value"] == pytest.approx(first.mean(), abs=1e-12)
    assert row["candidate_value"] == pytest.approx(second.mean(), abs=1e-12)
    assert row["p_t"] == pytest.approx(tested.pvalue, abs=1e-12)
    assert (row["ci_low"], row["ci_high"]) == pytest.approx(tuple(interval))
    told = '"model=large": 2 judged queries without an answer from some replicates\n'
    assert result.err == told
    with pytest.warns(UserWarning, match="from some replicates"):
        queries: Any = seeds.compare(
            "model=small", "model=large", measure, over="seed", per_query=True
        ).df()
    found = queries.set_index("query_id")["difference"].sort_index().to_numpy()
    assert found == pytest.approx(second - first, abs=1e-12)


@pytest.mark.quick
def test_each_query_of_folds_counts_once(ndcg: Command, seeds: Warehouse) -> None:
    result = ndcg("compare", "small-fold*", "large-fold1", "--over", "fold")
    assert "each system: 2 replicates, each query from the one that answered\n" in (
        result.out
    )
    assert "intervals and p cover other queries, not other replicates\n" in result.out
    # The last query is in no fold.
    assert result.err.splitlines() == [
        f'run "model={model}": 1 judged query without an answer' for model in SYSTEMS
    ]
    asked = ("model=small", "model=large", "--over", "fold", "-m", "AP")
    (row,) = json.loads(ndcg("compare", *asked, "--format", "json").out)
    # A query that a fold did not answer has the value 0 there.
    first, second = (
        values(seeds, "AP", [f"{model}-fold0", f"{model}-fold1"]).sum(axis=0)
        for model in SYSTEMS
    )
    assert row["n"] == 5
    assert row["baseline_value"] == pytest.approx(first.mean(), abs=1e-12)
    assert row["difference"] == pytest.approx((second - first).mean(), abs=1e-12)
    p = scipy.stats.ttest_rel(second, first).pvalue
    assert row["p_t"] == pytest.approx(p, abs=1e-9)
    assert row["baseline_judged_at_k"] == pytest.approx(0.8)


def test_systems_of_replicates_are_corrected_and_limited_as_runs_are(
    ndcg: Command, seeds: Warehouse
) -> None:
    for seed in SEEDS:
        seeds.tag(f"small-{seed}", {"size": "1"})
    seeds.load_run({"q0": {"d1": 1.0}}, "x1", tags={"seed": "1", "model": "x"})
    asked = ("compare", "small-1", "*", "--over", "seed", "-m", "nDCG@5")
    for more in (("--correct", "tukey"), ("--sort", "value", "--limit", "1")):
        result = ndcg(*asked, *more, "--no-queries", "--format", "json")
        assert result.code == 0, result.err
        rows = json.loads(result.out)
        assert {row["baseline"] for row in rows} == {"model=small, size=1"}
        assert [row["candidate"] for row in rows][:1] == ["model=large"]
        assert len(rows) == (1 if "--limit" in more else 2)


@pytest.mark.usefixtures("seeds")
def test_what_is_no_system_is_refused(ndcg: Command) -> None:
    refusals = {
        ("small-1", "small-2"): (
            '--over seed: "model=small" would be compared with itself; name a run with'
            " other tags"
        ),
        ("small-1", "alone"): (
            '--over seed: run "alone" does not have this tag; systems that have it:'
            ' "model=small", "model=large"; if it has one replicate: ndcg-sql tag run'
            " alone seed=1"
        ),
        ("[sl]*-1", "alone"): (
            'run "[sl]*-1": 2 systems match, "model=small", "model=large"; name one'
            " run of one dataset"
        ),
    }
    refusals["small-1", "large"] = (
        '--over seed: no system and no run "large"; did you mean "model=large"?'
    )
    refusals["small-1", "huge"] = (
        '--over seed: no system and no run "huge"; known: "model=small", "model=large"'
    )
    for names, message in refusals.items():
        result = ndcg("compare", *names, "--over", "seed")
        assert result.refusal == message + "\n"
    result = ndcg("compare", "small-1", "large-1", "--over", "seed", "--by", "x")
    assert result.err.startswith("--by x: no query has this attribute")
    result = ndcg("compare", "small-1", "large-1", "--over", "seed", "--html", "p.html")
    assert result.err.startswith("--html: a page shows runs, not means over replicates")
    assert ndcg("compare", "small-1", "large-1", "--over", "fold").code == 2


@pytest.mark.parametrize("tag", ["seed", "fold"])
def test_a_gate_decides_on_the_means_that_are_compared(
    ndcg: Command, seeds: Warehouse, tag: str
) -> None:
    names = ("model=small", "model=large")
    with warnings.catch_warnings():
        # In folds, a query has no answer.
        warnings.simplefilter("ignore")
        result: Any = seeds.compare(*names, "nDCG@5 AP", over=tag, correct="none")
    compared = result.df()
    asked = ("gate", *names, "-m", "nDCG@5 AP", "--correct", "none", "--strict")
    most = -compared["difference"].min()
    for allowed, code in ((most + 1e-3, 0), (max(most - 1e-3, 0), int(most > 0))):
        drop = ("--over", tag, "--max-drop", repr(float(allowed)))
        assert ndcg(*asked, *drop).code == code
    least = float(compared["candidate_value"][0])
    limits = ("--min", f"nDCG@5={least - 1e-3}", "--min", "AP=1")
    result = ndcg(*asked, "--over", tag, "--max-drop", "1", *limits, "--format", "json")
    rows = json.loads(result.out)
    for row, wanted in zip(rows[:2], compared.to_dict("records"), strict=True):
        for name in ("baseline", "candidate", "measure", "n"):
            assert row[name] == wanted[name]
        for name in ("baseline_value", "candidate_value", "difference"):
            assert row[name] == pytest.approx(wanted[name], abs=1e-12)
    assert [row["outcome"] for row in rows[2:]] == ["pass", "fail"]
    values = [row["candidate_value"] for row in rows[2:]]
    assert values == pytest.approx(compared["candidate_value"].tolist(), abs=1e-12)
    told = ndcg(*asked, "--over", tag).out
    assert "intervals and p cover other queries, not other replicates\n" in told
    Path("gate.toml").write_text(f'over = "{tag}"\nmax-drop = 1\n')
    from_file = ndcg(*asked, "--config", "gate.toml", "--format", "json").out
    assert json.loads(from_file) == rows[:2]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert seeds.gate(*names, "AP", over=tag, max_drop=1).passed


def test_runs_fused_for_each_seed_are_replicates(
    ndcg: Command, seeds: Warehouse
) -> None:
    for seed in SEEDS:
        names = [f"small-{seed}", f"large-{seed}"]
        seeds.fuse(names, f"both-{seed}")
        fused = ndcg("fuse", *names, "--name", f"sum-{seed}", "--method", "sum")
        assert fused.code == 0
        # A source without the tag counts by its name; the new run has no seed itself.
        with_one = ["alone", f"small-{seed}"]
        seeds.fuse(with_one, f"one-{seed}", tags={"seed": seed})
        # Another model in place of one of them is another system.
        seeds.load_run({"q1": {"d1": 1.0}}, f"new-{seed}", tags={"seed": seed})
        seeds.tag(f"new-{seed}", {"model": "new"})
        seeds.fuse([f"small-{seed}", f"new-{seed}"], f"new-both-{seed}")
    seeds.tag("new-both-1", {"seed": ""})
    tags = "select tag, tag_value from run_tags where run = 'both-2' order by tag"
    assert dict(shown(tags)) == {
        **{"fusion": "rrf", "k": "60", "seed": "2", "sources": "small-2, large-2"},
    }
    result = ndcg("report", "-m", "nDCG@5", "--over", "seed", "--format", "json")
    rows = {row["system"]: row for row in json.loads(result.out)}
    both = "(model=small) + (model=large)"
    counts = {system: row["replicates"] for system, row in rows.items()}
    assert counts == {
        **{"model=small": 3, "model=large": 3, "model=new": 3},
        f"fusion=rrf, k=60, sources={both}": 3,
        f"fusion=sum, norm=min-max, sources={both}": 3,
        "fusion=rrf, k=60, sources=alone + (model=small)": 3,
        "fusion=rrf, k=60, sources=(model=small) + (model=new)": 2,
    }
    runs = [f"both-{seed}" for seed in SEEDS]
    frame: Any = seeds.report("nDCG@5", runs=runs).df()
    each: NDArray[np.float64] = frame["value"].to_numpy()
    row = rows[f"fusion=rrf, k=60, sources={both}"]
    assert row["value"] == pytest.approx(each.mean(), abs=1e-12)
    assert row["deviation"] == pytest.approx(each.std(ddof=1), abs=1e-12)
    compared: Any = seeds.compare("small-1", "both-1", "nDCG@5", over="seed").df()
    assert compared["candidate_value"].tolist() == [pytest.approx(row["value"])]


@pytest.mark.parametrize(
    "command",
    [
        ("leaderboard", "-m", "nDCG@5"),
        ("plot", "values", "-m", "nDCG@5", "-o", "f.svg"),
        ("plot", "leaderboard", "-m", "nDCG@5", "-o", "l.svg"),
    ],
)
def test_who_sees_each_seed_as_a_run_is_told_of_means(
    ndcg: Command, seeds: Warehouse, command: tuple[str, ...]
) -> None:
    small = ("small-1", "small-2")
    named = [("--run", n) for n in (*small, "large-1", "large-2", "large-3", "alone")]
    runs = [word for pair in named for word in pair]
    if command[0] == "plot":
        runs = runs[1::2]
    done = ndcg(*command, *runs)
    [line] = [one for one in done.err.splitlines() if "by itself" in one]
    begin = '2 runs of "model=small" differ in tag "seed" alone, and each counts by'
    assert line.startswith(begin)
    report, _, compare = line.partition("for means over them: ")[2].partition(
        ", to test those: "
    )
    assert "model=small" in ndcg(*shlex.split(report)[1:]).out
    assert ndcg(*shlex.split(compare)[1:]).code == 0
    # Runs of one seed each are not.
    one = ["large-1", "alone"]
    more = one if command[0] == "plot" else ["--run", "large-1", "--run", "alone"]
    assert "by itself" not in ndcg(*command, *more).err
    assert seeds.leaderboard("AP", runs=one)


def test_a_source_that_is_renamed_stays_one_and_one_that_is_removed_is_told(
    ndcg: Command,
) -> None:
    with Warehouse.write("ndcg.duckdb") as own:
        own.load_judgments({"q": {"a": 1}})
        for seed in "12":
            for model in ("m", "n"):
                tags = {"seed": seed, "model": model}
                own.load_run({"q": ["b", "a"]}, f"{model}{seed}", tags=tags)
            # A name that is within another one is left as it is.
            tags = {"seed": seed, "model": "x"}
            own.load_run({"q": ["b", "a"]}, f"n{seed}x", tags=tags)
            own.fuse([f"m{seed}", f"n{seed}", f"n{seed}x"], f"f{seed}")
        own.rename("run", "m1", "the first, again")
        own.rename("run", "n1", "m1")
        fused = own.query(
            "select tag_value from run_tags where tag = 'sources'"
        ).relation.fetchall()
        assert sorted(fused) == [
            ('"the first, again", m1, n1x',),
            ("m2, n2, n2x",),
        ]
        own.rename("run", "the first, again", "n1")
    report = ("report", "-m", "AP", "--over", "seed", "--format", "json")
    told = ndcg(*report)
    assert told.err == ""
    counts = [row["replicates"] for row in json.loads(told.out)]
    assert sorted(counts) == [2, 2, 2, 2]
    assert ndcg("remove", "run", "m2").code == 0
    warned = (
        'warning: run "f2": fused of "m2", which is gone and whose tags are not'
        " known; the fused run counts as a system of its own\n"
    )
    assert ndcg(*report).err == warned
    compared = ndcg("compare", "f1", "f2", "--over", "seed", "-m", "AP")
    assert compared.err.startswith(warned)


# Names that would be read as two, or as what is between quotation marks.
ODD = ("als, deep", "ends,", '"als"', "a,b", '", "')


@pytest.mark.parametrize("odd", exploring.mostly_slow(ODD, ODD[0]))
def test_a_source_of_any_name_is_one(odd: str) -> None:
    with Warehouse.memory() as own:
        own.load_judgments({"q": {"a": 1}})
        for seed in "12":
            for model, name in (("m", f"m{seed}"), ("n", odd + seed)):
                tags = {"seed": seed, "model": model}
                own.load_run({"q": ["b", "a"]}, name, tags=tags)
            own.fuse([f"m{seed}", odd + seed], f"f{seed}")
        # A name that ends as it begins, and is last or first.
        own.rename("run", odd + "1", odd)
        own.fuse([odd, "m1"], "turned", method="isr")
        own.rename("run", "m1", "first")
        rows: Any = own.report("AP", over="seed").df()
    both = "(model=m) + (model=n)"
    assert rows["replicates"].tolist() == [2, 2, 2, 1]
    assert rows["system"].tolist()[2:] == [
        f"fusion=rrf, k=60, sources={both}",
        "fusion=isr, sources=(model=n) + (model=m)",
    ]


def test_what_is_tuned_for_each_seed_does_not_tell_replicates_apart() -> None:
    drawn = random.Random(11)
    documents = [f"d{i}" for i in range(8)]
    queries = [f"q{i}" for i in range(12)]

    def ranked() -> dict[str, dict[str, float]]:
        return {q: {d: drawn.random() for d in documents} for q in queries}

    with Warehouse.memory() as own:
        own.load_judgments(
            {q: {d: drawn.choice([0, 1]) for d in documents} for q in queries}
        )
        for seed in SEEDS:
            for model in SYSTEMS:
                tags = {"seed": seed, "model": model}
                own.load_run(ranked(), f"{model}-{seed}", tags=tags)
            names = [f"{model}-{seed}" for model in SYSTEMS]
            own.fuse(names, f"tuned-{seed}", method="weighted", tune="AP")
        sql = "select count(distinct tag_value) from run_tags where tag = 'weights'"
        [(different,)] = own.connection.execute(sql).fetchall()
        assert different > 1
        frame: Any = own.report("AP", over="seed").df()
    assert frame["replicates"].tolist() == [3, 3, 3]
    assert frame["system"][2] == (
        "fusion=weighted, norm=min-max, sources=(model=small) + (model=large),"
        " tuned=AP, tuned_on=5 folds"
    )


def _folds(of_model: dict[str, list[float]]) -> Warehouse:
    """Return three folds of two queries a model, with values by query of RR."""
    own = Warehouse.memory()
    own.load_judgments({f"q{n}": {"d": 1} for n in range(6)})
    for model, values in of_model.items():
        for fold in range(3):
            ranked = {
                f"q{n}": [f"x{i}" for i in range(round(1 / value) - 1)] + ["d"]
                for n, value in enumerate(values)
                if n % 3 == fold
            }
            tags = {"model": model, "fold": str(fold)}
            own.load_run(ranked, f"{model}-{fold}", tags=tags)
    return own


def test_a_report_over_folds_counts_no_query_as_unanswered() -> None:
    values = [1, 1 / 2, 1 / 3, 1, 1, 1]
    with _folds({"a": values}) as own:
        with pytest.raises(NdcgSqlError) as refused:
            own.report("RR", over="fold", judgments="judgments")
        assert str(refused.value) == (
            'over="fold": the 3 replicates of "model=a" answered different queries, as'
            " folds do: in a mean of them, each query would count as unanswered 2 of 3"
            " times; for the mean and deviation of folds, each over the queries that it"
            " answered: report(measures=[\"RR(missing='omit')\"],"
            ' judgments="judgments", over="fold")'
        )
        measures = ["RR(missing='omit')"]
        [row] = own.report(measures=measures, judgments="judgments", over="fold")
    folds = [(values[fold] + values[fold + 3]) / 2 for fold in range(3)]
    assert row["value"] == pytest.approx(np.mean(folds))
    assert row["deviation"] == pytest.approx(np.std(folds, ddof=1))
