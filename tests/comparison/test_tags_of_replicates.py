"""Which runs are replicates of which system: by their tags, names and sources."""

import random
from pathlib import Path

import pytest

from ndcg_sql.python.warehouse import Warehouse
from support.scripts import scripted

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

RANKED = {q: {"b": 2.0, "a": 1.0} for q in "qp"}
_FILE = Path("ndcg.duckdb")


def seeds(*models: str) -> None:
    """Load three seeds of each model, with their tags, and judgments."""
    with Warehouse.write(_FILE) as own:
        for model in models:
            for seed in "123":
                tags = {"seed": seed, "model": model}
                own.load_run(RANKED, f"{model}-{seed}", tags=tags)
        own.load_judgments({"q": {"a": 1}, "p": {"b": 1}})


def fuse_each(own: Warehouse | None = None, **names: str) -> None:
    """Load a run of each model for two seeds, by names with their place, and fuse."""
    own = own or Warehouse(_FILE)
    own.load_judgments({"q": {"a": 1}})
    for seed in "12":
        for model, name in names.items():
            tags = {"seed": seed, "model": model}
            own.load_run({"q": ["b", "a"]}, name.format(seed), tags=tags)
        own.fuse([name.format(seed) for name in names.values()], f"f{seed}")


def systems(own: Warehouse | None = None) -> str:
    """Return the systems over seeds, each with the number of its replicates."""
    rows = (own or Warehouse(_FILE)).report("AP", over="seed")
    return "\n".join(f"{row['system']}: {row['replicates']}" for row in rows)


def odd(name: str) -> str:
    """Return the systems of runs, and of fused ones, some of which have a name."""
    with Warehouse.memory() as own:
        fuse_each(own, m="m{}", n=name + "{}")
        own.rename("run", name + "1", name)
        own.fuse([name, "m1"], "turned", method="isr")
        own.rename("run", "m1", "first")
        return systems(own)


def tuned() -> None:
    """Load three seeds of two models, and fuse them with weights that are tuned."""
    drawn = random.Random(11)
    documents, queries = [f"d{i}" for i in range(8)], [f"q{i}" for i in range(12)]
    with Warehouse.write(_FILE) as own:
        own.load_judgments(
            {q: {d: drawn.choice([0, 1]) for d in documents} for q in queries}
        )
        for seed in "123":
            for model in ("small", "large"):
                ranked = {q: {d: drawn.random() for d in documents} for q in queries}
                tags = {"seed": seed, "model": model}
                own.load_run(ranked, f"{model}-{seed}", tags=tags)
            names = [f"small-{seed}", f"large-{seed}"]
            own.fuse(names, f"tuned-{seed}", method="weighted", tune="AP")


test_script = scripted(__file__, seeds, fuse_each, systems, odd, tuned, RANKED=RANKED)
