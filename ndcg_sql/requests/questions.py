"""Runs evaluated straight from files."""

from dataclasses import field
from pathlib import Path
from typing import Annotated

from ndcg_sql.requests import choices, reading, shared
from ndcg_sql.requests.fields import Option, frozen, option


@frozen
class EvalRequest:
    """Evaluate runs straight from files; nothing is stored."""

    qrels: Annotated[
        Path,
        Option(
            "Judgment file; - is standard input.",
            "QRELS",
            is_argument=True,
            is_input=True,
        ),
    ]
    files: Annotated[
        tuple[Path, ...],
        Option(
            "Run files; - is standard input.", "RUN...", is_argument=True, is_input=True
        ),
    ]
    measures: Annotated[tuple[str, ...], shared.MEASURES] = ()
    like: shared.Like = None
    labels: reading.Labels = field(default_factory=dict[str, float])
    position_rule: choices.PositionRule | None = option(
        "score (trec_eval 10), score32 (trec_eval 9), given (the file's ranks, or"
        " its order).",
        "RULE",
        word="positions",
        default="score, or the rule of the system",
        group=reading.READING,
    )
    columns: reading.Columns = field(default_factory=dict[str, str])
    run_column: reading.RunColumn = None
    query: reading.OneQuery = None
    rows_of: reading.RowsOf = None
    format_in: reading.FormatIn = None
    grade: float | None = option(
        "Grade of all judgments, if QRELS has none.", "G", group=reading.READING
    )
    decimal: reading.Decimal = None
    encoding: reading.Encoding = None
    duplicates: reading.Duplicates = "refuse"
    unit: reading.Unit = None
    unit_before: reading.UnitBefore = None
    strict: reading.Strict = False
    per_query: shared.PerQuery = False

    @property
    def inputs(self) -> list[Path]:
        """The files that the answer is computed from."""
        return [self.qrels, *self.files]

    @property
    def names_measures(self) -> bool:
        """Whether the user chose the measures."""
        return bool(self.measures) or self.like is not None
