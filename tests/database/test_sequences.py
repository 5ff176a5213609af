"""After any changes, a warehouse says what a fresh one of the same content says.

A sequence applies each change at random to a warehouse and to plain Python values. From
these, a fresh warehouse is filled, in which nothing was ever replaced, renamed or
removed.
"""

import csv
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest

from ndcg_sql import Warehouse
from ndcg_sql.system.limits import Limits
from support import exploring
from support.files import Judged, Ranked
from support.twins import QUERIES, Holding, graded, ranked

DATASETS = ("shop", "news")
NAMES = ("a", "b", "c", "d")
MEASURES = ("RR", "AP", "nDCG(missing='omit')@3", "nDCG(judged_only=true)@2")
# Each is registered for single datasets only.
OF_DATASETS = ("P@2", "R@3")
REGISTERED = {"nDCG@10", "AP", "RR", "R@100"}
STEPS = 12
COMPARED = (
    *("runs", "run_tags", "rankings", "judgment_sets", "judgments"),
    *("queries", "query_attributes", "evaluations"),
    *("query_values", "run_values", "weighted_run_values", "slice_values", "history"),
    "slice_history",
    *("run_comparisons", "slice_comparisons", "judgment_changes", "value_changes"),
    *("unjudged_documents", "run_scorecard"),
)
Item = TypeVar("Item")


@dataclass
class Run:
    """A run, with all that was said of it."""

    ranked: Ranked
    run_at: datetime
    tags: dict[str, str]


@dataclass
class Query:
    """What was loaded of a query, as a file has it."""

    weight: str
    device: str


@dataclass
class Dataset:
    """What a dataset holds; names are in the order of loading."""

    judgments: dict[str, Judged] = field(default_factory=dict[str, Judged])
    runs: dict[str, Run] = field(default_factory=dict[str, Run])
    queries: dict[str, Query] = field(default_factory=dict[str, Query])
    measures: set[str] = field(default_factory=set[str])


