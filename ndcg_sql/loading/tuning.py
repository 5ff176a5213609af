"""Tuning: the k or the weights by which fused runs have the best values."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation import entries
from ndcg_sql.loading.fused import Tuned
from ndcg_sql.loading.fusion import Fusion, Source, with_content
from ndcg_sql.loading.grid import (
    MOST_RUNS,
    Queries,
    Setting,
    Tuning,
    in_parts,
    settings,
    tunable,
    valued,
)
from ndcg_sql.measures.names import Measure, parse
from ndcg_sql.requests.changes import FuseRequest
from ndcg_sql.text import counted, quoted
from ndcg_sql.wording import Blank, Text, call, named, use

# Into how many folds queries are dealt, and how many queries that takes.
FOLDS = 5
_FEWEST = 2 * FOLDS
# A mean, if there is any, and of how many queries.
_Mean = tuple[float | None, int]


@dataclass(frozen=True)
class Choice:
    """The setting that was chosen, how, and the lines that tell it."""

    setting: Setting
    tuned: Tuned
    lines: Sequence[str]

    def fusion(self, fusion: Fusion) -> Fusion:
        """Return how runs are fused by this setting."""
        return fusion if self.setting.k is None else replace(fusion, k=self.setting.k)

    def sources(self, sources: Sequence[Source]) -> list[Source]:
        """Return the runs with their weights by this setting."""
        weights = self.setting.weights or [source.weight for source in sources]
        return [
            replace(source, weight=weight)
            for source, weight in zip(sources, weights, strict=True)
        ]

    @property
    def tags(self) -> dict[str, str]:
        """The tags that say by what a run was tuned, and on which queries."""
        on = self.tuned.on or f"{FOLDS} folds"
        return {"tuned": self.tuned.measure, "tuned_on": on}


@dataclass(frozen=True)
class _Best:
    """The setting with the highest mean where a part of the queries is left out."""

    setting: Setting
    value: float
    n: int


def tune(
    database: Database, request: FuseRequest, fusion: Fusion, sources: Sequence[Source]
) -> Choice:
    """Choose k or the weights of runs as a request says; nothing is stored.

    Raises NdcgSqlError where nothing can be chosen.
    """
    row = tunable(fusion.method)
    if row is None:
        raise NdcgSqlError(
            f"{fusion.method} has nothing to tune",
            Text(
                "omit it, or choose ",
                use(method="rrf"),
                " (its k) or ",
                use(method="weighted"),
            ),
            where=named("tune"),
        )
    if len(sources) > MOST_RUNS:
        raise NdcgSqlError(
            f"{len(sources)} runs, of which at most {MOST_RUNS} can be tuned",
            "name fewer, or omit it",
            where=named("tune"),
        )
    measure = _measure(request.tune or "")
    tuning = Tuning(
        fusion,
        measure,
        request.depth,
        row["terms"].split() or fusion.terms,
        row["scores"],
    )
    queries = _queries(database, request, sources)
    tried = settings(row, len(sources))
    with in_parts(database, queries) as counts:
        _check_parts(request, queries, counts)
        with valued(database, tuning, queries, tried):
            best = _best(database, queries, tried, measure)
            held_out = _held_out(database, queries, tried, best)
    here = sources[0].run.dataset
    if held_out is None:
        held_out = _elsewhere(database, tuning, sources, best[0].setting)
    tuned = Tuned(
        measure.name,
        request.on,
        len(tried),
        best[0].value,
        best[0].n,
        *held_out,
        tuple(one.setting.value for one in best[1:]),
    )
    lines = [
        _tuned_line(tuned, best[0].setting, queries, here),
        _held_out_line(tuned, [one.setting for one in best[1:]], queries, here),
    ]
    return Choice(best[0].setting, tuned, lines)


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


def _queries(
    database: Database, request: FuseRequest, sources: Sequence[Source]
) -> Queries:
    """Return the queries that a setting is chosen on, and those held out.

    Raises NdcgSqlError if there are no judgments, or no such queries.
    """
    runs = [source.run for source in sources]
    on, dataset = request.on, runs[0].dataset
    if on is None:
        return Queries(dataset, _judgments(database, runs), sources, FOLDS)
    where = use(on=on)
    if on == dataset:
        raise NdcgSqlError(
            "the dataset of the runs themselves",
            f"omit it, and each of {FOLDS} folds of its queries is held out once",
            where=where,
        )
    if (on,) not in database.run("lookups/datasets") and "=" in on:
        attribute, _, value = on.partition("=")
        entries.check_attributes(database, [attribute], runs, "on")
        set_id = _judgments(database, runs)
        return Queries(dataset, set_id, sources, 2, attribute, value)
    entries.check_dataset(database, on)
    there = {run.name: run for run in entries.runs(database) if run.dataset == on}
    for run in runs:
        if run.name not in there:
            loading = call("load_run", Blank("FILE"), name=run.name, dataset=on)
            raise NdcgSqlError(
                f"no run {quoted(run.name)} in this dataset",
                loading + " loads it",
                where=where,
            )
    namesakes = [there[run.name] for run in runs]
    set_id = _judgments(database, namesakes)
    weights = [source.weight for source in sources]
    return Queries(on, set_id, with_content(database, namesakes, weights))


def _judgments(database: Database, runs: Sequence[entries.Entry]) -> int:
    [(_, set_id), *_] = entries.judgments_of(database, runs, None)
    return set_id


def _check_parts(request: FuseRequest, queries: Queries, counts: Sequence[int]) -> None:
    """Raise NdcgSqlError if a part has too few queries."""
    if queries.attribute is None:
        if queries.parts > 1 and sum(counts) < _FEWEST:
            raise NdcgSqlError(
                f"{counted(sum(counts), 'judged query', 'judged queries')}, too few for"
                f" {FOLDS} folds, which take {_FEWEST}",
                Text(
                    "judge more, or choose on another dataset: ",
                    use(on=Blank("DATASET")),
                ),
                where=use(tune=request.tune),
            )
        return
    chosen, others = counts
    if not chosen or not others:
        raise NdcgSqlError(
            "no judged query has it"
            if not chosen
            else "all judged queries have it, so that none is held out",
            f"name another value, or omit it to hold out {FOLDS} folds in turn",
            where=use(on=request.on),
        )


def _best(
    database: Database, queries: Queries, tried: Sequence[Setting], measure: Measure
) -> list[_Best]:
    """Return the best setting, and those with each of several folds left out."""
    parts = [0, *(range(1, queries.parts + 1) if queries.parts > 1 else ())]
    if queries.attribute is not None:
        parts = [2]
    rows = database.run("fusion/tuning/chosen", {"parts": parts})
    if len(rows) < len(parts):
        raise NdcgSqlError(
            "too few queries have a value",
            "name another measure",
            where=use(tune=measure.name),
        )
    return [_Best(tried[int(number) - 1], value, n) for _, number, value, n in rows]


def _held_out(
    database: Database,
    queries: Queries,
    tried: Sequence[Setting],
    best: Sequence[_Best],
) -> _Mean | None:
    """Return the mean over queries by settings that were chosen without them.

    None if every query of the dataset was chosen on.
    """
    if queries.parts == 1:
        return None
    is_split = queries.attribute is not None
    chosen = best if is_split else best[1:]
    parameters: Parameters = {
        "parts": [2] if is_split else [*range(1, queries.parts + 1)],
        "run_ids": [tried.index(one.setting) + 1 for one in chosen],
    }
    return database.run("fusion/tuning/held_out", parameters)[0]


def _elsewhere(
    database: Database, tuning: Tuning, sources: Sequence[Source], setting: Setting
) -> _Mean:
    """Return the mean by a setting for the queries of the fused runs' dataset."""
    dataset = sources[0].run.dataset
    newest = database.run("lookups/newest_judgment_set", {"dataset": dataset})
    if not newest:
        return None, 0
    queries = Queries(dataset, newest[0][0], sources)
    with (
        in_parts(database, queries),
        valued(database, tuning, queries, [setting]),
    ):
        alone = {"parts": [1], "run_ids": [1]}
        return database.run("fusion/tuning/held_out", alone)[0]


