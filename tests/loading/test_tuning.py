"""Tuned fusion: what is chosen, on which queries, and what held-out queries say."""

from collections.abc import Mapping, Sequence
from hashlib import md5
from math import fsum
from pathlib import Path
from random import Random
from typing import Any, Literal

import ir_measures
import pandas as pd  # pyright: ignore[reportMissingTypeStubs]
import pytest

from ndcg_sql.database import sql_files
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.loading import grid as tuning_grid
from ndcg_sql.loading.fused import Fused, Tuned
from ndcg_sql.python.warehouse import Warehouse
from ndcg_sql.requests.changes import FuseRequest
from ndcg_sql.requests.fields import fields_of
from ndcg_sql.system.limits import Limits
from support import exploring, fusion
from support.commands import Command
from support.files import Ranked, digest, stored

pytestmark = pytest.mark.mostly_slow

Value = int | tuple[float, ...]
# By setting and query.
Values = Mapping[Value, Mapping[str, float]]
# What is tried, as the documentation has it: k, and for each number of runs the parts
# of which weights are multiples.
KS = (0, 1, 2, 5, 10, 20, 40, 60, 80, 100, 200, 500, 1000)
PARTS = {2: 10, 3: 10, 4: 5, 5: 5, 6: 5, 7: 4, 8: 4}
RUNS = ("first", "second", "third", "fourth", "fifth")
OMITTING = "nDCG(known='omit')@10"


def grid(method: str, count: int) -> list[Value]:
    """Return what is tried, what is chosen first of equals before the others."""
    if method == "rrf":
        ks = sorted(KS, key=lambda k: (abs(k - 60), k))
        return [*ks]
    parts = PARTS[count]
    shares: list[tuple[int, ...]] = [()]
    for _ in range(count):
        shares = [(*one, n) for one in shares for n in range(parts + 1)]
    whole = [one for one in shares if sum(one) == parts]
    whole.sort(key=lambda one: (sum(n * n for n in one), [-n for n in one]))
    return [tuple(n / parts for n in one) for one in whole]


def folds_of(queries: Sequence[str]) -> dict[str, int]:
    """Return the fold of each query: dealt to five in the order of their hashes."""
    dealt = sorted(queries, key=lambda query: (md5(query.encode()).hexdigest(), query))
    return {query: place % 5 for place, query in enumerate(dealt)}


def mean(values: Mapping[str, float], queries: Sequence[str]) -> float:
    """Return the mean over some queries."""
    return fsum(values[query] for query in queries) / len(queries)


def best(values: Values, queries: Sequence[str]) -> Value:
    """Return the setting with the highest mean; the first of several."""
    return max(values, key=lambda one: round(mean(values[one], queries), 9))


def held_out(values: Values) -> tuple[float, tuple[Value, ...]]:
    """Return the mean of queries by what the other folds chose, and these choices."""
    queries = list(next(iter(values.values())))
    folds = folds_of(queries)
    chosen = [
        best(values, [query for query in queries if folds[query] != fold])
        for fold in range(5)
    ]
    total = fsum(values[chosen[folds[query]]][query] for query in queries)
    return total / len(queries), tuple(chosen)


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


def _frame(rows: Sequence[Mapping[str, str]]) -> Any:
    """Return rows as a frame."""
    return pd.DataFrame(list(rows))


def filled(
    judged: Ranked, runs: Sequence[Ranked], threads: int = 2, **arguments: Any
) -> Warehouse:
    """Return a warehouse in memory with judgments and runs, and no measures."""
    warehouse = Warehouse.memory(Limits(threads=threads))
    warehouse.remove_measures(warehouse.measures()["measure"])
    warehouse.load_judgments(judged, **arguments)
    for name, run in zip(RUNS, runs, strict=False):
        warehouse.load_run(run, name, **arguments)
    return warehouse


def names_of(runs: Sequence[Ranked]) -> list[str]:
    """Return the names of runs, as they are loaded."""
    return list(RUNS[: len(runs)])


def setting_of(fused: Fused) -> Value:
    """Return the k or the weights of a fused run."""
    if fused.k is not None:
        return fused.k
    assert fused.weights is not None
    return fused.weights


