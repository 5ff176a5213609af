"""A run evaluated with judgments in memory, and how its values are compared."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import pytest

from ndcg_sql.database import opening
from ndcg_sql.database.database import Database
from ndcg_sql.evaluation.registry import replace_registered
from ndcg_sql.loading import described
from ndcg_sql.loading.sets import Options, load
from ndcg_sql.loading.tasks import Task
from ndcg_sql.measures.names import parse
from ndcg_sql.system.limits import Limits
from ndcg_sql.system.messages import Messages
from support.compared import record
from support.files import Judged, Ranked, made_tables, write_judgments, write_run

Values = dict[str, dict[str, float | None]]
Grades = list[float | None]


@cache
def _laboratory() -> Database:
    """Return a warehouse in memory for one evaluation after another.

    Its views are made once: that takes longer than most evaluations.
    """
    return opening.memory(limits=Limits(threads=1))


def emptied() -> Database:
    """Return a warehouse in memory without runs, judgments or values."""
    database = _laboratory()
    for table in sorted(made_tables() - {"sql_files"}):
        database.execute(f"delete from {table}")
    return database


class Valued(Protocol):
    """What knows the value of a measure for a query."""

    def query(self, measure: str, query: str) -> float | None:
        """Return the value of a measure for a query."""
        ...


class Evaluation:
    """A run evaluated with judgments in memory."""

    def __init__(
        self,
        folder: Path,
        judged: Judged | str,
        ranked: Ranked,
        measures: list[str],
        position_rule: str = "score",
        known: Mapping[str, Iterable[str]] | None = None,
    ) -> None:
        """Load all through files, judgments perhaps as their text, and value it."""
        self._measures = parse(" ".join(measures))
        qrels = folder / "qrels"
        if isinstance(judged, str):
            qrels.write_text(judged, encoding="utf-8")
        else:
            write_judgments(qrels, judged)
        run_file = write_run(folder / "run", ranked)
        database = emptied()
        replace_registered(database, self._measures)
        load(database, "judgments", [qrels], Options(), Messages())
        if known is not None:
            rows = [f"{query}\t{d}\n" for query in known for d in known[query]]
            path = folder / "known.tsv"
            path.write_text("query_id\tdoc_id\n" + "".join(rows), encoding="utf-8")
            described.load(Task(database, "known", [path], Options(), Messages()))
        options = Options(position_rule=position_rule)
        load(database, "run", [run_file], options, Messages())
        self.queries: Values = {m.name: {} for m in self._measures}
        sql = "select measure, query_id, value from query_values"
        for measure, query, value in database.execute(sql):
            self.queries[measure][query] = value
        columns = (
            "measure, value, n, answered, unanswered, no_relevant"
            ", unjudged_queries, judged_at_k, standard_error"
        )
        self.means: dict[str, dict[str, Any]] = {}
        for row in database.execute(f"select {columns} from run_values"):
            self.means[row[0]] = dict(zip(columns.split(", "), row, strict=True))

    def query(self, measure: str, query: str = "q") -> float | None:
        """Return the value of a measure for a query."""
        return self.queries[parse(measure)[0].name][query]

    def mean(self, measure: str) -> float | None:
        """Return the mean of a measure."""
        return self.means[parse(measure)[0].name]["value"]


def graded(ranked: Grades, others: list[float] | None = None) -> tuple[Judged, Ranked]:
    """Return judgments and a run of one query "q" from grades by position.

    None stands for an unjudged document; others are judged but not returned.
    """
    names = [f"d{i:03}" for i in range(len(ranked))]
    judged = {d: g for d, g in zip(names, ranked, strict=True) if g is not None}
    judged |= {f"x{i:03}": g for i, g in enumerate(others or [])}
    scores = {d: float(len(ranked) - i) for i, d in enumerate(names)}
    return {"q": judged}, {"q": scores}


def close(expected: str) -> Any:
    """Return what compares equal as closely as the decimals of a number allow."""
    decimals = len(expected.partition(".")[2])
    tolerance = {4: 1e-4, 5: 1e-5, 6: 1e-6}.get(decimals, 1e-9)
    return pytest.approx(float(expected), rel=0, abs=tolerance)


def assert_close(
    found: Valued,
    expected: dict[str, dict[str, Any]],
    oracle: str = "plain Python",
    least: int = 400,
) -> None:
    """Compare values of measures by query, at least so many, as doubles allow."""
    compared: Counter[str] = Counter()
    for measure, values in expected.items():
        for query, value in values.items():
            ours = found.query(measure, query)
            where = f"{measure} of {query}: {ours} is not {value}"
            assert (ours is None) == (value is None), where
            if ours is not None:
                assert abs(ours - value) <= 1e-9 * max(1, abs(value)), where
            compared[parse(measure)[0].family.name] += 1
    assert compared.total() >= least
    record(oracle, compared)
