"""ndcg-sql report: the values of runs."""

from ndcg_sql.cli.asking import question
from ndcg_sql.requests.printing import Captioned
from ndcg_sql.requests.questions import ReportRequest

app = question(
    "report",
    ReportRequest,
    epilog="ndcg-sql report -m 'nDCG@10 AP' --by device",
    help="""Print the values of runs.""",
    printing=Captioned,
)
