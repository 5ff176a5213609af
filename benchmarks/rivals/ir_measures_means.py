"""Print the means that ir_measures gives: QRELS RUN."""

# pyright: basic, reportMissingImports=false

import json
import sys

import ir_measures
from ir_measures import AP, RR, nDCG

judgments = ir_measures.read_trec_qrels(sys.argv[1])
run = ir_measures.read_trec_run(sys.argv[2])
means = ir_measures.calc_aggregate([nDCG @ 10, AP, RR], judgments, run)
print(json.dumps({str(measure): value for measure, value in means.items()}))
