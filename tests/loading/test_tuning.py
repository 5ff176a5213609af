"""Tuned fusion: what is chosen, on which queries, and what held-out queries say."""

from collections.abc import Mapping, Sequence
from hashlib import md5
from math import fsum
from random import Random
from typing import Any

import ir_measures
import pytest

from ndcg_sql.database import sql_files
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.fields import fields_of
from ndcg_sql.loading.fusion import MOST_RUNS
from ndcg_sql.loading.loaded import Fused, Setting, Tuned
from ndcg_sql.python.warehouse import Warehouse
from ndcg_sql.questions.changes import fuse
from ndcg_sql.system.limits import Limits
from support import exploring, fusion
from support.files import Ranked, stored
from support.scripts import scripted

pytestmark = pytest.mark.mostly_slow

# By setting and query.
Values = Mapping[Setting, Mapping[str, float]]
# What is tried, as the documentation has it: k, and for each number of runs the parts
# of which weights are multiples.
KS = (0, 1, 2, 5, 10, 20, 40, 60, 80, 100, 200, 500, 1000)
PARTS = {2: 10, 3: 10, 4: 5, 5: 5, 6: 5, 7: 4, 8: 4}
RUNS = ("first", "second", "third", "fourth", "fifth")


def grid(method: str, count: int) -> list[Setting]:
    """Return what is tried, what is chosen first of equals before the others."""
    if method == "rrf":
        nearest: list[Setting] = []
        nearest += sorted(KS, key=lambda k: (abs(k - 60), k))
        return nearest
    parts = PARTS[count]
    shares: list[tuple[int, ...]] = [()]
    for _ in range(count):
        shares = [(*one, n) for one in shares for n in range(parts + 1)]
    whole = [one for one in shares if sum(one) == parts]
    whole.sort(key=lambda one: (sum(n * n for n in one), [-n for n in one]))
    return [tuple(n / parts for n in one) for one in whole]


def mean(values: Mapping[str, float], queries: Sequence[str]) -> float:
    """Return the mean over some queries."""
    return fsum(values[query] for query in queries) / len(queries)


def best(values: Values, queries: Sequence[str]) -> Setting:
    """Return the setting with the highest mean; the first of several."""
    return max(values, key=lambda one: round(mean(values[one], queries), 9))


def check(fused: Fused, values: Values) -> Tuned:
    """Check what was chosen, and the means, with the values of each setting."""
    assert fused.tuned is not None
    queries = list(next(iter(values.values())))
    # Dealt to five folds in the order of hashes.
    dealt = sorted(queries, key=lambda query: (md5(query.encode()).hexdigest(), query))
    folds = {query: place % 5 for place, query in enumerate(dealt)}
    chosen = tuple(
        best(values, [query for query in queries if folds[query] != fold])
        for fold in range(5)
    )
    held_out = fsum(values[chosen[folds[query]]][query] for query in queries)
    setting, tuned = best(values, queries), fused.tuned
    assert (fused.weights if fused.k is None else fused.k) == setting
    assert (tuned.tried, tuned.folds) == (len(values), chosen)
    assert tuned.value == pytest.approx(mean(values[setting], queries), rel=1e-12)
    assert tuned.held_out_value == pytest.approx(held_out / len(queries), rel=1e-12)
    assert tuned.held_out_value <= tuned.value + 1e-9
    assert (tuned.n, tuned.held_out_n) == (len(queries), len(queries))
    return tuned


def world(
    seed: int, queries: int = 24, runs: int = 2, documents: int = 12
) -> tuple[dict[str, dict[str, float]], list[dict[str, dict[str, float]]]]:
    """Return random judgments and runs, with ties, that some queries are missing from.

    What a run says has nothing to do with the judgments, but for the first.
    """
    random = Random(seed)
    names = [*"abcdefgh", "Z", "é", *map(str, range(15))]
    judged = {
        f"q{n}": {d: float(random.choice((-1, 0, 0, 1, 2, 3))) for d in some}
        for n in range(queries)
        for some in [random.sample(names, random.randint(1, 9))]
    }
    ranked: list[dict[str, dict[str, float]]] = []
    for number in range(runs):
        run: dict[str, dict[str, float]] = {}
        for query in [*judged, "unjudged"]:
            if random.random() < 0.05:
                continue
            some = random.sample(names, random.randint(1, documents))
            hints = judged.get(query, {}) if number == 0 else {}
            run[query] = {
                d: random.choice((0.125, 0.5, 0.75, 2.0, 3.1)) + hints.get(d, 0) / 4
                for d in some
            }
        ranked.append(run)
    return judged, ranked


