"""Jobs of a first and a second day, as scripts of commands with files of users."""

import json
import shlex
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest

from support.commands import Command, Result, run_all
from support.files import json_lines, stored

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("bare")]
pd: Any = import_module("pandas")

TERMS = ["zelt 2 personen", "wanderschuhe", "stirnlampe", "kocher, klein", "isomatte"]
WORDS = {"Exact": 3, "Substitute": 2, "Complement": 1, "Irrelevant": 0}


def pasted(ndcg: Command, command: str, **filled: int) -> Result:
    """Run a command that is refused, and then the one that its message tells."""
    told = ndcg(*shlex.split(command)[1:])
    assert (told.code, told.out) == (2, "")
    offered = told.err[told.err.rindex("ndcg-sql load") :]
    for word, grade in filled.items():
        offered = offered.replace(f"{word}=GRADE", f"{word}={grade}")
    result = ndcg(*shlex.split(offered)[1:])
    assert result.code == 0, (offered, result.err)
    return result


def test_a_search_engineer_keeps_the_exports_of_each_week(
    ndcg: Command, here: Path
) -> None:
    random = Random(1)
    judged = [
        {"Query": term, "SKU": f"p{n}", "Verdict": random.choice(list(WORDS))}
        for term in TERMS
        for n in range(12)
    ]
    pd.DataFrame(judged).to_excel("labels.xlsx", index=False, engine="xlsxwriter")
    for week in (47, 48):
        lines = ["Query;SKU;Engine;Points;Week"]
        for engine in ("bm25", "hybrid"):
            for term in TERMS:
                for n in random.sample(range(12), 8):
                    points = f"{random.uniform(1, 20):.2f}".replace(".", ",")
                    cell = f'"{term}"' if "," in term else term
                    lines.append(f"{cell};p{n};{engine};{points};W{week}")
        (here / f"export_W{week}.csv").write_text("\n".join([*lines, ""]))
    queries = [
        {"query": t, "country": "AT" if n % 2 else "DE", "device": "app", "weight": n}
        for n, t in enumerate(TERMS, start=1)
    ]
    pd.DataFrame(queries).to_csv("traffic.csv", index=False)
    pasted(ndcg, "ndcg-sql load judgments labels.xlsx", **WORDS)
    weekly = "--name '{Week}/{Engine}' --tag-column Week"
    pasted(ndcg, f"ndcg-sql load run export_W47.csv {weekly}")
    pasted(ndcg, f"ndcg-sql load run export_W48.csv {weekly}")
    tags = "select name, tag_value from runs join run_tags using (run_id) order by 1"
    assert stored(tags) == [
        (f"W{week}/{engine}", f"W{week}")
        for week in (47, 48)
        for engine in ("bm25", "hybrid")
    ]
    columns = "--column doc_id=SKU --column score=Points --decimal ,"
    again = f"ndcg-sql load run export_W48.csv {columns} --name '{{Engine}}'"
    assert ndcg(*shlex.split(again)[1:]).code == 0
    collided = ndcg(*shlex.split(again.replace("W48", "W47"))[1:])
    assert collided.code == 2
    shown = run_all(
        ndcg,
        """
        ndcg-sql load queries traffic.csv
        ndcg-sql compare W47/bm25 W48/bm25 -m nDCG@10
        ndcg-sql report -m nDCG@10 --by country --format json
        """.replace("\n        ", "\n"),
    )
    rows = json.loads(shown.out)
    assert {row["run"] for row in rows} == {
        *("bm25", "hybrid", "W48/bm25", "W48/hybrid"),
        *("W47/bm25", "W47/hybrid"),
    }
    assert {row["country"] for row in rows} == {"AT", "DE"}


