"""ndcg-sql history: values over time."""

from ndcg_sql.cli.asking import question
from ndcg_sql.requests.questions import HistoryRequest

app = question(
    "history",
    HistoryRequest,
    epilog="ndcg-sql history -m nDCG@10",
    help="""Show values over time, each with its difference from the previous run.""",
)
