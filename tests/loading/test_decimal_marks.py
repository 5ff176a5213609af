"""Points and commas in weights and grades: asked about, and read as the user says."""

import re
from pathlib import Path

import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from support import exploring
from support.commands import Command
from support.files import stored

WEIGHTS = "select weight from queries order by query_id"
EITHER = (
    "; if the point separates thousands: --decimal ,; if it is a decimal mark:"
    " --decimal .\n"
)
# Content of a file of queries, what is told, and the weights by each decimal mark.
ASKED: dict[str, tuple[str, str, dict[str, list[float]]]] = {
    "thousands": (
        "query_id,weight\nq1,987\nq2,1.234\n",
        'q.csv:3: weight "1.234" has a point, but others have none, such as "987"',
        {",": [987, 1234], ".": [987, 1.234]},
    ),
    "millions": (
        "query_id,weight\nq1,1.234.567\nq2,1.234\n",
        'q.csv:2: query "q1": weight "1.234.567" is neither 0 nor from 1e-100 to',
        {",": [1234567, 1234]},
    ),
    "decimal commas": (
        "query_id;weight\nq1;1.234,5\nq2;12.345\nq3;7\n",
        'q.csv:2: query "q1": weight "1.234,5" is neither 0 nor from 1e-100 to 1e100',
        {",": [1234.5, 12345, 7]},
    ),
    "decimal commas elsewhere": (
        "query_id;weight;price\nq1;1.234;2,5\nq2;12.5;3\n",
        'q.csv:2: weight "1.234" has a point, but other fields have decimal commas',
        {".": [1.234, 12.5]},
    ),
}


@pytest.mark.parametrize("case", exploring.mostly_slow(ASKED, "thousands"))
@pytest.mark.usefixtures("empty")
def test_weights_are_asked_about_and_read_as_told(ndcg: Command, case: str) -> None:
    content, told, read = ASKED[case]
    Path("q.csv").write_text(content)
    asked = ndcg("load", "queries", "q.csv")
    assert asked.refusal.startswith(told)
    assert {*re.findall("--decimal ([,.])", asked.err)} >= read.keys()
    assert stored("select count(*) from queries") == [(0,)]
    for mark, weights in read.items():
        assert ndcg("load", "queries", "q.csv", "--decimal", mark).code == 0
        assert stored(WEIGHTS) == [(weight,) for weight in weights]


UNDOUBTED = {
    "other decimals": "query_id,weight\nq1,1.234\nq2,0.5\n",
    "whole numbers": "query_id,weight\nq1,1.234\nq2,1234\n",
    "no weight": "query_id,price\nq1,1.234\nq2,7\n",
    "JSON": '{"query_id": "q1", "weight": 1.234}\n{"query_id": "q2", "weight": 7}\n',
}


@pytest.mark.slow
@pytest.mark.parametrize("case", exploring.sampled(UNDOUBTED, 2))
@pytest.mark.usefixtures("empty")
def test_points_that_mark_decimals_are_not_asked_about(
    ndcg: Command, case: str
) -> None:
    Path("q").write_text(UNDOUBTED[case])
    told = ndcg("load", "queries", "q")
    assert (told.code, "point" in told.err) == (0, False)


@pytest.mark.slow
@pytest.mark.usefixtures("empty")
def test_scores_with_points_and_commas_have_decimal_commas(ndcg: Command) -> None:
    Path("r.csv").write_text("query_id;doc_id;score\nq;a;1.234\nq;b;0,5\n")
    told = ndcg("load", "run", "r.csv")
    assert told.err.splitlines()[0].endswith("have decimal commas" + EITHER[:-1])
    assert ndcg("load", "run", "r.csv", "--decimal", ",").code == 0
    assert stored("select score from rankings order by position") == [(1234,), (0.5,)]


@pytest.mark.usefixtures("empty")
def test_a_zero_before_a_point_begins_no_group_of_thousands(ndcg: Command) -> None:
    rows = "q\ta\t0,5\nq\tb\t0.123\nq\tc\t0,25\n"
    Path("r.tsv").write_text(f"query_id\tdoc_id\tscore\n{rows}")
    told = ndcg("load", "run", "r.tsv")
    assert (told.code, "--decimal" in told.err) == (2, False)
    told = ndcg("load", "run", "r.tsv", "--decimal", ",")
    assert 'score "0.123 (commas are decimal marks)" is not a number' in told.refusal


# The scores of a run, what separates fields, and what is told of them, if anything.
SCORES: dict[str, tuple[list[str], str, str]] = {
    "thousands": (
        ["1.518", "990", "0"],
        ";",
        '2: score "1.518" has a point, but others',
    ),
    "negative": (["-990", "-1.518"], ";", '3: score "-1.518" has a point, but others'),
    # The order of these is the same either way.
    "all with points": (["12.345", "1.518"], ";", ""),
    "other decimals": (["1.518", "990", "0.5"], ";", ""),
    "whole numbers": (["1.518", "1200", "990"], ";", ""),
    "commas between fields": (["1.518", "990"], ",", ""),
}


@pytest.mark.parametrize("case", exploring.mostly_slow(SCORES, "thousands"))
def test_scores_with_points_between_thousands_are_asked_about(
    here: Path, case: str
) -> None:
    scores, mark, told = SCORES[case]
    rows = [["query_id", "doc_id", "score"]]
    rows += [["q", f"d{place}", score] for place, score in enumerate(scores)]
    (here / "r.csv").write_text("".join(f"{mark.join(row)}\n" for row in rows))
    sql = "select score from rankings order by doc_id"
    with Warehouse.memory() as warehouse:
        if told:
            with pytest.raises(NdcgSqlError, match=f"r.csv:{told}") as error:
                warehouse.load_run("r.csv")
            assert 'decimal=","; if it is a decimal mark: decimal="."' in str(
                error.value
            )
            warehouse.load_run("r.csv", decimal=",")
            found = warehouse.connection.execute(sql).fetchall()
            assert found == [(float(score.replace(".", "")),) for score in scores]
        warehouse.load_run("r.csv", decimal=".", replace=True)
        found = warehouse.connection.execute(sql).fetchall()
        assert found == [(float(score),) for score in scores]
        if not told:
            assert warehouse.load_run("r.csv", "again").warnings == ()
