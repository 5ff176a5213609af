"""An explanation shows every step from a ranking to its value."""

import math
import re
from itertools import accumulate
from pathlib import Path

import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from support.commands import Command, check_refused, load_texts, records
from support.explanations import column, steps, table
from support.files import digest

pytestmark = pytest.mark.mostly_slow

# The fields that scripts rely on.
FIELDS = {
    *("position", "doc_id", "grade", "gain", "discount", "discounted_gain", "dcg"),
    *("ideal_doc_id", "ideal_gain", "ideal_dcg"),
}
GRADES = [3, 2, 3, 0, 1, 2]
IDEAL = [("m1", 3), ("d3", 3), ("d1", 3), ("m2", 2), ("d6", 2), ("d2", 2), ("d5", 1)]


def discounted(gains: list[int]) -> list[float]:
    """Return gains divided by their discounts."""
    return [gain / math.log2(i + 1) for i, gain in enumerate(gains, 1)]


@pytest.mark.usefixtures("worked")
def test_every_step_of_the_worked_example_is_shown(ndcg: Command) -> None:
    found = steps(ndcg, "w", "nDCG@6")
    assert set(found[0]) >= FIELDS
    assert column(found, "position") == [1, 2, 3, 4, 5, 6]
    assert column(found, "doc_id") == ["d1", "d2", "d3", "d4", "d5", "d6"]
    assert column(found, "grade") == column(found, "gain") == GRADES
    discounts = [math.log2(i + 1) for i in range(1, 7)]
    ideal = list(
        zip(column(found, "ideal_doc_id"), column(found, "ideal_gain"), strict=True)
    )
    assert ideal == IDEAL[:6]
    for name, expected in {
        "discount": discounts,
        "discounted_gain": discounted(GRADES),
        "dcg": [*accumulate(discounted(GRADES))],
        "ideal_dcg": [*accumulate(discounted([gain for _, gain in IDEAL[:6]]))],
    }.items():
        assert column(found, name) == pytest.approx(expected, abs=1e-12)


@pytest.mark.usefixtures("worked")
def test_the_last_sums_are_those_of_the_value(ndcg: Command) -> None:
    names = ["nDCG@6", "nDCG@2", "nDCG(dcg='exp-log2')@6", "nDCG(dcg='jk')@5"]
    names += ["nDCG(ideal='retrieved')@6", "nDCG(gains={1:3.5,2:9})@6", "nDCG(rel=2)@6"]
    found = records(ndcg, "report", "-q", "-m", " ".join(names))
    values = {r["measure"]: r["value"] for r in found if r["query_id"] == "w"}
    assert list(values) == names
    for name, value in values.items():
        last = steps(ndcg, "w", name)[-1]
        assert last["dcg"] / last["ideal_dcg"] == pytest.approx(value, abs=1e-12)


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
    lines = table(ndcg, "odd", "nDCG@10")
    assert ["not judged" in line for line in lines[2:6]] == [True, False, False, True]
    assert lines[0].endswith("found at")
    assert [line.split()[-1] for line in lines[2:4]] == ["2", "missed"]
    assert "missed" not in lines[4]
    # A document beyond the cutoff is found where it stands.
    lines = table(ndcg, "w", "nDCG(ideal='retrieved')@2")
    assert [line.split()[-1] for line in lines[2:-1]] == ["3", "1"]
    [row] = steps(ndcg, "silent", "nDCG@10")
    shown = ("doc_id", "dcg", "ideal_doc_id", "ideal_gain", "ideal_dcg")
    assert [row[name] for name in shown] == [None, 0, "a", 1, 1]
    assert table(ndcg, "silent", "nDCG@10")[2].split()[-1] == "missed"


