"""How values and differences are distributed over the queries.

Beyond MOST queries, they are binned by SQL: no row for each query is fetched.
"""

from collections.abc import Generator
from contextlib import contextmanager

from ndcg_sql.analysis.comparing import Comparison, prepared
from ndcg_sql.database.database import Database
from ndcg_sql.database.results import output
from ndcg_sql.evaluation.question import Request, answered, resolve
from ndcg_sql.system.messages import Messages

# The most queries that are shown one by one: as points, and as bars.
MOST = 10_000
MOST_BARS = 60


@contextmanager
def values(database: Database, messages: Messages, request: Request) -> Generator[None]:
    """Put the values of runs for queries, binned, into the table OUTPUT."""
    question = resolve(database, messages, request)
    with (
        answered(database, messages, question),
        output(database, "figures/value_bins", question.parameters),
    ):
        yield


@contextmanager
def differences(
    database: Database, messages: Messages, question: Comparison
) -> Generator[None]:
    """Put the differences of candidates from the baseline into the table OUTPUT.

    There is a row for each query if there are at most MOST_BARS, else for each bin.
    """
    with prepared(database, messages, question):
        is_small = _queries(database, question) <= MOST_BARS
        kind = "query_differences" if is_small else "difference_bins"
        with output(database, f"figures/{kind}", question.parameters):
            yield


@contextmanager
def pairs_of_values(
    database: Database, messages: Messages, question: Comparison
) -> Generator[None]:
    """Put the values of two runs for the same queries into the table OUTPUT.

    There is a row for each query if there are at most MOST, else for each cell of
    a grid.
    """
    with prepared(database, messages, question):
        is_small = _queries(database, question) <= MOST
        kind = "query_differences" if is_small else "scatter_bins"
        with output(database, f"figures/{kind}", question.parameters):
            yield


def _queries(database: Database, question: Comparison) -> int:
    """Return the largest number of queries of a comparison."""
    return database.run("figures/compared_queries", question.parameters)[0][0]
