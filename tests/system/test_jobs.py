"""Jobs that go on where loading ends, as scripts of commands with files of users."""

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest

from ndcg_sql import Warehouse
from support.commands import Command, run_all
from support.files import Judged, noisy, write_judgments, write_run

pytestmark = pytest.mark.slow
pd: Any = import_module("pandas")
Shop = tuple[Random, Judged]


def records(ndcg: Command, line: str) -> list[dict[str, Any]]:
    """Return the rows that a command answers."""
    result = run_all(ndcg, f"{line} --format json")
    found: list[dict[str, Any]] = json.loads(result.out)
    return found


@pytest.fixture
def shop(here: Path) -> Shop:
    """Write judgments of each document for each query; return the chance, and them."""
    random = Random(3)
    grades = {
        f"q{q}": {f"d{d}": random.randrange(3) for d in range(20)} for q in range(12)
    }
    write_judgments(here / "qrels.txt", grades)
    return random, grades


def test_a_language_model_is_checked_against_human_judges(
    ndcg: Command, here: Path, shop: Shop
) -> None:
    random, grades = shop
    for judge, errors in (("ann", 0.1), ("ben", 0.2), ("gpt", 0.4)):
        lines = [
            f"{q},{d},{grade if random.random() > errors else random.randrange(3)}\n"
            for q, of_query in grades.items()
            for d, grade in of_query.items()
        ]
        text = "query_id,doc_id,grade\n" + "".join(lines)
        (here / f"{judge}.csv").write_text(text)
    for name, noise in (("good", 0.5), ("poor", 3.0)):
        write_run(here / f"{name}.run", noisy(random, grades, noise))
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


def test_a_training_loop_stores_each_epoch(shop: Shop) -> None:
    random, grades = shop
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


def test_values_are_joined_with_tables_of_the_shop(
    ndcg: Command, here: Path, shop: Shop
) -> None:
    random, grades = shop
    write_run(here / "a.run", noisy(random, grades, 1.0))
    traffic = {f"q{number}": number for number in range(12)}
    pd.DataFrame(traffic.items(), columns=["query_id", "searches"]).to_csv(
        "traffic.csv", index=False
    )
    run_all(ndcg, "ndcg-sql load judgments qrels.txt\nndcg-sql load run a.run")
    values = records(ndcg, "ndcg-sql report -m nDCG@10 --per-query")
    weighted = sum(traffic[row["query_id"]] * row["value"] for row in values)
    with duckdb.connect("ndcg.duckdb", read_only=True) as connection:
        found = connection.execute(
            "select sum(value * searches) from query_values"
            " inner join 'traffic.csv' using (query_id)"
            " where dataset = 'default' and judgment_set = 'qrels'"
            " and run = 'a' and measure = 'nDCG@10'"
        ).fetchone()
    assert found == (pytest.approx(weighted, abs=1e-9),)


def test_a_warehouse_is_backed_up_and_moved(
    ndcg: Command, here: Path, shop: Shop
) -> None:
    random, grades = shop
    for name in ("mine", "yours"):
        write_run(here / f"{name}.run", noisy(random, grades, 1.0))
    run_all(
        ndcg,
        """
ndcg-sql load judgments qrels.txt
ndcg-sql load run mine.run
ndcg-sql backup copy.duckdb
ndcg-sql -w copy.duckdb load run yours.run
ndcg-sql -w copy.duckdb rename run yours theirs
""",
    )
    (here / "moved").mkdir()
    (here / "copy.duckdb").rename(here / "moved" / "copy.duckdb")
    moved = "ndcg-sql -w moved/copy.duckdb"
    run_all(ndcg, f"{moved} check --quiet")
    names = {row["run"] for row in records(ndcg, f"{moved} report -m nDCG@10")}
    assert names == {"mine", "theirs"}


def test_trec_eval_is_replaced_in_a_script(
    ndcg: Command, here: Path, shop: Shop
) -> None:
    random, grades = shop
    write_run(here / "a.run", noisy(random, grades, 1.0))
    words = ["trec_eval", "-q", "-m", "map", "-m", "ndcg_cut.10", "qrels.txt", "a.run"]
    done = subprocess.run(
        [sys.executable, "-m", "ndcg_sql", *words],
        capture_output=True,
        text=True,
        check=True,
    )
    lines = [line.split() for line in done.stdout.splitlines()]
    assert len(lines) == 2 * (12 + 1)
    printed = {(name, query): value for name, query, value in lines}
    values = records(ndcg, "ndcg-sql eval qrels.txt a.run -m 'AP nDCG@10'")
    assert [f"{row['value']:.4f}" for row in values] == [
        printed["map", "all"],
        printed["ndcg_cut_10", "all"],
    ]


def test_models_are_compared_over_their_seeds(
    ndcg: Command, here: Path, shop: Shop
) -> None:
    random, grades = shop
    lines = ["model,seed,query_id,doc_id,score\n"]
    for model, noise in (("small", 3.0), ("large", 0.5)):
        for seed in range(5):
            for query, scores in noisy(random, grades, noise).items():
                for document, score in scores.items():
                    lines.append(f"{model},{seed},{query},{document},{score!r}\n")
    (here / "seeds.csv").write_text("".join(lines))
    tags = "--tag-column model --tag-column seed"
    run_all(
        ndcg,
        f"""
ndcg-sql load judgments qrels.txt
ndcg-sql load run seeds.csv --name '{{model}}-{{seed}}' {tags}
""",
    )
    systems = records(ndcg, "ndcg-sql report -m nDCG@10 --over seed")
    assert [(row["system"], row["replicates"]) for row in systems] == [
        ("model=small", 5),
        ("model=large", 5),
    ]
    compare = "ndcg-sql compare model=small model=large -m nDCG@10 --over seed"
    [compared] = records(ndcg, compare)
    difference = systems[1]["value"] - systems[0]["value"]
    assert compared["difference"] == pytest.approx(difference, abs=1e-12)
    assert compared["p_adjusted"] < 0.05
