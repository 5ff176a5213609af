"""Replicates: runs that differ in one tag only, such as the seed or the fold."""

import re
from collections.abc import Generator, Iterable, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from fnmatch import filter as filter_names
from fnmatch import fnmatchcase

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import ROWS, Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import (
    FUSED,
    Entry,
    check_tag,
    choose_entries,
    into,
    runs,
)
from ndcg_sql.evaluation.question import Question, Slicing, answered
from ndcg_sql.requests.fields import stated
from ndcg_sql.requests.questions import ReportRequest
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import counted, listed, nearest, quoted
from ndcg_sql.wording import Blank, Text, call, joined, use

# The files that select the runs with a tag, and of which systems they are replicates.
REPLICATES = (*FUSED, "lookups/replicates")
# The files that select the sources that are lost of runs that fuse made.
_LOST = (*FUSED, "lookups/lost_sources")
# The files that select the sources of runs that fuse made, and which have a tag.
_SOURCES = (*FUSED, "lookups/sources_over")
# The view of the shares of judged documents in slices.
_SHARES = "group_answers"
# The tag that tells systems apart where a user has not said which one does.
_MODEL = "model"
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
_ANSWERED = (
    "select answered, unanswered from evaluations where"
    " list_contains($run_ids, run_id) and judgment_set_id = $judgment_set_id"
)
_TYPES = "struct(run_id bigint, system_id bigint, system varchar, dataset varchar)[]"


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
    rows = database.execute(sql_files.composed(REPLICATES), {"over": tag})
    of_run = {run_id: ((dataset, name), value) for run_id, dataset, name, value in rows}
    members: dict[tuple[str, str], list[tuple[Entry, str]]] = {}
    for run in chosen:
        if run.id in of_run:
            system, value = of_run[run.id]
            members.setdefault(system, []).append((run, value))
    return [
        System(dataset, name, *zip(*replicates, strict=True), tag=tag)
        for (dataset, name), replicates in members.items()
    ]


def tell_sources(
    database: Database, messages: Messages, tagged: Sequence[System]
) -> None:
    """Report what means over replicates of fused runs do not cover.

    A source that is gone has no tags, and counts by its name: replicates that were
    fused of it are no replicates of each other. So does a source that was fused
    itself; one without the tag is the same in all replicates.
    """
    ids = [run.id for system in tagged for run in system.runs]
    rows = database.execute(sql_files.composed(_LOST), {"run_ids": ids})
    if rows:
        fused, lost = (dict.fromkeys(names) for names in zip(*rows, strict=True))
        run, is_one = ("run", "counts as a system of its own")
        if len(fused) > 1:
            run, is_one = ("runs", "count as systems of their own")
        messages.warn(
            f"{run} {listed(fused, 5)}: fused of {listed(lost, 5)}, which is gone and"
            f" whose tags are not known; the fused {run} {is_one}"
        )
    parameters = {"over": tagged[0].tag, "run_ids": ids}
    rows = database.execute(sql_files.composed(_SOURCES), parameters)
    nested = [row for row in rows if row[3] and row[4]]
    if nested:
        fused, sources = (dict.fromkeys(row[at] for row in nested) for at in (1, 2))
        run = "run" if len(fused) == 1 else "runs"
        messages.warn(
            f"{run} {listed(fused, 5)}: fused of {listed(sources, 5)}, which fuse made,"
            " too, and which count by their names: what is fused of them is no"
            " replicate of another run; fuse their sources at once"
        )
    for system in tagged:
        first = system.runs[0].id
        same = [row[2] for row in rows if row[0] == first and not row[3]]
        if same and len(system.runs) > 1:
            is_one = "is" if len(same) == 1 else "are"
            messages.tell(
                f"{quoted(system.name)}: {listed(same, 5)} {is_one} the same in all"
                " replicates; they differ in the other sources alone"
            )


def check_distinct(database: Database, tagged: Sequence[System], tag: str) -> None:
    """Raise NdcgSqlError where two replicates of a system have the same value."""
    for system in tagged:
        of_value: dict[str, Entry] = {}
        for run, value in zip(system.runs, system.replicates, strict=True):
            first = of_value.setdefault(value, run)
            if first is not run:
                way = _of_models(database, system, (first, run), tag)
                raise NdcgSqlError(
                    f"runs {quoted(first.name)} and {quoted(run.name)} are both"
                    f" {tag}={value} of one system",
                    "give them another tag: "
                    + (way or call("tag", run.name, {_MODEL: Blank("NAME")})),
                    where=use(over=tag),
                )


