"""The command gate, as the tests ask it."""

import json
from pathlib import Path
from random import Random
from typing import Any

from ndcg_sql.python.warehouse import Warehouse
from support.commands import Command, Result
from support.files import noisy, write_judgments

QUERIES = [f"q{i:02}" for i in range(40)]
_NOISY: list[bytes] = []
NOISES = {"base": 1.2, "better": 1.0, "worse": 20.0, "dense": 0.25}


def store_noisy_runs(path: Path) -> None:
    """Make, once, a warehouse of a run, a copy, a better, a worse and a good one."""
    if _NOISY:
        path.write_bytes(_NOISY[0])
        return
    random = Random(1)
    documents, grades = [f"d{i}" for i in range(10)], (0, 0, 0, 1, 2)
    judged = {q: {d: random.choice(grades) for d in documents} for q in QUERIES}
    lines = [f"{q},text of {q},{'mobile' if q < 'q25' else ''}" for q in QUERIES]
    queries = path.with_name("queries.csv")
    queries.write_text("\n".join(["query_id,text,device", *lines]))
    with Warehouse.write(path) as warehouse:
        qrels = write_judgments(path.with_name("qrels"), judged)
        warehouse.load_judgments(qrels)
        for name, noise in NOISES.items():
            ranked = noisy(random, judged, noise)
            for own in (name, "copy")[: 1 + (name == "base")]:
                warehouse.load_run(ranked, own)
        warehouse.load_queries(queries)
    _NOISY.append(path.read_bytes())


def gate(ndcg: Command, candidate: str, *options: str | Path) -> Result:
    """Hold a candidate against the run "base"."""
    asked = ("--baseline", "base", "--candidate", candidate, *options)
    return ndcg("gate", *asked, *(() if "-m" in options else ("-m", "RR")))


def rows(ndcg: Command, candidate: str, *options: str) -> list[dict[str, Any]]:
    """Return what became of the rules."""
    return json.loads(gate(ndcg, candidate, *options, "--format", "json").out)
