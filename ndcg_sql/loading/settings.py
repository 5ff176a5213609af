"""The settings that tuning tries: k of rrf, or the weights of runs."""

from collections.abc import Iterator
from dataclasses import dataclass

from ndcg_sql.database import sql_files
from ndcg_sql.loading.fusion import K


@dataclass(frozen=True)
class Setting:
    """A k of rrf, or the weights of the runs in the order of the request."""

    k: int | None = None
    weights: tuple[float, ...] = ()

    @property
    def value(self) -> int | tuple[float, ...]:
        """The k, or the weights."""
        return self.weights if self.k is None else self.k

    def __str__(self) -> str:
        if self.k is not None:
            return str(self.k)
        return ",".join(f"{weight:g}" for weight in self.weights)


def tunable(method: str) -> dict[str, str] | None:
    """Return the row of sql/fusion/tuned.csv of a method, if it has one."""
    rows = {row["method"]: row for row in sql_files.rows("fusion/tuned")}
    return rows.get(method)


def settings(row: dict[str, str], count: int) -> list[Setting]:
    """Return what is tried for so many runs, what is nearest to the default first.

    That is the k nearest to 60, the lesser of two, or the weights nearest to equal
    ones, of several those with the greater weights first.
    """
    grid = [int(part) for part in row["grid"].split()]
    if row["parameter"] == "k":
        grid.sort(key=lambda k: (abs(k - K), k))
        return [Setting(k=k) for k in grid]
    # The parts of a whole for two runs, for three and so on.
    parts = grid[count - 2]
    shares = sorted(_shares(parts, count), reverse=True)
    shares.sort(key=lambda weights: sum(weight * weight for weight in weights))
    return [Setting(weights=tuple(part / parts for part in one)) for one in shares]


def _shares(parts: int, count: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways in which so many runs share parts."""
    if count == 1:
        yield (parts,)
        return
    for first in range(parts + 1):
        for others in _shares(parts - first, count - 1):
            yield (first, *others)
