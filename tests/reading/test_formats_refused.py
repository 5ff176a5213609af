"""Files of other formats that are refused: each in its words, at its line."""

import json
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from support import exploring
from support.commands import Command
from support.files import QRELS, digest
from support.ways_in import loaded_run


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


IDS = "ids are text or integers"
COMMA = "Expecting ',' delimiter"
CORRECT = "; correct it and load it again"
TWICE = "the key {} occurs twice in an object"
BAD = {
    "cut line": json_line(GOOD[:-4], "not JSON: Expecting value at character 42"),
    "no JSON": json_line("q Q0 d 1 1 t", "not JSON: Expecting value at character 1"),
    "no object": json_line("[1]", "not a JSON object"),
    "two objects": json_line("{} {}", "not JSON: Extra data at character 4"),
    "deep": json_line("[" * 100000, "JSON nested too deeply"),
    "key twice": json_line('{"a": 1, "a": 1}', TWICE.format('"a"')),
    "no query": json_line('{"doc_id": "d"}', "the query id is empty"),
    "no document": json_line(
        '{"query_id": "q"}', 'query "q": the document id is empty'
    ),
    "no score": json_line(
        '{"query_id": "q", "doc_id": "e"}',
        'query "q", document "e": score "" is not a number',
    ),
    "fraction as an id": json_line(
        '{"query_id": 1.0, "doc_id": "e", "score": 1}', f"the query_id is 1.0; {IDS}"
    ),
    "true as an id": json_line(
        '{"query_id": "q", "doc_id": true, "score": 1}',
        "the doc_id is true; expected text or a number",
    ),
    "list of lists": json_line(
        '{"query_id": "q", "results": [["e", 1]]}',
        '"results": expected ids of documents, or objects with an id',
    ),
    "list by query with a document twice": Bad(
        "judgments",
        "r.json",
        '{"q": ["e"],\n"p": ["e", "e"]}',
        'r.json: item 2: query "p", document "e": already on item 2',
        ("--grade", "1"),
    ),
    "lists by column": document(
        '{"query_id": ["q"], "doc_id": ["e"], "grade": [1]}',
        ": one object with a list for each column; write a list with an object for"
        " each row",
    ),
    "text list with a document twice": Bad(
        "run",
        "r",
        "q\ta,b\np\ta,a\n",
        'r:2: query "p", document "a": already on line 2',
    ),
    "text list of a query twice": Bad(
        "run",
        "r",
        "q\ta,b\nq\tc,a\n",
        'r:2: query "q", document "a": already on line 1',
    ),
    "text list without a tab": Bad(
        "run",
        "r",
        "q\ta,b\nq c\n",
        "r:2: malformed line, expected query<TAB>document,document,...",
    ),
    "text list with nothing between commas": Bad(
        "run", "r", "q\ta,,b\n", 'r:1: query "q": the document id is empty'
    ),
    "list as a score": json_line(
        '{"query_id": "q", "doc_id": "e", "score": [1]}',
        "the score is a list or an object; expected text or a number",
    ),
    "NUL": json_line(
        '{"query_id": "q\\u0000", "doc_id": "e", "score": 1}',
        "the query_id contains a NUL",
    ),
    "half a character": json_line(
        '{"query_id": "q\\ud800", "doc_id": "e", "score": 1}',
        "the query_id contains half a character (a lone surrogate)",
    ),
    "document twice": json_line(GOOD, 'query "q", document "d": already on line 1'),
    "document twice on one line": document(
        f"[{GOOD.strip()},{GOOD.strip()}]",
        ': item 2: query "q", document "d": already on item 1',
        "run",
    ),
    "document that ends": document(
        '{"q": {"d": 1},\n',
        ":2: not JSON: Expecting property name enclosed in double quotes at character 1"
        + CORRECT,
    ),
    "document without a comma": document(
        '{"q": {"d": 1\n"e": 2}}',
        f":2: not JSON: Expecting ',' delimiter at character 1{CORRECT}",
    ),
    "document and more": document(
        '{"q": {"d": 1}}\n]', f":2: not JSON: Extra data at character 1{CORRECT}"
    ),
    "query twice": document(
        '{"q": {"d": 1},\n"q": {"e": 1}}',
        f": {TWICE.format(chr(34) + 'q' + chr(34))}{CORRECT}",
    ),
    "list that ends": document("[{}", f":1: not JSON: {COMMA} at character 4{CORRECT}"),
    "list and more": document(
        "[]\n]", f":2: not JSON: Extra data at character 1{CORRECT}"
    ),
    "list with a comma at its end": document(
        '[{"query_id": "q"},]',
        f":1: not JSON: Expecting value at character 20{CORRECT}",
    ),
    "key twice in a list": document(
        '[{}, {"a": 1, "a": 2}]',
        f": item 2: {TWICE.format(chr(34) + 'a' + chr(34))}{CORRECT}",
    ),
    "no documents": document(
        '{"q": {"d": 1},\n"r": 2}',
        ': item 2: query "r": expected a grade of each document',
    ),
    "list of numbers": document("[\n1\n]", ": item 1: not a JSON object"),
    "OpenSearch without ratings": document(
        '{"judgmentRatings": [\n{"query": "q"}]}', ': item 1: "ratings" is not a list'
    ),
    "ranks without scores": Bad(
        "run",
        "r.tsv",
        "q\td\t1\n",
        "r.tsv: no column for the score; to use its ranks: --positions given",
    ),
    "rows of no query": Bad(
        "judgments",
        "r",
        "1 1:0.5\n0 1:0.25\n",
        "r: names no queries; name its query: --query ID",
    ),
    "rows of no query in place of clicks": Bad(
        "clicks", "r", "1 1:0.5\n", "r: names no queries; is this the right file?"
    ),
    "queries and --query": Bad(
        "judgments",
        "r",
        QRELS,
        "r: names its queries; omit --query",
        ("--query", "q"),
    ),
    "a line of another form": Bad(
        "judgments",
        "r",
        "1 qid:1 1:0.5\n0 qid:1 half\n",
        "r:2: malformed line, expected grade qid:QUERY feature:value... # DOCUMENT",
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
        " ndcg-sql load run SCORES --rows-of r",
    ),
    "too few scores": Bad(
        "run", "r", "0.5\n", "r: 1 score, but list has 3 rows", ("--rows-of", "list")
    ),
    "a score of another query": Bad(
        "run",
        "r",
        "q\t0\t1\nr\t1\t2\nq\t2\t3\n",
        "r:2: malformed line, expected a score, or query, index and score with"
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
    "a column twice": Bad(
        "run",
        "r.csv",
        "a,b,score\n1,2,3\n",
        '--column doc_id: column "a" is already used; a column of the file can have'
        " only one meaning",
        ("--column", "query_id=a", "--column", "doc_id=a"),
    ),
    "an attribute of an odd name": Bad(
        "queries",
        "r.csv",
        "query_id,\nq,1\n",
        'r.csv: attribute "": a name has 1 to 200 characters; rename the column',
    ),
}


@pytest.mark.parametrize("case", exploring.sampled(BAD.values(), 2), ids=BAD)
def test_a_bad_file_is_refused_in_its_words(
    ndcg: Command, loaded: Path, case: Bad
) -> None:
    Path(case.name).write_text(case.content)
    Path("list").write_text("1 qid:q # d\n0 qid:q # e\n2 qid:q # f\n")
    before = digest(loaded)
    result = ndcg("load", case.kind, case.name, *case.options)
    assert result.err.splitlines()[0] == case.message
    assert (result.code, result.out) == (2, "")
    assert digest(loaded) == before


@pytest.mark.slow
@pytest.mark.parametrize("times", [exploring.amount(25, 150)])
def test_any_bytes_as_json_are_refused_or_read_as_python_reads_them(
    memory: Database, tmp_path: Path, times: int
) -> None:
    chance = Random(11)
    whole = GOOD.strip() + "\n" + GOOD.replace('"d"', "12").strip()
    for n in range(times):
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
