"""ndcg-sql compare: how much runs differ from a baseline, and how significantly."""

from ndcg_sql.cli.asking import question
from ndcg_sql.requests.printing import Captioned
from ndcg_sql.requests.questions import CompareRequest

app = question(
    "compare",
    CompareRequest,
    epilog="ndcg-sql compare bm25 hybrid -m nDCG@10",
    help="""Compare runs with a baseline: differences, and their significance.""",
    printing=Captioned,
)