def filled(judged: Ranked, runs: Sequence[Ranked], threads: int = 2) -> Warehouse:
    """Return a warehouse in memory with judgments and runs, and no measures."""
    warehouse = Warehouse.memory(Limits(threads=threads))
    warehouse.remove_measures(warehouse.measures()["measure"])
    warehouse.load_judgments(judged)
    for name, run in zip(RUNS, runs, strict=False):
        warehouse.load_run(run, name)
    return warehouse


def one_by_one(
    warehouse: Warehouse, count: int, measure: str, **fields: Any
) -> dict[Setting, dict[str, float]]:
    """Return the values of runs fused one after the other by each setting."""
    tried = grid(fields["method"], count)
    made = {f"by {setting}": setting for setting in tried}
    for name, setting in made.items():
        how: Any = {"k" if isinstance(setting, int) else "weights": setting}
        warehouse.fuse(RUNS[:count], name, **how, **fields)
    rows: Any = warehouse.report(measure, runs=list(made), per_query=True).df()
    values: dict[Setting, dict[str, float]] = {setting: {} for setting in tried}
    columns = (rows[name] for name in ("run", "query_id", "value"))
    for run, query, value in zip(*columns, strict=True):
        values[made[run]][query] = value
    return values


@pytest.mark.quick
def test_what_is_held_out_is_not_tuned_on() -> None:
    judged, runs = world(0)
    with filled(judged, runs) as warehouse:
        tuned = warehouse.fuse(RUNS[:2], "x", method="rrf", tune="nDCG@10").tuned
    assert tuned is not None
    assert tuned.held_out_value < tuned.value


# What is fused, how, and by which measure.
CASES: list[tuple[int, dict[str, Any], str]] = [
    (2, {"method": "rrf"}, "nDCG@10"),
    (2, {"method": "weighted"}, "nDCG@5"),
    (3, {"method": "rrf", "depth": 6}, "AP"),
    (2, {"method": "weighted", "norm": "zmuv", "depth": 4}, "nDCG(ties='mean')"),
    (2, {"method": "weighted", "norm": "borda"}, "P(judged_only=true)@5"),
    (5, {"method": "rrf"}, "Bpref"),
]


@pytest.mark.parametrize("case", range(len(CASES)))
def test_what_is_chosen_is_what_fusing_by_each_setting_shows(case: int) -> None:
    count, fields, measure = CASES[case]
    for seed in range(exploring.amount(1, 10)):
        judged, runs = world(seed + case, runs=count)
        with filled(judged, runs) as warehouse:
            values = one_by_one(warehouse, count, measure, **fields)
            fused = warehouse.fuse(RUNS[:count], "x", tune=measure, **fields)
            report: Any = warehouse.report(measure, runs="x").df()
        tuned = check(fused, values)
        assert (tuned.measure, tuned.n) == (measure, len(judged))
        # To the last bit, what the report says of the run that was stored.
        assert [tuned.value] == list(report["value"])


@pytest.mark.parametrize(
    ("method", "count"), [("rrf", 3), ("weighted", 2), ("weighted", 3)]
)
def test_the_definitions_and_ir_measures_choose_the_same(
    method: str, count: int
) -> None:
    judged, runs = world(77, runs=count)
    library: Any = ir_measures
    measure = library.parse_measure("nDCG@10")
    qrels = {q: {d: int(g) for d, g in some.items()} for q, some in judged.items()}
    values: dict[Setting, dict[str, float]] = {}
    for setting in grid(method, count):
        how: Any = {"k" if isinstance(setting, int) else "weights": setting}
        run = {
            # Last bits of sums of weighted terms decide on no position.
            query: {d: round(score, 12) for d, score in scores.items()}
            for query, scores in fusion.fused(runs, method, **how).items()
        }
        rows = library.iter_calc([measure], qrels, run)
        found = {row.query_id: row.value for row in rows}
        values[setting] = {**dict.fromkeys(judged, 0.0), **found}
    with filled(judged, runs) as warehouse:
        fused = warehouse.fuse(RUNS[:count], "x", method=method, tune="nDCG@10")
    check(fused, values)


def test_held_out_values_do_not_flatter_where_there_is_only_noise() -> None:
    judged, runs = world(6, queries=30)
    # The first run is no better than the other.
    judged = {query: judged[f"q{29 - n}"] for n, query in enumerate(judged)}
    with filled(judged, runs) as warehouse:
        for method in ("rrf", "weighted"):
            tuned = warehouse.fuse(RUNS[:2], method, method=method, tune="nDCG@3").tuned
            assert tuned is not None
            assert tuned.held_out_value < tuned.value - 0.001, method


