"""Slices: values by attributes of the queries, plain and weighted."""

import csv
import re
from collections import defaultdict
from math import exp, fsum, log
from pathlib import Path
from random import Random
from statistics import stdev
from typing import Any

import pytest

from ndcg_sql.evaluation import question
from ndcg_sql.measures.names import parse
from ndcg_sql.python.warehouse import Warehouse
from ndcg_sql.reports import report
from support.commands import Command, Once, load_texts, records
from support.files import shown

pytestmark = pytest.mark.mostly_slow

Record = dict[str, Any]
COUNTRIES = ("de", "fr", 'quo"te', "[null]", "null", "")
DEVICES = ("mobile", "desktop", "")
MEASURES = ("-m", "nDCG@10", "-m", "P(missing='omit',no_rel='omit')@5", "-m", "RR")
SUMS = [m.name for m in parse("NumQ NumRet NumRel NumRet(rel=1) num_nonrel_judged_ret")]
GEOMETRIC = [m.name for m in parse("gm_map gm_bpref(missing='omit',no_rel='omit')")]


def rows(ndcg: Command, *arguments: str) -> list[Record]:
    """Return the rows of a report."""
    return records(ndcg, "report", *arguments)


@pytest.fixture
def known(tmp_path: Path, once: Once) -> dict[str, Record]:
    """Load random judgments, two runs and queries; return what is known of each."""
    random = Random(11)
    queries = [f"q{i}" for i in range(60)]
    documents = [f"d{i}" for i in range(8)]
    grades = (-1, 0, 0, 1, 2)
    judged = {q: {d: random.choice(grades) for d in documents} for q in queries}
    answered = {
        name: random.sample([*queries, "unjudged"], 50) for name in ("base", "other")
    }
    facts: dict[str, Record] = {
        query: {
            "query_id": query,
            "weight": random.choice(("", "0", "0.5", "3")),
            "country": random.choice(COUNTRIES),
            "device": random.choice(DEVICES),
        }
        for query in queries[:-5]
    }

    def fill() -> None:
        with (tmp_path / "queries.csv").open("w", newline="") as file:
            writer = csv.DictWriter(file, facts["q0"])
            writer.writeheader()
            writer.writerows([*facts.values(), {"query_id": "x", "country": "se"}])
        with Warehouse.write("ndcg.duckdb") as warehouse:
            warehouse.load_judgments(judged, "qrels")
            for name, own in answered.items():
                ranked = {
                    q: {d: random.random() for d in [*documents, "u"]} for q in own
                }
                warehouse.load_run(ranked, name)
            warehouse.load_queries("queries.csv")

    once(fill)
    nothing = {"weight": "", "country": "", "device": ""}
    return {query: facts.get(query, nothing) for query in queries}


def expected(values: list[Record], weights: list[str]) -> Record:
    """Return a row of a report by definition: of these queries, and their weights."""
    pairs = [(r["value"], w) for r, w in zip(values, weights, strict=True)]
    there = [v for v, _ in pairs if v is not None]
    weighted = [(v, float(w)) for v, w in pairs if v is not None and w]
    weight = fsum(w for _, w in weighted)
    mean = fsum(there) / len(there) if there else None
    weighted_mean = fsum(v * w for v, w in weighted) / weight if weight else None
    error = stdev(there) / len(there) ** 0.5 if len(there) > 1 else None
    return {
        "n": len(there),
        "weighted_n": len(weighted),
        "value": mean if mean is None else pytest.approx(mean),
        "weighted_value": weighted_mean and pytest.approx(weighted_mean),
        "standard_error": error and pytest.approx(error, abs=1e-12),
    }


