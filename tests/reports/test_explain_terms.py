"""The terms of a value add up to it, bit for bit, on any ranking."""

import random
from pathlib import Path
from typing import Any

import pytest

from ndcg_sql.database import opening
from ndcg_sql.evaluation.question import Question
from ndcg_sql.measures.names import parse
from ndcg_sql.reports import explain
from ndcg_sql.requests.questions import ExplainRequest
from ndcg_sql.system.messages import Silent
from support.commands import Command
from support.explanations import table

NAMES = (
    *("AP", "AP@5", "AP(norm='min')@3", "AP(norm='hits')@4", "AP(rel=2)"),
    *("AP(judged_only=true)@6", "AP(no_rel=1)", "AP(missing='omit')"),
    *("RR", "RR@2", "P", "P@5", "P@30", "P(rel=2)@5", "R", "R@5", "Success@1"),
    *("Success@5", "RBP", "RBP(p=0.9)@7", "RBP(rel=3)", "ERR", "ERR@5", "nERR"),
    *("ERR(judged_only=true)@4", "nERR@3", "P(no_rel='omit')@5"),
)
QRELS = "q1 0 apple 3\nq1 0 pear 1\nq1 0 plum 2\nq2 0 fig 1\nq3 0 fig 0\n"
RUN = "".join(
    f"q1 Q0 {doc} 0 {score} t\n"
    for doc, score in (("kiwi", 9), ("pear", 8), ("apple", 7), ("kaki", 6))
)


