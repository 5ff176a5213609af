"""Which layout draws which answer for people to read."""

from collections.abc import Callable, Mapping

from ndcg_sql.comparison.answers import Answer
from ndcg_sql.output import (
    comparison_tables,
    explanations,
    gate_results,
    judgment_sets,
    records,
    tables,
)
from ndcg_sql.output.grids import SCREEN, Screen

# By the name of the answer; what is not listed is laid out as it is.
_LAYOUTS: Mapping[str, Callable[[Answer, str], str]] = {
    "agreement": judgment_sets.agreement,
    "changes": records.numbers,
    "comparison": comparison_tables.compare,
    "comparison by query": comparison_tables.compare_queries,
    "gate": gate_results.table,
    "judgment set": judgment_sets.description,
    "leaderboard": tables.leaderboard,
    "orders": judgment_sets.orders,
    "moves": explanations.moves,
    "plan": records.plan,
    "positions": explanations.positions,
    "query": records.numbers,
    "replicates": tables.replicates,
    "run": records.fields,
    "schema": records.schema,
    "terms": explanations.terms,
    "unjudged documents": records.numbers,
    "values": tables.report,
    "values by query": tables.report_queries,
}


def laid_out(answer: Answer, form: str, screen: Screen) -> str:
    """Return an answer as a table, as Markdown, as LaTeX or as HTML."""
    before = SCREEN.set(screen)
    try:
        return _LAYOUTS.get(answer.name, records.rows_as_they_are)(answer, form)
    finally:
        SCREEN.reset(before)
