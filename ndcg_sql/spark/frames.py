"""A relation of a script as a DataFrame of a Spark session: one statement.

Spark parses the text of a view again wherever the view is read, so that planning
layers of views takes too long; expressions of one statement are parsed once.
"""

import re
import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from ndcg_sql.engines.layout import written
from ndcg_sql.engines.relations import Relation, is_local
from ndcg_sql.engines.spark import ENGINE

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_PREFIX = "given_"
_MARK = "ndcg_sql_frame_"


def frame(
    spark: "SparkSession",
    frames: "Mapping[str, DataFrame]",
    tree: exp.Expr,
    relations: Mapping[str, Relation] | None = None,
) -> "DataFrame":
    """Return a select over relations, which read one another in their order.

    frames are the relations that are there already, and the tables of the user under
    the names given_rankings, given_judgments and given_queries.
    """
    select, reads = _read(tree)
    expressions: list[str] = []
    for name, relation in reversed(list((relations or {}).items())):
        if name in reads and name not in frames:
            text, more = _read(relation.tree)
            expressions.insert(0, f"{name} as (\n{textwrap.indent(text, '    ')}\n)")
            reads |= more
    text = f"select * from (\n{select}\n)"
    if expressions:
        text = f"with {', '.join(expressions)}\n{text}"
    # Spark takes DataFrames as names in braces.
    text = text.replace("{", "{{").replace("}", "}}")
    for name in reads & frames.keys():
        text = re.sub(rf"\b{_MARK}{name}\b", f"{{{name}}}", text)
    text = text.replace(_MARK, "")
    # It makes a view of each and drops it, and with it what the user cached of the
    # same DataFrame; a filter makes it another one.
    arguments: dict[str, Any] = {
        name: frames[name].filter("true") for name in reads & frames.keys()
    }
    return spark.sql(text, **arguments)


def _read(tree: exp.Expr) -> tuple[str, set[str]]:
    """Return a select, in which the tables that it reads are marked, and these."""
    tree = tree.copy()
    names: set[str] = set()
    for table in list(tree.find_all(exp.Table)):
        alias = table.alias_or_name
        is_of_user = alias.startswith(_PREFIX)
        if is_of_user or not is_local(table, tree):
            name = alias if is_of_user else table.name
            names.add(name)
            table.replace(exp.alias_(exp.to_table(_MARK + name), alias, table=True))
    return written(ENGINE, tree), names
