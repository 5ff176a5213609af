"""The same refusal by the command line and by Python, each in its own spelling."""

from pathlib import Path
from typing import Any

import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from support.commands import Command

BARE = "query_id,doc_id\nq,d\n"
# Content of a run, options, arguments, and what both faces say.
REFUSED: dict[str, tuple[str, list[str], dict[str, Any], str, str]] = {
    "no score": (
        BARE,
        [],
        {},
        "no column for the score; name it: --column score=NAME",
        'no column for the score; name it: columns={"score": "NAME"}',
    ),
    "duplicates": (
        BARE,
        ["--duplicates", "best"],
        {"duplicates": "best"},
        "--duplicates best: not one of refuse, first, last, max",
        'duplicates="best": not one of refuse, first, last, max',
    ),
    "positions": (
        BARE,
        ["--positions", "rank"],
        {"position_rule": "rank"},
        "--positions rank: not one of score, score32, given",
        'position_rule="rank": not one of score, score32, given',
    ),
    "run at": (
        BARE,
        ["--run-at", "yesterday"],
        {"run_at": "yesterday"},
        "--run-at yesterday: not a time like 2026-01-31T23:59",
        'run_at="yesterday": not a time like 2026-01-31T23:59',
    ),
    "another format": (
        BARE,
        ["--format-in", "arff"],
        {"format_in": "arff"},
        "--format-in arff: not one of csv, tsv, ",
        'format_in="arff": not one of csv, tsv, ',
    ),
    "two columns of runs": (
        "query_id,doc_id,score,system,a model\nq,d,1,a,b\n",
        ["--run-column", "my model"],
        {"run_column": "my model"},
        'no column "my model"',
        'no column "my model"',
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_both_faces_refuse_in_their_own_words(
    ndcg: Command, own: Warehouse, name: str
) -> None:
    content, options, arguments, told, said = REFUSED[name]
    Path("r.csv").write_text(content)
    result = ndcg("load", "run", "r.csv", *options)
    assert told in result.refusal
    with pytest.raises(NdcgSqlError) as error:
        own.load_run("r.csv", **arguments)
    assert said in str(error.value)


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_python_reads_files_as_the_command_line_does(ndcg: Command) -> None:
    sql = "select * exclude (run_id) from rankings order by all"
    Path("scores").write_text("0.5\n0.25\n")
    Path("list.svm").write_text("1 qid:1 1:2\n0 qid:1 1:3\n")
    assert ndcg("load", "run", "scores", "--rows-of", "list.svm").code == 0
    with Warehouse.write("other.duckdb") as own:
        own.load_run("scores", rows_of="list.svm")
        with pytest.raises(
            NdcgSqlError, match=r"^rows_of: only files have it; omit it"
        ):
            own.load_run({"q": {"d": 1.0}}, rows_of="list.svm")
        read = own.database.execute(sql)
    with Warehouse.read("ndcg.duckdb") as own:
        assert read == own.database.execute(sql) != []
