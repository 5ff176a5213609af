"""What loads content, whatever its kind, as a question says."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ndcg_sql.questions.handle import Handle

if TYPE_CHECKING:
    from ndcg_sql.loading.loaded import LoadedItem
    from ndcg_sql.reading.columns import Kind


def loaded_items(
    warehouse: Handle, kind: "Kind", data: Any, values: Mapping[str, Any]
) -> "list[LoadedItem]":
    """Load files, folders, rows of a database or a frame; return what they became.

    values are those of the parameters of the question. What may be slow is read before
    the warehouse is opened.
    """
    # What reads files is imported by who loads some: a report would wait for it.
    from ndcg_sql.loading import frames
    from ndcg_sql.loading.options import Options

    options, messages = Options.of(values), warehouse.messages
    where = warehouse.folder, warehouse.limits
    with frames.received(data, kind, options, messages, *where) as content:
        return frames.load(warehouse.made, content, kind, options, messages)
