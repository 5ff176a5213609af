"""The grid that tuning tries, and the values of the runs that it makes, none stored.

What the runs show is laid out once, a row for each document of a query. A setting then
only scores these rows, and counts which of them come before a judged one.
"""

from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.evaluation.fitting import check_fits
from ndcg_sql.evaluation.scope import only_measures
from ndcg_sql.evaluation.values import HITS, MOST_ROWS, store_values_of
from ndcg_sql.loading import fusion as fusions
from ndcg_sql.loading.fusion import Fusion, K, Source
from ndcg_sql.measures.names import Measure
from ndcg_sql.system import progress
from ndcg_sql.text import now

# The terms of sql/fusion/tuning/documents.
MOST_RUNS = 8
_FOLDER = "fusion/tuning"
# What else is read where known documents are taken out: runs have numbers of their own.
_RANKED = ("rankings", "external_evaluations")


@dataclass(frozen=True)
class Setting:
    """A k of rrf, or the weights of the runs in the order of the request."""

    k: int | None = None
    weights: tuple[float, ...] = ()

    @property
    def value(self) -> int | tuple[float, ...]:
        """The k, or the weights."""
        return self.weights if self.k is None else self.k

    def __str__(self) -> str:
        if self.k is not None:
            return str(self.k)
        return ",".join(f"{weight:g}" for weight in self.weights)


@dataclass(frozen=True)
class Tuning:
    """What is tuned: how runs are fused, by which measure, and how deep they are.

    terms and scores are files: from what, and how, the score of a document is made.
    """

    fusion: Fusion
    measure: Measure
    depth: int | None
    terms: Sequence[str]
    scores: str


@dataclass(frozen=True)
class Queries:
    """The judged queries of a dataset, in parts, and the runs that answer them.

    Without an attribute, the parts are folds; with one, the queries with its value
    are one part, all others the second.
    """

    dataset: str
    judgment_set_id: int
    sources: Sequence[Source]
    parts: int = 1
    attribute: str | None = None
    attribute_value: str | None = None


def tunable(method: str) -> dict[str, str] | None:
    """Return the row of sql/fusion/tuned.csv of a method, if it has one."""
    rows = {row["method"]: row for row in sql_files.rows("fusion/tuned")}
    return rows.get(method)


def settings(row: dict[str, str], count: int) -> list[Setting]:
    """Return what is tried for so many runs, what is nearest to the default first.

    That is the k nearest to 60, the lesser of two, or the weights nearest to equal
    ones, of several those with the greater weights first.
    """
    grid = [int(part) for part in row["grid"].split()]
    if row["parameter"] == "k":
        grid.sort(key=lambda k: (abs(k - K), k))
        return [Setting(k=k) for k in grid]
    # The parts of a whole for two runs, for three and so on.
    parts = grid[count - 2]
    shares = sorted(_shares(parts, count), reverse=True)
    shares.sort(key=lambda weights: sum(weight * weight for weight in weights))
    return [Setting(weights=tuple(part / parts for part in one)) for one in shares]


