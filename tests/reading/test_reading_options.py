"""Options say what the columns, labels and places of files mean."""

from pathlib import Path

import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from support.commands import Command
from support.files import stored


@pytest.mark.slow
def test_eval_takes_the_options_that_its_messages_advise(ndcg: Command) -> None:
    Path("j.csv").write_text("q,d,g\nq1,a,Yes\nq1,b,No\n")
    Path("r.tsv").write_text("q1\tb\t1\nq1\ta\t2\n")
    columns = [f"--column={c}" for c in ("query_id=q", "doc_id=d", "grade=g")]
    labels = ["--label", "Yes=1", "--label", "No=-0"]
    result = ndcg(
        *("eval", "j.csv", "r.tsv", *columns, *labels, "--positions", "given"),
        *("-m", "RR", "--format", "csv"),
    )
    assert result.code == 0, result.err
    assert ",RR,0.5," in result.out


def test_a_grade_of_no_label_is_never_a_negative_zero(ndcg: Command) -> None:
    Path("j").write_text("q 0 a No\n")
    assert ndcg("load", "judgments", "j", "--label", "No=-0").code == 0
    ((grade,),) = stored("select cast(grade as varchar) from judgments")
    assert grade == "0.0"


def test_all_labels_without_a_grade_are_listed_together(ndcg: Command) -> None:
    rows = "".join(f"q 0 d{n} L{n % 15:02}\n" for n in range(60))
    Path("j").write_text(rows)
    result = ndcg("load", "judgments", "j", "--label", "L03=1")
    fact = result.err.splitlines()[1]
    assert fact.startswith("- the grades are words: ")
    assert all(f'"L{n:02}"' in fact for n in range(15) if n != 3)
    assert '"L03"' not in fact


def test_a_label_in_another_case_gets_the_same_grade(ndcg: Command) -> None:
    file = Path("labels.csv")
    file.write_text("query_id,doc_id,grade\nq,a,Spam\nq,b,spam\nq,c,Good\n")
    told = ndcg("load", "judgments", "labels.csv", "--label", "Spam=-2").err
    assert '"Good", "spam", as "Spam" has\n' in told
    assert told.endswith("--label Spam=-2 --label Good=GRADE --label spam=-2\n")
    with Warehouse.memory() as warehouse:
        with pytest.raises(NdcgSqlError) as error:
            warehouse.load_judgments(file, labels={"Spam": 0, "Good": 1.5})
        assert str(error.value).endswith('"Good": 1.5, "spam": 0})')
        # Whose grade it would be is open.
        with pytest.raises(NdcgSqlError) as error:
            warehouse.load_judgments(file, labels={"Spam": 0, "SPAM": 1, "Good": 1})
        assert str(error.value).endswith('"Good": 1, "spam": GRADE})')


def test_a_first_row_without_a_header_may_begin_with_a_hash(ndcg: Command) -> None:
    Path("h.csv").write_text("#a,d1,3\nq1,d1,2\nq1,d2,1\n")
    columns = ("query_id=1", "doc_id=2", "score=3")
    named = [part for column in columns for part in ("--column", column)]
    result = ndcg("load", "run", "h.csv", *named)
    assert (result.code, result.err) == (
        0,
        'loaded run "h": 2 queries, 3 documents; no judgments yet\n',
    )


@pytest.mark.slow
def test_a_comma_of_decimals_does_not_separate(ndcg: Command) -> None:
    Path("h.csv").write_text("q1;d1;1,5\nq1;d2;0,25\n")
    columns = ("query_id=1", "doc_id=2", "score=3")
    named = [part for column in columns for part in ("--column", column)]
    assert ndcg("load", "run", "h.csv", *named, "--decimal", ",").code == 0
    assert stored("select score from rankings order by position") == [(1.5,), (0.25,)]
