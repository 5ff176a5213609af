"""What an engine does differently: each rule changes what would have other values."""

import re
from pathlib import Path

import pytest
import sqlglot
from sqlglot import exp
from sqlglot.optimizer.annotate_types import annotate_types

from ndcg_sql.engines.dialects import ENGINES
from ndcg_sql.engines.layout import written
from ndcg_sql.engines.relations import parsed, portable
from ndcg_sql.engines.script import Emission, script
from ndcg_sql.engines.tables import Tables
from ndcg_sql.measures.families import families
from ndcg_sql.measures.names import parse
from support.engines import NOT_RUN
from support.subtopics import OF_JUDGMENTS

TABLES = Tables(
    "shop.results", "shop.grades", run="system", queries="shop.q", slices=("land",)
)
RULES = re.findall(
    "(?m)^(\\w+): (.+) => (.+)$",
    Path(__file__).with_suffix(".txt").read_text(encoding="utf-8"),
)


@pytest.mark.parametrize(("dialect", "items", "wanted"), RULES)
def test_rule(dialect: str, items: str, wanted: str) -> None:
    select = f"select {items}" + ("" if " from " in items else " from t")
    tree = annotate_types(portable(parsed(select), ENGINES[dialect]))
    text = " ".join(written(ENGINES[dialect], tree).split())
    found = text.replace("( ", "(").replace(" )", ")")
    assert wanted.replace("t.", "") in found, found


@pytest.mark.slow
@pytest.mark.parametrize("dialect", NOT_RUN)
def test_script_of_all_families_parses_in_its_dialect(dialect: str) -> None:
    taken = OF_JUDGMENTS.keys() - ENGINES[dialect].refused
    measures = parse(" ".join(families()[name].example for name in sorted(taken)))
    text = script(Emission(dialect, measures, TABLES, baseline="base"))
    assert "not run on the engine" in text
    known: set[str] = set()
    for statement in sqlglot.parse(text, read=dialect):
        # sqlglot takes what it cannot parse as a command.
        assert statement is not None
        assert not isinstance(statement, exp.Command)
        # Each table reads what was created before; those that run would fail.
        tables = {table.name for table in statement.find_all(exp.Table) if table.db}
        if isinstance(statement, exp.Create) and statement.kind == "TABLE":
            name = statement.this.name
            assert tables - {name} <= known | {"results", "grades", "q"}
            known.add(name)
    assert len(known) >= 30
    assert {"query_values", "run_values", "slice_values", "comparisons"} <= known


def test_a_column_of_one_table_is_named_before_those_of_all() -> None:
    tables = Tables("a", "b", {"judgments.query_id": "q", " query_id": "u"})
    assert tables.needed("judgments") == ["q", "doc_id", "grade"]
    assert tables.needed("rankings") == ["u", "doc_id", "score"]
