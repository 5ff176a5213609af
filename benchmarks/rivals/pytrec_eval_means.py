"""Print the means that pytrec_eval gives: QRELS RUN."""

# pyright: basic, reportMissingImports=false

import json
import sys
from pathlib import Path

import pytrec_eval

NAMES = {"nDCG@10": "ndcg_cut_10", "AP": "map", "RR": "recip_rank"}

with Path(sys.argv[1]).open() as file:
    judgments = pytrec_eval.parse_qrel(file)
with Path(sys.argv[2]).open() as file:
    run = pytrec_eval.parse_run(file)
evaluator = pytrec_eval.RelevanceEvaluator(
    judgments, {"ndcg_cut.10", "map", "recip_rank"}
)
values = evaluator.evaluate(run)
print(
    json.dumps(
        {
            # Over all judged queries: what was not answered is worth 0.
            measure: sum(query[name] for query in values.values()) / len(judgments)
            for measure, name in NAMES.items()
        }
    )
)
