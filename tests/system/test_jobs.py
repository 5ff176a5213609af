"""Jobs that go on where loading ends, as scripts of commands with files of users."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ndcg_sql import Warehouse
from support.commands import Command, run_all
from support.files import Judged, noisy, write_judgments, write_run

pytestmark = pytest.mark.slow


def records(ndcg: Command, line: str) -> list[dict[str, Any]]:
    """Return the rows that a command answers."""
    result = run_all(ndcg, f"{line} --format json")
    found: list[dict[str, Any]] = json.loads(result.out)
    return found


def judged(random: Random, queries: int = 12, documents: int = 20) -> Judged:
    """Return a grade of each document for each query."""
    return {
        f"q{q}": {f"d{d}": random.randrange(3) for d in range(documents)}
        for q in range(queries)
    }


def test_a_language_model_is_checked_against_human_judges(ndcg: Command) -> None:
    random = Random(3)
    grades = judged(random)
    for judge, errors in (("ann", 0.1), ("ben", 0.2), ("gpt", 0.4)):
        lines = [
            f"{q},{d},{grade if random.random() > errors else random.randrange(3)}\n"
            for q, of_query in grades.items()
            for d, grade in of_query.items()
        ]
        text = "query_id,doc_id,grade\n" + "".join(lines)
        Path(f"{judge}.csv").write_text(text)
    for name, noise in (("good", 0.5), ("poor", 3.0)):
        write_run(Path(f"{name}.run"), noisy(random, grades, noise))
    run_all(
        ndcg,
        """
ndcg-sql load assessments ann.csv ben.csv --assessor-from file --kind human
ndcg-sql load assessments gpt.csv --assessor-from file --kind llm --model gpt
ndcg-sql load judgments ann.csv --name human
ndcg-sql load judgments gpt.csv --name model
ndcg-sql load run good.run poor.run
""",
    )
    agreed = records(ndcg, "ndcg-sql agreement --judgments human --judgments model")
    kappa = next(row for row in agreed if row["statistic"] == "cohen_kappa")
    assert (kappa["assessors"], kappa["documents"]) == (["human", "model"], 12 * 20)
    assert 0 < kappa["value"] < 1
    [order] = records(ndcg, "ndcg-sql changes human model -m nDCG@5 --order")
    assert order["kendall_tau"] == 1


def test_a_training_loop_stores_each_epoch(here: Path) -> None:
    random = Random(4)
    grades = judged(random)
    write_judgments(here / "qrels.txt", grades)
    with Warehouse.write("ndcg.duckdb") as warehouse:
        warehouse.load_judgments("qrels.txt")
        for epoch in range(5):
            scores = noisy(random, grades, 5.0 - epoch)
            loaded = warehouse.load_run(
                scores, f"epoch {epoch}", tags={"model": "small", "epoch": str(epoch)}
            )
            assert loaded.names == (f"epoch {epoch}",)
        values = [row["value"] for row in warehouse.history("nDCG@10")]
        first_to_last = warehouse.compare("epoch 0", "epoch 4", "nDCG@10")
    assert len(values) == 5
    assert values[-1] > values[0]
    frame: Any = first_to_last.df()
    assert frame["difference"].tolist() == [values[-1] - values[0]]
