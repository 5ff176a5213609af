"""Measures without known documents: other formulas, other programs, and by hand."""

import shutil
from collections.abc import Iterator
from importlib import import_module
from math import log2
from pathlib import Path
from re import escape
from typing import Any

import pytest

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation import values as computing
from ndcg_sql.evaluation.registry import replace_registered
from ndcg_sql.loading.described import load_known
from ndcg_sql.loading.sets import Options, load
from ndcg_sql.measures.families import families
from ndcg_sql.measures.names import parse
from ndcg_sql.python.in_memory import compare, evaluate
from ndcg_sql.python.warehouse import Warehouse
from ndcg_sql.requests.loading import LoadKnownRequest
from ndcg_sql.system.messages import Silent
from support.commands import Command
from support.evaluations import Values, assert_close, emptied
from support.exploring import amount
from support.files import write_judgments, write_run
from support.known import OMITTING, Known, known_of, value
from support.libraries import library
from support.subtopics import NDEVAL, OF_JUDGMENTS, Diversity, ndeval
from support.subtopics import world as diverse
from support.worlds import FRACTIONS, WHOLE, World, merged, world

pa: Any = import_module("pyarrow")


class Found:
    """The values of a run by measure and query, as an evaluation has them."""

    def __init__(self, database: Database) -> None:
        """Read the stored values."""
        self.queries: Values = {}
        sql = "select measure, query_id, value from query_values"
        for measure, query, found in database.execute(sql):
            self.queries.setdefault(measure, {})[query] = found

    def query(self, measure: str, query: str) -> float | None:
        """Return the value of a measure for a query."""
        return self.queries[measure][query]


def evaluated(
    folder: Path, judgments: Path, run: Path, known: Known, measures: list[str]
) -> Database:
    """Return a warehouse with values; the known documents are loaded in between."""
    lines = [f"{query}\t{document}\n" for query in known for document in known[query]]
    path = folder / "known.tsv"
    path.write_text("query_id\tdoc_id\n" + "".join(lines), encoding="utf-8")
    database = emptied()
    replace_registered(database, parse(" ".join(measures)))
    load(database, "judgments", [judgments], Options(), Silent())
    load_known(database, path, LoadKnownRequest(), Silent())
    load(database, "run", [run], Options(), Silent())
    return database


@pytest.fixture(scope="module")
def queries() -> World:
    """Return random queries with each kind of grades."""
    size = amount(16, 240)
    return merged(whole=world(23, size, WHOLE), fractions=world(29, size, FRACTIONS))


def test_every_family_takes_known_documents_out() -> None:
    assert all(family.defaults["known"] == "keep" for family in families().values())
    tried = {variant.family for variant in OMITTING.values()}
    assert tried == set(OF_JUDGMENTS)


@pytest.mark.slow
def test_the_formulas_have_the_values_of_what_is_left(
    queries: World, tmp_path: Path
) -> None:
    known = known_of(queries, 31)
    qrels = write_judgments(tmp_path / "qrels", queries.judged)
    run = write_run(tmp_path / "run", queries.ranked)
    found = Found(evaluated(tmp_path, qrels, run, known, [*OMITTING]))
    expected = {
        name: {
            query: value(variant, grades, queries.rankings[query], known.get(query, []))
            for query, grades in queries.judged.items()
        }
        for name, variant in OMITTING.items()
    }
    assert_close(found, expected)


