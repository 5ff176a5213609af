"""The options of questions."""

from typing import get_args

from ndcg_sql.comparison.significance import STATISTICS
from ndcg_sql.measures.systems import systems
from ndcg_sql.questions.comparisons import compare
from ndcg_sql.requests import choices
from ndcg_sql.requests.fields import fields_of


def test_the_help_names_every_test_of_significance() -> None:
    [test] = [field for field in fields_of(compare) if field.name == "test"]
    words = get_args(choices.Test)
    assert str(test.help).endswith(f"one of {', '.join(words)}.")
    tests = {name[2:] for name in STATISTICS if name.startswith("p_")}
    assert tests == {*words, "adjusted"}


def test_the_systems_of_the_options_are_the_rows_of_the_table() -> None:
    assert get_args(choices.System) == (*systems(),)
