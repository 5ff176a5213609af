"""The command gate, as the tests ask it."""

from pathlib import Path

from support.commands import Command, Result


def gate(ndcg: Command, candidate: str, *options: str | Path) -> Result:
    """Hold a candidate against the run "base"."""
    asked = ("--baseline", "base", "--candidate", candidate, *options)
    return ndcg("gate", *asked, *(() if "-m" in options else ("-m", "RR")))
