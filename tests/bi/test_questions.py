"""The queries of a dashboard answer what the commands print, in each database."""

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from support import pages
from support.commands import Command, Once
from support.questions import (
    BASELINE,
    CANDIDATE,
    DEMO,
    JUDGMENTS,
    MEASURE,
    QUESTIONS,
    RUNS,
    TITLED,
    Published,
    Row,
    load,
    question,
)
from support.servers import Server


def asked(connection: duckdb.DuckDBPyConnection, name: str) -> list[Row]:
    """Return the answer of hand-made tables to a query."""
    answer = connection.sql(question(name))
    return [dict(zip(answer.columns, row, strict=True)) for row in answer.fetchall()]


def test_the_page_names_each_query() -> None:
    page = (pages.ROOT / "docs" / "clients.md").read_text(encoding="utf-8")
    [section] = re.findall(r"(?ms)^## A page for Monday\n(.*?)^## ", page)
    rows = [line for line in section.splitlines() if line.startswith("|")]
    named = re.findall(r"`(\w+)\.sql`", "".join(rows))
    assert sorted(named) == sorted(path.stem for path in QUESTIONS.glob("*.sql"))


def test_monday_compares_the_newest_run_with_the_last_release() -> None:
    with duckdb.connect() as connection:
        connection.execute("""
            create table runs as
            select * from (values
                (1, timestamp '2026-01-05'), (2, timestamp '2026-01-12'),
                (3, timestamp '2026-01-19'), (4, timestamp '2026-01-26'),
                -- Loaded last, but of an earlier time.
                (5, timestamp '2026-01-01'),
                (6, timestamp '2025-01-01'), (7, timestamp '2025-01-01')
            ) as runs(run_id, made_at);
            create table run_tags as
            select * from (values
                (1, 'release', '7'), (2, 'production', 'yes'), (2, 'release', '8'),
                (3, 'model', 'release'), (4, 'release', '9'), (6, 'model', 'bm25')
            ) as tags(run_id, tag, tag_value);
            create table run_comparisons as
            select
                case when c.run_id < 6 then 'shop' else 'old' end as dataset,
                'judged ' || judgment_set_id as judgment_set,
                judgment_set_id,
                'r' || c.run_id as candidate,
                c.run_id as candidate_run_id,
                'r' || b.run_id as baseline,
                b.run_id as baseline_run_id
            from runs as c, runs as b, range(1, 3) as sets(judgment_set_id),
                range(2) as measures
            where c.run_id <> b.run_id and (c.run_id < 6) = (b.run_id < 6)
        """)
        rows = asked(connection, "pairs")
    assert [row["place"] for row in rows] == [*range(1, 45)]
    by_set = {
        name: [
            (row["candidate"], row["baseline"], row["baseline_is"])
            for row in rows
            if row["judgment_set"] == name
        ]
        for name in ("judged 1", "judged 2")
    }
    assert by_set["judged 1"] == by_set["judged 2"]
    newest = by_set["judged 2"]
    assert newest[:8] == [
        # Its own release does not count, nor does a value that says release.
        ("r4", "r2", "release"),
        ("r4", "r1", "release"),
        ("r4", "r3", "earlier run"),
        ("r4", "r5", "earlier run"),
        ("r3", "r2", "release"),
        ("r3", "r1", "release"),
        ("r3", "r5", "earlier run"),
        ("r3", "r4", "later run"),
    ]
    # The newest run comes first, under its newest judgments.
    assert {row["candidate"] for row in rows[:8]} == {"r4"}
    assert rows[0]["judgment_set"] == "judged 2"
    # Of two runs of one time, that which was loaded first is the earlier one.
    assert newest[20:] == [("r7", "r6", "earlier run"), ("r6", "r7", "later run")]


@pytest.mark.parametrize(
    ("n", "t", "p", "half"),
    [
        # From tables of Student's distribution: 0.975 and 0.995.
        (5, 2.776445, 0.05, 2.776445),
        (5, 4.604095, 0.01, 2.776445),
        (11, 2.228139, 0.05, 2.228139),
        (31, -2.749996, 0.01, 2.042272),
        (100_001, 1.959988, 0.05, 1.959988),
        (100_001, 0.0, 1.0, 1.959988),
        (100_001, 900.0, 0.0, 1.959988),
        (4, 99.0, None, None),
    ],
)
def test_the_verdict_is_that_of_students_test(
    n: int, t: float, p: float | None, half: float | None
) -> None:
    error = 0.01
    verdict = "not proven"
    if half is not None and abs(t) > half * 1.0004:
        verdict = "improved" if t > 0 else "worse"
    [row] = verdicts(n=n, difference=t * error, standard_error=error)
    if abs(abs(t) - (half or 0)) > 0.01:
        assert row["verdict"] == verdict
    if p is None or half is None:
        assert (row["p_t"], row["ci_low"], row["ci_high"]) == (None, None, None)
        return
    assert row["p_t"] == pytest.approx(p, abs=1e-5)
    for end, sign in (("ci_low", -1), ("ci_high", 1)):
        expected = (t + sign * half) * error
        assert row[end] == pytest.approx(expected, abs=4e-4 * half * error)


