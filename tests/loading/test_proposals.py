"""A refused file is told for what it is, with the command that loads it."""

from pathlib import Path

import pytest

from support import exploring
from support.commands import Command

LISTS = '{"u1": ["a", "b"]}'
COUNTED = "query_id;doc_id;Punkte;Punkte\nq;a;3;1\nq;b;2;2\n"
# A command, the file that it refuses, and what it says of it.
PROPOSED: dict[str, tuple[str, str, str]] = {
    "results without a query": (
        "load run r.json",
        '{"results": [{"id": "a", "score": 2}]}',
        "if all rows are of one query: --query ID",
    ),
    "lists that may be rankings": (
        "load judgments f.json",
        LISTS,
        "f.json: lists of documents without grades; if all of them are relevant:"
        " --grade 1; if they are rankings: ndcg-sql load run f.json",
    ),
    "lists of recommendations": (
        "load judgments f.jsonl",
        '{"user_id": "u1", "recommendations": ["a", "b"]}\n',
        "if this is right: ndcg-sql load run f.jsonl --column doc_id=recommendations",
    ),
    "ranks with commas": (
        "load run f.csv",
        "query_id;doc_id;Rank\nq;a;1,0\nq;b;2,0\n",
        "ndcg-sql load run f.csv --positions given --decimal ,",
    ),
    "columns that only one file of eval has": (
        "eval f.json r.json",
        '[{"question": "q", "golden": ["a"]}]',
        "if this is right: --column query_id=question --column doc_id=golden\n"
        "if no other file has these columns: ndcg-sql load judgments f.json",
    ),
    "engines and categories for assessments": (
        "load assessments f.csv",
        "query;doc;bm25;dense;kind\nq;a;1.3;2.4;bag\nq;b;1.2;2.1;hat\n",
        '"kind"; name it: --column grade=NAME',
    ),
    "one word among numbers": (
        "load judgments f.csv",
        "query_id,doc_id,grade\nq,a,3\nq,b,2\nq,c,abc\nq,d,1\n",
        "1 bad line of 4; nothing was loaded. Correct the file and load it again.",
    ),
    "two lines without a header": (
        "load judgments f.csv",
        "q,a,3\nq,b,2\n",
        "--column query_id=1 --column doc_id=2 --column grade=3",
    ),
    "decimal commas without a header": (
        "load run f.csv",
        "q;a;3,5\nq;b;2,5\n",
        "--decimal , --column query_id=1 --column doc_id=2 --column score=3",
    ),
    "columns of one name": (
        "load run f.csv",
        COUNTED,
        "f.csv: no column for the score; name it: --column score=NAME, or use the order"
        " of the rows: --positions given",
    ),
    "judgments of TREC called CSV": (
        "load judgments f.csv",
        "q 1 a 1\nq 1 b 0\n",
        "if this is right: ndcg-sql load judgments f.csv --format-in trec",
    ),
    "decimal commas of TREC called CSV": (
        "load run f.csv",
        "q Q0 a 1 2,5 t\nq Q0 b 2 1,5 t\n",
        "if this is right: ndcg-sql load run f.csv --decimal ,",
    ),
    "a name that is nearly that of a file": (
        "load run f.cvs",
        "query_id,doc_id,score\n",
        'f.cvs: no such file; did you mean "f.csv"?',
    ),
}


@pytest.mark.parametrize("case", exploring.sampled(PROPOSED, 4))
def test_a_refused_file_is_told_for_what_it_is(ndcg: Command, case: str) -> None:
    command, content, said = PROPOSED[case]
    words = command.split()
    name = words[1] if words[0] == "eval" else words[2]
    Path(name.replace(".cvs", ".csv")).write_text(content)
    Path("r.json").write_text(content.replace("golden", "retrieved"))
    assert said in ndcg(*words).refusal
