"""The notebooks and scripts of examples/ run, and print what they show."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support.libraries import library
from support.pages import ROOT

EXAMPLES = ROOT / "examples"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))


def _texts(notebook: Any) -> list[str]:
    """Return what the cells of a notebook print or show as text."""
    found: list[str] = []
    for cell in notebook.cells:
        texts: list[str] = []
        for shown in cell.get("outputs", []):
            assert shown["output_type"] != "error", shown
            text = shown.get("text") or shown.get("data", {}).get("text/plain", "")
            texts.append(text)
        # What one cell prints comes in one piece or in several.
        found += ["".join(texts)] if texts else []
    return found


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_prints_what_it_shows(path: Path, tmp_path: Path) -> None:
    nbformat = library("nbformat")
    kept = nbformat.read(path, as_version=4)
    fresh = nbformat.read(path, as_version=4)
    client = library("nbclient").NotebookClient(
        fresh, timeout=120, resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute()
    assert _texts(fresh) == _texts(kept)
    assert len(_texts(kept)) > 3


def test_there_are_notebooks() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["rag", "recommender", "search"]


@pytest.mark.slow
def test_the_training_loop_stops_at_the_gate(tmp_path: Path) -> None:
    found = subprocess.run(
        [sys.executable, EXAMPLES / "training_loop.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    lines = found.stdout.splitlines()
    assert lines[2] == "epoch-04: gate failed: 1 of 1 rules"
    assert lines[3] == "best: epoch-03"
    assert [line.split()[0] for line in lines[4:]] == [
        f"epoch-0{n}" for n in (1, 2, 3, 4)
    ]
