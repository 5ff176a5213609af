"""The dataset that a request names, in every call that is told about it."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from typing import get_args

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.answering import CHANGES, QUESTIONS
from ndcg_sql.requests.changes import AddMeasuresRequest, RemoveMeasuresRequest
from ndcg_sql.requests.fields import fields_of, method_of, stated
from ndcg_sql.requests.figures import PlotRequest
from ndcg_sql.requests.loading import Loading
from ndcg_sql.requests.publishing import ExportRequest
from ndcg_sql.system.messages import Changing, Messages
from ndcg_sql.wording import Call

# Their dataset limits where a measure is registered; no hint is about it.
_REGISTERING = (AddMeasuresRequest, RemoveMeasuresRequest)


@contextmanager
def carried(request: object, messages: Messages) -> Generator[Messages]:
    """Give messages; the calls in them, and in a refusal, name a request's dataset.

    A call that names one itself stays as it is.
    """
    dataset = stated(type(request), request).get("dataset")
    if not isinstance(dataset, str):
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
    requests = {*QUESTIONS, *CHANGES, *get_args(Loading), PlotRequest, ExportRequest}
    return frozenset(
        method_of(request)
        for request in requests.difference(_REGISTERING)
        if any(field.name == "dataset" for field in fields_of(request))
    )
