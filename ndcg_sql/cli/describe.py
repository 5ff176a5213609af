"""ndcg-sql describe: what a run is, and what of it is judged."""

from ndcg_sql.cli.asking import question
from ndcg_sql.requests.questions import DescribeRequest

app = question(
    "describe",
    DescribeRequest,
    epilog="ndcg-sql describe hybrid",
    help="""Show a run's source, tags, depth and ties, and how much of it is judged.""",
)
