"""What a warehouse keeps, changed or passed on from Python."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, cast

from ndcg_sql.analysis.integrity import checked
from ndcg_sql.arguments import as_arguments, in_python
from ndcg_sql.database import opening
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import choose_entry
from ndcg_sql.evaluation.evaluating import evaluate_pairs
from ndcg_sql.evaluation.registry import add_measures, remove_measures
from ndcg_sql.loading import labelling, removing
from ndcg_sql.names import names_of
from ndcg_sql.output import exporting
from ndcg_sql.output.grids import rows_as_they_are
from ndcg_sql.output.publishing.publish import publish
from ndcg_sql.output.results import Result, result
from ndcg_sql.system.messages import Collected, Messages
from ndcg_sql.text import quoted
from ndcg_sql.warehouse.access import Access
from ndcg_sql.warehouse.asking import request_of

Kind = Literal["run", "judgments", "assessments"]
_KINDS: dict[str, Any] = {
    "run": "run",
    "judgments": "judgment set",
    "assessments": "assessments",
}


class Keeping(Access):
    """The methods of a warehouse that change or pass on what it holds.

    They return the messages that the command line would print, and raise
    NdcgSqlError, with nothing changed, where it would refuse.
    """

    def add_measures(self, measures: Any, *, dataset: str | None = None) -> str:
        """Register measures, and store their values for every evaluation."""
        messages = Collected()
        with self._writing() as database:
            add_measures(database, names_of("measures", measures), dataset, messages)
        return as_arguments(messages.text)

    def remove_measures(self, measures: Any, *, dataset: str | None = None) -> str:
        """Remove registered measures and their stored values."""
        messages = Collected()
        with self._writing() as database:
            remove_measures(database, names_of("measures", measures), dataset, messages)
        return as_arguments(messages.text)

    def evaluate(
        self,
        *,
        runs: Any = None,
        judgments: str | None = None,
        dataset: str | None = None,
    ) -> str:
        """Evaluate runs with judgment sets where their values are not stored yet."""
        messages = Collected()
        asked = request_of(None, runs, judgments, dataset)
        with self._writing() as database:
            evaluate_pairs(database, messages, asked)
        return as_arguments(messages.text)

    def remove(
        self, kind: Kind, names: str | Iterable[str], *, dataset: str | None = None
    ) -> str:
        """Remove runs, judgment sets or assessments, with their values."""
        messages = Collected()
        with self._writing() as database:
            given = (names_of("names", names), dataset, messages)
            removing.remove_named(database, _kind(kind), *given)
        return as_arguments(messages.text)

    def tag(
        self, run: str, tags: Mapping[str, str], *, dataset: str | None = None
    ) -> str:
        """Give a run tags; a value of "" removes a tag."""
        messages = Collected()
        with self._writing() as database:
            labelling.tag(database, run, _tags(tags), dataset, messages)
        return as_arguments(messages.text)

    def rename(
        self,
        kind: Literal["run", "judgments"],
        old: str,
        new: str,
        *,
        dataset: str | None = None,
    ) -> str:
        """Rename a run or a judgment set; its id, content and values stay."""
        messages = Collected()
        with self._writing() as database:
            labelling.rename(database, _kind(kind), old, new, dataset, messages)
        return as_arguments(messages.text)

    def export(
        self,
        kind: Literal["run", "judgments"],
        name: str,
        path: str | Path,
        *,
        dataset: str | None = None,
        form: str | None = None,
    ) -> str:
        """Write a run or a judgment set to a file, in the format of its suffix."""
        table = _kind(kind)
        write = exporting.export_run if kind == "run" else exporting.export_judgments
        with self._reading() as database:
            entry = choose_entry(database, table, name, dataset)
            return write(database, entry, form, Path(path))

    def publish(self, target: str | Path, *, schema: str | None = None) -> str:
        """Write the public relations as tables to a file, folder or database."""
        messages = Collected()
        with in_python(str(target)):
            publish(self._copied, str(target), schema, self._wait, messages)
        return as_arguments(messages.text)

    def _copied(self, copy: bool) -> Database:
        """Open the file, or a copy of it, as it is on the disk."""
        if str(self._path) == ":memory:":
            raise NdcgSqlError("publish: a warehouse in memory has no file to copy")
        self._check_open()
        given = (self._path, self._wait, opening.SILENT, self._limits)
        return opening.read(*given, copy=copy)

    def check(self) -> Result:
        """Read all stored data and verify that it is consistent."""
        messages: Messages = Collected()
        with self._reading() as database, checked(database, messages):
            return result(database, "check", lambda d: rows_as_they_are(d, "table"))


def _kind(kind: str) -> Any:
    """Return what an entry is called inside; raise NdcgSqlError if it is none."""
    if kind not in _KINDS:
        raise NdcgSqlError(f"kind {quoted(kind)}: not one of {', '.join(_KINDS)}")
    return _KINDS[kind]


def _tags(tags: Mapping[str, str]) -> dict[str, str]:
    """Return tags; raise NdcgSqlError if one is not text."""
    for key, value in tags.items():
        for text in (key, value):
            if not isinstance(cast("object", text), str):
                raise NdcgSqlError(f"tag {text!r}: not text")
    return dict(tags)
