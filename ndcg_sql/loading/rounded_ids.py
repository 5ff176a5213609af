"""Ids that a spreadsheet took for numbers and rounded, so that many became one."""

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.sources import Source
from ndcg_sql.text import quoted
from ndcg_sql.wording import Wording

# So many rows show whether all need a closer look, which takes longer.
_FIRST = 100_000


def warnings(database: Database, source: Source, how: Layout) -> list[Wording]:
    """Return a warning if staged rows have several such ids.

    A mark of decimals and an exponent tell them: 1E5 may be an id. It is no refusal, as
    even these may be what users searched for.
    """
    columns = [column for column in ("query_id", "doc_id") if column in how.fields]
    if not columns or how.apart_by == "blanks":
        # No spreadsheet writes the files of TREC.
        return []
    may_be = " or ".join(f"contains({column}, 'E+')" for column in columns)
    rows = f"from (from staged limit {_FIRST}) where {may_be} limit 1"
    if not database.execute(rows):
        return []
    fields = {f"{key}_field": how.fields.get(f"{key}_id") for key in ("query", "doc")}
    select = sql_files.composed((*how.steps, "warnings/rounded_ids"))
    return [
        f"{source.shown}: {count} ids were rounded, such as {quoted(first)} in"
        f" {'rows' if how.by_row else 'lines'} {', '.join(map(str, lines))}: a"
        " spreadsheet took them for numbers, and made one id of many; export them"
        " again, and format their column as text before the file is saved"
        for count, first, lines in database.execute(
            select, {**how.parameters, **fields}
        )
    ]