def test_equal_differences_are_not_tested() -> None:
    for error in (0.0, 1e-17, None):
        [row] = verdicts(n=20, difference=0.25, standard_error=error)
        assert (row["verdict"], row["p_t"]) == ("not proven", None)


@pytest.mark.parametrize(
    ("better", "words"),
    [(True, ("improved", "worse")), (False, ("higher", "lower"))],
)
def test_the_verdict_knows_whether_higher_is_better(
    better: bool, words: tuple[str, str]
) -> None:
    for difference, word in zip((1.0, -1.0), words, strict=True):
        rows = verdicts(better=better, difference=difference)
        assert [row["verdict"] for row in rows] == [word]


# Hand-made tables of one comparison.
TABLES = (
    "create table measures as select 'nDCG@10' as measure,"
    " $better as higher_is_better, $reads as reads_judgments",
    """
    create table run_comparisons as select
        'shop' as dataset, 'judged' as judgment_set, 1 as judgment_set_id,
        'nDCG@10' as measure, 'a' as baseline, 1 as baseline_run_id,
        'b' as candidate, 2 as candidate_run_id, 0.5 as baseline_value,
        0.5 as candidate_value, $difference::double as difference,
        $n::bigint as n, 1 as wins, 1 as ties, 1 as losses,
        0.0 as weighted_difference, $standard_error::double as standard_error
    """,
    """
    create table run_values as select
        1 as judgment_set_id, 'nDCG@10' as measure, run_id, 'x' as run, 0.5 as value,
        list_extract($shares::double[], run_id) as judged_at_k, 9 as n,
        0 as unanswered, 0 as no_relevant, 0 as unjudged_queries
    from range(1, 3) as runs(run_id)
    """,
)


def compared(name: str, **given: Any) -> list[Row]:
    """Return the answer to a query about one comparison."""
    usual = {"n": 20, "difference": 0.0, "standard_error": 0.1, "better": True}
    given = {**usual, "reads": True, "shares": [0.25, 0.5], **given}
    with duckdb.connect() as connection:
        for sql in TABLES:
            connection.execute(sql, {k: v for k, v in given.items() if f"${k}" in sql})
        return asked(connection, name)


def verdicts(**given: Any) -> list[Row]:
    """Return the verdict on one comparison."""
    rows = compared("verdict", **given)
    assert [row["candidate_judged_at_k"] for row in rows] == [0.5]
    assert [row["baseline_judged_at_k"] for row in rows] == [0.25]
    return rows


FEW, FEWER = "few are judged", "fewer are judged than of the other run"
ENOUGH, NONE = "enough are judged", "rests on no judgments"


@pytest.mark.parametrize(
    ("reads", "shares", "cautions"),
    [
        (True, [0.69, 0.25], (FEW, FEW)),
        (True, [0.95, 0.84], (ENOUGH, FEWER)),
        (True, [0.95, 0.86], (ENOUGH, ENOUGH)),
        (True, [0.79, 0.80], (FEW, ENOUGH)),
        (False, [0.69, 0.95], (NONE, NONE)),
    ],
)
def test_few_judged_documents_are_a_caution(
    reads: bool, shares: list[float], cautions: tuple[str, str]
) -> None:
    rows = compared("trust", reads=reads, shares=shares)
    found = {row["role"]: row["caution"] for row in rows}
    assert found == dict(zip(("baseline", "candidate"), cautions, strict=True))


@pytest.fixture
def loaded(ndcg: Command, once: Once) -> None:
    once(lambda: load(ndcg))


@pytest.fixture(params=["duckdb", "sqlite", "postgresql"])
def published(
    request: pytest.FixtureRequest,
    ndcg: Command,
    loaded: None,  # noqa: ARG001 - what is published
) -> Iterator[Published]:
    if request.param == "postgresql":
        server: Server = request.getfixturevalue("postgresql")
        assert ndcg("publish", server.url).code == 0
        try:
            yield Published(f"{server.url}?options=-csearch_path%3Dndcg_sql")
        finally:
            server.execute("drop schema ndcg_sql cascade")
        return
    target = {"duckdb": "bi.duckdb", "sqlite": "sqlite:///bi.db"}[request.param]
    assert ndcg("publish", target).code == 0
    yield Published(f"duckdb:///{target}" if request.param == "duckdb" else target)