def test_trec_eval_has_the_values_of_what_is_left(tmp_path: Path) -> None:
    pytrec_eval: Any = library("pytrec_eval")
    names = {
        **{"nDCG": "ndcg", "AP": "map", "RR": "recip_rank", "Rprec": "Rprec"},
        **{"Bpref": "bpref", "infAP": "infAP", "P@5": "P_5", "R@10": "recall_10"},
        **{"nDCG@5": "ndcg_cut_5", "binG": "binG", "G": "G", "SetF": "set_F"},
    }
    queries = world(23, amount(36, 240), WHOLE)
    known = known_of(queries, 37)
    left = {
        query: {d: int(g) for d, g in grades.items() if d not in known.get(query, [])}
        for query, grades in queries.judged.items()
    }
    ranked = {
        query: {d: score for d, score in found.items() if d not in known.get(query, [])}
        for query, found in queries.ranked.items()
    }
    # A query with only negative grades makes it crash.
    judged = {q: g for q, g in left.items() if max(g.values(), default=-1) >= 0}
    evaluator = pytrec_eval.RelevanceEvaluator(judged, {*names.values()})
    values = evaluator.evaluate(ranked)
    omitting = {
        f"{family}(known='omit'){at}{cutoff}": name
        for name in names
        for family, at, cutoff in [name.partition("@")]
    }
    qrels = write_judgments(tmp_path / "qrels", queries.judged)
    run = write_run(tmp_path / "run", queries.ranked)
    found = Found(evaluated(tmp_path, qrels, run, known, [*omitting]))
    expected = {
        ours: {query: values[query].get(names[name], 0) for query in values}
        for ours, name in omitting.items()
    }
    assert_close(found, expected, 200)


def test_ndeval_has_the_values_of_what_is_left(tmp_path: Path) -> None:
    made = diverse(41)
    returned = World({query: {} for query, *_ in made.judged}, made.ranked)
    known = known_of(returned, 43)
    for query, _, document, _ in made.judged[::5]:
        known.setdefault(query, []).append(document)
    known = {query: [*dict.fromkeys(documents)] for query, documents in known.items()}
    left = Diversity(
        [row for row in made.judged if row[2] not in known.get(row[0], [])],
        {
            query: {d: s for d, s in scores.items() if d not in known.get(query, [])}
            for query, scores in made.ranked.items()
        },
    )
    expected = ndeval(left)
    omitting = {
        f"{family}(known='omit'){at}{cutoff}": name
        for name in NDEVAL
        for family, at, cutoff in [name.partition("@")]
    }
    (tmp_path / "qrels").write_text(made.lines)
    run = write_run(tmp_path / "run", made.ranked)
    found = Found(evaluated(tmp_path, tmp_path / "qrels", run, known, [*omitting]))
    for ours, name in omitting.items():
        wanted = dict.fromkeys(returned.judged, 0.0) | expected[name]
        assert found.queries[parse(ours)[0].name] == pytest.approx(wanted, abs=1e-9), (
            ours
        )


