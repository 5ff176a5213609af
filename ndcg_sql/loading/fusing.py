"""Combine several runs into one, which is stored like any other run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import (
    FUSED,
    Entry,
    check_rankings,
    choose_entries,
    no_run,
)
from ndcg_sql.loading.fused import Fused
from ndcg_sql.loading.fusion import NORM, Fusion, K, Source
from ndcg_sql.loading.loaded import hash_of, tags_of
from ndcg_sql.loading.options import check_names
from ndcg_sql.loading.replacing import ANOTHER_NAME, namesake
from ndcg_sql.loading.storing import store_run
from ndcg_sql.loading.tuning import FOLDS, lines, tune
from ndcg_sql.requests.shared import check_choice
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import counted, listed, now, number, quoted, separated
from ndcg_sql.wording import Text, named, use

# Weights whose products with scores are neither infinite nor lost.
_LEAST, _MOST = 1e-100, 1e100
# The tags that say how a run was made.
_MADE = {
    *("fusion", "norm", "k", "weights", "depth", "sources"),
    *("tuned", "tuned_on"),
}


@dataclass(frozen=True)
class FuseOptions:
    """What is fused and how, as the question has it."""

    runs: tuple[str, ...]
    name: str
    method: str
    norm: str | None
    k: int | None
    weights: tuple[str, ...]
    depth: int | None
    tune: str | None
    dataset: str | None
    tags: dict[str, str]
    replace: bool


def fuse(database: Database, messages: Messages, options: FuseOptions) -> Fused:
    """Store a run made of runs, and evaluate it with the newest judgments.

    The same runs in another order give the same scores, to the last bit. Raises
    NdcgSqlError and stores nothing where a name is not known or is taken, or where
    the method cannot fuse these runs. The text of what is returned is empty.
    """
    names = [part for tag in options.tags.items() for part in tag]
    check_names([("run", options.name), *(("tag", name) for name in names)])
    fusion = _formulas(options)
    fusion, left_out = _with_sources(database, options, fusion)
    _check_tags(options, fusion)
    if any(source.run.name == options.name for source in fusion.sources):
        raise NdcgSqlError(
            "a run cannot be one of its own sources",
            ANOTHER_NAME,
            where=use(name=options.name),
        )
    tuned, tags = None, dict[str, str]()
    if options.tune is not None:
        fusion, tuned = tune(database, options.tune, fusion)
        tags = {"tuned": tuned.measure, "tuned_on": f"{FOLDS} folds"}
    _store(database, messages, options, fusion, tags)
    if left_out:
        names = listed(run.name for run in left_out)
        messages.tell(f"left out, as fuse made them: {names}; name them to fuse them")
    for line in lines(tuned, fusion.setting) if tuned else ():
        messages.tell(line)
    how = fusion.method["method"], fusion.norm, fusion.k, fusion.weights
    return Fused(fusion.dataset, options.name, *how, tuned)


def _formulas(options: FuseOptions) -> Fusion:
    """Return the fusion of a options, as yet of no runs.

    Raises NdcgSqlError for a field that the method has no use for, or lacks.
    """
    methods, norms = _rows("method"), _rows("norm")
    check_choice("method", options.method, methods, _synonyms(methods))
    check_choice("norm", options.norm or NORM, norms, _synonyms(norms))
    method = methods[options.method]
    takes = method["takes"].split()
    fields = {"norm": options.norm, "k": options.k, "weights": options.weights or None}
    for field, value in fields.items():
        if value is not None and field not in takes:
            what = f"{options.method} takes none"
            raise NdcgSqlError(what, "omit it", where=named(field))
    if "weights" in takes and not options.weights and options.tune is None:
        raise NdcgSqlError(
            "needs a weight for each run",
            "name them, such as " + use(weights="2,1"),
            where=use(method=options.method),
        )
    values = norms[options.norm or NORM] if "norm" in takes else method
    k = (K if options.k is None else options.k) if "k" in takes else None
    return Fusion(method, values, k, options.depth)


def _rows(kind: str) -> dict[str, dict[str, str]]:
    """Return the methods or the norms by their names."""
    return {row[kind]: row for row in sql_files.rows(f"fusion/{kind}s")}


def _synonyms(rows: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Return the words of ranx, ranking servers and papers, in letters alone."""
    return {word: name for name in rows for word in rows[name]["synonyms"].split()}


