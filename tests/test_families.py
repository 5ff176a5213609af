"""Families of measures: only those are planned that somebody asks for."""

import pytest

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
