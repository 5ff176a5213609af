"""Tune a fusion: find the k, or the weights of runs, with the best mean of a measure.

What the runs show is laid out once, a row for each document of a query. A setting then
only scores these rows, and counts which of them come before a judged one. All of it is
in temporary tables.
"""

from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import judgments_of
from ndcg_sql.evaluation.fitting import check_fits
from ndcg_sql.evaluation.scope import only_measures
from ndcg_sql.evaluation.values import HITS, MOST_ROWS, store_values_of
from ndcg_sql.loading.fused import Tuned
from ndcg_sql.loading.fusion import Fusion, K
from ndcg_sql.measures.names import Measure, parse
from ndcg_sql.system import progress
from ndcg_sql.text import counted, now
from ndcg_sql.wording import Text, named, use

# How many folds the queries are dealt to, and how many queries that takes.
FOLDS = 5
_FEWEST = 2 * FOLDS
# The most runs for which methods.csv says which weights are tried.
MOST_RUNS = 8
# What else is read where known documents are taken out: runs have numbers of their own.
_RANKED = ("rankings", "external_evaluations")


@dataclass(frozen=True)
class Choice:
    """The fusion that was chosen, its tags, and the lines that report the choice."""

    fusion: Fusion
    tuned: Tuned
    lines: Sequence[str]

    @property
    def tags(self) -> dict[str, str]:
        """The tags that say by what a run was tuned, and on which queries."""
        return {"tuned": self.tuned.measure, "tuned_on": f"{FOLDS} folds"}


def tune(database: Database, measure: str, fusion: Fusion) -> Choice:
    """Choose the k or the weights of a fusion by the best mean; nothing is stored.

    Raises NdcgSqlError where nothing can be chosen.
    """
    method = fusion.method["method"]
    if not fusion.method["tried"]:
        ways = use(method="rrf"), " (its k) or ", use(method="weighted")
        raise NdcgSqlError(
            f"{method} has nothing to tune",
            Text("omit it, or choose ", *ways),
            where=named("tune"),
        )
    if len(fusion.sources) > MOST_RUNS:
        raise NdcgSqlError(
            f"{len(fusion.sources)} runs, of which at most {MOST_RUNS} can be tuned",
            "name fewer, or omit it",
            where=named("tune"),
        )
    by = _measure(measure)
    runs = [source.run for source in fusion.sources]
    [(_, set_id), *_] = judgments_of(database, runs, None)
    tried = settings(fusion)
    judged: Parameters = {"judgment_set_id": set_id, "folds": FOLDS}
    queries = sql_files.read("fusion/tuning/queries")
    with database.temporary("tuned_queries", queries, judged):
        _check_enough(database, measure)
        with _valued(database, by, set_id, tried):
            best = database.run("fusion/tuning/chosen", judged)
            if len(best) <= FOLDS:
                raise NdcgSqlError(
                    "too few queries have a value",
                    "name another measure",
                    where=use(tune=by.name),
                )
            numbers = {"run_ids": [number for _, number, *_ in best[1:]]}
            [held_out] = database.run("fusion/tuning/held_out", numbers)
    chosen, *folds = (tried[number - 1] for _, number, *_ in best)
    mean = best[0][2:]
    tuned = Tuned(by.name, len(tried), *mean, *held_out, tuple(map(_setting, folds)))
    return Choice(chosen, tuned, _lines(tuned, chosen, folds))


def _measure(text: str) -> Measure:
    """Return the measure to tune by; raise NdcgSqlError unless higher is better."""
    measures = parse(text)
    where = use(tune=text)
    if len(measures) > 1:
        raise NdcgSqlError(f"{len(measures)} measures", "name one", where=where)
    family = measures[0].family
    if not family.can_improve:
        raise NdcgSqlError(
            "not a measure whose value is a mean and where higher is better",
            "name one, such as " + use(tune="nDCG@10"),
            where=where,
        )
    if family.reads_rankings:
        raise NdcgSqlError(
            "whole rankings cannot be measured while tuning",
            "name a measure of relevance, such as " + use(tune="nDCG@10"),
            where=where,
        )
    return measures[0]


def _check_enough(database: Database, measure: str) -> None:
    """Raise NdcgSqlError if there are too few judged queries for the folds."""
    [(count,)] = database.execute("select count(*) from tuned_queries")
    if count < _FEWEST:
        raise NdcgSqlError(
            f"{counted(count, 'judged query', 'judged queries')}, too few for"
            f" {FOLDS} folds, which take {_FEWEST}",
            "judge more",
            where=use(tune=measure),
        )


def settings(fusion: Fusion) -> list[Fusion]:
    """Return the fusions that are tried, what is nearest to the default first.

    That is the k nearest to 60, the lesser of two, or the weights nearest to equal
    ones, of several those with the greater weights first.
    """
    tried = [int(part) for part in fusion.method["tried"].split()]
    if fusion.weights is None:
        nearest = sorted(tried, key=lambda k: (abs(k - K), k))
        return [replace(fusion, k=k) for k in nearest]
    # The parts of a whole for two runs, for three and so on.
    count = len(fusion.sources)
    parts = tried[count - 2]
    shares = sorted(_shares(parts, count), reverse=True)
    shares.sort(key=lambda share: sum(part * part for part in share))
    return [
        replace(
            fusion,
            sources=tuple(
                replace(source, weight=part / parts)
                for source, part in zip(fusion.sources, share, strict=True)
            ),
        )
        for share in shares
    ]


