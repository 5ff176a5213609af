"""Runs made of runs: values, order, what is kept of them, and what is refused."""

import shlex
import warnings
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import Entry
from ndcg_sql.loading.fusion import Fusion, Source
from ndcg_sql.python.warehouse import Warehouse
from ndcg_sql.system.limits import Limits
from support import exploring, fusion
from support.commands import Command
from support.files import Ranked, digest, shown, stored
from support.libraries import library

pytestmark = pytest.mark.mostly_slow

FIRST = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}
SECOND = {"q": {"b": 9.0, "d": 7.0, "a": 1.0}}
# What the documents get of both, best first: each method and norm has a case.
WORKED = {
    "rrf": "b .032522 a .032266 d .016129 c .015873",
    "sum min-max": "b 1.5 a 1 d .75 c 0",
    "mnz min-max": "b 3 a 2 d .75 c 0",
    "sum zmuv": "b .980581 d .392232 a -.148068 c -1.224745",
    "isr": "b 2.5 a 2.222222 d .25 c .111111",
    "log_isr": "b .866434 a .770164 d 0 c 0",
    "borda": "b 7 a 6 d 4 c 3",
    "anz min-max": "d .75 b .75 a .5 c 0",
    "sum rank": "b 1.666667 a 1.333333 d .666667 c .333333",
    "sum borda": "b 1.75 a 1.5 d 1 c .75",
    "sum max": "b 1.666667 a 1.111111 d .777778 c .333333",
    "sum sum": "b .904762 a .666667 d .428571 c 0",
    "sum none": "b 11 d 7 a 4 c 1",
    "max min-max": "b 1 a 1 d .75 c 0",
    "min min-max": "d .75 b .5 c 0 a 0",
    "med min-max": "d .75 b .75 a .5 c 0",
    "weighted min-max": "b 2.5 d 1.5 a 1 c 0",
}
METHODS = {row["method"]: row for row in sql_files.rows("fusion/methods")}
NORMS = {row["norm"]: row for row in sql_files.rows("fusion/norms")}
# Methods that ranx calls otherwise.
RANX = {"weighted": "wsum", "borda": "bordafuse"}
Fused = list[tuple[str, str, float]]


@pytest.fixture
def two() -> Iterator[Warehouse]:
    """Return a warehouse in memory with the runs of the worked values."""
    with Warehouse.memory(Limits(threads=2)) as warehouse:
        warehouse.load_run(FIRST, "first")
        warehouse.load_run(SECOND, "second")
        yield warehouse


@pytest.fixture
def file_of_two(empty: Path) -> Path:
    """Put a warehouse with these runs where commands find it."""
    with Warehouse(empty) as warehouse:
        warehouse.load_run(FIRST, "first")
        warehouse.load_run(SECOND, "second")
    return empty


def ranking(warehouse: Warehouse, run: str = "x") -> Fused:
    """Return the documents and scores of a run, by their positions."""
    sql = "select query_id, doc_id, score from rankings where run = $1"
    sql += " order by query_id, position"
    return warehouse.connection.execute(sql, [run]).fetchall()


def fused(
    runs: list[Any], method: str, norm: str | None, names: str = "", threads: int = 2
) -> Fused:
    """Return what runs of these names are fused to, weighted if the method is."""
    weights = [0.3, 2, 0.0, 1.25, 1, 0.7][: len(runs)] if method == "weighted" else None
    with Warehouse.memory(Limits(threads=threads)) as warehouse:
        named = dict(zip(names or "abcdef", runs, strict=False))
        for name in sorted(named):
            warehouse.load_run(named[name], name)
        warehouse.fuse([*named], "x", method=method, norm=norm, weights=weights)
        return ranking(warehouse)


def by_query(rows: Fused) -> dict[str, dict[str, float]]:
    """Return the scores of the documents of each query."""
    found: dict[str, dict[str, float]] = {}
    for query, document, score in rows:
        found.setdefault(query, {})[document] = score
    return found


@pytest.mark.quick
@pytest.mark.parametrize("case", WORKED)
def test_worked_values(two: Warehouse, case: str) -> None:
    method, _, norm = case.partition(" ")
    weights = [1, 2] if method == "weighted" else None
    runs = ["first", "second"]
    two.fuse(runs, "x", method=method, norm=norm or None, weights=weights)
    parts = WORKED[case].split()
    assert [document for _, document, _ in ranking(two)] == parts[::2]
    scores = [score for *_, score in ranking(two)]
    assert scores == pytest.approx([float(part) for part in parts[1::2]], abs=5e-7)