def test_a_researcher_loads_seventeen_runs_and_then_their_successors(
    ndcg: Command, here: Path
) -> None:
    random = Random(2)
    judged = [f"{q} 0 d{d} {random.randrange(3)}" for q in range(9) for d in range(20)]
    (here / "qrels.txt").write_text("\n".join([*judged, ""]))
    for folder in ("runs", "runs2"):
        (here / folder).mkdir()
        for number in range(17):
            lines = [
                f"{q} Q0 d{d} {place} {20 - place} system{number}\n"
                for q in range(9)
                for place, d in enumerate(random.sample(range(20), 10), start=1)
            ]
            (here / folder / f"input.{number}.run").write_text("".join(lines))
    run_all(ndcg, "ndcg-sql load judgments qrels.txt\nndcg-sql load run runs --strict")
    collided = ndcg("load", "run", "runs2")
    assert collided.code == 2
    assert "put something in front of its name: --prefix NAME" in collided.err
    run_all(
        ndcg,
        "ndcg-sql load run runs2 --prefix new/\n"
        "ndcg-sql load run runs2 --name '{run} of {file}'\n"
        "ndcg-sql leaderboard -m nDCG@10",
    )
    assert stored("select count(*) from runs") == [(51,)]


def test_a_recommender_has_implicit_feedback(ndcg: Command, here: Path) -> None:
    random = Random(3)
    users = [f"u{n}" for n in range(30)]
    bought = [(u, f"i{n}") for u in users for n in random.sample(range(40), 3)]
    lines = [f"{u}\t{i}\t{n}" for n, (u, i) in enumerate(bought)]
    header = "user_id:token\titem_id:token\ttimestamp:float"
    (here / "shop.inter").write_text("\n".join([header, *lines, ""]))
    scored = [
        {"user_id": u, "item_id": f"i{n}", "prediction": random.random(), "algo": a}
        for a in ("als", "ease")
        for u in users
        for n in random.sample(range(40), 10)
    ]
    pd.DataFrame(scored).to_parquet("models.parquet")
    asked = ndcg("load", "judgments", "shop.inter")
    assert asked.err.endswith("--grade 1\n")
    told = ndcg("load", "run", "models.parquet")
    assert '"algo" tells runs apart: ' in told.err
    run_all(
        ndcg,
        """
ndcg-sql load judgments shop.inter --grade 1
ndcg-sql load run models.parquet --run-column algo --strict
ndcg-sql report -m 'nDCG@10 R@10'
""",
    )
    assert stored("select name from runs order by name") == [("als",), ("ease",)]


def test_a_pipeline_for_rag_logs_questions_and_chunks(
    ndcg: Command, here: Path
) -> None:
    random = Random(4)
    rows = [
        {
            "question": f"how does part {n} work?",
            "answer": "…",
            "retrieved_chunk_ids": [f"c{c}" for c in random.sample(range(50), 10)],
            "gold_chunk_ids": [f"c{c}" for c in random.sample(range(50), 2)],
        }
        for n in range(12)
    ]
    (here / "log.jsonl").write_text(json_lines(rows))
    for kind in ("judgments", "run"):
        told = ndcg("load", kind, "log.jsonl").err
        run_all(ndcg, told.rpartition("if this is right: ")[2])
    shown = run_all(ndcg, "ndcg-sql report -m 'Success@5 R@10' --format json")
    assert {row["n"] for row in json.loads(shown.out)} == {12}


BROKEN = {
    "a cut file": ("r.csv", "query_id,doc_id,score\nq,a,1\nq,b\n"),
    "a page": ("r.csv", "<!DOCTYPE html><html>404</html>"),
    "no rows": ("r.csv", "query_id,doc_id,score\n"),
    "words for scores": ("r.csv", "query_id,doc_id,score\nq,a,high\n"),
    "a list of numbers": ("r.json", "[1, 2]"),
    "half an object": ("r.jsonl", '{"query_id": "q", "doc_id": "d", "score"'),
    "no column at all": ("r.csv", "a;b;c\n1;2;3\n"),
    "a document twice": ("r.csv", "query_id,doc_id,score\nq,a,1\nq,a,2\n"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_file_is_told_in_few_lines(
    ndcg: Command, here: Path, case: str
) -> None:
    name, text = BROKEN[case]
    (here / name).write_text(text)
    told = ndcg("load", "run", name)
    assert (told.code, told.out) == (2, "")
    assert name in told.err
    assert len(told.err.splitlines()) <= 4
    assert not (here / "ndcg.duckdb").exists()