def tuned(fused: Fused) -> Tuned:
    """Return how a run was tuned."""
    assert fused.tuned is not None
    return fused.tuned


def one_by_one(
    warehouse: Warehouse,
    runs: Sequence[str],
    tried: Sequence[Value],
    measure: str,
    **fields: Any,
) -> Values:
    """Return the values of runs fused one after the other by each setting."""
    made = {f"by {setting}": setting for setting in tried}
    for name, setting in made.items():
        if isinstance(setting, tuple):
            warehouse.fuse(runs, name, weights=list(setting), **fields)
        else:
            warehouse.fuse(runs, name, k=setting, **fields)
    rows: Any = warehouse.report(measure, runs=list(made), per_query=True).df()
    values: dict[Value, dict[str, float]] = {setting: {} for setting in tried}
    columns = (rows[name] for name in ("run", "query_id", "value"))
    for run, query, value in zip(*columns, strict=True):
        values[made[run]][query] = value
    return values


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
        names = names_of(runs)
        tried = grid(fields["method"], count)
        with filled(judged, runs) as warehouse:
            values = one_by_one(warehouse, names, tried, measure, **fields)
            fused = warehouse.fuse(names, "x", tune=measure, **fields)
            report: Any = warehouse.report(measure, runs="x").df()
        said = tuned(fused)
        chosen = best(values, list(judged))
        assert setting_of(fused) == chosen
        assert (said.measure, said.on, said.tried) == (measure, None, len(tried))
        assert (said.n, said.held_out_n) == (len(judged), len(judged))
        # To the last bit, what the report says of the run that was stored.
        assert [said.value] == list(report["value"])
        expected, folds = held_out(values)
        assert said.folds == folds
        assert said.held_out_value == pytest.approx(expected, rel=1e-12)
        assert said.held_out_value is not None
        assert said.held_out_value <= said.value + 1e-9


# With, and without, room for the rankings of all settings at once.
ROOMS: list[tuple[dict[str, Any], str, int]] = [
    ({"method": "weighted"}, OMITTING, 1_000_000),
    ({"method": "rrf", "depth": 5}, "AP(known='omit',judged_only=true)", 300),
    ({"method": "weighted", "depth": 4}, "P(known='omit')@3", 1),
]


@pytest.mark.parametrize("case", range(len(ROOMS)))
def test_known_documents_are_taken_out_of_what_each_setting_shows(
    monkeypatch: pytest.MonkeyPatch, case: int
) -> None:
    fields, measure, room = ROOMS[case]
    judged, runs = world(90 + case)
    names = names_of(runs)
    random = Random(case)
    # Some are judged, or shown, and some are neither; one query knows all.
    known = {query: [*random.sample("abcdefgh", 4), "none"] for query in judged}
    known["q3"] = [*judged["q3"]]
    tried = grid(fields["method"], 2)
    monkeypatch.setattr(tuning_grid, "MOST_ROWS", room)
    with filled(judged, runs) as warehouse:
        warehouse.load_known(known)
        values = one_by_one(warehouse, names, tried, measure, **fields)
        fused = warehouse.fuse(names, "x", tune=measure, **fields)
        kept = measure.replace("known='omit'", "known='keep'")
        report: Any = warehouse.report([measure, kept], runs="x").df()
    said = tuned(fused)
    assert setting_of(fused) == best(values, list(judged))
    value, with_known = report["value"]
    assert said.value == value != with_known
    expected, folds = held_out(values)
    assert said.folds == folds
    assert said.held_out_value == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("method", "count"), [("rrf", 3), ("weighted", 2), ("weighted", 3)]
)
def test_the_definitions_and_ir_measures_choose_the_same(
    method: Literal["rrf", "weighted"], count: int
) -> None:
    judged, runs = world(77, runs=count)
    library: Any = ir_measures
    measure = library.parse_measure("nDCG@10")
    qrels = {q: {d: int(g) for d, g in some.items()} for q, some in judged.items()}
    values: dict[Value, dict[str, float]] = {}
    for setting in grid(method, count):
        weights = setting if isinstance(setting, tuple) else None
        k = setting if isinstance(setting, int) else 60
        fused = fusion.fused(runs, method, k=k, weights=weights)
        run = {
            # Last bits of sums of weighted terms decide on no position.
            query: {d: round(score, 12) for d, score in scores.items()}
            for query, scores in fused.items()
        }
        rows = library.iter_calc([measure], qrels, run)
        values[setting] = {
            **dict.fromkeys(judged, 0.0),
            **{row.query_id: row.value for row in rows},
        }
    with filled(judged, runs) as warehouse:
        fused = warehouse.fuse(names_of(runs), "x", method=method, tune="nDCG@10")
    expected, folds = held_out(values)
    assert setting_of(fused) == best(values, list(judged))
    said = tuned(fused)
    assert said.value == pytest.approx(mean(values[setting_of(fused)], list(judged)))
    assert (said.held_out_value, said.folds) == (pytest.approx(expected), folds)


