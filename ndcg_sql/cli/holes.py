"""ndcg-sql holes: unjudged documents that runs return."""

from ndcg_sql.cli.asking import question
from ndcg_sql.requests.questions import UnjudgedRequest

app = question(
    "holes",
    UnjudgedRequest,
    epilog="ndcg-sql holes -m nDCG@10 --run hybrid",
    help="List unjudged documents of runs; those that could change most come first.",
)
