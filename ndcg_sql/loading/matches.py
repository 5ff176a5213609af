"""How far the ids of a run and of a judgment set are the same."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters, Row
from ndcg_sql.evaluation.values import Pair
from ndcg_sql.text import counted, quoted
from ndcg_sql.wording import FILE, Text, Wording, call, use

# Documents that nearly match are looked for among so many of those of runs: to look
# at all of a large run would take a notable part of the time to load it.
_MOST = 50_000
# So many ids that nearly match are no chance: one may be another one in truth.
_SEVERAL = 2
# Runs with queries that are not judged, where there are judged ones without an answer.
# Of many large ones, the newest show what is wrong with judgments.
_DOUBTFUL = (
    "select run_id from evaluations where judgment_set_id = $judgment_set_id"
    " and list_contains($run_ids, run_id) and unanswered > 0 and unjudged_queries > 0"
    " qualify run_id = max(run_id) over () or sum(answered + unanswered) over"
    " (order by run_id desc) <= 1_000_000"
)
_NEAR = ("warnings/folded_ids", "warnings/near_ids")
_QUERIES = ("warnings/unmatched_queries", *_NEAR)
_DOCUMENTS = ("warnings/unmatched_documents", *_NEAR)
_ALIKE = ("warnings/new_ids", "warnings/folded_ids", "warnings/alike_ids")
_SHARED = ("warnings/dataset_documents", "warnings/shares_documents")
_UNSHARED = ("warnings/dataset_documents", "warnings/first_unshared_documents")


Noun = Literal["query", "document"]
_PLURALS = {"query": "queries", "document": "documents"}


@dataclass(frozen=True)
class Match:
    """What a run and a judgment set have in common.

    There are warnings if that is no query or no document. is_swapped is whether the
    documents of each look like queries of the other.
    """

    warnings: Sequence[Wording] = ()
    has_queries: bool = True
    is_swapped: bool = False


def new(run_id: int) -> str:
    """Return the select of documents of a run from its staged rows.

    DuckDB reads rankings that its own transaction wrote on one thread.
    """
    return f"select {run_id:d} as run_id, query_id, doc_id from staged limit {_MOST}"


def stored(run_ids: Sequence[int]) -> str:
    """Return the select of documents of runs that were stored before."""
    runs = ", ".join(f"{run_id:d}" for run_id in run_ids)
    rows = f"from rankings where run_id in ({runs})"
    return f"select run_id, query_id, doc_id {rows} limit {_MOST}"


def of_pair(
    database: Database,
    name: str,
    pair: Pair,
    ranked: str | None,
    *,
    is_new: bool = True,
) -> Match:
    """Return what a run and a judgment set have in common.

    ranked selects documents of the run to take an example from, None means none. A run
    that is not new can be loaded again.
    """
    run_id, judgment_set_id = pair
    ids = {"run_id": run_id, "judgment_set_id": judgment_set_id}
    [(answered, *example)] = database.run("warnings/first_queries", ids)
    if not answered:
        near = _near_queries(database, [run_id], judgment_set_id)
        line = f"run {quoted(name)} and its judgments have no query in common"
        line += f"; for example, {_example(near[0] if near else example)}"
        rankings = f"from rankings where run_id = {run_id:d}"
        if database.is_scratch:
            rankings = "from staged"
        with database.hide("ranked", rankings):
            [(is_swapped,)] = database.run("warnings/swapped_ids", ids)
        if is_swapped:
            line += (
                "; its documents look like queries: are the columns of queries and"
                " documents swapped?"
            )
        return Match([line], has_queries=False, is_swapped=is_swapped)
    hits = "from hits where run_id = $run_id and judgment_set_id = $judgment_set_id"
    if database.execute(f"{hits} limit 1", ids):
        return Match()
    line = f"run {quoted(name)} returned no judged document"
    if ranked is not None:
        with database.hide("ranked", ranked):
            chunks = database.run("warnings/chunk_ids", ids)
        for mark, chunk, document in chunks:
            unit = Text(use(unit_before=mark))
            if not is_new:
                unit = Text(call("load_run", FILE, unit_before=mark, replace=True))
            line += f"; for example, {_example((chunk, document))}"
            return Match([Text(line, "; if it ranks chunks of documents: ", unit)])
    near = _near_documents(database, [run_id], judgment_set_id, ranked)
    [example] = near[:1] or database.run("warnings/first_documents", ids)
    if example[0] is not None:
        line += f"; for example, {_example(example)}"
    return Match([line])


def near(
    database: Database,
    run_ids: Sequence[int],
    judgment_set_id: int,
    ranked: str | None,
) -> list[Wording]:
    """Return warnings of several ids of runs and judgments that differ, but hardly.

    ranked selects the documents to look at, None means none. Of several runs, the one
    with the most such ids is named.
    """
    warnings: list[Wording] = []
    rows = _near_queries(database, run_ids, judgment_set_id)
    rows = [row for row in rows if row[4] >= _SEVERAL]
    if rows:
        _, _, run, of_run, count, _ = rows[0]
        warnings.append(
            f"{count} of {counted(of_run, 'query', 'queries')} of run {quoted(run)}"
            " have no judgments, but nearly the ids of judged queries; for example,"
            f" {_example(rows[0])}{_further(rows)}"
        )
    rows = _near_documents(database, run_ids, judgment_set_id, ranked)
    rows = [row for row in rows if row[5] >= _SEVERAL]
    if rows:
        _, _, run, _, _, count = rows[0]
        warnings.append(
            f"{count} judged documents that run {quoted(run)} did not return have"
            " nearly the ids of documents that it returned; for example,"
            f" {_example(rows[0])}{_further(rows)}"
        )
    return warnings


def alike(
    database: Database, noun: Noun, rows: str, parameters: Parameters
) -> list[Wording]:
    """Return a warning if ids of rows are nearly the same as others of a dataset.

    rows follow a from: the rows of a run or of a judgment set that is stored already,
    or staged ones. parameters have the dataset, and the run_id or judgment_set_id.
    """
    if database.is_scratch:
        # A single command has no other loads to agree with.
        return []
    named = {"run_id": None, "judgment_set_id": None, **parameters}
    files = (f"warnings/ids_of_{noun}", *_ALIKE)
    column = {"query": "query_id", "document": "doc_id"}[noun]
    new = f"from ({sql_files.composed(files[:2])}) limit 1"
    with database.hide("new_ids", f"select {column} as id from {rows}"):
        # Most runs answer queries that are known, and no more is to be planned.
        has_new = database.execute(new, named)
        pairs = database.execute(sql_files.composed(files), named) if has_new else []
    return [
        f"{_PLURALS[noun]} {quoted(one)} and {quoted(other)} of dataset"
        f" {quoted(parameters['dataset'])} have nearly the same id{_cause(one, other)}"
        + (f"; likewise {counted(groups - 1, 'other')}" if groups > 1 else "")
        for one, other, groups in pairs
    ]


def of_described(
    database: Database, dataset: str, noun: str, *, with_stored: bool
) -> list[Wording]:
    """Return a warning if no run and no judgment set has one of the staged documents.

    The dataset must have runs or judgments. noun is what the documents are called.
    With stored ones, it is enough if a document of the dataset is in one: new ones of
    a catalogue need not be.
    """
    named = {"dataset": dataset}
    wanted = {**named, "with_stored": with_stored}
    [(is_shared,)] = database.execute(sql_files.composed(_SHARED), wanted)
    if is_shared:
        return []
    [(*ids, count)] = database.execute(sql_files.composed(_UNSHARED), named)
    are = f"the {noun} is" if count == 1 else f"none of the {count} {noun}s is"
    no = "no run and no" if count == 1 else "a run or"
    return [
        f"{are} in {no} judgment set of dataset {quoted(dataset)}; for example,"
        f" {_example(ids, 'they have', 'the runs and judgments have')}"
    ]


def of_relevant(
    database: Database, dataset: str, names: Sequence[str | None]
) -> list[Wording]:
    """Return warnings of named judgment sets whose relevant documents are missing.

    The dataset must have documents.
    """
    lack = {
        "relevant document": "not among the documents of the dataset",
        "query": "without a relevant document among these",
    }
    named = {"dataset": dataset, "names": [*names]}
    rows = database.run("warnings/missing_documents", named)
    return [
        f"judgment set {quoted(name)}: {missing} of"
        f" {counted(count, noun, _PLURALS.get(noun))}"
        f" {'is' if missing == 1 else 'are'} {lack[noun]}, such as {quoted(example)}"
        for name, noun, missing, count, example in rows
    ]


def of_other_queries(database: Database, dataset: str, query_id: str) -> str:
    """Return a query of the runs and judgments, beside one that is in none of them."""
    [(own,)] = database.run("warnings/first_query", {"dataset": dataset})
    return f"the runs and judgments have {quoted(own)}{_cause(query_id, own)}"


def _near_queries(
    database: Database, run_ids: Sequence[int], judgment_set_id: int
) -> list[Row]:
    ids = {"run_ids": [*run_ids], "judgment_set_id": judgment_set_id}
    doubtful = [run_id for (run_id,) in database.execute(_DOUBTFUL, ids)]
    if not doubtful:
        return []
    ids = {**ids, "run_ids": doubtful}
    return database.execute(sql_files.composed(_QUERIES), ids)


def _near_documents(
    database: Database,
    run_ids: Sequence[int],
    judgment_set_id: int,
    ranked: str | None,
) -> list[Row]:
    if ranked is None:
        return []
    ids = {"run_ids": [*run_ids], "judgment_set_id": judgment_set_id}
    with database.hide("ranked", ranked):
        return database.execute(sql_files.composed(_DOCUMENTS), ids)


def _example(
    ids: Sequence[str], one: str = "the run has", other: str = "the judgments have"
) -> str:
    """Return an id of a run and one of judgments, and why they may differ.

    Or of what one and other say has them.
    """
    own, judged, *_ = ids
    text = f"{one} {quoted(own)}, {other} {quoted(judged)}"
    return text + _cause(own, judged)


def _cause(own: str, judged: str) -> str:
    """Return what may have changed an id that nearly is another one, or nothing."""
    if own == judged:
        # Documents of different queries.
        return ""
    if unicodedata.normalize("NFKC", own) == unicodedata.normalize("NFKC", judged):
        return ", which look alike, but are other characters"
    digits = [text.strip().removesuffix(".0").lstrip("0") for text in (own, judged)]
    if digits[0] == digits[1] != "":
        return "; did a program take ids for numbers?"
    for one, other in ((own, judged), (judged, own)):
        for encoding in ("cp1252", "latin-1"):
            if one.encode().decode(encoding, "replace") == other:
                return "; did a program read UTF-8 as another encoding?"
    return ""


def _further(rows: Sequence[Row]) -> str:
    """Return of how many further runs the same is true."""
    more = len(rows) - 1
    return f"; likewise {counted(more, 'other run')}" if more else ""
