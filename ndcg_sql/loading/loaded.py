"""What was loaded: in numbers, and in the sentences of the command line."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import KEYS, TABLES, Kind
from ndcg_sql.system.messages import Collected
from ndcg_sql.text import listed

# A k of rrf, or the weights of the runs.
Setting = int | tuple[float, ...]
Outcome = Literal["loaded", "replaced", "unchanged"]
# What a row of an entry is.
ROWS: dict[Kind, str] = {
    "run": "document",
    "judgment set": "judgment",
    "assessments": "assessment",
}


def hash_of(*content: object) -> str:
    """Return the hash of what a content is made of: plain values, lists and dicts."""
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def counts_of(database: Database, kind: Kind, number: int) -> tuple[int, int]:
    """Return the number of queries, and of rows, of an entry."""
    sql = f"select query_count, {ROWS[kind]}_count from {TABLES[kind]}"
    [(queries, rows)] = database.execute(
        f"{sql} where {KEYS[kind]} = $id", {"id": number}
    )
    return queries, rows


def tags_of(database: Database, run_id: int) -> dict[str, str]:
    """Return the tags of a run, in their order."""
    sql = "select tag, tag_value from run_tags where run_id = $run_id order by tag"
    return dict(database.execute(sql, {"run_id": run_id}))


@dataclass(frozen=True)
class LoadedItem:
    """A run, a judgment set, or what else a file became, with its counts.

    Queries and documents have no name. rows are those that it has: the ranked
    documents of a run, judgments, assessments, queries, documents or known documents.
    queries are those that have any; documents have none. ignored are the columns of its
    file from which nothing was read. An item that was there before, with the same
    content, is unchanged.
    """

    kind: Kind | Literal["queries", "documents", "known"]
    name: str | None
    outcome: Outcome
    rows: int
    queries: int | None = None
    ignored: tuple[str, ...] = ()


class _Printed:
    """What a method of Warehouse made; printed, what the command line says of it."""

    text: str

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__


@dataclass(frozen=True, repr=False)
class Loaded(_Printed):
    """What a method of Warehouse loaded; printed, what the command line says of it.

    items are what its rows became; warnings are those that the text has, too.
    """

    dataset: str
    items: tuple[LoadedItem, ...]
    text: str
    warnings: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, dataset: str, items: Sequence[LoadedItem], messages: Collected
    ) -> "Loaded":
        """Return what was loaded, with the messages about it."""
        warnings = tuple(str(warning) for warning in messages.warnings)
        return cls(dataset, tuple(items), messages.text, warnings)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the runs and sets, as other methods take them."""
        return tuple(item.name for item in self.items if item.name is not None)

    @property
    def name(self) -> str:
        """The name of the only run or set; raises NdcgSqlError for none or several."""
        if len(self.names) != 1:
            several = f"several: {listed(self.names, 5)}; use names"
            raise NdcgSqlError(
                f"no single name; {several if self.names else 'nothing has one'}"
            )
        return self.names[0]


@dataclass(frozen=True)
class Tuned:
    """How k of rrf, or the weights of a fused run, were chosen.

    value is the mean of the measure for the n queries that they were chosen on, the
    highest of as many as were tried; it flatters. held_out_value is the mean for the
    held_out_n queries, each by what was chosen on the other folds (folds has what each
    of them got: a k, or weights).
    """

    measure: str
    tried: int
    value: float
    n: int
    held_out_value: float
    held_out_n: int
    folds: tuple[Setting, ...]


@dataclass(frozen=True, repr=False)
class Fused(_Printed):
    """The run that Warehouse.fuse made; printed, what the command line says of it.

    k and weights are None where the method has none, and tuned where they were not
    chosen.
    """

    dataset: str
    name: str
    method: str
    norm: str | None
    k: int | None
    weights: tuple[float, ...] | None
    tuned: Tuned | None
    text: str = ""
    warnings: tuple[str, ...] = ()
