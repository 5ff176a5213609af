"""What a warehouse writes elsewhere: figures, and files that can be loaded again."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ndcg_sql.questions.changes import Named
from ndcg_sql.requests import choices
from ndcg_sql.requests.fields import Option
from ndcg_sql.requests.figures import FIGURES, check, points
from ndcg_sql.requests.shared import (
    OUTPUT,
    Alpha,
    By,
    Dataset,
    Judgments,
    Measures,
    Names,
    Scope,
    check_choice,
    several,
)
from ndcg_sql.wording import named

if TYPE_CHECKING:
    from ndcg_sql.output.figures.figure import Plotted
    from ndcg_sql.questions.handle import Handle

# A group of options.
_LAYOUT = "Layout"
*_FIRST, _LAST = FIGURES


def plot(
    warehouse: "Handle",
    name: Annotated[
        choices.Figure,
        Option(
            f"{', '.join(_FIRST)} or {_LAST}.",
            "FIGURE",
            names="figures",
            is_argument=True,
        ),
    ],
    measures: Measures = None,
    *,
    runs: Annotated[
        Names,
        Option(
            "Names of runs, or patterns such as 'input.*' (quoted); all if omitted. For"
            " differences, scatter and slices the first is the baseline.",
            "[RUN...]",
            names="runs",
            is_argument=True,
        ),
    ] = None,
    judgments: Judgments = None,
    dataset: Dataset = None,
    by: By = None,
    tag: Annotated[
        str | None,
        Option(
            "With history: a series for each value of a run tag, or for one value.",
            "K[=V]",
        ),
    ] = None,
    alpha: Alpha = None,
    width: Annotated[
        str | None,
        Option(
            "Width of the whole figure, such as 8cm, 80mm, 3.3in or 240pt: it is laid"
            " out anew for it, with text of 7 to 8 points.",
            "LENGTH",
            group=_LAYOUT,
        ),
    ] = None,
    height: Annotated[
        str | None,
        Option("Height of the whole figure, such as 5cm.", "LENGTH", group=_LAYOUT),
    ] = None,
    font: Annotated[
        str | None,
        Option("Font of the text, such as 'Times New Roman'.", "FONT", group=_LAYOUT),
    ] = None,
    dpi: Annotated[
        int | None,
        Option(
            "Resolution of a PNG in pixels per inch.",
            "N",
            default="144",
            least=36,
            group=_LAYOUT,
        ),
    ] = None,
    no_title: Annotated[
        bool,
        Option("Leave out the title, which a caption replaces.", group=_LAYOUT),
    ] = False,
) -> "Plotted":
    """Draw a figure of runs, curves, slices or values over time."""
    scope = Scope(several(measures), several(runs), judgments, dataset, several(by))
    check(name, scope, {"by": scope.by, "tag": tag, "alpha": alpha}, dpi)
    lengths = {
        side: points(side, length)
        for side, length in (("width", width), ("height", height))
        if length is not None
    }
    from ndcg_sql.comparison.significance import Testing
    from ndcg_sql.output.figures.figure import Plotted, figure
    from ndcg_sql.output.figures.sizes import Size
    from ndcg_sql.reports import figures

    size, testing = (
        Size(font=font, dpi=dpi, no_title=no_title, **lengths),
        Testing.of(alpha=alpha),
    )
    database, messages = warehouse.database, warehouse.messages
    kind, rows, about = figures.drawn(database, messages, name, scope, testing, tag)
    return Plotted(figure(kind, rows.records, size=size, **about), rows)


def export(
    warehouse: "Handle",
    kind: Annotated[choices.Exported, Option("run or judgments.", "KIND")],
    name: Named,
    output: Annotated[
        str | Path | None,
        Option(
            "Write to this file; compressed if it ends in .gz.",
            "FILE",
            short="o",
            group=OUTPUT,
        ),
    ] = None,
    *,
    dataset: Dataset = None,
    form: Annotated[
        choices.ExportFormat | None,
        Option(
            "trec, csv, tsv, json, jsonl or parquet; by default from the suffix of "
            + named("output")
            + ".",
            "F",
            word="format",
        ),
    ] = None,
) -> None:
    """Write a run or judgment set to a file that can be loaded again."""
    check_choice("kind", kind, choices.Exported)
    from ndcg_sql.output import exporting

    file = None if output is None else Path(output)
    warehouse.messages.tell(
        exporting.export(warehouse.database, kind, name, dataset, file, form)
    )