# The last line, by query and measure; ... stands for what is not compared.
LAST_LINES = {
    ("w", "nDCG@6"): "nDCG@6 = DCG / IDCG = 6.861127 / 8.740262 = 0.785002",
    ("w", "DCG@6"): "DCG@6 = 6.861127",
    ("w", "IDCG@6"): "IDCG@6 = 8.740262",
    ("w", "nDCG(dcg='exp-log2')@6"): "... = DCG / IDCG = 13.848264 / ... = 0.751083",
    ("silent", "nDCG@10"): "nDCG@10 = DCG / IDCG = 0.000000 / 1.000000 = 0.000000",
    ("silent", "nDCG(missing='omit')@10"): "...left out",
    ("zero", "nDCG@10"): "nDCG@10: the ideal ranking is empty; the query counts 0",
    ("zero", "nDCG(no_rel=1)@10"): "...: the ideal ranking is empty; ... counts 1",
    ("zero", "nDCG(no_rel='omit')@10"): "...: the ideal ranking is empty; ...left out",
    ("zero", "DCG@10"): "DCG@10: the ideal ranking is empty; the query counts 0",
    ("zero", "IDCG(no_rel=1)@5"): "...: the ideal ranking is empty; ... counts 1",
    ("odd", "AP"): "AP = sum / relevant = 0.500000 / 2 = 0.250000",
    ("odd", "RR"): "RR = 0.500000",
    ("odd", "P@10"): "P@10 = sum / divisor = 1.000000 / 10 = 0.100000",
    ("odd", "P"): "P = sum / divisor = 1.000000 / 4 = 0.250000",
    ("odd", "R@3"): "R@3 = sum / relevant = 1.000000 / 2 = 0.500000",
    ("odd", "Success@1"): "Success@1 = ... = 0.000000",
    ("odd", "RBP"): "RBP = sum * (1 - p) = 0.160000",
    ("odd", "nERR"): "nERR = sum / ... = 0.093750 / 0.212891 = 0.440367",
    ("odd", "Bpref"): "Bpref = sum / relevant = 1.000000 / 2 = 0.500000",
    ("silent", "AP"): "AP = ... = 0.000000; the run has no document for the query",
    (
        "silent",
        "P(missing='omit')",
    ): "...: the run did not answer the query; ...left out",
    ("zero", "RR"): "RR: no document is relevant; the query counts 0",
    ("zero", "RR(no_rel='omit')"): "...: no document is relevant; ...left out",
}


@pytest.mark.usefixtures("worked")
@pytest.mark.parametrize(("query", "measure"), LAST_LINES)
def test_the_last_line_makes_one_value_of_the_terms(
    ndcg: Command, query: str, measure: str
) -> None:
    pattern = re.escape(LAST_LINES[query, measure]).replace(re.escape("..."), ".*")
    assert re.fullmatch(pattern, line := table(ndcg, query, measure)[-1]), line


@pytest.mark.usefixtures("worked")
def test_precisions_and_missed_documents_are_shown(ndcg: Command) -> None:
    lines = table(ndcg, "odd", "AP")
    assert [" ".join(line.split()) for line in (lines[0], *lines[2:-1])] == [
        "position document grade found term sum",
        "1 x not judged 0.0000",
        "2 a 2 1 0.5000 0.5000",
        "3 b -1 0.5000",
        "4 y not judged 0.5000",
        "missed missed 1 0.0000",
    ]


def test_subtopics_of_a_query_that_a_run_does_not_answer(ndcg: Command) -> None:
    load_texts(
        ndcg,
        {
            "judgments qrels": "q1 1 a 1\nq1 2 b 1\nq2 1 c 1\n",
            "run base": "q1 Q0 b 1 2 t\n",
        },
    )
    [header, *_, line] = table(ndcg, "q2", "alpha_DCG@1")
    assert header.split()[-3:] == ["subtopics", "term", "sum"]
    assert re.fullmatch(r"alpha_DCG@1 = .*0\.000000; the run has no document.*", line)
    line = table(ndcg, "q1", "alpha_DCG@1")[-1]
    assert re.fullmatch(r"alpha_DCG@1 = sum / .* = 1\.000000 / 2 = 0\.500000", line)


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
    load_texts(ndcg, {"judgments newer --no-evaluate": "w 0 d6 1\n"})
    newest = steps(ndcg, "w", "nDCG@6")
    assert column(newest, "gain") == [0, 0, 0, 0, 0, 1]
    assert column(newest, "grade") == [None] * 5 + [1]
    assert column(steps(ndcg, "w", "nDCG@6", "--judgments", "qrels"), "gain") == GRADES


def both(ndcg: Command, query: str, *given: str) -> list[str]:
    """Return the lines of two explanations beside each other."""
    result = ndcg("explain", "base", query, *given)
    assert result.code == 0, result.err
    return result.out.splitlines()


@pytest.mark.usefixtures("worked")
def test_two_forms_of_a_measure_stand_side_by_side(ndcg: Command) -> None:
    retrieved = "nDCG(dcg='exp-log2',ideal='retrieved')@4"
    head, _, first, *more, own, other, difference = both(
        ndcg, "w", "-m", "nDCG@6", "-m", retrieved
    )
    names = ["gain", "gain/discount", "DCG", "ideal gain", "IDCG"]
    numbered = [f"{number}: {name}" for number in (1, 2) for name in names]
    assert re.split(r"  +", head) == ["position", "document", "grade", *numbered]
    cells = "1 d1 3 3 3.0000 3.0000 3 3.0000 7 7.0000 7.0000 7 7.0000"
    assert " ".join(first.split()) == cells
    # The second one ends at its cutoff.
    assert [len(line.split()) for line in more] == [13, 13, 13, 8, 8]
    assert own == "1: " + LAST_LINES["w", "nDCG@6"]
    ideal = [7, 7, 3, 3]
    value = sum(discounted([7, 3, 7, 0])) / sum(discounted(ideal))
    assert other.startswith(f"2: {retrieved} = DCG / IDCG = ")
    assert other.endswith(f" = {value:.6f}")
    assert difference.endswith(f" = {value - 0.785002372:+.6f}")
    # Terms follow each other.
    lines = table(ndcg, "odd", "AP AP@1")
    assert lines[-1] == "2 - 1 = 0.000000 - 0.250000 = -0.250000"
    assert [line[:2] for line in lines if ": " in line] == ["1:", "2:"]
    lines = both(ndcg, "odd", "-m", "nDCG@10 nDCG(judged_only=true)@10")
    assert "1: document" in lines[0]
    assert "2: grade" in lines[0]
    assert lines[2].split()[:4] == ["1", "x", "not", "judged"]
    assert " a " in lines[2]


