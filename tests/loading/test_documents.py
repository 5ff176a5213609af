"""Titles, addresses and attributes of documents."""

import json
from pathlib import Path

import pytest

from support import exploring
from support.commands import Command
from support.files import shown
from support.refusals import remedy

BEIR = (
    {"_id": "a", "title": "A  title\n", "text": "x", "metadata": {"url": "m"}},
    {"_id": "7", "title": "", "text": "word " * 40},
    {"_id": "c", "title": None},
)
LONG = "word " * 19 + "word…"
ALL = "select doc_id, title, url from documents order by doc_id"


@pytest.mark.slow
@pytest.mark.usefixtures("loaded")
@pytest.mark.parametrize(
    ("name", "text"),
    exploring.sampled(
        [
            ("corpus.jsonl", "".join(json.dumps(row) + "\n" for row in BEIR)),
            ("corpus.json", json.dumps(BEIR)),
            ("corpus.csv", f'id,text,title\na,x,"A title"\n7,{"word " * 40},\nc,,\n'),
            ("corpus.tsv", f"pid\tname\tlink\na\tA title\t\n7\t{LONG}\t\nc\t\t\n"),
        ],
        2,
    ),
    ids=["BEIR", "JSON", "CSV", "TSV"],
)
def test_documents_are_loaded(ndcg: Command, name: str, text: str) -> None:
    Path(name).write_text(text)
    result = ndcg("load", "documents", name)
    told = 'loaded 3 documents of dataset "default"\n'
    if "metadata" in text:
        told += 'omitted "metadata": an attribute is a single text or number\n'
    assert result.err == told
    expected = [("7", LONG, None), ("a", "A title", None), ("c", None, None)]
    assert shown(ALL) == expected
    # The same file again changes nothing.
    assert ndcg("load", "documents", name).code == 0
    assert shown(ALL) == expected


@pytest.mark.slow
@pytest.mark.usefixtures("loaded")
def test_documents_change_only_when_replaced(ndcg: Command) -> None:
    Path("old.csv").write_text("doc_id,title,url\na,A,u\nb,B,\n")
    Path("new.csv").write_text("doc_id,title,url\nc,C,\na,A,v\n")
    assert ndcg("load", "documents", "old.csv").code == 0
    assert ndcg("load", "documents", "new.csv").refusal == (
        'new.csv:3: document "a" is stored with another url; to replace the documents'
        ' of dataset "default": --replace\n'
    )
    assert shown(ALL) == [("a", "A", "u"), ("b", "B", None)]
    told = ndcg("load", "documents", "new.csv", "--replace").err
    assert told == 'loaded 2 documents of dataset "default", which replace the others\n'
    assert shown(ALL) == [("a", "A", "v"), ("c", "C", None)]
    removed = ndcg("remove", "dataset", "default").err
    assert removed.endswith(", 2 documents\n")
    assert shown(ALL) == []


@pytest.mark.usefixtures("loaded")
def test_ids_alone_are_a_catalogue(ndcg: Command) -> None:
    Path("ids.csv").write_text("item_id\na\nb\n")
    told = ndcg("load", "documents", "ids.csv").err
    assert told == 'loaded 2 documents of dataset "default"\n'
    assert shown(ALL) == [("a", None, None), ("b", None, None)]


ATTRIBUTES = "select doc_id, attribute, attribute_value from document_attributes"


@pytest.mark.usefixtures("loaded")
def test_further_columns_are_attributes(ndcg: Command) -> None:
    Path("a.csv").write_text("sku,category,price\na,tents,9.50\nb,,3\n")
    told = ndcg("load", "documents", "a.csv", "--column", "doc_id=sku").err
    assert told == (
        'loaded 2 documents of dataset "default"; attributes: category, price\n'
    )
    stored = {("a", "category", "tents"), ("a", "price", "9.50"), ("b", "price", "3")}
    assert set(shown(ATTRIBUTES)) == stored
    # A title comes later; other attributes and documents stay as they are.
    rows = [
        {"doc_id": "b", "title": "B", "category": "ropes", "sizes": [1, 2]},
        {"doc_id": "c", "title": "C", "category": "tents"},
    ]
    Path("b.json").write_text(json.dumps(rows))
    told = ndcg("load", "documents", "b.json").err
    assert told == (
        'loaded 2 documents of dataset "default"; attribute: category\n'
        'omitted "sizes": an attribute is a single text or number\n'
    )
    stored |= {("b", "category", "ropes"), ("c", "category", "tents")}
    assert set(shown(ATTRIBUTES)) == stored
    assert shown(ALL) == [("a", None, None), ("b", "B", None), ("c", "C", None)]
    # What a file says of a document's attribute replaces what was known of it.
    Path("c.csv").write_text("doc_id,category\na,\n")
    assert ndcg("load", "documents", "c.csv").code == 0
    assert set(shown(ATTRIBUTES)) == stored - {("a", "category", "tents")}
    told = ndcg("load", "documents", "c.csv", "--replace").err
    assert told.endswith("which replace the others; attribute: category\n")
    assert shown(ATTRIBUTES) == []
    assert shown(ALL) == [("a", None, None)]