def test_held_out_values_do_not_flatter_where_there_is_only_noise() -> None:
    judged, runs = world(6, queries=30)
    # The first run is no better than the other.
    judged = {query: judged[f"q{29 - n}"] for n, query in enumerate(judged)}
    with filled(judged, runs) as warehouse:
        for method in ("rrf", "weighted"):
            fused = warehouse.fuse(
                ["first", "second"], method, method=method, tune="nDCG@3"
            )
            said = tuned(fused)
            assert said.held_out_value is not None
            assert said.held_out_value < said.value - 0.001, method


def test_a_split_is_chosen_on_one_part_and_told_of_the_other() -> None:
    judged, runs = world(11, queries=20)
    train = [query for query in judged if int(query[1:]) % 3]
    test = [query for query in judged if query not in train]
    rows = [{"query_id": q, "split": "train"} for q in train]
    rows += [{"query_id": q, "split": "test"} for q in test[1:]]
    names = names_of(runs)
    tried = grid("weighted", 2)
    with filled(judged, runs) as warehouse:
        # One query has no split: it is not one of those with split=train.
        warehouse.load_queries(_frame(rows))
        values = one_by_one(warehouse, names, tried, "AP", method="weighted")
        fused = warehouse.fuse(
            names, "x", method="weighted", tune="AP", on="split=train"
        )
        sql = "select tag, tag_value from run_tags where run = 'x'"
        tags = dict(warehouse.query(sql).df().itertuples(index=False))
    chosen = best(values, train)
    said = tuned(fused)
    assert setting_of(fused) == chosen
    assert said.value == pytest.approx(mean(values[chosen], train))
    assert said.held_out_value == pytest.approx(mean(values[chosen], test))
    assert (said.n, said.held_out_n, said.folds) == (len(train), len(test), ())
    assert tags["tuned"] == "AP"
    assert tags["tuned_on"] == "split=train"
    weights = ",".join(f"{weight:g}" for weight in chosen)  # type: ignore[union-attr]
    *_, first, second = str(fused).splitlines()
    assert first == (
        f"tuned on {len(train)} queries with split=train: weights {weights} have the"
        f" highest AP of 11 tried, {said.value:.4f}"
    )
    assert second == (
        f"held out: AP {said.held_out_value:.4f} for the {len(test)} queries without"
        " split=train"
    )


def test_another_dataset_chooses_and_this_one_is_held_out() -> None:
    judged, runs = world(21, queries=15)
    others, other_runs = world(22, queries=9)
    names = names_of(runs)
    with filled(judged, runs) as warehouse:
        warehouse.load_judgments(others, "theirs", dataset="dev")
        for name, run in zip(names, other_runs, strict=True):
            warehouse.load_run(run, name, dataset="dev")
        fused = warehouse.fuse(names, "x", tune="nDCG@10", on="dev", dataset="default")
        values = one_by_one(warehouse, names, KS, "nDCG@10", dataset="default")
    with filled(others, other_runs) as warehouse:
        theirs = one_by_one(warehouse, names, grid("rrf", 2), "nDCG@10")
    chosen = best(theirs, list(others))
    said = tuned(fused)
    assert (fused.dataset, fused.k) == ("default", chosen)
    assert said.value == pytest.approx(mean(theirs[chosen], list(others)))
    assert said.held_out_value == pytest.approx(mean(values[chosen], list(judged)))
    assert (said.n, said.held_out_n, said.on) == (9, 15, "dev")
    *_, first, second = str(fused).splitlines()
    assert first.startswith('tuned on 9 queries of dataset "dev": k ')
    assert second.endswith(' for the 15 queries of dataset "default"')


