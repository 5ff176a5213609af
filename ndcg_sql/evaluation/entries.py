"""Runs, judgment sets and sets of assessments, found by their names."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.external import External, external_runs
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


@dataclass(frozen=True)
class Entry:
    """A run, a judgment set or a set of assessments: its id, dataset and name."""

    id: int
    dataset: str
    name: str


def entries(database: Database, kind: Kind) -> list[Entry]:
    """Return every entry of a kind, in the order of loading."""
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
    known = runs(database)
    check_dataset(database, dataset)
    known = [run for run in known if dataset in (None, run.dataset)]
    if not known:
        where = f"in dataset {quoted(dataset)}" if dataset else "in the warehouse"
        raise no_run(where)
    chosen = [run for name in names for run in matching(name, known)]
    return [run for run in known if run in chosen or not names]


def matching(name: str, known: Sequence[Entry]) -> list[Entry]:
    """Return the runs that have a name, or else those that match it as a pattern.

    A pattern is one of the shell, such as "input.*"; case counts. Raises
    NdcgSqlError if there is no such run.
    """
    found = [run for run in known if run.name == name]
    found = found or [run for run in known if fnmatchcase(run.name, name)]
    if not found:
        _check_known("run", name, known)
    return found


def no_run(where: str) -> NdcgSqlError:
    """Return the error if there is no run."""
    return NdcgSqlError(f"no run {where}", call("load_run", _FILE) + " loads one")


def check_dataset(database: Database, dataset: str | None) -> None:
    """Raise NdcgSqlError if nothing was loaded into a dataset."""
    datasets = [name for (name,) in database.run("lookups/datasets")]
    if dataset is not None and dataset not in datasets:
        hint = nearest(dataset, datasets) or _ALL
        raise NdcgSqlError(f"no dataset {quoted(dataset)}", hint)


def _check_known(kind: str, name: str, known: Sequence[Entry]) -> None:
    """Raise NdcgSqlError with the nearest names if a name is unknown."""
    names = [entry.name for entry in known]
    if name not in names:
        hint = nearest(name, names) or _ALL
        raise NdcgSqlError(f"no {kind} {quoted(name)}", hint)


def judgments_of(
    database: Database, chosen: Sequence[Entry], judgments: str | None
) -> list[tuple[int, int]]:
    """Return each run with its judgment set, the one named or the newest.

    Runs of datasets without such a judgment set are omitted, and those that another
    engine evaluated with other judgments. Raises NdcgSqlError if none remains.
    """
    known = judgment_sets(database)
    external = external_runs(database)
    found: list[tuple[int, int]] = []
    away: list[External] = []
    if judgments is not None:
        datasets = {run.dataset for run in chosen}
        _check_known(
            "judgment set", judgments, [s for s in known if s.dataset in datasets]
        )
    for run in chosen:
        sets = [s for s in known if s.dataset == run.dataset]
        sets = [s for s in sets if judgments in (None, s.name)]
        own = external.get(run.id)
        if sets and (own is None or own.judgment_set_id == sets[-1].id):
            found.append((run.id, sets[-1].id))
        elif sets and own is not None:
            away.append(own)
    if away and not found:
        raise away[0].refused
    if not found:
        datasets = listed(dict.fromkeys(run.dataset for run in chosen))
        loading = call("load_judgments", _FILE, **into(chosen[0].dataset))
        raise NdcgSqlError(
            f"no judgments in dataset {datasets}", loading + " loads them"
        )
    return found


def choose_entry(
    database: Database, kind: Kind, name: str, dataset: str | None
) -> Entry:
    """Return the one entry of a kind that has a name.

    Raises NdcgSqlError if there is none, or if datasets share the name.
    """
    known = entries(database, kind)
    check_dataset(database, dataset)
    known = [entry for entry in known if dataset in (None, entry.dataset)]
    if not known and kind == "run":
        where = f"in dataset {quoted(dataset)}" if dataset else "in the warehouse"
        raise no_run(where)
    _check_known(kind, name, known)
    found = [entry for entry in known if entry.name == name]
    if len(found) > 1:
        raise _in_several(kind, name, [entry.dataset for entry in found])
    return found[0]


def choose_entries(
    database: Database, kind: Kind, names: Sequence[str], dataset: str | None
) -> list[Entry]:
    """Return the entries of a kind that have these names, or match them as patterns.

    Raises NdcgSqlError if there is none, or if datasets share a name or pattern.
    """
    found: list[Entry] = []
    for name in names:
        known = [e for e in entries(database, kind) if dataset in (None, e.dataset)]
        matched = [entry for entry in known if fnmatchcase(entry.name, name)]
        if not matched or any(entry.name == name for entry in known):
            found.append(choose_entry(database, kind, name, dataset))
            continue
        datasets = dict.fromkeys(entry.dataset for entry in matched)
        if len(datasets) > 1:
            raise _in_several(kind, name, datasets)
        found += matched
    return list(dict.fromkeys(found))


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
    known = [run for run in runs(database) if dataset in (None, run.dataset)]
    names = dict.fromkeys(run.name for run in known if fnmatchcase(run.name, name))
    if not names or any(run.name == name for run in known):
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
    found: list[Entry] = []
    for name in names:
        named_so = [run for run in others if run.name == name]
        matched = named_so or [run for run in others if fnmatchcase(run.name, name)]
        if named_so:
            found += named_so
        elif not matched:
            found.append(choose_entry(database, "run", name, dataset))
        else:
            found += [run for run in matched if run != first] or [first]
    return list(dict.fromkeys(found))


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
    known = dict.fromkeys(name for dataset, name in rows if dataset in datasets)
    for attribute in attributes:
        if attribute not in known:
            loading = call("load_queries", _FILE, **into(chosen[0].dataset))
            raise NdcgSqlError(
                "no query has this attribute",
                nearest(attribute, known) or loading + " loads attributes",
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
    found: Sequence[Entry],
    tag: str,
    value: str | None,
    where: Text,
) -> None:
    """Raise NdcgSqlError if none of the runs has a tag, or this value of it."""
    lacking = "none of these runs has it"
    ids = {"run_ids": [run.id for run in found]}
    rows = database.run("lookups/tags_of_runs", ids)
    tags = dict.fromkeys(known for known, _ in rows)
    if tag not in tags:
        setting = call("load_run", _FILE, tags={"K": "V"}) + " sets one"
        raise NdcgSqlError(lacking, nearest(tag, tags) or setting, where=where)
    values = [known for name, known in rows if name == tag]
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
