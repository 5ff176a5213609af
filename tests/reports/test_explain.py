"""An explanation shows every step from a ranking to its nDCG."""

import json
import math
import shlex
from pathlib import Path

import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from support.commands import Command
from support.explanations import column, steps, table
from support.files import digest

pytestmark = pytest.mark.mostly_slow

FIELDS = {
    "position",
    "doc_id",
    "grade",
    "gain",
    "discount",
    "discounted_gain",
    "dcg",
    "ideal_doc_id",
    "ideal_gain",
    "ideal_dcg",
}
IDEAL = [("m1", 3), ("d3", 3), ("d1", 3), ("m2", 2), ("d6", 2), ("d2", 2), ("d5", 1)]


def running(terms: list[float]) -> list[float]:
    """Return the sums of the first terms, added one after the other."""
    sums: list[float] = []
    for term in terms:
        sums.append((sums[-1] if sums else 0) + term)
    return sums


@pytest.mark.usefixtures("worked")
def test_every_step_of_the_worked_example_is_shown(ndcg: Command) -> None:
    found = steps(ndcg, "w", "nDCG@6")
    assert set(found[0]) >= FIELDS
    assert column(found, "position") == [1, 2, 3, 4, 5, 6]
    assert column(found, "doc_id") == ["d1", "d2", "d3", "d4", "d5", "d6"]
    grades = [3, 2, 3, 0, 1, 2]
    discounts = [math.log2(i + 1) for i in range(1, 7)]
    terms = [grade / d for grade, d in zip(grades, discounts, strict=True)]
    assert column(found, "grade") == grades
    assert column(found, "gain") == grades
    assert column(found, "discount") == pytest.approx(discounts, abs=1e-15)
    assert column(found, "discounted_gain") == pytest.approx(terms, abs=1e-15)
    assert column(found, "dcg") == pytest.approx(running(terms), abs=1e-12)
    assert found[-1]["dcg"] == pytest.approx(6.861126689, abs=1e-9)
    # The ideal ranking stands beside.
    ideal = list(
        zip(column(found, "ideal_doc_id"), column(found, "ideal_gain"), strict=True)
    )
    assert ideal == IDEAL[:6]
    terms = [gain / math.log2(i + 1) for i, (_, gain) in enumerate(IDEAL[:6], start=1)]
    assert column(found, "ideal_dcg") == pytest.approx(running(terms), abs=1e-12)
    assert found[-1]["ideal_dcg"] == pytest.approx(8.740262366, abs=1e-9)


@pytest.mark.usefixtures("worked")
def test_the_last_sums_are_those_of_the_value(ndcg: Command) -> None:
    names = ["nDCG@6", "nDCG@2", "nDCG(dcg='exp-log2')@6", "nDCG(dcg='jk')@5"]
    names += ["nDCG(ideal='retrieved')@6", "nDCG(gains={1:3.5,2:9})@6", "nDCG(rel=2)@6"]
    report = ndcg("report", "-q", "-m", " ".join(names), "--format", "json")
    values = {
        row["measure"]: row["value"]
        for row in json.loads(report.out)
        if row["query_id"] == "w"
    }
    assert list(values) == names
    for name, value in values.items():
        last = steps(ndcg, "w", name)[-1]
        assert last["dcg"] / last["ideal_dcg"] == pytest.approx(value, abs=1e-12)


@pytest.mark.usefixtures("worked")
def test_the_last_line_makes_one_value_of_the_sums(ndcg: Command) -> None:
    lines = table(ndcg, "w", "nDCG@6")
    assert lines[-1] == "nDCG@6 = DCG / IDCG = 6.861127 / 8.740262 = 0.785002"
    assert len(lines) == 2 + 6 + 1
    first = "1 d1 3 3 1.0000 3.0000 3.0000 m1 3 3.0000 missed"
    assert " ".join(lines[2].split()) == first
    assert table(ndcg, "w", "DCG@6")[-1] == "DCG@6 = 6.861127"
    assert table(ndcg, "w", "IDCG@6")[-1] == "IDCG@6 = 8.740262"
    exponential = table(ndcg, "w", "nDCG(dcg='exp-log2')@6")[-1]
    assert exponential.startswith("nDCG(dcg='exp-log2')@6 = DCG / IDCG = 13.848264 / ")
    assert exponential.endswith(" = 0.751083")


