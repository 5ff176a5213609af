"""Combine several runs into one, which is stored like any other run."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database
from ndcg_sql.evaluation.entries import (
    FUSED,
    Entry,
    check_rankings,
    choose_entries,
    no_run,
)
from ndcg_sql.loading.fusion import Fusion, Source
from ndcg_sql.loading.loaded import Fused, Stored, hash_of, tags_of
from ndcg_sql.loading.options import check_names
from ndcg_sql.loading.replacing import Namesake, NewEntry, namesake
from ndcg_sql.loading.sentences import refusal
from ndcg_sql.loading.storing import store_run
from ndcg_sql.loading.tuning import DEFAULT_K, FOLDS, lines, tune
from ndcg_sql.requests.shared import check_choice
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import counted, listed, number, separated
from ndcg_sql.wording import named

_NORM = "min-max"
# Weights whose products with scores are neither infinite nor lost.
_LEAST, _MOST = 1e-100, 1e100
# The tags that say how a run was made.
_OF_TUNING = {"tuned", "tuned_on"}
_MADE = {"fusion", "norm", "k", "weights", "depth", "sources", *_OF_TUNING}


def fuse(
    database: Database,
    messages: Messages,
    runs: Sequence[str],
    name: str,
    *,
    method: str,
    norm: str | None,
    k: int | None,
    weights: Sequence[str],
    depth: int | None,
    tuned_by: str | None,
    dataset: str | None,
    tags: Mapping[str, str],
    replacing: bool,
) -> Fused:
    """Store a run made of runs, and evaluate it with the newest judgments.

    The same runs in another order give the same scores, to the last bit. Raises
    NdcgSqlError and stores nothing where a name is not known or is taken, or where
    the method cannot fuse these runs. The text of what is returned is empty.
    """
    check_names(
        [("run", name), *(("tag", part) for tag in tags.items() for part in tag)]
    )
    fusion = _formulas(method, norm, k, depth, weights, is_tuned=tuned_by is not None)
    chosen, left_out = _chosen(database, runs, dataset)
    shares = [1.0] * len(chosen)
    if weights:
        shares = _weights(weights, chosen)
    check_rankings(chosen, "fuse")
    hashes = dict(database.execute("select run_id, content_hash from runs"))
    pairs = zip(chosen, shares, strict=True)
    sources = (Source(hashes[run.id], weight, run) for run, weight in pairs)
    fusion = replace(fusion, sources=tuple(sources))
    used = {*fusion.tags, "sources", *(_OF_TUNING if tuned_by is not None else ())}
    for tag, value in tags.items():
        if tag in used:
            raise refusal("tag_of_fusion", tag=tag, tags={tag: value})
    if any(run.name == name for run in chosen):
        raise refusal("own_source", name=name)
    tuned, of_tuning = None, dict[str, str]()
    if tuned_by is not None:
        fusion, tuned = tune(database, tuned_by, fusion)
        of_tuning = {"tuned": tuned.measure, "tuned_on": f"{FOLDS} folds"}
    entry = _entry(database, name, fusion, {**of_tuning, **tags})

    def differing(run_id: int) -> list[str]:
        stored = tags_of(database, run_id)
        if replacing:
            return [] if stored == entry.tags else ["tags"]
        # Tags that are not given do not differ.
        fields = {"tags": tags, "tune": of_tuning}.items()
        return [field for field, some in fields if not some.items() <= stored.items()]

    old = namesake(database, entry, replacing, differing=differing)
    (old.unchanged or _store(database, fusion, old)).tell(messages)
    if left_out:
        names = listed(run.name for run in left_out)
        messages.tell(f"left out, as fuse made them: {names}; name them to fuse them")
    for line in lines(tuned, fusion.setting) if tuned else ():
        messages.tell(line)
    how = method, fusion.norm, fusion.k, fusion.weights
    return Fused(entry.dataset, name, *how, tuned)


def _formulas(
    name: str,
    norm: str | None,
    k: int | None,
    depth: int | None,
    weights: Sequence[str],
    is_tuned: bool,
) -> Fusion:
    """Return the fusion by a method and a norm, as yet of no runs.

    Raises NdcgSqlError for a field that the method has no use for, or lacks.
    """
    rows: dict[str, dict[str, dict[str, str]]] = {}
    for kind, chosen in (("method", name), ("norm", norm or _NORM)):
        rows[kind] = {row[kind]: row for row in sql_files.rows(f"fusion/{kind}s")}
        # The words of ranx, ranking servers and papers, in letters alone.
        every = rows[kind].items()
        words = {word: one for one, row in every for word in row["synonyms"].split()}
        check_choice(kind, chosen, rows[kind], words)
    method = rows["method"][name]
    takes = method["takes"].split()
    fields = {"norm": norm, "k": k, "weights": weights or None}
    for field, value in fields.items():
        if value is not None and field not in takes:
            raise refusal("not_of_method", field=named(field), method=name)
    if "weights" in takes and not weights and not is_tuned:
        raise refusal("no_weights", method=name)
    values = rows["norm"][norm or _NORM] if "norm" in takes else method
    k = (DEFAULT_K if k is None else k) if "k" in takes else None
    return Fusion(method, values, k, depth)


def _chosen(
    database: Database, names: Sequence[str], dataset: str | None
) -> tuple[list[Entry], list[Entry]]:
    """Return the runs that are to be fused, and those that are left out.

    What fuse made is left out where only a pattern names it: otherwise a command that
    is repeated would fuse what it made before. Raises NdcgSqlError unless the runs are
    several of one dataset.
    """
    if database.is_new:
        raise no_run("in the warehouse")
    for name in names:
        if names.count(name) > 1:
            raise refusal("run_twice", run=name)
    chosen = choose_entries(database, "run", names, dataset)
    made = database.execute(f"select run_id from ({sql_files.composed(FUSED)})")
    left_out = [run for run in chosen if (run.id,) in made and run.name not in names]
    chosen = [run for run in chosen if run not in left_out]
    if not chosen:
        raise refusal("only_fused_runs", runs=[run.name for run in left_out])
    first = chosen[0]
    if len(chosen) < 2:
        raise refusal("only_run", run=first.name)
    for run in chosen:
        if run.dataset != first.dataset:
            raise refusal(
                "run_of_other_dataset",
                run=first.name,
                dataset=first.dataset,
                other=run.name,
                other_dataset=run.dataset,
            )
    return chosen, left_out


def _weights(parts: Sequence[str], chosen: Sequence[Entry]) -> list[float]:
    """Return the weights of runs; raise NdcgSqlError for what are none."""
    texts = [text.strip() for part in parts for text in part.split(",")]
    written = ",".join(texts)
    weights: list[float] = []
    for text in texts:
        weight = number(text)
        if weight is None:
            raise refusal("weight_is_no_number", weights=written, text=text)
        if weight != 0 and not _LEAST <= weight <= _MOST:
            raise refusal("weight_out_of_range", weights=written, text=text)
        weights.append(weight)
    if len(weights) != len(chosen):
        names = [run.name for run in chosen]
        counts = {"count": len(weights), "run_count": len(chosen)}
        raise refusal("other_number_of_weights", weights=written, runs=names, **counts)
    if not any(weights):
        raise refusal("no_weight_above_0", weights=written)
    return weights


def _entry(
    database: Database, name: str, fusion: Fusion, tags: Mapping[str, str]
) -> NewEntry:
    """Return the run that a fusion makes, with these tags besides its own."""
    method = fusion.method["method"]
    shared = dict(database.run("fusion/shared_tags", fusion.parameters))
    shared = {tag: value for tag, value in shared.items() if tag not in _MADE}
    names = separated(source.run.name for source in fusion.sources)
    made_of = sorted((source.content_hash, source.weight) for source in fusion.sources)
    content = [method, fusion.norm, fusion.k, fusion.depth, made_of]
    return NewEntry(
        "run",
        fusion.sources[0].run.dataset,
        name,
        hash_of("fusion", *content),
        source="runs " + names,
        verb="made",
        how=f" by {method} of {counted(len(fusion.sources), 'run')}",
        columns={"position_rule": "score"},
        tags={**shared, **fusion.tags, "sources": names, **tags},
    )


def _store(database: Database, fusion: Fusion, old: Namesake) -> Stored:
    """Store the fused run; return the messages about it."""
    # DuckDB reads rows of its own transaction on one thread: it begins after reading.
    _stage(database, fusion)
    [(partly, empty)] = database.run("fusion/answered", fusion.parameters)
    with database.transaction():
        stored = store_run(database, old, empty=empty or ())
    if not partly:
        return stored
    are = "is" if partly == 1 else "are"
    few = f"{counted(partly, 'query', 'queries')} {are} not in every run"
    warning = f"{few}, and fused from the runs that have them"
    return replace(stored, warnings=[warning, *stored.warnings])


def _stage(database: Database, fusion: Fusion) -> None:
    """Stage the fused documents; raise NdcgSqlError for a score that is no number."""
    fused = f"select query_id, doc_id, score from ({fusion.scored(fusion.documents)})"
    if fusion.depth is not None:
        fused = f"with source_rows as ({fused}) from ({sql_files.read('fusion/first')})"
    with fusion.read(database):
        staging = f"create or replace temp table staged as {fused}"
        database.execute(staging, fusion.parameters)
    for row in database.records(
        "select query_id, doc_id, score from staged where not isfinite(score)"
        " order by query_id, doc_id limit 1"
    ):
        message = "the fused score of document {doc_id} for query {query_id} is {score}"
        raise fusion.unusable(message, row)
