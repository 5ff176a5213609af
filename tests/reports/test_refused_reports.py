"""Questions that make no sense are refused, with what is wrong and what to ask."""

import shlex
import shutil
from datetime import datetime
from pathlib import Path

import pytest

from ndcg_sql.python.warehouse import Warehouse
from support import exploring
from support.commands import Command, Reading
from support.tables import check_told, read_cases

REFUSALS = read_cases(Path(__file__).with_name("refusals.txt"))
# Runs with their tags, the second of each pair loaded later and made earlier.
RUNS = {
    "input.a": {"branch": "main", "team": "i"},
    "input.b": {"branch": "main", "team": "i"},
    "base": {"branch": "new", "team": "b"},
    "first": {"model": "bm25"},
    "dense": {"model": "dense"},
}
OLD = {"q1": {"a": 1}, "q2": {"a": 2}, "7": {"a": 1}, "Fön": {"c": 1}}
NEW = OLD | {"q1": {"a": 2}, "wanderschuhe": {"b": 1}}
QUERIES = """query_id,text,weight,Country,country,Run,half
7,Zelt 3 Personen,2,a,b,c,0
q1,,1,a,a,a,1
"""
ASSESSED = "query_id,doc_id,grade,assessor\nq1,a,1,{0}\nq1,b,2,{0}\nq1,a,1,{1}\n"


@pytest.fixture(scope="module")
def refusing_file(tmp_path_factory: pytest.TempPathFactory, empty_file: Path) -> Path:
    """Make a warehouse of something of everything, in three datasets."""
    folder = tmp_path_factory.mktemp("refusing")
    path = Path(shutil.copyfile(empty_file, folder / "ndcg.duckdb"))
    (folder / "queries.csv").write_text(QUERIES, encoding="utf-8")
    with Warehouse.write(path) as own:
        own.load_judgments(OLD, "old")
        own.load_judgments(NEW, "new")
        for day, (name, tags) in enumerate(RUNS.items(), 1):
            at = datetime(2026, 1, day)
            ranked = {q: ["x", "a"] for q in ("q1", "7")}
            own.load_run(ranked, name, run_at=at, tags=tags)
        own.load_queries(folder / "queries.csv")
        own.add_gains("tiny", {"1": 2})
        own.load_judgments({"q": {"a": 1}}, "shop", dataset="shop")
        tags = {"model": "shop", "region": "x"}
        own.load_run({"q": ["a"]}, "only", dataset="shop", tags=tags)
        own.load_run({"q": ["a"]}, "unjudged", dataset="bare")
        for kind, assessors in (("human", ("ann", "bob")), ("llm", ("one", "two"))):
            file = folder / f"{kind}.csv"
            file.write_text(ASSESSED.format(*assessors))
            own.load_assessments(file, assessor_kind=kind)
    return path


@pytest.mark.parametrize(("command", "_", "told"), exploring.sampled(REFUSALS, 4))
def test_what_makes_no_sense_is_refused(
    ndcg: Command,
    refusing_file: Path,
    reading: Reading,
    command: str,
    _: str,
    told: str,
) -> None:
    reading(refusing_file)
    Path("there.csv").touch()
    check_told(ndcg(*shlex.split(command)).refusal, told)
