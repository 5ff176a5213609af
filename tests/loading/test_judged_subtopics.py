"""Judgments that name subtopics: how they are read, stored, exported and refused."""

import json
from pathlib import Path
from typing import NamedTuple

import pytest

import ndcg_sql
from support.commands import Command, Once
from support.exploring import mostly_slow
from support.files import stored

TREC = "q 1 a 1\nq 2 a 2\nq 1 b 1\nr 1 a 0\n"
CSV = "query_id,subtopic,doc_id,grade\nq,1,a,1\nq,2,a,2\nq,1,b,1\nr,1,a,0\n"
RUN = "q Q0 b 1 2 t\nq Q0 a 2 1 t\n"
ROWS = [
    *(("q", "1", "a", 1, None), ("q", "1", "b", 1, None)),
    *(("q", "2", "a", 2, None), ("r", "1", "a", 0, None)),
]
SUBTOPICS = (
    "select query_id, subtopic, doc_id, grade, label from main.subtopic_judgments"
    " order by all"
)
DOCUMENTS = "select query_id, doc_id, grade from main.judgments order by all"


class Qrel(NamedTuple):
    """A judgment, as ir_measures has it."""

    query_id: str
    doc_id: str
    relevance: int
    iteration: str = "0"


@pytest.fixture
def judged(
    ndcg: Command,
    empty: Path,  # noqa: ARG001 - what is filled
    once: Once,
) -> Command:
    """Put a warehouse with judgments of subtopics and a run into place."""

    def fill() -> None:
        Path("f").write_text(TREC)
        Path("run").write_text(RUN)
        assert ndcg("load", "judgments", "f").code == 0
        assert ndcg("load", "run", "run").code == 0

    once(fill)
    return ndcg


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("f", TREC),
        ("f.csv", CSV),
        ("f.csv", CSV.replace("subtopic", "Intent")),
        ("f.tsv", CSV.replace(",", "\t").replace("subtopic", "iteration")),
        (
            "f.jsonl",
            "".join(
                json.dumps({"qid": q, "aspect": t, "docid": d, "rating": g}) + "\n"
                for q, t, d, g, _ in ROWS
            ),
        ),
    ],
)
def test_subtopics_are_stored_and_documents_have_the_largest_grade(
    ndcg: Command, name: str, text: str
) -> None:
    Path(name).write_text(text)
    result = ndcg("load", "judgments", name)
    assert result.err.startswith(
        'loaded judgment set "f": 2 queries, 3 judgments, the largest grades of 4'
        " judgments for 3 subtopics"
    )
    assert stored(SUBTOPICS) == ROWS
    assert stored(DOCUMENTS) == [("q", "a", 2), ("q", "b", 1), ("r", "a", 0)]


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("f", "q 1 a 1\nq 1 b 1\n"),
        ("f", "q 0 a 1\n q\t0  b 1\n"),
        ("f.csv", "query_id,iteration,doc_id,grade\nq,0,a,1\nq,0,b,1\n"),
        ("f.csv", "query_id,subtopic,doc_id,grade\nq,,a,1\nq, ,b,1\n"),
    ],
)
def test_a_column_that_is_always_the_same_is_no_subtopic(
    ndcg: Command, name: str, text: str
) -> None:
    Path(name).write_text(text)
    result = ndcg("load", "judgments", name)
    assert result.err.startswith('loaded judgment set "f": 1 query, 2 judgments')
    assert "subtopic" not in result.err
    assert stored(SUBTOPICS) == []
    assert stored(DOCUMENTS) == [("q", "a", 1), ("q", "b", 1)]


