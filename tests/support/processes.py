"""Processes that tests start, whose output is text."""

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def ran(
    command: Sequence[str | Path], folder: Path | None = None, **options: Any
) -> "subprocess.CompletedProcess[str]":
    """Run a command to its end; options are those of subprocess.run."""
    words = [str(part) for part in command]
    return subprocess.run(
        words, cwd=folder, capture_output=True, text=True, check=False, **options
    )


def begun(
    command: Sequence[str | Path], folder: Path, **options: Any
) -> "subprocess.Popen[str]":
    """Start a command; options are those of subprocess.Popen."""
    words, pipe = [str(part) for part in command], subprocess.PIPE
    return subprocess.Popen(
        words, cwd=folder, stdout=pipe, stderr=pipe, text=True, **options
    )
