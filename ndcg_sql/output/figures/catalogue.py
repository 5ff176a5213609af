"""The specs of the figures: a file for each under specs/.

A spec is one of Vega-Lite without data, in which a string such as "$measure" stands
for a property of the rows. In its titles, its subtitle and its description, which
is for those who cannot see the figure, {measure} does.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, cast

from ndcg_sql.output.layout import cut

Spec = dict[str, Any]
# How many characters of a text are drawn.
LONGEST = 60
_FOLDER = Path(__file__).parent / "specs"


@cache
def names() -> tuple[str, ...]:
    """Return the names of the figures that can be drawn of rows."""
    specs = sorted(_FOLDER.glob("*.vl.json"))
    return tuple(path.name.removesuffix(".vl.json") for path in specs)


def spec(name: str) -> dict[str, Any]:
    """Return the spec of a kind of figure with its placeholders, or a part of specs.

    curves draws a line for each run, and near tells what somebody points at; theme, for
    print, has fonts, and colours that colour-blind people tell.
    """
    return json.loads((_FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def filled(part: Any, about: Mapping[str, Any]) -> Any:
    """Return a part of a spec with the values of its placeholders.

    Only a string that is a placeholder as a whole is replaced, so that no text of
    the data becomes part of an expression; and what is in braces in the title of an
    axis, which is text.
    """
    if isinstance(part, dict):
        own = cast(Spec, part)
        values = {key: filled(value, about) for key, value in own.items()}
        title = own.get("title")
        if isinstance(title, str) and "{" in title:
            values["title"] = cut(title.format(**about), LONGEST).rstrip()
        return values
    if isinstance(part, list):
        return [filled(value, about) for value in cast(list[Any], part)]
    if isinstance(part, str) and part.startswith("$"):
        return about[part.removeprefix("$")]
    return part


def objects(part: Any) -> Iterator[dict[str, Any]]:
    """Give each object of a part of a spec, which may be changed meanwhile."""
    if isinstance(part, list):
        for one in cast("list[Any]", part):
            yield from objects(one)
    if isinstance(part, dict):
        own = cast("dict[str, Any]", part)
        yield own
        for value in own.values():
            yield from objects(value)
