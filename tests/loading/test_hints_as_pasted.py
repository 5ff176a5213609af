"""What a refused file is told to be given, and that it loads when that is pasted."""

import shlex
from pathlib import Path

import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python import Warehouse
from support.commands import Command
from support.files import stored

NAMES = "query_id,doc_id"
# Two engines that return some of the same products.
ENGINES = (
    "Engine,query_id,doc_id,score\n"
    "old,tent,p1,9\nold,tent,p2,8\nnew,tent,p3,9\nnew,tent,p1,7\n"
    "old,boat,p4,3\nold,boat,p5,2\nnew,boat,p5,6\nnew,boat,p4,5\n"
)
RANKINGS = (
    "select name, query_id, doc_id, position from rankings join runs using (run_id)"
    " order by all"
)
OF_ENGINES = [
    *[("new", "boat", "p4", 2), ("new", "boat", "p5", 1)],
    *[("new", "tent", "p1", 2), ("new", "tent", "p3", 1)],
    *[("old", "boat", "p4", 1), ("old", "boat", "p5", 2)],
    *[("old", "tent", "p1", 1), ("old", "tent", "p2", 2)],
]


def pasted(told: str, **filled: object) -> list[str]:
    """Return the arguments of the only command of a message, with blanks filled in.

    Another sentence may follow it.
    """
    assert told.count("ndcg-sql ") == 1, told
    command = told[told.index("ndcg-sql ") :].partition("; if ")[0]
    for blank, value in filled.items():
        command = command.replace(blank, str(value))
    return shlex.split(command)[1:]


def test_rows_that_repeat_hide_no_column_that_divides_a_file(
    ndcg: Command, here: Path
) -> None:
    (here / "f.csv").write_text(ENGINES + "new,tent,p1,7\n")
    told = ndcg("load", "run", "f.csv")
    assert told.code == 2
    assert '- "Engine" has 2 values and divides the file\n' in told.err
    assert "- 1 row is the same as another\n" in told.err
    assert ndcg(*pasted(told.err)).code == 0
    assert stored(RANKINGS) == OF_ENGINES


@pytest.mark.slow
def test_documents_twice_in_one_of_the_runs_are_told_with_their_lines(
    ndcg: Command, here: Path
) -> None:
    rows = "".join(
        f"{engine},q{query},p{document},{10 - document}\n"
        for engine in ("old", "new")
        for query in range(6)
        for document in range(4)
    )
    (here / "f.csv").write_text(f"Engine,{NAMES},score\n{rows}old,q0,p1,2\n")
    told = ndcg("load", "run", "f.csv").err
    assert '- "Engine" has 2 values and divides the file\n- then: f.csv:50: ' in told
    assert "To keep one row of each document: --duplicates first" in told
    last = told.splitlines()[-1]
    for rule, score in (("first", 9), ("last", 2), ("max", 9)):
        loaded = ndcg(*pasted(last), "--duplicates", rule, "--prefix", rule)
        assert loaded.code == 0, loaded.err
        sql = (
            "select score from rankings join runs using (run_id) where query_id = 'q0'"
        )
        assert stored(f"{sql} and doc_id = 'p1' and name = '{rule}old'") == [(score,)]


@pytest.mark.slow
def test_no_rule_for_duplicates_mixes_what_a_column_divides(
    ndcg: Command, here: Path
) -> None:
    (here / "f.csv").write_text(ENGINES + "new,tent,p1,7\n")
    told = ndcg("load", "run", "f.csv", "--duplicates", "max")
    assert (told.code, told.out) == (2, "")
    assert told.err.endswith("; if they are no runs: --run-column none\n")
    assert ndcg(*pasted(told.err)).code == 0
    assert stored(RANKINGS) == OF_ENGINES
    one = ("--duplicates", "max", "--run-column", "none", "--name", "one")
    assert ndcg("load", "run", "f.csv", *one).code == 0
    assert stored(f"from ({RANKINGS}) where name = 'one' and query_id = 'tent'") == [
        *[("one", "tent", "p1", 2), ("one", "tent", "p2", 3), ("one", "tent", "p3", 1)],
    ]
    with Warehouse.memory() as warehouse:
        with pytest.raises(
            NdcgSqlError, match='if they are no runs: run_column="none"'
        ):
            warehouse.load_run("f.csv", duplicates="max")
        loaded = warehouse.load_run("f.csv", duplicates="max", run_column="Engine")
        assert "1 duplicate dropped" in str(loaded)


@pytest.mark.slow
def test_versions_of_named_runs_are_not_mixed_either(ndcg: Command, here: Path) -> None:
    weeks = "".join(
        f"W{week},{row}\n" for week in (1, 2) for row in ENGINES.split()[1:]
    )
    head = "week,model,query_id,doc_id,score\n"
    (here / "f.csv").write_text(head + weeks)
    told = ndcg("load", "run", "f.csv", "--duplicates", "last").err
    assert '"model" and "week" have 4 combinations' in told
    assert told.endswith("; if they are no runs: --run-column model\n")
    assert ndcg(*pasted(told)).code == 0
    assert len(stored("select name from runs")) == 4
    kept = ("--duplicates", "last", "--run-column", "model")
    assert ndcg("load", "run", "f.csv", *kept).code == 0
    assert len(stored("select name from runs")) == 6
