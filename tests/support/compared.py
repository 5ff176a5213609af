"""Comparisons with oracles, which benchmarks/oracles.py counts."""

import json
import os
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

# The file to which each comparison adds a line.
LOG = "NDCG_SQL_COMPARED"


def agree(
    oracle: str,
    subject: str,
    ours: Any,
    theirs: Any,
    *,
    rel: float = 1e-9,
    abs: float = 1e-12,  # noqa: A002 - as pytest.approx has it
) -> None:
    """Assert that a value, list or dict is an oracle's, within a tolerance."""
    assert ours == pytest.approx(theirs, rel=rel, abs=abs), f"{subject}, {oracle}"
    record(oracle, {subject: _count(theirs)})


def record(oracle: str, counts: Mapping[str, int]) -> None:
    """Keep how many values of each subject were compared with an oracle's."""
    if path := os.environ.get(LOG):
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(json.dumps([oracle, counts]) + "\n")


def totals(path: Path) -> dict[tuple[str, str], int]:
    """Return the numbers of values that were compared, by subject and oracle."""
    found: dict[tuple[str, str], int] = defaultdict(int)
    for line in path.read_text(encoding="utf-8").splitlines():
        oracle, counts = json.loads(line)
        for subject, count in counts.items():
            found[subject, oracle] += count
    return dict(sorted(found.items()))


def _count(values: Any) -> int:
    """Return how many values there are."""
    return len(values) if hasattr(values, "__len__") else 1
