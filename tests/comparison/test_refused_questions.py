"""Questions that make no sense are refused, with what is wrong and what to ask."""

import shlex
import shutil
from datetime import datetime
from pathlib import Path

import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from support import exploring
from support.commands import Command, Reading
from support.tables import check_told, read_cases

USUAL = "gate base lower -m RR --config gate.toml"
# Cases by the warehouse that they are about.
REFUSALS = [
    (about, *case)
    for about in ("reports", "comparisons")
    for case in read_cases(Path(__file__).with_name(f"refused_{about}.txt"), USUAL)
]
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
SYSTEMS = {
    **{
        f"{model}-{seed}": {"seed": seed}
        for model in ("small", "large")
        for seed in "12"
    },
    **{f"{model}-fold": {"fold": "1"} for model in ("small", "large")},
    "alone": {},
}


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory, empty_file: Path) -> Path:
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


@pytest.fixture(scope="module")
def comparisons(tmp_path_factory: pytest.TempPathFactory, gated_file: Path) -> Path:
    """Add what has no judged query, another dataset, and systems of three seeds."""
    path = tmp_path_factory.mktemp("comparisons") / "ndcg.duckdb"
    shutil.copyfile(gated_file, path)
    with Warehouse.write(path) as own:
        own.load_run({"q98": ["a"], "q99": ["a"]}, "far", dataset="default")
        own.load_judgments({"q00": {"d1": 1}}, "qrels", dataset="other")
        own.load_run({"q00": ["d1"]}, "elsewhere", dataset="other")
        own.load_judgments({"q": {"a": 1}}, "qrels", dataset="models")
        for name, tags in SYSTEMS.items():
            tags = {"model": name.split("-")[0], **tags}
            own.load_run({"q": ["a"]}, name, dataset="models", tags=tags)
    return path


@pytest.mark.parametrize(
    ("about", "command", "text", "told"), exploring.sampled(REFUSALS, 7)
)
def test_what_makes_no_sense_is_refused(
    ndcg: Command,
    reading: Reading,
    request: pytest.FixtureRequest,
    about: str,
    command: str,
    text: str,
    told: str,
) -> None:
    path = reading(request.getfixturevalue(about))
    Path("there.csv").touch()
    Path("gate.toml").write_bytes(text.encode().replace(b"\\ud800", b"\xff"))
    words = shlex.split(command)
    junit = ("--junit", "gate.xml") if words[0] == "gate" else ()
    check_told(ndcg(*words, *junit).refusal, told)
    assert not Path("gate.xml").exists()
    # A file is refused with its own keys, by Python in the same words.
    if command == USUAL:
        assert "--" not in told
        with pytest.raises(NdcgSqlError) as error:
            Warehouse(path).gate("base", "lower", "RR", config="gate.toml")
        check_told(f"{error.value}\n", told)


def test_the_first_run_decides_the_dataset(
    ndcg: Command, here: Path, comparisons: Path
) -> None:
    shutil.copyfile(comparisons, here / "ndcg.duckdb")
    with Warehouse.write("ndcg.duckdb") as own:
        own.load_run({"q00": ["d1"]}, "far", dataset="other")
    assert ndcg("compare", "elsewhere", "far", "-m", "RR").code == 0
