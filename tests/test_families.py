"""Families of measures: only those are planned that somebody asks for."""

import json
from pathlib import Path

import pytest
from conftest import Command

from ndcg_sql import sqlfiles
from ndcg_sql.families import families


@pytest.mark.parametrize("family", families())
def test_each_family_has_one_part_of_the_union(family: str) -> None:
    assert "union all" not in sqlfiles.values_of({family})
    assert sqlfiles.values_of({family}).count("from ") == 1


def test_all_families_are_the_whole_union() -> None:
    (whole,) = (v.select for v in sqlfiles.views() if v.name == "family_values")
    assert sqlfiles.values_of(set(families())) == whole
    assert whole.count("union all") == len(families()) - 1


def test_a_multiple_of_r_may_be_deeper_than_any_cutoff(
    ndcg: Command, tmp_path: Path
) -> None:
    judged = "".join(f"q 0 d{n} 1\n" for n in range(1500))
    (tmp_path / "qrels").write_text(judged)
    (tmp_path / "run").write_text("q Q0 d7 1 1 t\n")
    asked = ("-m", "Rprec_mult@1000000", "--format", "json")
    (row,) = json.loads(ndcg("eval", "qrels", "run", *asked).out)
    assert row["value"] == 1 / (1500 * 1_000_000)
