"""A warehouse with what every family reads, in two datasets of the same ids."""

from pathlib import Path
from random import Random

from ndcg_sql.measures.families import families
from ndcg_sql.python.warehouse import Warehouse

QUERIES, DOCUMENTS = 9, 16
# Options that change what a measure reads.
OPTIONS = (
    *("nDCG(ideal='retrieved')@5", "nDCG(ideal='topk')@5", "nDCG(ideal='uncut')@3"),
    *("nDCG(ideal='returned',judged_only=true)@5", "nDCG(ties='mean')@4"),
    *("nDCG(known='omit')@5", "AP(judged_only=true,known='omit')", "DCG(dcg='jk')@7"),
    *("Compat(known='omit')", "P(rel=2)@5", "alpha_nDCG(alpha=0.3,known='omit')@3"),
    *("ERR@3", "Novelty(known='omit')@3", "AP(norm='min')@3", "AP(norm='hits')@3"),
)


def fill(path: Path) -> None:
    """Make a warehouse with judgments of subtopics, known documents and a catalogue."""
    random = Random(3)
    with Warehouse(path) as warehouse:
        for dataset in ("one", "two"):
            for file, text in _files(random).items():
                (path.parent / file).write_text(text)
            warehouse.load_judgments(path.parent / "judgments.qrels", dataset=dataset)
            warehouse.load_known(path.parent / "known.csv", dataset=dataset)
            warehouse.load_documents(path.parent / "documents.csv", dataset=dataset)
            for name in ("first", "second"):
                warehouse.load_run(_run(random), name=name, dataset=dataset)
        examples = [family.example for family in families().values()]
        warehouse.add_measures([*examples, *OPTIONS])


def _files(random: Random) -> dict[str, str]:
    """Return files by name; of the query q3 nothing is relevant."""
    judged = [
        f"q{q} {topic} d{d} {0 if q == 3 else random.choice((-1, 0, 1, 1, 2, 3))}\n"
        for q in range(QUERIES)
        for d in random.sample(range(DOCUMENTS), 8)
        for topic in random.sample(range(1, 5), random.choice((1, 1, 2)))
    ]
    known = [
        f"q{q},d{d}\n"
        for q in range(QUERIES)
        for d in random.sample(range(DOCUMENTS), 3)
    ]
    documents = [f"d{d},{random.choice('abc')}\n" for d in range(DOCUMENTS)]
    return {
        "judgments.qrels": "".join(judged),
        "known.csv": "query_id,doc_id\n" + "".join(known),
        "documents.csv": "doc_id,category\n" + "".join(documents),
    }


def _run(random: Random) -> dict[str, dict[str, float]]:
    """Return a run with ties that does not answer the query q1, but an unjudged one."""
    return {
        f"q{q}": {
            f"d{d}": float(random.randint(1, 6))
            for d in random.sample(range(DOCUMENTS), random.choice((1, 5, 12)))
        }
        for q in range(QUERIES + 1)
        if q != 1
    }
