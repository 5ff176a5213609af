"""The terms of a value add up to it, bit for bit, on any ranking."""

import random
from pathlib import Path
from typing import Any

import pytest

from ndcg_sql.comparison.answers import Context
from ndcg_sql.database import opening
from ndcg_sql.evaluation.question import Question
from ndcg_sql.measures.names import Measure, parse
from ndcg_sql.options import Scope
from ndcg_sql.reports import explain
from ndcg_sql.system.messages import Messages
from support.commands import Command, load_texts
from support.subtopics import OF_JUDGMENTS

NAMES = [
    measure.name
    for measure in parse(
        "AP AP@5 AP(norm='min')@3 AP(norm='hits')@4 AP(rel=2) AP(judged_only=true)@6"
        " AP(no_rel=1) AP(missing='omit') RR RR@2 P P@5 P@30 P(rel=2)@5 R R@5 nERR@3"
        " Success@1 Success@5 RBP RBP(p=0.9)@7 RBP(rel=3) ERR ERR@5 nERR"
        " ERR(judged_only=true)@4 P(no_rel='omit')@5"
    )
]
# Of the other families, the value is compared.
EVERY = [f.example for f in OF_JUDGMENTS.values() if f.name not in explain.GAINS]


def _world(seed: int) -> dict[str, str]:
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
    return {"judgments qrels": "".join(judged), "run base": "".join(ranked)}


def _computed(measure: Measure, rows: list[dict[str, Any]]) -> float:
    """Return the value by adding the terms one after the other."""
    total = 0.0
    for row in rows:
        total += row["term"] or 0.0
    if measure.family.name == "RBP":
        return total * (1 - float(str(measure.parameters["p"])))
    if measure.family.name == "Success":
        return float(total > 0)
    divisor = rows[0]["divisor"]
    return total if divisor is None else total / divisor if divisor else 0.0


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
def test_the_terms_add_up_to_the_value(ndcg: Command, seed: int) -> None:
    load_texts(ndcg, _world(seed))
    names = list(dict.fromkeys([*NAMES, *EVERY]))
    assert ndcg("measures", "add", *names).code == 0
    compared = 0
    measures = tuple(parse(" ".join(names)))
    with opening.read(Path("ndcg.duckdb")) as database:
        values = database.execute("select query_id, measure, value from query_values")
        stored = {(query, measure): value for query, measure, value in values}
        chosen = explain.resolve(Context(database, Messages()), "base", Scope())
        about = measures, chosen.runs, chosen.pairs
        question = Question(database, Messages(), *about)
        for query in sorted({query for query, _ in stored}):
            found = explain.rows(question, query).records
            for measure in measures:
                rows = [row for row in found if row["measure"] == measure.name]
                value = stored[query, measure.name]
                assert {row["value"] for row in rows} == {value}
                is_computed = measure.name in NAMES and value is not None
                if not is_computed or rows[0]["nothing_relevant"]:
                    continue
                assert _computed(measure, rows) == value
                last = [r["term_sum"] for r in rows if r["term_sum"] is not None]
                assert not last or max(last) == last[-1]
                compared += 1
    assert compared > 50
