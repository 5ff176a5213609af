"""Slices: values by attributes of the queries, plain and weighted."""

import csv
import itertools
import json
import re
from math import exp, fsum, log
from pathlib import Path
from random import Random
from statistics import stdev
from typing import Any

import duckdb
import pytest

from ndcg_sql.evaluation import question
from ndcg_sql.python.warehouse import Warehouse
from ndcg_sql.reports import report
from support import exploring
from support.commands import Command, Once
from support.files import write_judgments, write_run

pytestmark = pytest.mark.mostly_slow

Record = dict[str, Any]
COUNTRIES = ("de", "fr", 'quo"te', "[null]", "null", "")
DEVICES = ("mobile", "desktop", "")
MEASURES = ("-m", "nDCG@10", "-m", "P(missing='omit',no_rel='omit')@5", "-m", "RR")


def rows(ndcg: Command, *arguments: str) -> list[Record]:
    """Return the rows of a report."""
    result = ndcg("report", *arguments, "--format", "json")
    assert (result.code, result.err) == (0, "")
    return json.loads(result.out)


@pytest.fixture
def known(ndcg: Command, tmp_path: Path, once: Once) -> dict[str, Record]:
    """Load random judgments, two runs and queries; return what is known of each."""
    random = Random(11)
    queries = [f"q{i}" for i in range(60)]
    documents = [f"d{i}" for i in range(8)]
    judged = {
        q: {d: random.choice((-1, 0, 0, 1, 2)) for d in documents} for q in queries
    }
    write_judgments(tmp_path / "qrels", judged)
    for name in ("base", "other"):
        answered = random.sample([*queries, "unjudged"], 50)
        write_run(
            tmp_path / name,
            {q: {d: random.random() for d in [*documents, "u"]} for q in answered},
        )
    facts: dict[str, Record] = {}
    for query in queries[:-5]:
        facts[query] = {
            "query_id": query,
            "weight": random.choice(("", "0", "0.5", "3")),
            "country": random.choice(COUNTRIES),
            "device": random.choice(DEVICES),
        }
    with (tmp_path / "queries.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, next(iter(facts.values())))
        writer.writeheader()
        writer.writerows([*facts.values(), {"query_id": "x", "country": "se"}])

    def fill() -> None:
        for command in (("judgments", "qrels"), ("run", "base", "other")):
            assert ndcg("load", *command).code == 0
        assert ndcg("load", "queries", "queries.csv").code == 0

    once(fill)
    nothing = {"weight": "", "country": "", "device": ""}
    return {query: facts.get(query, nothing) for query in queries}


def test_slices_are_the_means_of_their_queries(
    ndcg: Command, known: dict[str, Record]
) -> None:
    values = rows(ndcg, *MEASURES, "-q")
    found = rows(ndcg, *MEASURES, "--by", "country", "--by", "device")
    keys = [(r["run"], r["measure"], r["country"], r["device"]) for r in found]
    assert len(set(keys)) == len(keys)
    for run, measure in itertools.product(
        ("base", "other"), {row["measure"] for row in values}
    ):
        wanted: dict[tuple[Any, Any], list[tuple[float | None, str]]] = {}
        for row in values:
            if (row["run"], row["measure"]) == (run, measure):
                facts = known[row["query_id"]]
                key = (facts["country"] or None, facts["device"] or None)
                wanted.setdefault(key, []).append((row["value"], facts["weight"]))
        own = {
            (row["country"], row["device"]): row
            for row in found
            if (row["run"], row["measure"]) == (run, measure)
        }
        assert set(own) == set(wanted)
        for key, pairs in wanted.items():
            there = [v for v, _ in pairs if v is not None]
            weighted = [(v, float(w)) for v, w in pairs if v is not None and w]
            weight = fsum(w for _, w in weighted)
            row = own[key]
            assert row["n"] == len(there)
            assert row["weighted_n"] == len(weighted)
            assert row["answered"] + row["unanswered"] == len(pairs)
            if there:
                assert row["value"] == pytest.approx(fsum(there) / len(there))
            else:
                assert row["value"] is None
            if weight:
                mean = fsum(v * w for v, w in weighted) / weight
                assert row["weighted_value"] == pytest.approx(mean)
            else:
                assert row["weighted_value"] is None
            if len(there) > 1:
                error = stdev(there) / len(there) ** 0.5
                assert row["standard_error"] == pytest.approx(error, abs=1e-12)
            else:
                assert row["standard_error"] is None


@pytest.mark.usefixtures("known")
def test_slices_add_up_to_the_whole(ndcg: Command) -> None:
    whole = {(r["run"], r["measure"]): r for r in rows(ndcg, *MEASURES)}
    sums: dict[tuple[str, str], Record] = {}
    for row in rows(ndcg, *MEASURES, "--by", "device"):
        total = sums.setdefault((row["run"], row["measure"]), {})
        queries = row["answered"] + row["unanswered"]
        for column in ("n", "answered", "unanswered", "no_relevant", "weighted_n"):
            total[column] = total.get(column, 0) + row[column]
        total["value"] = total.get("value", 0) + row["value"] * row["n"]
        total["judged"] = total.get("judged", 0) + row["judged_at_k"] * queries
    assert set(sums) == set(whole)
    for key, total in sums.items():
        row = whole[key]
        for column in ("n", "answered", "unanswered", "no_relevant", "weighted_n"):
            assert total[column] == row[column], (key, column)
        queries = row["answered"] + row["unanswered"]
        assert total["value"] / row["n"] == pytest.approx(row["value"])
        assert total["judged"] / queries == pytest.approx(row["judged_at_k"])


SUMS = ("NumQ", "NumRet", "NumRel", "NumRet(rel=1)", "num_nonrel_judged_ret")
GEOMETRIC = ("gm_map", "gm_bpref(missing='omit',no_rel='omit')")


@pytest.mark.usefixtures("known")
def test_sums_of_slices_add_up_to_the_whole(ndcg: Command) -> None:
    asked = ("-m", " ".join(SUMS))
    whole = {(r["run"], r["measure"]): r["value"] for r in rows(ndcg, *asked)}
    sums = dict.fromkeys(whole, 0)
    for row in rows(ndcg, *asked, "--by", "device"):
        sums[row["run"], row["measure"]] += row["value"]
    assert sums == whole
    assert len(whole) == 2 * len(SUMS)
    assert all(value > 0 for value in whole.values())


@pytest.mark.usefixtures("known")
def test_geometric_means_of_slices_multiply_to_the_whole(ndcg: Command) -> None:
    asked = ("-m", " ".join(GEOMETRIC))
    whole = {(r["run"], r["measure"]): r for r in rows(ndcg, *asked)}
    logs = dict.fromkeys(whole, 0.0)
    for row in rows(ndcg, *asked, "--by", "device"):
        logs[row["run"], row["measure"]] += log(row["value"]) * row["n"]
    for key, row in whole.items():
        assert exp(logs[key] / row["n"]) == pytest.approx(row["value"], rel=1e-12)


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(
    "by",
    exploring.mostly_slow([(), ("--by", "country")], ("--by", "country")),
    ids=["runs", "slices"],
)
def test_what_is_no_mean_has_no_weighted_one(ndcg: Command, by: tuple[str]) -> None:
    found = rows(ndcg, "-m", " ".join([*SUMS, *GEOMETRIC, "RR"]), *by)
    assert {row["weighted_n"] > 0 for row in found if row["measure"] == "RR"} >= {True}
    for row in found:
        if row["measure"] != "RR":
            assert (row["weighted_value"], row["weighted_n"]) == (None, 0)
            assert row["standard_error"] is None
            assert row["n"] > 0
    table = ndcg("report", "-m", "NumRet RR", "--by", "country").out
    assert "weighted RR" in table
    assert "weighted NumRet" not in table


def test_a_report_tells_weighted_means_beside_plain_ones(
    ndcg: Command, known: dict[str, Record]
) -> None:
    weights = {q: float(facts["weight"] or 0) for q, facts in known.items()}
    values = rows(ndcg, "-m", "RR", "-q", "--run", "base")
    mean = sum(r["value"] * weights[r["query_id"]] for r in values)
    (row,) = rows(ndcg, "-m", "RR", "--run", "base")
    assert row["weighted_value"] == pytest.approx(mean / sum(weights.values()))
    assert row["weighted_n"] == sum(facts["weight"] != "" for facts in known.values())
    assert "weighted RR" in ndcg("report", "-m", "RR", "--by", "device").out
    assert "weighted RR" in ndcg("report", "-m", "RR").out


@pytest.mark.usefixtures("loaded")
def test_without_weights_there_is_no_weighted_mean(ndcg: Command) -> None:
    (row, *_) = rows(ndcg)
    assert (row["weighted_value"], row["weighted_n"]) == (None, 0)
    assert "weight" not in ndcg("report").out


def test_queries_carry_their_slice(ndcg: Command, known: dict[str, Record]) -> None:
    found = rows(ndcg, "-m", "RR", "--run", "base", "-q", "--by", "country")
    told = {row["query_id"]: row["country"] for row in found}
    assert told == {query: facts["country"] or None for query, facts in known.items()}
    table = ndcg("report", "-m", "RR", "--run", "base", "-q", "--by", "country").out
    assert "(not known)" in table


@pytest.mark.quick
@pytest.mark.usefixtures("known")
def test_the_best_run_of_each_slice_is_marked(ndcg: Command) -> None:
    asked = ("report", "-m", "RR", "--by", "device", "--format", "markdown")
    assert ndcg(*asked).out.count("**") >= 2 * len({"mobile", "desktop", None})


@pytest.mark.usefixtures("known")
def test_attributes_that_cannot_slice_are_refused(ndcg: Command) -> None:
    refused = {
        ("--by", "contry"): 'no query has this attribute; did you mean "country"?',
        ("--by", "device", "--by", "device"): "--by device: given twice",
        ("--by", "\x1b"): "--by '\\x1b': no query has this attribute; known:",
    }
    for arguments, reason in refused.items():
        result = ndcg("report", *arguments)
        assert reason in result.refusal


@pytest.mark.usefixtures("loaded")
def test_an_attribute_may_have_any_name_but_a_column_of_the_report(
    ndcg: Command,
) -> None:
    Path("queries.csv").write_text('query_id,"a""b",Run\nq1,1,2\n')
    ndcg("load", "queries", "queries.csv")
    (first, *_) = rows(ndcg, "--by", 'a"b')
    assert first['a"b'] == "1"
    result = ndcg("report", "--by", "Run")
    assert "--by Run: a report has a column of that name" in result.refusal


@pytest.mark.usefixtures("loaded")
def test_the_names_of_columns_are_those_of_the_report(ndcg: Command) -> None:
    Path("queries.csv").write_text("query_id,country\nq1,de\n")
    ndcg("load", "queries", "queries.csv")
    Path("known.csv").write_text("query_id,doc_id\nq1,a\n")
    ndcg("load", "known", "known.csv")
    columns: set[str] = {"slice"}
    for arguments in ((), ("-q",), ("--by", "country"), ("--by", "country", "-q")):
        columns |= set(rows(ndcg, *arguments)[0])
    assert columns - {"country"} == set(report.COLUMNS)


@pytest.mark.usefixtures("loaded")
def test_datasets_without_the_attribute_are_told(ndcg: Command) -> None:
    Path("queries.csv").write_text("query_id,country\nq1,de\n")
    ndcg("load", "queries", "queries.csv")
    Path("qrels").write_text("q1 0 a 1\n")
    Path("more").write_text("q1 Q0 a 1 1 t\n")
    ndcg("load", "judgments", "qrels", "--dataset", "shop")
    ndcg("load", "run", "more", "--dataset", "shop")
    result = ndcg("report", "--by", "country", "-m", "RR")
    assert result.code == 0
    assert 'dataset "shop" has no such queries; its runs are omitted' in result.err


def test_a_file_of_queries_says_nothing_of_columns_that_it_has_not(
    ndcg: Command, loaded: Path
) -> None:
    Path("a.csv").write_text(
        "query_id,text,weight,device\nq1,hello,3,mobile\nq2,x,1,\n"
    )
    Path("b.csv").write_text("query_id,season,device\nq1,winter,desktop\nq3,,\n")
    for name in ("a.csv", "b.csv"):
        assert ndcg("load", "queries", name).code == 0
    with duckdb.connect(str(loaded), read_only=True) as connection:
        known = connection.execute(
            "select query_id, text, weight from queries order by 1"
        ).fetchall()
        attributes = connection.execute(
            "select query_id, attribute, attribute_value from query_attributes"
            " order by all"
        ).fetchall()
    assert known == [("q1", "hello", 3), ("q2", "x", 1), ("q3", None, None)]
    assert attributes == [("q1", "device", "desktop"), ("q1", "season", "winter")]


@pytest.mark.quick
@pytest.mark.usefixtures("loaded")
def test_attributes_that_differ_by_case_do_not_stand_side_by_side(
    ndcg: Command,
) -> None:
    Path("queries.csv").write_text("query_id,Country,country\nq1,a,b\n")
    ndcg("load", "queries", "queries.csv")
    result = ndcg("report", "--by", "Country", "--by", "country")
    assert "given twice (case is ignored)" in result.refusal


@pytest.mark.usefixtures("loaded")
@pytest.mark.parametrize("unit", exploring.sampled(["1e-100", "1", "2.5e99"], 3))
def test_weights_of_any_size_are_weighed(ndcg: Command, unit: str) -> None:
    Path("queries.csv").write_text(
        f"query_id,weight,a\nq1,{unit},x\nq2,{4 * float(unit)},x\n"
    )
    assert ndcg("load", "queries", "queries.csv").code == 0
    values = {r["query_id"]: r["value"] for r in rows(ndcg, "-m", "RR", "-q")}
    mean = (values["q1"] + 4 * values["q2"]) / 5
    for arguments in (("-m", "RR"), ("-m", "RR", "--by", "a")):
        (row,) = rows(ndcg, *arguments)
        assert row["weighted_value"] == pytest.approx(mean)


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize("at_once", [1, 100])
def test_many_slices_are_computed_some_runs_after_the_others(
    ndcg: Command, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    by = ("--by", "country", "--by", "device", "--format", "csv")
    asked = (("report", *MEASURES, *by), ("leaderboard", *MEASURES, *by))
    wanted = [ndcg(*command) for command in asked]
    monkeypatch.setattr(question, "_SLICES_AT_ONCE", at_once)
    assert [ndcg(*command) for command in asked] == wanted
    assert all(result.code == 0 for result in wanted)


def test_many_slices_of_many_runs_need_little_memory(ndcg: Command) -> None:
    queries = [f"q{n}" for n in range(10_000)]
    lines = [f"q{n},v{n % 400}" for n in range(10_000)]
    Path("queries.csv").write_text("\n".join(["query_id,kind", *lines]))
    with Warehouse.write("ndcg.duckdb") as warehouse:
        warehouse.load_judgments({q: {"a": 1} for q in queries})
        warehouse.load_queries("queries.csv")
        for run in range(8):
            answers = {
                q: ["x"] * ((n + run) % 2) + ["a"] for n, q in enumerate(queries)
            }
            warehouse.load_run(answers, f"r{run}")
    asked = ("report", "--by", "kind", "--format", "csv")
    result = ndcg("--memory-limit", "600MB", *asked)
    assert result.code == 0, result.err
    assert result.out == ndcg("--memory-limit", "8GB", *asked).out
    assert result.out.count("\n") == 1 + 8 * 4 * 400


@pytest.mark.quick
@pytest.mark.parametrize("command", ["report", "leaderboard"])
def test_an_attribute_may_have_the_heading_of_another_column(
    ndcg: Command, tmp_path: Path, command: str
) -> None:
    write_judgments(tmp_path / "qrels", {"q": {"d": 1}, "p": {"d": 1}})
    write_run(tmp_path / "run", {"q": {"d": 1.0}, "p": {"d": 1.0}})
    (tmp_path / "q.csv").write_text("query_id,queries\nq,long\np,short\n")
    ndcg("load", "judgments", "qrels")
    ndcg("load", "queries", "q.csv")
    ndcg("load", "run", "run")
    asked = ("-m", "RR", "--by", "queries", "--format", "markdown")
    lines = ndcg(command, *asked).out.splitlines()[2:6]
    columns = zip(*(re.split(r" *\| *", line) for line in lines), strict=True)
    shown = [cells for heading, _, *cells in columns if heading == "queries"]
    assert shown == [["long", "short"], ["1", "1"]]
