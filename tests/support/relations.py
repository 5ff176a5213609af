"""The types of the public columns, as a new warehouse has them.

python tests/support/relations.py writes them to sql/public_columns.csv.
"""

import csv
import io
from pathlib import Path

from ndcg_sql.database import opening, views

FILE = Path(__file__).parents[2] / "sql" / "public_columns.csv"


def written() -> str:
    """Return the text of sql/public_columns.csv for the views of this version."""
    with opening.memory() as warehouse:
        rows = warehouse.execute(
            "select table_name, column_name, lower(data_type) from duckdb_columns()"
            " where schema_name = 'main' and list_contains($names, table_name)"
            " order by table_name, column_index",
            {"names": list(views.public())},
        )
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("relation", "column", "type"))
    writer.writerows(rows)
    return text.getvalue()


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
