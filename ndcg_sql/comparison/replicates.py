"""Replicates: runs that differ in one tag only, such as the seed or the fold."""

from collections.abc import Generator, Iterable, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from fnmatch import filter as filter_names

from ndcg_sql.comparison.answers import select_records
from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import FUSED, Entry, check_tag, choose_entries, runs
from ndcg_sql.evaluation.question import Question, Slicing, own_tables
from ndcg_sql.evaluation.warnings import listed_runs
from ndcg_sql.reading.columns import has_word
from ndcg_sql.text import counted, listed, nearest, quoted
from ndcg_sql.wording import Blank, call, use

# The files that select the runs with a tag, and of which systems they are replicates.
REPLICATES = (*FUSED, "lookups/replicates")
# The files that select the sources of runs that fuse made, and which have a tag.
_SOURCES = (*FUSED, "lookups/sources_over")
# The view of the shares of judged documents in slices.
_SHARES = "group_answers"
# What stands in for a table that comparisons read, by the name of the table.
_STAND_INS = {
    "measures": "from measures where list_contains($measures, measure)",
    "stored_values": sql_files.read("reports/replicate_values"),
    "part_judged_shares": sql_files.read("reports/replicate_shares"),
}
# The same, from the tables of systems alone.
_SYSTEMS = {
    "evaluated_queries": "select system_id as run_id, system as run, judgment_set_id,"
    " query_id, retrieved from replicate_answers",
    "runs": "select distinct system_id as run_id, dataset, system as name"
    " from system_runs",
}
_SYSTEM_RUNS = {
    **dict.fromkeys(("run_id", "system_id"), "bigint"),
    **dict.fromkeys(("system", "dataset"), "varchar"),
}
# Why the tags of a source of fused runs do not say which system they belong to.
_UNKNOWN = {
    "is_lost": (
        "which was removed, so its tags are unknown: runs fused from it count as a"
        " separate system"
    ),
    "is_nested": (
        "which fuse made, too, and which count by their names: runs fused from them are"
        " not replicates of other runs; fuse their sources directly"
    ),
}
_TAGS = (
    "select distinct tag from run_tags where list_contains($run_ids, run_id)"
    " order by tag"
)


@dataclass(frozen=True)
class System:
    """Runs of a dataset with the same tags but for one; its name has those tags.

    replicates are the values of that one, tag.
    """

    dataset: str
    name: str
    runs: tuple[Entry, ...]
    replicates: tuple[str, ...]
    tag: str


def systems(database: Database, chosen: Sequence[Entry], tag: str) -> list[System]:
    """Return the systems of which some runs are replicates, in the order of loading.

    Runs without the tag belong to none. Raises NdcgSqlError where no run has it.
    """
    check_tag(database, chosen, tag, None, use(over=tag))
    by_id = {run.id: run for run in chosen}
    members: dict[tuple[str, str], list[tuple[Entry, str]]] = {}
    rows = database.execute(sql_files.composed(REPLICATES), {"over": tag})
    for run_id, dataset, name, value in rows:
        if run_id in by_id:
            members.setdefault((dataset, name), []).append((by_id[run_id], value))
    return [
        System(dataset, name, *zip(*replicates, strict=True), tag=tag)
        for (dataset, name), replicates in members.items()
    ]


def compared(
    database: Database,
    baseline: str,
    candidates: Sequence[str],
    dataset: str | None,
    tag: str,
) -> list[System]:
    """Return the systems of a comparison, the baseline first.

    A name is that of a system, or of one of its runs, or a pattern of runs. Raises
    NdcgSqlError where the baseline is not one, or nothing is left to compare.
    """
    where = use(over=tag)
    tagged = systems(database, runs(database), tag)

    def named(name: str, dataset: str | None) -> list[System]:
        own = [system for system in tagged if dataset in (None, system.dataset)]
        names = [system.name for system in own]
        if name in names:
            return [system for system in own if system.name == name]
        available = [run.name for run in runs(database, dataset)]
        if name not in available and not filter_names(available, name):
            hint = nearest(name, names) or nearest(name, available)
            what = f"no system and no run {quoted(name)}"
            raise NdcgSqlError(what, hint, where=where)
        members = {*choose_entries(database, "run", [name], dataset)}
        if matches := [system for system in own if members & {*system.runs}]:
            return matches
        raise NdcgSqlError(
            f"run {quoted(name)} does not have this tag",
            f"systems that have it: {listed(names)}; if it has one replicate: "
            + call("tag", name, {tag: "1"}),
            where=where,
        )

    first, *more = named(baseline, dataset)
    if more:
        names = listed(system.name for system in (first, *more))
        what = f"{1 + len(more)} systems match, {names}"
        place = f"run {quoted(baseline)}"
        raise NdcgSqlError(what, "name one run of one dataset", where=place)
    others = [one for name in candidates for one in named(name, first.dataset)]
    chosen = list(dict.fromkeys((first, *others)))
    check_distinct(chosen)
    if len(chosen) == 1:
        what = f"{quoted(first.name)} would be compared with itself"
        raise NdcgSqlError(what, "name a run with other tags", where=where)
    return chosen


def check_distinct(tagged: Sequence[System]) -> None:
    """Raise NdcgSqlError where two replicates of a system have the same value."""
    for system in tagged:
        first_of: dict[str, Entry] = {}
        for run, value in zip(system.runs, system.replicates, strict=True):
            first = first_of.setdefault(value, run)
            if first is not run:
                raise NdcgSqlError(
                    f"runs {quoted(first.name)} and {quoted(run.name)} are both"
                    f" {system.tag}={value} of one system",
                    "give them another tag, such as: "
                    + call("tag", run.name, {"model": Blank("NAME")}),
                    where=use(over=system.tag),
                )


