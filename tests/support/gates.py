"""The command gate, as the tests ask it."""

import json
from pathlib import Path
from typing import Any

from support.commands import Command, Result

QUERIES = [f"q{i:02}" for i in range(40)]


def gate(ndcg: Command, candidate: str, *options: str | Path) -> Result:
    """Hold a candidate against the run "base"."""
    asked = ("--baseline", "base", "--candidate", candidate, *options)
    return ndcg("gate", *asked, *(() if "-m" in options else ("-m", "RR")))


def rows(ndcg: Command, candidate: str, *options: str) -> list[dict[str, Any]]:
    """Return what became of the rules."""
    return json.loads(gate(ndcg, candidate, *options, "--format", "json").out)
