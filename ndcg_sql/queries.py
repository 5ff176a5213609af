"""What is known of queries: text, weight, and attributes to slice by."""

from collections.abc import Callable
from pathlib import Path

from ndcg_sql import files
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.formats import layout
from ndcg_sql.staging import check_staged, scratch_folder, stage
from ndcg_sql.text import check_name, counted, quoted
from ndcg_sql.warehouse import Warehouse


def load(
    warehouse: Warehouse,
    path: Path,
    dataset: str,
    columns: dict[str, str],
    format_in: str | None,
    tell: Callable[[str], None],
    streams: files.Streams | None = None,
) -> None:
    """Load a CSV or TSV file of queries; every further column is an attribute.

    What was known of the same queries is replaced; streams hold the file if it
    was opened before. Raises NdcgSqlError, and stores nothing, if anything is
    wrong with the file.
    """
    fault = check_name("dataset", dataset)
    if fault:
        raise NdcgSqlError(fault)
    with (
        warehouse.transaction(),
        files.opened(path, tell, scratch_folder(warehouse), streams) as source,
    ):
        how, source = layout(source, "queries", columns, format_in)
        stage(warehouse, "queries", source, how)
        check_staged(warehouse, "queries", source, how)
        for store in ("queries", "query_attributes"):
            warehouse.run(f"store/old_{store}", {"dataset": dataset})
        warehouse.run("store/queries", {"dataset": dataset})
        for attribute, place in how.attributes.items():
            warehouse.run(
                "store/query_attributes",
                {"dataset": dataset, "attribute": attribute, "field": place},
            )
        count = warehouse.execute("select count(*) from staged")[0][0]
    noun = counted(count, "query", "queries")
    tell(f"loaded {noun} of dataset {quoted(dataset)}")
