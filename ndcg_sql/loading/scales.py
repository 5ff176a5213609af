"""Grades on two scales in one judgment set: fractions of clicks, and judges' grades."""

from ndcg_sql.database.database import Database
from ndcg_sql.evaluation.warnings import with_levels
from ndcg_sql.text import quoted
from ndcg_sql.wording import Text, Wording


def other_scale(
    database: Database, name: str, base_id: int, base: str
) -> list[Wording]:
    """Return the warning that a new set has other grades than its base of clicks.

    The staged rows are those of both, base_judgments those of the base.
    """
    return [
        Text(
            f"judgment set {quoted(name)} mixes two scales: new grades from {lowest:g}"
            f" to {highest:g}, and those of clicks in {quoted(base)}, fractions from"
            f" {base_lowest:g} to {base_highest:g}; for grades 0, 1, 2 ... of clicks: ",
            with_levels(database, base_id, policy),
        )
        for policy, base_lowest, base_highest, lowest, highest in database.run(
            "warnings/other_scale", {"base_id": base_id}
        )
    ]
