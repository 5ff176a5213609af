"""An explanation shows every step from a ranking to its nDCG."""

import json
import math
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from conftest import Command, digest, untold

from ndcg_sql.loading import Options, load
from ndcg_sql.warehouse import Warehouse

Record = dict[str, Any]
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
# The worked example: grades 3 2 3 0 1 2 by position, with 3 and 2 not returned.
QRELS = {"d1": 3, "d2": 2, "d3": 3, "d4": 0, "d5": 1, "d6": 2, "m1": 3, "m2": 2}
IDEAL = [("m1", 3), ("d3", 3), ("d1", 3), ("m2", 2), ("d6", 2), ("d2", 2), ("d5", 1)]


@pytest.fixture(scope="module")
def example_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a warehouse with the worked example and some odd queries."""
    folder = tmp_path_factory.mktemp("example")
    lines = [f"w 0 {doc_id} {grade}" for doc_id, grade in QRELS.items()]
    lines += ["odd 0 a 2", "odd 0 b -1", "odd 0 missed 1", "silent 0 a 1"]
    lines += ["zero 0 a 0", "zero 0 b -3"]
    (folder / "qrels").write_text("\n".join(lines))
    lines = [f"w Q0 d{n} {n} {9 - n} t" for n in range(1, 7)]
    lines += ["odd Q0 x 1 9 t", "odd Q0 a 2 8 t", "odd Q0 b 3 7 t", "odd Q0 y 4 6 t"]
    lines += ["zero Q0 a 1 1 t", "unjudged Q0 a 1 1 t"]
    (folder / "base").write_text("\n".join(lines))
    with Warehouse.write(folder / "ndcg.duckdb") as warehouse:
        load(warehouse, "judgments", [folder / "qrels"], Options(), untold)
        load(warehouse, "run", [folder / "base"], Options(), untold)
    return folder / "ndcg.duckdb"


@pytest.fixture
def files(tmp_path: Path, example_file: Path) -> Path:
    """Put the worked example where commands find it."""
    shutil.copyfile(example_file.parent / "base", tmp_path / "base")
    return Path(shutil.copyfile(example_file, tmp_path / "ndcg.duckdb"))


def steps(ndcg: Command, query: str, measure: str, *given: str) -> list[Record]:
    """Return the rows of an explanation."""
    result = ndcg("explain", "base", query, "-m", measure, "--format", "json", *given)
    assert (result.code, result.err) == (0, "")
    return json.loads(result.out)


def column(found: list[Record], name: str) -> list[Any]:
    """Return what a field holds in all rows."""
    return [row[name] for row in found]


def running(terms: list[float]) -> list[float]:
    """Return the sums of the first terms, added one after the other."""
    sums: list[float] = []
    for term in terms:
        sums.append((sums[-1] if sums else 0) + term)
    return sums


def test_every_step_of_the_worked_example_is_shown(ndcg: Command, files: Path) -> None:
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
    assert files.is_file()


def test_the_ideal_ranking_stands_beside(ndcg: Command, files: Path) -> None:
    found = steps(ndcg, "w", "nDCG@6")
    ideal = list(
        zip(column(found, "ideal_doc_id"), column(found, "ideal_gain"), strict=True)
    )
    assert ideal == IDEAL[:6]
    terms = [gain / math.log2(i + 1) for i, (_, gain) in enumerate(IDEAL[:6], start=1)]
    assert column(found, "ideal_dcg") == pytest.approx(running(terms), abs=1e-12)
    assert found[-1]["ideal_dcg"] == pytest.approx(8.740262366, abs=1e-9)
    assert files.is_file()


def test_the_last_sums_are_those_of_the_value(ndcg: Command, files: Path) -> None:
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
    assert files.is_file()


def table(ndcg: Command, query: str, measure: str, *given: str) -> list[str]:
    """Return the lines of an explanation for people."""
    result = ndcg("explain", "base", query, "-m", measure, *given)
    assert (result.code, result.err) == (0, "")
    return result.out.splitlines()


def test_the_last_line_makes_one_value_of_the_sums(ndcg: Command, files: Path) -> None:
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
    assert files.is_file()


def test_without_a_cutoff_both_sides_are_shown_to_their_ends(
    ndcg: Command, files: Path
) -> None:
    found = steps(ndcg, "w", "nDCG")
    assert column(found, "position") == [1, 2, 3, 4, 5, 6, 7]
    assert column(found, "doc_id")[-1] is None
    assert found[-1]["dcg"] == found[-2]["dcg"]
    assert column(found, "ideal_doc_id") == [doc_id for doc_id, _ in IDEAL]
    short = steps(ndcg, "odd", "nDCG")
    assert column(short, "position") == [1, 2, 3, 4]
    assert column(short, "ideal_doc_id") == ["a", "missed", None, None]
    assert files.is_file()


def test_unjudged_documents_are_shown_and_gain_nothing(
    ndcg: Command, files: Path
) -> None:
    found = steps(ndcg, "odd", "nDCG@10")
    assert column(found, "doc_id") == ["x", "a", "b", "y"]
    assert column(found, "grade") == [None, 2.0, -1.0, None]
    assert column(found, "gain") == [0.0, 2.0, 0.0, 0.0]
    assert column(found, "dcg") == [0, *[2 / math.log2(3)] * 3]
    lines = table(ndcg, "odd", "nDCG@10")
    assert "not judged" in lines[2]
    assert "not judged" in lines[5]
    assert "not judged" not in lines[4]
    assert files.is_file()


def test_documents_that_the_run_missed_are_called_so(
    ndcg: Command, files: Path
) -> None:
    lines = table(ndcg, "odd", "nDCG@10")
    assert lines[0].endswith("found at")
    assert lines[2].split()[-1] == "2"
    assert lines[3].split()[-1] == "missed"
    assert "missed" not in lines[4]
    assert files.is_file()


def test_a_document_beyond_the_cutoff_is_found_where_it_stands(
    ndcg: Command, files: Path
) -> None:
    # The ideal ranking begins with d1, d3 when only the returned ones count.
    lines = table(ndcg, "w", "nDCG(ideal='retrieved')@2")
    assert [line.split()[-1] for line in lines[2:4]] == ["3", "1"]
    assert len(lines) == 5
    assert files.is_file()


def test_an_unanswered_query_shows_the_ideal_ranking(
    ndcg: Command, files: Path
) -> None:
    (row,) = steps(ndcg, "silent", "nDCG@10")
    assert (row["doc_id"], row["dcg"]) == (None, 0)
    assert (row["ideal_doc_id"], row["ideal_gain"], row["ideal_dcg"]) == ("a", 1, 1)
    lines = table(ndcg, "silent", "nDCG@10")
    assert lines[-1] == "nDCG@10 = DCG / IDCG = 0.000000 / 1.000000 = 0.000000"
    assert lines[2].split()[-1] == "missed"
    assert files.is_file()


def test_an_unanswered_query_that_is_left_out_is_said_to_be(
    ndcg: Command, files: Path
) -> None:
    last = table(ndcg, "silent", "nDCG(missing='omit')@10")[-1]
    assert "left out" in last
    assert files.is_file()


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
    ndcg: Command, files: Path, measure: str, line: str
) -> None:
    lines = table(ndcg, "zero", measure)
    assert lines[-1] == line
    assert files.is_file()


def test_an_unregistered_measure_is_explained_without_writing(
    ndcg: Command, files: Path
) -> None:
    before = digest(files)
    found = steps(ndcg, "w", "nDCG(gains={3:10})@3")
    assert column(found, "gain") == [10, 2, 10]
    assert column(found, "ideal_gain") == [10, 10, 10]
    assert digest(files) == before


def test_without_a_measure_the_first_registered_ndcg_is_explained(
    ndcg: Command, files: Path
) -> None:
    assert ndcg("explain", "base", "w").out.splitlines()[-1].startswith("nDCG@10 = ")
    assert ndcg("measures", "remove", "nDCG@10").code == 0
    assert ndcg("measures", "add", "nDCG@3", "nDCG@2").code == 0
    assert ndcg("explain", "base", "w").out.splitlines()[-1].startswith("nDCG@3 = ")
    assert files.is_file()


def test_older_judgments_explain_the_older_value(ndcg: Command, files: Path) -> None:
    Path("newer").write_text("w 0 d6 1\n")
    assert ndcg("load", "judgments", "newer", "--no-evaluate").code == 0
    newest = steps(ndcg, "w", "nDCG@6")
    assert column(newest, "gain") == [0, 0, 0, 0, 0, 1]
    assert column(newest, "grade") == [None] * 5 + [1]
    old = steps(ndcg, "w", "nDCG@6", "--judgments", "qrels")
    assert column(old, "gain") == [3, 2, 3, 0, 1, 2]
    assert files.is_file()


def test_a_run_of_several_datasets_needs_one_to_be_named(
    ndcg: Command, files: Path
) -> None:
    assert ndcg("load", "run", "base", "--dataset", "shop").code == 0
    result = ndcg("explain", "base", "w")
    assert (result.code, result.out) == (2, "")
    assert result.err == (
        'run "base" is in several datasets; say which: --dataset, one of'
        ' "default", "shop"\n'
    )
    assert ndcg("explain", "base", "w", "--dataset", "default").code == 0
    assert files.is_file()


def test_an_explanation_comes_in_every_format(ndcg: Command, files: Path) -> None:
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
    assert files.is_file()


def test_whole_grades_of_any_size_are_written_in_full(
    ndcg: Command, files: Path
) -> None:
    Path("large").write_text("w 0 d1 1234567\nw 0 d2 0.1234567\n")
    assert ndcg("load", "judgments", "large").code == 0
    lines = table(ndcg, "w", "nDCG@2")
    assert lines[2].split()[2] == "1234567"
    assert files.is_file()


def both(ndcg: Command, query: str, *given: str) -> list[str]:
    """Return the lines of two explanations beside each other."""
    result = ndcg("explain", "base", query, *given)
    assert result.code == 0, result.err
    return result.out.splitlines()


def test_two_forms_of_a_measure_stand_side_by_side(ndcg: Command, files: Path) -> None:
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
    assert files.is_file()


def test_two_measures_are_told_apart_in_data(ndcg: Command, files: Path) -> None:
    names = ["nDCG@6", "nDCG(dcg='exp-log2',ideal='retrieved')@4"]
    result = ndcg("explain", "base", "w", "-m", " ".join(names), "--format", "json")
    rows = json.loads(result.out)
    assert column(rows, "measure") == [names[0]] * 6 + [names[1]] * 4
    for name in names:
        own = [
            {key: value for key, value in row.items() if key != "measure"}
            for row in rows
            if row["measure"] == name
        ]
        assert own == steps(ndcg, "w", name)
    assert "measure" not in steps(ndcg, "w", names[0])[0]
    assert files.is_file()


def test_a_system_stands_beside_a_measure(ndcg: Command, files: Path) -> None:
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
    assert files.is_file()


def test_queries_that_one_measure_leaves_out_have_no_difference(
    ndcg: Command, files: Path
) -> None:
    lines = both(ndcg, "silent", "--like", "beir")
    assert lines[-2].endswith("= 0.000000")
    assert lines[-1].endswith("it is left out")
    lines = both(ndcg, "zero", "--like", "lightgbm")
    assert lines[-1] == "2 - 1 = 1.000000 - 0.000000 = +1.000000"
    assert files.is_file()


def test_measures_that_see_other_documents_show_their_own(
    ndcg: Command, files: Path
) -> None:
    lines = both(ndcg, "odd", "-m", "nDCG@10 nDCG(judged_only=true)@10")
    assert "1: document" in lines[0]
    assert "2: grade" in lines[0]
    assert lines[2].split()[:4] == ["1", "x", "not", "judged"]
    assert " a " in lines[2]
    markdown = both(ndcg, "w", "--like", "quepid", "--format", "markdown")
    assert markdown[-6::2] == ["", "", ""]
    assert files.is_file()


@pytest.mark.parametrize(
    ("given", "line"),
    [
        (
            ["-m", "nDCG@1 nDCG@2 nDCG@3"],
            "explain shows one measure, or two side by side, but not 3; leave some out",
        ),
        (
            ["-m", "nDCG@5 DCG@5"],
            'explain shows two forms of one measure side by side, but not "nDCG@5",'
            ' "DCG@5"; name two nDCG, for example',
        ),
        (
            ["-m", "nDCG@5", "-m", "nDCG@10", "--like", "quepid"],
            "explain --like quepid shows a measure beside what quepid makes of it;"
            " name one: -m nDCG@10",
        ),
        (
            ["-m", "AP", "--like", "quepid"],
            'measure "AP": explain shows "nDCG", "DCG", "IDCG"',
        ),
    ],
)
def test_more_than_two_forms_are_refused(
    ndcg: Command, files: Path, given: list[str], line: str
) -> None:
    result = ndcg("explain", "base", "w", *given)
    assert (result.code, result.out, result.err) == (2, "", line + "\n")
    assert files.is_file()
