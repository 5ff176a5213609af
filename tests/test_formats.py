"""Formats beside TREC and CSV: the same rows come out, or a line is named."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest
from conftest import QRELS, RUN, Command, digest
from test_loading import (
    JUDGED,
    POSITIONS,
    RANKED,
    Rows,
    loaded_judgments,
    loaded_run,
)

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.text import number
from ndcg_sql.warehouse import Warehouse

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


def lines(items: list[Any]) -> str:
    """Return JSON, an item a line."""
    return "".join(json.dumps(item) + "\n" for item in items)


ANY: dict[str, tuple[str, Write]] = {
    "JSON lines": ("r.jsonl", lambda rows, value: lines(objects(rows, value))),
    "JSON lines under another name": (
        "r.txt",
        lambda rows, value: "\n" + lines(objects(rows, value, "qid docno")),
    ),
    "JSON lines with CRLF and a byte order mark": (
        "r",
        lambda rows, value: (
            "\ufeff" + lines(objects(rows, value)).replace("\n", "\r\n")
        ),
    ),
    "JSON lines with numbers as text": (
        "r.ndjson",
        lambda rows, value: lines(objects([(q, d, f"{v}") for q, d, v in rows], value)),
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
        lambda rows, _: lines(
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
    "Rated Ranking Evaluator": (
        "r.json",
        lambda rows, _: json.dumps(
            {
                "query_groups": [
                    {
                        "queries": [{"placeholders": {"$query": q}}],
                        "relevant_documents": {d: {"gain": v}},
                    }
                    for q, d, v in rows
                ]
            }
        ),
    ),
}


@pytest.mark.parametrize(("name", "write"), ANY.values(), ids=ANY)
def test_a_run_is_the_same_in_every_format(
    memory: Warehouse, tmp_path: Path, name: str, write: Write
) -> None:
    path = tmp_path / name
    path.write_bytes(write(RANKED, "score").encode())
    assert loaded_run(memory, path) == POSITIONS


@pytest.mark.parametrize(
    ("name", "write"), [*ANY.values(), *JUDGMENTS.values()], ids=[*ANY, *JUDGMENTS]
)
def test_judgments_are_the_same_in_every_format(
    memory: Warehouse, tmp_path: Path, name: str, write: Write
) -> None:
    path = tmp_path / name
    path.write_bytes(write(JUDGED, "grade").encode())
    assert loaded_judgments(memory, path) == sorted((*row, None) for row in JUDGED)


@pytest.mark.parametrize("seed", range(4))
def test_random_judgments_are_the_same_in_every_format(
    memory: Warehouse, tmp_path: Path, seed: int
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


@pytest.mark.parametrize("form", ["jsonl", "json"])
def test_numbers_in_json_are_read_as_in_text(
    memory: Warehouse, tmp_path: Path, form: str
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
            line = 1 if form == "jsonl" else 2
            assert str(refusal.value).startswith(f"{path}:{line}: "), literal
        else:
            first = loaded_judgments(memory, path)[0]
            assert first == ("q", "7", wanted, None), literal
            assert not str(first[2]).startswith("-0.0")


@dataclass(frozen=True)
class Bad:
    """A file, what it is loaded as, with which options, and the first line told."""

    kind: str
    name: str
    content: str
    message: str
    options: tuple[str, ...] = ()


GOOD = '{"query_id": "q", "doc_id": "d", "score": 1}\n'


def json_line(line: str, message: str) -> Bad:
    """Return JSON lines of which the second is bad."""
    return Bad("run", "r.jsonl", GOOD + line + "\n", f"r.jsonl:2: {message}")


def document(text: str, message: str, kind: str = "judgments") -> Bad:
    """Return a JSON document that is refused."""
    return Bad(kind, "r.json", text, f"r.json{message}")


IDS = "ids are text or whole numbers"
TWICE = "the key {} stands twice in an object"
BAD = {
    "cut line": json_line(GOOD[:-4], "not JSON: Expecting value at character 42"),
    "no JSON": json_line("q Q0 d 1 1 t", "not JSON: Expecting value at character 1"),
    "no object": json_line("[1]", "not a JSON object"),
    "two objects": json_line("{} {}", "not JSON: Extra data at character 4"),
    "deep": json_line("[" * 100000, "JSON that is nested too deep"),
    "key twice": json_line('{"a": 1, "a": 1}', TWICE.format('"a"')),
    "no query": json_line('{"doc_id": "d"}', "the query id is empty"),
    "no document": json_line(
        '{"query_id": "q"}', 'query "q": the document id is empty'
    ),
    "no score": json_line(
        '{"query_id": "q", "doc_id": "e"}',
        'query "q", document "e": score "" is not a number',
    ),
    "null score": json_line(
        '{"query_id": "q", "doc_id": "e", "score": null}',
        'query "q", document "e": score "" is not a number',
    ),
    "fraction as an id": json_line(
        '{"query_id": 1.0, "doc_id": "e", "score": 1}', f"the query_id is 1.0; {IDS}"
    ),
    "true as an id": json_line(
        '{"query_id": "q", "doc_id": true, "score": 1}',
        "the doc_id is true; a text or a number is expected",
    ),
    "list as a score": json_line(
        '{"query_id": "q", "doc_id": "e", "score": [1]}',
        "the score is a list or an object; a text or a number is expected",
    ),
    "NUL": json_line(
        '{"query_id": "q\\u0000", "doc_id": "e", "score": 1}',
        "the query_id has a NUL in it",
    ),
    "half a character": json_line(
        '{"query_id": "q\\ud800", "doc_id": "e", "score": 1}',
        "the query_id has half a character in it (a lone surrogate)",
    ),
    "document twice": json_line(
        GOOD, 'query "q", document "d": stands already on line 1'
    ),
    "document twice on one line": document(
        f"[{GOOD.strip()},{GOOD.strip()}]",
        ': row 2: query "q", document "d": stands already on row 1',
        "run",
    ),
    "document that ends": document(
        '{"q": {"d": 1},\n', ":2: not JSON: a key in quotes expected"
    ),
    "document without a comma": document(
        '{"q": {"d": 1\n"e": 2}}', ':2: not JSON: "}" expected'
    ),
    "document and more": document(
        '{"q": {"d": 1}}\n]', ":2: not JSON: text after its end"
    ),
    "query twice": document(
        '{"q": {"d": 1},\n"q": {"e": 1}}',
        f":2: {TWICE.format(chr(34) + 'q' + chr(34))}",
    ),
    "no documents": document(
        '{"q": {"d": 1},\n"r": 2}', ':2: query "r": expected a grade of each document'
    ),
    "list of numbers": document("[\n1\n]", ":2: not a JSON object"),
    "OpenSearch without ratings": document(
        '{"judgmentRatings": [\n{"query": "q"}]}', ':2: "ratings" is not a list'
    ),
    "RRE without documents": document(
        '{"topics": [\n{"queries": []}]}', ':2: "relevant_documents" is not an object'
    ),
    "ranks without scores": Bad(
        "run",
        "r.tsv",
        "q\td\t1\n",
        "r.tsv: no column for the score; if its ranks are to count, say --positions"
        " given",
    ),
    "rows of no query": Bad(
        "judgments",
        "r",
        "1 1:0.5\n0 1:0.25\n",
        "r: it names no queries; say how many rows each query has: --groups FILE",
    ),
    "rows of no query, labelled": Bad(
        "judgments",
        "r.rel",
        "d L1\n",
        "r.rel: it names no queries; name its query: --query ID",
    ),
    "queries and --query": Bad(
        "judgments",
        "r",
        QRELS,
        "r: it names its queries; leave --query out",
        ("--query", "q"),
    ),
    "queries and --groups": Bad(
        "judgments",
        "r",
        "1 qid:1\n",
        "r: it names its queries; leave --groups out",
        ("--groups", "groups"),
    ),
    "groups of other rows": Bad(
        "judgments",
        "r",
        "1 1:0.5\n0 1:0.25\n",
        "groups: 2 groups of 3 rows together, but r has 2 rows",
        ("--groups", "groups"),
    ),
    "groups that are none": Bad(
        "judgments",
        "r",
        "1 1:0.5\n0 1:0.25\n",
        'list:1: "1 qid:q # d" is not a number of rows',
        ("--groups", "list"),
    ),
    "a line of another form": Bad(
        "judgments",
        "r",
        "1 qid:1 1:0.5\n0 qid:1 half\n",
        "r:2: the line has another form than grade qid:QUERY feature:value..."
        " # DOCUMENT",
    ),
    "a document without a name among others": Bad(
        "judgments",
        "r",
        "1 qid:1 # a\n0 qid:1 1:2\n",
        'r:2: query "1": the document id is empty',
    ),
    "a list as a run": Bad(
        "run",
        "r",
        "1 qid:1 # a\n",
        "r: a list for learning to rank holds judgments; to load scores of its rows:"
        " ndcg-sql load run SCORES --rows-of LIST",
    ),
    "too few scores": Bad(
        "run", "r", "0.5\n", "r: 1 score, but list has 3 rows", ("--rows-of", "list")
    ),
    "a score of another query": Bad(
        "run",
        "r",
        "q\t0\t1\nr\t1\t2\nq\t2\t3\n",
        "r:2: the line has another form than a score, or query, index and score with"
        " the query of the list's row",
        ("--rows-of", "list"),
    ),
    "a score that is none": Bad(
        "run",
        "r",
        "1\nnan\n3\n",
        'r:2: query "q", document "e": score "nan" is not a number',
        ("--rows-of", "list"),
    ),
    "groups and a query": Bad(
        "judgments",
        "r",
        "1 1:0.5\n",
        "--groups: the queries are numbered by it; leave --query out",
        ("--groups", "groups", "--query", "q"),
    ),
    "groups of no list": Bad(
        "run",
        "r",
        RUN,
        "--groups: of which list? say --rows-of LIST",
        ("--groups", "groups"),
    ),
    "a column twice": Bad(
        "run",
        "r.csv",
        "a,b,score\n1,2,3\n",
        '--column doc_id: column "a" is taken already; a column of the file can mean'
        " one thing only",
        ("--column", "query_id=a", "--column", "doc_id=a"),
    ),
    "an attribute of an odd name": Bad(
        "queries",
        "r.csv",
        "query_id,\nq,1\n",
        'r.csv: attribute "": a name has 1 to 200 characters; rename the column',
    ),
    "judgments as a run": Bad(
        "run",
        "r.csv",
        "query_id,doc_id,grade\nq,d,1\n",
        "r.csv: no column for the score; it looks like judgments: ndcg-sql load"
        " judgments FILE",
    ),
}


@pytest.mark.parametrize("case", BAD.values(), ids=BAD)
def test_a_bad_file_is_refused_in_its_words(
    ndcg: Command, loaded: Path, case: Bad
) -> None:
    Path(case.name).write_text(case.content)
    Path("groups").write_text("2\n1\n")
    Path("list").write_text("1 qid:q # d\n0 qid:q # e\n2 qid:q # f\n")
    before = digest(loaded)
    result = ndcg("load", case.kind, case.name, *case.options)
    assert result.err.splitlines()[0] == case.message
    assert (result.code, result.out) == (2, "")
    assert digest(loaded) == before


def test_any_bytes_as_json_are_refused_or_read_as_python_reads_them(
    memory: Warehouse, tmp_path: Path
) -> None:
    chance = Random(11)
    whole = GOOD.strip() + "\n" + GOOD.replace('"d"', "12").strip()
    for n in range(150):
        text = list(whole)
        for _ in range(chance.randint(1, 3)):
            text[chance.randrange(len(text))] = chance.choice('{}[]",:01e.-nq \\\n')
        path = tmp_path / "r.jsonl"
        path.write_text("".join(text))
        try:
            found = loaded_run(memory, path)
        except NdcgSqlError:
            continue
        read = [
            json.loads(line) for line in path.read_text().split("\n") if line.strip()
        ]
        assert {(q, d, s) for q, d, _, s in found} == {
            (str(row["query_id"]), str(row["doc_id"]), float(row["score"]))
            for row in read
        }, n


def stored(sql: str) -> list[tuple[Any, ...]]:
    """Return rows of the warehouse in the current directory."""
    with duckdb.connect("ndcg.duckdb", read_only=True) as connection:
        return connection.execute(sql).fetchall()


QUERIES = "select query_id, text, weight from queries order by 1"
ATTRIBUTES = "select query_id, attribute, value from query_attributes order by all"


def test_queries_come_as_json_lines_of_beir(ndcg: Command, loaded: Path) -> None:
    rows: list[Any] = [
        {"_id": "q1", "text": "one", "metadata": {"a": 1}, "device": "phone"},
        {"_id": 2, "text": "two", "metadata": {}, "new": True, "weight": 0.5},
    ]
    (loaded.parent / "queries.jsonl").write_text(lines(rows))
    result = ndcg("load", "queries", "queries.jsonl")
    assert result.err.splitlines() == [
        'loaded 2 queries of dataset "default"',
        'left out "metadata": an attribute is one text or number',
    ]
    assert stored(QUERIES) == [("2", "two", 0.5), ("q1", "one", None)]
    assert stored(ATTRIBUTES) == [("2", "new", "true"), ("q1", "device", "phone")]


def test_queries_come_as_json_by_id_and_as_parquet(ndcg: Command, loaded: Path) -> None:
    (loaded.parent / "q.json").write_text('{"q1": "one"}')
    result = ndcg("load", "queries", "q.json")
    assert result.err == 'loaded 1 query of dataset "default"\n'
    assert stored(QUERIES) == [("q1", "one", None)]
    duckdb.execute(
        "copy (select 5 as country, 'uno' as text, 'q1' as query_id, [1] as list,"
        f" 0.1::float as weight) to '{loaded.parent}/q.parquet' (format parquet)"
    )
    result = ndcg("load", "queries", "q.parquet")
    assert 'left out "list": an attribute is one text or number' in result.err
    assert stored(QUERIES) == [("q1", "uno", 0.10000000149011612)]
    assert stored(ATTRIBUTES) == [("q1", "country", "5")]


def test_queries_of_ms_marco_have_no_header(ndcg: Command, loaded: Path) -> None:
    (loaded.parent / "queries.tsv").write_text('1\twhat is "x"\n2\ttwo\n')
    assert ndcg("load", "queries", "queries.tsv", "--format-in", "msmarco").code == 0
    assert stored(QUERIES) == [("1", 'what is "x"', None), ("2", "two", None)]


def test_queries_of_an_unknown_dataset_are_loaded_with_a_warning(
    ndcg: Command, loaded: Path
) -> None:
    (loaded.parent / "q.csv").write_text("query_id,text\nq1,one\n")
    result = ndcg("load", "queries", "q.csv", "--dataset", "shopp")
    assert result.code == 0
    assert result.err.splitlines() == [
        'loaded 1 query of dataset "shopp"',
        'warning: dataset "shopp" has no judgments and no runs yet; is its name'
        " misspelt?",
    ]
    assert stored("select dataset from queries") == [("shopp",)]


LIST = "2 qid:b 1:1\n# comment\n0 qid:b 1:2\n\n1 qid:a 1:3\n"


@pytest.mark.parametrize(
    "scores", ["0.5\n0.75\n-1\n", "b\t0\t0.5\nb\t1\t0.75\n\na\t0\t-1\n"]
)
def test_scores_belong_to_the_rows_of_a_list(
    ndcg: Command, tmp_path: Path, scores: str
) -> None:
    (tmp_path / "list").write_text(LIST)
    (tmp_path / "scores").write_text(scores)
    assert ndcg("load", "judgments", "list").code == 0
    assert ndcg("load", "run", "scores", "--rows-of", "list").code == 0
    sql = "select query_id, doc_id, {} order by 1, 2"
    assert stored(sql.format("grade from judgments")) == [
        ("a", "3", 1.0),
        ("b", "1", 2.0),
        ("b", "2", 0.0),
    ]
    assert stored(sql.format("position, score from rankings")) == [
        ("a", "3", 1, -1.0),
        ("b", "1", 2, 0.5),
        ("b", "2", 1, 0.75),
    ]


@pytest.mark.parametrize("seed", range(3))
def test_groups_give_the_rows_the_queries_that_they_had(
    ndcg: Command, tmp_path: Path, seed: int
) -> None:
    chance = Random(seed)
    sizes = [chance.randrange(1, 9) for _ in range(30)]
    rows = [
        (str(q), chance.randrange(4)) for q, n in enumerate(sizes, 1) for _ in range(n)
    ]
    (tmp_path / "qid").write_text("".join(f"{g} qid:{q} 1:1\n" for q, g in rows))
    (tmp_path / "bare").write_text("".join(f"{g} 1:1\n" for _, g in rows))
    (tmp_path / "bare.csv").write_text("".join(f"0.5,{g}\n" for _, g in rows))
    (tmp_path / "groups").write_text("".join(f"{size}\n" for size in sizes))
    assert ndcg("load", "judgments", "qid", "--name", "qid").code == 0
    for name, more in (("bare", []), ("bare.csv", ["--column", "grade=2"])):
        options = ["--groups", "groups", "--name", name, *more]
        assert ndcg("load", "judgments", name, *options).code == 0
    sql = "select query_id, doc_id, grade from judgments where judgment_set_id = {}"
    sets = [stored(sql.format(n) + " order by all") for n in (1, 2, 3)]
    assert sets[0] == sets[1] == sets[2]
    assert len(sets[0]) == len(rows)


def test_what_is_stored_otherwise_is_other_content(
    ndcg: Command, tmp_path: Path
) -> None:
    """Loading again is nothing to do only if all that counts is the same."""
    (tmp_path / "r.res").write_text("d\ne\n")
    given = ("load", "run", "r.res", "--positions", "given", "--query")
    assert ndcg(*given, "1").code == 0
    assert ndcg(*given, "1").err.endswith("nothing to do\n")
    assert "already there with other content" in ndcg(*given, "2").err
    (tmp_path / "list").write_text(LIST)
    (tmp_path / "scores").write_text("1\n2\n3\n")
    scores = ("load", "run", "scores", "--rows-of", "list")
    assert ndcg(*scores).code == 0
    assert ndcg(*scores).err.endswith("nothing to do\n")
    (tmp_path / "list").write_text(LIST.replace("qid:a", "qid:c"))
    assert "already there with other content" in ndcg(*scores).err
    (tmp_path / "bare").write_text("1 1:1\n0 1:1\n")
    (tmp_path / "groups").write_text("2\n")
    grouped = ("load", "judgments", "bare", "--groups", "groups")
    assert ndcg(*grouped).code == 0
    assert ndcg(*grouped).err.endswith("nothing to do\n")
    (tmp_path / "groups").write_text("1\n1\n")
    assert "already there with other content" in ndcg(*grouped).err


def test_eval_takes_the_options_that_its_messages_advise(
    ndcg: Command, tmp_path: Path
) -> None:
    (tmp_path / "j.csv").write_text("q,d,g\nq1,a,Yes\nq1,b,No\n")
    (tmp_path / "r.tsv").write_text("q1\tb\t1\nq1\ta\t2\n")
    columns = [f"--column={c}" for c in ("query_id=q", "doc_id=d", "grade=g")]
    labels = ["--label", "Yes=1", "--label", "No=-0"]
    result = ndcg(
        *("eval", "j.csv", "r.tsv", *columns, *labels, "--positions", "given"),
        *("-m", "RR", "--format", "csv"),
    )
    assert result.code == 0, result.err
    assert ",RR,0.5," in result.out


def test_runs_and_judgments_that_changed_places_are_told(
    ndcg: Command, tmp_path: Path
) -> None:
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)
    result = ndcg("eval", "run", "qrels")
    assert result.code == 2
    assert result.err.endswith("(eval takes the judgments first).\n")


def test_a_grade_of_no_label_is_never_a_negative_zero(
    ndcg: Command, tmp_path: Path
) -> None:
    (tmp_path / "j").write_text("q 0 a No\n")
    assert ndcg("load", "judgments", "j", "--label", "No=-0").code == 0
    ((grade,),) = stored("select cast(grade as varchar) from judgments")
    assert grade == "0.0"


def test_all_labels_without_a_grade_are_listed_together(
    ndcg: Command, tmp_path: Path
) -> None:
    rows = "".join(f"q 0 d{n} L{n % 15:02}\n" for n in range(60))
    (tmp_path / "j").write_text(rows)
    result = ndcg("load", "judgments", "j", "--label", "L03=1")
    last = result.err.splitlines()[-1]
    assert last.startswith("56 bad lines of 60; nothing was loaded. Not numbers: ")
    assert all(f'"L{n:02}"' in last for n in range(15) if n != 3)
    assert '"L03"' not in last


def test_a_first_row_without_a_header_may_begin_with_a_hash(ndcg: Command) -> None:
    Path("h.csv").write_text("#a,d1,3\nq1,d1,2\nq1,d2,1\n")
    columns = ("query_id=1", "doc_id=2", "score=3")
    named = [part for column in columns for part in ("--column", column)]
    result = ndcg("load", "run", "h.csv", *named)
    assert (result.code, result.err) == (
        0,
        'loaded run "h": 2 queries, 3 documents; no judgments yet\n',
    )


def test_scores_in_another_order_than_their_list_are_refused(ndcg: Command) -> None:
    Path("list").write_text("2 qid:1 1:0.5\n0 qid:1 1:0.1\n1 qid:2 1:3\n")
    Path("good").write_text("1\t0\t0.5\n1\t1\t0.7\n2\t0\t3\n")
    Path("swapped").write_text("1\t1\t0.5\n1\t0\t0.7\n2\t0\t3\n")
    assert ndcg("load", "run", "good", "--rows-of", "list").code == 0
    result = ndcg("load", "run", "swapped", "--rows-of", "list")
    assert result.code == 2
    assert "swapped:1: " in result.err
    assert "2 bad lines of 3; nothing was loaded" in result.err
