"""What is known of queries: text, weight, and attributes to slice by."""

from collections.abc import Callable
from pathlib import Path

from ndcg_sql import files
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.formats import Reading
from ndcg_sql.layouts import layout
from ndcg_sql.staging import check_staged, stage
from ndcg_sql.text import check_name, counted, listed, quoted
from ndcg_sql.warehouse import Warehouse


def load(
    warehouse: Warehouse,
    path: Path,
    dataset: str,
    reading: Reading,
    tell: Callable[[str], None],
    streams: files.Streams | None = None,
) -> None:
    """Load a file of queries; every further column is an attribute.

    What the file says of a query takes the place of what was known; of columns
    that it has not, nothing changes. streams hold the file if it
    was opened before. Raises NdcgSqlError, and stores nothing, if anything is
    wrong with the file.
    """
    fault = check_name("dataset", dataset)
    if fault:
        raise NdcgSqlError(fault)
    with (
        warehouse.transaction(),
        files.opened(path, tell, warehouse.folder, streams) as source,
    ):
        how, source = layout(source, "queries", reading)
        stage(warehouse, "queries", source, how)
        check_staged(warehouse, "queries", source, how)
        for column in ("text", "weight"):
            if column in how.fields:
                warehouse.run(f"store/query_{column}s", {"dataset": dataset})
        warehouse.run("store/queries", {"dataset": dataset})
        for attribute, place in how.attributes.items():
            named = {"dataset": dataset, "attribute": attribute, "field": place}
            warehouse.run("store/old_query_attributes", named)
            warehouse.run("store/query_attributes", named)
        count = warehouse.execute("select count(*) from staged")[0][0]
        unknown = warehouse.run("reports/unknown_queries", {"dataset": dataset})
        is_new = not warehouse.run("reports/has_ranked", {"dataset": dataset})[0][0]
    tell(f"loaded {counted(count, 'query', 'queries')} of dataset {quoted(dataset)}")
    if how.left_out:
        tell(f"left out {listed(how.left_out)}: an attribute is one text or number")
    if is_new:
        tell(
            f"warning: dataset {quoted(dataset)} has no judgments and no runs yet;"
            " is its name misspelt?"
        )
    elif unknown:
        are = "is" if len(unknown) == 1 else "are"
        tell(
            f"warning: {len(unknown)} of these queries {are} in no run and no judgment"
            f" set of the dataset: {listed((query for (query,) in unknown), 5)}"
        )
