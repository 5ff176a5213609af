"""The options for loading runs and judgment sets."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from ndcg_sql.evaluation.entries import Kind
from ndcg_sql.reading.layouts import Reading

Ranked = Literal["run", "judgments"]
# What to do about a document that is listed twice for a query.
DUPLICATES = ("refuse", "first", "last", "max")
# What a run is named by, unless the user names it.
NAMES_FROM = ("file", "tag")
POSITION_RULES = ("score", "score32", "given")
# What a kind is called in messages.
WORDS: Mapping[Ranked, Kind] = {"run": "run", "judgments": "judgment set"}


@dataclass(frozen=True)
class Options(Reading):
    """A user's options for loading a file.

    name_from is one of NAMES_FROM; names are names to use in place of those of
    files. rows_of is the list to whose
    rows a file of scores belongs; groups is the file with the number of rows of
    each query of a list; base is the judgment set whose judgments a new one
    includes; duplicates is one of DUPLICATES.
    """

    dataset: str = "default"
    name: str | None = None
    name_from: str = "file"
    names: Mapping[Path, str] = field(default_factory=dict[Path, str])
    rows_of: Path | None = None
    groups: Path | None = None
    labels: dict[str, float] = field(default_factory=dict[str, float])
    position_rule: str = "score"
    run_at: str | None = None
    tags: dict[str, str] = field(default_factory=dict[str, str])
    evaluate: bool = True
    base: str | None = None
    duplicates: str = "refuse"
    replace: bool = False
