"""A chart of seconds by tool, readable on white and on black."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

# Grey and blue that contrast with white and with black.
TEXT, RULE, OTHERS, OURS = "#808080", "#80808040", "#9a9a9a", "#2f81f7"


def write_chart(path: Path, title: str, seconds: Mapping[str, float]) -> None:
    """Write an SVG of horizontal bars, the fastest on top, ours in blue."""
    # Imported here because the tables do not need it.
    altair: Any = import_module("altair")
    rows = [
        {
            "tool": tool,
            "seconds": value,
            "label": f"{value:.1f} s" if value >= 1 else f"{value:.2f} s",
            "colour": OURS if tool.startswith("ndcg-sql") else OTHERS,
        }
        for tool, value in seconds.items()
    ]
    base = altair.Chart(altair.Data(values=rows), title=title).encode(
        y=altair.Y("tool:N", sort="x", title=None),
        x=altair.X("seconds:Q", title="seconds, median", axis={"tickCount": 6}),
    )
    bars = base.mark_bar().encode(color=altair.Color("colour:N", scale=None))
    labels = base.mark_text(align="left", dx=4, color=TEXT).encode(text="label:N")
    chart = (
        (bars + labels)
        .properties(width=480, height=altair.Step(24), background="transparent")
        .configure(font="sans-serif")
        .configure_view(stroke=None)
        .configure_title(color=TEXT, anchor="start", fontWeight="normal")
        .configure_axis(
            labelColor=TEXT,
            titleColor=TEXT,
            titleFontWeight="normal",
            gridColor=RULE,
            domain=False,
            ticks=False,
            labelFontSize=12,
        )
    )
    chart.save(path)