@pytest.mark.usefixtures("worked")
def test_without_a_cutoff_both_sides_are_shown_to_their_ends(ndcg: Command) -> None:
    found = steps(ndcg, "w", "nDCG")
    assert column(found, "position") == [1, 2, 3, 4, 5, 6, 7]
    assert column(found, "doc_id")[-1] is None
    assert found[-1]["dcg"] == found[-2]["dcg"]
    assert column(found, "ideal_doc_id") == [doc_id for doc_id, _ in IDEAL]
    short = steps(ndcg, "odd", "nDCG")
    assert column(short, "position") == [1, 2, 3, 4]
    assert column(short, "ideal_doc_id") == ["a", "missed", None, None]


@pytest.mark.quick
@pytest.mark.usefixtures("worked")
def test_unjudged_and_missed_documents_are_called_so(ndcg: Command) -> None:
    found = steps(ndcg, "odd", "nDCG@10")
    assert column(found, "doc_id") == ["x", "a", "b", "y"]
    assert column(found, "grade") == [None, 2.0, -1.0, None]
    assert column(found, "gain") == [0.0, 2.0, 0.0, 0.0]
    assert column(found, "dcg") == [0, *[2 / math.log2(3)] * 3]
    lines = table(ndcg, "odd", "nDCG@10")
    assert ["not judged" in line for line in lines[2:6]] == [True, False, False, True]
    assert lines[0].endswith("found at")
    assert lines[2].split()[-1] == "2"
    assert lines[3].split()[-1] == "missed"
    assert "missed" not in lines[4]


@pytest.mark.quick
@pytest.mark.usefixtures("worked")
def test_a_document_beyond_the_cutoff_is_found_where_it_stands(ndcg: Command) -> None:
    # The ideal ranking begins with d1, d3 when only the returned ones count.
    lines = table(ndcg, "w", "nDCG(ideal='retrieved')@2")
    assert [line.split()[-1] for line in lines[2:4]] == ["3", "1"]
    assert len(lines) == 5


@pytest.mark.quick
@pytest.mark.usefixtures("worked")
def test_an_unanswered_query_shows_the_ideal_ranking(ndcg: Command) -> None:
    (row,) = steps(ndcg, "silent", "nDCG@10")
    assert (row["doc_id"], row["dcg"]) == (None, 0)
    assert (row["ideal_doc_id"], row["ideal_gain"], row["ideal_dcg"]) == ("a", 1, 1)
    lines = table(ndcg, "silent", "nDCG@10")
    assert lines[-1] == "nDCG@10 = DCG / IDCG = 0.000000 / 1.000000 = 0.000000"
    assert lines[2].split()[-1] == "missed"
    assert "left out" in table(ndcg, "silent", "nDCG(missing='omit')@10")[-1]


@pytest.mark.quick
@pytest.mark.usefixtures("worked")
@pytest.mark.parametrize(
    ("measure", "line"),
    [
        ("nDCG@10", "nDCG@10: the ideal ranking is empty; the query counts 0"),
        (
            "nDCG(no_rel=1)@10",
            "nDCG(no_rel=1)@10: the ideal ranking is empty; the query counts 1",
        ),
        (
            "nDCG(no_rel='omit')@10",
            "nDCG(no_rel='omit')@10: the ideal ranking is empty; the query is left out",
        ),
        ("DCG@10", "DCG@10: the ideal ranking is empty; the query counts 0"),
        (
            "IDCG(no_rel=1)@5",
            "IDCG(no_rel=1)@5: the ideal ranking is empty; the query counts 1",
        ),
    ],
)
def test_a_query_with_nothing_relevant_says_what_it_counts(
    ndcg: Command, measure: str, line: str
) -> None:
    lines = table(ndcg, "zero", measure)
    assert lines[-1] == line


@pytest.mark.quick
def test_an_unregistered_measure_is_explained_without_writing(
    ndcg: Command, worked: Path
) -> None:
    before = digest(worked)
    found = steps(ndcg, "w", "nDCG(gains={3:10})@3")
    assert column(found, "gain") == [10, 2, 10]
    assert column(found, "ideal_gain") == [10, 10, 10]
    assert digest(worked) == before