def _shares(parts: int, count: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways in which so many runs share parts."""
    if count == 1:
        yield (parts,)
        return
    for first in range(parts + 1):
        for others in _shares(parts - first, count - 1):
            yield (first, *others)


@contextmanager
def _valued(
    database: Database, measure: Measure, set_id: int, tried: Sequence[Fusion]
) -> Generator[None]:
    """Have the values of each fusion for each query in stored_values while inside.

    Fusions are numbered from 1, as runs. Raises NdcgSqlError if the measure does not
    fit the judgments, or for scores that the norm cannot use.
    """
    first = tried[0]
    parameters: Parameters = {
        "judgment_set_id": set_id,
        "depth": first.depth,
        "count": len(tried),
    }
    hits = sql_files.read("fusion/tuning/hits")
    entries = (
        sql_files.read("fusion/entries") + " semi join tuned_queries using (query_id)"
    )
    documents = (
        f"select * exclude (query_id, fold) from ({first.documents})"
        " inner join tuned_queries using (query_id)"
    )
    with ExitStack() as stack:
        stack.enter_context(only_measures(database, [measure]))
        check_fits(database, [set_id])
        with first.read(database, entries):
            stack.enter_context(database.temporary("tuned_documents", documents))
        stack.enter_context(database.temporary("tuned_hits", hits, parameters))
        stack.enter_context(database.shadow(["runs", "run_queries", *HITS]))
        if measure.takes_known_out:
            stack.enter_context(database.shadow(_RANKED))
        database.run("fusion/tuning/run_queries", parameters)
        for numbers in _at_once(database, measure, len(tried)):
            for number in progress.each(numbers, "tuning", "settings"):
                fusion = tried[number - 1]
                _evaluate(database, measure, fusion, {**parameters, "run_id": number})
            store_values_of(database, [(number, set_id) for number in numbers])
            if measure.takes_known_out:
                database.execute("delete from rankings")
        yield


def _at_once(database: Database, measure: Measure, count: int) -> list[range]:
    """Return the numbers of settings in parts, those that are evaluated at once.

    That is all of them, unless whole rankings of each are kept meanwhile.
    """
    most = count
    if measure.takes_known_out:
        [(rows,)] = database.execute("select count(*) from tuned_documents")
        most = max(1, MOST_ROWS // max(1, rows))
    starts = range(1, count + 1, most)
    return [range(start, min(start + most, count + 1)) for start in starts]


def _evaluate(
    database: Database, measure: Measure, fusion: Fusion, parameters: Parameters
) -> None:
    """Store a fusion as a run of the number run_id, with its hits."""
    run: Parameters = {
        **{"dataset": fusion.dataset, "name": "", "source": "", "content_hash": ""},
        **{"loaded_at": now(), "position_rule": "score", "run_at": None},
    }
    for file in ("runs", "positions", "evaluations"):
        database.run(f"store/{file}", {**run, **parameters})
    parameters = {**parameters, **fusion.parameters}
    hits = fusion.scored("from tuned_hits")
    documents = fusion.scored("from tuned_documents")
    with database.temporary("scored_hits", hits, parameters):
        placed = sql_files.read("fusion/tuning/placed")
        _insert(database, "hits", documents, placed, parameters)
    if measure.takes_known_out:
        ranked = sql_files.read("fusion/tuning/rankings")
        _insert(database, "rankings", documents, ranked, parameters)


def _insert(
    database: Database, table: str, rows: str, select: str, parameters: Parameters
) -> None:
    """Insert what a select makes of rows, its source_rows, into a table."""
    sql = f"with source_rows as ({rows}) from ({select})"
    database.execute(f"insert into {table} by name {sql}", parameters)


def _setting(fusion: Fusion) -> int | tuple[float, ...]:
    """Return what is tuned of a fusion."""
    return fusion.weights or fusion.k or 0


def _written(fusion: Fusion) -> str:
    """Return what is tuned of a fusion, for a message."""
    if fusion.weights is None:
        return str(fusion.k)
    return ",".join(f"{weight:g}" for weight in fusion.weights)


def _lines(tuned: Tuned, chosen: Fusion, folds: Sequence[Fusion]) -> list[str]:
    """Return what is reported of a choice."""
    is_weighted = chosen.weights is not None
    have = f"{'weights' if is_weighted else 'k'} {_written(chosen)}"
    have += " have" if is_weighted else " has"
    choices = "; ".join(
        f"{setting} ({counted(times, 'fold')})"
        for setting, times in Counter(map(_written, folds)).most_common()
    )
    return [
        f"tuned on all {counted(tuned.n, 'query', 'queries')}: {have} the highest"
        f" {tuned.measure} of {tuned.tried} tried, {tuned.value:.4f}",
        f"held out: {tuned.measure} {tuned.held_out_value:.4f} for"
        f" {counted(tuned.held_out_n, 'query', 'queries')}, each by the"
        f" {'weights' if is_weighted else 'k'} that the other {FOLDS - 1} of {FOLDS}"
        f" folds chose: {choices}",
    ]
