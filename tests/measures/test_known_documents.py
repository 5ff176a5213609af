"""Measures without known documents: other formulas, other programs, and by hand."""

import shutil
from collections.abc import Iterator
from importlib import import_module
from math import log2
from pathlib import Path
from re import escape
from typing import Any

import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.measures.families import families
from ndcg_sql.measures.names import parse
from ndcg_sql.python.in_memory import evaluate
from ndcg_sql.python.warehouse import Warehouse
from support.commands import Command
from support.evaluations import Evaluation, Values, assert_close
from support.exploring import amount
from support.files import Judged
from support.known import OMITTING, Known, known_of, value
from support.libraries import library
from support.subtopics import NDEVAL, OF_JUDGMENTS, Diversity, ndeval
from support.subtopics import world as diverse
from support.worlds import FRACTIONS, WHOLE, World, merged, world

pa: Any = import_module("pyarrow")


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
    names = [*OMITTING]
    found = Evaluation(tmp_path, queries.judged, queries.ranked, names, known=known)
    expected = {
        name: {
            query: value(variant, grades, queries.rankings[query], known.get(query, []))
            for query, grades in queries.judged.items()
        }
        for name, variant in OMITTING.items()
    }
    assert_close(found, expected)


def omitting(name: str) -> str:
    """Return the measure without known documents."""
    family, at, cutoff = name.partition("@")
    return f"{family}(known='omit'){at}{cutoff}"


def left(queries: Judged, known: Known) -> dict[str, dict[str, float]]:
    """Return what is left of judgments or of a run."""
    return {
        query: {d: number for d, number in ds.items() if d not in known.get(query, [])}
        for query, ds in queries.items()
    }


def test_trec_eval_has_the_values_of_what_is_left(tmp_path: Path) -> None:
    names = {
        **{"nDCG": "ndcg", "AP": "map", "RR": "recip_rank", "Rprec": "Rprec"},
        **{"Bpref": "bpref", "infAP": "infAP", "P@5": "P_5", "R@10": "recall_10"},
        **{"nDCG@5": "ndcg_cut_5", "binG": "binG", "G": "G", "SetF": "set_F"},
    }
    pytrec_eval = library("pytrec_eval")
    queries = world(23, amount(36, 240), WHOLE)
    known = known_of(queries, 37)
    judged = {
        query: {document: int(grade) for document, grade in grades.items()}
        for query, grades in left(queries.judged, known).items()
        # A query with only negative grades makes it crash.
        if max(grades.values(), default=-1) >= 0
    }
    evaluator = pytrec_eval.RelevanceEvaluator(judged, {*names.values()})
    values = evaluator.evaluate(left(queries.ranked, known))
    asked = [*map(omitting, names)]
    found = Evaluation(tmp_path, queries.judged, queries.ranked, asked, known=known)
    expected = {
        omitting(name): {query: values[query].get(theirs, 0) for query in values}
        for name, theirs in names.items()
    }
    assert_close(found, expected, least=200)


def test_ndeval_has_the_values_of_what_is_left(tmp_path: Path) -> None:
    made = diverse(41)
    returned = World({query: {} for query, *_ in made.judged}, made.ranked)
    known = known_of(returned, 43)
    for query, _, document, _ in made.judged[::5]:
        known.setdefault(query, []).append(document)
    known = {query: [*dict.fromkeys(documents)] for query, documents in known.items()}
    judged = [row for row in made.judged if row[2] not in known.get(row[0], [])]
    values = ndeval(Diversity(judged, left(made.ranked, known)))
    names = [*map(omitting, NDEVAL)]
    found = Evaluation(tmp_path, made.lines, made.ranked, names, known=known)
    for name in NDEVAL:
        wanted = dict.fromkeys(returned.judged, 0.0) | values[name]
        ours = found.queries[parse(omitting(name))[0].name]
        assert ours == pytest.approx(wanted, abs=1e-9), name


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
    plain, kept = values_by_measure(shop, "nDCG@3 nDCG(known='keep',rel=0)@3").values()
    assert plain == kept
    shop.remove_known()
    assert values_by_measure(shop, "nDCG@3") == {"nDCG@3": plain}


@pytest.mark.slow
def test_a_report_says_how_many_of_the_first_were_known(shop: Warehouse) -> None:
    report = shop.report("P@1 P@2")
    # Of the first two: both, the only one, and none.
    rows = report.relation.select("measure", "known_at_k").fetchall()
    assert dict(rows) == pytest.approx({"P@1": 2 / 3, "P@2": 2 / 3})
    assert "known@1 0.6667, known@2 0.6667" in str(report)
    assert "known_at_k" not in shop.report("P@1", per_query=True).columns
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
    # A query has one slice of several attributes, too, and their means are the mean.
    for run, mean in (("shown", 2 / 3), ("other", 1 / 6)):
        rows = list(shop.report("P@2", runs=run, by=["device", "place"]))
        assert sum(row["known_at_k"] for row in rows) / 3 == pytest.approx(mean), run
        [whole] = shop.report("P@2", runs=run)
        assert whole["known_at_k"] == pytest.approx(mean)
    shop.remove_known()
    for by in (None, "device"):
        assert "known_at_k" not in shop.report("P@1", by=by).columns


@pytest.mark.slow
def test_stored_values_follow_what_is_known(shop: Warehouse) -> None:
    connection = shop.connection
    shop.add_measures("AP(known='omit')")
    others = (
        "select * from store.hits where run_id = 1 order by all",
        "from query_values where measure not like '%omit%' and run_id = 1 order by all",
    )
    before = [connection.execute(sql).fetchall() for sql in others]

    def stored(run: str = "shown") -> dict[str, float]:
        sql = "select query_id, value from query_values where measure like '%omit%'"
        return dict(connection.execute(f"{sql} and run = '{run}'").fetchall())

    assert stored() == {"u": 1 / 4, "v": 0, "w": 1 / 2}
    shop.load_known({"w": ["x"]})
    assert stored() == {"u": 1 / 4, "v": 0, "w": 1}
    shop.load_known({"v": ["q"]}, replace=True)
    assert stored() == {**values_by_measure(shop, "AP")["AP"], "v": 1}
    shop.load_run({"v": ["q", "a"]}, "later")
    assert stored("later") == {"u": 0, "v": 1, "w": 0}
    shop.remove_known()
    with pytest.warns(UserWarning, match="is left out for judgment set"):
        shop.report()
    assert stored() == {}
    shop.check()
    assert [connection.execute(sql).fetchall() for sql in others] == before


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


def test_without_known_documents_they_are_asked_for(shop: Warehouse) -> None:
    shop.remove_known()
    message = 'default" has no known documents; load them: load_known('
    for refused in (shop.report, shop.add_measures):
        with pytest.raises(NdcgSqlError, match=escape(message)):
            refused("AP(known='omit')")


@pytest.mark.usefixtures("here")
def test_what_keeps_nothing_says_that_a_warehouse_is_needed(ndcg: Command) -> None:
    message = "AP(known='omit') needs known documents, which only a warehouse has; load"
    with pytest.raises(NdcgSqlError, match=escape(message)):
        evaluate({"q": {"a": 1}}, {"q": {"a": 1}}, "AP(known='omit')")
    Path("qrels").write_text("q 0 a 1\n")
    Path("run").write_text("q Q0 a 1 1 t\n")
    refused = ndcg("eval", "qrels", "run", "-m", "AP(known='omit')").refusal
    assert refused.startswith(message)
    assert "ndcg-sql load known FILE, ndcg-sql load judgments FILE" in refused
