"""An assessor who graded a document again, at another time: the latest grade counts."""

import shlex
from pathlib import Path

import pytest

from support.commands import Command
from support.files import stored

pytestmark = pytest.mark.slow

# Who said what, and when; ann changed her mind about a, and bob about c.
SAID = [
    *[("ann", d, g, "2026-01-05") for d, g in (("a", 3), ("b", 2), ("c", 1), ("d", 0))],
    *[("bob", d, g, "2026-01-05") for d, g in (("a", 2), ("b", 2), ("c", 3), ("d", 0))],
    ("ann", "a", 1, "2026-02-01"),
    ("bob", "c", 0, "2026-02-01"),
]
MEANS = [("a", 1.5), ("b", 2), ("c", 0.5), ("d", 0)]
GRADES = (
    "select doc_id, grade from judgments join judgment_sets using (judgment_set_id)"
    " where name = 'gold' order by doc_id"
)


def write(who: str | None, when: str, only: str | None = None) -> Path:
    """Write what was said, with these names of the assessor and the time."""
    lines = [",".join(filter(None, ["query_id", "doc_id", who, "grade", when]))]
    for assessor, document, grade, day in SAID:
        if only in (None, assessor):
            shown = [assessor] * (who is not None)
            lines.append(",".join(["q", document, *shown, str(grade), day]))
    path = Path("said.csv")
    path.write_text("\n".join(lines) + "\n")
    return path


# The columns of assessors and times, and the options that judgments are told.
ASSESSED = {
    "usual names": ("rater", "Date", ""),
    "another time": ("rater", "Day", " --column assessed_at=Day"),
    "another assessor": ("Annotated by", "Date", " --column 'assessor=Annotated by'"),
    "other names": (
        "Bearbeiter",
        "Day",
        " --column assessor=Bearbeiter --column assessed_at=Day",
    ),
}


@pytest.mark.parametrize("case", ASSESSED)
@pytest.mark.usefixtures("empty")
def test_judgments_are_offered_as_assessments(ndcg: Command, case: str) -> None:
    who, when, options = ASSESSED[case]
    write(who, when)
    told = ndcg("load", "judgments", "said.csv")
    command = f"ndcg-sql load assessments said.csv{options}"
    assert told.refusal == (
        f'said.csv: "{when}" and "{who}" have 4 combinations and divide the file; if an'
        f" assessor's latest grade counts: {command}\n"
    )
    assert ndcg(*shlex.split(command)[1:]).code == 0
    assert ndcg("adjudicate", "gold", "--policy", "mean").code == 0
    assert stored(GRADES) == MEANS


@pytest.mark.usefixtures("empty")
def test_one_assessor_s_times_are_versions_or_second_opinions(ndcg: Command) -> None:
    write(None, "Day", only="ann")
    told = ndcg("load", "judgments", "said.csv").err
    where, _, others = told.partition("; if the latest grade of a document counts: ")
    assert where == (
        'said.csv: "Day" has 2 values and divides the file; to load one of them:'
        " ndcg-sql load judgments said.csv --where Day=2026-02-01"
    )
    assert ndcg(*shlex.split(where[where.index("ndcg-sql") :])[1:]).code == 0
    loading, _, adjudicating = others.partition(", then ")
    assert loading == (
        "ndcg-sql load assessments said.csv --assessor NAME --column assessed_at=Day"
    )
    words = loading.replace("NAME", "ann")
    assert ndcg(*shlex.split(words)[1:]).code == 0
    words = shlex.split(adjudicating.replace("NAME", "gold"))
    assert ndcg(*words[1:]).code == 0
    assert stored(GRADES) == [("a", 1), ("b", 2), ("c", 1), ("d", 0)]