@pytest.mark.quick
def test_every_method_and_norm_has_a_worked_value() -> None:
    worked = [case.partition(" ") for case in WORKED]
    for method in METHODS:
        assert method in {one for one, *_ in worked}, f"{method}: add it to WORKED"
    for norm in NORMS:
        assert norm in {two for *_, two in worked}, f"{norm}: add it to WORKED"


def fault(database: Database, method: str, norm: str | None) -> str:
    """Return what is wrong with the formulas of a row, if anything."""
    sources = (Source("", 1, Entry(1, "", "")), Source("", 1, Entry(2, "", "")))
    values = NORMS[norm] if norm else METHODS[method]
    made = Fusion(METHODS[method], values, 60, None, sources)
    try:
        with made.read(database, sql_files.read("fusion/entries")):
            select = made.scored(made.documents)
            database.execute(f"explain {select}", made.parameters)
    except (duckdb.Error, OSError) as error:
        return f"{method} {norm or ''}: {error}"
    return ""


@pytest.mark.quick
@pytest.mark.parametrize("row", [*METHODS, *(f"sum {norm}" for norm in NORMS)])
def test_formulas_parse_and_name_columns_that_exist(memory: Database, row: str) -> None:
    method, _, norm = row.partition(" ")
    if "norm" in METHODS[method]["takes"].split():
        norm = norm or "none"
    assert not fault(memory, method, norm or None)


@pytest.mark.quick
@pytest.mark.parametrize(
    ("rows", "name", "formula"),
    [
        *((METHODS, "rrf", formula) for formula in ("value", "term", "score")),
        *((METHODS, "borda", "missing"), (NORMS, "zmuv", "value")),
        *((NORMS, "borda", "missing"), (NORMS, "rank", "lists")),
    ],
)
def test_a_faulty_formula_is_named_with_its_row(
    memory: Database,
    monkeypatch: pytest.MonkeyPatch,
    rows: dict[str, dict[str, str]],
    name: str,
    formula: str,
) -> None:
    for wrong in ("1 + nothing", "(1"):
        monkeypatch.setitem(rows[name], formula, wrong)
        method, norm = ("sum", name) if rows is NORMS else (name, None)
        assert fault(memory, method, norm).startswith(f"{method} {norm or ''}: ")


@pytest.mark.quick
def test_every_file_and_check_of_fusion_is_used() -> None:
    rows = [*METHODS.values(), *NORMS.values()]
    lists = {f"fusion/lists/{name}" for row in rows for name in row["lists"].split()}
    assert lists == set(sql_files.names("fusion/lists"))
    checks = {check for row in NORMS.values() for check in row["checks"].split()}
    assert checks == {row["check"] for row in sql_files.rows("fusion/checks")}


@pytest.mark.parametrize(("method", "norm"), exploring.sampled(fusion.EVERY, 9))
def test_random_runs_have_the_values_of_the_definitions(
    method: str, norm: str | None
) -> None:
    for seed in range(exploring.amount(2, 40)):
        # Terms are added up by pairs.
        runs = fusion.world(seed, 6 if seed % 2 else 3)
        weights = [0.3, 2, 0.0, 1.25, 1, 0.7][: len(runs)]
        expected = fusion.fused(runs, method, norm, weights=weights)
        found = by_query(fused(runs, method, norm))
        assert found.keys() == expected.keys()
        for query, scores in expected.items():
            assert found[query] == pytest.approx(scores, rel=1e-12, abs=1e-12)
            assert list(fusion.positions(found[query])) == list(found[query])