@pytest.fixture(scope="module")
def shop_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a warehouse with judgments, a run and what one user bought."""
    path = tmp_path_factory.mktemp("shop") / "shop.duckdb"
    with Warehouse.write(path) as warehouse:
        judged = {"u": {"a": 2, "b": 1, "c": 0, "e": 1}, "v": {"a": 1}, "w": {"b": 1}}
        warehouse.load_judgments(judged, "bought")
        ranked = {"u": [*"axcby"], "v": ["a"], "w": ["x", "b"]}
        warehouse.load_run(ranked, "shown")
        warehouse.load_known({"u": ["a", "x"], "v": ["a"]})
    return path


@pytest.fixture
def shop(tmp_path: Path, shop_file: Path) -> Iterator[Warehouse]:
    """Give a copy of that warehouse, to be changed."""
    path = shutil.copyfile(shop_file, tmp_path / "shop.duckdb")
    with Warehouse.write(path) as warehouse:
        yield warehouse


def values_by_measure(warehouse: Warehouse, measures: str) -> Values:
    """Return the values of measures by query."""
    rows = warehouse.report(measures, per_query=True).relation
    values: Values = {}
    for measure, query, found in rows.select("measure, query_id, value").fetchall():
        values.setdefault(measure, {})[query] = found
    return values


def values_of(warehouse: Warehouse, measure: str) -> dict[str, float | None]:
    """Return the values of a measure by query."""
    [values] = values_by_measure(warehouse, measure).values()
    return values


def test_positions_close_up_in_the_run_and_in_the_ideal(shop: Warehouse) -> None:
    # Of u, c and b and y are left, and the grades 1, 0 and 1; of v, nothing.
    ideal = 1 + 1 / log2(3)
    expected = {
        "nDCG(known='omit')@3": (1 / log2(3) / ideal, 0, 1 / log2(3)),
        "AP(known='omit')": (1 / 4, 0, 1 / 2),
        "P(known='omit')@2": (1 / 2, 0, 1 / 2),
        "RR(known='omit')": (1 / 2, 0, 1 / 2),
        "NumRet(known='omit')": (3, 0, 2),
        "NumRel(known='omit')": (2, 0, 1),
        "Judged(known='omit')@3": (2 / 3, 0, 1 / 2),
        "SetP(known='omit')": (1 / 3, 0, 1 / 2),
        "P(judged_only=true,known='omit')@1": (0, 0, 1),
        "nDCG(known='omit',no_rel='omit')@3": (1 / log2(3) / ideal, None, 1 / log2(3)),
    }
    found = values_by_measure(shop, " ".join(expected))
    for measure, by_hand in expected.items():
        wanted = dict(zip("uvw", by_hand, strict=True))
        assert found[parse(measure)[0].name] == pytest.approx(wanted), measure


def test_known_documents_stay_by_default(shop: Warehouse) -> None:
    plain = values_of(shop, "nDCG@3")
    assert values_of(shop, "nDCG(known='keep')@3") == plain
    shop.remove_known()
    assert values_of(shop, "nDCG@3") == plain


@pytest.mark.slow
def test_a_report_says_how_many_of_the_first_were_known(shop: Warehouse) -> None:
    report = shop.report("P@1 P@2")
    # Of the first two: both, the only one, and none.
    rows = report.relation.select("measure", "known_at_k").fetchall()
    assert dict(rows) == pytest.approx({"P@1": 2 / 3, "P@2": 2 / 3})
    assert "known@1 0.6667, known@2 0.6667" in str(report)
    assert "known_at_k" not in shop.report("P@1", per_query=True).columns
    shop.load_run({"u": ["c", "x", "a"]}, "other")
    rows = shop.report("P@2").relation.select("run", "known_at_k").fetchall()
    assert dict(rows) == pytest.approx({"shown": 2 / 3, "other": 1 / 2 / 3})
    shop.remove_known()
    assert "known_at_k" not in shop.report("P@1").columns


@pytest.mark.slow
def test_a_report_by_slice_says_it_for_each_slice(shop: Warehouse) -> None:
    devices = {"query_id": [*"uvz"], "device": [*"ptt"], "place": [*"xxx"]}
    shop.load_queries(pa.table(devices))
    shop.load_run({"u": ["c", "x", "a"]}, "other")
    report = shop.report("P@1 P@2", by="device")
    found = {
        (row["run"], row["device"], row["measure"]): row["known_at_k"] for row in report
    }
    assert found == {
        # Of the first one or two: all; all of the only one; none, where the device
        # is not known.
        **{("shown", device, f"P@{k}"): 1 for k in (1, 2) for device in "pt"},
        **{("shown", None, f"P@{k}"): 0 for k in (1, 2)},
        **{("other", device, f"P@{k}"): 0 for k in (1, 2) for device in ("t", None)},
        ("other", "p", "P@1"): 0,
        ("other", "p", "P@2"): 1 / 2,
    }
    assert "known@2      1.0000   0.5000   1.0000   0.0000 " in str(report)
    # A query has one slice of several attributes, too, and their means are the mean.
    queries = {"p": 1, "t": 1, None: 1}
    for run, mean in (("shown", 2 / 3), ("other", 1 / 6)):
        rows = list(shop.report("P@2", runs=run, by=["device", "place"]))
        total = sum(row["known_at_k"] * queries[row["device"]] for row in rows)
        assert total / 3 == pytest.approx(mean), run
        [whole] = shop.report("P@2", runs=run)
        assert whole["known_at_k"] == pytest.approx(mean)
        assert "slice" not in whole
    shop.remove_known()
    assert "known_at_k" not in shop.report("P@1", by="device").columns


OMITTING_AP = "select query_id, value from query_values where measure like '%omit%'"


@pytest.mark.slow
def test_stored_values_follow_what_is_known(shop: Warehouse) -> None:
    connection = shop.connection
    shop.add_measures("AP(known='omit')")
    of_run = "from store.hits where run_id = 1 order by all"
    hits = connection.execute(of_run).fetchall()
    others = (
        "from query_values where measure not like '%omit%' and run_id = 1 order by all"
    )
    before = connection.execute(others).fetchall()

    def stored() -> dict[str, float]:
        return dict(connection.execute(OMITTING_AP).fetchall())

    assert stored() == {"u": 1 / 4, "v": 0, "w": 1 / 2}
    shop.load_known({"w": ["x"]})
    assert stored() == {"u": 1 / 4, "v": 0, "w": 1}
    shop.load_known({"v": ["q"]}, replace=True)
    assert stored() == {**values_of(shop, "AP"), "v": 1}
    shop.load_run({"v": ["q", "a"]}, "later")
    later = f"{OMITTING_AP} and run = 'later'"
    assert dict(connection.execute(later).fetchall()) == {"u": 0, "v": 1, "w": 0}
    shop.remove_known()
    with pytest.warns(UserWarning, match="is left out for judgment set"):
        shop.report()
    assert stored() == {}
    shop.check()
    assert connection.execute(of_run).fetchall() == hits
    assert connection.execute(others).fetchall() == before


@pytest.mark.slow
def test_many_queries_have_the_same_values(
    shop: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = "nDCG(known='omit')@3 AP(known='omit') ERR(known='omit')@5"
    few = values_by_measure(shop, names)
    assert len(few) == 3
    monkeypatch.setattr(computing, "MANY", 0)
    assert values_by_measure(shop, names) == few


def test_explain_shows_the_ranking_that_is_left(shop: Warehouse) -> None:
    gains = shop.explain("shown", "u", ["nDCG(known='omit')@3"]).relation
    columns = "position, doc_id, grade, ideal_doc_id, run_position"
    assert gains.project(columns).fetchall() == [
        (1, "c", 0, "e", None),
        (2, "b", 1, "b", 4),
        (3, "y", None, None, None),
    ]
    terms = shop.explain("shown", "u", ["AP(known='omit')"]).relation
    assert terms.project("position, doc_id, term").fetchall() == [
        (1, "c", None),
        (2, "b", 0.5),
        (3, "y", None),
        (None, "e", 0),
    ]


def test_nothing_new_that_is_relevant_is_warned_of(shop: Warehouse) -> None:
    everything = {"u": [*"abe"], "v": ["a"], "w": ["b"]}
    shop.load_known(everything, replace=True)
    told = "no document is relevant and new to its query, the highest grade is 2"
    with pytest.warns(UserWarning, match=told):
        shop.report("AP(known='omit') AP")


def test_what_cannot_be_taken_out_is_refused(shop: Warehouse) -> None:
    for measure, message in {
        "nDCG(known='omit',ties='mean')@3": "ties='mean' cannot be combined with"
        " known='omit'",
        "nDCG(known='leave')@3": "known must be one of 'keep', 'omit'",
        "AP(known='yes')": "known must be one of 'keep', 'omit'",
        "AP(known=true)": "known must be one of 'keep', 'omit'",
    }.items():
        with pytest.raises(NdcgSqlError, match=escape(message)):
            shop.report(measure)
    shop.remove_known()
    message = (
        "dataset \"default\" has no known documents, which AP(known='omit') needs;"
        " load them: load_known(FILE)"
    )
    for refused in (shop.report, shop.add_measures):
        with pytest.raises(NdcgSqlError, match=escape(message)):
            refused("AP(known='omit')")


@pytest.mark.usefixtures("here")
def test_what_keeps_nothing_says_that_a_warehouse_is_needed(ndcg: Command) -> None:
    message = (
        "AP(known='omit') needs known documents, which only a warehouse has; load"
        " them and all else into one, then ask it: "
    )
    calls = "load_known(FILE), load_judgments(FILE), load_run(FILE), report"
    for refused in (
        lambda: evaluate({"q": {"a": 1}}, {"q": {"a": 1}}, "AP(known='omit')"),
        lambda: compare({"q": {"a": 1}}, [{"q": ["a"]}] * 2, "AP(known='omit')"),
    ):
        with pytest.raises(NdcgSqlError, match=escape(message + calls)):
            refused()
    Path("qrels").write_text("q 0 a 1\n")
    Path("run").write_text("q Q0 a 1 1 t\n")
    commands = [f"ndcg-sql load {kind} FILE" for kind in ("known", "judgments", "run")]
    assert ndcg("eval", "qrels", "run", "-m", "AP(known='omit')").refusal.startswith(
        f"{message}{', '.join(commands)}, ndcg-sql report -m "
    )
