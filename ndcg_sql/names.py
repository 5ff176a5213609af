"""Names and numbers as Python gives them: one, several, or none."""

from collections.abc import Iterable
from numbers import Integral, Real
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


def whole(what: str, given: object, least: int = 1) -> int | None:
    """Return an integer of at least this size, or None if omitted."""
    if given is None:
        return None
    if not isinstance(given, Integral) or given is True or given is False:
        raise NdcgSqlError(f"{what} {given!r}: not an integer")
    if given < least:
        raise NdcgSqlError(f"{what} {given}: must be {least} or more")
    return int(given)


def number(what: str, given: object) -> float | None:
    """Return a number, or None if omitted."""
    if given is None:
        return None
    if not isinstance(given, Real) or given is True or given is False:
        raise NdcgSqlError(f"{what} {given!r}: not a number")
    return float(given)
