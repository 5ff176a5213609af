"""The fields of requests."""

import pickle
from dataclasses import FrozenInstanceError, replace
from typing import Any, get_args

import pytest

from ndcg_sql.comparison.significance import COLUMNS
from ndcg_sql.measures.systems import systems
from ndcg_sql.questions.comparisons import compare
from ndcg_sql.requests import choices
from ndcg_sql.requests.changes import FuseRequest
from ndcg_sql.requests.fields import fields_of


def test_the_help_names_every_test_of_significance() -> None:
    [test] = [field for field in fields_of(compare) if field.name == "test"]
    words = get_args(choices.Test)
    assert str(test.option.help).endswith(f"one of {', '.join(words)}.")
    tests = {name[2:] for name in COLUMNS if name.startswith("p_")}
    assert tests == {*words, "adjusted"}


def test_the_systems_of_the_requests_are_the_rows_of_the_table() -> None:
    assert get_args(choices.System) == (*systems(),)


def test_a_request_is_frozen_and_equal_to_one_with_the_same_values() -> None:
    request: Any = FuseRequest(name="values", runs=("a",))
    with pytest.raises(FrozenInstanceError, match="runs"):
        request.runs = ("b",)
    with pytest.raises(FrozenInstanceError, match="run"):
        request.run = ("b",)
    with pytest.raises(FrozenInstanceError, match="runs"):
        del request.runs
    assert replace(request, runs=("b",)).runs == ("b",)
    assert request == pickle.loads(pickle.dumps(request)) != replace(request, runs=())
    assert repr(request).startswith("FuseRequest(runs=('a',), ")
