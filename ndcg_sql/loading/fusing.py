"""Combine several runs into one, which is stored like any other run."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database
from ndcg_sql.errors import check_choice
from ndcg_sql.evaluation import entries
from ndcg_sql.evaluation.values import store_values_of
from ndcg_sql.loading.fusion import DEFAULT_K, FOLDS, Fusion, Source, lines, tune
from ndcg_sql.loading.loaded import Fused, hash_of, tags_of
from ndcg_sql.loading.options import check_names
from ndcg_sql.loading.replacing import NewEntry, unchanged
from ndcg_sql.loading.sentences import refusal
from ndcg_sql.loading.storing import store_run
from ndcg_sql.system.messages import Collected, Messages
from ndcg_sql.text import counted, listed, number, separated
from ndcg_sql.wording import named

_NORM = "min-max"
# Weights whose products with scores are neither infinite nor lost.
_LEAST, _MOST = 1e-100, 1e100
# The tags that say how a run was made.
_OF_TUNING = ("tuned", "tuned_on")
_MADE = ("fusion", "norm", "k", "weights", "depth", "sources", *_OF_TUNING)


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
    NdcgSqlError and stores nothing where a name is taken, or these runs cannot be
    fused.
    """
    check_names([("run", name)], tags)
    is_tuned = tuned_by is not None
    fusion = _formulas(method, norm, k, depth, bool(weights), is_tuned)
    chosen, left_out = _chosen(database, runs, dataset)
    shares = _weights(weights, chosen) if weights else [1.0] * len(chosen)
    entries.check_rankings(chosen, "fuse")
    hashes = dict(database.execute("select run_id, content_hash from runs"))
    pairs = zip(chosen, shares, strict=True)
    sources = (Source(hashes[run.id], weight, run) for run, weight in pairs)
    fusion = replace(fusion, sources=tuple(sources))
    used = (*fusion.tags, "sources", *_OF_TUNING * is_tuned)
    for tag, value in tags.items():
        if tag in used:
            raise refusal("tag_of_fusion", tag=tag, tags={tag: value})
    names = [run.name for run in chosen]
    if name in names:
        raise refusal("own_source", name=name)
    tuned, of_tuning = None, dict[str, str]()
    if tuned_by is not None:
        fusion, tuned = tune(database, tuned_by, fusion)
        of_tuning = {"tuned": tuned.measure, "tuned_on": f"{FOLDS} folds"}
    shared = dict(database.run("fusion/shared_tags", fusion.parameters))
    shared = {tag: value for tag, value in shared.items() if tag not in _MADE}
    own = {**fusion.tags, "sources": separated(names), **of_tuning}
    made_of = sorted((source.content_hash, source.weight) for source in fusion.sources)
    entry = NewEntry(
        "run",
        chosen[0].dataset,
        name,
        hash_of("fusion", method, fusion.norm, fusion.k, depth, made_of),
        source="runs " + separated(names),
        verb="made",
        how=f" by {method} of {counted(len(chosen), 'run')}",
        columns={"position_rule": "score"},
        tags={**shared, **own, **tags},
    ).beside_old(database)
    held, old = Collected(), entry.old
    stored = tags_of(database, old.id) if old else {}
    # Tags that are not given do not differ.
    stated = {"tags": tags, "tune": of_tuning}.items()
    fields = [field for field, some in stated if not some.items() <= stored.items()]
    if replacing:
        fields = ["tags"] * (stored != entry.tags)
    if not unchanged(held, entry, replacing, fields=fields):
        # DuckDB reads rows of its own transaction on one thread: it begins after
        # reading.
        _stage(database, fusion)
        [(partly, empty)] = database.run("fusion/answered", fusion.parameters)
        with database.transaction():
            pairs, _ = store_run(database, held, entry, empty=empty or ())
            store_values_of(database, pairs)
        if partly:
            are = "is" if partly == 1 else "are"
            few = f"{counted(partly, 'query', 'queries')} {are} not in every run"
            held.warn(f"{few}, and fused from the runs that have them")
    held.pass_on(messages)
    if left_out:
        made = listed(run.name for run in left_out)
        messages.tell(f"omitted {made}, which fuse made; name them to fuse them")
    for line in lines(tuned, fusion.setting) if tuned else ():
        messages.tell(line)
    how = method, fusion.norm, fusion.k, fusion.weights
    return Fused(entry.dataset, name, *how, tuned)


def _formulas(
    name: str,
    norm: str | None,
    k: int | None,
    depth: int | None,
    is_weighted: bool,
    is_tuned: bool,
) -> Fusion:
    """Return the fusion by a method and a norm, as yet of no runs."""
    rows: dict[str, dict[str, dict[str, str]]] = {}
    for kind, chosen in (("method", name), ("norm", norm or _NORM)):
        rows[kind] = {row[kind]: row for row in sql_files.rows(f"fusion/{kind}s")}
        # The words of ranx, ranking servers and papers, in letters alone.
        every = rows[kind].items()
        words = {word: one for one, row in every for word in row["synonyms"].split()}
        check_choice(kind, chosen, rows[kind], words)
    method = rows["method"][name]
    takes = method["takes"].split()
    for field, value in (("norm", norm), ("k", k), ("weights", is_weighted or None)):
        if value is not None and field not in takes:
            raise refusal("not_of_method", field=named(field), method=name)
    if "weights" in takes and not is_weighted and not is_tuned:
        raise refusal("no_weights", method=name)
    values = rows["norm"][norm or _NORM] if "norm" in takes else method
    k = (DEFAULT_K if k is None else k) if "k" in takes else None
    return Fusion(method, values, k, depth)


def _chosen(
    database: Database, names: Sequence[str], dataset: str | None
) -> tuple[list[entries.Entry], list[entries.Entry]]:
    """Return the runs that are to be fused, and those that are left out.

    What fuse made is left out where only a pattern names it: otherwise a command that
    is repeated would fuse what it made before.
    """
    if database.is_new:
        raise entries.no_run("in the warehouse")
    for name in names:
        if names.count(name) > 1:
            raise refusal("run_twice", run=name)
    chosen = entries.choose_entries(database, "run", names, dataset)
    made = database.execute(f"select run_id from ({sql_files.composed(entries.FUSED)})")
    left_out = [run for run in chosen if (run.id,) in made and run.name not in names]
    chosen = [run for run in chosen if run not in left_out]
    if not chosen:
        raise refusal("only_fused_runs", runs=[run.name for run in left_out])
    first, *others = chosen
    if not others:
        raise refusal("only_run", run=first.name)
    for run in others:
        if run.dataset != first.dataset:
            about = {"run": first.name, "dataset": first.dataset, "other": run.name}
            raise refusal("run_of_other_dataset", other_dataset=run.dataset, **about)
    return chosen, left_out


def _weights(parts: Sequence[str], chosen: Sequence[entries.Entry]) -> list[float]:
    """Return the weights of runs; raise NdcgSqlError for what are none."""
    texts = [text.strip() for part in parts for text in part.split(",")]
    written = ",".join(texts)
    weights = [value for text in texts if (value := number(text)) is not None]
    usable = [one for one in weights if one == 0 or _LEAST <= one <= _MOST]
    if len(usable) < len(texts) or not any(usable):
        raise refusal("unusable_weights", weights=written)
    if len(weights) != len(chosen):
        names = [run.name for run in chosen]
        counts = {"count": len(weights), "run_count": len(chosen)}
        raise refusal("other_number_of_weights", weights=written, runs=names, **counts)
    return weights


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
