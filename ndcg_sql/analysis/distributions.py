"""How values and differences are distributed over the queries.

Beyond MOST queries, they are binned by SQL: no row for each query is fetched.
"""

from ndcg_sql.analysis.answers import Rows
from ndcg_sql.analysis.comparing import Comparison, prepared
from ndcg_sql.database.database import Database
from ndcg_sql.evaluation.question import answered, resolve
from ndcg_sql.requests.shared import Request
from ndcg_sql.system.messages import Messages

# The most queries that are shown one by one: as points, and as bars.
MOST = 10_000
MOST_BARS = 60


def values(database: Database, messages: Messages, request: Request) -> Rows:
    """Return the values of runs for queries, binned."""
    question = resolve(database, messages, request)
    question = question.of_queries(messages, "a distribution")
    with answered(database, messages, question):
        return Rows.of(database, "figures/value_bins", question.parameters)


def differences(database: Database, messages: Messages, question: Comparison) -> Rows:
    """Return the differences of candidates from the baseline.

    There is a row for each query if there are at most MOST_BARS, else for each bin.
    """
    with prepared(database, messages, question):
        is_small = _queries(database, question) <= MOST_BARS
        kind = "query_differences" if is_small else "difference_bins"
        return Rows.of(database, f"figures/{kind}", question.parameters)


def pairs_of_values(
    database: Database, messages: Messages, question: Comparison, most: int = MOST
) -> Rows:
    """Return the values of two runs for the same queries.

    There is a row for each query if there are at most this many, else for each cell of
    a grid.
    """
    with prepared(database, messages, question):
        is_small = _queries(database, question) <= most
        kind = "query_differences" if is_small else "scatter_bins"
        return Rows.of(database, f"figures/{kind}", question.parameters)


def _queries(database: Database, question: Comparison) -> int:
    """Return the largest number of queries of a comparison."""
    return database.run("figures/compared_queries", question.parameters)[0][0]
