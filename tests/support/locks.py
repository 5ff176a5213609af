"""Another process that holds a warehouse file."""

import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

HOLDER = """
import sys, time, duckdb
connection = duckdb.connect(sys.argv[1], read_only=sys.argv[2] == "read")
print("open", flush=True)
time.sleep(float(sys.argv[3]))
connection.close()
"""


@contextmanager
def held(path: Path, mode: str, seconds: float) -> Generator[int]:
    """Let another process hold a file for some seconds; give its PID."""
    arguments = [sys.executable, "-c", HOLDER, str(path), mode, str(seconds)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"open\n"
        try:
            yield process.pid
        finally:
            process.kill()
