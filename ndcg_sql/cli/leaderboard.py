"""ndcg-sql leaderboard: runs in order, and which no test separates."""

from ndcg_sql.cli.asking import question
from ndcg_sql.requests.questions import LeaderboardRequest

app = question(
    "leaderboard",
    LeaderboardRequest,
    epilog="ndcg-sql leaderboard -m nDCG@10",
    help="""Print runs in the order of the first measure, with groups of equal ones.

    Two runs that share a letter are not separated by the test. The best run is
    marked only if the test separates it from every other run.
    """,
)
