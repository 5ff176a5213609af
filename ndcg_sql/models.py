"""SQLAlchemy's tables of the public relations, with comments, types and keys.

They describe the views of a warehouse, the tables of a published file, and those
that publish makes in another database. There they are in a schema: pass
execution_options={"schema_translate_map": {None: "ndcg_sql"}} to create_engine.
A warehouse has all of them. Where the info of a table has "may_be_left_out", publish
leaves the relation out if it is too large: see whether the table is there.
Importing this module reads only files of the package, and opens no database.
"""

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Double,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
)
from sqlalchemy.types import TypeEngine

from ndcg_sql.database.relations import Relation, relations

TYPES: dict[str, TypeEngine[Any]] = {
    "bigint": BigInteger(),
    "boolean": Boolean(),
    "double": Double(),
    "integer": Integer(),
    "timestamp": DateTime(),
    "varchar": Text(),
}
metadata = MetaData()


def table_of(
    relation: Relation,
    metadata: MetaData,
    types: dict[str, TypeEngine[Any]] = TYPES,
    has_key: bool = True,
) -> Table:
    """Return the table of a relation, added to some metadata."""
    columns: list[Column[object]] = []
    for name, kind in relation.columns.items():
        column = Column[object](
            name,
            types[kind],
            nullable=relation.may_be_null(name),
            autoincrement=False,
            comment=relation.meaning(name),
        )
        columns.append(column)
    return Table(
        relation.name,
        metadata,
        *columns,
        *([PrimaryKeyConstraint(*relation.key)] if has_key else []),
        comment=relation.comment,
        info={"may_be_left_out": relation.may_be_left_out},
    )


_tables = {name: table_of(one, metadata) for name, one in relations().items()}


def __getattr__(name: str) -> Table:
    """Return the table of a relation, such as run_values."""
    if name in _tables:
        return _tables[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the tables, too."""
    return [*globals(), *_tables]