def _tuned_line(tuned: Tuned, setting: Setting, queries: Queries, here: str) -> str:
    count = counted(tuned.n, "query", "queries")
    on = f"all {count}"
    if queries.attribute is not None:
        on = f"{count} with {tuned.on}"
    elif queries.dataset != here:
        on = f"{count} of dataset {quoted(queries.dataset)}"
    have = f"k {setting} has" if setting.k is not None else f"weights {setting} have"
    return (
        f"tuned on {on}: {have} the highest {tuned.measure} of {tuned.tried} tried,"
        f" {tuned.value:.4f}"
    )


def _held_out_line(
    tuned: Tuned, folds: Sequence[Setting], queries: Queries, here: str
) -> str:
    is_here = queries.dataset == here
    others = f"without {tuned.on}" if is_here else f"of dataset {quoted(here)}"
    if tuned.held_out_value is None:
        return f"held out: no query {others} has a value"
    line = f"held out: {tuned.measure} {tuned.held_out_value:.4f} for "
    count = counted(tuned.held_out_n, "query", "queries")
    if tuned.on is not None:
        return f"{line}the {count} {others}"
    shown = [
        f"{setting} ({counted(times, 'fold')})"
        for setting, times in Counter(folds).most_common()
    ]
    what = "k" if folds[0].k is not None else "weights"
    return (
        f"{line}{count}, each by the {what} that the other {FOLDS - 1} of {FOLDS} folds"
        f" chose: {'; '.join(shown)}"
    )
