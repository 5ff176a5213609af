"""Rows whose run, set or evaluation is not there, as a kill can leave them.

A commit of ours writes no log, see write_at_commit. Other programs, and earlier
commands beside whose transaction another one was open, may have left one.
"""

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import FILLING, Database
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import counted

# The name of the proofs in sql/proofs.csv that rows have owners.
PROOF = "owners of rows"


def remove_ownerless(database: Database, messages: Messages) -> None:
    """Remove rows without an owner, in a transaction of their own, and report it.

    Also drop what giving back the space at the end of the file left.
    """
    database.execute(f"drop table if exists {database.stored(FILLING)}")
    ownerless = _ownerless(database)
    counts = " union all ".join(
        f"select count(*) as n from {rows}" for rows in ownerless
    )
    if not counts or database.execute(f"select sum(n) from ({counts})") == [(0,)]:
        return
    with database.transaction():
        counts = [database.execute(f"delete from {rows}")[0][0] for rows in ownerless]
    removed = f"{database.shown}: removed {counted(sum(counts), 'row')}"
    messages.tell(f"{removed} that an interrupted command left behind")


def _ownerless(database: Database) -> list[str]:
    """Return the tables that have rows, and the condition of those without an owner.

    It looks for numbers below the highest one that no owner has: DuckDB finds them by
    the statistics of the table, without reading it.
    """
    filled = database.run("lookups/filled_tables")
    conditions: list[str] = []
    for row in sql_files.rows("proofs"):
        table, owners, keys = row["relation"], row["other"], row["key"].split()
        if row["proof"] != PROOF or (table,) not in filled:
            continue
        if len(keys) == 1:
            [key] = keys
            highest = f"select {key} from {table} order by {key} desc limit 1"
            missing = (
                f"select cast(range as integer) from range(1, 1 + ({highest}))"
                f" where range not in (select {key} from {owners})"
            )
        else:
            missing = (
                "select run_id, judgment_set_id from runs inner join judgment_sets"
                f" using (dataset) anti join {owners} using (run_id, judgment_set_id)"
            )
        conditions.append(f"{table} where ({', '.join(keys)}) in ({missing})")
    return conditions