def check_undivided(
    database: Database,
    question: Question,
    tagged: Sequence[System],
    request: ReportRequest,
) -> None:
    """Raise NdcgSqlError where a mean of runs would count queries as unanswered.

    That is where each replicate of a system answers other queries, as a fold does, and
    a measure does not omit the queries that a run did not answer.
    """
    omitting = tuple(
        replace(measure, parameters={**measure.parameters, "missing": "omit"}).name
        if measure.parameters.get("missing", "omit") != "omit"
        else measure.name
        for measure in question.measures
    )
    divided = [system for system in tagged if _is_divided(database, question, system)]
    if not divided or omitting == tuple(one.name for one in question.measures):
        return
    again = stated(ReportRequest, replace(request, measures=omitting))
    first, *others = divided
    once = Text()
    if others and others[0].dataset == first.dataset:
        measures = {"measures": request.measures} if request.names_measures else {}
        fields = {**into(first.dataset), "over": request.over, **measures}
        of_queries = call("compare", first.name, [others[0].name], **fields)
        once = Text("; to count each query once: ", of_queries)
    raise NdcgSqlError(
        f"the {len(first.runs)} replicates of {quoted(first.name)} answered different"
        " queries, as folds do: in a mean of them, each query would count as unanswered"
        f" {len(first.runs) - 1} of {len(first.runs)} times",
        Text(
            "for the mean and deviation of folds, each over the queries that it"
            " answered: ",
            call("report", **again),
            once,
        ),
        where=use(over=request.over),
    )


def _is_divided(database: Database, question: Question, system: System) -> bool:
    ids: Parameters = {
        "run_ids": [run.id for run in system.runs],
        "judgment_set_id": dict(question.pairs)[system.runs[0].id],
    }
    counts = database.execute(_ANSWERED, ids)
    answered = [count for count, _ in counts if count]
    # To count queries takes longer, and replicates that answer all are most.
    if len(answered) < 2 or sum(answered) > sum(counts[0]):
        return False
    [(is_divided,)] = database.run("lookups/is_divided", ids)
    return is_divided


def with_itself(database: Database, system: System, tag: str) -> NdcgSqlError:
    """Return the error on a system that would be compared with itself."""
    way = _of_models(database, system, system.runs, tag)
    return NdcgSqlError(
        f"{quoted(system.name)} would be compared with itself",
        Text(
            "name a run with other tags",
            Text("; to tell runs of this system apart: ", way) if way else "",
        ),
        where=use(over=tag),
    )


def _of_models(
    database: Database, system: System, members: Sequence[Entry], tag: str
) -> Text | None:
    """Return the calls that tag runs of a system by the models in their names.

    Those are what stands before the value of the tag, such as als in als/1; the first
    two of them are told. Return None where names do not tell models apart, or where
    a pattern of them matches runs of other systems, whose tags would change.
    """
    if any(part.startswith(f"{_MODEL}=") for part in system.name.split(", ")):
        return None
    replicate = dict(zip(system.runs, system.replicates, strict=True))

    def model(run: Entry) -> str | None:
        end = rf"(?i:{re.escape(tag)})?[\W_]*{re.escape(replicate[run])}"
        match = re.fullmatch(rf"(.*?[^\W_])[\W_]+{end}", run.name)
        return match[1] if match else None

    every = runs(database)
    patterns: dict[str, str] = {}
    for run in members:
        name = model(run)
        if name in patterns:
            continue
        pattern = run.name.removesuffix(replicate[run]) + "*"
        matched = [
            other
            for other in every
            if other.dataset == system.dataset and fnmatchcase(other.name, pattern)
        ]
        others = any(
            other not in replicate or model(other) != name for other in matched
        )
        if name is None or others or run not in matched:
            return None
        patterns[name] = pattern
        if len(patterns) == 2:
            break
    else:
        return None
    several = len({run.dataset for run in every}) > 1
    fields = {"dataset": system.dataset} if several else {}
    calls = (
        call("tag", pattern, {_MODEL: name}, **fields)
        for name, pattern in patterns.items()
    )
    return joined(calls, ", then ")


