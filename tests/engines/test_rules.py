"""Rules of engines and of optimizing change what they say, and no value."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlglot
from sqlglot import exp
from sqlglot.optimizer.annotate_types import annotate_types
from sqlglot.optimizer.eliminate_joins import eliminate_joins

from ndcg_sql.engines.deciding import decided
from ndcg_sql.engines.dialects import ENGINES
from ndcg_sql.engines.folding import constants, optimized
from ndcg_sql.engines.layout import written
from ndcg_sql.engines.relations import parsed, portable
from ndcg_sql.engines.script import Emission, script
from ndcg_sql.engines.statement import parts, qualified, statement
from ndcg_sql.engines.tables import Tables
from ndcg_sql.measures.families import families
from ndcg_sql.measures.names import parse
from support.engines import NOT_RUN
from support.subtopics import OF_JUDGMENTS

TABLES = Tables(
    "shop.results", "shop.grades", run="system", queries="shop.q", slices=("land",)
)


def cases(title: str) -> list[tuple[str, str]]:
    """Return the cases of a part of the text beside this module."""
    text = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
    part = re.sub("(?m)^#.*\n", "", text.partition(f"== {title}\n")[2].split("\n\n")[0])
    pairs = re.findall(r"(?m)^(.+?)\s=>(.*)$", part)
    assert pairs
    return [(before, after.strip()) for before, after in pairs]


@pytest.mark.parametrize(("rule", "wanted"), cases("engines"))
def test_rule(rule: str, wanted: str) -> None:
    dialect, _, items = rule.partition(": ")
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
    for read in sqlglot.parse(text, read=dialect):
        # sqlglot takes what it cannot parse as a command.
        assert read is not None
        assert not isinstance(read, exp.Command)
        # Each table reads what was created before; those that run would fail.
        tables = {table.name for table in read.find_all(exp.Table) if table.db}
        if isinstance(read, exp.Create) and read.kind == "TABLE":
            name = read.this.name
            assert tables - {name} <= known | {"results", "grades", "q"}
            known.add(name)
    assert len(known) >= 30
    assert {"query_values", "run_values", "slice_values", "comparisons"} <= known


def test_a_column_of_one_table_is_named_before_those_of_all() -> None:
    tables = Tables("a", "b", {"judgments.query_id": "q", " query_id": "u"})
    assert tables.needed("judgments") == ["q", "doc_id", "grade"]
    assert tables.needed("rankings") == ["u", "doc_id", "score"]


def applied(rule: Callable[[exp.Expr], exp.Expr], before: str) -> str:
    """Return what a rule makes of the last expression of a statement."""
    tree = rule(parsed(before))
    return tree.args["with_"].expressions[-1].this.sql("duckdb").lower()


@pytest.mark.parametrize(("before", "after"), cases("conditions"))
def test_conditions_are_decided(before: str, after: str) -> None:
    [item] = decided(parsed(f"select {before}")).expressions
    assert item.sql().lower() == after


@pytest.mark.parametrize(("before", "after"), cases("constants"))
def test_constants(before: str, after: str) -> None:
    assert applied(constants, before) == after


@pytest.mark.parametrize(("before", "after"), cases("joins"))
def test_joins_on_keys(before: str, after: str) -> None:
    same = parsed(before).args["with_"].expressions[-1].this.sql("duckdb").lower()

    def rules(tree: exp.Expr) -> exp.Expr:
        return eliminate_joins(constants(tree))

    assert applied(rules, before) == (after or same)


def test_relations_of_a_statement_come_back() -> None:
    columns = {"hits": ["run", "doc"], "runs": ["run", "n"]}
    using = "select hits.doc, runs.n from hits inner join runs using (run)"
    shown = qualified(parsed(using), columns)
    assert "on hits.run = runs.run" in shown.sql().lower()
    made = {
        "hits": parsed("select given.a as run, given.b as doc from given"),
        "runs": parsed("select hits.run, count(*) as n from hits group by hits.run"),
        "shown": shown,
    }
    tree = optimized(statement(made, {"shown": ["doc", "n"]}))
    found = parts(tree, made, repeats=False)
    assert list(found) == ["hits", "runs", "shown"]
    assert found["shown"].sql() == shown.sql()