def test_what_has_no_judgments_is_tuned_on_another_dataset() -> None:
    judged, runs = world(31, queries=6)
    with filled(judged, runs, dataset="dev") as warehouse:
        for name, run in zip(RUNS, runs, strict=False):
            warehouse.load_run(run, name, dataset="live")
        fused = warehouse.fuse(
            ["first", "second"], "x", tune="RR", on="dev", dataset="live"
        )
    said = tuned(fused)
    assert (said.held_out_value, said.held_out_n) == (None, 0)
    assert str(fused).splitlines()[-1] == (
        'held out: no query of dataset "live" has a value'
    )


def test_of_equal_settings_the_one_nearest_to_the_default_is_chosen() -> None:
    judged = {f"q{n}": {"a": 1.0} for n in range(10)}
    same = {query: {"a": 2.0, "b": 1.0} for query in judged}
    with filled(judged, [same, same]) as warehouse:
        by_k = warehouse.fuse(["first", "second"], "k", tune="nDCG@10")
        by_weights = warehouse.fuse(
            ["first", "second"], "w", method="weighted", tune="nDCG@10"
        )
    assert (by_k.k, tuned(by_k).folds) == (60, (60,) * 5)
    assert by_weights.weights == (0.5, 0.5)
    # Without equal weights in the grid, the first runs have the greater ones.
    assert grid("weighted", 3)[0] == (0.4, 0.3, 0.3)


def test_order_of_loading_and_threads_change_nothing() -> None:
    judged, runs = world(41, runs=3)
    answers: list[Tuned] = []
    for threads, order in ((1, (0, 1, 2)), (2, (2, 0, 1)), (4, (1, 2, 0))):
        with Warehouse.memory(Limits(threads=threads)) as warehouse:
            for number in order:
                warehouse.load_run(runs[number], RUNS[number])
            warehouse.load_judgments(dict(reversed(judged.items())))
            fused = warehouse.fuse(
                names_of(runs), "x", method="weighted", tune="nDCG@10"
            )
            answers.append(tuned(fused))
    assert answers[0] == answers[1] == answers[2]


@pytest.fixture
def two(empty: Path) -> Path:
    """Put a warehouse with judgments and two runs where commands find it."""
    judged, runs = world(51, queries=12)
    with Warehouse(empty) as warehouse:
        warehouse.load_judgments(judged, "judgments")
        for name, run in zip(RUNS, runs, strict=False):
            warehouse.load_run(run, name)
    return empty


def test_the_command_stores_the_run_and_tells_both_values(
    ndcg: Command, two: Path
) -> None:
    command = ("fuse", "first", "second", "--name", "x", "--tune", "nDCG@10")
    result = ndcg(*command)
    assert (result.code, result.out) == (0, "")
    first, *_, chosen, told = result.err.splitlines()
    assert first.startswith('made run "x" by rrf of 2 runs: ')
    sql = "select tag_value from run_tags where tag = 'k'"
    [(k,)] = stored(sql)
    sql = "select value from stored_run_values where measure = 'nDCG@10' and run_id = 3"
    [(value,)] = stored(sql)
    assert chosen == (
        f"tuned on all 12 queries: k {k} has the highest nDCG@10 of 13 tried,"
        f" {value:.4f}"
    )
    assert told.startswith("held out: nDCG@10 0.")
    assert " for 12 queries, each by the k that the other 4 of 5 folds chose: " in told
    sql = "select tag, tag_value from run_tags order by tag"
    assert stored(sql) == [
        ("fusion", "rrf"),
        ("k", k),
        ("sources", "first, second"),
        ("tuned", "nDCG@10"),
        ("tuned_on", "5 folds"),
    ]
    assert ndcg("check", "--quiet").code == 0
    before = digest(two)
    again = ndcg(*command)
    assert (again.code, again.err.splitlines()) == (
        0,
        [
            'run "x" of dataset "default" already exists with this content; nothing to'
            " do",
            chosen,
            told,
        ],
    )
    assert ndcg(*command[:5], "--k", k).code == 0
    assert digest(two) == before


