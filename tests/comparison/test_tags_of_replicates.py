"""Which runs are replicates of which system: by their tags, names and sources."""

import random

import pytest

from ndcg_sql.python.warehouse import Warehouse
from support import exploring
from support.commands import Command, records
from support.files import shown

pytestmark = pytest.mark.mostly_slow

SEEDS = ("1", "2", "3")
RANKED = {q: {"b": 2.0, "a": 1.0} for q in "qp"}


def load(own: Warehouse, *models: str) -> None:
    """Load three seeds of each model, with their tags, and judgments."""
    for model in models:
        for seed in SEEDS:
            tags = {"seed": seed, "model": model}
            own.load_run(RANKED, f"{model}-{seed}", tags=tags)
    own.load_judgments({"q": {"a": 1}, "p": {"b": 1}})


@pytest.mark.usefixtures("here")
def test_models_that_no_tag_tells_apart_are_refused(ndcg: Command) -> None:
    with Warehouse.write("ndcg.duckdb") as own:
        load(own, "als", "ease")
        own.tag("*", {"model": ""})
    told = 'runs "als-1" and "ease-1" are both seed=1 of one system; give them another'
    for asked in (
        ("report",),
        ("compare", "als-1", "ease-1"),
        ("gate", "als-1", "ease-1"),
    ):
        refusal = ndcg(*asked, "--over", "seed").refusal
        assert refusal.startswith(f"--over seed: {told} tag, such as: ndcg-sql tag run")
        assert refusal.endswith(" ease-1 model=NAME\n")
    report = ("report", "-m", "AP", "--over", "seed", "--format", "csv")
    for model, others in (("als", "(no other tag)"), ("ease", "model=ease")):
        assert ndcg("tag", "run", f"{model}-*", f"model={model}").code == 0
        lines = ndcg(*report).out.splitlines()[1:]
        assert [line.split(",")[0] for line in lines] == ["model=als", others]


def systems(own: Warehouse) -> dict[str, int]:
    """Return the systems over seeds, each with the number of its replicates."""
    rows = own.report("AP", over="seed")
    return {row["system"]: row["replicates"] for row in rows}


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_runs_fused_for_each_seed_are_replicates() -> None:
    with Warehouse.memory() as own:
        load(own, "small", "large", "new")
        own.load_run(RANKED, "alone")
        for seed in SEEDS:
            names = [f"small-{seed}", f"large-{seed}"]
            own.fuse(names, f"both-{seed}")
            own.fuse(names, f"sum-{seed}", method="sum")
            # A source without the tag counts by its name; the new run has no seed.
            with_one = ["alone", f"small-{seed}"]
            own.fuse(with_one, f"one-{seed}", tags={"seed": seed})
            # Another model in place of one of them is another system.
            own.fuse([f"small-{seed}", f"new-{seed}"], f"new-both-{seed}")
        own.tag("new-both-1", {"seed": ""})
        tags = "select tag, tag_value from run_tags where run = 'both-2'"
        assert dict(own.connection.execute(tags).fetchall()) == {
            **{"fusion": "rrf", "k": "60", "seed": "2", "sources": "small-2, large-2"},
        }
        both = "(model=small) + (model=large)"
        assert systems(own) == {
            **{"model=small": 3, "model=large": 3, "model=new": 3},
            f"fusion=rrf, k=60, sources={both}": 3,
            f"fusion=sum, norm=min-max, sources={both}": 3,
            "fusion=rrf, k=60, sources=alone + (model=small)": 3,
            "fusion=rrf, k=60, sources=(model=small) + (model=new)": 2,
        }
        [row] = own.compare("small-1", "both-1", "AP", over="seed")
        each = [row["value"] for row in own.report("AP", runs="both-?")]
    assert row["candidate_value"] == pytest.approx(sum(each) / 3)


SEEING = ("leaderboard", "plot values -o f.svg", "plot leaderboard -o l.svg")


