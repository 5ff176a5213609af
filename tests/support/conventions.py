"""Values as other systems have them, and which tests hold us to which system."""

import ast
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from support.commands import Command
from support.evaluations import Values
from support.files import Judged, Ranked, write_judgments

Test = TypeVar("Test", bound=Callable[..., None])


def covers(*_rows: str) -> Callable[[Test], Test]:
    """Say which rows of sql/systems.csv a test holds against their system.

    A row is written as "system family".
    """
    return lambda test: test


def covered(folder: Path) -> set[str]:
    """Return all that the tests of a folder say that they cover."""
    return {
        ast.literal_eval(row)
        for path in folder.glob("test_*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "covers"
        for row in node.args
    }


def equal(value: Any) -> Any:
    """Return what compares equal to doubles that were added up in another order."""
    return pytest.approx(value, rel=0, abs=1e-9)


class Like:
    """The command eval --like, for judgments and runs given as dictionaries."""

    def __init__(self, ndcg: Command, folder: Path) -> None:
        """Write files to a folder."""
        self._ndcg = ndcg
        self._folder = folder

    def _rows(
        self, system: str, judged: Judged, ranked: Ranked, *options: str
    ) -> list[dict[str, Any]]:
        """Return the rows of a report; documents are ranked as they are listed."""
        qrels = write_judgments(self._folder / "qrels", judged)
        run = self._folder / "run"
        lines = [
            f"{query} Q0 {document} {rank} {score!r} t\n"
            for query, documents in ranked.items()
            for rank, (document, score) in enumerate(documents.items(), start=1)
        ]
        run.write_text("".join(lines))
        asked = ("eval", qrels, run, "--like", system, "--format", "json")
        result = self._ndcg(*asked, *options)
        assert (result.code, result.err[:5]) == (0, "like "), result.err
        return json.loads(result.out)

    def queries(
        self, system: str, judged: Judged, ranked: Ranked, *measures: str
    ) -> Values:
        """Return the values of measures, by measure as it was asked for and query."""
        asked = [part for measure in measures for part in ("-m", measure)]
        rows = self._rows(system, judged, ranked, "-q", *asked)
        names = list(dict.fromkeys(row["measure"] for row in rows))
        found: Values = {measure: {} for measure in measures}
        for row in rows:
            found[measures[names.index(row["measure"])]][row["query_id"]] = row["value"]
        return found

    def means(
        self, system: str, judged: Judged, ranked: Ranked, *measures: str
    ) -> list[float]:
        """Return the means of measures."""
        asked = [part for measure in measures for part in ("-m", measure)]
        rows = self._rows(system, judged, ranked, *asked)
        return [row["value"] for row in rows]
