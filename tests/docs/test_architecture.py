"""The walk of one request in docs/architecture.md is what a report calls."""

import re
import sys
from collections.abc import Callable
from importlib import import_module
from types import CodeType, FrameType
from typing import Any

import pytest

from support import pages
from support.commands import Command

PAGE = (pages.ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
WALK = re.findall(r"(?m)^\| (\d+) \| `([\w.]+)` \|", PAGE)


def code_of(name: str) -> CodeType:
    """Return the code of a function that the walk names."""
    package, module, *path = name.split(".")
    function: Any = import_module(f"ndcg_sql.{package}.{module}")
    for part in path:
        function = getattr(function, part)
    return function.__code__


def called(codes: set[CodeType], work: Callable[[], object]) -> list[CodeType]:
    """Return which of these functions some work calls, in the order of its calls."""
    calls: list[CodeType] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code in codes:
            calls.append(frame.f_code)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls


@pytest.mark.usefixtures("loaded")
def test_a_report_takes_the_walk_of_the_page(ndcg: Command) -> None:
    walk = [code_of(name) for _, name in WALK]
    results: list[Any] = []
    assert called({*walk}, lambda: results.append(ndcg("report"))) == walk
    assert results[0].code == 0
    assert "nDCG@10" in results[0].out


def test_the_drawing_shows_the_walk() -> None:
    assert 5 <= len(WALK) <= 10
    drawn = re.findall(r'"(\d+) ([\w.]+)"', PAGE)
    assert [number for number, _ in drawn] == [number for number, _ in WALK]
    for (_, shown), (_, name) in zip(drawn, WALK, strict=True):
        assert name.endswith(f".{shown}")
