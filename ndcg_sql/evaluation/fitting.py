"""Which measures fit a judgment set: those that have in it all that they need.

The table misfits has the others. It is filled where measures are registered, where
judgments are stored, and where what a dataset has beside them changes.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import into
from ndcg_sql.measures.families import written
from ndcg_sql.measures.names import parse
from ndcg_sql.text import listed, quoted
from ndcg_sql.wording import FILE, Text, Wording, call, joined, use

# What loads that which a dataset may lack, by the fault.
_LOADED = {
    "known": "load_known",
    "documents": "load_documents",
    "attributes": "load_documents",
}
# What a judgment set, or its dataset, lacks or has too much of, by the fault.
_WHY = {
    "above": "the {grades} is above its max_rel",
    "large": "the gain of the {grades} is too large to be summed",
    "unnamed": "gain scheme {scheme} defines no gain for the {grades}",
    "subtopics": "it has no subtopics",
    **dict.fromkeys(_LOADED, "dataset {dataset} has no {lacked}"),
}
# What helps, if that is the same for all measures.
_WAYS = {
    "subtopics": "load judgments that name them: lines of query, subtopic, document and"
    " grade, or a column subtopic (under another name: ",
    "large": "choose other gains, such as gains={1:1,2:3}, or correct the grade and"
    " load the judgments again",
    "unnamed": "choose a scheme that does",
}
_READING_RANKINGS = "select measure from measure_needs where need = 'rankings' limit 1"


@dataclass(frozen=True)
class Misfit:
    """A measure that does not fit a judgment set, as the select of misfits has it."""

    judgment_set_id: int
    judgment_set: str
    dataset: str
    measure: str
    fault: str
    scheme: str | None
    grades: list[float]
    attributes: list[str]
    has_values: bool

    def refusal(self, is_kept: bool = True) -> NdcgSqlError:
        """Return the error if the measure was requested; is_kept is if data stays."""
        if self.fault in _LOADED and not is_kept:
            return _only_in_warehouse(self.measure, self._lacked, _LOADED[self.fault])
        what = f"measure {self.measure} cannot be used with judgment set"
        way = self._way(f"use a higher one: {self._higher}", is_kept)
        return NdcgSqlError(f"{what} {quoted(self.judgment_set)}: {self._why}", way)

    @property
    def warning(self) -> Text:
        """The message if the measure is only registered."""
        ways = [self._way(call("add_measures", self._higher))]
        if not self.has_values:
            ways.append(call("remove_measures", self.measure))
        ways = [way for way in ways if way]
        return (
            f"measure {self.measure} is omitted for judgment set"
            f" {quoted(self.judgment_set)}: {self._why}"
        ) + Text("; " if ways else "", joined(ways, ", or "))

    @property
    def _why(self) -> str:
        """What the judgment set, or its dataset, lacks or has too much of."""
        grades = "grades " if len(self.grades) > 1 else "grade "
        return _WHY[self.fault].format(
            grades=grades + ", ".join(map(written, self.grades)),
            scheme=quoted(self.scheme),
            dataset=quoted(self.dataset),
            lacked=self._lacked,
        )

    @property
    def _lacked(self) -> str:
        """What the dataset has nothing of."""
        if self.fault == "known":
            return "known documents"
        if self.fault == "documents":
            return "documents"
        attribute = parse(self.measure)[0].parameters.get("by")
        return f"documents with the attribute {quoted(attribute)}"

    @property
    def _higher(self) -> str:
        """The measure with the least integer that would do as max_rel."""
        [measure] = parse(self.measure)
        highest = {"max_rel": float(math.ceil(max(self.grades, default=0)))}
        return replace(measure, parameters=measure.parameters | highest).name

    def _way(self, higher: Wording, is_kept: bool = True) -> Wording:
        """Return what helps; higher is how to have a higher max_rel."""
        if self.fault == "subtopics":
            named = {"columns": {"subtopic": "NAME"}}
            loading = call("load_judgments", FILE, **named)
            return _WAYS[self.fault] + (loading if is_kept else use(**named)) + ")"
        if self.fault not in _LOADED:
            return higher if self.fault == "above" else _WAYS[self.fault]
        others = f"known: {listed(self.attributes)}; " if self.attributes else ""
        loading = call(_LOADED[self.fault], FILE, **into(self.dataset))
        return others + ("load them: " + loading)


def _only_in_warehouse(measure: str, what: str, *loads: str) -> NdcgSqlError:
    """Return the error if a measure needs what only a warehouse has."""
    calls = [call(method, FILE) for method in (*loads, "load_judgments", "load_run")]
    calls.append(call("report", measures=(measure,)))
    way = "load them and all else into one, then ask it: " + joined(calls, ", ")
    return NdcgSqlError(f"{measure} needs {what}, which only a warehouse has", way)


def note_misfits(
    database: Database,
    measures: Iterable[str] | None = None,
    set_ids: Iterable[int] | None = None,
) -> None:
    """Fill the table misfits anew for some registered measures and sets, or for all."""
    named = {
        "measures": None if measures is None else list(measures),
        "judgment_set_ids": None if set_ids is None else list(set_ids),
    }
    database.execute(
        "delete from misfits where coalesce(list_contains($measures, measure), true)"
        " and coalesce(list_contains($judgment_set_ids, judgment_set_id), true)",
        named,
    )
    # Planning the select takes longer than all else that registers a measure.
    if database.execute("from judgment_sets limit 1"):
        database.run("store/misfits", named)


def misfits(database: Database, set_ids: Iterable[int]) -> list[Misfit]:
    """Return the registered measures that do not fit judgment sets."""
    ids = {"judgment_set_ids": sorted(set(set_ids))}
    return [Misfit(*row) for row in database.run("lookups/misfits", ids)]


def left_out(database: Database, set_ids: Iterable[int]) -> list[Text]:
    """Return warnings about the measures that are left out for judgment sets."""
    return [misfit.warning for misfit in misfits(database, set_ids)]


def check_fits(database: Database, set_ids: Iterable[int]) -> None:
    """Raise NdcgSqlError if a registered measure does not fit a judgment set."""
    for misfit in misfits(database, set_ids):
        raise misfit.refusal(not database.is_scratch)
    if database.is_scratch:
        for (measure,) in database.execute(_READING_RANKINGS):
            raise _only_in_warehouse(measure, "whole rankings")


def fitting(database: Database, set_ids: Iterable[int]) -> dict[int, set[str]]:
    """Return the registered measures that judgment sets are evaluated with."""
    measures: dict[int, set[str]] = {set_id: set() for set_id in set_ids}
    rows = "select judgment_set_id, measure from fitting_measures"
    for set_id, measure in database.execute(rows):
        if set_id in measures:
            measures[set_id].add(measure)
    return measures


def fitting_any(database: Database, set_ids: Iterable[int]) -> set[str]:
    """Return the registered measures that fit at least one of some judgment sets."""
    return set[str]().union(*fitting(database, set_ids).values())
