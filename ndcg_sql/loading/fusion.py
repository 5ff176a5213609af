"""What is fused, and how: methods with their SQL, and runs with their weights."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import Entry, check_rankings, choose_entries, no_run
from ndcg_sql.evaluation.entries import runs as stored_runs
from ndcg_sql.requests.changes import FuseRequest
from ndcg_sql.text import counted, listed, number, quoted
from ndcg_sql.wording import Text, named, use

_NORM = "min-max"
K = 60
# Weights whose products with scores are neither infinite nor lost.
_LEAST, _MOST = 1e-100, 1e100
ENTRIES = "fusion/entries"
# What terms read of queries is a few rows, and some of it is read more than once.
_HOW = {"queries": Database.temporary, "documents": Database.hide}


@dataclass(frozen=True)
class Fusion:
    """How runs are fused: a row of sql/fusion/methods.csv, and one of norms.csv.

    k and norm are None where the method has none; shown, terms and checks are files.
    shown is what the terms read besides the documents of the runs, in this order.
    """

    method: str
    norm: str | None
    k: int | None
    shown: Sequence[str]
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
class Source:
    """A run that is fused, with its weight; sorted, its content decides."""

    content_hash: str
    weight: float
    run: Entry


def fusion_of(request: FuseRequest) -> Fusion:
    """Return how a request fuses; raise NdcgSqlError for what its method has not."""
    rows = {row["method"]: row for row in sql_files.rows("fusion/methods")}
    method = rows[request.method]
    takes = method["takes"].split()
    for field, value in (("norm", request.norm), ("k", request.k)):
        if value is not None and field not in takes:
            raise _not_taken(rows, request.method, field)
    if request.weights and "weights" not in takes:
        raise _not_taken(rows, request.method, "weights")
    if "weights" in takes and not request.weights and request.tune is None:
        raise NdcgSqlError(
            "needs a weight for each run",
            "name them, such as " + use(weights="2,1"),
            where=use(method=request.method),
        )
    norm = (request.norm or _NORM) if "norm" in takes else None
    norms = {row["norm"]: row for row in sql_files.rows("fusion/norms")}
    of_norm = norms[norm] if norm else {"shown": "", "terms": "", "checks": ""}
    return Fusion(
        request.method,
        norm,
        (K if request.k is None else request.k) if "k" in takes else None,
        (method["shown"] or of_norm["shown"]).split(),
        (method["terms"] or of_norm["terms"]).split(),
        method["steps"].split(),
        of_norm["checks"].split(),
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


def sources_of(
    database: Database, request: FuseRequest, fusion: Fusion
) -> tuple[list[Source], list[Entry]]:
    """Return the runs to be fused, in the order of the request, and those left out.

    Each has the weight 1 where weights are still to be chosen. What fuse made is left
    out where only a pattern names it: otherwise a command that is repeated would fuse
    what it made before.
    """
    if database.is_new:
        raise no_run("in the warehouse")
    for name in request.runs:
        if request.runs.count(name) > 1:
            raise NdcgSqlError(f"run {quoted(name)} is named twice", "name another")
    _check_no_weights(database, request)
    runs = choose_entries(database, "run", request.runs, request.dataset)
    made = {run_id for (run_id,) in database.run("fusion/earlier")}
    left_out = [r for r in runs if r.id in made and r.name not in request.runs]
    runs = [run for run in runs if run not in left_out]
    if not runs:
        raise NdcgSqlError(
            f"no runs but those that fuse made, {listed(run.name for run in left_out)}",
            "name them without a pattern",
        )
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
    is_weighted = fusion.is_weighted and request.tune is None
    weights = _weights(request, runs) if is_weighted else [1.0] * len(runs)
    return with_content(database, runs, weights), left_out


def _check_no_weights(database: Database, request: FuseRequest) -> None:
    """Raise NdcgSqlError if weights were written where runs are named."""
    numbers = [name for name in request.runs if number(name) is not None]
    if not request.weights or not numbers:
        return
    names = {run.name for run in stored_runs(database)}
    numbers = [name for name in numbers if name not in names]
    if numbers:
        weights = _with_commas([*request.weights, *numbers])
        raise NdcgSqlError(
            f"no run {quoted(numbers[0])}", Text("if it is a weight, write ", weights)
        )


def _with_commas(words: Sequence[str]) -> Text:
    """Return the weights as they should be written."""
    return use(weights=",".join(word.strip(",") for word in words))


def with_content(
    database: Database, runs: Sequence[Entry], weights: Sequence[float]
) -> list[Source]:
    """Return runs as sources; raise NdcgSqlError if another engine has a ranking."""
    check_rankings(runs, "fuse")
    hashes = dict(database.execute("select run_id, content_hash from runs"))
    return [
        Source(hashes[run.id], weight, run)
        for run, weight in zip(runs, weights, strict=True)
    ]


def _weights(request: FuseRequest, runs: Sequence[Entry]) -> list[float]:
    texts = [text.strip() for part in request.weights for text in part.split(",")]
    where = use(weights=",".join(texts))
    words = [word for text in texts for word in text.split()]
    if len(words) > len(texts):
        raise NdcgSqlError(
            "blanks between weights", Text("write ", _with_commas(words)), where=where
        )
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


@contextmanager
def shown(
    database: Database,
    fusion: Fusion,
    sources: Sequence[Source],
    entries: tuple[str, ...] = (ENTRIES,),
) -> Generator[None]:
    """Make what the runs show available to the terms of fusion while inside.

    entries are the files that select it. Raises NdcgSqlError for scores that the norm
    cannot use.
    """
    ordered = sorted(sources, key=lambda one: (one.content_hash, one.weight))
    runs: Parameters = {
        "run_ids": [source.run.id for source in ordered],
        "weights": [source.weight for source in ordered],
        "k": fusion.k,
    }
    with (
        database.temporary("fused_runs", sql_files.read("fusion/runs"), runs),
        database.hide("fused_entries", sql_files.composed(entries)),
        ExitStack() as stack,
    ):
        for check in fusion.checks:
            check_scores(database, fusion, check)
        for file in fusion.shown:
            kind, _, name = file.partition("/")
            select = sql_files.read(f"fusion/{file}")
            stack.enter_context(_HOW[kind](database, f"fused_{name}", select))
        yield


def check_scores(database: Database, fusion: Fusion, check: str) -> None:
    """Raise NdcgSqlError if a check has a row; its comment says what is wrong."""
    sql = sql_files.read(f"fusion/checks/{check}")
    for row in database.records(sql):
        values = {
            name: quoted(value) if isinstance(value, str) else f"{value:g}"
            for name, value in row.items()
        }
        raise NdcgSqlError(
            sql_files.opening_comment(sql).format_map(values),
            "choose another norm, such as " + use(norm="rank"),
            where=use(norm=fusion.norm),
        )
