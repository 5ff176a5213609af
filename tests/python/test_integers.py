"""Integers as ids and names: accepted wherever Python asks for text."""

from typing import Any

import numpy as np
import pytest

from ndcg_sql import NdcgSqlError, Warehouse

JUDGED = {7: {1: 1, 2: 0}, 8: {1: 1}}
RANKED = {7: {1: 2.0, 2: 1.0}, 8: {2: 2.0, 1: 1.0}}


def plain(value: int) -> Any:
    """Return an integer; the types of methods promise text alone."""
    return value


def integer(value: int) -> Any:
    """Return an integer as numpy has it."""
    return np.int64(value)


def test_integers_are_their_digits() -> None:
    with Warehouse.memory() as warehouse:
        warehouse.load_judgments(JUDGED, integer(2024), dataset=integer(1))
        warehouse.load_run(
            RANKED, integer(5), dataset=integer(1), tags={"seed": plain(3)}
        )
        warehouse.load_run(RANKED, "6", dataset="1", tags={"seed": "4"}, replace=True)
        warehouse.tag(plain(6), {integer(9): integer(10)})
        [row] = warehouse.report(
            "P@1", judgments=plain(2024), tags={"seed": integer(3)}
        )
        assert (row["run"], row["judgment_set"], row["value"]) == ("5", "2024", 0.5)
        assert [
            r["run"] for r in warehouse.report("P@1", tags={plain(9): plain(10)})
        ] == ["6"]
        explained = list(warehouse.explain(plain(5), integer(8)))
        assert [one["doc_id"] for one in explained] == ["2", "1"]
        assert explained == list(warehouse.explain("5", "8"))


def test_nothing_else_is() -> None:
    with Warehouse.memory() as warehouse:
        warehouse.load_judgments(JUDGED)
        warehouse.load_run(RANKED, "5")
        others: list[Any] = [7.0, True, None, b"7"]
        for query in others:
            with pytest.raises(NdcgSqlError, match=r"^query.*: not (text|given)"):
                warehouse.explain("5", query)
