"""Names as Python gives them: one, several, or none."""

from collections.abc import Iterable
from typing import cast

from ndcg_sql.errors import NdcgSqlError


def names_of(what: str, given: object) -> list[str]:
    """Return names, given as one string or several; none if omitted.

    Measures of ir_measures are accepted too: as strings, they are names here.
    """
    if given is None:
        return []
    if isinstance(given, str) or not isinstance(given, Iterable):
        return [str(given)]
    names = [str(name) for name in cast(Iterable[object], given)]
    if not names:
        # Who filtered a list down to nothing does not mean all.
        raise NdcgSqlError(f"{what}: is empty; omit it, or name one")
    return names
