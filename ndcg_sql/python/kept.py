"""What a thread keeps between evaluations in memory: judgments, and what is planned.

A training loop evaluates one run after another with the same judgments and measures.
"""

import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass

from ndcg_sql.database.database import Database
from ndcg_sql.evaluation.prepared import Prepared
from ndcg_sql.measures.names import Measure
from ndcg_sql.reading.plain import Judged, Plain, places

# The ids of the only run and the only judgment set.
PAIR = (1, 1)


@dataclass(frozen=True)
class Basis:
    """What evaluations have in common if one database serves them.

    judgments are compared by content: who changed theirs in between gets new values.
    """

    judgments: Judged
    measures: tuple[str, ...]
    like: str | None


class Kept:
    """A database in memory with one judgment set, and what is planned on it."""

    def __init__(
        self,
        basis: Basis,
        judged: Plain,
        database: Database,
        measures: Sequence[Measure],
        warnings: list[str],
    ) -> None:
        """Plan the values of the measures; judgments are copied, to compare later.

        judged are their rows.
        """
        judgments = {query: dict(grades) for query, grades in basis.judgments.items()}
        self.basis = Basis(judgments, basis.measures, basis.like)
        self.database, self.measures, self.warnings = database, measures, warnings
        # One run is too small for a second thread, and a fork would lose it.
        self.database.execute("set threads = 1")
        self.prepared = Prepared(self.database, PAIR, judged)
        self.rows, self.places = judged, places(judged)
        self.needs_grades = any(measure.family.needs for measure in self.measures)
        self.process = os.getpid()


class _OfThread(threading.local):
    """What each thread keeps."""

    kept: Kept | None = None


_OF_THREAD = _OfThread()
# What a fork got from its parent, whose locks it must neither take nor release.
_OF_PARENT: list[Kept] = []


def kept(basis: Basis) -> Kept | None:
    """Return what this thread keeps for evaluations; None if it keeps others."""
    cache = _OF_THREAD.kept
    if cache is not None and cache.process != os.getpid():
        _OF_PARENT.append(cache)
        cache = _OF_THREAD.kept = None
    return cache if cache is not None and cache.basis == basis else None


def keep(
    basis: Basis,
    judged: Plain,
    database: Database,
    measures: Sequence[Measure],
    warnings: list[str],
) -> Kept:
    """Keep a scratch database with only these judgments and measures.

    judged are the rows of the judgments; warnings are about both. What was kept before
    is closed.
    """
    forget()
    cache = _OF_THREAD.kept = Kept(basis, judged, database, measures, warnings)
    return cache


def forget() -> None:
    """Close what this thread keeps, if anything."""
    cache, _OF_THREAD.kept = _OF_THREAD.kept, None
    if cache is not None:
        cache.database.close()
