"""An empty warehouse that is built with the package, from which new ones are copied.

Making every table and view takes a second, copying them some hundredths of one.
"""

from functools import cache
from pathlib import Path

from ndcg_sql.database import sql_files, views


@cache
def path() -> Path | None:
    """Return the template of the present SQL, or None where there is none.

    There is none in a checkout whose SQL was edited after it was installed.
    """
    file = Path(__file__).parent / name()
    return file if file.is_file() else None


def name() -> str:
    """Return the file name of the template, which changes with the SQL in it."""
    parts = map(sql_files.checksum, sql_files.migrations().values())
    text = "\n".join([*parts, views.checksum()])
    return f"template-{sql_files.checksum(text)[:16]}.duckdb"
