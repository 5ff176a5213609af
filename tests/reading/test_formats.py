"""Formats beside TREC and CSV: the same rows come out of each."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.loading.described import load_queries as load
from ndcg_sql.requests.loading import LoadQueriesRequest
from ndcg_sql.system.messages import Silent
from ndcg_sql.text import number
from support import exploring
from support.files import Rows, json_lines
from support.ways_in import JUDGED, POSITIONS, RANKED, loaded_judgments, loaded_run

Write = Callable[[Rows, str], str]


def objects(rows: Rows, value: str, names: str = "query_id doc_id") -> list[Any]:
    """Return rows as objects, with more in them than is loaded."""
    query, doc = names.split()
    return [
        {"extra": {"a": [1]}, query: q, doc: d, value: v, "flag": True}
        for q, d, v in rows
    ]


def by_query(rows: Rows) -> dict[str, dict[str, float]]:
    """Return rows as {query: {document: value}}."""
    found: dict[str, dict[str, float]] = {}
    for query, document, value in rows:
        found.setdefault(query, {})[document] = value
    return found


ANY: dict[str, tuple[str, Write]] = {
    "JSON lines": ("r.jsonl", lambda rows, value: json_lines(objects(rows, value))),
    "JSON lines under another name": (
        "r.txt",
        lambda rows, value: "\n" + json_lines(objects(rows, value, "qid docno")),
    ),
    "JSON lines with CRLF and a byte order mark": (
        "r",
        lambda rows, value: (
            "\ufeff" + json_lines(objects(rows, value)).replace("\n", "\r\n")
        ),
    ),
    "JSON lines with numbers as text": (
        "r.ndjson",
        lambda rows, value: json_lines(
            objects([(q, d, f"{v}") for q, d, v in rows], value)
        ),
    ),
    "JSON list on one line": (
        "r.json",
        lambda rows, value: json.dumps(objects(rows, value)),
    ),
    "JSON list on many lines": (
        "r.json",
        lambda rows, value: json.dumps(objects(rows, value), indent=2),
    ),
    "JSON by query on one line": (
        "r.json",
        lambda rows, _: json.dumps(by_query(rows)),
    ),
    "JSON by query, not escaped": (
        "r",
        lambda rows, _: json.dumps(by_query(rows), ensure_ascii=False, indent=1),
    ),
}
JUDGMENTS: dict[str, tuple[str, Write]] = {
    "TREC": (
        "r",
        lambda rows, _: "".join(f"{q} 0 {d} {v}\n" for q, d, v in rows),
    ),
    "BEIR": (
        "qrels.tsv",
        lambda rows, _: (
            "query-id\tcorpus-id\tscore\n"
            + "".join(f"{q}\t{d}\t{v}\n" for q, d, v in rows)
        ),
    ),
    "BEIR as JSON lines": (
        "qrels.jsonl",
        lambda rows, _: json_lines(
            [{"query-id": q, "corpus-id": d, "score": v} for q, d, v in rows]
        ),
    ),
    "MS MARCO": (
        "qrels.dev.tsv",
        lambda rows, _: "".join(f"{q}\t0\t{d}\t{v}\n" for q, d, v in rows),
    ),
    "RankLib": (
        "r.txt",
        lambda rows, _: (
            "# qid:1: a comment\n"
            + "".join(f"{v}\tqid:{q}\t1:0.5 2:-1\t# {d}\tmore\n" for q, d, v in rows)
        ),
    ),
    "LETOR": (
        "r.svm",
        lambda rows, _: "".join(
            f"{v} qid:{q} 1:1e-3 #docid = {d} inc = 1\n" for q, d, v in rows
        ),
    ),
    "OpenSearch": (
        "r.json",
        lambda rows, _: json.dumps(
            {
                "name": "a name",
                "judgmentRatings": [
                    {"query": q, "ratings": [{"docId": d, "rating": f"{v}"}]}
                    for q, d, v in rows
                ],
            }
        ),
    ),
}

LISTS: dict[str, tuple[str, str]] = {
    "JSON by query": ("r.json", '{"q1": ["b", "a"], "q2": [7]}'),
    "JSON by query on many lines": ("r", '{\n"q1": [\n"b",\n"a"],\n"q2": ["7"]\n}'),
    "JSON lines": (
        "r.jsonl",
        '{"query": "q1", "ranking": ["b", "a"]}\n{"query": "q2", "ranking": [7]}\n',
    ),
    "objects in JSON lines": (
        "r",
        '{"query_id": "q1", "results": [{"id": "b"}, {"id": "a"}]}\n'
        '{"query_id": "q2", "results": [{"_id": 7}]}\n',
    ),
    "text": ("r.txt", "# a comment\nq1\tb,a\n\nq2\t7\n"),
    "text with blanks": ("r.tsv", "q1\tb, a \r\nq2\t7\r\n"),
}


@pytest.mark.parametrize(("name", "text"), LISTS.values(), ids=LISTS)
def test_the_order_of_a_list_is_its_ranking(
    memory: Database, tmp_path: Path, name: str, text: str
) -> None:
    (tmp_path / name).write_bytes(text.encode())
    rows = [("q1", "b", 1, None), ("q1", "a", 2, None), ("q2", "7", 1, None)]
    assert loaded_run(memory, tmp_path / name) == rows
    assert memory.execute(
        "select position_rule from runs where run_id = (select max(run_id) from runs)"
    ) == [("given",)]


@pytest.mark.parametrize(("name", "text"), LISTS.values(), ids=LISTS)
def test_judged_lists_hold_relevant_documents(
    memory: Database, tmp_path: Path, name: str, text: str
) -> None:
    path = tmp_path / name
    judged = [(*pair, 1, None) for pair in (("q1", "a"), ("q1", "b"), ("q2", "7"))]
    # A list that is not called relevant may be a ranking.
    path.write_bytes(
        text.replace("ranking", "items").replace("results", "items").encode()
    )
    with pytest.raises(NdcgSqlError, match="lists of documents without grades; if all"):
        loaded_judgments(memory, path)
    assert loaded_judgments(memory, path, grade=1) == judged
    text = text.replace("ranking", "relevant").replace("results", "judgments")
    path.write_bytes(text.encode())
    grade = {} if "relevant" in text or "judgments" in text else {"grade": 1}
    assert loaded_judgments(memory, path, **grade) == judged


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("r.json", '{"q1": [{"id": "a", "score": 1}, {"id": "b", "score": 2.5}]}'),
        (
            "r.jsonl",
            '{"query_id": "q1", "results": [{"id": "a", "score": 1},'
            ' {"id": "b", "score": 2.5, "title": "t"}], "took": 3}\n',
        ),
    ],
)
def test_scores_in_lists_rank(
    memory: Database, tmp_path: Path, name: str, text: str
) -> None:
    (tmp_path / name).write_text(text)
    rows = [("q1", "b", 1, 2.5), ("q1", "a", 2, 1.0)]
    assert loaded_run(memory, tmp_path / name) == rows


def test_recbole_files_are_judgments_and_queries(
    memory: Database, tmp_path: Path
) -> None:
    header = "user_id:token\titem_id:token\trating:float\ttimestamp:float\n"
    (tmp_path / "ml.inter").write_text(header + "u1\ta\t4\t88.5\nu2\tb\t0.5\t1\n")
    rows = [("u1", "a", 4, None), ("u2", "b", 0.5, None)]
    assert loaded_judgments(memory, tmp_path / "ml.inter") == rows
    (tmp_path / "ml.user").write_text("user_id:token\tage:token\nu1\t24\n")
    asked = LoadQueriesRequest(dataset="recbole")
    load(memory, tmp_path / "ml.user", asked, Silent())
    assert memory.execute(
        "select query_id, attribute, attribute_value from query_attributes"
        " where dataset = 'recbole'"
    ) == [("u1", "age", "24")]


@pytest.mark.parametrize(("name", "write"), ANY.values(), ids=ANY)
def test_a_run_is_the_same_in_every_format(
    memory: Database, tmp_path: Path, name: str, write: Write
) -> None:
    path = tmp_path / name
    path.write_bytes(write(RANKED, "score").encode())
    assert loaded_run(memory, path) == POSITIONS


@pytest.mark.parametrize(
    ("name", "write"), [*ANY.values(), *JUDGMENTS.values()], ids=[*ANY, *JUDGMENTS]
)
def test_judgments_are_the_same_in_every_format(
    memory: Database, tmp_path: Path, name: str, write: Write
) -> None:
    path = tmp_path / name
    path.write_bytes(write(JUDGED, "grade").encode())
    assert loaded_judgments(memory, path) == sorted((*row, None) for row in JUDGED)


@pytest.mark.slow
@pytest.mark.parametrize("seed", exploring.mostly_slow(range(4), 0))
def test_random_judgments_are_the_same_in_every_format(
    memory: Database, tmp_path: Path, seed: int
) -> None:
    chance = Random(seed)
    letters = 'aZ0-:/_.é漢😀"\\{'
    ids = ["".join(chance.choices(letters, k=chance.randint(1, 6))) for _ in range(40)]
    pairs = {(chance.choice(ids[:8]), chance.choice(ids)) for _ in range(120)}
    rows = [(f"q{q}", f"d{d}", chance.uniform(-2, 5)) for q, d in sorted(pairs)]
    chance.shuffle(rows)
    expected = sorted((*row, None) for row in rows)
    for way, (name, write) in {**ANY, **JUDGMENTS}.items():
        path = tmp_path / name
        path.write_bytes(write(rows, "grade").encode())
        # A tab-separated file has no way to write a quote but as a quote.
        if name.endswith(".tsv") and '"' in path.read_text("utf-8"):
            continue
        assert loaded_judgments(memory, path) == expected, way


LITERALS = [
    "0.1",
    "1e400",
    "1E-5",
    "-0",
    "-0.0",
    "5e-324",
    "1e-400",
    "12345678901234567890",
    "0.30000000000000004",
    "NaN",
    "Infinity",
    "-Infinity",
    "true",
    "null",
    "[1]",
    '{"a":1}',
    '""',
    '"NaN"',
    '"1_0"',
    '" 2 "',
    '"0x1"',
    '".5"',
    '"Exact"',
]


@pytest.mark.slow
@pytest.mark.parametrize("form", exploring.sampled(["jsonl", "json"], 2))
def test_numbers_in_json_are_read_as_in_text(
    memory: Database, tmp_path: Path, form: str
) -> None:
    """Python's own conversion, and the rule of text files, say what must come out."""
    for literal in LITERALS:
        path = tmp_path / f"r.{form}"
        row = f'{{"query_id": "q", "doc_id": 7, "grade": {literal}}}'
        other = '{"query_id": "q", "doc_id": 8, "grade": 1}'
        path.write_text(row if form == "jsonl" else f"[\n{row},\n{other}]")
        wanted = number(literal.strip('"').strip())
        if wanted is None:
            with pytest.raises(NdcgSqlError) as refusal:
                loaded_judgments(memory, path)
            place = ":1: " if form == "jsonl" else ": row 1: "
            assert str(refusal.value).startswith(f"{path}{place}"), literal
        else:
            first = loaded_judgments(memory, path)[0]
            assert first == ("q", "7", wanted, None), literal
            assert not str(first[2]).startswith("-0.0")