def test_a_run_that_was_not_tuned_is_another(ndcg: Command, two: Path) -> None:
    with Warehouse(two) as warehouse:
        judged = warehouse.fuse(["first", "second"], "t", tune="nDCG@10")
        warehouse.fuse(["first", "second"], "x", k=judged.k)
    command = ("fuse", "first", "second", "--name", "x", "--tune", "nDCG@10")
    assert ndcg(*command).refusal == (
        'run "x" of dataset "default" already exists with this content but another'
        " --tune; to replace it: --replace\n"
    )
    assert ndcg(*command, "--replace").code == 0
    sql = "select run_id from run_tags where tag = 'tuned'"
    assert len(stored(sql)) == 2


# What is asked beyond two runs, and what the command says.
REFUSED: dict[str, tuple[dict[str, str], str]] = {
    "an unknown measure": (
        {"tune": "nDCQ@10"},
        'measure "nDCQ@10": unknown; did you mean "nDCG@10", "nCG@10", "DCG@10"?',
    ),
    "an empty measure": (
        {"tune": ""},
        "a measure is missing; name one, such as nDCG@10",
    ),
    "two measures": (
        {"tune": "P@5 P@10"},
        "--tune 'P@5 P@10': 2 measures; name one",
    ),
    "a count": (
        {"tune": "NumRel"},
        "--tune NumRel: not a measure whose value is a mean and where higher is better;"
        " name one, such as --tune nDCG@10",
    ),
    "known documents, of which there are none": (
        {"tune": OMITTING},
        f'dataset "default" has no known documents, which {OMITTING} needs; load them:'
        " ndcg-sql load known FILE --dataset default",
    ),
    "grades that do not fit": (
        {"tune": "ERR(max_rel=2)@10"},
        'judgment set "judgments" has the grade 3, which is above the max_rel of'
        " ERR(max_rel=2)@10; use a higher one, such as max_rel=3 (ndcg-sql measures"
        " remove removes a registered measure)",
    ),
    "nothing to tune": (
        {"tune": "nDCG@10", "method": "borda"},
        "--tune: borda has nothing to tune; omit it, or choose --method rrf (its k) or"
        " --method weighted",
    ),
    "k beside it": (
        {"tune": "nDCG@10", "k": "60"},
        "--tune: cannot be combined with --k; omit one",
    ),
    "no measure": (
        {"on": "dev"},
        "--on: says on which queries to tune; add a measure: --tune nDCG@10",
    ),
    "the dataset itself": (
        {"tune": "nDCG@10", "on": "default", "dataset": "default"},
        "--on default: the dataset of the runs themselves; omit it, and each of 5 folds"
        " of its queries is held out once",
    ),
    "an unknown dataset": (
        {"tune": "nDCG@10", "on": "defend", "dataset": "default"},
        'no dataset "defend"; known: "bare", "default", "dev", "few"',
    ),
    "a dataset without such a run": (
        {"tune": "nDCG@10", "on": "dev", "dataset": "default"},
        '--on dev: no run "second" in this dataset; ndcg-sql load run FILE --name'
        " second --dataset dev loads it",
    ),
    "a dataset without judgments": (
        {"tune": "nDCG@10", "on": "bare", "dataset": "default"},
        'no judgments in dataset "bare"; ndcg-sql load judgments FILE --dataset bare'
        " loads them",
    ),
    "too few queries": (
        {"tune": "nDCG@10", "dataset": "few"},
        "--tune nDCG@10: 9 judged queries, too few for 5 folds, which take 10; judge"
        " more, or choose on another dataset: --on DATASET",
    ),
    "an unknown attribute": (
        {"tune": "nDCG@10", "on": "spilt=train", "dataset": "default"},
        '--on spilt: no query has this attribute; did you mean "split"?',
    ),
    "an unknown value": (
        {"tune": "nDCG@10", "on": "split=dev", "dataset": "default"},
        "--on split=dev: no judged query has it; name another value, or omit it to hold"
        " out 5 folds in turn",
    ),
    "nothing held out": (
        {"tune": "nDCG@10", "on": "lang=en", "dataset": "default"},
        "--on lang=en: all judged queries have it, so that none is held out; name"
        " another value, or omit it to hold out 5 folds in turn",
    ),
    "no scores": (
        {"tune": "nDCG@10", "method": "weighted", "dataset": "bare", "on": "default"},
        '--norm min-max: run "second" has no scores; choose another norm, such as'
        " --norm rank",
    ),
    "a tag of its own": (
        {"tune": "nDCG@10", "tag": "tuned=much"},
        "--tag tuned=much: tuned says how the run was made; choose another tag",
    ),
}