def _with_sources(
    database: Database, options: FuseOptions, fusion: Fusion
) -> tuple[Fusion, list[Entry]]:
    """Return the fusion of the runs of a options, and the runs that it leaves out.

    Each has the weight 1 where weights are still to be chosen. What fuse made is left
    out where only a pattern names it: otherwise a command that is repeated would fuse
    what it made before.
    """
    if database.is_new:
        raise no_run("in the warehouse")
    for name in options.runs:
        if options.runs.count(name) > 1:
            raise NdcgSqlError(f"run {quoted(name)} is named twice", "name another")
    chosen = choose_entries(database, "run", options.runs, options.dataset)
    made = database.execute(f"select run_id from ({sql_files.composed(FUSED)})")
    left_out = [
        run for run in chosen if (run.id,) in made and run.name not in options.runs
    ]
    chosen = [run for run in chosen if run not in left_out]
    _check_fit(chosen, left_out)
    weights = [1.0] * len(chosen)
    if fusion.weights is not None and options.tune is None:
        weights = _weights(options, chosen)
    check_rankings(chosen, "fuse")
    hashes = dict(database.execute("select run_id, content_hash from runs"))
    sources = tuple(
        Source(hashes[run.id], weight, run)
        for run, weight in zip(chosen, weights, strict=True)
    )
    return replace(fusion, sources=sources), left_out


def _check_fit(chosen: Sequence[Entry], left_out: Sequence[Entry]) -> None:
    """Raise NdcgSqlError unless these are several runs of one dataset."""
    if not chosen:
        raise NdcgSqlError(
            f"no runs but those that fuse made, {listed(run.name for run in left_out)}",
            "name them without a pattern",
        )
    first = chosen[0]
    if len(chosen) < 2:
        raise NdcgSqlError(
            f"run {quoted(first.name)} is the only one to be fused", "name another"
        )
    for run in chosen:
        if run.dataset != first.dataset:
            raise NdcgSqlError(
                f"run {quoted(first.name)} belongs to dataset {quoted(first.dataset)},"
                f" run {quoted(run.name)} to {quoted(run.dataset)}: their queries"
                " differ",
                "name runs of one dataset",
            )


def _weights(options: FuseOptions, chosen: Sequence[Entry]) -> list[float]:
    """Return the weights of options; raise NdcgSqlError for what are none."""
    texts = [text.strip() for part in options.weights for text in part.split(",")]
    where = use(weights=",".join(texts))
    weights: list[float] = []
    for text in texts:
        weight = number(text)
        if weight is None:
            remedy = "write weights with commas, such as " + use(weights="2,1")
            raise NdcgSqlError(f"{quoted(text)} is not a number", remedy, where=where)
        if weight != 0 and not _LEAST <= weight <= _MOST:
            what = f"{text}: a weight is 0, or from 1e-100 to 1e100"
            raise NdcgSqlError(what, where=where)
        weights.append(weight)
    if len(weights) != len(chosen):
        raise NdcgSqlError(
            f"{counted(len(weights), 'weight')} for {counted(len(chosen), 'run')},"
            f" {listed(run.name for run in chosen)}",
            "give each run one, in this order",
            where=where,
        )
    if not any(weights):
        raise NdcgSqlError("all are 0", "give a run a weight above 0", where=where)
    return weights


def _check_tags(options: FuseOptions, fusion: Fusion) -> None:
    """Raise NdcgSqlError for a tag that says how the run is made."""
    used = {*fusion.tags, "sources"}
    if options.tune is not None:
        used |= {"tuned", "tuned_on"}
    for tag, value in options.tags.items():
        if tag in used:
            raise NdcgSqlError(
                f"{tag} says how the run was made",
                "choose another tag",
                where=use(tags={tag: value}),
            )


