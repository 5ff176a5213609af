"""Storing staged rows as a run or a judgment set, and evaluating it."""

import re
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import entries, having_rankings, into
from ndcg_sql.evaluation.fitting import left_out, note_misfits
from ndcg_sql.evaluation.values import HitsFile, evaluate, evaluate_all
from ndcg_sql.loading import clean_runs, contradictions, likeness, matches
from ndcg_sql.loading.loaded import LoadedItem, counts_of
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import closest, counted, listed, quoted
from ndcg_sql.wording import Text, Wording, call, joined, named, use

if TYPE_CHECKING:
    from ndcg_sql.reading.clean.run import CleanRun

# How alike the words of two names are of which one is a misspelling, and how long:
# those that are shorter are languages, countries, months and the like.
_ALIKE, _LONG = 0.7, 4


@dataclass(frozen=True)
class Stored:
    """The messages about stored rows; without a line, only notes and warnings.

    note follows on a line of its own, notes are on what was read. counts are those of
    the queries and rows of what is stored; item is what they became, if it has a name
    yet.
    """

    line: Wording
    warnings: Sequence[Wording] = ()
    note: Wording = ""
    counts: tuple[int, int] = (0, 0)
    item: LoadedItem | None = None
    notes: Sequence[Wording] = ()

    def tell(self, messages: Messages) -> None:
        """Pass the messages on."""
        if self.line:
            messages.tell(Text(self.line, "\n" if self.note else "", self.note))
        for note in self.notes:
            messages.note(note)
        messages.warn_all(self.warnings)


def store_run(
    database: Database,
    parameters: Parameters,
    tags: Mapping[str, str],
    evaluating: bool,
    clean: "CleanRun | None" = None,
    sets: Sequence[int] = (),
    *,
    empty: Sequence[str] = (),
    completed: int | None = None,
    is_order_known: bool = True,
) -> Stored:
    """Store the staged rows as a run, and evaluate it with the newest judgments.

    sets are further judgment sets to evaluate it with: those of a run that it
    replaces. completed is the id of that run if its loaded values stay. clean is what
    is known of the run if its file is clean, empty are the queries that it answers
    without documents. Unless its order is known to be meant, scores that order nothing
    are warned of.
    """
    run_id = database.execute("select nextval('run_ids')")[0][0]
    parameters["run_id"] = run_id
    _store_rankings(database, parameters, clean, empty)
    if completed is not None:
        sql = "update loaded_values set run_id = $run_id where run_id = $completed"
        ids = {"run_id": run_id, "completed": completed}
        database.execute(sql, ids)
    store_tags(database, run_id, tags)
    queries, documents = counts_of(database, "run", run_id)
    line = f"{counted(queries, 'query', 'queries')}, {counted(documents, 'document')}"
    newest = database.run("lookups/newest_judgment_set", parameters)
    if not evaluating:
        return Stored(line, counts=(queries, documents))
    rows = f"run_queries where run_id = {run_id:d}"
    if not newest:
        alike = matches.alike(database, "query", rows, parameters)
        alike += _misspelt(database, parameters["dataset"])
        counts = queries, documents
        return Stored(line + "; no judgments yet", alike, counts=counts)
    [(judgment_set_id, _)] = newest
    pair = run_id, judgment_set_id
    _evaluate_stored(database, pair, parameters, clean)
    is_doubtful = parameters["position_rule"] != "given" and not is_order_known
    # The rows of a clean run, whose columns have names, are not staged for a single
    # command.
    has_rows = not (clean and database.is_scratch)
    doubts = _doubts(database, pair, parameters, newest[0], has_rows, is_doubtful)
    # An example of what does not match is enough.
    doubts = doubts or matches.alike(database, "query", rows, parameters)
    others = [set_id for set_id in sets if set_id != judgment_set_id]
    evaluate_all(database, [(run_id, set_id) for set_id in others])
    names = dict(database.execute("select judgment_set_id, name from judgment_sets"))
    shown = ", ".join(quoted(names[set_id]) for set_id in (judgment_set_id, *others))
    return Stored(
        line + f"; evaluated with {shown}",
        [*doubts, *left_out(database, [judgment_set_id, *others])],
        counts=(queries, documents),
    )


