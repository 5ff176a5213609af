"""When assessors said what: the column of times, and policies that need it."""

import shlex
from pathlib import Path

import pytest

from support.commands import Command
from support.files import stored

pytestmark = pytest.mark.slow

ROWS = "q,a,ann,3,{0}\nq,a,bob,1,{1}\nq,b,ann,2,{0}\n"
FIRST, LAST = "2026-01-31", "2026-02-05"
GRADES = (
    "select doc_id, grade from judgments join judgment_sets using (judgment_set_id)"
    " where name = 'gold' order by doc_id"
)
LATEST = ("adjudicate", "gold", "--policy", "latest")


def write(header: str, *times: str) -> Path:
    """Write a file of assessments whose last column is called so."""
    path = Path("said.csv")
    rows = ROWS.format(*times) if times else ROWS.format("x", "y")
    path.write_text(f"query_id,doc_id,assessor,grade,{header}\n{rows}")
    return path


@pytest.mark.parametrize(
    "header",
    ["Date", "Timestamp", "rated at", "submit time"],
)
@pytest.mark.usefixtures("empty")
def test_usual_names_of_times_are_understood(ndcg: Command, header: str) -> None:
    write(header, LAST, FIRST)
    told = ndcg("load", "assessments", "said.csv")
    assert told.err == (
        'loaded assessments "said": 1 query, 3 assessments of 2 assessors: "ann",'
        ' "bob"\n'
    )
    assert ndcg(*LATEST).code == 0
    assert stored(GRADES) == [("a", 3), ("b", 2)]


@pytest.mark.parametrize("header", ["Date,timestamp", "judged_at,Date", "time,date"])
@pytest.mark.usefixtures("empty")
def test_a_surer_name_of_times_is_preferred(ndcg: Command, header: str) -> None:
    days = [f"{day},9/9/2026" for day in (LAST, FIRST)]
    is_first = header.startswith(("judged_at", "time,"))
    write(header, *(d if is_first else ",".join(d.split(",")[::-1]) for d in days))
    told = ndcg("load", "assessments", "said.csv").err.splitlines()
    other = header.split(",")[is_first]
    assert told[1:] == [f"ignored columns: {other}"]
    assert ndcg(*LATEST).code == 0
    assert stored(GRADES) == [("a", 3), ("b", 2)]


@pytest.mark.usefixtures("empty")
def test_a_column_without_times_is_ignored_and_told(ndcg: Command) -> None:
    write("Date,Created", f"01/31/2026,{LAST}", f",{FIRST}")
    option = "--column assessed_at={}"
    told = ndcg("load", "assessments", "said.csv")
    why = '"01/31/2026", which is not a time like 2026-01-31T23:59'
    assert (told.code, told.err.splitlines()[1:]) == (
        0,
        [f'ignored columns: Created, Date; "Date" has no times, such as {why}'],
    )
    assert stored("select count(*), count(assessed_at) from assessments") == [(3, 0)]
    # Nothing says which grade is the latest.
    assert ndcg(*LATEST).code == 2
    # Who names the column is told what is wrong with it.
    named = option.format("Date").split()
    told = ndcg("load", "assessments", "said.csv", *named, "--replace")
    assert told.refusal.startswith(
        'said.csv:2: query "q", document "a": "01/31/2026" is'
    )
    # Where an assessor grades again, times are needed.
    write("Date", "01/31/2026", "02/05/2026")
    path = Path("said.csv")
    path.write_text(path.read_text().replace("bob", "ann"))
    told = ndcg("load", "assessments", "said.csv", "--replace")
    assert '"01/31/2026" is not a time like 2026-01-31T23:59' in told.refusal
    write("Date", "", "")
    told = ndcg("load", "assessments", "said.csv", "--replace")
    assert (told.code, "ignored" in told.err) == (0, False)


@pytest.mark.parametrize(
    ("times", "read"),
    [
        (("31.1.2026", "05.02.2026"), ("2026-01-31", "2026-02-05")),
        (
            ("31.01.2026 23:59", "1.2.2026 7:05:09"),
            ("2026-01-31 23:59", "2026-02-01 07:05:09"),
        ),
        (
            ("31.01.2026T23:59", "1.2.2026t10:00+02:00"),
            ("2026-01-31 23:59", "2026-02-01 08:00"),
        ),
    ],
)
@pytest.mark.usefixtures("empty")
def test_days_may_be_written_with_points(
    ndcg: Command, times: tuple[str, str], read: tuple[str, str]
) -> None:
    write("Date", *times)
    assert ndcg("load", "assessments", "said.csv").code == 0
    sql = "select assessed_at = '{}' from assessments where assessor = '{}'"
    for time, assessor in zip(read, ("ann", "bob"), strict=True):
        assert {*stored(sql.format(time, assessor))} == {(True,)}
    assert ndcg(*LATEST).code == 0
    assert stored(GRADES)[0] == ("a", 1)


