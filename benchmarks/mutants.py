"""Put faults into SQL, rows and Python, one at a time, and see which quick test fails.

    python benchmarks/mutants.py [NUMBER...]

The faults stand in mutants.csv, each as a text that its file has once and what it
becomes; the column caught_by gets the first quick test that fails, or stays empty. It
works in a clone of the last commit with an environment of its own.
"""

import csv
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
LIST = Path(__file__).with_suffix(".csv")
FAILED = re.compile(r"^(?:FAILED|ERROR) (tests.+?)(?: - .*)?$", re.MULTILINE)
# The rooms whose tests come first, by words of the file with the fault; then others.
FIRST = (
    ("comparison", "comparison"),
    ("reports|public|lookups", "reports"),
    ("database", "database"),
    ("fusion|store", "loading"),
    ("", "measures"),
)
NEXT = ("evaluation", "measures", "database", "reports", "comparison", "loading")


def run(command: list[str], folder: Path) -> str:
    """Return what a command prints, whether it fails or not."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return done.stdout + done.stderr


def caught_by(clone: Path, file: str, before: str, after: str) -> str:
    """Return the first quick test that fails with a fault, or an empty text."""
    path = clone / file
    text = path.read_text()
    if text.count(before) != 1:
        raise SystemExit(f"{file}: not there once: {before}")
    python = str(clone / ".venv" / "bin" / "python")
    install = ["uv", "pip", "install", "--quiet", "--python", python, "-e", "."]
    pytest = [python, "-m", "pytest", "--exitfirst", "-p", "no:cacheprovider"]
    path.write_text(text.replace(before, after))
    try:
        if path.suffix != ".py":
            # The template of a warehouse is built when the package is.
            run(install, clone)
        first = next(room for words, room in FIRST if re.search(words, file))
        rooms = sorted(test.parent.name for test in clone.glob("tests/*/test_*.py"))
        tests = [f"tests/{room}" for room in dict.fromkeys((first, *NEXT, *rooms))]
        if failed := FAILED.search(run([*pytest, *tests], clone)):
            return failed[1]
    finally:
        path.write_text(text)
        if path.suffix != ".py":
            run(install, clone)
    return ""


def main() -> None:
    """Try the faults with these numbers, or all, and write what caught them."""
    with LIST.open(newline="") as lines:
        faults = list(csv.DictReader(lines))
    numbers = [int(number) for number in sys.argv[1:]] or range(1, len(faults) + 1)
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "clone"
        run(["git", "clone", "--quiet", str(ROOT), str(clone)], ROOT)
        run(["uv", "venv", "--quiet", ".venv"], clone)
        python = str(clone / ".venv" / "bin" / "python")
        run(
            ["uv", "pip", "install", "--quiet", "--python", python, "-e", ".[test]"],
            clone,
        )
        for number in numbers:
            fault = faults[number - 1]
            fault["caught_by"] = caught_by(
                clone, fault["file"], fault["before"], fault["after"]
            )
            caught = fault["caught_by"] or "MISSED"
            print(number, fault["fault"], caught, sep="\t", flush=True)
            with LIST.open("w", newline="") as lines:
                writer = csv.DictWriter(lines, list(fault), lineterminator="\n")
                writer.writeheader()
                writer.writerows(faults)
    print(f"caught {sum(bool(f['caught_by']) for f in faults)} of {len(faults)}")


if __name__ == "__main__":
    main()
