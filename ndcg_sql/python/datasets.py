"""The dataset that a question names, in every call that messages name."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests.fields import options_of, questions
from ndcg_sql.system.messages import Changing, Messages
from ndcg_sql.wording import Call

# Their dataset limits where a measure is registered; no hint is about it.
_REGISTERING = ("add_measures", "remove_measures")


@contextmanager
def carried(dataset: object, messages: Messages) -> Generator[Messages]:
    """Give messages; the calls in them, and in a refusal, name a dataset.

    A call that names one itself stays as it is. The dataset that new data goes to by
    default need not be named.
    """
    if not isinstance(dataset, str) or dataset == "default":
        yield messages
        return

    def named(one: Call) -> Call:
        """Return a call with the dataset."""
        if "dataset" in one.fields or one.method not in _with_datasets():
            return one
        return replace(one, fields={"dataset": dataset, **one.fields})

    try:
        yield Changing(messages, named)
    except NdcgSqlError as error:
        error.change(lambda text: text.with_calls(named))
        raise


@cache
def _with_datasets() -> frozenset[str]:
    """Return the methods that take the dataset of what they are about."""
    return frozenset(
        method
        for method in questions()
        if method not in _REGISTERING and "dataset" in options_of(method)
    )
