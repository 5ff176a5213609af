"""Each rule does what it says, and nothing where that would change values."""

from collections.abc import Callable

import pytest
import sqlglot
from sqlglot import exp
from sqlglot.optimizer.eliminate_joins import eliminate_joins

from ndcg_sql.engines.deciding import decided
from ndcg_sql.engines.folding import constants, optimized
from ndcg_sql.engines.statement import parts, qualified, statement

M = "with m as (select 'AP' as name, 10 as depth)"
RUNS = (
    "with hits as (select cast(given_rankings.run as text) as run from given_rankings),"
    " runs as (select hits.run as run_id, count(*) as n from hits group by hits.run)"
)


def parsed(select: str) -> exp.Expr:
    """Return the tree of a select of DuckDB."""
    return sqlglot.parse_one(select, read="duckdb")


def applied(rule: Callable[[exp.Expr], exp.Expr], before: str) -> str:
    """Return what a rule makes of the last expression of a statement."""
    tree = rule(parsed(before))
    return tree.args["with_"].expressions[-1].this.sql("duckdb").lower()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("1 < 2 and t.a = 3", "t.a = 3"),
        ("1 > 2 and t.a = 3", "false"),
        ("'b' = 'a' or t.a = 3", "t.a = 3"),
        ("not t.a <= 3", "t.a > 3"),
        ("cast(null as double) = 1", "null"),
        ("'a' in ('b', 'a')", "true"),
        ("coalesce(null, t.a)", "t.a"),
        ("coalesce(cast(2 as double), t.a)", "cast(2 as double)"),
        ("case when 1 = 2 then t.a when t.b then 0 end", "case when t.b then 0 end"),
        ("case 'x' when 'y' then t.a else t.b end", "t.b"),
        ("cast(null as text) is null", "true"),
        # No arithmetic is done.
        ("0.1 + 0.2", "0.1 + 0.2"),
        ("t.a + 1 = 3", "t.a + 1 = 3"),
        # Null is not a value.
        ("null and t.a", "null and t.a"),
    ],
)
def test_conditions_are_decided(before: str, after: str) -> None:
    [item] = decided(parsed(f"select {before}")).expressions
    assert item.sql().lower() == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # A constant is written where it is read, and decides.
        (
            f"{M}, v as (select t.a as a from t cross join m where m.name = 'AP'"
            " and t.position <= m.depth) select v.a from v",
            "select t.a as a from t where t.position <= 10",
        ),
        # What a left join finds may be null.
        (
            f"{M}, v as (select m.depth as d from t left join m on t.a = m.name)"
            " select v.d from v",
            "select m.depth as d from t left join m on t.a = 'ap'",
        ),
        # A group that is constant does not part rows; without rows, it has none.
        (
            f"{M}, v as (select t.a as a, count(*) as n from t cross join m"
            " group by t.a, m.name) select v.a from v",
            "select t.a as a, count(*) as n from t group by t.a",
        ),
        (
            f"{M}, v as (select count(*) as n from t cross join m group by m.name)"
            " select v.n from v",
            "select count(*) as n from t having count(*) > 0",
        ),
        # A branch goes if it has no rows, or if no reader takes them.
        (
            f"{M}, v as (select t.a as a from t cross join m where m.depth > 10"
            " union all select t.b as a from t) select v.a from v",
            "select t.b as a from t",
        ),
        # A left join with nothing gives null.
        (
            "with e as (select t.a as a from t where false), v as (select e.a as a"
            " from t left join e on t.a = e.a) select v.a from v",
            "select null as a from t",
        ),
        # A single row is read by none, also where it comes first.
        (
            f"{M}, v as (select m.name as a from m), w as (select v.a as a, t.b as b"
            " from v inner join t on t.b > v.a) select w.a from w",
            "select 'ap' as a, t.b as b from t where t.b > 'ap'",
        ),
        # At most one row that nothing reads adds none, and takes none away.
        (
            "with one as (select max(t.a) as a from t having count(*) > 0),"
            " v as (select t.b as b from t left join one on one.a = t.b)"
            " select v.b from v",
            "select t.b as b from t",
        ),
        # Some rows, or none, are there or not however often they are joined.
        (
            "with one as (select max(t.a) as a from t having count(*) > 0),"
            " v as (select t.b as b from t cross join one cross join one as two)"
            " select v.b from v",
            "select t.b as b from t cross join one",
        ),
        # Without the join, there would be rows where there is no row to join.
        (
            "with one as (select max(t.a) as a from t having count(*) > 0),"
            " v as (select t.b as b from t cross join one) select v.b from v",
            "select t.b as b from t cross join one",
        ),
        # A union keeps what is the same in all branches.
        (
            "with u as (select 1 as a, 2 as b union all select 1 as a, 3 as b),"
            " v as (select u.a as a, u.b as b from u) select v.a from v",
            "select 1 as a, u.b as b from u",
        ),
    ],
)
def test_constants(before: str, after: str) -> None:
    assert applied(constants, before) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # Each hit is of a run.
        (
            f"{RUNS}, v as (select runs.run_id as run from hits inner join runs"
            " on hits.run = runs.run_id) select v.run from v",
            "select hits.run as run from hits",
        ),
        # The number is read.
        (
            f"{RUNS}, v as (select runs.n as n from hits inner join runs"
            " on hits.run = runs.run_id) select v.n from v",
            None,
        ),
        # Not every run is there.
        (
            f"{RUNS}, few as (select runs.run_id as run from runs where runs.n > 1),"
            " v as (select few.run as run from hits inner join few"
            " on hits.run = few.run) select v.run from v",
            None,
        ),
        # Judged queries are all that hits have, but not all that rankings have.
        (
            f"{RUNS}, judged_queries as (select t.q as query_id from t),"
            " v as (select hits.run as run from hits inner join judged_queries"
            " on hits.q = judged_queries.query_id) select v.run from v",
            "select hits.run as run from hits",
        ),
        (
            "with judged_queries as (select t.q as query_id from t),"
            " v as (select rankings.run as run from rankings inner join judged_queries"
            " on rankings.q = judged_queries.query_id) select v.run from v",
            None,
        ),
    ],
)
def test_joins_on_keys(before: str, after: str | None) -> None:
    same = parsed(before).args["with_"].expressions[-1].this.sql("duckdb").lower()

    def rules(tree: exp.Expr) -> exp.Expr:
        return eliminate_joins(constants(tree))

    assert applied(rules, before) == (after or same)


def test_columns_of_distinct_rows_that_nothing_reads_are_left_out() -> None:
    before = (
        "with v as (select distinct t.a as a, 1 as b from t) select v.a as a from v"
    )
    after = "select t.a as a, 1 as b from t group by t.a"
    assert applied(constants, before) == after


@pytest.mark.parametrize(
    ("condition", "after"),
    [
        ("t.a >= 0 and t.a > 0.0", "t.a >= 0 and t.a > 0.0"),
        ("t.b > 0 and t.a > 0 and t.b > 0", "t.b > 0 and t.a > 0"),
        ("sum(case when 1 = 2 then t.a else t.b end) over ()", "sum(t.b) over ()"),
    ],
)
def test_no_comparison_is_merged(condition: str, after: str) -> None:
    [item] = decided(parsed(f"select {condition}")).expressions
    assert item.sql().lower() == after


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