def test_of_equal_settings_the_one_nearest_to_the_default_is_chosen() -> None:
    judged = {f"q{n}": {"a": 1.0} for n in range(10)}
    same = {query: {"a": 2.0, "b": 1.0} for query in judged}
    with filled(judged, [same, same]) as warehouse:
        by_k = warehouse.fuse(RUNS[:2], "k", tune="nDCG@10")
        by_weights = warehouse.fuse(RUNS[:2], "w", method="weighted", tune="nDCG@10")
    assert by_k.tuned is not None
    assert (by_k.k, by_k.tuned.folds) == (60, (60,) * 5)
    assert by_weights.weights == (0.5, 0.5)
    # Without equal weights in the grid, the first runs have the greater ones.
    assert grid("weighted", 3)[0] == (0.4, 0.3, 0.3)


def test_order_of_loading_and_threads_change_nothing() -> None:
    judged, runs = world(41, runs=3)
    answers: list[Tuned | None] = []
    for threads, order in ((1, (0, 1, 2)), (2, (2, 0, 1)), (4, (1, 2, 0))):
        with Warehouse.memory(Limits(threads=threads)) as warehouse:
            for number in order:
                warehouse.load_run(runs[number], RUNS[number])
            warehouse.load_judgments(dict(reversed(judged.items())))
            fused = warehouse.fuse(RUNS[:3], "x", method="weighted", tune="nDCG@10")
            answers.append(fused.tuned)
    assert answers[0] == answers[1] == answers[2]


def fill() -> None:
    """Load two runs, also into datasets where they cannot be tuned."""
    judged, runs = world(61, queries=12)
    few = {query: judged[query] for query in list(judged)[:9]}
    warehouse = Warehouse("ndcg.duckdb")
    warehouse.load_judgments(judged, "judgments", dataset="default")
    warehouse.load_judgments(few, "judgments", dataset="few")
    warehouse.load_judgments(judged, "judgments", dataset="unscored")
    for name, run in zip(RUNS, runs, strict=False):
        for dataset in ("default", "few", "bare"):
            warehouse.load_run(run, name, dataset=dataset)
    warehouse.load_run(runs[0], "first", dataset="unscored")
    warehouse.load_run({"q1": ["a", "b"]}, "second", dataset="unscored")


def chosen() -> bool:
    """Tell whether x is told to have the k and the value that are stored."""
    [(k,)] = stored("select tag_value from run_tags where tag = 'k'")
    [(value,)] = stored(
        "select value from stored_run_values where measure = 'nDCG@10' and run_id ="
        " (select run_id from runs where name = 'x')"
    )
    told = Warehouse("ndcg.duckdb").fuse(
        ["first", "second"], "x", tune="nDCG@10", dataset="default"
    )
    said = f"k {k} has the highest nDCG@10 of 13 tried, {value:.4f}\n"
    return said in str(told)


def again(name: str) -> str:
    """Fuse the runs by the k that was chosen, but without fusion."""
    [(k,)] = stored(
        "select tag_value from run_tags where tag = 'k' order by run_id limit 1"
    )
    runs = ["first", "second"]
    return str(Warehouse("ndcg.duckdb").fuse(runs, name, k=int(k), dataset="default"))


test_script = scripted(__file__, fill, chosen, again)


def test_more_runs_than_the_grid_is_for_are_refused() -> None:
    names = [str(number) for number in range(9)]
    with Warehouse.memory() as warehouse:
        for name in names:
            warehouse.load_run({"q": {"a": 1.0}}, name)
        with pytest.raises(NdcgSqlError) as error:
            warehouse.fuse(names, "x", tune="nDCG@10")
    assert str(error.value) == (
        "tune: 9 runs, of which at most 8 can be tuned; name fewer, or omit it"
    )


@pytest.mark.quick
def test_the_help_and_the_table_say_what_is_tried() -> None:
    methods = {row["method"]: row for row in sql_files.rows("fusion/methods")}
    tried = {name: row["tried"].split() for name, row in methods.items()}
    assert {name: [int(part) for part in parts] for name, parts in tried.items()} == {
        **{name: [] for name in methods},
        **{"rrf": [*KS], "weighted": [*PARTS.values()]},
    }
    assert len(PARTS) == MOST_RUNS - 1
    [option] = [one for one in fields_of(fuse) if one.name == "tune"]
    *first, last = map(str, KS)
    for text in (
        f"k = {', '.join(first)} and {last};",
        "weights that are tenths and add up to 1, of four to six runs fifths, of seven"
        " or eight quarters.",
    ):
        assert text in str(option.help)