class Sequence:
    """A warehouse that is changed at random, and what it must hold."""

    def __init__(self, random: Random, warehouse: Warehouse, folder: Path) -> None:
        self._random, self._warehouse, self._folder = random, warehouse, folder
        self.datasets = {name: Dataset() for name in DATASETS}
        self.measures = set(REGISTERED)
        self.steps: list[str] = []

    def change(self) -> None:
        """Change something at random, if there is anything to change."""
        name = self._random.choice(DATASETS)
        dataset = self.datasets[name]
        changes: list[Callable[[str, Dataset], object]] = [
            *(self._load_judgments, self._load_run, self._load_run),
            *(self._load_queries, self._measure, self._measure_of_dataset),
        ]
        if dataset.judgments:
            changes += [self._rename_judgments, self._remove_judgments]
        if dataset.runs:
            changes += [self._rename_run, self._remove_run, self._tag]
        change = self._random.choice(changes)
        self.steps.append(f"{change.__name__.strip('_')} {name}")
        change(name, dataset)

    def fill(self, fresh: Warehouse) -> None:
        """Fill a fresh warehouse with what this one must hold."""
        for measure in sorted(REGISTERED - self.measures):
            fresh.remove_measures(measure)
        for measure in sorted(self.measures - REGISTERED):
            fresh.add_measures(measure)
        for name, dataset in self.datasets.items():
            for set_name, judged in dataset.judgments.items():
                fresh.load_judgments(judged, set_name, dataset=name)
            if dataset.queries:
                self._write(dataset.queries)
                fresh.load_queries(self._file, dataset=name)
            for run_name, run in dataset.runs.items():
                given = {"run_at": run.run_at, "tags": run.tags}
                fresh.load_run(run.ranked, run_name, dataset=name, **given)  # pyright: ignore[reportArgumentType]
            # They stay when the last that was loaded goes, but say nothing then.
            if dataset.judgments or dataset.runs or dataset.queries:
                for measure in sorted(dataset.measures):
                    fresh.add_measures(measure, dataset=name)

    def evaluate(self, warehouse: Warehouse) -> None:
        """Evaluate every run with every judgment set; those that are stay."""
        for name, dataset in self.datasets.items():
            for judgments in dataset.judgments if dataset.runs else ():
                warehouse.evaluate(judgments=judgments, dataset=name)

    def _load_judgments(self, name: str, dataset: Dataset) -> None:
        queries = self._some(QUERIES)
        judged = graded(self._random, queries)
        chosen = self._random.choice(NAMES)
        self._warehouse.load_judgments(
            judged,
            chosen,
            dataset=name,
            evaluate=self._random.random() < 0.7,
            replace=True,
        )
        dataset.judgments.pop(chosen, None)
        dataset.judgments[chosen] = judged

    def _load_run(self, name: str, dataset: Dataset) -> None:
        rows = ranked(self._random, self._some(QUERIES))
        run = Run(rows, datetime(2026, 1, self._random.randint(1, 3)), self._tags())
        chosen = self._random.choice(NAMES)
        given: dict[str, Any] = {"run_at": run.run_at, "tags": run.tags}
        self._warehouse.load_run(rows, chosen, dataset=name, replace=True, **given)
        replaced = dataset.runs.pop(chosen, None)
        if replaced and not run.tags:
            # A run keeps its tags unless it is given others.
            run.tags = replaced.tags
        dataset.runs[chosen] = run

    def _load_queries(self, name: str, dataset: Dataset) -> None:
        queries = {
            query: Query(
                self._random.choice(("", "0", "0.5", "2", "3.25")),
                self._random.choice(("", "phone", "desktop")),
            )
            for query in self._some(QUERIES)
        }
        self._write(queries)
        replace = self._random.random() < 0.3
        self._warehouse.load_queries(self._file, dataset=name, replace=replace)
        dataset.queries = queries if replace else dataset.queries | queries

    def _measure(self, _name: str, _dataset: Dataset) -> None:
        measure = self._random.choice(MEASURES)
        if measure in self.measures:
            self._warehouse.remove_measures(measure)
        else:
            self._warehouse.add_measures(measure)
        self.measures ^= {measure}

    def _measure_of_dataset(self, name: str, dataset: Dataset) -> None:
        if not dataset.judgments:
            return
        measure = self._random.choice(OF_DATASETS)
        if measure in dataset.measures:
            self._warehouse.remove_measures(measure, dataset=name)
        else:
            self._warehouse.add_measures(measure, dataset=name)
        dataset.measures ^= {measure}

    def _rename_judgments(self, name: str, dataset: Dataset) -> None:
        dataset.judgments = self._renamed("judgments", name, dataset.judgments)

    def _rename_run(self, name: str, dataset: Dataset) -> None:
        dataset.runs = self._renamed("run", name, dataset.runs)

    def _renamed(
        self, kind: Any, dataset: str, items: dict[str, Item]
    ) -> dict[str, Item]:
        """Rename one of the items, which stays where it is in their order."""
        old = self._random.choice([*items])
        new = f"{old}{self._random.choice(NAMES)}"
        if new in items:
            return items
        self._warehouse.rename(kind, old, new, dataset=dataset)
        return {new if name == old else name: item for name, item in items.items()}

    def _remove_judgments(self, name: str, dataset: Dataset) -> None:
        chosen = self._random.choice([*dataset.judgments])
        self._warehouse.remove("judgments", chosen, dataset=name)
        del dataset.judgments[chosen]

    def _remove_run(self, name: str, dataset: Dataset) -> None:
        chosen = self._random.choice([*dataset.runs])
        self._warehouse.remove("run", chosen, dataset=name)
        del dataset.runs[chosen]

    def _tag(self, name: str, dataset: Dataset) -> None:
        chosen = self._random.choice([*dataset.runs])
        tags = {"system": self._random.choice(("", "x", "y"))}
        self._warehouse.tag(chosen, tags, dataset=name)
        kept = {**dataset.runs[chosen].tags, **tags}
        dataset.runs[chosen].tags = {tag: value for tag, value in kept.items() if value}

    def _tags(self) -> dict[str, str]:
        """Return the tags of a run, or none."""
        return {"system": "x"} if self._random.random() < 0.5 else {}

    def _some(self, items: list[str]) -> list[str]:
        """Return some of the items, in their order."""
        chosen = self._random.sample(items, self._random.randint(1, len(items)))
        return [item for item in items if item in chosen]

    @property
    def _file(self) -> Path:
        """The file of the queries that are loaded next."""
        return self._folder / "queries.csv"

    def _write(self, queries: dict[str, Query]) -> None:
        """Write a file of queries."""
        with self._file.open("w", encoding="utf-8", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(["query_id", "weight", "device"])
            rows.writerows((q, each.weight, each.device) for q, each in queries.items())


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    "number", exploring.sampled(range(exploring.amount(2, 80)), exploring.amount(2, 1))
)
def test_the_rows_are_those_of_a_fresh_warehouse(
    pytestconfig: pytest.Config, empty_file: Path, here: Path, number: int
) -> None:
    seed = pytestconfig.option.hypothesis_seed if exploring.EXPLORING else 0
    one = Limits(threads=1)
    changed = Path(shutil.copyfile(empty_file, here / "changed.duckdb"))
    fresh = Path(shutil.copyfile(empty_file, here / "fresh.duckdb"))
    with (
        Warehouse.write(changed, limits=one) as warehouse,
        Warehouse.write(fresh, limits=one) as filled,
    ):
        sequence = Sequence(Random(f"{seed} {number}"), warehouse, here)
        for _ in range(STEPS):
            sequence.change()
        sequence.fill(filled)
        both = (warehouse, filled)
        for each in both:
            sequence.evaluate(each)
        held = [Holding(each.connection) for each in both]
        for name in COMPARED:
            for dataset in DATASETS:
                first, second = (each.rows(f"main.{name}", dataset) for each in held)
                assert first == second, (name, sequence.steps)
        if exploring.EXPLORING:
            warehouse.check()
