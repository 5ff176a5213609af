"""New judgments on a base: what of them nothing else in the dataset has."""

from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.text import counted, quoted
from ndcg_sql.wording import Wording

_PLURALS = {"query": "queries", "document": "documents"}


def unknown(database: Database, base: str, parameters: Parameters) -> list[Wording]:
    """Return a warning of queries and documents that neither base nor any run has.

    The staged rows are those of the new set, base_judgments those of the base;
    parameters have the dataset and the judgment_set_id. New queries may be intended, so
    nothing is refused; but ids that a spreadsheet changed look the same.
    """
    return [
        f"{counted(count, kind, _PLURALS[kind])} of the new judgments"
        f" {'is' if count == 1 else 'are'} neither in {quoted(base)} nor in any run of"
        f" the dataset: {', '.join(map(quoted, first))}"
        + (", ..." if count > len(first) else "")
        for kind, count, first in database.run("warnings/beyond_base", parameters)
    ]