@pytest.fixture(scope="module")
def odd_file(tmp_path_factory: pytest.TempPathFactory, empty_file: Path) -> Path:
    """Return a warehouse with datasets that cannot be tuned on in some way."""
    path = tmp_path_factory.mktemp("odd") / "ndcg.duckdb"
    path.write_bytes(empty_file.read_bytes())
    judged, runs = world(61, queries=12)
    few = {query: judged[query] for query in list(judged)[:9]}
    with Warehouse(path) as warehouse:
        warehouse.load_judgments(judged, "judgments")
        warehouse.load_judgments(few, "judgments", dataset="few")
        warehouse.load_judgments(judged, "judgments", dataset="dev")
        warehouse.load_queries(
            _frame(
                [
                    {"query_id": query, "lang": "en", "split": "train"}
                    for query in judged
                ]
            )
        )
        for name, run in zip(RUNS, runs, strict=False):
            for dataset in ("default", "few"):
                warehouse.load_run(run, name, dataset=dataset)
        warehouse.load_run(runs[0], "first", dataset="dev")
        warehouse.load_run(runs[0], "first", dataset="bare")
        warehouse.load_run({"q1": ["a", "b"]}, "second", dataset="bare")
    return path


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_tuned_is_refused_and_nothing_stored(
    ndcg: Command, odd_file: Path, case: str
) -> None:
    path = Path("ndcg.duckdb")
    path.write_bytes(odd_file.read_bytes())
    before = digest(path)
    fields, told = REFUSED[case]
    fields = {"dataset": "default", **fields}
    options = [part for name, text in fields.items() for part in (f"--{name}", text)]
    result = ndcg("fuse", "first", "second", "--name", "x", *options)
    assert result.refusal == told + "\n"
    assert digest(path) == before


def test_more_runs_than_the_grid_is_for_are_refused() -> None:
    run = {"q": {"a": 1.0}}
    names = [str(number) for number in range(9)]
    with Warehouse.memory() as warehouse:
        for name in names:
            warehouse.load_run(run, name)
        with pytest.raises(NdcgSqlError) as error:
            warehouse.fuse(names, "x", tune="nDCG@10")
    assert str(error.value) == (
        "tune: 9 runs, of which at most 8 can be tuned; name fewer, or omit it"
    )


@pytest.mark.quick
def test_the_help_and_the_table_say_what_is_tried() -> None:
    rows = {row["method"]: row for row in sql_files.rows("fusion/tuned")}
    assert rows["rrf"]["grid"].split() == [str(k) for k in KS]
    assert rows["weighted"]["grid"].split() == [str(n) for n in PARTS.values()]
    takes = {row["method"]: row["takes"] for row in sql_files.rows("fusion/methods")}
    for row in rows.values():
        assert row["parameter"] in takes[row["method"]].split()
    [option] = [one.option for one in fields_of(FuseRequest) if one.name == "tune"]
    *first, last = map(str, KS)
    for text in (
        f"k = {', '.join(first)} and {last};",
        "weights that are tenths and add up to 1, of four to six runs fifths, of seven"
        " or eight quarters.",
    ):
        assert text in str(option.help)


@pytest.mark.quick
def test_every_file_of_tuning_is_used() -> None:
    rows = sql_files.rows("fusion/tuned")
    scores = {f"fusion/tuning/{row['scores']}" for row in rows}
    assert scores <= set(sql_files.names("fusion/tuning"))
    loading = Path(sql_files.__file__).parents[1] / "loading"
    code = "".join(
        (loading / name).read_text(encoding="utf-8")
        for name in ("grid.py", "tuning.py")
    )
    for name in set(sql_files.names("fusion/tuning")) - scores:
        assert Path(name).name in code, name