@pytest.mark.usefixtures("empty")
def test_a_single_subtopic_that_is_called_so_is_one(ndcg: Command) -> None:
    Path("f.csv").write_text("query_id,subtopic,doc_id,grade\nq,only,a,1\n")
    result = ndcg("load", "judgments", "f.csv")
    assert "the largest grades of 1 judgment for 1 subtopic" in result.err
    assert stored(SUBTOPICS) == [("q", "only", "a", 1, None)]


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            CSV.replace("q,2,a", "q,,a"),
            'f.csv:3: query "q", document "a": no subtopic, but other lines have one\n'
            "1 bad line of 4; nothing was loaded. Name the subtopic of each row of the"
            " file, or of none.\n",
        ),
        (
            CSV.replace("q,2,a", "q,1,a"),
            'f.csv:3: query "q", subtopic "1", document "a": already on line 2\n'
            "1 bad line of 4; nothing was loaded. Correct the file and load it again."
            " To keep one row of each document: --duplicates first, --duplicates last"
            " or --duplicates max.\n",
        ),
    ],
)
def test_rows_that_cannot_be_of_subtopics_are_refused(
    ndcg: Command, text: str, message: str
) -> None:
    Path("f.csv").write_text(text)
    assert ndcg("load", "judgments", "f.csv").refusal == message
    assert stored("select count(*) from main.judgment_sets") == [(0,)]
    assert stored(SUBTOPICS) == []


@pytest.mark.usefixtures("empty")
def test_one_row_of_a_document_is_kept_for_each_subtopic(ndcg: Command) -> None:
    Path("f").write_text(TREC + "q 1 a 3\n")
    result = ndcg("load", "judgments", "f", "--duplicates", "max")
    assert "; 1 duplicate dropped (--duplicates max)" in result.err
    assert stored(SUBTOPICS) == [("q", "1", "a", 3, None), *ROWS[1:]]


def test_the_same_content_is_recognised_with_its_subtopics(judged: Command) -> None:
    assert judged("load", "judgments", "f").err.endswith("nothing to do\n")
    Path("f").write_text("".join(sorted(TREC.splitlines(keepends=True), reverse=True)))
    assert judged("load", "judgments", "f").err.endswith("nothing to do\n")
    # The largest grades stay the same, but a subtopic is another one.
    Path("f").write_text(TREC.replace("q 1 b", "q 2 b"))
    result = judged("load", "judgments", "f")
    assert "already exists with other content" in result.refusal
    assert stored(SUBTOPICS) == ROWS


@pytest.mark.slow
def test_a_measure_of_subtopics_needs_judgments_that_name_them(judged: Command) -> None:
    Path("plain").write_text("q 0 a 1\n")
    assert judged("measures", "add", "alpha_nDCG@10").code == 0
    result = judged("load", "judgments", "plain")
    assert result.code == 0
    assert result.err.endswith(
        'warning: measure alpha_nDCG@10 is left out for judgment set "plain": it has no'
        " subtopics\n"
    )
    result = judged("report", "-m", "StRecall@5")
    assert result.refusal == (
        'measure StRecall@5 cannot be used with judgment set "plain": it has no'
        " subtopics; load judgments that name them: lines of query, subtopic, document"
        " and grade, or a column subtopic (under another name: ndcg-sql load judgments"
        " FILE --column subtopic=NAME)\n"
    )
    assert judged("report", "-m", "StRecall@5", "--judgments", "f").code == 0


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize(
    "column", mostly_slow(["facet", "subtopic_number", "queryIntent"], "queryIntent")
)
def test_a_column_that_may_name_subtopics_is_proposed(
    ndcg: Command, column: str
) -> None:
    """Nothing that may be a subtopic is ignored without a word, nor an assessor."""
    way = f"--column subtopic={column}"
    Path("twice.csv").write_text(CSV.replace("subtopic", column))
    assert ndcg("load", "judgments", "twice.csv").refusal == (
        'twice.csv:3: query "q", document "a": already on line 2; if this is right:'
        f" ndcg-sql load judgments twice.csv {way}\n"
    )
    Path("once.csv").write_text(f"query_id,{column},doc_id,grade\nq,1,a,1\nq,2,b,1\n")
    Path("run").write_text(RUN)
    result = ndcg("load", "judgments", "once.csv")
    assert result.code == 0
    assert f"ignored columns: {column}; " in result.err
    assert ndcg("eval", "once.csv", "run", "-m", "StRecall@5").refusal.endswith(
        f'it has no subtopics; if they are in column "{column}": {way}\n'
    )
    assert ndcg("eval", "once.csv", "run", "-m", "StRecall@1", *way.split()).code == 0