@pytest.mark.usefixtures("worked")
def test_a_system_stands_beside_a_measure(ndcg: Command) -> None:
    lines = both(ndcg, "w", "-m", "nDCG@6", "--like", "sklearn")
    assert lines[-2].startswith("2: nDCG(ideal='retrieved',ties='mean')@6 = ")
    assert lines[-1] == "2 - 1 = 0.960808 - 0.785002 = +0.175806"
    assert "ties='mean')@10 = " in both(ndcg, "w", "--like", "sklearn")[-2]
    # What is the same stands there once.
    assert both(ndcg, "w", "--like", "trec_eval") == table(ndcg, "w", "nDCG@10")
    # A query that one of them leaves out has no difference.
    lines = both(ndcg, "silent", "--like", "beir")
    assert lines[-2].endswith("= 0.000000")
    assert lines[-1].endswith("it is left out")
    lines = both(ndcg, "zero", "--like", "lightgbm")
    assert lines[-1] == "2 - 1 = 1.000000 - 0.000000 = +1.000000"
    markdown = both(ndcg, "w", "--like", "quepid", "--format", "markdown")
    assert markdown[-6::2] == ["", "", ""]
    assert markdown[1].startswith("|--")


@pytest.mark.quick
@pytest.mark.usefixtures("worked")
def test_what_cannot_be_explained_is_refused(ndcg: Command) -> None:
    check_refused(
        ndcg,
        "explain base w",
        {
            "-m 'nDCG@1 nDCG@2 nDCG@3'": "one measure, or two side by side, but not 3",
            "-m 'nDCG@5 DCG@5'": 'two forms of one measure side by side, but not "nDC',
            "-m nDCG@5 -m nDCG@10 --like quepid": "; name one: -m nDCG@10\n",
            "-m Gini": 'measure "Gini": rests on all that the run shows',
        },
    )


MISTYPED = {
    "'zelt 3 persnen'": '"7" (Zelt 3 Personen)',
    "'Zelt 3 Personen '": '"7" (Zelt 3 Personen)',
    "wanderschuh": '"wanderschuhe"',
    "'7 '": '"7" (Zelt 3 Personen)',
    "Fon": '"Fön"',
    "foen": '"Fön"',
}


def test_a_mistyped_query_is_told_with_those_that_may_be_meant(ndcg: Command) -> None:
    load_texts(
        ndcg,
        {
            "run old": "7 Q0 a 1 1 t\n",
            "judgments qrels": "7 0 a 1\nwanderschuhe 0 b 1\nFön 0 c 1\n",
            "run new": "7 Q0 a 1 1 t\n",
            "queries q.csv": "query_id,text\n7,Zelt 3 Personen\n",
        },
    )
    told = {
        given + more: f"neither in the run nor judged; did you mean {meant}?\n"
        for given, meant in MISTYPED.items()
        for more in ("", " --against old")
    }
    check_refused(ndcg, "explain new", told | {"kocher": "nor judged\n"})


def test_a_run_and_a_query_that_changed_places_are_told(ndcg: Command) -> None:
    load_texts(ndcg, {"judgments qrels": "q1 0 a 1\n", "run first": "q1 Q0 a 1 1 t\n"})
    fault = '"first" is a run, and "q1" is none; the run comes first, then the query; '
    way = "ndcg-sql explain first q1 -m AP\n"
    check_refused(ndcg, "explain", {"q1 first -m AP": fault + way})
    assert ndcg(*way.split()[1:]).code == 0
    with Warehouse(Path("ndcg.duckdb")) as warehouse:
        with pytest.raises(NdcgSqlError) as error:
            warehouse.explain("q1", "first", against="second")
        assert str(error.value).endswith('explain("first", "q1", against="second")')
        # A run may be called as a query is.
        warehouse.load_run({"q1": {"a": 1.0}}, "q1")
        assert len(warehouse.explain("q1", "q1").df()) == 1
