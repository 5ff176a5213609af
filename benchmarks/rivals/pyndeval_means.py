"""Print the means that pyndeval gives: QRELS RUN MEASURES, by its names.

QRELS has a subtopic in its second field.
"""

# pyright: basic, reportMissingImports=false

import json
import sys
from pathlib import Path

import pyndeval

NAMES = sys.argv[3].split()

with Path(sys.argv[1]).open() as file:
    fields = [line.split() for line in file]
judgments = [(query, topic, doc, int(grade)) for query, topic, doc, grade in fields]
with Path(sys.argv[2]).open() as file:
    lines = [line.split() for line in file]
run = [(query, doc, float(score)) for query, _, doc, _, score, _ in lines]
values = pyndeval.RelevanceEvaluator(judgments, NAMES).evaluate(iter(run))
queries = {query for query, *_ in judgments}
print(
    json.dumps(
        {
            # Over all judged queries: what was not answered is worth 0.
            name: sum(query[name] for query in values.values()) / len(queries)
            for name in NAMES
        }
    )
)
