"""Print the measures of what a run shows: RUN KNOWN ITEMS CUTOFF STEP.

They are computed by numpy from the columns that pandas reads; after reading, the step
read ends. The formulas are those of RecBole 1.2, of Vargas & Castells 2011 for Novelty
and of Ziegler et al. 2005 for ILD.
"""

# pyright: basic

import json
import sys

import numpy as np
import pandas as pd

run_file, known_file, items_file, cutoff, step = sys.argv[1:]
columns = ["query_id", "q0", "doc_id", "position", "score", "tag"]
run = pd.read_csv(
    run_file,
    sep=" ",
    names=columns,
    usecols=["query_id", "doc_id", "position"],
    dtype={"query_id": str, "doc_id": str, "position": np.int32},
)
known = pd.read_csv(known_file, dtype=str)
items = pd.read_csv(items_file, dtype=str).sort_values("doc_id")
if step == "read":
    sys.exit()

size = len(items)
catalogue = pd.Index(items.doc_id)
shown = run[run.position <= int(cutoff)]
item = catalogue.get_indexer(shown.doc_id)
user = pd.factorize(shown.query_id)[0]
lengths = np.bincount(user)
popularity = np.bincount(catalogue.get_indexer(known.doc_id), minlength=size)
counts = np.bincount(item, minlength=size)


def mean(values: np.ndarray) -> float:
    """Return the mean over users of the mean of the items that each is shown."""
    return float((np.bincount(user, values) / lengths).mean())


share = np.maximum(popularity, 1) / known.query_id.nunique()
# Equally popular items are in the order of their ids.
tail = np.zeros(size)
tail[np.argsort(popularity, kind="stable")[: max(int(size * 0.1), 1)]] = 1
category, names = pd.factorize(items.category)
_, alike = np.unique(user * len(names) + category[item], return_counts=True)
owner = np.unique(user * len(names) + category[item]) // len(names)
same = np.bincount(owner, alike * (alike - 1))
ordered = np.sort(counts)
weights = 2 * np.arange(1, size + 1) - size - 1
parts = counts[counts > 0] / counts.sum()
values = {
    "Popularity": mean(popularity[item]),
    "Novelty": mean(-np.log2(share)[item]),
    "TailShare": mean(tail[item]),
    "ILD(by='category')": float((1 - same / (lengths * (lengths - 1))).mean()),
    "Coverage": float((counts > 0).mean()),
    "Gini": float((weights * ordered).sum() / (size * counts.sum())),
    "Entropy": float(-(parts * np.log(parts)).sum()),
}
print(json.dumps({f"{name}@{cutoff}": value for name, value in values.items()}))