@pytest.mark.parametrize(
    "time", ["31/01/2026", "32.1.2026", "31.1.26", "31.1.2026_10", "soon"]
)
@pytest.mark.usefixtures("empty")
def test_what_is_no_time_is_refused(ndcg: Command, time: str) -> None:
    write("Date", LAST, time)
    assert ndcg("load", "assessments", "said.csv").refusal.startswith(
        f'said.csv:3: query "q", document "a": "{time}" is not a time like'
    )


@pytest.mark.usefixtures("empty")
def test_ignored_columns_are_told_and_times_asked_for(ndcg: Command) -> None:
    write("Created,Comment", f"{LAST},x", f"{FIRST},y")
    told = ndcg("load", "assessments", "said.csv").err.splitlines()
    option = "--column assessed_at=Created"
    assert told[1:] == ["ignored columns: Created, Comment"]
    again = ndcg("load", "assessments", "said.csv", "--replace", *shlex.split(option))
    assert again.err.splitlines()[1:] == ["ignored columns: Comment"]
    assert ndcg(*LATEST).code == 0
    assert stored(GRADES) == [("a", 3), ("b", 2)]


@pytest.mark.parametrize("is_mixed", [False, True])
@pytest.mark.usefixtures("empty")
def test_the_latest_of_grades_without_times_is_refused(
    ndcg: Command, is_mixed: bool
) -> None:
    write("Created", FIRST, "" if is_mixed else LAST)
    column = ("--column", "assessed_at=Created") if is_mixed else ()
    assert ndcg("load", "assessments", "said.csv", *column).code == 0
    told = ndcg(*LATEST)
    again, other = (
        "ndcg-sql load assessments FILE --dataset default --name said"
        " --column assessed_at=NAME --replace",
        "--policy majority",
    )
    assert (told.code, told.out, told.err) == (
        2,
        "",
        'assessments "said": no times say which grade of 1 document is the latest, such'
        ' as query "q", document "a"; load them with the column of their times:'
        f" {again}; or choose another policy, such as {other}\n",
    )
    assert stored("select count(*) from judgment_sets") == [(0,)]
    assert ndcg("adjudicate", "other", *shlex.split(other)).code == 0
    write("Created", FIRST, LAST)
    words = again.replace("FILE", "said.csv").replace("NAME", "Created")
    assert ndcg(*shlex.split(words)[1:]).code == 0
    assert ndcg(*LATEST).code == 0
    assert stored(GRADES) == [("a", 1), ("b", 2)]


@pytest.mark.usefixtures("empty")
def test_no_times_are_needed_where_none_decides(ndcg: Command) -> None:
    # Equal grades, grades of one assessor, and sets that were loaded one by one.
    Path("first.csv").write_text(
        "query_id,doc_id,assessor,grade\nq,a,ann,1\nq,a,bob,1\nq,b,ann,2\nq,c,bob,-1\n"
        "q,c,ann,1\nq,d,ann,0\n"
    )
    Path("second.csv").write_text("query_id,doc_id,assessor,grade\nq,d,bob,2\n")
    assert ndcg("load", "assessments", "first.csv").code == 0
    assert ndcg("load", "assessments", "second.csv").code == 0
    assert ndcg(*LATEST).code == 0
    assert stored(GRADES) == [("a", 1), ("b", 2), ("c", 1), ("d", 2)]


@pytest.mark.usefixtures("empty")
def test_the_set_loaded_last_has_the_latest_grades_where_none_has_a_time(
    ndcg: Command,
) -> None:
    for name, grade in (("ann", 1), ("bob", 0)):
        Path(name).write_text(f"query_id,doc_id,grade\nq,a,{grade}\nq,b,2\n")
        assert ndcg("load", "assessments", name, "--assessor", name).code == 0
    # The grades of b are the same.
    assert ndcg(*LATEST).err == (
        'made judgment set "gold" by latest of 2 assessors (1 document whose grades'
        " have no times: the set loaded last counts as the latest): 1 query, 2"
        " judgments\n"
    )
    assert stored(GRADES) == [("a", 0), ("b", 2)]


@pytest.mark.usefixtures("empty")
def test_grades_without_times_that_count_as_the_latest_are_told(ndcg: Command) -> None:
    write("Date", LAST, FIRST)
    assert ndcg("load", "assessments", "said.csv").code == 0
    Path("llm.csv").write_text("query_id,doc_id,grade\nq,a,0\nq,b,2\n")
    assert ndcg("load", "assessments", "llm.csv", "--assessor", "llm").code == 0
    made = ndcg(*LATEST)
    # The grades of b are the same.
    assert (made.code, made.err.splitlines()[1:]) == (
        0,
        [
            'warning: 1 document: the latest grade is of assessments "llm", which have'
            " no times and count as given when they were loaded, while other grades"
            " have times"
        ],
    )
    assert stored(GRADES) == [("a", 0), ("b", 2)]
    people = ndcg(*LATEST, "--replace", "--assessments", "said")
    assert (people.code, "warning" in people.err) == (0, False)
