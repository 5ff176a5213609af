"""The bundled example: a made-up shop's product search, and three rankings of it."""

from collections.abc import Callable
from pathlib import Path

from ndcg_sql import explaining, queries, reports, tables
from ndcg_sql.formats import Reading
from ndcg_sql.limits import Limits
from ndcg_sql.loading import Options, load
from ndcg_sql.rendering import write
from ndcg_sql.text import harmless
from ndcg_sql.warehouse import Warehouse

DATASET = "demo"
LABELS = {"Exact": 2.0, "Partial": 1.0, "Irrelevant": 0.0}
EXPLAINED = ("hybrid", "q18")

NEXT = """
The values are in {file} now. Two questions for any SQL client, such as duckdb:

  -- How does each run do on phones and on desktops?
  select judgment_set, run, query_attributes.value as device,
    avg(query_values.value) as ndcg
  from query_values join query_attributes using (dataset, query_id)
  where dataset = 'demo' and measure = 'nDCG@10' and attribute = 'device'
  group by all order by all;

  -- Which queries did the hybrid run lose to bm25, and what are they about?
  select judgment_set, query_id, text, hybrid.value - bm25.value as difference
  from query_values as hybrid
  join query_values as bm25 using (dataset, judgment_set, query_id, measure)
  join queries using (dataset, query_id)
  where dataset = 'demo' and hybrid.run = 'hybrid' and bm25.run = 'bm25'
    and measure = 'nDCG@10' and hybrid.value < bm25.value
  order by judgment_set, difference;

Your own data: ndcg-sql load judgments QRELS; ndcg-sql load run RUN...;
ndcg-sql report
"""


def run(path: Path, wait: float, tell: Callable[[str], None], limits: Limits) -> None:
    """Load the example into a warehouse, then report and explain it."""
    data = Path(__file__).parent
    options = Options(dataset=DATASET, labels=LABELS)
    with Warehouse.write(path, wait, tell, limits=limits) as warehouse:
        load(warehouse, "judgments", [data / "judgments.csv"], options, tell)
        queries.load(warehouse, data / "queries.csv", DATASET, Reading(), tell)
        runs = [data / f"{name}.run" for name in ("keyword", "bm25", "hybrid")]
        load(warehouse, "run", runs, Options(dataset=DATASET), tell)
    with Warehouse.read(path, wait, tell, limits) as warehouse:
        measures = reports.choose_measures(warehouse, ["nDCG@10 AP RR R@100"])
        chosen = reports.choose_runs(warehouse, [], DATASET)
        pairs = reports.pairs(warehouse, chosen, None)
        print("\n$ ndcg-sql report --dataset demo")
        with reports.report(warehouse, measures, pairs):
            write(warehouse, "table", None, tables.report)
        name, query = EXPLAINED
        print(f"\n$ ndcg-sql explain {name} {query} --dataset demo")
        explained = explaining.choose(warehouse, ["nDCG@10"])
        entry = reports.choose_run(warehouse, name, DATASET)
        pair = reports.pairs(warehouse, [entry], None)[0]
        with explaining.explain(warehouse, pair, query, explained):
            write(
                warehouse, "table", None, lambda w, f: tables.explain(w, f, explained)
            )
    print(NEXT.format(file=harmless(str(path))), end="")
