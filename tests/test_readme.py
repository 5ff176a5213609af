"""The README prints what its commands print, and its references are in step.

python tests/test_readme.py writes the README anew from what the commands print.
"""

import csv
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

README = Path(__file__).parents[1] / "README.md"
_BLOCK = re.compile(
    r"```(console|sql|python)\n(.*?)```\n(\n```text\n.*?```\n)?", re.DOTALL
)
_TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")


def _shell(command: str, folder: Path) -> str:
    """Run a command as a reader would, and return all that it prints."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "COLUMNS": "80"}
    environment.pop("NDCG_SQL_WAREHOUSE", None)
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return _TIME.sub("2026-01-31 23:59:59", done.stdout)


def _console(body: str, folder: Path) -> str:
    """Return a console block with the output of each of its commands."""
    commands = re.findall(r"(?m)^\$ (.*)$", body)
    return "".join(f"$ {command}\n{_shell(command, folder)}" for command in commands)


def _select(sql: str, folder: Path) -> str:
    """Return the rows of a select through the bare duckdb package, as CSV."""
    with duckdb.connect(str(folder / "ndcg.duckdb"), read_only=True) as connection:
        result = connection.execute(sql)
        sheet = io.StringIO()
        writer = csv.writer(sheet, lineterminator="\n")
        writer.writerow([column[0] for column in result.description or []])
        writer.writerows(result.fetchall())
    return sheet.getvalue()


def _python(code: str, folder: Path) -> str:
    """Return what a piece of Python prints."""
    (folder / "example.py").write_text(code, encoding="utf-8")
    printed = _shell("python example.py", folder)
    return "\n".join(line.rstrip() for line in printed.splitlines()) + "\n"


def _block(match: re.Match[str], folder: Path) -> str:
    """Return a block of the README as it should read."""
    kind, body = match[1], match[2]
    if kind == "console":
        return f"```console\n{_console(body, folder)}```\n"
    printed = (_select if kind == "sql" else _python)(body, folder)
    return f"```{kind}\n{body}```\n\n```text\n{printed.rstrip()}\n```\n"


def _commands(folder: Path) -> str:
    """Return the help of every command."""
    names = ["", "load judgments", "load run", "load queries", "report", "eval"]
    names += ["explain", "list", "query", "measures list", "measures add"]
    names += ["measures remove", "gains list", "gains add", "gains remove"]
    names += ["evaluate", "export run", "export judgments", "publish", "remove run"]
    names += ["remove judgments", "remove dataset", "check", "schema", "demo"]
    names += ["compare", "gate", "holes", "pool", "changes", "history", "overlap"]
    names += ["load assessments", "remove assessments", "agreement", "adjudicate"]
    names += ["trec_eval"]
    parts: list[str] = []
    for name in names:
        title = f"ndcg-sql {name}".strip()
        parts.append(
            f"```text\n$ {title} --help\n{_shell(title + ' --help', folder)}```"
        )
    return "\n\n".join(parts)


def _rendered(text: str, folder: Path) -> str:
    """Return the README as its commands would have it."""
    text = _BLOCK.sub(lambda match: _block(match, folder), text)
    references: dict[str, Callable[[Path], str]] = {
        "measures": lambda f: _shell(
            "ndcg-sql measures list --families --format markdown", f
        ),
        "systems": lambda f: _shell(
            "ndcg-sql measures list --systems --format markdown", f
        ),
        "commands": _commands,
        "schema": lambda f: _shell("ndcg-sql schema", f),
    }
    for name, make in references.items():
        text = re.sub(
            rf"<!-- {name} -->\n.*?<!-- /{name} -->",
            lambda _, n=name, m=make: (
                f"<!-- {n} -->\n\n{m(folder).strip()}\n\n<!-- /{n} -->"
            ),
            text,
            flags=re.DOTALL,
        )
    return text


def test_the_family_that_the_readme_adds_works(tmp_path: Path) -> None:
    (diff,) = re.findall(
        r"```diff\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL
    )
    for folder in ("ndcg_sql", "sql", "migrations"):
        shutil.copytree(README.parent / folder, tmp_path / folder)
    subprocess.run(
        ["git", "apply", "-"], cwd=tmp_path, input=diff, text=True, check=True
    )
    (tmp_path / "qrels").write_text("q 0 a 1\nq 0 b 0\nq 0 c 1\nq 0 d 1\n")
    (tmp_path / "run").write_text("q Q0 a 1 3 t\nq Q0 b 2 2 t\nq Q0 c 3 1 t\n")
    command = [sys.executable, "-m", "ndcg_sql", "eval", "qrels", "run"]
    done = subprocess.run(
        [*command, "-m", "F1@2 F1 F1(rel=2)", "--format", "csv", "-q"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    )
    values = [row["value"] for row in csv.DictReader(io.StringIO(done.stdout))]
    assert values == ["0.4", str(4 / 6), "0.0"]


@pytest.mark.skipif(
    duckdb.__version__.startswith("2"),
    reason="the README shows the default install, which brings DuckDB 1.5 and pandas",
)
def test_readme_shows_what_its_commands_print(tmp_path: Path) -> None:
    text = README.read_text(encoding="utf-8")
    assert _rendered(text, tmp_path).splitlines() == text.splitlines()


def test_every_command_is_in_the_readme() -> None:
    text = README.read_text(encoding="utf-8")
    help_text = _shell("ndcg-sql --help", README.parent)
    commands = re.findall(r"(?m)^  ([a-z_]+) ", help_text.split("Commands:")[1])
    assert len(commands) >= 8
    for command in commands:
        assert f"$ ndcg-sql {command}" in text


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        rendered = _rendered(README.read_text(encoding="utf-8"), Path(scratch))
    README.write_text(rendered, encoding="utf-8")
