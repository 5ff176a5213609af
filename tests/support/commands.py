"""Commands of ndcg-sql, as the tests run them and see what they did."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Result:
    """What a command did: its exit code and what it printed."""

    code: int
    out: str
    err: str


# Takes the arguments of a command line, as the fixture ndcg does.
Command = Callable[..., Result]

# Takes a function that fills the current directory, as the fixture once does.
Once = Callable[[Callable[[], object]], None]