@pytest.mark.slow
def test_each_question_is_answered(ndcg: Command, published: Published) -> None:
    def told(*command: str) -> list[Row]:
        where = ("--dataset", "demo", "--judgments", JUDGMENTS, "--format", "json")
        return json.loads(ndcg(*command, *where).out)

    with (DEMO / "queries.csv").open(encoding="utf-8", newline="") as file:
        described = {row["query_id"]: row for row in csv.DictReader(file)}
    pairs(published)
    compare = ("compare", BASELINE, CANDIDATE, "-m", MEASURE)
    verdict(published, *told(*compare))
    slices(published, told(*compare, "--by", "category"))
    values = told("report", "-m", MEASURE, "-q")
    queries(published, values, described, *told(*compare))
    means = {row["run"]: row for row in told("report", "-m", MEASURE)}
    trust(published, means)
    history(published, told("history", "-m", MEASURE))
    rankings = {run: ranking(run) for run in (BASELINE, CANDIDATE)}
    with Path("fewer.csv").open(encoding="utf-8", newline="") as file:
        grades = {
            (row["query_id"], row["doc_id"]): {"Exact": 3, "Partial": 1}.get(
                row["label"], 0
            )
            for row in csv.DictReader(file)
        }
    to_judge(published, rankings, grades, described)
    two_rankings(published, rankings, grades, described)


def ranking(run: str) -> dict[str, list[str]]:
    """Return the documents of each query, by the rule of trec_eval."""
    scored: dict[str, list[tuple[float, str]]] = {}
    for line in Path(f"{run}.run").read_text(encoding="utf-8").splitlines():
        query, _, document, _, score, _ = line.split()
        scored.setdefault(query, []).append((float(score), document))
    return {
        query: [document for _, document in sorted(found, reverse=True)]
        for query, found in scored.items()
    }


def alike(row: Row, other: Row, *keys: str, within: float = 1e-12) -> None:
    """Compare the values of some columns."""
    for key in keys:
        expected = other[key]
        if isinstance(expected, float):
            expected = pytest.approx(expected, abs=within)
        assert row[key] == expected, key


def pairs(published: Published) -> None:
    rows = published.all_rows("pairs")
    assert [row["place"] for row in rows] == [*range(1, 33)]
    keys = ("dataset", "judgment_set", "candidate", "baseline", "baseline_is")
    first = ("demo", JUDGMENTS, CANDIDATE, BASELINE, "release")
    assert tuple(rows[0][key] for key in keys) == first
    last = [tuple(row[key] for key in keys) for row in rows if row["place"] > 30]
    assert last[0] == ("elsewhere", "qrels", "hybrid", "bm25", "earlier run")


def verdict_of(compared: Row) -> str:
    """Return what the interval of a comparison says."""
    if compared["ci_low"] > 0:
        return "improved"
    return "worse" if compared["ci_high"] < 0 else "not proven"


def verdict(published: Published, compared: Row) -> None:
    [row] = published.rows("verdict")
    assert row["verdict"] == verdict_of(compared)
    exact = ("baseline_value", "candidate_value", "difference", "weighted_difference")
    alike(row, compared, *exact, "baseline_judged_at_k", "candidate_judged_at_k")
    alike(row, compared, "ci_low", "ci_high", "p_t", within=1e-5)
    alike(row, compared, "n", "wins", "ties", "losses")
    assert len(published.all_rows("verdict")) == 32 * 4


def slices(published: Published, compared: list[Row]) -> None:
    rows = published.rows("slices", attribute="category")
    enough = [row for row in compared if row["n"] > 4]
    assert 1 < len(enough) < len(compared)
    enough.sort(key=lambda row: row["difference"])
    for row, other in zip(rows, enough, strict=True):
        assert row["slice"] == other["category"]
        exact = ("baseline_value", "candidate_value", "difference")
        alike(row, other, *exact, "weighted_difference", "n", "wins", "losses")
        alike(row, other, "ci_low", "ci_high", within=2e-4)
        assert row["verdict"] == verdict_of(other)


