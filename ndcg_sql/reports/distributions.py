"""How values and differences are distributed over the queries.

Beyond MOST queries, they are binned by SQL: no row for each query is fetched.
"""

from ndcg_sql.comparison.answers import Rows
from ndcg_sql.comparison.comparison import Comparison, prepared
from ndcg_sql.database.database import Database
from ndcg_sql.evaluation.question import answered, resolve
from ndcg_sql.requests.shared import Scope
from ndcg_sql.system.messages import Messages

# The most queries that are shown one by one: as points, and as bars.
MOST = 10_000
MOST_BARS = 60


def values(database: Database, messages: Messages, scope: Scope) -> Rows:
    """Return the values of runs for queries, binned."""
    question = resolve(database, messages, scope)
    question = question.of_queries(messages, "a distribution")
    with answered(database, messages, question):
        return Rows.of(database, "figures/value_bins", question.parameters)


def differences(
    database: Database, messages: Messages, question: Comparison, most: int, bins: str
) -> Rows:
    """Return the values of candidates and baseline, and their differences.

    There is a row for each query if there are at most this many, else for each bin, by
    a file under sql/figures/.
    """
    parameters = question.parameters
    with prepared(database, messages, question):
        [(queries,)] = database.run("figures/compared_queries", parameters)
        file = "query_differences" if queries <= most else bins
        return Rows.of(database, f"figures/{file}", parameters)
