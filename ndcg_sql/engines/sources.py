"""The selects that measures over a user's tables need, as DuckDB reads them."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import duckdb

from ndcg_sql.database import chain, sql_files, views
from ndcg_sql.engines.deciding import ENDLESS
from ndcg_sql.engines.engine import GREEDY
from ndcg_sql.engines.tables import Tables
from ndcg_sql.measures.names import Measure
from ndcg_sql.text import sql_name, sql_text

# Public relations that a script may have.
RESULTS = (
    *("query_values", "run_values", "slice_values"),
    *("comparisons", "run_comparisons", "slice_comparisons"),
)
# Nothing is stored in a script, and no measure is one of runs as wholes.
COMPUTED = {
    "run_queries": "computed_run_queries",
    "evaluations": "computed_evaluations",
    "hits": "computed_hits",
    "stored_values": "computed_values",
}
# The types of the columns of measures, if not double.
_TYPES: Mapping[str, str] = {
    **dict.fromkeys(("measure", "family", "summary", "dcg_kind", "gains"), "varchar"),
    **dict.fromkeys(("ideal", "tie_rule", "known", "norm", "no_rel"), "varchar"),
    **dict.fromkeys(("missing", "by_attribute", "origin"), "varchar"),
    **dict.fromkeys(("judged_only", "relative", "normalize"), "boolean"),
    "lower_is_better": "boolean",
}
# The values of queries are read where users find them.
_STORED = (
    "select run as run_id, 1 as judgment_set_id, query_id, measure, value,"
    " nothing_relevant from query_values"
)
_VALUE = "given_queries.attribute_value"
# Columns of measures that no formula reads.
_OF_STORED = ("higher_is_better", "reads_judgments")
_OF_STORE = re.compile(r"\bstore\.(\w+)$", re.MULTILINE)
_NAMED = re.compile(r"(inner join store.measures|left join store.run_queries) using .*")


def selects(
    measures: Sequence[Measure],
    tables: Tables,
    baseline: str | None,
    public: Collection[str],
) -> tuple[dict[str, str], set[str]]:
    """Return the selects of all relations by name, and those that have no rows."""
    families = frozenset(measure.family.name for measure in measures)
    chosen = chain.texts(families, total=chain.SUM)
    texts = {name: view.select for name, view in views.computing().items()} | chosen
    texts |= {name: texts[other] for name, other in COMPUTED.items()}
    for path in sql_files.names("emit"):
        if not path.startswith("emit/checks/"):
            texts[path.rpartition("/")[2]] = sql_files.read(path)
    if tables.placed:
        texts["rankings"] = texts["placed_rankings"]
    if tables.of_subtopics:
        texts["judgments"] = texts["highest_judgments"]
    texts["query_attributes"] = _attributes(tables, texts["query_attributes"])
    if baseline is not None:
        texts["run_pairs"] = (
            f"from ({texts['run_pairs']}) as p where baseline = {sql_text(baseline)}"
        )
    for name in RESULTS:
        if name in public:
            texts[f"{name}_"] = texts.get(name, "")
            shown = _NAMED.sub("", views.public()[name].select)
            texts[name] = _OF_STORE.sub(lambda m: _behind(m[1], public), shown)
    if "query_values" in public:
        computed = texts["query_values_"].replace("stored_values", "computed_values")
        texts |= {"query_values_": computed, "stored_values": _STORED}
    gains = [row for measure in measures for row in measure.gain_rows]
    kinds = ("gain_scheme", "varchar"), ("grade", "double"), ("gain", "double")
    texts["gains"] = _rows(kinds, dict.fromkeys(gains) or [("", 0, 0)])
    texts["measures"] = _measures(measures)
    texts = {name: sql_files.code(text) for name, text in texts.items()}
    empty = _fold(texts)
    empty |= {"loaded_values", "empty_answers"}
    if not gains:
        empty.add("gains")
    if not any(measure.family.name in GREEDY for measure in measures):
        empty.add("greedy_rankings")
    return texts, empty


def _behind(name: str, public: Collection[str]) -> str:
    """Return what a public relation reads; what has its name gets another one."""
    return f"{name}_ as {name}" if name in public else name


def _attributes(tables: Tables, text: str) -> str:
    """Return the select of attributes: one for each column of queries that is named."""
    names = [column.strip('"') for column in tables.slices]
    branches = [
        text.replace("$attribute", sql_text(name)).replace(
            _VALUE, f"given_queries.{sql_name(name)} "
        )
        for name in names or ["query_id"]
    ]
    return "\nunion all\n".join(branches) + ("" if names else "where false")


def _measures(measures: Sequence[Measure]) -> str:
    """Return the select of the measures."""
    kinds = [
        (column, _TYPES.get(column, "double"))
        for column in measures[0].row
        if column not in _OF_STORED
    ]
    return _rows(kinds, [[m.row[c] for c, _ in kinds] for m in measures])


def _fold(texts: dict[str, str]) -> set[str]:
    """Write settings and bases as literals; return the relations without rows."""
    words = set(re.findall(r"\w+", " ".join(texts.values())))
    with duckdb.connect() as connection:

        def result(name: str) -> Any:
            # In an order, so that a script is always the same.
            select = chain.statement(chain.parts(name, texts))
            return connection.sql(f"{select} order by all")

        empty = {name for (name,) in result("unneeded").fetchall() if name}
        deep = result("bases").filter(f"depth < {ENDLESS}").max("depth").fetchall()
        literals: dict[str, str] = {}
        for name in ("settings", "bases"):
            relation = result(name)
            kinds = [
                (column, str(kind).lower())
                for column, kind in zip(relation.columns, relation.types, strict=True)
                if column in words
            ]
            rows = relation.select(*(column for column, _ in kinds)).fetchall()
            literals[name] = _rows(kinds, rows)
    deepest = str(int(deep[0][0] or 1))
    texts["positions"] = texts["positions"].replace("$deepest", deepest)
    texts |= {**literals, "measures": "select * from settings"}
    return empty


def _rows(kinds: Iterable[tuple[str, str]], rows: Iterable[Sequence[Any]]) -> str:
    """Return rows of literals as selects."""
    columns = list(kinds)
    return " union all ".join(
        "select "
        + ", ".join(
            f"{_literal(value, kind)} as {column}"
            for value, (column, kind) in zip(row, columns, strict=True)
        )
        for row in rows
    )


def _literal(value: Any, kind: str) -> str:
    """Return a value as SQL of its type."""
    if isinstance(value, str):
        return sql_text(value)
    text = "null" if value is None else repr(value).lower().removesuffix(".0")
    is_plain = isinstance(value, bool) or (value is not None and kind != "double")
    return text if is_plain else f"cast({text} as {kind})"