def queries(
    published: Published, values: list[Row], described: dict[str, Row], compared: Row
) -> None:
    before = {row["query_id"]: row for row in values if row["run"] == BASELINE}
    after = {row["query_id"]: row for row in values if row["run"] == CANDIDATE}
    total = sum(float(row["weight"]) for row in described.values())
    rows = published.rows("queries")
    assert {row["query_id"] for row in rows} == set(before)
    for row in rows:
        query = row["query_id"]
        share = float(described[query]["weight"]) / total
        difference = after[query]["value"] - before[query]["value"]
        expected: Row = {
            "query": described[query]["text"],
            "baseline_value": before[query]["value"],
            "candidate_value": after[query]["value"],
            "difference": difference,
            "weight": float(described[query]["weight"]),
            "weight_share": share,
            "contribution": share * difference,
            "contribution_per_100k": share * 100_000 * difference,
        }
        alike(row, expected, *expected)
    added = [row["contribution"] for row in rows]
    assert added == sorted(added)
    assert sum(added) == pytest.approx(compared["weighted_difference"])
    # Without weights, the queries add up to the difference of the means.
    there = {
        "dataset": "elsewhere",
        "judgment_set": "qrels",
        "baseline": "bm25",
        "candidate": "hybrid",
    }
    [whole] = published.rows("verdict", **there)
    parts = [float(row["contribution"]) for row in published.rows("queries", **there)]
    assert sum(parts) == pytest.approx(whole["difference"])


def trust(published: Published, means: dict[str, Row]) -> None:
    rows = published.rows("trust")
    assert [row["role"] for row in rows] == ["candidate", "baseline"]
    for row, run in zip(rows, (CANDIDATE, BASELINE), strict=True):
        exact = ("run", "value", "judged_at_k", "n", "unanswered", "no_relevant")
        alike(row, means[run], *exact)
        assert row["judged_at_k"] < 0.8
        assert row["caution"] == "few are judged"


def history(published: Published, told: list[Row]) -> None:
    rows = published.rows("history")
    assert [row["run"] for row in rows] == [name for name, *_ in RUNS]
    for row, other in zip(rows, told, strict=True):
        alike(row, other, "run", "value", "previous_run", "difference", "judged_at_k")
    for row, (*_, release) in zip(rows, RUNS, strict=True):
        assert row["release"] == (release and f"release {release}")
        assert row["released_value"] == (row["value"] if release else None)


def to_judge(
    published: Published,
    rankings: dict[str, dict[str, list[str]]],
    grades: dict[tuple[str, str], int],
    described: dict[str, Row],
) -> None:
    expected: dict[tuple[str, str], Row] = {}
    for name, run in (("candidate", CANDIDATE), ("baseline", BASELINE)):
        for query, documents in rankings[run].items():
            for position, document in enumerate(documents[:10], start=1):
                if (query, document) not in grades:
                    found = expected.setdefault((query, document), {})
                    found[f"{name}_position"] = position
    rows = published.rows("to_judge")
    assert len(rows) == len(expected) > 20
    total = sum(float(row["weight"]) for row in described.values())
    for row in rows:
        query, document = row["query_id"], row["doc_id"]
        found = expected[query, document]
        for name in ("candidate_position", "baseline_position"):
            assert row[name] == found.get(name)
        assert row["best_position"] == min(found.values())
        assert row["weight"] == float(described[query]["weight"])
        assert row["weight_share"] == pytest.approx(row["weight"] / total)
        assert row["query"] == described[query]["text"]
        assert row["document"] == ("A title" if document == TITLED else document)
    assert any(row["document"] == "A title" for row in rows)
    order = [(-row["weight"], row["best_position"], row["query_id"]) for row in rows]
    assert order == sorted(order)


def two_rankings(
    published: Published,
    rankings: dict[str, dict[str, list[str]]],
    grades: dict[tuple[str, str], int],
    described: dict[str, Row],
) -> None:
    rows = published.rows("two_rankings")
    found = {(row["query_id"], row["position"]): row for row in rows}
    assert len(found) == len(rows)
    for query in described:
        before, after = (rankings[run][query] for run in (BASELINE, CANDIDATE))
        for position in range(1, min(10, max(len(before), len(after))) + 1):
            row = found.pop((query, position))
            assert row["query"] == described[query]["text"]
            for name, documents in (("baseline", before), ("candidate", after)):
                document = dict(enumerate(documents, start=1)).get(position)
                title = "A title" if document == TITLED else document
                assert row[f"{name}_doc_id"] == document
                assert row[f"{name}_document"] == title
                grade = grades.get((query, document or ""))
                assert row[f"{name}_grade"] == grade
                if name == "candidate" and document is not None:
                    place = before.index(document) + 1 if document in before else None
                    assert row["position_before"] == place
    assert not found
