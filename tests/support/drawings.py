"""What an SVG of a figure consists of, and how light its colours are."""

import re
from collections import Counter
from typing import Any, NamedTuple
from xml.etree import ElementTree

_SVG = "{http://www.w3.org/2000/svg}"


def structure(svg: str) -> dict[str, Any]:
    """Return the texts of a figure, and how many marks it has of each kind.

    Positions are left out: they depend on the fonts of the machine.
    """
    root = ElementTree.fromstring(svg)
    marks: Counter[str] = Counter()
    for group in root.iter(f"{_SVG}g"):
        names = (group.get("class") or "").split()
        if len(names) > 1 and names[1] == "role-mark":
            kind = names[0].removeprefix("mark-")
            marks[kind] += sum(child.tag != f"{_SVG}title" for child in group)
    return {"texts": texts(svg), "marks": dict(sorted(marks.items()))}


def texts(svg: str) -> list[str]:
    """Return the texts that a figure shows, in the order of the file."""
    root = ElementTree.fromstring(svg)
    # A text of several lines has a span for each.
    return [
        line for text in root.iter(f"{_SVG}text") for line in text.itertext() if line
    ]


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour such as #0072b2, by WCAG 2."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [
        p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21, by WCAG 2."""
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def heights(svg: str) -> dict[str, float]:
    """Return how far down each text of a figure stands; its last place, if several."""
    found: dict[str, float] = {}

    def visit(part: ElementTree.Element, above: float) -> None:
        moved = re.match(r"translate\([^,]+,([^)]+)\)", part.get("transform") or "")
        height = above + (float(moved[1]) if moved else 0)
        if part.tag == f"{_SVG}text":
            found["".join(part.itertext())] = height
        for child in part:
            visit(child, height)

    visit(ElementTree.fromstring(svg), 0)
    return found


class Placed(NamedTuple):
    """A text of a figure, with its colour, and where it starts."""

    text: str
    x: float
    y: float
    fill: str
    size: float


def placed(svg: str) -> list[Placed]:
    """Return the texts of a figure, in the order of the file."""
    found: list[Placed] = []

    def visit(part: ElementTree.Element, left: float, above: float) -> None:
        moved = re.match(r"translate\(([^,]+),([^)]+)\)", part.get("transform") or "")
        x, y = (
            (left + float(moved[1]), above + float(moved[2]))
            if moved
            else (left, above)
        )
        if part.tag == f"{_SVG}text":
            size = float((part.get("font-size") or "0").removesuffix("px"))
            text = "".join(part.itertext())
            found.append(Placed(text, x, y, part.get("fill") or "", size))
        for child in part:
            visit(child, x, y)

    visit(ElementTree.fromstring(svg), 0, 0)
    return found