def _store_rankings(
    database: Database,
    parameters: Parameters,
    clean: "CleanRun | None",
    empty: Sequence[str],
) -> None:
    """Store the staged rows as rankings, and the queries that they answer."""
    if clean:
        clean_runs.store_queries(database, clean, parameters)
    else:
        database.run("store/run_queries_of_staged", parameters)
    if empty:
        queries = {**parameters, "query_ids": "\0".join(empty)}
        database.run("store/empty_answers", queries)
        database.run("store/run_queries_of_empty", queries)
    for file in ("positions", "runs"):
        database.run(f"store/{file}", parameters)
    rule = parameters["position_rule"]
    is_scored = rule != "given"
    if is_scored and not clean:
        database.run(f"store/scored_by_{rule}")
    # Values are computed from hits; a single command needs no stored ranking.
    if not database.is_scratch or not is_scored:
        order = "of_read" if clean else "by_scores" if is_scored else "by_given"
        _store_all(database, f"rankings_{order}", parameters)


def _evaluate_stored(
    database: Database,
    pair: tuple[int, int],
    parameters: Parameters,
    clean: "CleanRun | None",
) -> None:
    """Evaluate a run from its staged rows, or from what is known of a clean file."""
    is_scored = parameters["position_rule"] != "given"
    hits_file: HitsFile = "hits_of_scored" if is_scored else "hits"
    with ExitStack() as stack:
        if clean:
            hits_file = "hits_of_read"
            hits = database.received("read_hits", clean_runs.hits(clean))
            stack.enter_context(hits)
        evaluate(database, pair, hits_file)


def _doubts(
    database: Database,
    pair: tuple[int, int],
    parameters: Parameters,
    newest: tuple[int, str],
    has_rows: bool,
    is_doubtful: bool,
) -> list[Wording]:
    """Return warnings if a run and its judgments do not seem to belong together.

    has_rows is whether its rows are staged; is_doubtful is whether scores that order
    nothing are warned of.
    """
    run_id, judgment_set_id = pair
    ranked = matches.new(run_id) if has_rows else None
    doubts = [*matches.of_pair(database, parameters["name"], pair, ranked).warnings]
    if not doubts:
        doubts += matches.near(database, [run_id], judgment_set_id, ranked)
    if is_doubtful:
        swapped = likeness.swapped(database, parameters, newest) if has_rows else []
        name = parameters["name"]
        doubts += swapped or contradictions.constant_scores(database, name, pair)
    return doubts


def _misspelt(database: Database, dataset: str) -> list[Wording]:
    """Return a warning if a new dataset has nearly the name of one with judgments."""
    runs = "select count(*) from runs where dataset = $dataset"
    if database.execute(runs, {"dataset": dataset}) != [(1,)]:
        return []
    others = database.execute("select distinct dataset from judgment_sets")
    near = closest(dataset, [name for (name,) in others])
    close = [name for name in near if _is_misspelt(dataset, name)]
    new = f"dataset {quoted(dataset)} is new and has no judgments"
    return [f"{new}; did you mean {listed(close)}?"] if close else []


def _is_misspelt(name: str, other: str) -> bool:
    """Return whether a name is likely to be meant as another one.

    Names with other numbers count weeks or versions.
    """
    if re.findall(r"\d+", name) != re.findall(r"\d+", other):
        return False
    words, others = (re.findall(r"[^\W\d_]+", one.lower()) for one in (name, other))
    if len(words) != len(others):
        return "".join(words) == "".join(others)
    return all(
        one == two
        or (min(len(one), len(two)) >= _LONG and bool(closest(one, [two], _ALIKE)))
        for one, two in zip(words, others, strict=True)
    )


def check_strict(strict: bool, warnings: Sequence[Wording]) -> None:
    """Raise NdcgSqlError for a warning if the user is strict."""
    if strict and warnings:
        raise NdcgSqlError(
            joined(dict.fromkeys(warnings), "\n"),
            "nothing was loaded; to load it nevertheless, omit " + named("strict"),
        )


def store_tags(database: Database, run_id: int, tags: Mapping[str, str]) -> None:
    """Store the tags of a run."""
    for tag, value in tags.items():
        database.execute(
            "insert into run_tags values ($run_id, $tag, $value)",
            {"run_id": run_id, "tag": tag, "value": value},
        )


