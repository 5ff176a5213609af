"""Files that DuckDB reads by a select: their rows, and what is refused."""

from pathlib import Path

import pytest

from support.commands import Command, records


@pytest.mark.parametrize("url", ["duckdb:", "duckdb://", "duckdb:///:memory:"])
def test_duckdb_without_a_file_reads_those_of_a_select(
    ndcg: Command, here: Path, url: str
) -> None:
    (here / "traces.jsonl").write_text('{"spans": [{"d": "007"}, {"d": "7"}]}\n')
    (here / "a.b.csv").write_text("query_id,doc_id,score\n1,a,0.5\n")
    select = """
        select (2::decimal(38) + 12::decimal(38, 0)) as query_id, span.d as doc_id,
            170141183460469231731687303715884105727::hugeint as score,
        from (select unnest(spans) as span from 'traces.jsonl')
    """
    source = ("load", "run", "--from", url)
    assert ndcg(*source, "--select", select, "--name", "x").code == 0
    wide = ("--column", "query_id=score", "--column", "score=query_id")
    assert ndcg(*source, "--select", select, "--name", "y", *wide).code == 0
    assert ndcg(*source, "--table", "a.b.csv").code == 0
    select = "select run, query_id, doc_id, score from rankings order by all"
    rows = records(ndcg, "query", select)
    assert [tuple(row.values()) for row in rows] == [
        ("a", "1", "a", 0.5),
        ("x", "14", "007", 2.0**127),
        ("x", "14", "7", 2.0**127),
        ("y", str(2**127 - 1), "007", 14.0),
        ("y", str(2**127 - 1), "7", 14.0),
    ]


_FILES = ("--from", "duckdb:", "--name", "x", "--select")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            (*_FILES, "from 'nosuch.jsonl'"),
            'duckdb: No files found that match the pattern "nosuch.jsonl"; a path is'
            " relative to the current directory",
        ),
        (
            (*_FILES, "from connection"),
            "duckdb: Table with name connection does not exist; a file is named in"
            " quotes, as in from 'traces.jsonl'",
        ),
        (
            (*_FILES, "select y from (select 1 as x)"),
            'duckdb: Referenced column "y" not found in FROM clause; there is "x"',
        ),
        (
            (*_FILES, "from 'https://127.0.0.1:1/x.parquet'"),
            "duckdb: An error occurred while trying to automatically install the"
            " required extension 'httpfs'; nothing is downloaded; name a file that is",
        ),
        (
            (*_FILES, "selec 1"),
            'duckdb: syntax error at or near "selec"; correct the select',
        ),
        *(
            ((*_FILES, statement), "--select: a statement without rows; give a select")
            for statement in (
                "copy (select 1) to 'x.csv'",
                "create table x as select 1",
            )
        ),
        ((*_FILES, "select 1; select 2"), "--select: several statements; give one"),
        (
            (*_FILES, "select 1 as a, 2 as A"),
            'duckdb: several columns are named "a", "A"; give each its own name',
        ),
        ((*_FILES, "select 1 limit 0"), "duckdb: no rows; is this the right select or"),
        (
            (*_FILES, "select 1.5 as query_id, 'd' as doc_id, 1 as score"),
            'duckdb: column "query_id" is DECIMAL; ids are text or integers',
        ),
    ],
)
@pytest.mark.usefixtures("here")
def test_what_no_rows_come_of_is_refused(
    ndcg: Command, arguments: tuple[str, ...], told: str
) -> None:
    done = ndcg("load", "run", *arguments)
    assert done.refusal.startswith(told)
    assert done.err.count("\n") == 1
    assert not Path("x.csv").exists()