def test_sets_with_subtopics_are_not_extended(judged: Command) -> None:
    Path("more").write_text("q 0 z 1\n")
    result = judged("load", "judgments", "more", "--base", "f")
    assert 'judgment set "f" has subtopics, and cannot be extended' in result.refusal
    Path("g").write_text(TREC)
    assert judged("load", "judgments", "more").code == 0
    result = judged("load", "judgments", "g", "--base", "more")
    assert "names subtopics, and cannot be added to other judgments" in result.refusal
    assert stored("select count(*) from main.judgment_sets") == [(2,)]


@pytest.mark.slow
def test_an_exported_set_loads_again_with_its_subtopics(judged: Command) -> None:
    forms = ("trec", "csv", "tsv", "jsonl", "json", "parquet")
    for form in forms:
        target = f"{form}.{form}"
        result = judged("export", "judgments", "f", "-o", target, "--format", form)
        assert result.err == (
            'exported judgment set "f": 2 queries, 4 judgments for 3 subtopics\n'
        )
    assert judged("remove", "judgments", "f").code == 0
    assert stored(SUBTOPICS) == []
    for form in forms:
        target = f"{form}.{form}"
        assert judged("load", "judgments", target, "--no-evaluate").code == 0
        of_set = f"where judgment_set = '{form}' order by all"
        assert stored(SUBTOPICS.replace("order by all", of_set)) == ROWS, form


@pytest.mark.usefixtures("empty")
def test_trec_cannot_hold_a_single_subtopic(ndcg: Command) -> None:
    Path("f.csv").write_text("query_id,subtopic,doc_id,grade\nq,only,a,1\n")
    assert ndcg("load", "judgments", "f.csv").code == 0
    result = ndcg("export", "judgments", "f", "-o", "copy", "--format", "trec")
    assert "trec cannot hold a single subtopic" in result.refusal


def test_a_query_is_explained_subtopic_by_subtopic(judged: Command) -> None:
    result = judged("explain", "run", "q", "-m", "alpha_DCG@2", "--format", "json")
    rows = json.loads(result.out)
    assert [(row["doc_id"], row["subtopics"]) for row in rows] == [
        ("b", "1 (1.0)"),
        ("a", "1 (0.3155), 2 (0.6309)"),
    ]
    assert rows[1]["term"] == pytest.approx(1.5 * 0.6309297535714575)
    assert rows[0]["value"] == pytest.approx(rows[1]["term_sum"] / rows[0]["divisor"])
    table = judged("explain", "run", "q", "-m", "alpha_nDCG@2").out
    assert "1 (0.3155), 2 (0.6309)" in table
    assert "sum / ideal_total = 1.946395 / 2.315465 = 0.840606" in table


def test_python_takes_frames_and_the_tuples_of_ir_measures() -> None:
    run = {"q": {"b": 2.0, "a": 1.0}}
    judgments = [Qrel(q, d, int(g), t) for q, t, d, g, _ in ROWS]
    with pytest.warns(UserWarning, match="1 of 2 judged queries without an answer"):
        values = ndcg_sql.evaluate(judgments, run, "StRecall@1 NumRel")
    assert dict(values) == {"StRecall@1": 0.25, "NumRel": 2}
    plain = [Qrel(q, d, int(g)) for q, t, d, g, _ in ROWS if t == "1"]
    with pytest.raises(ndcg_sql.NdcgSqlError, match="has no subtopics"):
        ndcg_sql.evaluate(plain, run, "StRecall@1")
