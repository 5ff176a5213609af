"""A file of a run or of judgments whose rows are staged."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ndcg_sql.database.database import Database
from ndcg_sql.loading.options import Options, Ranked
from ndcg_sql.reading.detection import layout
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.sources import Source


@dataclass(frozen=True)
class Sheet:
    """A file as it was opened, how it is read, and the options that say so."""

    database: Database
    kind: Ranked
    source: Source
    how: Layout
    options: Options

    def whole(self, columns: Iterable[str]) -> Layout:
        """Return how the file is read with the places of further columns, too."""
        reading = replace(self.options, wanted=tuple(columns))
        return layout(self.source, self.kind, reading)[0]
