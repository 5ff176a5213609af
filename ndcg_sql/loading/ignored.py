"""Columns of files that nothing was read from, as loading tells them."""

from collections.abc import Iterable

from ndcg_sql.text import quoted, shortened
from ndcg_sql.wording import Wording, use


def ignored_columns(
    ignored: Iterable[str], column: str = "", name: str | None = None, what: str = ""
) -> Wording:
    """Return the columns that were ignored.

    Where the one of this name may have a meaning, what says which, and column is what
    it would be read as.
    """
    line: Wording = f"ignored columns: {', '.join(map(shortened, ignored))}"
    if name is not None:
        line += f"; if {quoted(name)} {what}: " + use(columns={column: name})
    return line
