"""Runs made of runs: values, order, what is kept of them, and what is refused."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, cast, get_args

import pytest

from ndcg_sql.database import sql_files
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.loading import fusing
from ndcg_sql.python.warehouse import Warehouse
from ndcg_sql.requests import choices
from ndcg_sql.requests.changes import FuseRequest
from ndcg_sql.requests.shared import meant
from ndcg_sql.system.limits import Limits
from support import exploring, fusion
from support.commands import Command
from support.files import Ranked, digest, shown, stored

pytestmark = pytest.mark.mostly_slow

FIRST = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}
SECOND = {"q": {"b": 9.0, "d": 7.0, "a": 1.0}}
# By method and norm: what the documents get, best first.
WORKED: dict[tuple[str, str | None], str] = {
    ("rrf", None): "b .032522 a .032266 d .016129 c .015873",
    ("sum", "min-max"): "b 1.5 a 1 d .75 c 0",
    ("mnz", "min-max"): "b 3 a 2 d .75 c 0",
    ("sum", "zmuv"): "b .980581 d .392232 a -.148068 c -1.224745",
    ("isr", None): "b 2.5 a 2.222222 d .25 c .111111",
    ("log_isr", None): "b .866434 a .770164 d 0 c 0",
    ("borda", None): "b 7 a 6 d 4 c 3",
    ("anz", "min-max"): "d .75 b .75 a .5 c 0",
    ("sum", "rank"): "b 1.666667 a 1.333333 d .666667 c .333333",
    ("sum", "borda"): "b 1.75 a 1.5 d 1 c .75",
    ("sum", "max"): "b 1.666667 a 1.111111 d .777778 c .333333",
    ("sum", "sum"): "b .904762 a .666667 d .428571 c 0",
    ("sum", "none"): "b 11 d 7 a 4 c 1",
    ("max", "min-max"): "b 1 a 1 d .75 c 0",
    ("min", "min-max"): "d .75 b .5 c 0 a 0",
    ("med", "min-max"): "d .75 b .75 a .5 c 0",
    ("weighted", "min-max"): "b 2.5 d 1.5 a 1 c 0",
}
PLAIN = ["rrf", "isr", "log_isr", "borda"]
EVERY = [
    *((method, None) for method in PLAIN),
    *((method, norm) for method in fusion.NORMED for norm in fusion.NORMS),
]
Fused = list[tuple[str, str, float]]


@pytest.fixture
def memory() -> Iterator[Warehouse]:
    """Return a warehouse in memory with the runs of the worked values."""
    with Warehouse.memory(Limits(threads=2)) as warehouse:
        warehouse.load_run(FIRST, "first")
        warehouse.load_run(SECOND, "second")
        yield warehouse


@pytest.fixture
def two(empty: Path) -> Path:
    """Put a warehouse with these runs where commands find it."""
    with Warehouse(empty) as warehouse:
        warehouse.load_run(FIRST, "first")
        warehouse.load_run(SECOND, "second")
    return empty


def worked(method: str, norm: str | None) -> list[tuple[str, float]]:
    """Return documents and scores, best first."""
    parts = WORKED[method, norm].split()
    return list(zip(parts[::2], map(float, parts[1::2]), strict=True))


def ranking(warehouse: Warehouse, run: str) -> Fused:
    """Return the documents and scores of a run, by their positions."""
    sql = "select query_id, doc_id, score from rankings where run = $1"
    sql += " order by query_id, position"
    return warehouse.connection.execute(sql, [run]).fetchall()


def world(
    seed: int, count: int, shapes: Sequence[str] = ("apart", "equal", "one")
) -> list[Ranked]:
    """Return runs with ties, lists of equal scores and of one document.

    Some queries are not in every run. All scores are above 0.
    """
    random = Random(seed)
    runs: list[Ranked] = []
    for _ in range(count):
        run: dict[str, dict[str, float]] = {}
        for number in range(12):
            shape = random.choice([*shapes, "tied", "tied", "apart"])
            if shape == "apart":
                continue
            size = 1 if shape == "one" else random.randint(2, 14)
            documents = random.sample(["é", "Z", *map(str, range(20))], size)
            several = (0.125, 0.5, 2.75, 3, 1e-3, 7.1)
            scores = [random.choice(several) for _ in documents]
            if shape == "equal":
                scores = [0.1] * size
            run[f"q{number}"] = dict(zip(documents, scores, strict=True))
        runs.append(run)
    return runs


def check_equal(rows: Fused, expected: Ranked) -> None:
    """Check scores, and that they decide on the order."""
    found: dict[str, dict[str, float]] = {}
    for query, document, score in rows:
        found.setdefault(query, {})[document] = score
    assert found.keys() == expected.keys()
    for query, scores in expected.items():
        assert found[query] == pytest.approx(scores, rel=1e-12, abs=1e-12)
        assert list(fusion.positions(found[query])) == list(found[query])


@pytest.mark.parametrize(("method", "norm"), WORKED)
def test_worked_values(memory: Warehouse, method: Any, norm: Any) -> None:
    weights = [1, 2] if method == "weighted" else None
    memory.fuse(["first", "second"], "x", method=method, norm=norm, weights=weights)
    found = [(document, score) for _, document, score in ranking(memory, "x")]
    expected = worked(method, norm)
    assert [document for document, _ in found] == [name for name, _ in expected]
    scores = [score for _, score in expected]
    assert [score for _, score in found] == pytest.approx(scores, abs=5e-7)


@pytest.mark.usefixtures("two")
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


def test_tags_and_source_say_how_it_was_made(memory: Warehouse) -> None:
    memory.fuse(
        ["second", "first"],
        "x",
        method="weighted",
        weights="0.25,1",
        depth=2,
        tags={"branch": "main"},
    )
    memory.fuse(["first", "second"], "y", k=10)
    sql = "select tag, tag_value from run_tags where run = $1 order by tag"
    tags = dict(memory.connection.execute(sql, ["x"]).fetchall())
    assert tags == {
        **{"branch": "main", "depth": "2", "fusion": "weighted", "norm": "min-max"},
        **{"sources": "second, first", "weights": "0.25, 1"},
    }
    tags = dict(memory.connection.execute(sql, ["y"]).fetchall())
    assert tags == {"fusion": "rrf", "k": "10", "sources": "first, second"}
    sql = "select source, position_rule from runs where run = 'x'"
    assert memory.connection.execute(sql).fetchall() == [
        ("runs second, first", "score")
    ]
    assert [document for _, document, _ in ranking(memory, "x")] == ["a", "b"]


@pytest.mark.parametrize(("method", "norm"), exploring.sampled(EVERY, 9))
def test_random_runs_have_the_values_of_the_definitions(
    method: str, norm: str | None
) -> None:
    for seed in range(exploring.amount(2, 40)):
        # Terms are put together four at a time.
        runs = world(seed, 6 if seed % 2 else 3)
        names = [str(number) for number in range(len(runs))]
        factors = [0.3, 2, 0.0, 1.25, 1, 0.7][: len(runs)]
        weights = factors if method == "weighted" else None
        expected = fusion.fused(runs, method, norm or "", 60, weights)
        with Warehouse.memory(Limits(threads=2)) as warehouse:
            for name, run in zip(names, runs, strict=True):
                warehouse.load_run(run, name)
            warehouse.fuse(
                names,
                "x",
                method=cast(choices.FusionMethod, method),
                norm=cast(choices.FusionNorm, norm),
                weights=weights,
            )
            check_equal(ranking(warehouse, "x"), expected)


@pytest.mark.parametrize(("method", "norm"), exploring.sampled(EVERY, 12))
def test_the_order_and_names_of_runs_do_not_matter(method: Any, norm: Any) -> None:
    weights = [1.5] * 4 if method == "weighted" else None
    names = ["a", "b", "c", "d"]
    runs = world(7, 4)
    found: list[Fused] = []
    for order in (names, ["c", "a", "d", "b"]):
        with Warehouse.memory(Limits(threads=2)) as warehouse:
            for name, run in zip(order, runs, strict=True):
                warehouse.load_run(run, name)
            warehouse.fuse(names, "x", method=method, norm=norm, weights=weights)
            found.append(ranking(warehouse, "x"))
    # To the last bit.
    assert found[0] == found[1]


def test_equal_sums_of_shares_are_a_tie(memory: Warehouse) -> None:
    # h has 4/12 + 2/6, and a has 4/6.
    memory.load_run({"q": {"d": 6.0, "h": 5.0, "b": 4.0, "f": 1.0}}, "x")
    memory.load_run({"q": {"a": 5.0, "h": 3.0, "f": 1.0}}, "y")
    memory.fuse(["x", "y"], "z", method="sum", norm="sum")
    found = ranking(memory, "z")
    assert [document for _, document, _ in found] == ["h", "a", "d", "b", "f"]
    assert found[0][2] == found[1][2] == pytest.approx(2 / 3)


@pytest.mark.parametrize("method", ["rrf", "sum", "weighted", "med"])
def test_threads_do_not_change_the_last_bit(method: Any) -> None:
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
    weights = [0.1, 0.7, 0.3, 0.9, 0.2] if method == "weighted" else None
    found: list[Fused] = []
    for threads in (1, 2, 4, 4):
        with Warehouse.memory(Limits(threads=threads)) as warehouse:
            for number, run in enumerate(runs):
                warehouse.load_run(run, str(number))
            names = list("01234")
            warehouse.fuse(names, "x", method=method, weights=weights)
            found.append(ranking(warehouse, "x"))
    assert len(found[0]) > 50_000
    assert all(one == found[0] for one in found)


def test_queries_that_some_runs_lack_are_counted(memory: Warehouse) -> None:
    memory.load_run({"q": {"a": 1.0}, "r": {"a": 1.0}}, "third")
    told = memory.fuse(["first", "third"], "x")
    assert told.warnings == (
        "1 query is not in every run, and fused from the runs that have them",
    )
    assert [query for query, _, _ in ranking(memory, "x")] == ["q"] * 3 + ["r"]


def test_patterns_choose_runs(memory: Warehouse) -> None:
    told = memory.fuse("*", "x")
    assert str(told).startswith('made run "x" by rrf of 2 runs: 1 query, 4 documents')
    # What fuse made is among those that match, and is left out unless it is named.
    again = memory.fuse("*", "y", method="isr")
    assert str(again).startswith('made run "y" by isr of 2 runs')
    left = 'left out, as fuse made them: "x"; name them to fuse them'
    assert str(again).splitlines()[-1] == left
    assert again.warnings == ()
    both = memory.fuse(["*", "x"], "z")
    assert str(both).startswith('made run "z" by rrf of 3 runs')
    assert 'left out, as fuse made them: "y"' in str(both)
    with pytest.raises(NdcgSqlError) as error:
        memory.fuse("[xyz]", "w")
    assert str(error.value) == (
        'no runs but those that fuse made, "x", "y", "z"; name them without a pattern'
    )
    # So a command that is repeated finds what it found before.
    assert "nothing to do" in str(memory.fuse("*", "x"))
    with pytest.raises(NdcgSqlError, match="cannot be one of its own sources"):
        memory.fuse(["*", "x"], "x", replace=True)


def test_a_tag_that_only_looks_like_a_fusion_leaves_no_run_out(
    memory: Warehouse,
) -> None:
    memory.load_run(FIRST, "tagged", tags={"fusion": "early"})
    assert str(memory.fuse("*", "x")).startswith('made run "x" by rrf of 3 runs')


@pytest.mark.usefixtures("two")
def test_a_second_time_is_unchanged_refused_or_replaced(ndcg: Command) -> None:
    fuse = ("fuse", "first", "second", "--name", "x")
    assert ndcg(*fuse, "--tag", "branch=main").code == 0
    whole = "select * exclude (loaded_at) from runs order by all"
    before = digest(Path("ndcg.duckdb")), stored(whole)
    there = 'run "x" of dataset "default" already exists'
    for again in (fuse, ("fuse", "second", "first", "--name", "x")):
        result = ndcg(*again)
        assert (result.code, result.err) == (
            0,
            f"{there} with this content; nothing to do\n",
        )
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
    ids = "select run_id from runs where name = 'x'"
    assert stored(ids) != [(3,)]
    sql = "select tag, tag_value from run_tags order by tag"
    assert stored(sql) == [
        ("fusion", "rrf"),
        ("k", "10"),
        ("sources", "first, second"),
    ]


# Further runs, what is asked, and what both faces say.
REFUSED: dict[str, tuple[list[str], dict[str, Any], str]] = {
    "one run alone": (
        ["first"],
        {},
        'run "first" is the only one to be fused; name another',
    ),
    "a run twice": (
        ["first", "first", "second"],
        {},
        'run "first" is named twice; name another',
    ),
    "an unknown run": (
        ["first", "secnd"],
        {},
        'no run "secnd"; did you mean "second"?',
    ),
    "another dataset": (
        ["first", "away"],
        {},
        'run "first" belongs to dataset "default", run "away" to "other": their'
        " queries differ; name runs of one dataset",
    ),
    "a name that is in use": (
        ["first", "second"],
        {"name": "order"},
        'run "order" of dataset "default" already exists with other content; choose'
        " another NAME, or replace it: --replace",
    ),
    "its own source": (
        ["first", "second"],
        {"name": "second", "replace": True},
        "--name second: a run cannot be one of its own sources; choose another name:"
        " --name NAME",
    ),
    "an unknown method": (
        ["first", "second"],
        {"method": "rfr"},
        "--method rfr: not one of rrf, sum, max, min, med, anz, mnz, isr, log_isr,"
        " borda, weighted",
    ),
    "a norm as the method": (
        ["first", "second"],
        {"method": "minmax"},
        "--method minmax: a norm, which methods of scores take; write --method sum"
        " --norm min-max",
    ),
    "an unknown norm": (
        ["first", "second"],
        {"method": "sum", "norm": "minmax"},
        "--norm minmax: not one of min-max, max, sum, zmuv, rank, borda, none; did you"
        " mean --norm min-max?",
    ),
    "a norm that is not taken": (
        ["first", "second"],
        {"norm": "max"},
        "--norm: rrf takes none; omit it, or choose another method, such as --method"
        " sum",
    ),
    "no weights": (
        ["first", "second"],
        {"method": "weighted"},
        "--method weighted: needs a weight for each run; name them, such as --weights"
        " 2,1",
    ),
    "too few weights": (
        ["first", "second"],
        {"method": "weighted", "weights": "1"},
        '--weights 1: 1 weight for 2 runs, "first", "second"; give each run one, in'
        " this order",
    ),
    "a weight of no number": (
        ["first", "second"],
        {"method": "weighted", "weights": "1,much"},
        '--weights 1,much: "much" is not a number',
    ),
    "weights with blanks": (
        ["first", "second"],
        {"method": "weighted", "weights": "2 1"},
        "--weights '2 1': blanks between weights; write --weights 2,1",
    ),
    "weights after a blank": (
        ["first", "second", "0.5"],
        {"method": "weighted", "weights": "2"},
        'no run "0.5"; if it is a weight, write --weights 2,0.5',
    ),
    "a weight below 0": (
        ["first", "second"],
        {"method": "weighted", "weights": "1,-0.5"},
        "--weights 1,-0.5: -0.5: a weight is 0, or from 1e-100 to 1e100",
    ),
    "weights of 0": (
        ["first", "second"],
        {"method": "weighted", "weights": "0,0"},
        "--weights 0,0: all are 0; give a run a weight above 0",
    ),
    "no score above 0": (
        ["first", "second", "below"],
        {"method": "sum", "norm": "max"},
        '--norm max: run "below": the greatest score for query "q" is -1, not above 0;'
        " choose another norm, such as --norm rank",
    ),
    "no scores": (
        ["first", "order"],
        {"method": "sum"},
        '--norm min-max: run "order" has no scores; choose another norm, such as'
        " --norm rank",
    ),
    "an infinite score": (
        ["first", "huge"],
        {"method": "sum", "norm": "none"},
        '--norm none: run "huge": the score of document "a" for query "q" is inf,'
        " beyond 1e100; choose another norm, such as --norm rank",
    ),
    "a score that becomes too large": (
        ["first", "tiny"],
        {"method": "sum", "norm": "max"},
        '--norm max: the fused score of document "b" for query "q" is -inf; choose'
        " another norm, such as --norm rank",
    ),
    "a tag of its own": (
        ["first", "second"],
        {"tags": {"fusion": "mine"}},
        "--tag fusion=mine: fusion says how the run was made; choose another tag",
    ),
    "no name": (
        ["first", "second"],
        {"name": "\t"},
        'run "\\t": a name cannot begin or end with a blank',
    ),
}


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
@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_fused_is_refused_and_nothing_stored(
    ndcg: Command, odd_file: Path, case: str
) -> None:
    path = Path("ndcg.duckdb")
    path.write_bytes(odd_file.read_bytes())
    before = digest(path)
    runs, asked, told = REFUSED[case]
    fields: dict[str, Any] = {"name": "x", **asked}
    options: list[str] = []
    for name, value in fields.items():
        if name == "tags":
            options += [f"--tag={key}={text}" for key, text in value.items()]
        else:
            options += [f"--{name}"] + ([] if value is True else [str(value)])
    assert ndcg("fuse", *runs, *options).refusal == told + "\n"
    assert digest(path) == before


def test_without_scores_positions_can_be_fused(odd_file: Path) -> None:
    with Warehouse.read(odd_file, copy=True) as read:
        ordered = ranking(read, "order")
    assert [score for _, _, score in ordered] == [None, None]
    with Warehouse.memory() as warehouse:
        warehouse.load_run(FIRST, "first")
        warehouse.load_run({"q": ["b", "a"]}, "order")
        for method in PLAIN:
            warehouse.fuse(["first", "order"], f"by {method}", method=cast(Any, method))
        for norm in ("rank", "borda"):
            warehouse.fuse(["first", "order"], f"of {norm}", method="sum", norm=norm)
        assert [d for _, d, _ in ranking(warehouse, "by rrf")] == ["b", "a", "c"]


@pytest.mark.quick
@pytest.mark.usefixtures("bare")
def test_without_a_warehouse_none_is_made(ndcg: Command) -> None:
    assert ndcg("fuse", "a", "b", "--name", "x").refusal == (
        "ndcg.duckdb: no such warehouse; ndcg-sql load run FILE creates one\n"
    )
    with pytest.raises(NdcgSqlError) as error:
        Warehouse("ndcg.duckdb").fuse(["a", "b"], "x")
    assert str(error.value) == (
        "ndcg.duckdb: no such warehouse; Warehouse.load_run(FILE) creates one"
    )
    assert not Path("ndcg.duckdb").exists()


@pytest.mark.quick
@pytest.mark.parametrize(
    ("name", "method"),
    [
        *[("wsum", "weighted"), ("combsum", "sum"), ("CombMNZ", "mnz")],
        *[("comb_anz", "anz"), ("bordafuse", "borda"), ("RRF", "rrf")],
        *[("reciprocal_rank_fusion", "rrf"), ("log-isr", "log_isr")],
    ],
)
def test_the_names_of_other_tools_are_hinted_at(name: str, method: str) -> None:
    with pytest.raises(NdcgSqlError) as error:
        FuseRequest(runs=("a", "b"), name="x", method=cast(Any, name))
    assert str(error.value).endswith(f'; did you mean method="{method}"?')


@pytest.mark.quick
def test_every_synonym_of_a_method_or_norm_is_hinted_at() -> None:
    for words, synonyms in (
        (choices.FusionMethod, choices.FUSION_METHOD_NAMES),
        (choices.FusionNorm, choices.FUSION_NORM_NAMES),
    ):
        assert set(synonyms.values()) <= set(get_args(words))
        assert all(meant(name, words, synonyms) == synonyms[name] for name in synonyms)


@pytest.mark.quick
def test_the_words_of_the_request_are_the_rows_of_the_tables() -> None:
    methods = [row["method"] for row in sql_files.rows("fusion/methods")]
    assert tuple(methods) == get_args(choices.FusionMethod)
    assert set(methods) == set(fusion.METHODS)
    norms = [row["norm"] for row in sql_files.rows("fusion/norms")]
    assert tuple(norms) == get_args(choices.FusionNorm) == fusion.NORMS


@pytest.mark.quick
def test_every_file_of_fusion_is_used() -> None:
    methods = sql_files.rows("fusion/methods")
    norms = sql_files.rows("fusion/norms")
    rows = [*methods, *norms, *sql_files.rows("fusion/tuned")]
    steps = {step for row in rows for step in row["terms"].split()}
    assert {f"fusion/terms/{s}" for s in steps} == set(sql_files.names("fusion/terms"))
    steps = {
        step
        for row in methods
        for name in row["steps"].split()
        for runs in (2, 5)
        for step in fusing.steps(name, runs)
    }
    assert {f"fusion/steps/{s}" for s in steps} == set(sql_files.names("fusion/steps"))
    checks = {check for row in norms for check in row["checks"].split()}
    assert {f"fusion/checks/{c}" for c in (*checks, "fused_score")} == set(
        sql_files.names("fusion/checks")
    )
    files = {file for row in [*methods, *norms] for file in row["shown"].split()}
    assert {f"fusion/{file}" for file in files} == {
        name
        for folder in ("queries", "documents")
        for name in sql_files.names(f"fusion/{folder}")
    }
