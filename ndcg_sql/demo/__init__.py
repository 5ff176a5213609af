"""The bundled example: the product search of a fictional shop, with three rankings.

Imports all packages above but trec_eval.
"""

from pathlib import Path

from ndcg_sql.comparison.answers import Context
from ndcg_sql.database.database import Database
from ndcg_sql.loading import described
from ndcg_sql.loading.sets import Options, load
from ndcg_sql.loading.tasks import Task
from ndcg_sql.options import Scope
from ndcg_sql.output.writing import Printing, write
from ndcg_sql.reports import explain, report
from ndcg_sql.system.files import print_text
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import harmless

DATASET = "demo"
LABELS = {"Exact": 2.0, "Partial": 1.0, "Irrelevant": 0.0}
EXPLAINED = ("hybrid", "q18")

NEXT = """
The values are now in {file}. Two queries for any SQL client, such as duckdb:

  -- How does each run do on phones and on desktops?
  select judgment_set, run, attribute_value as device,
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


def fill(database: Database, messages: Messages) -> None:
    """Load the example into a warehouse."""
    data = Path(__file__).parent
    options = Options(dataset=DATASET, labels=LABELS)
    load(database, "judgments", [data / "judgments.csv"], options, messages)
    queries = [data / "queries.csv"]
    described.load(Task(database, "queries", queries, options, messages))
    runs = [data / f"{name}.run" for name in ("keyword", "bm25", "hybrid")]
    # As "load run --positions score": the ranks of documents with one score mean
    # nothing here.
    options = Options(dataset=DATASET, is_rule_chosen=True)
    load(database, "run", runs, options, messages)


def show(context: Context) -> None:
    """Report the example, explain a query, and print what can be done next."""
    printing, path = Printing(form="table"), Path(context.database.path)
    print_text("\n$ ndcg-sql report --dataset demo\n")
    scope = Scope(("nDCG@10", "AP", "RR", "R@100"), dataset=DATASET)
    write(report.values(context, scope), printing, path)
    name, query = EXPLAINED
    print_text(f"\n$ ndcg-sql explain {name} {query} --dataset demo\n")
    scope = Scope(("nDCG@10",), dataset=DATASET)
    answer = explain.explain(context, name, query, scope)
    write(answer, printing, path)
    print_text(NEXT.format(file=harmless(str(path))))