HEADER = "doc_id,title\n"
BAD = {
    "twice": (HEADER + "a,A\na,B\n", 'd.csv:3: document "a": already on line 2', 2),
    "no id": (HEADER + ",A\n", "d.csv:2: the document id is empty", 1),
    "fields": (HEADER + "a,A,B\n", "d.csv:2: 3 fields, expected 2 as in the header", 1),
    "column twice": (
        "doc_id,price,price\na,1,2\n",
        'd.csv: several columns are named "price"; rename one',
        0,
    ),
    "no column": (
        "price,title\na,1\n",
        'd.csv: no column for "doc_id"; the header has "price", "title"; name it:'
        " --column doc_id=NAME",
        0,
    ),
}


@pytest.mark.usefixtures("loaded")
@pytest.mark.parametrize(("text", "message", "rows"), BAD.values(), ids=BAD)
def test_bad_documents_are_refused(
    ndcg: Command, text: str, message: str, rows: int
) -> None:
    Path("d.csv").write_text(text)
    result = ndcg("load", "documents", "d.csv")
    lines = [message, remedy(1, rows)] if rows else [message]
    assert (result.code, result.err.splitlines()) == (2, lines)
    assert shown(ALL) == []


@pytest.mark.slow
@pytest.mark.usefixtures("loaded")
def test_titles_stand_beside_ids(ndcg: Command) -> None:
    explain = ("explain", "base", "q1")
    commands = (explain, (*explain, "-m", "AP"), ("holes",), ("pool",))
    for command in commands:
        asked = (
            "--format",
            "json",
            *(("-o", "pool.json", "--force") if "pool" in command else ()),
        )
        out = ndcg(*command, *asked).out or Path("pool.json").read_text()
        assert json.loads(out)
        assert "title" not in out
    Path("d.csv").write_text("doc_id,title\na,An apple\nu,An unknown\n")
    ndcg("load", "documents", "d.csv")
    for command in commands:
        asked = (
            "--format",
            "json",
            *(("-o", "pool.json", "--force") if "pool" in command else ()),
        )
        out = ndcg(*command, *asked).out or Path("pool.json").read_text()
        titles = {row["doc_id"]: row["title"] for row in json.loads(out)}
        assert titles["u"] == "An unknown"
    drawn = ndcg("explain", "base", "q1").out.splitlines()
    assert drawn[0].split()[:4] == ["position", "document", "title", "grade"]
    assert "An apple" in drawn[3]


# Files of interactions, and the command that loads them.
INTERACTIONS = {
    "ratings": (
        "user_id,item_id,rating\nu1,i1,3\nu2,i2,4\n",
        "load judgments seen.csv",
    ),
    "scores": ("user_id,item_id,score\nu1,i1,3\nu2,i2,4\n", "load run seen.csv"),
    "pairs": ("user_id,item_id\nu1,i1\nu2,i2\n", "load judgments seen.csv --grade 1"),
}


@pytest.mark.parametrize("case", INTERACTIONS)
def test_interactions_are_no_documents(ndcg: Command, case: str) -> None:
    text, way = INTERACTIONS[case]
    Path("seen.csv").write_text(text)
    told = ndcg("load", "documents", "seen.csv")
    documents = "--column doc_id=item_id"
    assert told.refusal.startswith("seen.csv: each row has a query or user and a ")
    assert f"\nif this is right: ndcg-sql {way}\n" in told.err
    assert told.err.endswith(
        "\notherwise, if users know these documents already: ndcg-sql load known"
        f" seen.csv; if each row describes a document: {documents}\n"
    )
    documents = f"load documents seen.csv {documents}"
    for command in (way, "load known seen.csv", documents):
        assert ndcg(*command.split()).code == 0
