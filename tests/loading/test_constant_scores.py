"""Runs whose scores order nothing."""

import re
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import ndcg_sql
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from support.commands import Command

Ranked = Mapping[str, Mapping[str, float]]
JUDGED = {f"q{n}": {"a": 1} for n in range(10)}
SAID = (
    'run "run": all documents have the same score in 10 of 10 queries with several'
    " documents and a judged one; positions there are by document id, descending; to"
    ' leave this unsaid: position_rule="score"'
)


def written(path: Path, run: Ranked) -> Path:
    """Write a run as rows without ranks."""
    rows = [f"{q},{d},{score}" for q in run for d, score in run[q].items()]
    path.write_text("\n".join(["query_id,doc_id,score", *rows, ""]))
    return path


def test_constant_scores_are_told() -> None:
    run = {query: {"a": 0.0, "b": 0.0} for query in JUDGED}
    with pytest.warns(UserWarning, match=re.escape(SAID)):
        ndcg_sql.evaluate(JUDGED, run, "RR")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ndcg_sql.evaluate(JUDGED, run, "RR", position_rule="score")


@pytest.mark.slow
def test_constant_scores_are_told_wherever_a_run_is_loaded(ndcg: Command) -> None:
    run = {query: {"a": 1.0, "b": 1.0} for query in JUDGED}
    path = written(Path("run.csv"), run)
    for content in (run, path):
        with Warehouse.memory() as warehouse:
            warehouse.load_judgments(JUDGED)
            assert warehouse.load_run(content, "run").warnings == (SAID,)
            chosen: Any = {"position_rule": "score", "strict": True}
            assert not warehouse.load_run(content, "chosen", **chosen).warnings
            with pytest.raises(NdcgSqlError, match="same score in 10 of 10 queries"):
                warehouse.load_run(content, "strict", strict=True)
    with pytest.warns(UserWarning, match=re.escape(SAID)):
        ndcg_sql.evaluate(JUDGED, path, "RR")
    lines = [f"{query},a,1" for query in JUDGED]
    Path("qrels.csv").write_text("\n".join(["query_id,doc_id,grade", *lines, ""]))
    told = ndcg("eval", "qrels.csv", "run.csv", "-m", "RR")
    assert SAID.replace('position_rule="score"', "--positions score") in told.err
    assert (
        "same score"
        not in ndcg(
            "eval", "qrels.csv", "run.csv", "-m", "RR", "--positions", "score"
        ).err
    )
