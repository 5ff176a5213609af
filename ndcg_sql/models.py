"""SQLAlchemy's tables of the public relations, with comments, types and keys.

They describe the views of a warehouse, the tables of a published file, and those
that publish makes in another database. There they are in a schema: pass
execution_options={"schema_translate_map": {None: "ndcg_sql"}} to create_engine.
A warehouse has all of them. Where the info of a table has "may_be_left_out", publish
leaves the relation out if it is too large: see whether the table is there. The columns
of queries_with_attributes depend on what was loaded: reflect it where it is published.
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

agreement = _tables["agreement"]
assessment_sets = _tables["assessment_sets"]
assessments = _tables["assessments"]
comparisons = _tables["comparisons"]
document_attributes = _tables["document_attributes"]
documents = _tables["documents"]
evaluations = _tables["evaluations"]
gains = _tables["gains"]
history = _tables["history"]
ideal_rankings = _tables["ideal_rankings"]
judgment_changes = _tables["judgment_changes"]
judgment_set_parents = _tables["judgment_set_parents"]
judgment_sets = _tables["judgment_sets"]
judgments = _tables["judgments"]
known_documents = _tables["known_documents"]
measure_names = _tables["measure_names"]
measures = _tables["measures"]
ndcg = _tables["ndcg"]
ndcg_steps = _tables["ndcg_steps"]
queries = _tables["queries"]
query_attributes = _tables["query_attributes"]
query_values = _tables["query_values"]
rankings = _tables["rankings"]
run_comparisons = _tables["run_comparisons"]
run_documents = _tables["run_documents"]
run_scorecard = _tables["run_scorecard"]
run_tags = _tables["run_tags"]
run_values = _tables["run_values"]
runs = _tables["runs"]
slice_comparisons = _tables["slice_comparisons"]
slice_history = _tables["slice_history"]
slice_values = _tables["slice_values"]
subtopic_judgments = _tables["subtopic_judgments"]
unjudged_documents = _tables["unjudged_documents"]
value_changes = _tables["value_changes"]
weighted_run_values = _tables["weighted_run_values"]
