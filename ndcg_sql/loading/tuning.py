"""Tune a fusion: find the k, or the weights of runs, with the best mean of a measure.

What the runs show is laid out once, a row for each document of a query. A setting then
only scores these rows, and counts which of them come before a judged one. All of it is
in temporary tables.
"""

from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import product

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.evaluation.entries import judgments_of
from ndcg_sql.evaluation.fitting import check_fits
from ndcg_sql.evaluation.question import only_measures, own_tables
from ndcg_sql.evaluation.values import store_values_of
from ndcg_sql.loading.fusion import Fusion
from ndcg_sql.loading.loaded import Setting, Tuned
from ndcg_sql.loading.sentences import refusal
from ndcg_sql.measures.names import Measure, parse
from ndcg_sql.system import progress
from ndcg_sql.text import counted

DEFAULT_K = 60
# How many folds the queries are dealt to; each has two or more.
FOLDS = 5
# The most runs for which methods.csv says which weights are tried.
MOST_RUNS = 8


def tune(database: Database, text: str, fusion: Fusion) -> tuple[Fusion, Tuned]:
    """Choose the k or the weights of a fusion by the best mean of a measure.

    Nothing is stored. Raises NdcgSqlError where nothing can be chosen.
    """
    count, tried = len(fusion.sources), fusion.method["tried"].split()
    if not tried:
        raise refusal("nothing_to_tune", method=fusion.method["method"])
    if count > MOST_RUNS:
        raise refusal("many_to_tune", count=count, most=MOST_RUNS)
    measures = parse(text)
    [measure, *more] = measures
    if more:
        raise refusal("many_measures_to_tune", tune=text, count=len(measures))
    if not measure.family.can_improve:
        raise refusal("no_measure_to_tune", tune=text)
    if measure.reads_rankings:
        raise refusal("rankings_to_tune", tune=text)
    runs = [source.run for source in fusion.sources]
    [(_, set_id), *_] = judgments_of(database, runs, None)
    fusions = _tried(fusion, [int(part) for part in tried])
    judged: Parameters = {"judgment_set_id": set_id, "folds": FOLDS}
    queries = sql_files.read("fusion/tuning/queries")
    with database.temporary("tuned_queries", queries, judged):
        [(n,)] = database.execute("select count(*) from tuned_queries")
        if n < 2 * FOLDS:
            few = {"queries": n, "folds": FOLDS, "least": 2 * FOLDS}
            raise refusal("few_queries_to_tune", tune=text, **few)
        with _valued(database, measure, set_id, fusions):
            rows = database.run("fusion/tuning/chosen", judged)
            if len(rows) <= FOLDS:
                raise refusal("few_values_to_tune", tune=measure.name)
            [best, *folds] = [fusions[int(number) - 1] for _, number, *_ in rows]
            run_ids = [int(number) for _, number, *_ in rows[1:]]
            [held_out] = database.run("fusion/tuning/held_out", {"run_ids": run_ids})
    settings = tuple(one.setting for one in folds)
    value, n, held_out_value, held_out_n = (*rows[0][2:], *held_out)
    means = value, n, held_out_value, held_out_n
    return best, Tuned(measure.name, len(fusions), *means, settings)


def lines(tuned: Tuned, setting: Setting) -> list[str]:
    """Return what is reported of a fusion that was tuned."""
    what, have = ("k", "has") if isinstance(setting, int) else ("weights", "have")
    chosen = "; ".join(
        f"{fold} ({counted(times, 'fold')})"
        for fold, times in Counter(map(_written, tuned.folds)).most_common()
    )
    return [
        f"tuned on all {counted(tuned.n, 'query', 'queries')}: {what}"
        f" {_written(setting)} {have} the highest {tuned.measure} of {tuned.tried}"
        f" tried, {tuned.value:.4f}",
        f"held out: {tuned.measure} {tuned.held_out_value:.4f} for"
        f" {counted(tuned.held_out_n, 'query', 'queries')}, each by the {what} that the"
        f" other {FOLDS - 1} of {FOLDS} folds chose: {chosen}",
    ]


def _written(setting: Setting) -> str:
    if isinstance(setting, int):
        return str(setting)
    return ",".join(f"{weight:g}" for weight in setting)


def _tried(fusion: Fusion, tried: Sequence[int]) -> list[Fusion]:
    """Return the fusions that are tried, what is nearest to the default first.

    That is the k nearest to 60, the lesser of two, or the weights nearest to equal
    ones, of several those with the greater weights first.
    """
    if fusion.k is not None:
        nearest = sorted(tried, key=lambda k: (abs(k - DEFAULT_K), k))
        return [replace(fusion, k=k) for k in nearest]
    # The parts of a whole for two runs, for three and so on.
    count = len(fusion.sources)
    parts = tried[count - 2]
    descending = range(parts, -1, -1)
    whole = [one for one in product(descending, repeat=count) if sum(one) == parts]
    whole.sort(key=lambda share: sum(part * part for part in share))
    return [fusion.weighted([part / parts for part in share]) for share in whole]


@contextmanager
def _valued(
    database: Database, measure: Measure, set_id: int, tried: Sequence[Fusion]
) -> Generator[None]:
    """Have the values of each fusion for each query in stored_values while inside.

    Fusions are numbered from 1, as runs. Raises NdcgSqlError if the measure does not
    fit the judgments, or for scores that the norm cannot use.
    """
    first, numbers = tried[0], range(1, len(tried) + 1)
    parameters: Parameters = {
        **{"judgment_set_id": set_id, "depth": first.depth},
        **{"count": len(tried), "run_id": 1},
    }
    documents = (
        f"select * exclude (query_id, fold) from ({first.documents})"
        " inner join tuned_queries using (query_id)"
    )
    hits, placed = map(sql_files.read, ("fusion/tuning/hits", "fusion/tuning/placed"))
    with ExitStack() as tables:
        tables.enter_context(only_measures(database, [measure], [set_id]))
        check_fits(database, [set_id])
        with first.read(database, "semi join tuned_queries using (query_id)"):
            tables.enter_context(database.temporary("tuned_documents", documents))
        tables.enter_context(database.temporary("tuned_hits", hits, parameters))
        empty = ("runs", "run_queries", "loaded_values", "evaluations", "hits")
        tables.enter_context(own_tables(database, dict.fromkeys(empty, "false")))
        for file in ("fusion/tuning/run_queries", "fusion/tuning/runs"):
            database.run(file, parameters)
        database.run("store/positions", parameters)
        database.execute(
            "insert into evaluations by name"
            " from computed_evaluations where judgment_set_id = $judgment_set_id",
            parameters,
        )
        for number in progress.each(numbers, "tuning", "settings"):
            fusion = tried[number - 1]
            of_run = {**parameters, **fusion.parameters, "run_id": number}
            scored = fusion.scored("from tuned_documents")
            of_hits = fusion.scored("from tuned_hits")
            with database.temporary("scored_hits", of_hits, of_run):
                rows = f"with source_rows as ({scored}) from ({placed})"
                database.execute(f"insert into hits by name {rows}", of_run)
        store_values_of(database, [(number, set_id) for number in numbers])
        yield
