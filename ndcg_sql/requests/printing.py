"""How the rows of an answer are printed or written."""

import re
from pathlib import Path
from typing import Annotated

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests.fields import Option, frozen, option
from ndcg_sql.requests.shared import OUTPUT
from ndcg_sql.wording import named, use

Output = Annotated[
    Path | None,
    Option(
        "Write to this file; compressed if it ends in .gz.",
        "FILE",
        short="o",
        group=OUTPUT,
    ),
]


@frozen
class Printing:
    """Where the rows of an answer go, and in which format."""

    form: str | None = option(
        "table, markdown, latex, csv, tsv, json, jsonl or parquet; by default from the"
        " suffix of " + named("output") + ".",
        "F",
        word="format",
        group=OUTPUT,
    )
    output: Output = None


@frozen
class Captioned(Printing):
    """The same, with what a LaTeX table is called."""

    caption: str | None = option(
        "Caption of a LaTeX table, as plain text; only with " + use(form="latex") + ".",
        "TEXT",
        group=OUTPUT,
    )
    label: str | None = option(
        "Label of a LaTeX table, such as tab:results; only with "
        + use(form="latex")
        + ".",
        "L",
        group=OUTPUT,
    )

    def __post_init__(self) -> None:
        if self.label is not None and not re.fullmatch(
            r"[\w:./+-]+", self.label, re.ASCII
        ):
            raise NdcgSqlError(
                "use only letters, digits and :./+-_, such as tab:results",
                where=use(label=self.label),
            )
