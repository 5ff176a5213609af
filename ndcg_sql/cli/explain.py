"""ndcg-sql explain: how a value is computed, position by position."""

from ndcg_sql.cli.asking import question
from ndcg_sql.requests.questions import ExplainRequest

app = question(
    "explain",
    ExplainRequest,
    epilog="ndcg-sql explain hybrid q18 -m nDCG@10",
    help="""Show how the value of a query is computed, position by position.""",
)
