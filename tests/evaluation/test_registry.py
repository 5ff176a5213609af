"""Measures that are registered, and those that are computed for a report alone."""

from pathlib import Path
from typing import Any

import pytest

from ndcg_sql.python.warehouse import Warehouse
from support import exploring
from support.files import digest, tables
from support.scripts import scripted

_FILE = Path("ndcg.duckdb")
_NOTED: dict[Path, Any] = {}
_ALONE: dict[str, Any] = {}
NEWER = {"q1": {"u": 3, "a": 1}, "q3": {"a": 0.5}, "q4": {"z": 0}}
RANKED = {"q1": ["b", "a", "u"], "q3": ["a"]}
UNREGISTERED = [
    "nDCG(dcg='exp-log2')@10",
    "nDCG(gains={1:3.5,2:9})@10",
    "nDCG(no_rel='omit',missing='omit')",
    "P(rel=2)@5",
    "Judged@10",
]


def noted() -> bool:
    """Return whether the tables are as they were when they were first noted here."""
    return _NOTED.setdefault(Path.cwd(), tables(_FILE)) == tables(_FILE)


def alone(*measures: str, run: str = "base") -> bool:
    """Return whether the values of a run are those that were first reported."""
    found = {m: Warehouse(_FILE).report(m, runs=run)["value"] for m in measures}
    return all(_ALONE.setdefault(name, value) == value for name, value in found.items())


test_script = scripted(__file__, noted, alone)


def rows(own: Warehouse, measure: str, **fields: Any) -> list[dict[str, Any]]:
    """Return the rows of means and of queries, which leave the file as it was."""
    before = digest(_FILE), _FILE.stat().st_mtime_ns
    found = [
        row
        for per_query in (False, True)
        for row in own.report(measure, per_query=per_query, **fields).to_dicts()
    ]
    assert (digest(_FILE), _FILE.stat().st_mtime_ns) == before
    return found


@pytest.mark.usefixtures("loaded")
@pytest.mark.parametrize(
    "measure", exploring.mostly_slow(UNREGISTERED, UNREGISTERED[1])
)
def test_an_unregistered_measure_is_computed_without_writing(measure: str) -> None:
    own = Warehouse(_FILE)
    computed = rows(own, measure)
    assert len(list(Path().iterdir())) == 1
    own.add_measures(measure)
    assert repr(rows(own, measure)) == repr(computed)
    assert [row["measure"] for row in computed] == [measure] * 3


@pytest.mark.usefixtures("loaded")
def test_a_pair_that_is_not_evaluated_is_computed_for_the_report() -> None:
    # The run "late" meets the set "newer" only; "base" meets both.
    own = Warehouse(_FILE)
    own.load_judgments(NEWER, "newer")
    own.load_run(RANKED, "late")
    wanted = "nDCG@10 nDCG(gains={1:3.5,2:9})@10 P@5"
    old = rows(own, wanted, judgments="qrels")
    runs = {name: [r for r in old if r["run"] == name] for name in ("base", "late")}
    assert len(runs["base"]) == len(runs["late"]) > 0
    for mine, theirs in zip(runs["base"], runs["late"], strict=True):
        assert repr({**mine, "run": "late"}) == repr(theirs)
    assert {row["judgment_set"] for row in old} == {"qrels"}
    assert {row["judgment_set"] for row in rows(own, wanted)} == {"newer"}
