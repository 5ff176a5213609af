"""ndcg-sql emit: the SQL of measures for another engine."""

from ndcg_sql.cli.session import Session
from ndcg_sql.python.emitting import emitted
from ndcg_sql.requests.engines import EmitRequest


def emit(_session: Session, request: EmitRequest) -> None:
    """Print a script that evaluates measures in another database."""
    print(emitted(request), end="")