@pytest.mark.parametrize("by", [("country", "device"), ("device",), ()])
def test_slices_are_means(
    ndcg: Command, known: dict[str, Record], by: tuple[str, ...]
) -> None:
    wanted: dict[tuple[Any, ...], list[Record]] = defaultdict(list)
    for row in rows(ndcg, *MEASURES, "-q"):
        facts = known[row["query_id"]]
        key = [row["run"], row["measure"], *(facts[name] or None for name in by)]
        wanted[tuple(key)].append(row)
    found = rows(ndcg, *MEASURES, *(part for name in by for part in ("--by", name)))
    own = {(r["run"], r["measure"], *(r[name] for name in by)): r for r in found}
    assert len(own) == len(found)
    assert own.keys() == wanted.keys()
    for key, values in wanted.items():
        weights = [known[row["query_id"]]["weight"] for row in values]
        assert own[key].items() >= expected(values, weights).items(), key
        assert own[key]["answered"] + own[key]["unanswered"] == len(values)


@pytest.mark.usefixtures("known")
def test_slices_add_up_to_the_whole(ndcg: Command) -> None:
    asked = (*MEASURES, "-m", " ".join([*SUMS, *GEOMETRIC]))
    whole = {(r["run"], r["measure"]): r for r in rows(ndcg, *asked)}
    parts: dict[tuple[str, str], list[Record]] = defaultdict(list)
    for row in rows(ndcg, *asked, "--by", "device"):
        parts[row["run"], row["measure"]].append(row)
    assert parts.keys() == whole.keys()
    assert len(whole) == 2 * (3 + len(SUMS) + len(GEOMETRIC))
    for (run, measure), own in parts.items():
        row = whole[run, measure]
        for column in ("n", "answered", "unanswered", "no_relevant", "weighted_n"):
            assert sum(r[column] for r in own) == row[column], (run, measure, column)
        sizes = [r["answered"] + r["unanswered"] for r in own]
        shares = sum(r["judged_at_k"] * n for r, n in zip(own, sizes, strict=True))
        assert shares / sum(sizes) == pytest.approx(row["judged_at_k"])
        if measure in SUMS:
            assert sum(r["value"] for r in own) == row["value"] > 0
        elif measure in GEOMETRIC:
            logs = sum(log(r["value"]) * r["n"] for r in own)
            assert exp(logs / row["n"]) == pytest.approx(row["value"], rel=1e-12)
        else:
            total = sum(r["value"] * r["n"] for r in own)
            assert total / row["n"] == pytest.approx(row["value"])
        if measure in (*SUMS, *GEOMETRIC):
            # What is no mean has no weighted one.
            for r in (row, *own):
                assert (r["weighted_value"], r["weighted_n"]) == (None, 0)
                assert (r["standard_error"], r["n"] > 0) == (None, True)
    table = ndcg("report", "-mNumRet RR", "--by=country", "--counts=all").out
    assert "weighted RR" in table
    assert "weighted NumRet" not in table


@pytest.mark.usefixtures("loaded")
def test_without_weights_there_is_no_weighted_mean(ndcg: Command) -> None:
    row = rows(ndcg)[0]
    assert (row["weighted_value"], row["weighted_n"]) == (None, 0)
    assert "weight" not in ndcg("report").out
    # Weights of any size are weighed.
    values = {r["query_id"]: r["value"] for r in rows(ndcg, "-m", "RR", "-q")}
    mean = (values["q1"] + 4 * values["q2"]) / 5
    for unit in ("1e-100", "1", "2.5e99"):
        text = f"query_id,weight,a\nq1,{unit},x\nq2,{4 * float(unit)},x\n"
        load_texts(ndcg, {"queries queries.csv": text})
        for arguments in (("-m", "RR"), ("-m", "RR", "--by", "a")):
            [row] = rows(ndcg, *arguments)
            assert row["weighted_value"] == pytest.approx(mean)


def test_queries_carry_their_slice(ndcg: Command, known: dict[str, Record]) -> None:
    asked = ("-m", "RR", "--run", "base", "-q", "--by", "country")
    told = {row["query_id"]: row["country"] for row in rows(ndcg, *asked)}
    assert told == {query: facts["country"] or None for query, facts in known.items()}
    assert "(not known)" in ndcg("report", *asked).out
    # The best run of each slice is marked.
    marked = ndcg("report", "-m", "RR", "--by", "device", "--format", "markdown").out
    assert marked.count("**") >= 2 * len(DEVICES)


