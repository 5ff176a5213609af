"""How other tools spell the names of measures, and the names nearest to another."""

import re
from functools import cache

from ndcg_sql.database import sql_files

_NAME = re.compile(r"([A-Za-z][\w-]*)(?:\((.*)\))?(?:@([^@()]*))?", re.DOTALL)
_AT = re.compile(r"([A-Za-z][\w-]*)_at_([0-9]+)")


@cache
def spellings() -> dict[str, str]:
    """Return the measure that each spelling of another tool means."""
    return {row["spelling"]: row["measure"] for row in sql_files.rows("spellings")}


def spelled(text: str) -> str | None:
    """Return the name of a measure that another tool spells differently, if any.

    Case is ignored, and hyphens are underscores. ndcg_at_10 is ndcg@10.
    """
    if at := _AT.fullmatch(text):
        return f"{at[1]}@{at[2]}"
    match = _NAME.fullmatch(text)
    measure = match and spellings().get(match[1].lower().replace("-", "_"))
    if not match or not measure:
        return None
    name, _, fixed = measure.rstrip(")").partition("(")
    parameters = ",".join(part for part in (fixed, match[2]) if part)
    brackets = f"({parameters})" if parameters else ""
    return name + brackets + (f"@{match[3]}" if match[3] is not None else "")
