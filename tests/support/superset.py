"""A Superset server that tests set up as docs/superset.md says."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from support import pages
from support.other_clients import ended, environment, output
from support.servers import free_port

FOLDER = pages.ROOT / "bi" / "superset"
_PAGE = pages.ROOT / "docs" / "superset.md"
_VARIABLE = "NDCG_SQL_SUPERSET"
_PATIENCE = 120.0
_SECRETS = {
    "SECRET_THAT_STAYS": "a secret of forty-two characters, for tests",
    "SUPERSET_PASSWORD": "p@ss w0rd/:",
}


@dataclass(frozen=True)
class Superset:
    """A running Superset, and a folder for what its browser saw."""

    address: str
    folder: Path

    def imports(self, target: str | Path, *options: str) -> tuple[int, str]:
        """Run the shipped command; return its exit code and what it prints."""
        command = (FOLDER / "import_dashboard.py", target, "--superset", self.address)
        return ended(sys.executable, *command, *options, **_SECRETS)

    def shown(self) -> dict[str, Any]:
        """Open the dashboard in a browser; return what it shows."""
        script = Path(__file__).with_name("superset_browser.py")
        python = environment(_VARIABLE) / "bin" / "python"
        output(python, script, self.address, "admin", self.folder, **_SECRETS)
        return json.loads((self.folder / "shown.json").read_text(encoding="utf-8"))


def _example(title: str) -> str:
    text = _PAGE.read_text(encoding="utf-8")
    [found] = re.findall(rf'```sh title="{title}"\n(.*?)```', text, re.DOTALL)
    return found


@contextmanager
def serving(folder: Path) -> Generator[Superset]:
    """Set up a Superset in a folder and run it."""
    if not shutil.which("chromium"):
        pytest.skip("chromium is not installed (apt-get install chromium)")
    (folder / "superset-env").symlink_to(environment(_VARIABLE))
    port = free_port()
    serve = _example("serve.sh")
    assert serve.count("127.0.0.1:8088") == 1
    script = (
        f"set -e\n{_example('prepare.sh')}\n"
        f"exec {serve.replace(':8088', f':{port}').strip()}\n"
    )
    log = folder / "log"
    with log.open("wb") as written:
        process = subprocess.Popen(
            ["bash", "-c", script],
            cwd=folder,
            env={**os.environ, **_SECRETS},
            stdin=subprocess.DEVNULL,
            stdout=written,
            stderr=written,
            start_new_session=True,
        )
    try:
        _wait(f"http://127.0.0.1:{port}/health", process, log)
        yield Superset(f"http://127.0.0.1:{port}", folder)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _wait(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            with urllib.request.urlopen(address):
                return
        except OSError:
            lives = process.poll() is None and time.monotonic() < end
            assert lives, log.read_text(errors="replace")[-3000:]
            time.sleep(0.5)
