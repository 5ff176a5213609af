"""Which measures fit a judgment set: those that have in it all that they need."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import into
from ndcg_sql.measures.families import written
from ndcg_sql.measures.names import parse
from ndcg_sql.reading.proposals import proposed
from ndcg_sql.text import closest, listed, quoted
from ndcg_sql.wording import Blank, Text, call, joined, use

_SUBTOPICS = (
    "load judgments that name them: lines of query, subtopic, document and grade, or a"
    " column subtopic (under another name: "
)

# What loads that which a dataset may lack, by the fault of the view.
_LOADED = {
    "known": "load_known",
    "documents": "load_documents",
    "attributes": "load_documents",
}


_WITH_VALUES = "select distinct measure from stored_run_values"
_READING_RANKINGS = "select measure from measure_needs where need = 'rankings' limit 1"


def _into_one(measure: str, loads: Sequence[str]) -> Text:
    """Return how to load into a warehouse what a measure needs, and to ask it."""
    every = [*loads, "load_judgments", "load_run"]
    return Text(
        "load them and all else into one, then ask it: ",
        joined([call(method, Blank("FILE")) for method in every], ", "),
        ", ",
        call("report", measures=(measure,)),
    )


@dataclass(frozen=True)
class Misfit:
    """A measure that cannot use some grades of a judgment set, and why not.

    fault is that of the view unfit_measures; scheme is the measure's gain scheme.
    There are no grades if the set as a whole lacks something. attributes are those of
    the dataset's documents, if the measure needs another one. has_values is whether
    values of the measure are stored, which its removal would delete.
    """

    judgment_set_id: int
    judgment_set: str
    dataset: str
    measure: str
    fault: str
    scheme: str | None
    grades: list[float]
    attributes: tuple[str, ...] = ()
    has_values: bool = False

    def refusal(
        self, ignored: Iterable[str] = (), is_kept: bool = True
    ) -> NdcgSqlError:
        """Return the error if the measure was asked for.

        ignored are the columns of the judgments from which nothing was read; is_kept
        is whether a warehouse keeps them.
        """
        if self.fault == "subtopics":
            column = proposed("subtopic", ignored)
            columns = {"subtopic": column or "NAME"}
            way = use(columns=columns)
            if is_kept:
                loaded = {**into(self.dataset), "columns": columns}
                way = call("load_judgments", Blank("FILE"), **loaded)
            remedy = _SUBTOPICS + way + ")"
            if column is not None:
                remedy = f"if they are in column {quoted(column)}: " + way
            return NdcgSqlError(
                f"judgment set {quoted(self.judgment_set)} has no subtopics, which"
                f" {self.measure} needs",
                remedy,
            )
        if self.fault in _LOADED and not is_kept:
            return NdcgSqlError(
                f"{self.measure} needs {self._lacked}, which only a warehouse has",
                _into_one(self.measure, [_LOADED[self.fault]]),
            )
        if self.fault in _LOADED:
            return NdcgSqlError(
                f"dataset {quoted(self.dataset)} has no {self._lacked}, which"
                f" {self.measure} needs",
                self._meant or self._loaded_or_known,
            )
        where = f"judgment set {quoted(self.judgment_set)} has the"
        if self.fault == "above":
            return NdcgSqlError(
                f"{where} grade {self._shown}, which is above the max_rel of"
                f" {self.measure}",
                f"use a higher one, such as max_rel={self._enough} ("
                + call("remove_measures")
                + " removes a registered measure)",
            )
        if self.fault == "large":
            return NdcgSqlError(
                f"{where} grade {written(self.grades[0])}: its gain is too large to be"
                " summed",
                "choose other gains, such as gains={1:1,2:3}",
            )
        return NdcgSqlError(
            f"{where} {self._noun} {self._shown}: gain scheme {quoted(self.scheme)}"
            " defines no gain for that"
        )

    @property
    def warning(self) -> Text:
        """The message if the measure is only registered."""
        ways: list[Text | str] = []
        if self.fault == "above":
            [measure] = parse(self.measure)
            higher = {**measure.parameters, "max_rel": float(self._enough)}
            other = replace(measure, parameters=higher).name
            why = f"the grade {self._shown} is above its max_rel"
            ways.append(call("add_measures", other))
        elif self.fault == "large":
            why = f"the gain of the {self._noun} {self._shown} is too large to be"
            why += " summed"
            ways.append(f"correct the {self._noun} and load the judgments again")
        elif self.fault == "subtopics":
            why = "it has no subtopics"
        elif self.fault in _LOADED:
            why = f"dataset {quoted(self.dataset)} has no {self._lacked}"
            ways.append(self._loading)
        else:
            why = f"gain scheme {quoted(self.scheme)} defines no gain for the"
            why += f" {self._noun} {self._shown}"
            ways.append("add a measure with a scheme that does")
        if not self.has_values:
            ways.append(call("remove_measures", self.measure))
        return (
            f"measure {self.measure} is left out for judgment set"
            f" {quoted(self.judgment_set)}: {why}"
        ) + Text("; " if ways else "", joined(ways, ", or "))

    @property
    def _loading(self) -> Text:
        """How what the dataset lacks is loaded into it."""
        return call(_LOADED[self.fault], Blank("FILE"), **into(self.dataset))

    @property
    def _lacked(self) -> str:
        """What the dataset has nothing of."""
        if self.fault == "known":
            return "known documents"
        by = self._attribute
        return f"documents with the attribute {quoted(by)}" if by else "documents"

    @property
    def _attribute(self) -> str | None:
        """The attribute of documents that the measure reads."""
        by = parse(self.measure)[0].parameters.get("by")
        return by if isinstance(by, str) else None

    @property
    def _meant(self) -> str:
        """What measure is meant, if its attribute is nearly one that documents have."""
        [measure] = parse(self.measure)
        names = [
            replace(measure, parameters={**measure.parameters, "by": attribute}).name
            for attribute in closest(self._attribute or "", self.attributes, 0.6)
        ]
        return f"did you mean {listed(names)}?" if names else ""

    @property
    def _loaded_or_known(self) -> Text:
        """How to load what the dataset lacks, and which attributes it has."""
        has_some = self._attribute is not None and bool(self.attributes)
        there_are = f"known: {listed(self.attributes)}; " if has_some else ""
        return there_are + ("load them: " + self._loading)

    @property
    def _noun(self) -> str:
        return "grade" if len(self.grades) == 1 else "grades"

    @property
    def _shown(self) -> str:
        return ", ".join(map(written, self.grades))

    @property
    def _enough(self) -> str:
        """The least integer that would do as max_rel."""
        return written(math.ceil(self.grades[-1]))


@dataclass(frozen=True)
class Fit:
    """The registered measures that judgment sets are evaluated with, by their ids.

    warnings are about those that are left out.
    """

    measures: dict[int, set[str]]
    warnings: list[Text]

    @property
    def anywhere(self) -> set[str]:
        """The measures that any of the judgment sets is evaluated with."""
        return set[str]().union(*self.measures.values())

    @property
    def everywhere(self) -> set[str]:
        """The measures that each of the judgment sets is evaluated with."""
        return self.anywhere.intersection(*self.measures.values())


def misfits(database: Database, set_ids: Iterable[int]) -> list[Misfit]:
    """Return the registered measures that do not fit judgment sets."""
    ids = {"judgment_set_ids": sorted(set(set_ids))}
    rows = [Misfit(*row) for row in database.run("lookups/unfit_measures", ids)]
    if not rows:
        return rows
    valued = {measure for (measure,) in database.execute(_WITH_VALUES)}
    attributes: dict[str, tuple[str, ...]] = {}
    if any(misfit.fault == "attributes" for misfit in rows):
        for dataset, attribute in database.run("lookups/document_attributes"):
            attributes[dataset] = (*attributes.get(dataset, ()), attribute)
    return [
        replace(
            misfit,
            attributes=attributes.get(misfit.dataset, ()),
            has_values=misfit.measure in valued,
        )
        for misfit in rows
    ]


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
            raise NdcgSqlError(
                f"{measure} needs whole rankings, which only a warehouse has",
                _into_one(measure, []),
            )


def fitting(database: Database, set_ids: Iterable[int]) -> Fit:
    """Return which registered measures judgment sets are evaluated with."""
    measures: dict[int, set[str]] = {set_id: set() for set_id in set_ids}
    ids = {"judgment_set_ids": sorted(measures)}
    for set_id, measure in database.run("lookups/dataset_measures", ids):
        measures[set_id].add(measure)
    unfit = misfits(database, measures)
    for misfit in unfit:
        measures[misfit.judgment_set_id].discard(misfit.measure)
    return Fit(measures, [misfit.warning for misfit in unfit])
