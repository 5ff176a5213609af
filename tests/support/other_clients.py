"""Other programs that read what is published, in an environment of their own."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from support import pages

PAGE = pages.ROOT / "docs" / "clients.md"
_EXAMPLE = re.compile(
    r'```(?:python|py|js|sql|yaml)(?: title="([^"]+)")?\n(.*?)```\n', re.DOTALL
)


def environment(variable: str = "NDCG_SQL_CLIENTS") -> Path:
    """Return the environment that a variable names, or skip the test; fail in CI."""
    named = os.environ.get(variable)
    if named:
        return Path(named)
    how = f"{variable} names no environment with them; tests/README.md shows how"
    if "CI" in os.environ:
        pytest.fail(how)
    pytest.skip(how)


def program(name: str) -> str:
    """Return the path of a program of the environment."""
    path = environment() / "bin" / name
    assert path.exists(), f"{path} is missing"
    return str(path)


def output(*command: str | Path, **variables: str) -> str:
    """Run a command here, and return what it prints; fail with that on an error."""
    code, printed = ended(*command, **variables)
    assert code == 0, printed
    return printed


def ended(*command: str | Path, **variables: str) -> tuple[int, str]:
    """Run a command here, and return its exit code and all that it prints."""
    # dbt asks no server whether it may count its users.
    quiet = {"DO_NOT_TRACK": "1", "DBT_USE_COLORS": "false"}
    done = subprocess.run(
        [str(part) for part in command],
        env={**os.environ, **quiet, "NO_COLOR": "1", **variables},
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=300,
        check=False,
    )
    return done.returncode, done.stdout


def example(heading: str) -> str:
    """Return the first example of a section of docs/clients.md."""
    return examples(heading)[0][1]


def examples(heading: str) -> list[tuple[str, str]]:
    """Return the examples of a section of docs/clients.md with their titles."""
    text = PAGE.read_text(encoding="utf-8")
    [section] = re.findall(rf"(?ms)^## {heading}\n(.*?)(?=^## |\Z)", text)
    return _EXAMPLE.findall(section)
