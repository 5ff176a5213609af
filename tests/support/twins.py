"""Two datasets that share all names: queries, documents, runs, judgment sets.

Only contents differ. What a view says of one of them must be what it says in a
warehouse that holds this one alone: a join by query that forgets the dataset shows.
"""

import csv
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from functools import partial
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import duckdb

from ndcg_sql import Warehouse
from ndcg_sql.system.limits import Limits
from support.files import Rows, write_judgments, write_run

DATASETS = ("shop", "news")
QUERIES = [f"q{number}" for number in range(1, 9)]
DOCUMENTS = [f"d{number}" for number in range(1, 13)]
RUNS = ("base", "new", "short")
# Beside the measures that a warehouse has from the start.
MEASURES = ["nDCG(missing='omit')@3", "nDCG(ties='mean')@5", "alpha_nDCG@3", "AP_IA"]
# What a relation calls the owner of a row by, and the table of its names.
OWNERS = {
    "run_id": "runs",
    "previous_run_id": "runs",
    "baseline_run_id": "runs",
    "candidate_run_id": "runs",
    "judgment_set_id": "judgment_sets",
    "other_judgment_set_id": "judgment_sets",
    "assessment_set_id": "assessment_sets",
}
# What differs between two warehouses with the same content.
_OWN = {"loaded_at", "parent_id"}


def graded(random: Random, queries: Iterable[str]) -> dict[str, dict[str, float]]:
    """Return judgments with relevant, irrelevant and unjudged documents."""
    return {
        query: {
            d: random.choice((-1, 0, 0, 1, 2, 3)) for d in random.sample(DOCUMENTS, 7)
        }
        for query in queries
    }


def ranked(
    random: Random, queries: Iterable[str], most: int = 10
) -> dict[str, dict[str, float]]:
    """Return a run with ties, where some queries have few documents."""
    return {
        query: {
            d: random.randint(1, 6) / 2
            for d in random.sample(DOCUMENTS, random.randint(1, most))
        }
        for query in queries
    }


def write_described(folder: Path, random: Random) -> tuple[Path, Path]:
    """Write files of queries and documents, each with something left out."""
    queries, documents = folder / "queries.csv", folder / "documents.csv"
    # One dataset knows nothing of the last ones, the other nothing of the first.
    some = slice(7) if folder.name == "news" else slice(2, None)
    with queries.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["query_id", "text", "weight", "device", "length"])
        for query in QUERIES[some]:
            weight = random.choice(["", "0", "0.5", "1", "2", "3.25"])
            device = random.choice(["phone", "desktop", ""])
            length = random.choice(["long", "short"])
            rows.writerow([query, f"{folder.name} {query}", weight, device, length])
    with documents.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["doc_id", "title", "url", "category"])
        for document in DOCUMENTS[some]:
            kind = random.choice(["", "tent", "stove"])
            rows.writerow([document, f"{folder.name} {document}", "", kind])
    return queries, documents


def write_known(folder: Path, random: Random) -> Path:
    """Write a file of what some queries know, with counts."""
    path = folder / "known.csv"
    pairs = [*product(QUERIES[::2], DOCUMENTS[:9])]
    rows = [
        f"{query},{document},{random.randint(1, 5)}\n"
        for query, document in random.sample(pairs, 12)
    ]
    path.write_text("query_id,doc_id,count\n" + "".join(rows), encoding="utf-8")
    return path


def write_topics(folder: Path, random: Random) -> Path:
    """Write judgments of two subtopics of each query."""
    path = folder / "topics"
    lines = [
        f"{query} {subtopic} {document} {random.randint(0, 2)}\n"
        for query, document, subtopic in product(QUERIES[:6], DOCUMENTS[:8], "ab")
    ]
    path.write_text("".join(random.sample(lines, 70)), encoding="utf-8")
    return path


def write_panel(folder: Path, random: Random) -> Path:
    """Write a file of the grades of three assessors."""
    path = folder / "panel.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["query_id", "doc_id", "grade", "assessor", "assessed_at"])
        for query, document in product(QUERIES[:4], DOCUMENTS[:4]):
            for assessor in ("ann", "bob", "cem"):
                grade, day = random.randint(0, 3), f"2026-01-0{random.randint(1, 3)}"
                rows.writerow([query, document, grade, assessor, day])
    return path


def load_run(to: Warehouse, file: Path, made: dict[str, Any]) -> None:
    """Load a file as a run with what is known of it."""
    to.load_run(file, **made)