def _world(seed: int) -> tuple[str, str]:
    """Return the judgments and the run of random queries."""
    dice = random.Random(seed)
    judged, ranked = ["q0 0 d 1\n"], list[str]()
    for query in range(1, 7):
        documents = [f"d{n}" for n in range(dice.choice((1, 4, 12, 40)))]
        highest = dice.choice((0, 1, 4))
        for document in dice.sample(documents, (len(documents) + 1) // 2):
            judged.append(f"q{query} 0 {document} {dice.randint(-1, highest)}\n")
        for document in dice.sample(documents, dice.randint(1, len(documents))):
            score = dice.randint(0, 9)
            ranked.append(f"q{query} Q0 {document} 0 {score} t\n")
    return "".join(judged), "".join(ranked)


def _computed(rows: list[dict[str, Any]]) -> float:
    """Return the value by adding the terms one after the other."""
    total = 0.0
    for row in rows:
        total += row["term"] or 0.0
    if rows[0]["factor"] is not None:
        return total * rows[0]["factor"]
    if rows[0]["divided_by"] is not None:
        return total / rows[0]["divisor"] if rows[0]["divisor"] else 0.0
    return total


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_the_terms_add_up_to_the_value(ndcg: Command, seed: int) -> None:
    judged, ranked = _world(seed)
    Path("qrels").write_text(judged)
    Path("base").write_text(ranked)
    assert ndcg("load", "judgments", "qrels").code == 0
    assert ndcg("load", "run", "base").code == 0
    assert ndcg("measures", "add", *NAMES).code == 0
    compared = 0
    measures = tuple(parse(" ".join(NAMES)))
    with opening.read(Path("ndcg.duckdb")) as database:
        values = database.execute("select query_id, measure, value from query_values")
        stored = {(query, measure): value for query, measure, value in values}
        chosen = explain.resolve(
            database, Silent(), ExplainRequest(run="base", query="")
        )
        question = Question(measures, chosen.runs, chosen.pairs)
        for query in sorted({query for query, _ in stored}):
            found = explain.rows(database, question, query).records
            for measure in measures:
                rows = [row for row in found if row["measure"] == measure.name]
                value = stored[query, measure.name]
                assert {row["value"] for row in rows} == {value}
                if value is None or rows[0]["nothing_relevant"]:
                    continue
                assert _computed(rows) == value
                last = [r["term_sum"] for r in rows if r["term_sum"] is not None]
                assert not last or max(last) == last[-1]
                compared += 1
    assert compared > 50


@pytest.fixture
def fruits(ndcg: Command) -> Command:
    """Load a small run and its judgments."""
    Path("qrels").write_text(QRELS)
    Path("base").write_text(RUN)
    assert ndcg("load", "judgments", "qrels").code == 0
    assert ndcg("load", "run", "base").code == 0
    return ndcg


@pytest.mark.slow
def test_precisions_and_missed_documents_are_shown(fruits: Command) -> None:
    assert table(fruits, "q1", "AP") == [
        "position   document        grade   found     term      sum",
        "──────────────────────────────────────────────────────────",
        "       1   kiwi       not judged                    0.0000",
        "       2   pear                1       1   0.5000   0.5000",
        "       3   apple               3       2   0.6667   1.1667",
        "       4   kaki       not judged                    1.1667",
        "  missed   plum                2           0.0000",
        "AP = sum / relevant documents = 1.166667 / 3 = 0.388889",
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("query", "measure", "line"),
    [
        ("q1", "RR", "RR = 0.500000"),
        ("q1", "P@10", "P@10 = sum / cutoff = 2.000000 / 10 = 0.200000"),
        ("q1", "P", "P = sum / documents = 2.000000 / 4 = 0.500000"),
        ("q1", "R@3", "R@3 = sum / relevant documents = 2.000000 / 3 = 0.666667"),
        ("q1", "Success@1", "Success@1 = 0.000000"),
        ("q1", "RBP", "RBP = sum x (1 - p) = 1.440000 x 0.200000 = 0.288000"),
        ("q1", "nERR", "nERR = sum / ideal ERR = 0.167969 / 0.499756 = 0.336102"),
        (
            "q2",
            "AP",
            "AP = sum / relevant documents = 0.000000 / 1 = 0.000000; the run has no"
            " document for the query",
        ),
        (
            "q2",
            "P(missing='omit')",
            "P(missing='omit'): the run did not answer the query; it is left out",
        ),
        ("q3", "RR", "RR: no document is relevant; the query counts 0"),
        (
            "q3",
            "RR(no_rel='omit')",
            "RR(no_rel='omit'): no document is relevant; the query is left out",
        ),
    ],
)
def test_the_last_line_computes_the_value(
    fruits: Command, query: str, measure: str, line: str
) -> None:
    assert table(fruits, query, measure)[-1] == line


@pytest.mark.slow
def test_two_of_a_kind_follow_each_other(fruits: Command) -> None:
    lines = table(fruits, "q1", "AP AP@2")
    assert lines[-1] == "2 - 1 = 0.166667 - 0.388889 = -0.222222"
    assert [line[:2] for line in lines if ": " in line] == ["1:", "2:"]
    markdown = fruits("explain", "base", "q1", "-m", "AP", "--format", "markdown").out
    assert markdown.endswith(
        "|\n\nAP = sum / relevant documents = 1.166667 / 3 = 0.388889\n"
    )


def test_only_gains_are_explained_against_another_run(fruits: Command) -> None:
    result = fruits("explain", "base", "q1", "-m", "AP", "--against", "base")
    assert result.refusal == (
        "--against: shows one nDCG or DCG; name it: -m nDCG@10; for AP, explain one"
        " run after the other\n"
    )


@pytest.mark.slow
def test_subtopics_of_a_query_that_a_run_does_not_answer(ndcg: Command) -> None:
    """The divisor is named in words, and so is the lack of documents."""
    Path("qrels").write_text("q1 1 a 1\nq1 2 b 1\nq2 1 c 1\n")
    Path("base.run").write_text("q1 Q0 b 1 2 t\n")
    for kind, file in (("judgments", "qrels"), ("run", "base.run")):
        assert ndcg("load", kind, file).code == 0
    [header, *_, line] = table(ndcg, "q2", "alpha_DCG@1")
    assert header.split()[-3:] == ["subtopics", "term", "sum"]
    assert line == (
        "alpha_DCG@1 = sum / documents relevant to all subtopics = 0.000000 / 1 ="
        " 0.000000; the run has no document for the query"
    )
    assert table(ndcg, "q1", "alpha_DCG@1")[-1] == (
        "alpha_DCG@1 = sum / documents relevant to all subtopics = 1.000000 / 2 ="
        " 0.500000"
    )
