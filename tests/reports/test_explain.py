"""An explanation shows every step to a value, or two rankings side by side."""

import json
import math
import re
import shlex
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest

from support.commands import Command, Once, load_texts, records
from support.files import digest
from support.tables import check_rows, check_told, read_cases

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


def steps(ndcg: Command, query: str, measure: str, *given: str) -> list[dict[str, Any]]:
    """Return the rows of an explanation."""
    result = ndcg("explain", "base", query, "-m", measure, "--format", "json", *given)
    assert (result.code, result.err) == (0, "")
    return json.loads(result.out)


def column(found: list[dict[str, Any]], name: str) -> list[Any]:
    """Return what a field holds in all rows."""
    return [row[name] for row in found]


def table(ndcg: Command, query: str, measure: str, *given: str) -> list[str]:
    """Return the lines of an explanation for people."""
    result = ndcg("explain", "base", query, "-m", measure, *given)
    assert (result.code, result.err) == (0, "")
    return result.out.splitlines()


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


@pytest.mark.quick
@pytest.mark.usefixtures("worked")
def test_unjudged_and_missed_documents(ndcg: Command) -> None:
    lines = table(ndcg, "odd", "nDCG@10")
    assert ["not judged" in line for line in lines[2:6]] == [True, False, False, True]
    assert lines[0].endswith("found at")
    assert [line.split()[-1] for line in lines[2:4]] == ["2", "missed"]
    assert "missed" not in lines[4]
    # A document beyond the cutoff is found where it stands.
    lines = table(ndcg, "w", "nDCG(ideal='retrieved')@2")
    assert [line.split()[-1] for line in lines[2:-1]] == ["3", "1"]
    assert table(ndcg, "silent", "nDCG@10")[2].split()[-1] == "missed"


@pytest.mark.parametrize(
    ("command", "_", "told"), read_cases(Path(__file__).with_name("explanations.txt"))
)
def test_explanations(
    ndcg: Command, worked: Path, command: str, _: str, told: str
) -> None:
    before = digest(worked)
    result = ndcg(*shlex.split(command))
    assert (result.code, result.err) == (0, "")
    if command.endswith("json"):
        check_rows(json.loads(result.out), told)
    else:
        check_told(f"{result.out.splitlines()[-1]}\n", told)
    # Measures that are not registered are explained without writing.
    assert digest(worked) == before


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


@pytest.mark.usefixtures("changeable")
def test_without_a_measure_the_first_ndcg_is_explained(ndcg: Command) -> None:
    assert ndcg("explain", "base", "w").out.splitlines()[-1].startswith("nDCG@10 = ")
    assert ndcg("measures", "remove", "nDCG@10").code == 0
    assert ndcg("measures", "add", "nDCG@3", "nDCG@2").code == 0
    assert ndcg("explain", "base", "w").out.splitlines()[-1].startswith("nDCG@3 = ")


@pytest.mark.usefixtures("changeable")
def test_older_judgments_explain_the_older_value(ndcg: Command) -> None:
    load_texts(ndcg, {"judgments newer --no-evaluate": "w 0 d6 1\n"})
    newest = steps(ndcg, "w", "nDCG@6", "--judgments", "newer")
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
    _, _, first, *more, own, other, difference = both(
        ndcg, "w", "-m", "nDCG@6", "-m", retrieved
    )
    cells = "1 d1 3 3 3.0000 3.0000 3 3.0000 7 7.0000 7.0000 7 7.0000"
    assert " ".join(first.split()) == cells
    # The second one ends at its cutoff.
    assert [len(line.split()) for line in more] == [13, 13, 13, 8, 8]
    assert own == "1: nDCG@6 = DCG / IDCG = 6.861127 / 8.740262 = 0.785002"
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
    assert lines[-1].endswith("it is omitted")
    lines = both(ndcg, "zero", "--like", "lightgbm")
    assert lines[-1] == "2 - 1 = 1.000000 - 0.000000 = +1.000000"
    markdown = both(ndcg, "w", "--like", "quepid", "--format", "markdown")
    assert markdown[-6::2] == ["", "", ""]
    assert markdown[1].startswith("|--")