def chosen(
    database: Database,
    tagged: Sequence[System],
    name: str,
    dataset: str | None,
    tag: str,
) -> list[System]:
    """Return the systems of a name: their own, or that or a pattern of their runs.

    Raises NdcgSqlError if there is none.
    """
    of_dataset = [system for system in tagged if dataset in (None, system.dataset)]
    matches = [system for system in of_dataset if system.name == name]
    if not matches:
        names_of_runs = [
            run.name for run in runs(database) if dataset in (None, run.dataset)
        ]
        if name not in names_of_runs and not filter_names(names_of_runs, name):
            hint = nearest(name, (system.name for system in of_dataset))
            raise NdcgSqlError(
                f"no system and no run {quoted(name)}",
                hint or nearest(name, names_of_runs),
                where=use(over=tag),
            )
        members = choose_entries(database, "run", [name], dataset)
        matches = [system for system in of_dataset if {*system.runs} & {*members}]
    if not matches:
        names = listed(system.name for system in of_dataset)
        raise NdcgSqlError(
            f"run {quoted(name)} does not have this tag",
            Text(
                f"systems that have it: {names}; if it has one replicate: ",
                call("tag", name, {tag: "1"}),
            ),
            where=use(over=tag),
        )
    return matches


@contextmanager
def shares_in_slices(database: Database, runs: Iterable[Entry]) -> Generator[None]:
    """Compute the shares of judged documents in the slices of these runs alone.

    While inside, a temporary table of them hides their view: they are the same for many
    measures.
    """
    with database.shadow([_SHARES]):
        for run in runs:
            # Only these equalities reach all tables that the view reads.
            named = {"run_id": run.id, "run": run.name}
            database.bring(_SHARES, "where run_id = $run_id and run = $run", named)
        yield


@contextmanager
def averaged(
    database: Database,
    messages: Messages,
    question: Question,
    tagged: Sequence[System],
    slicing: Slicing,
) -> Generator[list[str]]:
    """Make systems stand in for their runs, with means by query over replicates.

    A system has the id of its first run; the question is one about all runs. The
    value of a query is the mean over all replicates; where no two of them answered
    the same query, as with folds, it is that of the one that answered it. slicing
    makes the slices of the question's attributes, for their shares of judged documents.
    Gives the lines that say what the means and their intervals cover.
    """
    rows = [
        {"run_id": run.id, "system_id": system.runs[0].id, "system": system.name}
        | {"dataset": system.dataset}
        for system in tagged
        for run in system.runs
    ]
    sliced = [run for system in tagged for run in system.runs if question.by]
    members = ROWS.replace("$rows", f"cast($rows as {_TYPES})")
    parameters = {
        "judgment_set_id": question.pairs[0][1],
        "measures": [measure.name for measure in question.measures],
    }
    with (
        database.temporary("system_runs", members, {"rows": rows}),
        ExitStack() as stack,
    ):
        with answered(database, messages, question):
            answers = sql_files.read("reports/replicate_answers")
            set_id = {"judgment_set_id": parameters["judgment_set_id"]}
            stack.enter_context(
                database.temporary("replicate_answers", answers, set_id)
            )
            with slicing(database, question.by), shares_in_slices(database, sliced):
                for table, select in _STAND_INS.items():
                    # The table may be a temporary one until the values are known.
                    used = {k: v for k, v in parameters.items() if f"${k}" in select}
                    stand_in = database.temporary(f"system_{table}", select, used)
                    stack.enter_context(stand_in)
        for table in _STAND_INS:
            stack.enter_context(database.hide(table, f"from system_{table}"))
        for table, select in _SYSTEMS.items():
            stack.enter_context(database.hide(table, select))
        yield _coverage(database, messages, tagged)


def _coverage(
    database: Database, messages: Messages, tagged: Sequence[System]
) -> list[str]:
    """Return what means and their intervals cover; report unequal replicates."""
    ids = {"run_ids": [system.runs[0].id for system in tagged]}
    lines: dict[str, str] = {}
    for name, count, is_divided, unequal in database.run(
        "reports/replicate_coverage", ids
    ):
        replicates = counted(count, "replicate")
        if is_divided:
            lines[name] = f"{replicates}, each query from the one that answered"
            continue
        lines[name] = f"mean of {replicates}" if count > 1 else replicates
        if unequal:
            queries = counted(unequal, "judged query", "judged queries")
            messages.tell(
                f"{quoted(name)}: {queries} without an answer from some replicates"
            )
    if len({*lines.values()}) == 1:
        lines = {"each system": lines.popitem()[1]}
    covered = (f"{name}: {line}" for name, line in lines.items())
    return [*covered, "intervals and p cover other queries, not other replicates"]