@pytest.mark.usefixtures("loaded")
def test_the_names_of_columns_are_those_of_the_report(ndcg: Command) -> None:
    texts = {"queries q.csv": "query_id,country\nq1,de\n"}
    load_texts(ndcg, texts | {"known known.csv": "query_id,doc_id\nq1,a\n"})
    columns: set[str] = {"slice"}
    for arguments in ((), ("-q",), ("--by", "country"), ("--by", "country", "-q")):
        columns |= set(rows(ndcg, *arguments)[0])
    assert columns - {"country"} == set(report.COLUMNS)
    # Datasets without the attribute are told.
    shop = {"judgments qrels": "q1 0 a 1\n", "run more": "q1 Q0 a 1 1 t\n"}
    load_texts(ndcg, {f"{key} --dataset shop": text for key, text in shop.items()})
    told = ndcg("report", "--by", "country", "-m", "RR").err
    assert 'dataset "shop" has no such queries; its runs are omitted' in told


def test_a_file_of_queries_leaves_other_columns(ndcg: Command) -> None:
    first = "query_id,text,weight,device\nq1,hello,3,mobile\nq2,x,1,\n"
    second = "query_id,season,device\nq1,winter,desktop\nq3,,\n"
    load_texts(ndcg, {"queries a.csv": first, "queries b.csv": second})
    queries = shown("select query_id, text, weight from queries order by 1")
    assert queries == [("q1", "hello", 3), ("q2", "x", 1), ("q3", None, None)]
    columns = "query_id, attribute, attribute_value"
    attributes = shown(f"select {columns} from query_attributes order by all")
    assert attributes == [("q1", "device", "desktop"), ("q1", "season", "winter")]


@pytest.mark.usefixtures("known")
def test_many_slices_are_computed_some_runs_after_the_others(
    ndcg: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    by = (*MEASURES, "--by", "country", "--by", "device", "--format", "csv")
    wanted = [ndcg(command, *by) for command in ("report", "leaderboard")]
    assert all(result.code == 0 for result in wanted)
    for at_once in (1, 100):
        monkeypatch.setattr(question, "_SLICES_AT_ONCE", at_once)
        assert [ndcg(command, *by) for command in ("report", "leaderboard")] == wanted


def test_many_slices_of_many_runs_need_little_memory(ndcg: Command) -> None:
    queries = [f"q{n}" for n in range(10_000)]
    lines = [f"q{n},v{n % 400}" for n in range(10_000)]
    Path("queries.csv").write_text("\n".join(["query_id,kind", *lines]))
    with Warehouse.write("ndcg.duckdb") as own:
        own.load_judgments({q: {"a": 1} for q in queries})
        own.load_queries("queries.csv")
        for run in range(8):
            shift = enumerate(queries, run)
            own.load_run({q: ["x"] * (n % 2) + ["a"] for n, q in shift}, f"r{run}")
    asked = ("report", "--by", "kind", "--format", "csv")
    result = ndcg("--memory-limit", "600MB", *asked)
    assert result.code == 0, result.err
    assert result.out == ndcg("--memory-limit", "8GB", *asked).out
    assert result.out.count("\n") == 1 + 8 * 4 * 400


@pytest.mark.quick
def test_an_attribute_may_have_almost_any_name(ndcg: Command) -> None:
    attributes = 'query_id,queries,"a""b"\nq,long,1\np,short,1\n'
    texts = {"judgments qrels": "q 0 d 1\np 0 d 1\n", "queries q.csv": attributes}
    load_texts(ndcg, texts | {"run run": "q Q0 d 1 1 t\np Q0 d 1 1 t\n"})
    assert rows(ndcg, "--by", 'a"b')[0]['a"b'] == "1"
    # It may be the heading of another column.
    for command in ("report", "leaderboard"):
        asked = ("-m", "RR", "--by", "queries", "--format", "markdown")
        lines = ndcg(command, *asked).out.splitlines()[2:6]
        columns = zip(*(re.split(r" *\| *", line) for line in lines), strict=True)
        cells = [cells for heading, _, *cells in columns if heading == "queries"]
        assert cells == [["long", "short"], ["1", "1"]]