@pytest.mark.slow
@pytest.mark.parametrize(("method", "norm"), fusion.EVERY)
def test_ranx_has_the_same_scores(method: str, norm: str | None) -> None:
    ranx: Any = library("ranx")
    random = Random(f"{method} {norm}")
    # All queries, and no ties: ranx leaves their order open, and gives equal scores
    # other values.
    runs = [
        {
            f"q{number}": {
                f"d{d}": score / 16
                for d, score in zip(
                    random.sample(range(40), size),
                    random.sample(range(1, 4000), size),
                    strict=True,
                )
            }
            for number in range(15)
            for size in [random.randint(2, 25)]
        }
        for _ in range(3)
    ]
    names = {**RANX, **{m: m for m in METHODS if m not in RANX}}
    with warnings.catch_warnings():
        # numba's, of its own casts.
        warnings.simplefilter("ignore")
        theirs = ranx.fuse(
            runs=[ranx.Run(run, name=str(n)) for n, run in enumerate(runs)],
            norm=None if norm in (None, "none") else norm,
            method=names[method],
            params={"weights": [0.3, 2, 0.0]} if method == "weighted" else None,
        ).to_dict()
    ours = by_query(fused(runs, method, norm))
    assert ours.keys() == theirs.keys()
    for query, scores in theirs.items():
        assert ours[query] == pytest.approx(dict(scores), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(("method", "norm"), exploring.sampled(fusion.EVERY, 12))
def test_the_order_and_names_of_runs_do_not_matter(method: str, norm: Any) -> None:
    method = "sum" if method == "weighted" else method
    runs = fusion.world(7, 4)
    # To the last bit.
    turned = [runs[2], runs[0], runs[3], runs[1]]
    assert fused(runs, method, norm) == fused(turned, method, norm, "dbac")


@pytest.mark.parametrize("method", ["rrf", "sum", "weighted", "med"])
def test_threads_do_not_change_the_last_bit(method: str) -> None:
    random = Random(5)
    runs: list[Ranked] = [
        {
            f"q{number}": {
                f"d{d}": random.random() for d in random.sample(range(300), 150)
            }
            for number in range(400)
        }
        for _ in range(5)
    ]
    norm = None if method == "rrf" else "zmuv"
    alone, *others = (fused(runs, method, norm, threads=n) for n in (1, 2, 4, 4))
    assert len(alone) > 50_000
    assert all(other == alone for other in others)


def test_equal_sums_of_shares_are_a_tie() -> None:
    # h has 4/12 + 2/6, and a has 4/6.
    first = {"q": {"d": 6.0, "h": 5.0, "b": 4.0, "f": 1.0}}
    found = fused([first, {"q": {"a": 5.0, "h": 3.0, "f": 1.0}}], "sum", "sum")
    assert [document for _, document, _ in found] == ["h", "a", "d", "b", "f"]
    assert found[0][2] == found[1][2] == pytest.approx(2 / 3)


def test_runs_of_another_dataset_with_the_same_queries_add_nothing() -> None:
    with Warehouse.memory() as warehouse:
        for name, run in (("first", FIRST), ("second", SECOND)):
            warehouse.load_run(run, name)
            warehouse.load_run({"q": {"a": 5.0, "z": 4.0}}, name, dataset="other")
        runs = ["first", "second"]
        warehouse.fuse(runs, "x", method="borda", dataset="default")
        assert [score for *_, score in ranking(warehouse)] == [7, 6, 4, 3]


@pytest.mark.usefixtures("file_of_two")
def test_the_command_stores_what_python_does(ndcg: Command) -> None:
    Path("qrels").write_text("q 0 a 1\nq 0 d 2\n")
    assert ndcg("load", "judgments", "qrels").code == 0
    result = ndcg("fuse", "first", "second", "--name", "x")
    assert (result.code, result.out) == (0, "")
    assert result.err == (
        'made run "x" by rrf of 2 runs: 1 query, 4 documents; evaluated with "qrels"\n'
    )
    rows = shown("select doc_id, score from rankings where run = 'x' order by position")
    assert [name for name, _ in rows] == ["b", "a", "d", "c"]
    assert rows[0][1] == 1 / 62 + 1 / 61
    sql = "select value from run_values where run = 'x' and measure = 'RR'"
    assert shown(sql) == [(0.5,)]
    assert ndcg("check", "--quiet").code == 0


def test_tags_and_source_say_how_it_was_made(two: Warehouse) -> None:
    how: dict[str, Any] = {"weights": "0.25,1", "depth": 2, "tags": {"branch": "main"}}
    two.fuse(["second", "first"], "x", method="weighted", **how)
    two.fuse(["first", "second"], "y", k=10)
    sql = "select tag, tag_value from run_tags where run = $1 order by tag"
    assert dict(two.connection.execute(sql, ["x"]).fetchall()) == {
        **{"branch": "main", "depth": "2", "fusion": "weighted", "norm": "min-max"},
        **{"sources": "second, first", "weights": "0.25, 1"},
    }
    tags = dict(two.connection.execute(sql, ["y"]).fetchall())
    assert tags == {"fusion": "rrf", "k": "10", "sources": "first, second"}
    sql = "select source, position_rule from runs where run = 'x'"
    assert two.connection.execute(sql).fetchall() == [("runs second, first", "score")]
    assert [document for _, document, _ in ranking(two)] == ["a", "b"]


def test_queries_that_some_runs_lack_are_counted(two: Warehouse) -> None:
    two.load_run({"q": {"a": 1.0}, "r": {"a": 1.0}}, "third")
    assert two.fuse(["first", "third"], "x").warnings == (
        "1 query is not in every run, and fused from the runs that have them",
    )
    assert [query for query, _, _ in ranking(two)] == ["q"] * 3 + ["r"]


def test_patterns_choose_runs(two: Warehouse) -> None:
    made = str(two.fuse("*", "x"))
    assert made.startswith('made run "x" by rrf of 2 runs: 1 query, 4 documents')
    # What fuse made is among those that match, and is left out unless it is named.
    again = two.fuse("*", "y", method="isr")
    assert str(again).startswith('made run "y" by isr of 2 runs')
    left = 'left out, as fuse made them: "x"; name them to fuse them'
    assert str(again).splitlines()[-1] == left
    assert again.warnings == ()
    both = str(two.fuse(["*", "x"], "z"))
    assert both.startswith('made run "z" by rrf of 3 runs')
    assert 'left out, as fuse made them: "y"' in both
    with pytest.raises(NdcgSqlError) as error:
        two.fuse("[xyz]", "w")
    assert str(error.value) == (
        'no runs but those that fuse made, "x", "y", "z"; name them without a pattern'
    )
    # So a command that is repeated finds what it found before.
    assert "nothing to do" in str(two.fuse("*", "x"))
    with pytest.raises(NdcgSqlError, match="cannot be one of its own sources"):
        two.fuse(["*", "x"], "x", replace=True)
    # A tag of a user that looks alike leaves no run out.
    two.load_run(FIRST, "tagged", tags={"fusion": "early"})
    assert str(two.fuse("*", "t")).startswith('made run "t" by rrf of 3 runs')


@pytest.mark.usefixtures("file_of_two")
def test_a_second_time_is_unchanged_refused_or_replaced(ndcg: Command) -> None:
    fuse = ("fuse", "first", "second", "--name", "x")
    assert ndcg(*fuse, "--tag", "branch=main").code == 0
    whole = "select * exclude (loaded_at) from runs order by all"
    before = digest(Path("ndcg.duckdb")), stored(whole)
    there = 'run "x" of dataset "default" already exists'
    for again in (fuse, ("fuse", "second", "first", "--name", "x")):
        result = ndcg(*again)
        same = f"{there} with this content; nothing to do\n"
        assert (result.code, result.err) == (0, same)
    assert ndcg(*fuse, "--tag", "branch=topic").refusal == (
        f"{there} with this content but another --tag; to replace it: --replace\n"
    )
    assert ndcg(*fuse, "--k", "10").refusal == (
        f"{there} with other content; choose another NAME, or replace it: --replace\n"
    )
    assert (digest(Path("ndcg.duckdb")), stored(whole)) == before
    replaced = ndcg(*fuse, "--k", "10", "--replace")
    assert replaced.err == (
        'replaced run "x" by rrf of 2 runs: 1 query, 4 documents; no judgments yet;'
        " no longer: --tag branch=main\n"
    )
    assert stored("select run_id from runs where name = 'x'") != [(3,)]
    tags = stored("select tag, tag_value from run_tags order by tag")
    assert tags == [("fusion", "rrf"), ("k", "10"), ("sources", "first, second")]


# Further words of a command, and below what it says.
REFUSED = r"""
first
    run "first" is the only one to be fused; name another
first first second
    run "first" is named twice; name another
first secnd
    no run "secnd"; did you mean "second"?
first away
    run "first" belongs to dataset "default", run "away" to "other": their queries
    differ; name runs of one dataset
first second --name order
    run "order" of dataset "default" already exists with other content; choose another
    NAME, or replace it: --replace
first second --name second --replace
    --name second: a run cannot be one of its own sources; choose another name:
    --name NAME
first second --method rfr
    --method rfr: not one of rrf, sum, max, min, med, anz, mnz, isr, log_isr, borda,
    weighted
first second --method minmax
    --method minmax: a norm, which methods of scores take; write --method sum --norm
    min-max
first second --method sum --norm minmax
    --norm minmax: not one of min-max, max, sum, zmuv, rank, borda, none; did you mean
    --norm min-max?
first second --norm max
    --norm: rrf takes none; omit it, or choose another method, such as --method sum
first second --method weighted
    --method weighted: needs a weight for each run; name them, such as --weights 2,1
first second --method weighted --weights 1
    --weights 1: 1 weight for 2 runs, "first", "second"; give each run one, in this
    order
first second --method weighted --weights 1,much
    --weights 1,much: "much" is not a number
first second --method weighted --weights '2 1'
    --weights '2 1': blanks between weights; write --weights 2,1
first second 0.5 --method weighted --weights 2
    no run "0.5"; if it is a weight, write --weights 2,0.5
first second --method weighted --weights 1,-0.5
    --weights 1,-0.5: -0.5: a weight is 0, or from 1e-100 to 1e100
first second --method weighted --weights 0,0
    --weights 0,0: all are 0; give a run a weight above 0
first second below --method sum --norm max
    --norm max: run "below": the greatest score for query "q" is -1, not above 0; choose
    another norm, such as --norm rank
first order --method sum
    --norm min-max: run "order" has no scores; choose another norm, such as --norm rank
first huge --method sum --norm none
    --norm none: run "huge": the score of document "a" for query "q" is inf, beyond
    1e100; choose another norm, such as --norm rank
first tiny --method sum --norm max
    --norm max: the fused score of document "b" for query "q" is -inf; choose another
    norm, such as --norm rank
first second --tag fusion=mine
    --tag fusion=mine: fusion says how the run was made; choose another tag
first second --name ' x'
    run " x": a name cannot begin or end with a blank
"""


@pytest.fixture(scope="module")
def odd_file(tmp_path_factory: pytest.TempPathFactory, empty_file: Path) -> Path:
    """Return a warehouse with runs that cannot be fused in some way."""
    path = tmp_path_factory.mktemp("odd") / "ndcg.duckdb"
    path.write_bytes(empty_file.read_bytes())
    with Warehouse(path) as warehouse:
        warehouse.load_run(FIRST, "first")
        warehouse.load_run(SECOND, "second")
        warehouse.load_run(FIRST, "away", dataset="other")
        warehouse.load_run({"q": {"a": -1.0, "b": -2.0}}, "below")
        warehouse.load_run({"q": ["a", "b"]}, "order")
        warehouse.load_run({"q": {"a": float("inf"), "b": 0.0}}, "huge")
        warehouse.load_run({"q": {"a": 1e-300, "b": -1e100}}, "tiny")
    return path


@pytest.mark.quick
@pytest.mark.parametrize(("words", "message"), fusion.cases(REFUSED))
def test_what_cannot_be_fused_is_refused_and_nothing_stored(
    ndcg: Command, odd_file: Path, words: str, message: str
) -> None:
    path = Path("ndcg.duckdb")
    path.write_bytes(odd_file.read_bytes())
    before = digest(path)
    name = () if "--name" in words else ("--name", "x")
    assert ndcg("fuse", *shlex.split(words), *name).refusal == message + "\n"
    assert digest(path) == before


def test_without_scores_positions_can_be_fused(two: Warehouse) -> None:
    two.load_run({"q": ["b", "a"]}, "order")
    assert [score for *_, score in ranking(two, "order")] == [None, None]
    for method in fusion.PLAIN:
        two.fuse(["first", "order"], f"by {method}", method=method)
    for norm in ("rank", "borda"):
        two.fuse(["first", "order"], f"of {norm}", method="sum", norm=norm)
    assert [document for _, document, _ in ranking(two, "by rrf")] == ["b", "a", "c"]


@pytest.mark.quick
@pytest.mark.usefixtures("bare")
def test_without_a_warehouse_none_is_made(ndcg: Command) -> None:
    missing = "ndcg.duckdb: no such warehouse; "
    assert ndcg("fuse", "a", "b", "--name", "x").refusal == (
        f"{missing}ndcg-sql load run FILE creates one\n"
    )
    with pytest.raises(NdcgSqlError) as error:
        Warehouse("ndcg.duckdb").fuse(["a", "b"], "x")
    assert str(error.value) == f"{missing}Warehouse.load_run(FILE) creates one"
    assert not Path("ndcg.duckdb").exists()


@pytest.mark.quick
@pytest.mark.parametrize(
    ("field", "name", "word"),
    [
        *[("method", "wsum", "weighted"), ("method", "combsum", "sum")],
        *[("method", "CombMNZ", "mnz"), ("method", "comb_anz", "anz")],
        *[("method", "bordafuse", "borda"), ("method", "RRF", "rrf")],
        *[("method", "reciprocal_rank_fusion", "rrf")],
        *[("method", "log-isr", "log_isr"), ("norm", "z-score", "zmuv")],
    ],
)
def test_the_names_of_other_tools_are_hinted_at(
    own: Warehouse, field: str, name: str, word: str
) -> None:
    words: dict[str, Any] = {"method": "sum", **{field: name}}
    with pytest.raises(NdcgSqlError) as error:
        own.fuse(["a", "b"], "x", **words)
    assert str(error.value).endswith(f'; did you mean {field}="{word}"?')
