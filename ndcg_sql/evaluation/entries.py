"""Runs, judgment sets and sets of assessments, found by their names."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import listed, nearest, quoted
from ndcg_sql.wording import Blank, Text, call, named, use

# The dataset of what is loaded without one.
DEFAULT_DATASET = "default"
_FILE = Blank("FILE")
_ALL = call("contents") + " shows all"
# The kinds of entries, as messages name them.
Kind = Literal["run", "judgment set", "assessments"]
# The same, as requests name them.
KINDS: dict[str, Kind] = {
    "run": "run",
    "judgments": "judgment set",
    "assessments": "assessments",
}
TABLES: dict[Kind, str] = {
    "run": "runs",
    "judgment set": "judgment_sets",
    "assessments": "assessment_sets",
}
KEYS: dict[Kind, str] = {
    "run": "run_id",
    "judgment set": "judgment_set_id",
    "assessments": "assessment_set_id",
}
# The file that selects the runs that fuse made, with their sources.
FUSED = ("fusion/sources",)


@dataclass(frozen=True)
class External:
    """An engine that evaluated a run elsewhere, with the only judgments it used."""

    run: str
    engine: str
    judgment_set_id: int
    judgment_set: str

    @property
    def sentence(self) -> str:
        """What the run is, for a message."""
        return (
            f"run {quoted(self.run)} was evaluated by {self.engine} with judgment set"
            f" {quoted(self.judgment_set)} only"
        )

    @property
    def refused(self) -> NdcgSqlError:
        """The error where values with other judgments are asked for."""
        remedy = "name that: " + use(judgments=self.judgment_set)
        return NdcgSqlError(self.sentence, remedy)


@dataclass(frozen=True)
class Entry:
    """A run, a judgment set or a set of assessments: its id, dataset and name.

    The rankings of an external run are not in the warehouse.
    """

    id: int
    dataset: str
    name: str
    external: External | None = None

    def fits(self, judgment_set_id: int) -> bool:
        """Return whether the run can have values by a judgment set."""
        return not self.external or self.external.judgment_set_id == judgment_set_id


def entries(database: Database, kind: Kind) -> list[Entry]:
    """Return every entry of a kind, in the order of loading."""
    if kind == "run":
        return [
            Entry(run_id, dataset, name, External(name, *engine) if engine[0] else None)
            for run_id, dataset, name, *engine in database.run("lookups/runs")
        ]
    key = KEYS[kind]
    sql = f"select {key}, dataset, name from {TABLES[kind]} order by {key}"
    return [Entry(*row) for row in database.execute(sql)]


def runs(database: Database) -> list[Entry]:
    """Return every run, in the order of loading."""
    return entries(database, "run")


def judgment_sets(database: Database) -> list[Entry]:
    """Return every judgment set, in the order of loading."""
    return entries(database, "judgment set")


def choose_runs(
    database: Database, names: Sequence[str], dataset: str | None
) -> list[Entry]:
    """Return the runs that a user names, by patterns too; all if none is named."""
    available = runs(database)
    check_dataset(database, dataset)
    available = [run for run in available if dataset in (None, run.dataset)]
    if not available:
        where = f"in dataset {quoted(dataset)}" if dataset else "in the warehouse"
        raise no_run(where)
    chosen = [run for name in names for run in matching(name, available)]
    return [run for run in available if run in chosen or not names]


def matching(name: str, available: Sequence[Entry]) -> list[Entry]:
    """Return the runs that have a name, or else those that match it as a pattern.

    A pattern is one of the shell, such as "input.*"; case counts. Raises
    NdcgSqlError if there is no such run.
    """
    matches = [run for run in available if run.name == name]
    matches = matches or [run for run in available if fnmatchcase(run.name, name)]
    if not matches:
        _check_there("run", name, available)
    return matches


def no_run(where: str) -> NdcgSqlError:
    """Return the error if there is no run."""
    return NdcgSqlError(f"no run {where}", call("load_run", _FILE) + " loads one")


def check_dataset(database: Database, dataset: str | None) -> None:
    """Raise NdcgSqlError if nothing was loaded into a dataset."""
    datasets = [name for (name,) in database.run("lookups/datasets")]
    if dataset is not None and dataset not in datasets:
        hint = nearest(dataset, datasets) or listed(datasets)
        raise NdcgSqlError(f"no dataset {quoted(dataset)}", hint)


def _check_there(kind: str, name: str, available: Sequence[Entry]) -> None:
    """Raise NdcgSqlError with the nearest names if a name is unknown."""
    if all(entry.name != name for entry in available):
        raise not_there(kind, name, available)


def not_there(kind: str, name: str, available: Iterable[Entry]) -> NdcgSqlError:
    """Return the error with the nearest names if a name is unknown."""
    hint = nearest(name, [entry.name for entry in available]) or _ALL
    return NdcgSqlError(f"no {kind} {quoted(name)}", hint)


def judgments_of(
    database: Database, chosen: Sequence[Entry], judgments: str | None
) -> list[tuple[int, int]]:
    """Return each run with its judgment set, the one named or the newest.

    Runs of datasets without such a judgment set are omitted, and those that another
    engine evaluated with other judgments. Raises NdcgSqlError if none remains.
    """
    available = judgment_sets(database)
    pairs: list[tuple[int, int]] = []
    away: list[External] = []
    if judgments is not None:
        datasets = {run.dataset for run in chosen}
        _check_there(
            "judgment set", judgments, [s for s in available if s.dataset in datasets]
        )
    for run in chosen:
        sets = [s for s in available if s.dataset == run.dataset]
        sets = [s for s in sets if judgments in (None, s.name)]
        if sets and run.external and not run.fits(sets[-1].id):
            away.append(run.external)
        elif sets:
            pairs.append((run.id, sets[-1].id))
    if away and not pairs:
        raise away[0].refused
    if not pairs:
        datasets = listed(dict.fromkeys(run.dataset for run in chosen))
        of_dataset = into(chosen[0].dataset)
        sql = "from assessment_sets where dataset = $dataset limit 1"
        if database.execute(sql, {"dataset": chosen[0].dataset}):
            making = call("adjudicate", Blank("NAME"), policy="mean", **of_dataset)
            raise NdcgSqlError(
                f"no judgments in dataset {datasets}, but assessments",
                making + " makes judgments of them",
            )
        loading = call("load_judgments", _FILE, **of_dataset)
        raise NdcgSqlError(
            f"no judgments in dataset {datasets}", loading + " loads them"
        )
    return pairs


def having_rankings(chosen: Iterable[Entry]) -> list[Entry]:
    """Return the runs whose rankings are in the warehouse."""
    return [run for run in chosen if not run.external]


def check_pairs(database: Database, pairs: Iterable[tuple[int, int]]) -> None:
    """Raise NdcgSqlError if hits of a pair cannot be found: the rankings are away."""
    # Each load asks: all runs are read only where some are external.
    if not database.execute("from external_evaluations limit 1"):
        return
    by_id = {run.id: run for run in runs(database)}
    for run_id, judgment_set_id in pairs:
        run = by_id[run_id]
        if run.external and not run.fits(judgment_set_id):
            raise run.external.refused


def check_rankings(chosen: Iterable[Entry], what: str) -> None:
    """Raise NdcgSqlError if the rankings of a run are away, which a command needs."""
    for run in chosen:
        if run.external:
            where = {"name": run.name, "dataset": run.dataset}
            loading = call("load_run", _FILE, **where, replace=True)
            raise NdcgSqlError(
                f"run {quoted(run.name)} was evaluated by {run.external.engine}; its"
                f" rankings, which {what} needs, are not in the warehouse",
                "to load them in its place: " + loading,
            )


def with_rankings(
    messages: Messages, chosen: Sequence[Entry], names: Sequence[str], what: str
) -> list[Entry]:
    """Return the runs whose rankings are here; report which others are omitted.

    Raises NdcgSqlError if a user named one of the others, or if none remains.
    """
    here = having_rankings(chosen)
    if names or not here:
        check_rankings(chosen, what)
    for run in chosen:
        if run.external:
            messages.tell(
                f"run {quoted(run.name)} was evaluated by {run.external.engine}, and"
                " its rankings are not in the warehouse; it is omitted"
            )
    return here


def choose_entry(
    database: Database, kind: Kind, name: str, dataset: str | None
) -> Entry:
    """Return the one entry of a kind that has a name.

    Raises NdcgSqlError if there is none, or if datasets share the name.
    """
    available = entries(database, kind)
    check_dataset(database, dataset)
    available = [entry for entry in available if dataset in (None, entry.dataset)]
    if not available and kind == "run":
        where = f"in dataset {quoted(dataset)}" if dataset else "in the warehouse"
        raise no_run(where)
    _check_there(kind, name, available)
    matches = [entry for entry in available if entry.name == name]
    if len(matches) > 1:
        raise _in_several(kind, name, [entry.dataset for entry in matches])
    return matches[0]


def choose_entries(
    database: Database, kind: Kind, names: Sequence[str], dataset: str | None
) -> list[Entry]:
    """Return the entries of a kind that have these names, or match them as patterns.

    Raises NdcgSqlError if there is none, or if datasets share a name or pattern.
    """
    chosen: list[Entry] = []
    for name in names:
        available = [e for e in entries(database, kind) if dataset in (None, e.dataset)]
        matched = [entry for entry in available if fnmatchcase(entry.name, name)]
        if not matched or any(entry.name == name for entry in available):
            chosen.append(choose_entry(database, kind, name, dataset))
            continue
        datasets = dict.fromkeys(entry.dataset for entry in matched)
        if len(datasets) > 1:
            raise _in_several(kind, name, datasets)
        chosen += matched
    return list(dict.fromkeys(chosen))


def _in_several(kind: Kind, name: str, datasets: Iterable[str]) -> NdcgSqlError:
    """Return the error if a name or a pattern does not say which dataset is meant."""
    return NdcgSqlError(
        f"{kind} {quoted(name)} is in several datasets",
        "choose one with " + named("dataset") + f": {listed(datasets)}",
    )


def choose_run(database: Database, name: str, dataset: str | None) -> Entry:
    """Return the run that has a name, or the only one that matches it as a pattern.

    Raises NdcgSqlError if there is none, or if there are several.
    """
    available = [run for run in runs(database) if dataset in (None, run.dataset)]
    names = dict.fromkeys(run.name for run in available if fnmatchcase(run.name, name))
    if not names or any(run.name == name for run in available):
        return choose_entry(database, "run", name, dataset)
    if len(names) > 1:
        raise NdcgSqlError(
            f"{len(names)} runs match, {listed(names)}",
            "name one",
            where=f"run {quoted(name)}",
        )
    return choose_entry(database, "run", next(iter(names)), dataset)


def choose_others(
    database: Database, names: Sequence[str], first: Entry, dataset: str | None
) -> list[Entry]:
    """Return the runs to compare with a first one, by names and patterns.

    A pattern selects runs of the same dataset, without the first run itself.
    """
    others = [run for run in runs(database) if run.dataset == first.dataset]
    chosen: list[Entry] = []
    for name in names:
        named_so = [run for run in others if run.name == name]
        matched = named_so or [run for run in others if fnmatchcase(run.name, name)]
        if named_so:
            chosen += named_so
        elif not matched:
            chosen.append(choose_entry(database, "run", name, dataset))
        else:
            chosen += [run for run in matched if run != first] or [first]
    return list(dict.fromkeys(chosen))


def check_attributes(
    database: Database,
    attributes: Sequence[str],
    chosen: Sequence[Entry],
    field: str = "by",
) -> list[str]:
    """Raise NdcgSqlError if no query of some runs has an attribute.

    Returns the datasets of runs whose queries have none of the attributes.
    """
    rows = database.run("lookups/attributes")
    datasets = dict.fromkeys(run.dataset for run in chosen)
    names = dict.fromkeys(name for dataset, name in rows if dataset in datasets)
    for attribute in attributes:
        if attribute not in names:
            several = attribute.split(",")
            if {*several} <= {*names}:
                raise NdcgSqlError(
                    "no query has this attribute",
                    Text("for several: ", use(**{field: several})),
                    where=use(**{field: attribute}),
                )
            loading = call("load_queries", _FILE, **into(chosen[0].dataset))
            raise NdcgSqlError(
                "no query has this attribute",
                nearest(attribute, names) or loading + " loads attributes",
                where=use(**{field: attribute}),
            )
    sliced = {dataset for dataset, name in rows if name in attributes}
    return [name for name in datasets if name not in sliced] if attributes else []


def into(dataset: str) -> dict[str, str]:
    """Return the field that loads a file into a dataset, if one is needed."""
    return {} if dataset == DEFAULT_DATASET else {"dataset": dataset}


def with_tag(
    database: Database, chosen: Sequence[Entry], tag: str, value: str
) -> list[Entry]:
    """Return those of some runs that have a tag; raise NdcgSqlError if none has."""
    check_tag(database, chosen, tag, value, use(tags={tag: value}))
    wanted = {"tag": tag, "tag_value": value}
    tagged = {run_id for (run_id,) in database.run("lookups/runs_with_tag", wanted)}
    return [run for run in chosen if run.id in tagged]


def check_tag(
    database: Database,
    chosen: Sequence[Entry],
    tag: str,
    value: str | None,
    where: Text,
) -> None:
    """Raise NdcgSqlError if none of the runs has a tag, or this value of it."""
    lacking = "none of these runs has it"
    ids = {"run_ids": [run.id for run in chosen]}
    rows = database.run("lookups/tags_of_runs", ids)
    tags = dict.fromkeys(key for key, _ in rows)
    if tag not in tags:
        setting = call("tag", Blank("RUN"), {tag: Blank("VALUE")}) + " gives it one"
        raise NdcgSqlError(lacking, nearest(tag, tags) or setting, where=where)
    values = [text for key, text in rows if key == tag]
    if value is not None and value not in values:
        hint = nearest(value, values) or "omit the value to have them all"
        raise NdcgSqlError(lacking, hint, where=where)


def check_columns(attributes: Sequence[str], columns: Sequence[str]) -> None:
    """Raise NdcgSqlError if attributes cannot be columns next to others."""
    for attribute in attributes:
        where = use(by=attribute)
        if [other.lower() for other in attributes].count(attribute.lower()) > 1:
            # SQL ignores case in column names.
            raise NdcgSqlError("given twice (case is ignored)", where=where)
        if attribute.lower() in columns:
            raise NdcgSqlError(
                "a report has a column of that name",
                "rename the attribute in the file of queries",
                where=where,
            )