def check_undivided(question: Question, tagged: Sequence[System]) -> None:
    """Raise NdcgSqlError where a mean of runs would count queries as unanswered.

    That is where each replicate of a system answers other queries, as a fold does, and
    a measure does not omit the queries that a run did not answer.
    """
    omitting = [
        replace(measure, parameters={**measure.parameters, "missing": "omit"}).name
        if measure.parameters.get("missing", "omit") != "omit"
        else measure.name
        for measure in question.measures
    ]
    if omitting == [measure.name for measure in question.measures]:
        return
    sets = dict(question.pairs)
    for system in tagged:
        ids = [run.id for run in system.runs]
        parameters = {"run_ids": ids, "judgment_set_id": sets[ids[0]]}
        [(is_divided,)] = question.database.run("lookups/is_divided", parameters)
        if is_divided:
            raise NdcgSqlError(
                f"the {len(ids)} replicates of {quoted(system.name)} answered different"
                " queries, as folds do: in a mean of them, each query would count as"
                f" unanswered {len(ids) - 1} of {len(ids)} times",
                "for the mean and deviation of folds, each over the queries that it"
                " answered: "
                + use(measures=omitting)
                + "; compare counts each query once",
                where=use(over=system.tag),
            )


def tell_sources(question: Question, tagged: Sequence[System]) -> None:
    """Warn of fused runs that are replicates of no other, as a source has no tags.

    A source that is gone counts by its name, and so does one that was fused itself.
    """
    ids = [run.id for system in tagged for run in system.runs]
    parameters = {"over": tagged[0].tag, "run_ids": ids}
    rows = question.database.records(sql_files.composed(_SOURCES), parameters)
    for name, why in _UNKNOWN.items():
        if some := [row for row in rows if row[name]]:
            fused = listed_runs(list(dict.fromkeys(row["run"] for row in some)))
            sources = listed(dict.fromkeys(row["name"] for row in some), 5)
            question.messages.warn(f"{fused}: fused from {sources}, {why}")


def tell_replicated(question: Question) -> None:
    """Report a tag such as seed in which runs of a system differ alone.

    Each of them counts as a run of its own.
    """
    database, chosen = question.database, question.runs
    names = database.execute(_TAGS, {"run_ids": [run.id for run in chosen]})
    for tag in (name for (name,) in names if has_word(name, "replicate")):
        for system in systems(database, chosen, tag):
            if len(system.runs) > 1:
                question.messages.tell(
                    f"{len(system.runs)} runs of {quoted(system.name)} differ in tag"
                    f" {quoted(tag)} alone, and each counts by itself; report and"
                    " compare take means over them with " + use(over=tag)
                )
                return


@contextmanager
def shares_in_slices(database: Database, runs: Iterable[Entry]) -> Generator[None]:
    """Compute the shares of judged documents in the slices of these runs alone.

    While inside, a temporary table of them hides their view: they are the same for many
    measures.
    """
    with own_tables(database, {_SHARES: "false"}):
        for run in runs:
            # Only these equalities reach all tables that the view reads.
            rows = f"from {database.stored(_SHARES)} where run_id = $run_id"
            rows += " and run = $run"
            named = {"run_id": run.id, "run": run.name}
            database.execute(f"insert into {_SHARES} {rows}", named)
        yield


@contextmanager
def averaged(
    question: Question, tagged: Sequence[System], slicing: Slicing
) -> Generator[list[str]]:
    """Make systems stand in for their runs, with means by query over replicates.

    A system has the id of its first run; the question is one about all runs. The
    value of a query is the mean over all replicates; where no two of them answered
    the same query, as with folds, it is that of the one that answered it. slicing
    makes the slices of the question's attributes, for their shares of judged documents.
    Gives the lines that say what the means and their intervals cover.
    """
    tell_sources(question, tagged)
    database = question.database
    rows = [
        {"run_id": run.id, "system_id": system.runs[0].id, "system": system.name}
        | {"dataset": system.dataset}
        for system in tagged
        for run in system.runs
    ]
    sliced = [run for one in tagged for run in one.runs if question.by]
    parameters = {
        "judgment_set_id": question.pairs[0][1],
        "measures": [measure.name for measure in question.measures],
    }
    with ExitStack() as stack:

        def add(table: str, select: str, **parameters: object) -> None:
            stack.enter_context(database.temporary(table, select, parameters))

        add("system_runs", select_records(_SYSTEM_RUNS), rows=rows)
        with question.answered():
            answers = sql_files.read("reports/replicate_answers")
            add("replicate_answers", answers, **parameters)
            with slicing(database, question.by), shares_in_slices(database, sliced):
                for table, select in _STAND_INS.items():
                    # The table may be a temporary one until the values are known.
                    add(f"system_{table}", select, **parameters)
        hidden = {table: f"from system_{table}" for table in _STAND_INS} | _SYSTEMS
        for table, select in hidden.items():
            stack.enter_context(database.hide(table, select))
        # What means and their intervals cover.
        lines: dict[str, str] = {}
        ids = {"run_ids": [system.runs[0].id for system in tagged]}
        coverage = database.run("reports/replicate_coverage", ids)
        for name, count, is_divided, unequal in coverage:
            replicates = counted(count, "replicate")
            lines[name] = f"mean of {replicates}" if count > 1 else replicates
            if is_divided:
                lines[name] = f"{replicates}, each query from the one that answered"
            elif unequal:
                queries = counted(unequal, "judged query", "judged queries")
                message = f"{queries} without an answer from some replicates"
                question.messages.tell(f"{quoted(name)}: {message}")
        if len({*lines.values()}) == 1:
            lines = {"each system": lines.popitem()[1]}
        covered = (f"{name}: {line}" for name, line in lines.items())
        yield [*covered, "intervals and p cover other queries, not other replicates"]
