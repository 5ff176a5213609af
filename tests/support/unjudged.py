"""Queries with documents that nobody judged, and the measures that look at them."""

from pathlib import Path
from random import Random

from ndcg_sql.database import opening
from ndcg_sql.database.database import Database
from ndcg_sql.evaluation.registry import replace_registered
from ndcg_sql.loading.sets import Options, load
from ndcg_sql.measures.names import parse
from ndcg_sql.system.messages import Silent
from support.files import Judged, Ranked, write_judgments, write_run

MEASURES = [
    *("nDCG@4", "nDCG", "nDCG(dcg='exp-log2')@4", "nDCG(dcg='jk')@5", "nCG@3"),
    *("nDCG(gains={1:2,2:3,3:9})@5", "nDCG(rel=2)@5"),
    *("DCG@3", "CG@3", "AP", "AP@3", "AP(rel=2)", "RR", "RR@2", "P@3", "P", "R@3"),
    *("Success@2", "RBP", "RBP(rel=3,p=0.5)@3", "P(rel=4)@3"),
]
BEST = 3.0


def random_queries(seed: int, size: int) -> tuple[Judged, Ranked]:
    """Return queries with holes; some have nothing relevant, some no answer."""
    random = Random(seed)
    judged: dict[str, dict[str, float]] = {"top": {"best": BEST}}
    ranked: dict[str, dict[str, float]] = {}
    for i in range(size):
        documents = [f"d{n}" for n in range(random.randint(1, 8))]
        pool = random.sample(documents, random.randint(0, len(documents)))
        pool += [f"x{n}" for n in range(random.randint(0 if pool else 1, 3))]
        choices = (0,) if i % 5 == 0 else (-1, 0, 0, 1, 2, 2.5, 3)
        judged[f"q{i}"] = {d: random.choice(choices) for d in pool}
        ranked[f"q{i}"] = {d: -n for n, d in enumerate(documents)}
    return judged, ranked


def holes_of(judged: Judged, ranked: Ranked, query: str) -> list[str]:
    """Return the documents of a query that nobody judged, best first."""
    return [d for d in ranked.get(query, {}) if judged[query].get(d, -1) < 0]


def loaded(
    folder: Path, judged: Judged, ranked: Ranked, measures: list[str] = MEASURES
) -> Database:
    """Return a warehouse with judgments, a run and measures."""
    warehouse = opening.memory()
    replace_registered(warehouse, parse(" ".join(measures)))
    qrels = write_judgments(folder / "qrels", judged)
    load(warehouse, "judgments", [qrels], Options(), Silent())
    run = write_run(folder / "run", ranked)
    load(warehouse, "run", [run], Options(), Silent())
    return warehouse
