"""A run made of runs: their rankings fused in SQL, and stored like any other run."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.loading.fused import Fused
from ndcg_sql.loading.fusion import (
    Fusion,
    Source,
    check_scores,
    fusion_of,
    shown,
    sources_of,
)
from ndcg_sql.loading.loaded import tags_of
from ndcg_sql.loading.options import check_names
from ndcg_sql.loading.replacing import ANOTHER_NAME, Otherwise, namesake
from ndcg_sql.loading.storing import store_run
from ndcg_sql.loading.tuning import tune
from ndcg_sql.requests.changes import FuseRequest
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import counted, listed, now, quoted, separated
from ndcg_sql.wording import Text, use

# How many terms are put together at once, and by which steps: those that do so for a
# few runs, in place of a step for any number.
_TOGETHER = 4
_OF_FEW = {"added": "added_up", "median": "median_of_four"}
# The tags that say how a run was made.
_MADE = {
    *("fusion", "norm", "k", "weights", "depth", "sources"),
    *("tuned", "tuned_on"),
}


def fuse(database: Database, messages: Messages, request: FuseRequest) -> Fused:
    """Store a run made of runs, and evaluate it with the newest judgments.

    The same runs in another order give the same scores, to the last bit. Raises
    NdcgSqlError and stores nothing where a name is not known or is taken, or where
    the method cannot fuse these runs. The text of what is returned is empty.
    """
    names = [part for tag in request.tags.items() for part in tag]
    check_names([("run", request.name), *(("tag", name) for name in names)])
    fusion = fusion_of(request)
    sources, left_out = sources_of(database, request, fusion)
    _check_tags(request, fusion)
    if any(source.run.name == request.name for source in sources):
        raise NdcgSqlError(
            "a run cannot be one of its own sources",
            ANOTHER_NAME,
            where=use(name=request.name),
        )
    choice = None
    if request.tune is not None:
        choice = tune(database, request, fusion, sources)
        fusion, sources = choice.fusion(fusion), choice.sources(sources)
    tuned = choice.tags if choice else {}
    _store(database, messages, request, fusion, sources, tuned)
    if left_out:
        names = listed(run.name for run in left_out)
        messages.tell(f"left out, as fuse made them: {names}; name them to fuse them")
    for line in choice.lines if choice else ():
        messages.tell(line)
    return Fused(
        sources[0].run.dataset,
        request.name,
        fusion.method,
        fusion.norm,
        fusion.k,
        tuple(source.weight for source in sources) if fusion.is_weighted else None,
        choice.tuned if choice else None,
    )


def _store(
    database: Database,
    messages: Messages,
    request: FuseRequest,
    fusion: Fusion,
    sources: Sequence[Source],
    tuned: Mapping[str, str],
) -> None:
    """Store the fused run, unless it is there already; report what was done."""
    dataset = sources[0].run.dataset
    content_hash = _content_hash(request, fusion, sources)
    tags = {
        **_shared_tags(database, sources),
        **_tags(request, fusion, sources, tuned),
    }
    old = namesake(
        database,
        "run",
        request.name,
        dataset,
        content_hash,
        request.replace,
        otherwise=lambda run_id: _otherwise(database, run_id, tags, request, tuned),
    )
    if old.message:
        messages.tell(old.message)
        return
    parameters: Parameters = {
        "dataset": dataset,
        "name": request.name,
        "source": "runs " + separated(source.run.name for source in sources),
        "content_hash": content_hash,
        "loaded_at": now(),
        "position_rule": "score",
    }
    # DuckDB reads rows of its own transaction on one thread: it begins after reading.
    partly = _stage(database, request, fusion, sources)
    with database.transaction():
        replaced = old.remove(database)
        labels = replaced.labels(tags, None)
        parameters["run_at"] = labels.run_at
        loaded = store_run(
            database,
            parameters,
            labels.tags,
            evaluating=True,
            strict=False,
            sets=replaced.sets,
        )
    made = "replaced" if old.ids else "made"
    runs = counted(len(sources), "run")
    line = f"{made} run {quoted(request.name)} by {fusion.method} of {runs}: "
    warnings = [*loaded.warnings]
    if partly:
        are = "is" if partly == 1 else "are"
        few = f"{counted(partly, 'query', 'queries')} {are} not in every run"
        warnings.insert(0, f"{few}, and fused from the runs that have them")
    line = Text(line, loaded.line, labels.said)
    replace(loaded, line=line, note=labels.note, warnings=warnings).tell(messages)


def _check_tags(request: FuseRequest, fusion: Fusion) -> None:
    """Raise NdcgSqlError for a tag that says how the run is made."""
    used = {*fusion.tags, "sources"}
    if fusion.is_weighted:
        used.add("weights")
    if request.depth is not None:
        used.add("depth")
    if request.tune is not None:
        used |= {"tuned", "tuned_on"}
    for tag, value in request.tags.items():
        if tag in used:
            raise NdcgSqlError(
                f"{tag} says how the run was made",
                "choose another tag",
                where=use(tags={tag: value}),
            )


def _tags(
    request: FuseRequest,
    fusion: Fusion,
    sources: Sequence[Source],
    tuned: Mapping[str, str],
) -> dict[str, str]:
    names = separated(source.run.name for source in sources)
    tags = {**fusion.tags, "sources": names, **tuned}
    if fusion.is_weighted:
        weights = [repr(source.weight).removesuffix(".0") for source in sources]
        tags["weights"] = ", ".join(weights)
    if request.depth is not None:
        tags["depth"] = str(request.depth)
    return {**tags, **request.tags}


def _shared_tags(database: Database, sources: Sequence[Source]) -> dict[str, str]:
    """Return the tags that all sources have in common: what they say holds on."""
    run_ids = {"run_ids": [source.run.id for source in sources]}
    shared: list[tuple[str, str]] = database.run("fusion/shared_tags", run_ids)
    return {tag: value for tag, value in shared if tag not in _MADE}


def _content_hash(
    request: FuseRequest, fusion: Fusion, sources: Sequence[Source]
) -> str:
    made_of = sorted((source.content_hash, source.weight) for source in sources)
    said = ["fusion", fusion.method, fusion.norm, fusion.k, request.depth, made_of]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()


def _otherwise(
    database: Database,
    run_id: int,
    tags: Mapping[str, str],
    request: FuseRequest,
    tuned: Mapping[str, str],
) -> Otherwise:
    """Return the fields in which a stored run with the same content differs.

    Tags that are not given do not differ, unless the run is to be replaced.
    """
    stored = tags_of(database, run_id)
    if request.replace:
        return Otherwise(() if stored == tags else ("tags",))
    named = {"tags": request.tags, "tune": tuned}
    return Otherwise(
        [field for field, some in named.items() if not some.items() <= stored.items()]
    )


def _stage(
    database: Database,
    request: FuseRequest,
    fusion: Fusion,
    sources: Sequence[Source],
) -> int:
    """Stage the fused documents; return how many queries are not in every run."""
    files = [f"fusion/terms/{name}" for name in fusion.terms]
    for step in fusion.steps:
        files += [f"fusion/steps/{name}" for name in steps(step, len(sources))]
    fused = sql_files.composed((*files, "fusion/staged"))
    with shown(database, fusion, sources):
        database.execute(f"create or replace temp table staged as {fused}")
        if request.depth is not None:
            database.run("fusion/first", {"depth": request.depth})
        [(partly,)] = database.run("fusion/partly")
    check_scores(database, fusion, "fused_score")
    return partly


def steps(step: str, count: int) -> list[str]:
    """Return the steps that do what one says with the terms of so many runs."""
    if step not in _OF_FEW or (step == "median" and count > _TOGETHER):
        return [step]
    rounds: list[str] = []
    while count > _TOGETHER:
        count = -(-count // _TOGETHER)
        rounds.append(step)
    return [*rounds, _OF_FEW[step]]