def steps(folder: Path, dataset: str) -> Iterator[Callable[[Warehouse], object]]:
    """Give what fills a dataset, one step after another."""
    folder = folder / dataset
    folder.mkdir()
    random = Random(dataset)
    first = write_judgments(folder / "first", graded(random, QUERIES[:7]))
    second = write_judgments(folder / "second", graded(random, QUERIES[1:]))
    more = write_judgments(folder / "more", {"q8": {"d1": 1, "d2": 3}})
    write_run(folder / "base", ranked(random, QUERIES))
    write_run(folder / "new", ranked(random, QUERIES[:-1]))
    write_run(folder / "short", ranked(random, QUERIES[2:], 2))
    queries, documents = write_described(folder, random)
    panel = write_panel(folder, random)
    topics = write_topics(folder, random)
    known = write_known(folder, random)
    of: dict[str, Any] = {"dataset": dataset}
    cutoff = {"shop": 2, "news": 3}[dataset]
    yield lambda to: to.load_judgments(first, **of)
    # Before there are runs, this evaluates nothing.
    yield lambda to: to.add_measures(f"P@{cutoff}", **of)
    for name, day in zip(RUNS, (2, 2, 1), strict=True):
        made: dict[str, Any] = {"run_at": datetime(2026, 1, day), "dataset": dataset}
        made["tags"] = {"system": "a" if name == "short" else "b"}
        yield partial(load_run, file=folder / name, made=made)
    yield lambda to: to.load_queries(queries, **of)
    yield lambda to: to.load_documents(documents, **of)
    yield lambda to: to.load_known(known, **of)
    yield lambda to: to.load_assessments(panel, **of)
    yield lambda to: to.load_judgments(more, base="first", evaluate=False, **of)
    yield lambda to: to.load_judgments(second, evaluate=False, **of)
    yield lambda to: to.load_judgments(topics, evaluate=False, **of)
    # Values are stored in another order than the runs were loaded in.
    for judgments, runs in product(("second", "topics"), (RUNS[-1:], RUNS[:-1])):
        yield partial(Warehouse.evaluate, runs=runs, judgments=judgments, **of)


def fill(path: Path, datasets: Iterable[str]) -> None:
    """Fill a warehouse with datasets, a step of one after a step of the other."""
    waiting = [steps(path.parent, dataset) for dataset in datasets]
    with Warehouse.write(path, limits=Limits(threads=1)) as warehouse:
        warehouse.add_measures(MEASURES)
        for turn in zip(*waiting, strict=True):
            for step in turn:
                step(warehouse)


class Holding:
    """What a warehouse holds, a dataset at a time, with names in place of ids."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection
        self._names = {
            column: {
                number: (dataset, name)
                for number, dataset, name in connection.execute(
                    f"select {column}, dataset, name from store.{table}"
                ).fetchall()
            }
            for table, column in (
                ("runs", "run_id"),
                ("judgment_sets", "judgment_set_id"),
                ("assessment_sets", "assessment_set_id"),
            )
        }

    def relations(self, schema: str) -> list[str]:
        """Return the relations of a schema that have rows of datasets."""
        owners = [f"'{column}'" for column in ("dataset", *OWNERS)]
        rows = self._connection.execute(
            "select distinct table_name from information_schema.columns where"
            f" table_schema = '{schema}' and column_name in ({', '.join(owners)})"
            " order by table_name"
        )
        return [name for (name,) in rows.fetchall()]

    def rows(self, relation: str, dataset: str) -> Rows:
        """Return the rows of a dataset, in order.

        A row that has something of two datasets is one of both.
        """
        cursor = self._connection.execute(f"from {relation}")
        columns = [column[0] for column in cursor.description or ()]
        kept = [i for i, column in enumerate(columns) if column not in _OWN]
        owners = [(i, columns[i]) for i in kept if columns[i] in ("dataset", *OWNERS)]
        rows: Rows = []
        for row in cursor.fetchall():
            named: list[Any] = [*row]
            for i, column in owners:
                if column != "dataset" and row[i] is not None:
                    named[i] = self._name(column, row[i])
            if any(dataset in (named[i], named[i] and named[i][0]) for i, _ in owners):
                rows.append(tuple(named[i] for i in kept))
        return sorted(rows, key=repr)

    def _name(self, column: str, number: int) -> tuple[str, str]:
        """Return the dataset and the name of an id; one that is not there has none."""
        key = f"{OWNERS[column][:-1]}_id"
        return self._names[key].get(number, ("", ""))
