"""Two forms of a measure are explained side by side."""

import math
import re

import pytest

from support.commands import Command
from support.explanations import table


def both(ndcg: Command, query: str, *given: str) -> list[str]:
    """Return the lines of two explanations beside each other."""
    result = ndcg("explain", "base", query, *given)
    assert result.code == 0, result.err
    return result.out.splitlines()


@pytest.mark.slow
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
    assert len(more) == 5
    # The second one ends at its cutoff.
    assert [len(line.split()) for line in more] == [13, 13, 13, 8, 8]
    assert own == "1: nDCG@6 = DCG / IDCG = 6.861127 / 8.740262 = 0.785002"
    value = (7 + 3 / math.log2(3) + 7 / 2) / (
        7 + 7 / math.log2(3) + 3 / 2 + 3 / math.log2(5)
    )
    assert other.startswith(f"2: {retrieved} = DCG / IDCG = ")
    assert other.endswith(f" = {value:.6f}")
    assert difference.endswith(f" = {value - 0.785002372:+.6f}")


@pytest.mark.slow
@pytest.mark.usefixtures("worked")
def test_a_system_stands_beside_a_measure(ndcg: Command) -> None:
    other = "nDCG(ideal='retrieved',ties='mean')"
    lines = both(ndcg, "w", "-m", "nDCG@6", "--like", "sklearn")
    assert lines[-2].startswith(f"2: {other}@6 = ")
    assert lines[-2].endswith(" = 0.960808")
    assert lines[-1] == "2 - 1 = 0.960808 - 0.785002 = +0.175806"
    lines = both(ndcg, "w", "--like", "sklearn")
    assert lines[-2].startswith(f"2: {other}@10 = ")
    # What is the same stands there once.
    lines = both(ndcg, "w", "--like", "trec_eval")
    assert lines == table(ndcg, "w", "nDCG@10")


@pytest.mark.slow
@pytest.mark.usefixtures("worked")
def test_queries_that_one_measure_leaves_out_have_no_difference(
    ndcg: Command,
) -> None:
    lines = both(ndcg, "silent", "--like", "beir")
    assert lines[-2].endswith("= 0.000000")
    assert lines[-1].endswith("it is left out")
    lines = both(ndcg, "zero", "--like", "lightgbm")
    assert lines[-1] == "2 - 1 = 1.000000 - 0.000000 = +1.000000"


@pytest.mark.slow
@pytest.mark.usefixtures("worked")
def test_measures_that_see_other_documents_show_their_own(
    ndcg: Command,
) -> None:
    lines = both(ndcg, "odd", "-m", "nDCG@10 nDCG(judged_only=true)@10")
    assert "1: document" in lines[0]
    assert "2: grade" in lines[0]
    assert lines[2].split()[:4] == ["1", "x", "not", "judged"]
    assert " a " in lines[2]
    markdown = both(ndcg, "w", "--like", "quepid", "--format", "markdown")
    assert markdown[-6::2] == ["", "", ""]


@pytest.mark.usefixtures("worked")
@pytest.mark.parametrize(
    ("given", "line"),
    [
        (
            ["-m", "nDCG@1 nDCG@2 nDCG@3"],
            "explain shows one measure, or two side by side, but not 3; omit some",
        ),
        (
            ["-m", "nDCG@5 DCG@5"],
            'explain shows two forms of one measure side by side, but not "nDCG@5",'
            ' "DCG@5"; name, for example, two nDCG',
        ),
        (
            ["-m", "nDCG@5", "-m", "nDCG@10", "--like", "quepid"],
            "--like quepid: compares one measure with that of quepid;"
            " name one: -m nDCG@10",
        ),
        (
            ["-m", "Bpref", "--like", "quepid"],
            'measure "Bpref": explain shows "nDCG", "DCG", "IDCG", "AP", "RR", "P",'
            ' "R", "Success", "RBP", "ERR", "nERR", "alpha_DCG", "alpha_nDCG",'
            ' "ERR_IA", "nERR_IA", "NRBP", "nNRBP", "P_IA", "AP_IA", "StRecall"; for'
            " its values by query: ndcg-sql report -m Bpref --run base --per-query",
        ),
    ],
)
def test_more_than_two_forms_are_refused(
    ndcg: Command, given: list[str], line: str
) -> None:
    assert ndcg("explain", "base", "w", *given).refusal == line + "\n"
