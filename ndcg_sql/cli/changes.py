"""ndcg-sql changes: what another judgment set changes."""

from ndcg_sql.cli.asking import question
from ndcg_sql.requests.questions import ChangesRequest

app = question(
    "changes",
    ChangesRequest,
    epilog="ndcg-sql changes judgments judgments-2",
    help="Show what another judgment set changes: judgments, and the values of runs.",
)