def _store(
    database: Database,
    messages: Messages,
    options: FuseOptions,
    fusion: Fusion,
    tuned: Mapping[str, str],
) -> None:
    """Store the fused run, unless it is there already; report what was done."""
    run_ids = fusion.parameters
    shared = dict(database.run("fusion/shared_tags", run_ids))
    shared = {tag: value for tag, value in shared.items() if tag not in _MADE}
    names = separated(source.run.name for source in fusion.sources)
    tags = {**shared, **fusion.tags, "sources": names, **tuned, **options.tags}
    content_hash = _content_hash(fusion)
    old = namesake(
        database,
        "run",
        options.name,
        fusion.dataset,
        content_hash,
        options.replace,
        differing=lambda run_id: _differing(database, run_id, tags, options, tuned),
    )
    if old.message:
        messages.tell(old.message)
        return
    parameters: Parameters = {
        "dataset": fusion.dataset,
        "name": options.name,
        "source": "runs " + names,
        "content_hash": content_hash,
        "loaded_at": now(),
        "position_rule": "score",
    }
    # DuckDB reads rows of its own transaction on one thread: it begins after reading.
    partly = _stage(database, fusion)
    with database.transaction():
        replaced = old.remove(database)
        labels, parameters["run_at"], kept = replaced.labels(tags, None)
        loaded = store_run(
            database,
            parameters,
            labels,
            evaluating=True,
            sets=replaced.sets,
            empty=_unanswered(database, run_ids),
        )
    made = "replaced" if old.ids else "made"
    count = counted(len(fusion.sources), "run")
    line = f"{made} run {quoted(options.name)} by {fusion.method['method']} of {count}"
    warnings = [*loaded.warnings]
    if partly:
        are = "is" if partly == 1 else "are"
        few = f"{counted(partly, 'query', 'queries')} {are} not in every run"
        warnings.insert(0, f"{few}, and fused from the runs that have them")
    line = Text(line, ": ", loaded.line, kept)
    replace(loaded, line=line, warnings=warnings).tell(messages)


def _content_hash(fusion: Fusion) -> str:
    made_of = sorted((source.content_hash, source.weight) for source in fusion.sources)
    how = [fusion.method["method"], fusion.norm, fusion.k, fusion.depth, made_of]
    return hash_of("fusion", *how)


def _differing(
    database: Database,
    run_id: int,
    tags: Mapping[str, str],
    options: FuseOptions,
    tuned: Mapping[str, str],
) -> list[str]:
    """Return the fields in which a stored run with the same content differs.

    Tags that are not given do not differ, unless the run is to be replaced.
    """
    stored = tags_of(database, run_id)
    if options.replace:
        return [] if stored == tags else ["tags"]
    fields = {"tags": options.tags, "tune": tuned}
    return [name for name, some in fields.items() if not some.items() <= stored.items()]


def _unanswered(database: Database, run_ids: Parameters) -> list[str]:
    """Return the queries that the runs answer, all of them without documents."""
    rows = database.execute(
        "select query_id from run_queries where run_id in (select unnest($run_ids))"
        " group by query_id having sum(retrieved) = 0 order by query_id",
        {"run_ids": run_ids["run_ids"]},
    )
    return [query for (query,) in rows]


def _stage(database: Database, fusion: Fusion) -> int:
    """Stage the fused documents; return how many queries are not in every run."""
    fused = f"select query_id, doc_id, score from ({fusion.scored(fusion.documents)})"
    if fusion.depth is not None:
        first = sql_files.read("fusion/first")
        fused = f"with source_rows as ({fused}) from ({first})"
    with fusion.read(database, sql_files.read("fusion/entries")):
        staging = f"create or replace temp table staged as {fused}"
        database.execute(staging, fusion.parameters)
        files = "fusion/lists/lengths", "fusion/partly"
        [(partly,)] = database.execute(sql_files.composed(files))
    for row in database.records(
        "select query_id, doc_id, score from staged where not isfinite(score)"
        " order by query_id, doc_id limit 1"
    ):
        message = "the fused score of document {doc_id} for query {query_id} is {score}"
        raise fusion.unusable(message, row)
    return partly