@pytest.mark.parametrize("time", ["2026-01-01_10", "2026-13-01", "31.1.2026x"])
@pytest.mark.usefixtures("empty")
def test_columns_that_would_be_refused_are_not_offered(
    ndcg: Command, time: str
) -> None:
    rows = f"q,a,ann,1,2026-01-01\nq,a,ann,2,{time}\n"
    Path("said.csv").write_text(f"query_id,doc_id,rater,grade,Lot\n{rows}")
    told = ndcg("load", "assessments", "said.csv").err
    assert told.startswith('said.csv:3: query "q", document "a", assessor "ann"')
    column = ("--column", "assessed_at=Lot")
    refused = ndcg("load", "assessments", "said.csv", *column).err
    assert f'"{time}" is not a time' in refused


@pytest.mark.usefixtures("empty")
def test_second_opinions_without_times_are_told_what_helps(ndcg: Command) -> None:
    rows = "q,a,ann,1,x\nq,a,ann,2,x\n"
    path = Path("said.csv")
    path.write_text(f"query_id,doc_id,rater,grade,When\n{rows}")
    told = ndcg("load", "assessments", "said.csv").err
    assert told == (
        'said.csv:3: query "q", document "a", assessor "ann": already on line 2\n'
        "1 bad line of 2; nothing was loaded. If one grade is later than the other,"
        " name the column of their times: --column assessed_at=NAME. If not, correct"
        " the file and load it again, such as with another name of the assessor.\n"
    )
    path.write_text("query_id,doc_id,rater,grade\n" + "q,a,ann,1\nq,a,ann-2,2\n")
    assert ndcg("load", "assessments", "said.csv").code == 0
    later = "q,a,ann,1,2026-01-31\nq,a,ann,2,2026-02-01\n"
    path.write_text(f"query_id,doc_id,rater,grade,When\n{later}")
    column = told[told.index("--column") :].partition(". ")[0].replace("NAME", "When")
    words = (*shlex.split(column), "--name", "later")
    assert ndcg("load", "assessments", "said.csv", *words).code == 0


# Columns of times by names that are of no edition, and whether theirs is a usual name.
TIMES = {
    "rated_at": True,
    "timestamp": True,
    "Datum": True,
    "submit_time": True,
    "created": False,
    "when": False,
    "graded at": False,
}


@pytest.mark.parametrize("when", TIMES)
@pytest.mark.usefixtures("empty")
def test_times_are_never_offered_as_assessors(ndcg: Command, when: str) -> None:
    write("assessor", when, only="ann")
    told = ndcg("load", "judgments", "said.csv").err
    option = "" if TIMES[when] else f" --column {shlex.quote(f'assessed_at={when}')}"
    command = f"ndcg-sql load assessments said.csv{option}"
    assert told == (
        f'said.csv: "{when}" has 2 values and divides the file; if an assessor\'s'
        f" latest grade counts: {command}; to load one of them:"
        f" --where {shlex.quote(f'{when}=2026-02-01')}\n"
    )
    assert ndcg(*shlex.split(command)[1:]).code == 0
    assert ndcg("adjudicate", "gold", "--policy", "mean").code == 0
    assert stored(GRADES) == [("a", 1), ("b", 2), ("c", 1), ("d", 0)]


@pytest.mark.parametrize(
    ("column", "way"),
    [("created", "to load one of them"), ("created by", "if these are assessors")],
)
@pytest.mark.usefixtures("empty")
def test_times_of_another_form_are_versions(
    ndcg: Command, column: str, way: str
) -> None:
    rows = [f"q,{document},1,{stamp}" for stamp in (17, 18) for document in "abc"]
    lines = [f"query_id,doc_id,grade,{column}", *rows]
    Path("said.csv").write_text("\n".join(lines) + "\n")
    told = ndcg("load", "judgments", "said.csv").err
    assert f'"{column}" has 2 values and divides the file; {way}: ' in told


@pytest.mark.usefixtures("empty")
def test_who_updated_a_grade_is_an_assessor_and_no_date(ndcg: Command) -> None:
    Path("said.csv").write_text(
        "query_id,doc_id,grade,updated_by\nq,a,1,ann\nq,a,2,bob\np,b,1,ann\np,b,0,bob\n"
    )
    told = ndcg("load", "judgments", "said.csv").err
    assert told.endswith(
        "if these are assessors: ndcg-sql load assessments said.csv --column"
        " assessor=updated_by\n"
    )