def _shares(parts: int, count: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways in which so many runs share parts."""
    if count == 1:
        yield (parts,)
        return
    for first in range(parts + 1):
        for others in _shares(parts - first, count - 1):
            yield (first, *others)


@contextmanager
def in_parts(database: Database, queries: Queries) -> Generator[list[int]]:
    """Have tuned_queries while inside; gives how many queries each part has."""
    parameters: Parameters = {
        "dataset": queries.dataset,
        "judgment_set_id": queries.judgment_set_id,
        "parts": queries.parts,
        "attribute": queries.attribute,
        "attribute_value": queries.attribute_value,
    }
    select = sql_files.read(f"{_FOLDER}/queries")
    with database.temporary("tuned_queries", select, parameters):
        count = "select count(*) from tuned_queries where part = $part"
        yield [
            database.execute(count, {"part": part})[0][0]
            for part in range(1, queries.parts + 1)
        ]


@contextmanager
def valued(
    database: Database, tuning: Tuning, queries: Queries, tried: Sequence[Setting]
) -> Generator[None]:
    """Have the values of each fusion for each query in stored_values while inside.

    Settings are numbered from 1, as runs; all of it is in temporary tables. Must be
    called where tuned_queries are known. Raises NdcgSqlError if the measure does not
    fit the judgments, or for scores that the norm cannot use.
    """
    set_id = queries.judgment_set_id
    parameters: Parameters = {
        "judgment_set_id": set_id,
        "depth": tuning.depth,
        "count": len(tried),
    }
    with only_measures(database, [tuning.measure]):
        check_fits(database, [set_id])
        with (
            _documents(database, tuning, queries),
            database.temporary(
                "tuned_hits", sql_files.read(f"{_FOLDER}/hits"), parameters
            ),
            database.shadow(["runs", "run_queries", *HITS]),
            database.shadow(_RANKED if tuning.measure.takes_known_out else ()),
        ):
            database.run(f"{_FOLDER}/run_queries", parameters)
            for numbers in _at_once(database, tuning, len(tried)):
                for number in progress.each(numbers, "tuning", "settings"):
                    parameters |= _parameters(queries, number, tried[number - 1])
                    for file in ("runs", "positions", "evaluations"):
                        database.run(f"store/{file}", parameters)
                    _find_hits(database, tuning, queries, parameters)
                store_values_of(database, [(number, set_id) for number in numbers])
                if tuning.measure.takes_known_out:
                    database.execute("delete from rankings")
            yield


def _at_once(database: Database, tuning: Tuning, count: int) -> list[range]:
    """Return the numbers of settings in parts, those that are evaluated at once.

    That is all of them, unless whole rankings of each are kept meanwhile.
    """
    most = count
    if tuning.measure.takes_known_out:
        [(rows,)] = database.execute("select count(*) from tuned_documents")
        most = max(1, MOST_ROWS // max(1, rows))
    return [
        range(first, min(first + most, count + 1))
        for first in range(1, count + 1, most)
    ]


@contextmanager
def _documents(database: Database, tuning: Tuning, queries: Queries) -> Generator[None]:
    """Have tuned_documents while inside: what documents get from each run."""
    terms = [f"fusion/terms/{name}" for name in tuning.terms]
    documents = sql_files.composed((*terms, f"{_FOLDER}/documents"))
    columns = ", ".join(["query_number", "doc_id", *_terms()[: len(queries.sources)]])
    entries = (fusions.ENTRIES, f"{_FOLDER}/judged")
    with (
        fusions.shown(database, tuning.fusion, queries.sources, entries),
        database.temporary("tuned_documents", f"select {columns} from ({documents})"),
    ):
        yield


def _find_hits(
    database: Database, tuning: Tuning, queries: Queries, parameters: Parameters
) -> None:
    """Store the hits of a fusion, whose number and setting are parameters."""
    scores = (f"{_FOLDER}/{tuning.scores}", f"{_FOLDER}/added")
    scored, placed = (
        sql_files.composed(files) for files in (scores, (*scores, f"{_FOLDER}/placed"))
    )
    # A run that is not there gives no document anything.
    blanks = [f"null::double as {term}" for term in _terms()[len(queries.sources) :]]
    columns = ", ".join(["*", *blanks])
    terms = f"select {columns} from "
    with ExitStack() as tables:
        with database.hide("tuned_terms", terms + "tuned_hits"):
            scored_hits = database.temporary("scored_hits", scored, parameters)
            tables.enter_context(scored_hits)
        with database.hide("tuned_terms", terms + "tuned_documents"):
            database.execute(f"insert into hits by name {placed}", parameters)
            if tuning.measure.takes_known_out:
                ranked = sql_files.composed((*scores, f"{_FOLDER}/rankings"))
                insert = f"insert into rankings by name {ranked}"
                database.execute(insert, parameters)


def _terms() -> list[str]:
    return [f"term_{place}" for place in range(1, MOST_RUNS + 1)]


def _parameters(queries: Queries, number: int, setting: Setting) -> Parameters:
    """Return the parameters of a fusion: its row of runs, and its setting."""
    # Runs are in the order of their contents, as fuse itself has them.
    weights = sorted(
        (source.content_hash, weight)
        for source, weight in zip(queries.sources, setting.weights, strict=False)
    )
    return {
        "run_id": number,
        "dataset": queries.dataset,
        "name": str(setting),
        "source": "",
        "content_hash": "",
        "loaded_at": now(),
        "position_rule": "score",
        "run_at": None,
        "k": setting.k,
        "weights": [weight for _, weight in weights],
    }
