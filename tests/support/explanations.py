"""What explain prints, as rows and as lines."""

import json
from typing import Any

from support.commands import Command

Record = dict[str, Any]


def steps(ndcg: Command, query: str, measure: str, *given: str) -> list[Record]:
    """Return the rows of an explanation."""
    result = ndcg("explain", "base", query, "-m", measure, "--format", "json", *given)
    assert (result.code, result.err) == (0, "")
    return json.loads(result.out)


def column(found: list[Record], name: str) -> list[Any]:
    """Return what a field holds in all rows."""
    return [row[name] for row in found]


def table(ndcg: Command, query: str, measure: str, *given: str) -> list[str]:
    """Return the lines of an explanation for people."""
    result = ndcg("explain", "base", query, "-m", measure, *given)
    assert (result.code, result.err) == (0, "")
    return result.out.splitlines()
