"""UBI: the events that OpenSearch's User Behavior Insights keeps, as JSON lines."""

import re

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.format import FORM, NO, Format, Sample
from ndcg_sql.reading.layouts import Layout, ReadRequest, glob_safe
from ndcg_sql.reading.sources import Source
from ndcg_sql.wording import Blank, call

_EVENT = re.compile(r'\s*\{.*"action_name"|\s*\{\s*"(index|create)"')


class Ubi(Format):
    """An event on each line: a search, an action, an object and its position."""

    name = "ubi"
    help = "the index ubi_events of OpenSearch, an event on each line"

    def sniff(self, sample: Sample) -> int:
        """Detect by the name of the action in the first line of a log of clicks."""
        is_log = sample.request.kind == "clicks" and not sample.request.named
        return FORM if is_log and _EVENT.match(sample.first_line) else NO

    def layout(self, source: Source, request: ReadRequest) -> tuple[Layout, Source]:
        """Read the members that the specification names."""
        if request.kind != "clicks":
            way = call("load_clicks", Blank("FILE"))
            raise NdcgSqlError(f"{source.shown}: events", "load them with " + way)
        columns = ("query_id", "doc_id", "action", "position", "time")
        how = Layout(
            ("read/lines", "read/ubi_events"),
            {"path": glob_safe(source.readable)},
            {column: at for at, column in enumerate(columns, 1)},
            (len(columns), len(columns)),
            "an object as in ubi_events",
        )
        return how, source


FORMATS = (Ubi(),)