@pytest.mark.parametrize("command", exploring.mostly_slow(SEEING, SEEING[0]))
def test_seeds_seen_as_runs_are_told(ndcg: Command, command: str) -> None:
    with Warehouse.write("ndcg.duckdb") as own:
        load(own, "small", "large")
        own.load_run(RANKED, "alone")

    def told(*names: str) -> list[str]:
        named = [word for name in names for word in ("--run", name)]
        runs = names if command.startswith("plot") else named
        err = ndcg(*command.split(), "-m", "AP", *runs).err
        return [line for line in err.splitlines() if "by itself" in line]

    assert told("small-1", "small-2", "large-1", "large-2", "large-3", "alone") == [
        '2 runs of "model=small" differ in tag "seed" alone, and each counts by itself;'
        " report and compare take means over them with --over seed"
    ]
    # Runs of one seed each are not.
    assert told("large-1", "alone") == []


def fuse_each(own: Warehouse, **names: str) -> None:
    """Load a run of each model for two seeds, by names with their place, and fuse."""
    own.load_judgments({"q": {"a": 1}})
    for seed in "12":
        for model, name in names.items():
            tags = {"seed": seed, "model": model}
            own.load_run({"q": ["b", "a"]}, name.format(seed), tags=tags)
        own.fuse([name.format(seed) for name in names.values()], f"f{seed}")


def test_sources_are_renamed_or_told_to_be_gone(ndcg: Command) -> None:
    with Warehouse.write("ndcg.duckdb") as own:
        # A name that is within another one is left as it is.
        fuse_each(own, m="m{}", n="n{}", x="n{}x")
        own.rename("run", "m1", "the first, again")
        own.rename("run", "n1", "m1")
    sources = "select tag_value from run_tags where tag = 'sources'"
    assert sorted(shown(sources)) == [
        ('"the first, again", m1, n1x',),
        ("m2, n2, n2x",),
    ]
    assert ndcg("rename", "run", "the first, again", "n1").code == 0
    report = ("report", "-m", "AP", "--over", "seed")
    assert [row["replicates"] for row in records(ndcg, *report)] == [2, 2, 2, 2]
    assert ndcg(*report).err == ""
    assert ndcg("remove", "run", "m2").code == 0
    warned = (
        'warning: run "f2": fused of "m2", which is gone and whose tags are not'
        " known: what is fused of it is a system of its own\n"
    )
    assert ndcg(*report).err == warned
    compared = ndcg("compare", "f1", "f2", "--over", "seed", "-m", "AP")
    assert compared.err.startswith(warned)


# Names that would be read as two, or as what is between quotation marks.
ODD = ("als, deep", "ends,", '"als"', "a,b", '", "')


@pytest.mark.parametrize("odd", exploring.mostly_slow(ODD, ODD[0]))
def test_a_source_of_any_name_is_one(odd: str) -> None:
    with Warehouse.memory() as own:
        fuse_each(own, m="m{}", n=odd + "{}")
        # A name that ends as it begins, and is last or first.
        own.rename("run", odd + "1", odd)
        own.fuse([odd, "m1"], "turned", method="isr")
        own.rename("run", "m1", "first")
        assert systems(own) == {
            **{"model=m": 2, "model=n": 2},
            "fusion=rrf, k=60, sources=(model=m) + (model=n)": 2,
            "fusion=isr, sources=(model=n) + (model=m)": 1,
        }


def test_what_is_tuned_for_each_seed_does_not_tell_replicates_apart() -> None:
    drawn = random.Random(11)
    documents = [f"d{i}" for i in range(8)]
    queries = [f"q{i}" for i in range(12)]
    models = ("small", "large")
    with Warehouse.memory() as own:
        own.load_judgments(
            {q: {d: drawn.choice([0, 1]) for d in documents} for q in queries}
        )
        for seed in SEEDS:
            names = [f"{model}-{seed}" for model in models]
            for model, name in zip(models, names, strict=True):
                ranked = {q: {d: drawn.random() for d in documents} for q in queries}
                own.load_run(ranked, name, tags={"seed": seed, "model": model})
            own.fuse(names, f"tuned-{seed}", method="weighted", tune="AP")
        sql = "select count(distinct tag_value) from run_tags where tag = 'weights'"
        [(different,)] = own.connection.execute(sql).fetchall()
        assert different > 1
        tuned = (
            "fusion=weighted, norm=min-max, sources=(model=small) + (model=large),"
            " tuned=AP, tuned_on=5 folds"
        )
        assert systems(own) == {"model=small": 3, "model=large": 3, tuned: 3}