def store_judgments(
    database: Database,
    parameters: Parameters,
    evaluating: bool,
    has_subtopics: bool = False,
    *,
    is_strict: bool = False,
) -> Stored:
    """Store the staged rows as a judgment set, and evaluate every run with it.

    With subtopics, their judgments are in the table staged_subtopics. Who is strict
    has nothing to undo after a warning.

    Returns messages: counts, and that this set is now the newest, if there are
    others.
    """
    others = database.run("lookups/newest_judgment_set", parameters)
    judgment_set_id = database.execute("select nextval('judgment_set_ids')")[0][0]
    parameters["judgment_set_id"] = judgment_set_id
    _store_all(database, "judgments", parameters)
    if has_subtopics:
        _store_all(database, "subtopic_judgments", parameters, "staged_subtopics")
    database.run("store/judgment_sets", parameters)
    if parameters["parent_ids"]:
        database.run("store/judgment_set_parents", parameters)
    note_misfits(database, set_ids=[judgment_set_id])
    ids = {"id": judgment_set_id}
    queries, judgments = counts_of(database, "judgment set", judgment_set_id)
    line = f"{counted(queries, 'query', 'queries')}, {counted(judgments, 'judgment')}"
    if has_subtopics:
        [(subtopics, _, each)] = database.run("lookups/counts_subtopics", ids)
        line += f", the largest grades of {counted(each, 'judgment')}"
        line += f" for {counted(subtopics, 'subtopic')}"
    every = entries(database, "run") if evaluating else []
    every = [run for run in every if run.dataset == parameters["dataset"]]
    runs = [(run.id, run.name) for run in having_rankings(every)]
    warnings: list[Wording] = []
    unlike = _unlike_set(database, others, judgment_set_id)
    shared: list[matches.Match] = []
    evaluate_all(database, [(run.id, judgment_set_id) for run in every])
    hitless = database.run("warnings/runs_without_hits", parameters) if runs else []
    for run_id, run in hitless:
        ranked = matches.stored([run_id])
        pair = run_id, judgment_set_id
        shared.append(matches.of_pair(database, run, pair, ranked, is_new=False))
        if shared[-1].is_swapped:
            unlike = unlike or f"run {quoted(run)}"
    # Judgments that a run answers are right: what is unlike them is swapped itself.
    has_queries = len(shared) < len(runs) or any(one.has_queries for one in shared)
    if unlike and not has_queries:
        warnings.append(_swapped(parameters, unlike, is_strict))
        shared = [one for one in shared if not one.is_swapped]
    warnings += [warning for one in shared for warning in one.warnings]
    hitting = [run_id for run_id, name in runs if (run_id, name) not in hitless]
    if hitting:
        ranked = matches.stored(hitting)
        warnings += matches.near(database, hitting, judgment_set_id, ranked)
    if not warnings:
        rows = f"judgments where judgment_set_id = {judgment_set_id:d}"
        warnings += matches.alike(database, "query", rows, parameters)
        warnings += matches.alike(database, "document", rows, parameters)
    if runs:
        warnings += left_out(database, [judgment_set_id])
        line += f"; evaluated {counted(len(runs), 'run')}"
    note = Text()
    for _, earlier in others:
        note = Text(
            f"judgment set {quoted(parameters['name'])} is now the newest: report and"
            " other commands use it unless ",
            use(judgments=earlier),
            " is given",
        )
    return Stored(line, warnings, note, (queries, judgments))


def _store_all(
    database: Database, file: str, parameters: Parameters, table: str = "staged"
) -> None:
    """Store the rows of a staged table; raise NdcgSqlError if any is missing."""
    [(stored,)] = database.run(f"store/{file}", parameters)
    [(staged,)] = database.execute(f"select count(*) from {table}")
    if stored != staged:
        raise NdcgSqlError(
            f"unexpected: {staged} rows were read, but {stored} stored; please report"
            " it"
        )


def _unlike_set(
    database: Database, others: Sequence[tuple[int, str]], judgment_set_id: int
) -> str:
    """Return the set whose queries are documents of a new one, or nothing."""
    for old_id, old in others:
        ids = {"old_id": old_id, "judgment_set_id": judgment_set_id}
        if database.run("warnings/swapped_sets", ids) == [(True,)]:
            return f"judgment set {quoted(old)}"
    return ""


def _swapped(parameters: Parameters, unlike: str, is_strict: bool) -> Wording:
    name, dataset = parameters["name"], parameters["dataset"]
    line = (
        f"judgment set {quoted(name)} has no query in common with {unlike}; its"
        " documents look like queries, and its queries like documents: are the columns"
        " of queries and documents swapped?"
    )
    if is_strict:
        return line
    undo = call("remove", "judgments", name, **into(dataset))
    return f"{line}; to undo: " + undo
