"""The figures there are: their titles, what they show, and their specs.

A figure is a row of FIGURES and a file under specs/: a Vega-Lite spec without
data, in which a string such as "$measure" stands for a property of the rows.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

_FOLDER = Path(__file__).parent / "specs"


@dataclass(frozen=True)
class Kind:
    """A kind of figure.

    title, description and note are filled with the properties of the rows, such
    as {measure}; the description is for those who cannot see the figure, the note
    is added to its subtitle.
    """

    title: str
    description: str
    note: str = ""


FIGURES: dict[str, Kind] = {
    "leaderboard": Kind(
        "{measure} by run",
        "Dots show {measure} of each run, best first; lines show {confidence}"
        " intervals.",
        "{confidence} intervals; runs that share a letter are not separated",
    ),
    "cutoffs": Kind(
        "{family} by cutoff",
        "Lines show {at_k} of each run as the cutoff k grows.",
    ),
    "precision-recall": Kind(
        "Precision by recall",
        "Lines show the interpolated precision of each run at 11 levels of recall.",
    ),
    "values": Kind(
        "{measure} of queries",
        "Bars show, for each run, the share of queries by {measure}; a dashed line"
        " shows their mean.",
        "share of queries in bins {width} wide; dashed: mean",
    ),
    "differences": Kind(
        "Differences from {baseline} by query",
        "Bars show how many queries have which difference in {measure} from"
        " {baseline}, for each candidate.",
        "binned, {width} wide; ties at 0",
    ),
    "query-differences": Kind(
        "Differences from {baseline} by query",
        "A bar for each query shows the difference in {measure} from {baseline},"
        " the greatest loss first.",
    ),
    "scatter": Kind(
        "{candidate} against {baseline} by query",
        "A point for each query: its value for {baseline} across, for {candidate}"
        " up. Above the diagonal, {candidate} has the higher value.",
    ),
    "scatter-bins": Kind(
        "{candidate} against {baseline} by query",
        "Shades show how many queries have which value for {baseline}, across, and"
        " for {candidate}, up.",
        "binned",
    ),
    "slices": Kind(
        "{candidate} against {baseline} by {attribute}",
        "Dots show the difference in {measure} for each slice, lines {confidence}"
        " intervals, and bars the shares of losses, ties and wins. What is not"
        " significant is faint.",
        "{confidence} intervals; faint: adjusted p not below {alpha:g}; losses / ties"
        " / wins",
    ),
    "history": Kind(
        "{measure} over time",
        "Lines show {measure} of runs over time, one for each series.",
        "{lines}",
    ),
    "judged": Kind(
        "What the judgments of {measure} cover",
        "Dots show {measure} of each run; lines how far it could move if all"
        " returned documents were judged; bars the share that is judged.",
        "lines: lowest and highest possible value",
    ),
    "systems": Kind(
        "{measure} of runs, {new_set} against {old_set}",
        "A point for each run: its {measure} by the judgments {old_set} across, by"
        " {new_set} up. Above the diagonal, {new_set} gives the higher value.",
    ),
    "calibration-of-judges": Kind(
        "Grades of assessors",
        "Cells show how often an assessor gave a grade to the documents to which"
        " the given assessor gave another.",
        "share of the documents with a grade of the given assessor",
    ),
}


def spec(name: str) -> dict[str, Any]:
    """Return the spec of a kind of figure with its placeholders, or a part of specs.

    curves draws a line for each run; theme, for print, has fonts, and colours that
    colour-blind people tell.
    """
    return json.loads((_FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def filled(part: Any, about: Mapping[str, Any]) -> Any:
    """Return a part of a spec with the values of its placeholders.

    Only a string that is a placeholder as a whole is replaced, so that no text of
    the data becomes part of an expression.
    """
    if isinstance(part, dict):
        items = cast(Mapping[str, Any], part)
        return {key: filled(value, about) for key, value in items.items()}
    if isinstance(part, list):
        parts = cast(list[Any], part)
        return [filled(value, about) for value in parts]
    if isinstance(part, str) and part.startswith("$"):
        return about[part.removeprefix("$")]
    return part
