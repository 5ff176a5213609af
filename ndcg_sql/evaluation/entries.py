"""Runs, judgment sets and sets of assessments, found by their names."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import listed, nearest, quoted
from ndcg_sql.wording import FILE, Blank, Text, call, named, use

# The dataset of what is loaded without one.
DEFAULT_DATASET = "default"
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
KEYS: dict[Kind, str] = {kind: f"{table[:-1]}_id" for kind, table in TABLES.items()}
# The file that selects the runs that fuse made, with their sources.
FUSED = ("fusion/sources",)


@dataclass(frozen=True)
class Entry:
    """A run, a judgment set or a set of assessments: its id, dataset and name.

    A run without rankings has only values that another program computed.
    """

    id: int
    dataset: str
    name: str
    has_rankings: bool = True


def entries(database: Database, kind: Kind, dataset: str | None = None) -> list[Entry]:
    """Return every entry of a kind, of a dataset or of all, in the order of loading."""
    key = KEYS[kind]
    sql = f"select {key}, dataset, name from {TABLES[kind]} order by {key}"
    rows = database.run("lookups/runs") if kind == "run" else database.execute(sql)
    return [Entry(*row) for row in rows if dataset in (None, row[1])]


def runs(database: Database, dataset: str | None = None) -> list[Entry]:
    """Return every run, of a dataset or of all, in the order of loading."""
    return entries(database, "run", dataset)


def judgment_sets(database: Database, dataset: str | None = None) -> list[Entry]:
    """Return every judgment set, of a dataset or of all, in the order of loading."""
    return entries(database, "judgment set", dataset)


def into(dataset: str) -> dict[str, str]:
    """Return the field that loads a file into a dataset, if one is needed."""
    return {} if dataset == DEFAULT_DATASET else {"dataset": dataset}


def no_run(where: str) -> NdcgSqlError:
    """Return the error if there is no run."""
    return NdcgSqlError(f"no run {where}", call("load_run", FILE) + " loads one")


def not_there(kind: str, name: str, available: Iterable[Entry]) -> NdcgSqlError:
    """Return the error with the nearest names if a name is unknown."""
    hint = nearest(name, [entry.name for entry in available])
    return NdcgSqlError(
        f"no {kind} {quoted(name)}", hint or call("contents") + " shows all"
    )


def check_dataset(database: Database, dataset: str | None) -> None:
    """Raise NdcgSqlError if nothing was loaded into a dataset."""
    datasets = [name for (name,) in database.run("lookups/datasets")]
    if dataset is not None and dataset not in datasets:
        hint = nearest(dataset, datasets) or listed(datasets)
        raise NdcgSqlError(f"no dataset {quoted(dataset)}", hint)


def one_dataset(chosen: Iterable[Entry], problem: str = "") -> str:
    """Return the dataset of some entries; raise NdcgSqlError if there are several.

    problem is what the error says, if not that these are runs.
    """
    [first, *others] = dict.fromkeys(entry.dataset for entry in chosen)
    if others:
        raise NdcgSqlError(
            problem or "the runs belong to several datasets",
            "choose one with " + named("dataset") + f": {listed([first, *others])}",
        )
    return first


def check_same_dataset(kind: Kind, first: Entry, other: Entry, why: str) -> None:
    """Raise NdcgSqlError, which says why they must, unless two entries share one."""
    if other.dataset != first.dataset:
        raise NdcgSqlError(
            f"{kind} {quoted(first.name)} belongs to dataset {quoted(first.dataset)},"
            f" {kind} {quoted(other.name)} to {quoted(other.dataset)}: {why}"
        )


def _matches(name: str, available: Sequence[Entry]) -> list[Entry]:
    """Return the entries that have a name, or else match it as a pattern of a shell."""
    matches = [entry for entry in available if entry.name == name]
    return matches or [entry for entry in available if fnmatchcase(entry.name, name)]


def _chosen(
    database: Database, kind: Kind, names: Sequence[str], dataset: str | None
) -> tuple[list[Entry], list[list[Entry]]]:
    """Return the entries of a kind, and those that each name, or pattern, means.

    Raises NdcgSqlError for an unknown name, or where there is no run.
    """
    check_dataset(database, dataset)
    available = entries(database, kind, dataset)
    if not available and kind == "run":
        raise no_run(f"in dataset {quoted(dataset)}" if dataset else "in the warehouse")
    chosen = [_matches(name, available) for name in names]
    for name, matches in zip(names, chosen, strict=True):
        if not matches:
            raise not_there(kind, name, available)
    return available, chosen


def choose_runs(
    database: Database, names: Sequence[str], dataset: str | None
) -> list[Entry]:
    """Return the runs that a user names, by patterns too; all if none is named."""
    available, chosen = _chosen(database, "run", names, dataset)
    wanted = {run for matches in chosen for run in matches}
    return [run for run in available if run in wanted or not names]


def choose_entries(
    database: Database, kind: Kind, names: Sequence[str], dataset: str | None
) -> list[Entry]:
    """Return the entries of a kind that have these names, or match them as patterns.

    Raises NdcgSqlError if there is none, or if datasets share a name or pattern.
    """
    _, chosen = _chosen(database, kind, names, dataset)
    for name, matches in zip(names, chosen, strict=True):
        one_dataset(matches, f"{kind} {quoted(name)} is in several datasets")
    return list(dict.fromkeys(entry for matches in chosen for entry in matches))


def choose_entry(
    database: Database, kind: Kind, name: str, dataset: str | None
) -> Entry:
    """Return the one entry of a kind that has a name.

    Raises NdcgSqlError if there is none, or if datasets share the name.
    """
    [entry, *others] = choose_entries(database, kind, [name], dataset)
    if others or entry.name != name:
        raise not_there(kind, name, entries(database, kind, dataset))
    return entry


def choose_run(database: Database, name: str, dataset: str | None) -> Entry:
    """Return the run that has a name, or the only one that matches it as a pattern.

    Raises NdcgSqlError if there is none, or if there are several.
    """
    matches = _matches(name, runs(database, dataset))
    names = list(dict.fromkeys(run.name for run in matches)) or [name]
    if len(names) > 1:
        what = f"{len(names)} runs match, {listed(names)}"
        raise NdcgSqlError(what, "name one", where=f"run {quoted(name)}")
    return choose_entry(database, "run", names[0], dataset)


def choose_others(
    database: Database, names: Sequence[str], first: Entry, dataset: str | None
) -> list[Entry]:
    """Return the runs to compare with a first one, by names and patterns.

    A pattern selects runs of the same dataset, without the first run itself.
    """
    available = runs(database, first.dataset)
    chosen: list[Entry] = []
    for name in names:
        matches = _matches(name, available)
        if matches and name not in {run.name for run in matches}:
            matches = [run for run in matches if run != first] or [first]
        chosen += matches or [choose_entry(database, "run", name, dataset)]
    return list(dict.fromkeys(chosen))


def judgments_of(
    database: Database, chosen: Sequence[Entry], judgments: str | None
) -> list[tuple[int, int]]:
    """Return each run with its judgment set, the one named or the newest.

    Runs of datasets without such a judgment set are omitted. Raises NdcgSqlError if
    none remains.
    """
    datasets = dict.fromkeys(run.dataset for run in chosen)
    available = [s for s in judgment_sets(database) if s.dataset in datasets]
    newest = {s.dataset: s.id for s in available if judgments in (None, s.name)}
    if judgments is not None and not newest:
        raise not_there("judgment set", judgments, available)
    if pairs := [(r.id, newest[r.dataset]) for r in chosen if r.dataset in newest]:
        return pairs
    [first, *_] = datasets
    what = f"no judgments in dataset {listed(datasets)}"
    hint = call("load_judgments", FILE, **into(first)) + " loads them"
    if entries(database, "assessments", first):
        hint = call("adjudicate", Blank("NAME"), **into(first))
        hint += " makes some of its assessments"
    raise NdcgSqlError(what, hint)


def having_rankings(chosen: Iterable[Entry]) -> list[Entry]:
    """Return the runs whose rankings are in the warehouse."""
    return [run for run in chosen if run.has_rankings]


def check_rankings(chosen: Iterable[Entry], what: str) -> None:
    """Raise NdcgSqlError if a run has no rankings, which a command needs."""
    for run in chosen:
        if not run.has_rankings:
            loading = call("load_run", FILE, name=run.name, **into(run.dataset))
            raise NdcgSqlError(
                f"run {quoted(run.name)} has only values that were loaded; its"
                f" rankings, which {what} needs, are not in the warehouse",
                loading + " loads them",
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
        if run not in here:
            messages.tell(f"run {quoted(run.name)} has no rankings; it is omitted")
    return here


def check_attributes(
    database: Database,
    attributes: Sequence[str],
    chosen: Sequence[Entry],
    field: str = "by",
    columns: Collection[str] = (),
) -> list[str]:
    """Raise NdcgSqlError if no query of some runs has an attribute, or if it is twice.

    Nor may it be called like one of the columns next to it. Returns the datasets of
    runs whose queries have none of the attributes.
    """
    rows = database.run("lookups/attributes")
    datasets = dict.fromkeys(run.dataset for run in chosen)
    names = dict.fromkeys(name for dataset, name in rows if dataset in datasets)
    # SQL ignores case in column names.
    folded = [attribute.lower() for attribute in attributes]
    for attribute in attributes:
        what: str | None = None
        hint: str | Text = ""
        if attribute not in names:
            what = "no query has this attribute"
            loading = call("load_queries", FILE, **into(chosen[0].dataset))
            hint = nearest(attribute, names) or loading + " loads attributes"
            if {*attribute.split(",")} <= {*names}:
                hint = "for several: " + use(**{field: attribute.split(",")})
        elif columns and folded.count(attribute.lower()) > 1:
            what = "given twice (case is ignored)"
        elif attribute.lower() in columns:
            what = "a report has a column of that name"
            hint = "rename the attribute in the file of queries"
        if what:
            raise NdcgSqlError(what, hint, where=use(**{field: attribute}))
    sliced = {dataset for dataset, name in rows if name in attributes}
    return [name for name in datasets if name not in sliced] if attributes else []


def check_tag(
    database: Database,
    chosen: Sequence[Entry],
    tag: str,
    value: str | None,
    where: Text,
) -> None:
    """Raise NdcgSqlError if none of the runs has a tag, or this value of it."""
    ids = {"run_ids": [run.id for run in chosen]}
    rows = database.run("lookups/tags_of_runs", ids)
    values = [text for key, text in rows if key == tag]
    if not values:
        setting = call("tag", Blank("RUN"), {tag: Blank("VALUE")}) + " gives it one"
        hint = nearest(tag, [key for key, _ in rows]) or setting
        raise NdcgSqlError("none of these runs has it", hint, where=where)
    if value is not None and value not in values:
        hint = nearest(value, values) or "omit the value to have them all"
        raise NdcgSqlError("none of these runs has it", hint, where=where)
