"""What a command computes: measures of runs with judgment sets, resolved once."""

from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation import entries, warnings
from ndcg_sql.evaluation.entries import Entry
from ndcg_sql.evaluation.fitting import fitting, left_out
from ndcg_sql.evaluation.registry import loaded_measures, registered_measures
from ndcg_sql.evaluation.scope import known_values
from ndcg_sql.evaluation.values import Pair, evaluate_all
from ndcg_sql.measures.names import Measure, parse
from ndcg_sql.measures.systems import System, find
from ndcg_sql.requests.shared import Scope
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
_NOTHING = nullcontext()
_NAME_ONE = "name one: " + use(measures="nDCG@10")


@dataclass(frozen=True)
class Question:
    """A resolved scope: measures, runs, and pairs of a run and a judgment set.

    pairs omits runs whose dataset has no judgments. If the user named no measures,
    they are the registered ones, of which some may not fit every judgment set.
    """

    measures: tuple[Measure, ...]
    runs: tuple[Entry, ...]
    pairs: tuple[Pair, ...]
    by: tuple[str, ...] = ()
    named: bool = True

    def of_queries(self, messages: Messages, what: str) -> "Question":
        """Return the same with the measures that queries have values of.

        Reports and raises as the function of that name does.
        """
        measures = of_queries(self.measures, what, self.named, messages)
        return replace(self, measures=measures)

    @property
    def parameters(self) -> Parameters:
        """The parameters of the selects of reports."""
        return {
            "run_ids": [run_id for run_id, _ in self.pairs],
            "judgment_set_ids": sorted({set_id for _, set_id in self.pairs}),
            "measures": [measure.name for measure in self.measures],
        }


def choose_measures(
    database: Database, names: Sequence[str], like: System | None = None
) -> tuple[Measure, ...]:
    """Return the measures that a user names; the registered ones if none is named.

    If a system is to be followed, they are as that system defines them.
    """
    if like:
        return tuple(like.measures(names))
    loaded = loaded_measures(database) if names else {}
    measures = parse(" ".join(names), loaded) if names else []
    measures = measures or registered_measures(database)
    if not measures:
        raise NdcgSqlError("no measure is registered", _NAME_ONE)
    return tuple(measures)


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
    reading = ", ".join(m.name for m in usable if m.reads_rankings)
    runs = {run.id: run for run in entries.runs(database)} if reading else {}
    for run_id, _ in pairs if reading else ():
        if not runs[run_id].has_rankings:
            messages.tell(
                f"run {quoted(runs[run_id].name)} has no value of {reading}: its"
                " rankings are not in the warehouse"
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
    """Return the measures that have values for queries.

    Of the others, whose values are those of runs as wholes, those that are only
    registered are left out, and reported. Raises NdcgSqlError if the user named one,
    or if none is left.
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
            f"{', '.join(whole)} left out: {what} needs values of queries, not of"
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
    chosen, pairs = resolve_runs(database, messages, scope, columns)
    if like:
        warnings.tell_like(database, messages, like, measures, pairs)
    named = scope.names_measures
    if not named:
        measures = choose_fitting(database, measures, pairs, messages)
    return Question(measures, tuple(chosen), tuple(pairs), tuple(scope.by), named)


def resolve_runs(
    database: Database, messages: Messages, scope: Scope, columns: Sequence[str] = ()
) -> tuple[list[Entry], list[Pair]]:
    """Return the runs that a user names, and those that can be evaluated.

    Reports which are omitted, and why.
    """
    chosen = entries.choose_runs(database, scope.runs, scope.dataset)
    for tag, value in scope.tags.items():
        entries.check_tag(database, chosen, tag, value, use(tags={tag: value}))
        sql = "select run_id from run_tags where tag = $tag and tag_value = $value"
        tagged = database.execute(sql, {"tag": tag, "value": value})
        chosen = [run for run in chosen if (run.id,) in tagged]
    pairs = entries.judgments_of(database, chosen, scope.judgments)
    # Refuse what the user named before reporting on the rest.
    without = entries.check_attributes(database, scope.by, chosen, columns=columns)
    for name in without:
        messages.tell(
            f"dataset {quoted(name)} has no such queries; its runs are omitted"
        )
    judged = {run_id for run_id, _ in pairs}
    what = f"judgment set {quoted(scope.judgments)}" if scope.judgments else "judgments"
    for name in dict.fromkeys(run.dataset for run in chosen if run.id not in judged):
        messages.tell(f"dataset {quoted(name)} has no {what}; its runs are omitted")
    return chosen, pairs


def evaluate_pairs(database: Database, messages: Messages, scope: Scope) -> None:
    """Evaluate the runs of a scope with its judgment sets; report what was done."""
    chosen, pairs = resolve_runs(database, messages, scope)
    names = {entry.id: entry.name for entry in chosen}
    sets = {entry.id: entry.name for entry in entries.judgment_sets(database)}
    there = set(database.execute("select run_id, judgment_set_id from evaluations"))
    done = [pair for pair in pairs if pair not in there]
    if done:
        with database.transaction():
            evaluate_all(database, done)
    for run_id, set_id in done:
        messages.tell(
            f"evaluated run {quoted(names[run_id])} with {quoted(sets[set_id])}"
        )
    messages.warn_all(left_out(database, [set_id for _, set_id in done]))
    if not done:
        messages.tell("all of these are already evaluated; nothing to do")


@contextmanager
def answered(
    database: Database, messages: Messages, question: Question
) -> Generator[None]:
    """Make the values of a question available to views while inside.

    Reports what the judgments lack for its measures.
    """
    measures, pairs = question.measures, question.pairs
    with known_values(database, measures, pairs, named=question.named):
        for line in (
            *warnings.lacking(database, measures, pairs),
            *warnings.shown_outside(database, measures, pairs),
        ):
            messages.tell(line)
        yield


def combined(
    database: Database, attributes: Sequence[str]
) -> AbstractContextManager[None]:
    """Give queries, while inside, one attribute that combines all of these, if any."""
    return _attributes(database, "combined", attributes) if attributes else _NOTHING


def separate(
    database: Database, attributes: Sequence[str]
) -> AbstractContextManager[None]:
    """Give queries, while inside, only these attributes."""
    return _attributes(database, "separate", attributes)


def _attributes(
    database: Database, kind: str, attributes: Sequence[str]
) -> AbstractContextManager[None]:
    select = sql_files.read(f"reports/{kind}_attributes")
    named = {"attributes": list(attributes)}
    return database.temporary("query_attributes", select, named)


@contextmanager
def sliced(database: Database, question: Question) -> Generator[None]:
    """Combine the attributes of a question, if any, while inside.

    run_values then has the values of slices, in place of those of all queries. Where
    there are many slices, their values are computed for some runs after the
    others, as DuckDB takes memory for every group of queries.
    """
    if not question.by:
        yield
        return
    values = sql_files.read("reports/sliced_values")
    none, of_all = f"from ({values}) limit 0", question.parameters
    with (
        combined(database, question.by),
        database.temporary("run_values", none, of_all),
    ):
        [(slices,)] = database.execute(_SLICES)
        at_once = max(_SLICES_AT_ONCE // ((slices + 1) * len(question.measures)), 1)
        starts = range(0, len(question.pairs), at_once)
        for start in progress.each(starts, "computing slices", "parts"):
            pairs = question.pairs[start : start + at_once]
            of_some = replace(question, pairs=pairs).parameters
            database.execute(f"insert into run_values by name {values}", of_some)
        yield
