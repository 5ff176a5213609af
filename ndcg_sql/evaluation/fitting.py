"""Which measures fit a judgment set: those that have in it all that they need.

The table misfits has the others. It is filled where measures are registered, where
judgments are stored, and where what a dataset has beside them changes.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import into
from ndcg_sql.measures.families import written
from ndcg_sql.measures.names import parse
from ndcg_sql.reading.columns import likely
from ndcg_sql.text import closest, listed, quoted
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
    "large": "choose other gains, such as gains={1:1,2:3}, or correct the grade and"
    " load the judgments again",
    "unnamed": "choose a scheme that does",
}
# What is loaded into a warehouse at least.
_ALL = ("load_judgments", "load_run")
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

    @property
    def why(self) -> str:
        """What the judgment set, or its dataset, lacks or has too much of."""
        grades = "grades " if len(self.grades) > 1 else "grade "
        return _WHY[self.fault].format(
            grades=grades + ", ".join(map(written, self.grades)),
            scheme=quoted(self.scheme),
            dataset=quoted(self.dataset),
            lacked=self._lacked,
        )

    def refusal(
        self, ignored: Iterable[str] = (), is_kept: bool = True
    ) -> NdcgSqlError:
        """Return the error if the measure was requested.

        ignored are the columns of the judgments from which nothing was read; is_kept
        is whether a warehouse keeps them.
        """
        if self.fault in _LOADED and not is_kept:
            loads = [_LOADED[self.fault], *_ALL]
            return _only_in_warehouse(self.measure, self._lacked, loads)
        way: Wording = self._way(f"use a higher one: {self._higher}")
        if self.fault == "subtopics":
            column = likely("subtopic", ignored, "judgments")
            columns = {"subtopic": column or "NAME"}
            way = use(columns=columns)
            if is_kept:
                loaded = {**into(self.dataset), "columns": columns}
                way = call("load_judgments", FILE, **loaded)
            way = (
                f"if they are in column {quoted(column)}: " + way
                if column
                else "load judgments that name them: lines of query, subtopic, document"
                " and grade, or a column subtopic (under another name: " + way + ")"
            )
        return NdcgSqlError(
            f"measure {self.measure} cannot be used with judgment set"
            f" {quoted(self.judgment_set)}: {self.why}",
            way,
        )

    @property
    def warning(self) -> Text:
        """The message if the measure is only registered."""
        ways = [self._way(call("add_measures", self._higher))]
        if not self.has_values:
            ways.append(call("remove_measures", self.measure))
        ways = [way for way in ways if way]
        return (
            f"measure {self.measure} is left out for judgment set"
            f" {quoted(self.judgment_set)}: {self.why}"
        ) + Text("; " if ways else "", joined(ways, ", or "))

    def _way(self, higher: Wording) -> Wording:
        """Return what helps; higher is how to have a higher max_rel."""
        if self.fault not in _LOADED:
            return higher if self.fault == "above" else _WAYS.get(self.fault, "")
        near = closest(self._attribute, self.attributes, 0.6)
        if near:
            return f"did you mean {listed(self._other(by=name) for name in near)}?"
        others = f"known: {listed(self.attributes)}; " if self.attributes else ""
        loading = call(_LOADED[self.fault], FILE, **into(self.dataset))
        return others + ("load them: " + loading)

    @property
    def _higher(self) -> str:
        """The measure with the least integer that would do as max_rel."""
        above = self.fault == "above"
        return self._other(max_rel=float(math.ceil(max(self.grades)))) if above else ""

    def _other(self, **parameters: float | str) -> str:
        """Return the measure with other parameters."""
        [measure] = parse(self.measure)
        return replace(measure, parameters=measure.parameters | parameters).name

    @property
    def _attribute(self) -> str:
        """The attribute of documents that the dataset lacks, if it is one."""
        by = parse(self.measure)[0].parameters.get("by")
        return by if isinstance(by, str) and self.fault == "attributes" else ""

    @property
    def _lacked(self) -> str:
        """What the dataset has nothing of."""
        if self.fault == "known":
            return "known documents"
        by = self._attribute
        return f"documents with the attribute {quoted(by)}" if by else "documents"


def _only_in_warehouse(
    measure: str, what: str, loads: Sequence[str] = _ALL
) -> NdcgSqlError:
    """Return the error if a measure needs what only a warehouse has."""
    loading = joined([call(method, FILE) for method in loads], ", ")
    report = call("report", measures=(measure,))
    way = Text("load them and all else into one, then ask it: ", loading, ", ", report)
    return NdcgSqlError(f"{measure} needs {what}, which only a warehouse has", way)


def note_misfits(
    database: Database,
    measures: Iterable[str] | None = None,
    set_ids: Iterable[int] | None = None,
) -> None:
    """Fill the table misfits anew for some registered measures and judgment sets.

    Without, they are all.
    """
    named = {
        "measures": None if measures is None else list(measures),
        "judgment_set_ids": None if set_ids is None else list(set_ids),
    }
    database.execute(
        "delete from misfits where coalesce(list_contains($measures, measure), true)"
        " and coalesce(list_contains($judgment_set_ids, judgment_set_id), true)",
        named,
    )
    database.run("store/misfits", named)


def misfits(database: Database, set_ids: Iterable[int]) -> list[Misfit]:
    """Return the registered measures that do not fit judgment sets."""
    ids = {"judgment_set_ids": sorted(set(set_ids))}
    return [Misfit(*row) for row in database.run("lookups/misfits", ids)]


def left_out(database: Database, set_ids: Iterable[int]) -> list[Text]:
    """Return warnings about the measures that are left out for judgment sets."""
    return [misfit.warning for misfit in misfits(database, set_ids)]


def check_fits(
    database: Database, set_ids: Iterable[int], ignored: Iterable[str] = ()
) -> None:
    """Raise NdcgSqlError if a registered measure does not fit a judgment set.

    ignored are the columns of the judgments from which nothing was read.
    """
    for misfit in misfits(database, set_ids):
        raise misfit.refusal(ignored, not database.is_scratch)
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
