"""Commands of ndcg-sql, as the tests run them and see what they did."""

import shlex
from collections.abc import Callable
from dataclasses import dataclass


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


def run_all(ndcg: Command, script: str) -> Result:
    """Run the commands of a script, a line each; all must succeed. Return the last."""
    result = Result(0, "", "")
    for line in script.strip().splitlines():
        result = ndcg(*shlex.split(line)[1:])
        assert result.code == 0, (line, result.err)
    return result
