"""Print the means that ranx gives: QRELS RUN."""

# pyright: basic, reportMissingImports=false

import json
import sys
from typing import Any

from ranx import Qrels, Run, evaluate

NAMES = {"nDCG@10": "ndcg@10", "AP": "map", "RR": "mrr"}

judgments = Qrels.from_file(sys.argv[1], kind="trec")
run = Run.from_file(sys.argv[2], kind="trec")
# Comparable: over all judged queries, and no others.
means: Any = evaluate(judgments, run, list(NAMES.values()), make_comparable=True)
print(json.dumps({measure: float(means[name]) for measure, name in NAMES.items()}))
