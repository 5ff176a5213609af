"""What a command computes: measures of runs with judgment sets, resolved once.

There is one way to answer without writing to the file: temporary tables hide tables
of the same name, and begin with some of their rows.
"""

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence, Set
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, replace

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation import entries, warnings
from ndcg_sql.evaluation.entries import Entry
from ndcg_sql.evaluation.fitting import check_fits, fitting, left_out
from ndcg_sql.evaluation.measuring import of_measures, of_runs, of_sets
from ndcg_sql.evaluation.registry import (
    add_rows,
    loaded_measures,
    registered,
    registered_measures,
)
from ndcg_sql.evaluation.values import (
    HITS,
    VALUES,
    Pair,
    evaluate,
    find_hits,
    store_values_of,
)
from ndcg_sql.measures.names import Measure, parse
from ndcg_sql.measures.systems import System, find
from ndcg_sql.options import Scope
from ndcg_sql.system import progress
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import listed, quoted
from ndcg_sql.wording import joined, use

# How queries get slices of some attributes: combined, or separate ones.
Slicing = Callable[[Database, Sequence[str]], AbstractContextManager[None]]
# The number of slices that values are computed for by one statement: for each, with
# more rows than fit its lists, DuckDB keeps 50 kB for each of its ordered sums.
_SLICES_AT_ONCE = 3_000
_SLICES = "select count(distinct attribute_value) from query_attributes"
# What measures add rows to that may be those of others.
_SHARED = {"positions": "true", "gains": "true"}
_NAME_ONE = "name one: " + use(measures="nDCG@10")


