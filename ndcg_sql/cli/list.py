"""ndcg-sql list: what is in the warehouse."""

from ndcg_sql.cli.asking import question
from ndcg_sql.requests.questions import ContentsRequest

app = question(
    "list",
    ContentsRequest,
    epilog="ndcg-sql list --dataset demo --tags",
    help="List the judgment sets, assessments and runs of every dataset, or of one.",
)