@pytest.mark.usefixtures("changeable")
def test_without_a_measure_the_first_registered_ndcg_is_explained(
    ndcg: Command,
) -> None:
    assert ndcg("explain", "base", "w").out.splitlines()[-1].startswith("nDCG@10 = ")
    assert ndcg("measures", "remove", "nDCG@10").code == 0
    assert ndcg("measures", "add", "nDCG@3", "nDCG@2").code == 0
    assert ndcg("explain", "base", "w").out.splitlines()[-1].startswith("nDCG@3 = ")


@pytest.mark.usefixtures("changeable")
def test_older_judgments_explain_the_older_value(ndcg: Command) -> None:
    Path("newer").write_text("w 0 d6 1\n")
    assert ndcg("load", "judgments", "newer", "--no-evaluate").code == 0
    newest = steps(ndcg, "w", "nDCG@6")
    assert column(newest, "gain") == [0, 0, 0, 0, 0, 1]
    assert column(newest, "grade") == [None] * 5 + [1]
    old = steps(ndcg, "w", "nDCG@6", "--judgments", "qrels")
    assert column(old, "gain") == [3, 2, 3, 0, 1, 2]


@pytest.mark.usefixtures("worked")
def test_an_explanation_comes_in_every_format(ndcg: Command) -> None:
    markdown = table(ndcg, "w", "nDCG@6", "--format", "markdown")
    assert markdown[1].startswith("|--")
    assert markdown[-2:] == [
        "",
        "nDCG@6 = DCG / IDCG = 6.861127 / 8.740262 = 0.785002",
    ]
    header, *rows = table(ndcg, "w", "nDCG@6", "--format", "csv")
    assert set(header.split(",")) >= FIELDS
    assert len(rows) == 6
    given = ["--format", "parquet", "-o", "out.parquet"]
    assert table(ndcg, "w", "nDCG@6", *given) == []
    assert Path("out.parquet").read_bytes().startswith(b"PAR1")


MISTYPED = {
    "zelt 3 persnen": '"7" (Zelt 3 Personen)',
    "Zelt 3 Personen ": '"7" (Zelt 3 Personen)',
    "wanderschuh": '"wanderschuhe"',
    "7 ": '"7" (Zelt 3 Personen)',
    "Fon": '"Fön"',
    "foen": '"Fön"',
}


def test_a_mistyped_query_is_told_with_those_that_may_be_meant(ndcg: Command) -> None:
    Path("qrels").write_text("7 0 a 1\nwanderschuhe 0 b 1\nFön 0 c 1\n")
    Path("new").write_text("7 Q0 a 1 1 t\n")
    Path("old").write_text("7 Q0 a 1 1 t\n")
    assert ndcg("load", "run", "old").code == 0
    Path("q.csv").write_text("query_id,text\n7,Zelt 3 Personen\n")
    for kind, name in (("judgments", "qrels"), ("run", "new"), ("queries", "q.csv")):
        assert ndcg("load", kind, name).code == 0
    for given, meant in MISTYPED.items():
        for more in ((), ("--against", "old")):
            assert ndcg("explain", "new", given, *more).refusal == (
                f'query "{given}": neither in the run nor judged; did you mean'
                f" {meant}?\n"
            )
    assert ndcg("explain", "new", "kocher").err.endswith("nor judged\n")


def test_a_run_and_a_query_that_changed_places_are_told(ndcg: Command) -> None:
    Path("qrels").write_text("q1 0 a 1\n")
    Path("first").write_text("q1 Q0 a 1 1 t\n")
    for kind, name in (("judgments", "qrels"), ("run", "first")):
        assert ndcg("load", kind, name).code == 0
    told = ndcg("explain", "q1", "first", "-m", "AP")
    fault = '"first" is a run, and "q1" is none; the run comes first, then the query; '
    way = "ndcg-sql explain first q1 -m AP"
    assert told.refusal == f"{fault}{way}\n"
    assert ndcg(*shlex.split(way)[1:]).code == 0
    with Warehouse(Path("ndcg.duckdb")) as warehouse:
        with pytest.raises(NdcgSqlError) as error:
            warehouse.explain("q1", "first", against="second")
        way = 'explain("first", "q1", against="second")'
        assert str(error.value) == fault + way
        # A run may be called as a query is.
        warehouse.load_run({"q1": {"a": 1.0}}, "q1")
        assert len(warehouse.explain("q1", "q1").df()) == 1
