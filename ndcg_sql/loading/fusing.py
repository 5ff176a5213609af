"""A run made of runs: their rankings fused in SQL, and stored like any other run."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import Entry, choose_entries, no_run
from ndcg_sql.evaluation.external import check_rankings
from ndcg_sql.loading.assessments import check_names
from ndcg_sql.loading.replacing import ANOTHER_NAME, namesake
from ndcg_sql.loading.storing import store_run
from ndcg_sql.requests.changes import FuseRequest
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import counted, listed, now, number, quoted
from ndcg_sql.wording import Text, named, use

# The step that adds up terms, and how many at once.
_ADDED, _TOGETHER = "added", 4
_NORM = "min-max"
_K = 60
# Weights whose products with scores are neither infinite nor lost.
_LEAST, _MOST = 1e-100, 1e100


@dataclass(frozen=True)
class _Fusion:
    """How runs are fused: a row of sql/fusion/methods.csv, and one of norms.csv.

    k and norm are None where the method has none; terms and checks are files.
    """

    method: str
    norm: str | None
    k: int | None
    terms: Sequence[str]
    steps: Sequence[str]
    checks: Sequence[str]
    is_weighted: bool

    @property
    def tags(self) -> dict[str, str]:
        """The tags that say how a run was fused."""
        said = {"fusion": self.method, "norm": self.norm, "k": self.k}
        return {tag: str(value) for tag, value in said.items() if value is not None}


@dataclass(frozen=True)
class _Source:
    """A run that is fused, with its weight; sorted, its content decides."""

    content_hash: str
    weight: float
    run: Entry


def fuse(database: Database, messages: Messages, request: FuseRequest) -> None:
    """Store a run made of runs, and evaluate it with the newest judgments.

    The same runs in another order give the same scores, to the last bit. Raises
    NdcgSqlError and stores nothing where a name is not known or is taken, or where
    the method cannot fuse these runs.
    """
    names = [part for tag in request.tags.items() for part in tag]
    check_names([("run", request.name), *(("tag", name) for name in names)])
    fusion = _fusion(request)
    sources = _sources(database, request, fusion)
    dataset = sources[0].run.dataset
    tags = _tags(request, fusion, sources)
    if any(source.run.name == request.name for source in sources):
        raise NdcgSqlError(
            "a run cannot be one of its own sources",
            ANOTHER_NAME,
            where=use(name=request.name),
        )
    content_hash = _content_hash(request, fusion, sources)
    old = namesake(
        database,
        "run",
        request.name,
        dataset,
        content_hash,
        request.replace,
        otherwise=lambda run_id: _otherwise(database, run_id, tags, request),
    )
    if old.message:
        messages.tell(old.message)
        return
    parameters: Parameters = {
        "dataset": dataset,
        "name": request.name,
        "source": "runs " + ", ".join(source.run.name for source in sources),
        "content_hash": content_hash,
        "loaded_at": now(),
        "position_rule": "score",
        "run_at": None,
    }
    # DuckDB reads rows of its own transaction on one thread: it begins after reading.
    partly = _stage(database, request, fusion, sources)
    with database.transaction():
        old.remove(database)
        loaded = store_run(database, parameters, tags, evaluating=True, strict=False)
    made = "replaced" if old.ids else "made"
    runs = counted(len(sources), "run")
    line = f"{made} run {quoted(request.name)} by {fusion.method} of {runs}: "
    warnings = [*loaded.warnings]
    if partly:
        are = "is" if partly == 1 else "are"
        few = f"{counted(partly, 'query', 'queries')} {are} not in every run"
        warnings.insert(0, f"{few}, and fused from the runs that have them")
    replace(loaded, line=line + loaded.line, warnings=warnings).tell(messages)


def _fusion(request: FuseRequest) -> _Fusion:
    """Return how a request fuses; raise NdcgSqlError for what its method has not."""
    rows = {row["method"]: row for row in sql_files.rows("fusion/methods")}
    method = rows[request.method]
    takes = method["takes"].split()
    for field, value in (("norm", request.norm), ("k", request.k)):
        if value is not None and field not in takes:
            raise _not_taken(rows, request.method, field)
    if request.weights and "weights" not in takes:
        raise _not_taken(rows, request.method, "weights")
    if "weights" in takes and not request.weights:
        raise NdcgSqlError(
            "needs a weight for each run",
            "name them, such as " + use(weights="2,1"),
            where=use(method=request.method),
        )
    norm = (request.norm or _NORM) if "norm" in takes else None
    norms = {row["norm"]: row for row in sql_files.rows("fusion/norms")}
    by_norm = norms[norm] if norm else {"terms": "", "checks": ""}
    return _Fusion(
        request.method,
        norm,
        (_K if request.k is None else request.k) if "k" in takes else None,
        (method["terms"] or by_norm["terms"]).split(),
        method["steps"].split(),
        by_norm["checks"].split(),
        "weights" in takes,
    )


def _not_taken(
    rows: Mapping[str, Mapping[str, str]], method: str, field: str
) -> NdcgSqlError:
    """Return the refusal of a field that a method has no use for."""
    other = next(name for name in rows if field in rows[name]["takes"].split())
    return NdcgSqlError(
        f"{method} takes none",
        Text("omit it, or choose another method, such as ", use(method=other)),
        where=named(field),
    )


def _sources(
    database: Database, request: FuseRequest, fusion: _Fusion
) -> list[_Source]:
    """Return the runs to be fused, in the order of the request."""
    if database.is_new:
        raise no_run("in the warehouse")
    for name in request.runs:
        if request.runs.count(name) > 1:
            raise NdcgSqlError(f"run {quoted(name)} is named twice", "name another")
    runs = choose_entries(database, "run", request.runs, request.dataset)
    if len(runs) < 2:
        raise NdcgSqlError(
            f"run {quoted(runs[0].name)} is the only one to be fused", "name another"
        )
    for run in runs:
        if run.dataset != runs[0].dataset:
            raise NdcgSqlError(
                f"run {quoted(runs[0].name)} belongs to dataset"
                f" {quoted(runs[0].dataset)}, run {quoted(run.name)} to"
                f" {quoted(run.dataset)}: their queries differ",
                "name runs of one dataset",
            )
    check_rankings(database, [run.id for run in runs], "fuse")
    weights = _weights(request, runs) if fusion.is_weighted else [1.0] * len(runs)
    hashes = dict(database.execute("select run_id, content_hash from runs"))
    return [
        _Source(hashes[run.id], weight, run)
        for run, weight in zip(runs, weights, strict=True)
    ]


def _weights(request: FuseRequest, runs: Sequence[Entry]) -> list[float]:
    """Return the weight of each run."""
    texts = [text.strip() for part in request.weights for text in part.split(",")]
    where = use(weights=",".join(texts))
    weights: list[float] = []
    for text in texts:
        weight = number(text)
        if weight is None:
            raise NdcgSqlError(f"{quoted(text)} is not a number", where=where)
        if weight != 0 and not _LEAST <= weight <= _MOST:
            raise NdcgSqlError(
                f"{text}: a weight is 0, or from 1e-100 to 1e100", where=where
            )
        weights.append(weight)
    if len(weights) != len(runs):
        raise NdcgSqlError(
            f"{counted(len(weights), 'weight')} for {counted(len(runs), 'run')},"
            f" {listed(run.name for run in runs)}",
            "give each run one, in this order",
            where=where,
        )
    if not any(weights):
        raise NdcgSqlError("all are 0", "give a run a weight above 0", where=where)
    return weights


def _tags(
    request: FuseRequest, fusion: _Fusion, sources: Sequence[_Source]
) -> dict[str, str]:
    """Return the tags of a fused run: how it was made, and those of the request."""
    tags = {**fusion.tags, "sources": ", ".join(one.run.name for one in sources)}
    if fusion.is_weighted:
        weights = [repr(source.weight).removesuffix(".0") for source in sources]
        tags["weights"] = ", ".join(weights)
    if request.depth is not None:
        tags["depth"] = str(request.depth)
    for tag, value in request.tags.items():
        if tag in tags:
            raise NdcgSqlError(
                f"{tag} says how the run was made",
                "choose another tag",
                where=use(tags={tag: value}),
            )
    return {**tags, **request.tags}


def _content_hash(
    request: FuseRequest, fusion: _Fusion, sources: Sequence[_Source]
) -> str:
    """Return the hash of how a run is made, and of the contents that it is made of."""
    made_of = sorted((source.content_hash, source.weight) for source in sources)
    said = ["fusion", fusion.method, fusion.norm, fusion.k, request.depth, made_of]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()


def _otherwise(
    database: Database, run_id: int, tags: Mapping[str, str], request: FuseRequest
) -> Sequence[str]:
    """Return the fields in which a stored run with the same content differs.

    Tags that are not given do not differ, unless the run is to be replaced.
    """
    sql = "select tag, tag_value from run_tags where run_id = $run_id"
    stored: dict[str, str] = dict(database.execute(sql, {"run_id": run_id}))
    is_same = stored == tags
    if not request.replace:
        is_same = request.tags.items() <= stored.items()
    return () if is_same else ("tags",)


def _stage(
    database: Database,
    request: FuseRequest,
    fusion: _Fusion,
    sources: Sequence[_Source],
) -> int:
    """Stage the fused documents; return how many queries are not in every run."""
    ordered = sorted(sources, key=lambda one: (one.content_hash, one.weight))
    runs: Parameters = {
        "run_ids": [source.run.id for source in ordered],
        "weights": [source.weight for source in ordered],
        "k": fusion.k,
    }
    files = [f"fusion/terms/{name}" for name in fusion.terms]
    for step in fusion.steps:
        times = _rounds(len(sources)) if step == _ADDED else 1
        files += [f"fusion/steps/{step}"] * times
    fused = sql_files.composed((*files, "fusion/staged"))
    with (
        database.temporary("fused_runs", sql_files.read("fusion/runs"), runs),
        database.hide("fused_entries", sql_files.read("fusion/entries")),
        database.hide("fused_ranges", sql_files.read("fusion/ranges")),
    ):
        for check in fusion.checks:
            _check(database, fusion, check)
        database.execute(f"create or replace temp table staged as {fused}")
        if request.depth is not None:
            database.run("fusion/first", {"depth": request.depth})
        [(partly,)] = database.run("fusion/partly")
    _check(database, fusion, "fused_score")
    return partly


def _rounds(count: int) -> int:
    """Return how often the terms of so many runs are added up until one is left."""
    rounds = 0
    while count > 1:
        count, rounds = -(-count // _TOGETHER), rounds + 1
    return rounds


def _check(database: Database, fusion: _Fusion, check: str) -> None:
    """Raise NdcgSqlError if a check has a row; its comment says what is wrong."""
    sql = sql_files.read(f"fusion/checks/{check}")
    for row in database.records(sql):
        shown = {
            name: quoted(value) if isinstance(value, str) else f"{value:g}"
            for name, value in row.items()
        }
        raise NdcgSqlError(
            sql_files.opening_comment(sql).format_map(shown),
            "choose another norm, such as " + use(norm="rank"),
            where=use(norm=fusion.norm),
        )
