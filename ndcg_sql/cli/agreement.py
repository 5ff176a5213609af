"""ndcg-sql agreement: how much assessors agree."""

from ndcg_sql.cli.asking import question
from ndcg_sql.requests.questions import AgreementRequest

app = question(
    "agreement",
    AgreementRequest,
    epilog="ndcg-sql agreement",
    help="Show how much assessors agree: kappa for each pair, kappa and alpha for all.",
)
