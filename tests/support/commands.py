"""Commands of ndcg-sql, as the tests run them and see what they did."""

import json
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Result:
    """What a command did: its exit code and what it printed."""

    code: int
    out: str
    err: str

    @property
    def refusal(self) -> str:
        """What a refused command says, which prints nothing else."""
        assert (self.code, self.out) == (2, ""), self
        return self.err


# Takes the arguments of a command line, as the fixture ndcg does.
Command = Callable[..., Result]

# Takes a function that fills the current directory, as the fixture once does.
Once = Callable[[Callable[[], object]], None]

# Takes a warehouse that commands are to find and none may change; returns it.
Reading = Callable[[Path], Path]


def records(ndcg: Command, *words: str) -> list[dict[str, Any]]:
    """Return the rows that a command answers with, as JSON has them."""
    result = ndcg(*words, "--format", "json")
    assert result.code == 0, result.err
    return json.loads(result.out)


def load_texts(ndcg: Command, texts: Mapping[str, str]) -> None:
    """Write and load files: texts by what follows load, as in "run base --replace"."""
    for words, text in texts.items():
        kind, file, *options = shlex.split(words)
        Path(file).write_text(text)
        result = ndcg("load", kind, file, *options)
        assert result.code == 0, result.err