QRELS = "q 0 a 3\nq 0 b 2\nq 0 c 1\nq 0 d 0\nq 0 e 1\nz 0 a 0\ns 0 a 1\n"
# Found at ... by each run; u is not judged, e and u are beyond a cutoff of 3.
RANKED = {"old": "abcu", "new": "bdae"}
BEST = 3 + 2 / math.log2(3) + 1 / 2
AGAINST = ("explain", "new", "q", "--against", "old")


@pytest.fixture
def two(ndcg: Command, here: Path, once: Once) -> None:  # noqa: ARG001
    """Load two rankings of a query."""

    def fill() -> None:
        texts = {"judgments qrels": QRELS}
        for name, documents in RANKED.items():
            lines = [f"q Q0 {d} 1 {9 - i} t\n" for i, d in enumerate(documents)]
            texts[f"run {name}"] = "".join([*lines, "z Q0 a 1 1 t\n"])
        load_texts(ndcg, texts)

    once(fill)


@pytest.mark.usefixtures("two")
def test_documents_say_where_they_went_and_what_that_cost(ndcg: Command) -> None:
    found: dict[str, Any] = {
        r["doc_id"]: r for r in records(ndcg, *AGAINST, "-m", "nDCG@3")
    }
    assert list(found) == ["b", "d", "a", "c"]
    places = {d: (r["against_position"], r["position"]) for d, r in found.items()}
    assert places == {"a": (1, 3), "b": (2, 1), "c": (3, None), "d": (None, 2)}
    assert [found[d]["grade"] for d in "abcd"] == [3, 2, 1, 0]
    costs = {"a": 3 / 2 - 3, "b": 2 - 2 / math.log2(3), "c": -1 / 2, "d": 0}
    differences = {d: r["difference"] for d, r in found.items()}
    assert differences == pytest.approx({d: c / BEST for d, c in costs.items()})
    assert (found["c"]["share"], found["d"]["against_share"]) == (None, None)
    reported = records(ndcg, "report", "-q", "-m", "nDCG@3")
    value = {r["run"]: r["value"] for r in reported if r["query_id"] == "q"}
    assert sum(differences.values()) == pytest.approx(value["new"] - value["old"])
    # A document beyond the cutoff has a place, but no share.
    found = {r["doc_id"]: r for r in records(ndcg, *AGAINST, "-m", "DCG@2")}
    assert (found["a"]["position"], found["a"]["share"]) == (3, None)
    assert found["a"]["difference"] == -3
    assert found["b"]["difference"] == pytest.approx(costs["b"])


@pytest.mark.usefixtures("two")
def test_a_table_shows_both_rankings_and_then_what_moved(ndcg: Command) -> None:
    lines = ndcg(*AGAINST, "-m", "nDCG@3").out.splitlines()[2:]
    assert " ".join(lines[0].split()) == "1 a 3 0.6300 3 b 2 0.4200 2"
    assert " ".join(lines[2].split()) == "3 c 1 0.1050 missing a 3 0.3150 1"
    assert lines[3].startswith("nDCG@3: 1.000000 for old, 0.735")
    assert [line.split()[0] for line in lines[7:]] == ["a", "c", "b"]
    markdown = ndcg(*AGAINST, "--format", "markdown").out
    assert markdown.splitlines()[6] == ""
    assert "not judged" in markdown
    # With nothing to find, or without an answer.
    for query in "zs":
        shown = ndcg("explain", "new", query, "--against", "old").out.splitlines()[-1]
        value = "0.000000"
        assert (
            shown == f"nDCG@10: {value} for old, {value} for new, difference +{value}"
        )