@dataclass(frozen=True)
class Question:
    """A resolved scope: measures, runs, and pairs of a run and a judgment set.

    It knows the database that it is about, and where messages go. pairs omits runs
    whose dataset has no judgments. If the user named no measures, they are the
    registered ones, of which some may not fit every judgment set.
    """

    database: Database
    messages: Messages
    measures: tuple[Measure, ...]
    runs: tuple[Entry, ...]
    pairs: tuple[Pair, ...]
    by: tuple[str, ...] = ()
    named: bool = True

    @property
    def parameters(self) -> Parameters:
        """The parameters of the selects of reports."""
        return {
            "run_ids": [run_id for run_id, _ in self.pairs],
            "judgment_set_ids": sorted({set_id for _, set_id in self.pairs}),
            "measures": [measure.name for measure in self.measures],
        }

    @contextmanager
    def known_values(
        self, with_values: bool = True, alone: bool = False, afresh: bool = False
    ) -> Generator[None]:
        """Make these measures of these pairs available to views while inside.

        Stored values are read. If any is missing, temporary tables hold both computed
        and stored values; the file is never written. Without values, only the views
        that compute by themselves (ndcg_steps) can be queried. With alone, views see
        only these pairs and measures, which saves time. If the user named the
        measures, raises NdcgSqlError if one does not fit a judgment set; otherwise, it
        has no values there. Computed afresh, nothing that is stored is read.
        """
        database, measures, pairs = self.database, self.measures, self.pairs
        run_ids, sets = ({pair[place] for pair in pairs} for place in (0, 1))
        if self.named and (reading := [m for m in measures if m.reads_rankings]):
            chosen = [run for run in entries.runs(database) if run.id in run_ids]
            entries.check_rankings(chosen, reading[0].name)
        names = {measure.name for measure in measures}
        there = set(database.execute("select run_id, judgment_set_id from evaluations"))
        missing = [pair for pair in pairs if afresh or pair not in there]
        readable = set[str]() if missing else names & set(registered(database))
        if self.named:
            sql = "select distinct judgment_set_id, measure from stored_run_values"
            values = set(database.execute(sql))
            readable = {n for n in readable if {(s, n) for s in sets} <= values}
        if names <= readable and not missing and not alone:
            yield
            return
        stored, which = of_measures(readable), f"{of_runs(run_ids)} and {of_sets(sets)}"
        rows = {
            **dict.fromkeys(VALUES, f"{which} and {stored}"),
            "ideal_sums": f"{of_sets(sets)} and {stored}",
            **dict.fromkeys(("measures", "misfits"), stored),
            "measure_datasets": str(not self.named),
            **_SHARED,
        }
        if missing or alone:
            stored_pairs = ", ".join(map(str, {*pairs} - {*missing})) or "(null, null)"
            which += f" and (run_id, judgment_set_id) in ({stored_pairs})"
            rows |= dict.fromkeys(HITS, which)
        with own_tables(database, rows):
            add_rows(database, [m for m in measures if m.name not in readable], sets)
            if self.named:
                check_fits(database, sets)
            find_hits(database, missing)
            if with_values:
                store_values_of(database, pairs, names - readable)
            yield

    @contextmanager
    def answered(self) -> Generator[None]:
        """Make the values known to views while inside; report what judgments lack."""
        with self.known_values():
            for lines in (warnings.lacking, warnings.shown_outside):
                for line in lines(self.database, self.measures, self.pairs):
                    self.messages.tell(line)
            yield

    def tell_missing(self, valued: Callable[[], Set[tuple[str, str]]]) -> None:
        """Report runs without values of a measure that the user named.

        valued selects measures with their runs. Raises NdcgSqlError if it has none.
        """
        if not self.named:
            return
        pairs = valued()
        judged = {run_id for run_id, _ in self.pairs}
        runs = [run.name for run in self.runs if run.id in judged]
        lines: list[str] = []
        for name in [measure.name for measure in self.measures]:
            if missing := [run for run in runs if (name, run) not in pairs]:
                lines.append(f"{name}: no values of {warnings.listed_runs(missing)}")
        tell_or_refuse(self.messages, lines, is_refused=not pairs)

    @contextmanager
    def sliced(self) -> Generator[None]:
        """Combine the attributes that slices are made of, if any, while inside.

        run_values then has the values of slices, in place of those of all queries.
        Where there are many slices, they are computed for some runs after the others,
        as DuckDB takes memory for every group of queries.
        """
        if not self.by:
            yield
            return
        values = sql_files.read("reports/sliced_values")
        none = f"from ({values}) limit 0"
        with (
            combined(self.database, self.by),
            self.database.temporary("run_values", none, self.parameters),
        ):
            [(slices,)] = self.database.execute(_SLICES)
            at_once = max(_SLICES_AT_ONCE // ((slices + 1) * len(self.measures)), 1)
            starts = range(0, len(self.pairs), at_once)
            for start in progress.each(starts, "computing slices", "parts"):
                some = replace(self, pairs=self.pairs[start : start + at_once])
                insert = f"insert into run_values by name {values}"
                self.database.execute(insert, some.parameters)
            yield


def tell_or_refuse(messages: Messages, lines: Sequence[str], is_refused: bool) -> None:
    """Report values that are not there, or refuse a question for want of them."""
    if lines and is_refused:
        raise NdcgSqlError("\n".join(lines), "load them, or name another measure")
    for line in lines:
        messages.tell(line)


@contextmanager
def own_tables(database: Database, rows: Mapping[str, str]) -> Generator[None]:
    """Hide tables, while inside, behind temporary ones with some of their rows.

    rows are the conditions on these by table. What is stored inside goes into the
    temporary tables.
    """
    with ExitStack() as tables:
        for table, which in rows.items():
            some = f"from {database.stored(table)} where {which}"
            tables.enter_context(database.temporary(table, some))
        yield


@contextmanager
def only_measures(
    database: Database, measures: Sequence[Measure], set_ids: Iterable[int]
) -> Generator[None]:
    """Hide all measures but these, and all values, while inside.

    What is stored inside goes into temporary tables.
    """
    tables = ("measures", "measure_datasets", "misfits", *VALUES)
    with own_tables(database, {**dict.fromkeys(tables, "false"), **_SHARED}):
        add_rows(database, measures, set_ids)
        yield


@contextmanager
def sampled(database: Database, pairs: Sequence[Pair], most: int) -> Generator[None]:
    """Hide all but some queries of each judgment set from views while inside.

    There are at most this many, always the same ones. Values must be computed afresh.
    """
    runs, sets = (list(dict.fromkeys(ids)) for ids in zip(*pairs, strict=True))
    parameters = {"judgment_set_ids": sets, "most": most}
    draw = sql_files.read("lookups/sampled_queries")
    drawn = "(select judgment_set_id, query_id from sampled_queries)"
    of_drawn = f"{of_runs(runs)} and query_id in (select query_id from sampled_queries)"
    rows = {"judgments": f"(judgment_set_id, query_id) in {drawn}"}
    rows |= dict.fromkeys(("rankings", "run_queries"), of_drawn)
    with (
        database.temporary("sampled_queries", draw, parameters),
        own_tables(database, rows),
    ):
        yield


def choose_measures(
    database: Database, names: Sequence[str], like: System | None = None
) -> tuple[Measure, ...]:
    """Return the measures that a user names; the registered ones if none is named.

    If a system is to be followed, they are as that system defines them.
    """
    if like:
        return tuple(like.measures(names))
    if names:
        return tuple(parse(" ".join(names), loaded_measures(database)))
    if measures := registered_measures(database):
        return tuple(measures)
    raise NdcgSqlError("no measure is registered", _NAME_ONE)


def choose_fitting(
    database: Database,
    measures: Sequence[Measure],
    pairs: Sequence[Pair],
    messages: Messages | None = None,
) -> tuple[Measure, ...]:
    """Return the registered measures that fit the judgment set of any of the pairs.

    Reports which are left out. Raises NdcgSqlError if none fits.
    """
    fits = fitting(database, {set_id for _, set_id in pairs})
    warned = left_out(database, fits)
    sets = [entry for entry in entries.judgment_sets(database) if entry.id in fits]
    anywhere = set[str]().union(*fits.values())
    # Of runs that have only loaded values, there is no other.
    ids = {"run_ids": [run_id for run_id, _ in pairs]}
    valued = {name for (name,) in database.run("lookups/only_loaded", ids)}
    names = anywhere & (valued or anywhere)
    usable = tuple(measure for measure in measures if measure.name in names)
    if not usable:
        sets_named = listed(entry.name for entry in sets)
        last = f"no registered measure can be used with judgment set {sets_named}"
        raise NdcgSqlError(joined([*warned, last], "\n"), _NAME_ONE)
    if messages is None:
        return usable
    messages.warn_all(warned)
    if reading := ", ".join(m.name for m in usable if m.reads_rankings):
        for run in entries.runs(database):
            if run.id in ids["run_ids"] and not run.has_rankings:
                messages.tell(
                    f"run {quoted(run.name)} has no value of {reading}: its rankings"
                    " are not in the warehouse"
                )
    for entry in sets:
        if not fits[entry.id]:
            messages.tell(
                f"judgment set {quoted(entry.name)} of dataset {quoted(entry.dataset)}:"
                " no registered measure can be used with it; its runs are omitted"
            )
    return usable


def of_queries(
    measures: Sequence[Measure],
    what: str,
    named: bool,
    messages: Messages | None = None,
) -> tuple[Measure, ...]:
    """Return the measures that have values for queries, not only for whole runs.

    Others that are only registered are left out, and reported. Raises NdcgSqlError
    if the user named one, or if none is left.
    """
    whole = [measure.name for measure in measures if measure.family.is_of_runs]
    left = tuple(m for m in measures if not m.family.is_of_runs)
    if whole and (named or not left):
        raise NdcgSqlError(
            f"{what} needs values of queries; this is one of a run as a whole",
            "name another" + ("" if named else ", " + use(measures="nDCG@10")),
            where=f"measure {quoted(whole[0])}",
        )
    if whole and messages is not None:
        messages.tell(
            f"{', '.join(whole)} omitted: {what} needs values of queries, not of"
            " runs as wholes"
        )
    return left


def resolve(
    database: Database, messages: Messages, scope: Scope, columns: Sequence[str] = ()
) -> Question:
    """Resolve a scope; report which runs are omitted, and why.

    columns are those next to the attributes of the scope. Raises NdcgSqlError
    for an unknown name.
    """
    like = None if scope.like is None else find(scope.like)
    measures = choose_measures(database, scope.measures, like)
    chosen, pairs = _resolve_runs(database, messages, scope, columns)
    if like:
        warnings.tell_like(database, messages, like, measures, pairs)
    named = scope.names_measures
    if not named:
        measures = choose_fitting(database, measures, pairs, messages)
    runs = tuple(chosen), tuple(pairs)
    return Question(database, messages, measures, *runs, tuple(scope.by), named)


def _resolve_runs(
    database: Database, messages: Messages, scope: Scope, columns: Sequence[str] = ()
) -> tuple[list[Entry], list[Pair]]:
    """Return the runs that a user names, and those that can be evaluated."""
    chosen = entries.choose_runs(database, scope.runs, scope.dataset)
    for tag, value in scope.tags.items():
        entries.check_tag(database, chosen, tag, value, use(tags={tag: value}))
        sql = "select run_id from run_tags where tag = $tag and tag_value = $value"
        tagged = database.execute(sql, {"tag": tag, "value": value})
        chosen = [run for run in chosen if (run.id,) in tagged]
    pairs = entries.judgments_of(database, chosen, scope.judgments)
    # Refuse what the user named before reporting on the rest.
    without = entries.check_attributes(database, scope.by, chosen, columns=columns)
    lacks = dict.fromkeys(without, "such queries")
    judged = {run_id for run_id, _ in pairs}
    what = f"judgment set {quoted(scope.judgments)}" if scope.judgments else "judgments"
    lacks |= {run.dataset: what for run in chosen if run.id not in judged}
    for name, lacking in lacks.items():
        messages.tell(f"dataset {quoted(name)} has no {lacking}; its runs are omitted")
    return chosen, pairs


def evaluate_pairs(database: Database, messages: Messages, scope: Scope) -> None:
    """Evaluate the runs of a scope with its judgment sets; report what was done."""
    chosen, pairs = _resolve_runs(database, messages, scope)
    names = {entry.id: entry.name for entry in chosen}
    sets = {entry.id: entry.name for entry in entries.judgment_sets(database)}
    there = set(database.execute("select run_id, judgment_set_id from evaluations"))
    done = [pair for pair in pairs if pair not in there]
    if not done:
        messages.tell("all of these are already evaluated; nothing to do")
        return
    with database.transaction():
        evaluate(database, done)
    for run_id, set_id in done:
        messages.tell(
            f"evaluated run {quoted(names[run_id])} with {quoted(sets[set_id])}"
        )
    messages.warn_all(left_out(database, [set_id for _, set_id in done]))


def combined(
    database: Database, attributes: Sequence[str]
) -> AbstractContextManager[None]:
    """Give queries, while inside, one attribute that combines all of these, if any."""
    if not attributes:
        return nullcontext()
    select = sql_files.read("reports/combined_attributes")
    named = {"attributes": list(attributes)}
    return database.temporary("query_attributes", select, named)


def separate(
    database: Database, attributes: Sequence[str]
) -> AbstractContextManager[None]:
    """Give queries, while inside, only these attributes."""
    select = sql_files.read("reports/separate_attributes")
    named = {"attributes": list(attributes)}
    return database.temporary("query_attributes", select, named)
