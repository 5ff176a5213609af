"""What commands ask of a warehouse: which runs, which judgments, which rows."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass

from ndcg_sql import sqlfiles
from ndcg_sql.conventions import System
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.measures import Measure, parse
from ndcg_sql.text import harmless, listed, nearest, quoted, sql_name
from ndcg_sql.valuing import Pair, registered, valued
from ndcg_sql.warehouse import Parameters, Warehouse

# The temporary table that holds the rows of a report until they are printed.
OUTPUT = "output_rows"
# The columns of sql/reports/report*.sql.
REPORT_COLUMNS = (
    *("run", "judgment_set", "dataset", "slice", "measure", "query_id"),
    *("value", "weighted_value", "n", "weighted_n", "answered", "unanswered"),
    *("no_relevant", "unjudged_queries", "judged_at_k", "judged_depth"),
    "standard_error",
)


@dataclass(frozen=True)
class Entry:
    """A run or a judgment set: its id, dataset and name."""

    id: int
    dataset: str
    name: str


def runs(warehouse: Warehouse) -> list[Entry]:
    """Return every run, in the order of loading."""
    rows = warehouse.execute("select run_id, dataset, name from runs order by run_id")
    return [Entry(*row) for row in rows]


def judgment_sets(warehouse: Warehouse) -> list[Entry]:
    """Return every judgment set, in the order of loading."""
    sql = "select judgment_set_id, dataset, name from judgment_sets order by 1"
    return [Entry(*row) for row in warehouse.execute(sql)]


def assessment_sets(warehouse: Warehouse) -> list[Entry]:
    """Return every set of assessments, in the order of loading."""
    sql = "select assessment_set_id, dataset, name from assessment_sets order by 1"
    return [Entry(*row) for row in warehouse.execute(sql)]


# What has a name, by the word that messages have for it.
_ENTRIES = {
    "run": runs,
    "judgment set": judgment_sets,
    "assessments": assessment_sets,
}


def choose_runs(
    warehouse: Warehouse, names: list[str], dataset: str | None
) -> list[Entry]:
    """Return the runs that a user names; all of them if none is named."""
    known = runs(warehouse)
    check_dataset(warehouse, dataset)
    known = [run for run in known if dataset in (None, run.dataset)]
    if not known:
        where = f"in dataset {quoted(dataset)}" if dataset else "in the warehouse"
        raise no_run(where)
    for name in names:
        _check_known("run", name, known)
    return [run for run in known if run.name in names or not names]


def no_run(where: str) -> NdcgSqlError:
    """Return what is wrong where there is no run."""
    return NdcgSqlError(f"no run {where}; ndcg-sql load run FILE brings one in")


def check_dataset(warehouse: Warehouse, dataset: str | None) -> None:
    """Raise NdcgSqlError if nothing was loaded into a dataset."""
    datasets = [name for (name,) in warehouse.run("reports/datasets")]
    if dataset is not None and dataset not in datasets:
        hint = nearest(dataset, datasets) or "ndcg-sql list shows what there is"
        raise NdcgSqlError(f"no dataset {quoted(dataset)}; {hint}")


def _check_known(kind: str, name: str, entries: list[Entry]) -> None:
    """Raise NdcgSqlError that names the nearest entries if a name is not there."""
    names = [entry.name for entry in entries]
    if name not in names:
        hint = nearest(name, names) or "ndcg-sql list shows what there is"
        raise NdcgSqlError(f"no {kind} {quoted(name)}; {hint}")


def pairs(
    warehouse: Warehouse, chosen: list[Entry], judgments: str | None
) -> list[Pair]:
    """Return each run with the judgment set to value it by: named, or the newest.

    Raises NdcgSqlError if a run's dataset has no such judgment set.
    """
    known = judgment_sets(warehouse)
    found: list[Pair] = []
    if judgments is not None:
        datasets = {run.dataset for run in chosen}
        _check_known(
            "judgment set", judgments, [s for s in known if s.dataset in datasets]
        )
    for run in chosen:
        sets = [s for s in known if s.dataset == run.dataset]
        sets = [s for s in sets if judgments in (None, s.name)]
        if sets:
            found.append((run.id, sets[-1].id))
    if not found:
        datasets = listed(dict.fromkeys(run.dataset for run in chosen))
        raise NdcgSqlError(
            f"no judgments in dataset {datasets}; ndcg-sql load judgments FILE"
            " brings them in"
        )
    return found


def choose_pairs(
    warehouse: Warehouse,
    tell: Callable[[str], None],
    names: list[str],
    judgments: str | None,
    dataset: str | None,
) -> tuple[list[Entry], list[Pair]]:
    """Return the runs that a user names, and those to be valued as pairs() has them.

    Tells which runs are left out, as nobody judged their dataset.
    """
    chosen = choose_runs(warehouse, names, dataset)
    found = pairs(warehouse, chosen, judgments)
    for line in left_out(chosen, found, judgments):
        tell(line)
    return chosen, found


def left_out(
    chosen: list[Entry], found: list[Pair], judgments: str | None
) -> list[str]:
    """Say which datasets have no judgments for the runs that were chosen."""
    judged = {run_id for run_id, _ in found}
    datasets = dict.fromkeys(run.dataset for run in chosen if run.id not in judged)
    what = f"judgment set {quoted(judgments)}" if judgments else "judgments"
    return [
        f"dataset {quoted(dataset)} has no {what}; its runs are left out"
        for dataset in datasets
    ]


def choose_measures(
    warehouse: Warehouse, names: list[str], like: System | None = None
) -> list[Measure]:
    """Return the measures that a user names; the registered ones if none is named.

    Those of a system that is to be followed are as that system has them.
    """
    if like:
        return like.measures(names)
    measures = parse(" ".join(names)) if names else []
    measures = measures or [m for name in registered(warehouse) for m in parse(name)]
    if not measures:
        raise NdcgSqlError("no measure is registered; name one: -m nDCG@10")
    return measures


@contextmanager
def report(
    warehouse: Warehouse,
    measures: list[Measure],
    chosen: list[Pair],
    per_query: bool = False,
    attributes: Sequence[str] = (),
) -> Generator[None]:
    """Put the rows of a report into the table OUTPUT, which lives inside.

    With attributes of queries, a row is told for each combination of their
    values, which are columns of those names.
    """
    parameters: Parameters = {
        "run_ids": [run_id for run_id, _ in chosen],
        "judgment_set_ids": sorted({set_id for _, set_id in chosen}),
        "measures": [measure.name for measure in measures],
    }
    kinds = ("_queries" if per_query else "", "_slices" if attributes else "")
    with (
        valued(warehouse, measures, chosen),
        combined(warehouse, attributes) if attributes else nullcontext(),
        output(warehouse, "reports/report" + "".join(kinds), parameters, attributes),
    ):
        yield


@contextmanager
def combined(warehouse: Warehouse, attributes: Sequence[str]) -> Generator[None]:
    """See to it that inside, queries have one attribute: all of these in one."""
    with _attributes(warehouse, "reports/combined_attributes", attributes):
        yield


@contextmanager
def separate(warehouse: Warehouse, attributes: Sequence[str]) -> Generator[None]:
    """See to it that inside, queries have these attributes alone."""
    with _attributes(warehouse, "reports/separate_attributes", attributes):
        yield


@contextmanager
def _attributes(
    warehouse: Warehouse, file: str, attributes: Sequence[str]
) -> Generator[None]:
    """See to it that inside, queries have the attributes that a select gives them."""
    named = {"attributes": list(attributes)}
    with warehouse.temporary("query_attributes", sqlfiles.read(file), named):
        yield


@contextmanager
def output(
    warehouse: Warehouse,
    file: str,
    parameters: Parameters | None = None,
    slices: Sequence[str] = (),
    leading: Sequence[str] = ("run", "judgment_set", "dataset"),
) -> Generator[None]:
    """Put the rows of a select into the table OUTPUT, which lives inside.

    A column called slice that holds a JSON array becomes columns of these
    names, behind the leading ones.
    """
    select = sqlfiles.read(file)
    if slices:
        first = ", ".join(leading)
        split = ", ".join(
            f"slice ->> '$[{i}]' as {sql_name(name)}" for i, name in enumerate(slices)
        )
        select = f"select {first}, {split}, * exclude ({first}, slice) from ({select})"
    with warehouse.temporary(OUTPUT, select, parameters):
        yield


def check_attributes(
    warehouse: Warehouse,
    attributes: Sequence[str],
    chosen: Sequence[Entry],
    option: str = "--by",
) -> list[str]:
    """Raise NdcgSqlError where no query of some runs has an attribute.

    Returns the datasets of runs whose queries have none of the attributes.
    """
    rows = warehouse.run("reports/attributes")
    datasets = dict.fromkeys(run.dataset for run in chosen)
    known = dict.fromkeys(name for dataset, name in rows if dataset in datasets)
    for attribute in attributes:
        if attribute not in known:
            hint = nearest(attribute, known)
            hint = hint or "ndcg-sql load queries FILE brings attributes in"
            raise NdcgSqlError(
                f"{option} {harmless(attribute)}: no query has this attribute; {hint}"
            )
    sliced = {dataset for dataset, name in rows if name in attributes}
    return [name for name in datasets if name not in sliced] if attributes else []


def check_columns(attributes: Sequence[str], columns: Sequence[str]) -> None:
    """Raise NdcgSqlError where attributes cannot stand as columns beside others."""
    for attribute in attributes:
        where = f"--by {harmless(attribute)}"
        if [other.lower() for other in attributes].count(attribute.lower()) > 1:
            # SQL does not tell names of columns apart by case.
            raise NdcgSqlError(f"{where}: given twice, if only in another case")
        if attribute.lower() in columns:
            raise NdcgSqlError(
                f"{where}: a report has a column of that name; call the attribute"
                " otherwise in the file of queries"
            )


def choose_run(warehouse: Warehouse, name: str, dataset: str | None) -> Entry:
    """Return the one run that a user names."""
    return _only("run", choose_runs(warehouse, [name], dataset))


def choose_judgment_set(warehouse: Warehouse, name: str, dataset: str | None) -> Entry:
    """Return the one judgment set that a user names."""
    return choose_entry(warehouse, "judgment set", name, dataset)


def choose_entry(
    warehouse: Warehouse, kind: str, name: str, dataset: str | None
) -> Entry:
    """Return the one run, judgment set or assessments, as kind says, of a name."""
    check_dataset(warehouse, dataset)
    known = _ENTRIES[kind](warehouse)
    known = [entry for entry in known if dataset in (None, entry.dataset)]
    _check_known(kind, name, known)
    return _only(kind, [entry for entry in known if entry.name == name])


def _only(kind: str, found: list[Entry]) -> Entry:
    """Return the one entry of a name; raise NdcgSqlError if datasets share it."""
    if len(found) > 1:
        datasets = listed(entry.dataset for entry in found)
        raise NdcgSqlError(
            f"{kind} {quoted(found[0].name)} is in several datasets; say which:"
            f" --dataset, one of {datasets}"
        )
    return found[0]


def other_positions(
    warehouse: Warehouse, chosen: list[Pair], like: System
) -> list[str]:
    """Say which runs have positions by another rule than a system's."""
    runs_found: dict[str, list[str]] = {}
    rows = warehouse.run(
        "reports/other_positions",
        {
            "run_ids": [run_id for run_id, _ in chosen],
            "position_rule": like.position_rule,
        },
    )
    for name, rule in rows:
        runs_found.setdefault(rule, []).append(name)
    return [
        f"{'run' if len(names) == 1 else 'runs'} {listed(names)}: positions {rule}, not"
        f" {like.position_rule}; to have those of {like.name}: ndcg-sql load run FILE"
        f" --positions {like.position_rule} --name NAME"
        for rule, names in runs_found.items()
    ]


@contextmanager
def overlap(
    warehouse: Warehouse, pair: list[Entry], persistence: float, per_query: bool = False
) -> Generator[None]:
    """Put the rank-biased overlap of two runs into the table OUTPUT."""
    run, other = pair
    if not 0 < persistence < 1:
        raise NdcgSqlError(f"--p {persistence:g}: not above 0 and below 1")
    if run.id == other.id:
        raise NdcgSqlError(f"run {quoted(run.name)} is named twice; name another")
    if run.dataset != other.dataset:
        raise NdcgSqlError(
            f"run {quoted(run.name)} is of dataset {quoted(run.dataset)}, run"
            f" {quoted(other.name)} of {quoted(other.dataset)}: their queries differ"
        )
    parameters = {"run_id": run.id, "other_run_id": other.id, "p": persistence}
    queries = sqlfiles.read("reports/overlap_queries")
    file = "overlaps_by_query" if per_query else "overlap"
    names = {"run": run.name, "other_run": other.name}
    with (
        warehouse.temporary("overlap_queries", queries, parameters),
        output(warehouse, f"reports/{file}", names),
    ):
        yield
