"""What is known of queries comes from every format of its own."""

import shlex
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ndcg_sql.python.warehouse import Warehouse
from support import exploring
from support.commands import Command
from support.files import json_lines, stored

pytestmark = pytest.mark.mostly_slow

QUERIES = "select query_id, text, weight from queries order by 1"
ATTRIBUTES = (
    "select query_id, attribute, attribute_value from query_attributes order by all"
)


@pytest.mark.usefixtures("loaded")
def test_queries_come_as_json_lines_of_beir(ndcg: Command) -> None:
    rows: list[Any] = [
        {"_id": "q1", "text": "one", "metadata": {"a": 1}, "device": "phone"},
        {"_id": 2, "text": "two", "metadata": {}, "new": True, "weight": 0.5},
    ]
    Path("queries.jsonl").write_text(json_lines(rows))
    result = ndcg("load", "queries", "queries.jsonl")
    assert result.err.splitlines() == [
        'loaded 2 queries of dataset "default"; attributes: device, new',
        'omitted "metadata": an attribute is a single text or number',
        "warning: 1 of these queries is in no run and no judgment set of the dataset:"
        ' "2"',
    ]
    assert stored(QUERIES) == [("2", "two", 0.5), ("q1", "one", None)]
    assert stored(ATTRIBUTES) == [("2", "new", "true"), ("q1", "device", "phone")]


def test_queries_come_as_json_by_id_and_as_parquet(ndcg: Command, loaded: Path) -> None:
    Path("q.json").write_text('{"q1": "one"}')
    result = ndcg("load", "queries", "q.json")
    assert result.err == 'loaded 1 query of dataset "default"\n'
    assert stored(QUERIES) == [("q1", "one", None)]
    duckdb.execute(
        "copy (select 5 as country, 'uno' as text, 'q1' as query_id, [1] as list,"
        f" 0.1::float as weight) to '{loaded.parent}/q.parquet' (format parquet)"
    )
    result = ndcg("load", "queries", "q.parquet")
    assert 'omitted "list": an attribute is a single text or number' in result.err
    assert stored(QUERIES) == [("q1", "uno", 0.10000000149011612)]
    assert stored(ATTRIBUTES) == [("q1", "country", "5")]


@pytest.mark.quick
@pytest.mark.usefixtures("loaded")
def test_what_a_column_of_queries_became_is_told(ndcg: Command) -> None:
    Path("q.csv").write_text(
        "Query ID,Suchwort,Searches,Device,Country\nq1,x,2,app,AT\n"
    )
    named = ("--column", "text=Suchwort", "--column", "weight=Searches")
    told = ndcg("load", "queries", "q.csv", *named, "--column", "query_id=Query ID")
    assert told.err == (
        'loaded 1 query of dataset "default"; text: Suchwort; weight: Searches;'
        " attributes: Device, Country\n"
    )


def test_a_column_that_becomes_the_weight_is_no_attribute_any_longer(
    ndcg: Command, loaded: Path
) -> None:
    Path("q.csv").write_text(
        "query_id,Monthly searches,Visits,device\nq1,12,3,app\nq2,3.5,4,web\n"
    )
    Path("other.csv").write_text("query_id,Visits\nq3,5\n")
    load = ("load", "queries", "q.csv")
    assert ndcg("load", "queries", "other.csv").code == 0
    hint = ndcg(*load).err.splitlines()[1].partition("of a query: ")[2]
    assert hint == "--column 'weight=Monthly searches'"
    followed = ndcg(*load, *shlex.split(hint)).err.splitlines()
    assert followed[:2] == [
        'loaded 2 queries of dataset "default"; weight: Monthly searches; attributes:'
        " Visits, device",
        '"Monthly searches" is no attribute of them any longer',
    ]
    assert [row[::2] for row in stored(QUERIES)] == [
        ("q1", 12),
        ("q2", 3.5),
        ("q3", None),
    ]
    left = [("q1", "3"), ("q1", "app"), ("q2", "4"), ("q2", "web"), ("q3", "5")]
    assert [row[::2] for row in stored(ATTRIBUTES)] == left
    # Another column is the weight: the first is an attribute again, and the second
    # none, but of a query of another file.
    with Warehouse(loaded) as warehouse:
        told = warehouse.load_queries("q.csv", columns={"weight": "Visits"})
    assert '"Visits" is no attribute of them any longer' in told.text
    assert [row[::2] for row in stored(QUERIES)] == [("q1", 3), ("q2", 4), ("q3", None)]
    left = [("q1", "12"), ("q1", "app"), ("q2", "3.5"), ("q2", "web"), ("q3", "5")]
    assert [row[::2] for row in stored(ATTRIBUTES)] == left
    assert "no attribute" not in ndcg(*load, "--column", "weight=Visits").err


@pytest.mark.quick
@pytest.mark.usefixtures("loaded")
def test_a_likely_text_and_weight_are_told(ndcg: Command) -> None:
    Path("q.csv").write_text(
        "query_id,Search term,Search type,Monthly searches,count,Term length\n"
        "q1,red shoe,web,12,many,8\nq2,tent,web,3.5,few,4\n"
    )
    load = ("load", "queries", "q.csv")
    _, hint, *_ = ndcg(*load).err.splitlines()
    options = "--column 'text=Search term' --column 'weight=Monthly searches'"
    assert hint == (
        'if "Search term" is the text and "Monthly searches" is the weight of a query:'
        f" {options}"
    )
    told = ndcg(*load, *shlex.split(options))
    assert (told.code, "if " in told.err) == (0, False)
    assert stored(QUERIES) == [("q1", "red shoe", 12.0), ("q2", "tent", 3.5)]


# Files of which something must be said, and the facts that are told.
ASKED = {
    "an id": ("search_term;device\nzelt;app\n", ["no column for"]),
    "decimal commas": (
        "search_term;weight\nzelt;2,5\nhut;1,5\n",
        ["no column for", "numbers have decimal commas, such as 2,5"],
    ),
}


@pytest.mark.quick
@pytest.mark.parametrize("case", ASKED)
@pytest.mark.usefixtures("loaded")
def test_what_queries_need_is_one_command(ndcg: Command, case: str) -> None:
    text, facts = ASKED[case]
    Path("my queries.csv").write_text(text)
    told = ndcg("load", "queries", "my queries.csv", "--replace")
    assert all(fact in told.refusal for fact in facts)
    command = told.err[told.err.index("ndcg-sql") :]
    assert command.startswith("ndcg-sql load queries 'my queries.csv' --replace --")
    assert ndcg(*shlex.split(command)[1:]).code == 0
    assert stored("select query_id from store.queries") == [
        (line.partition(";")[0],) for line in text.splitlines()[1:]
    ]


@pytest.mark.quick
@pytest.mark.usefixtures("loaded")
def test_queries_of_ms_marco_have_no_header(ndcg: Command) -> None:
    Path("queries.tsv").write_text('1\twhat is "x"\n2\ttwo\n')
    assert ndcg("load", "queries", "queries.tsv", "--format-in", "msmarco").code == 0
    assert stored(QUERIES) == [("1", 'what is "x"', None), ("2", "two", None)]


@pytest.mark.quick
@pytest.mark.usefixtures("loaded")
def test_queries_of_an_unknown_dataset_are_loaded_with_a_warning(ndcg: Command) -> None:
    Path("q.csv").write_text("query_id,text\nq1,one\n")
    result = ndcg("load", "queries", "q.csv", "--dataset", "shopp")
    assert result.code == 0
    assert result.err.splitlines() == [
        'loaded 1 query of dataset "shopp"',
        'warning: dataset "shopp" has no judgments and no runs yet; is its name'
        " misspelt?",
    ]
    assert stored("select dataset from queries") == [("shopp",)]


@pytest.mark.parametrize(
    "name", exploring.sampled(["query_id", "qid", "topic_id", "_id", "id"], 4)
)
@pytest.mark.usefixtures("loaded")
def test_a_column_query_beside_an_id_is_the_text(ndcg: Command, name: str) -> None:
    Path("q.csv").write_text(f"query,{name},device\nhow to,q1,phone\n")
    assert ndcg("load", "queries", "q.csv").code == 0
    assert stored(QUERIES) == [("q1", "how to", None)]
    assert stored(ATTRIBUTES) == [("q1", "device", "phone")]


@pytest.mark.parametrize(
    ("header", "queries", "attributes"),
    exploring.sampled(
        [
            ("query,device", [("q1", None, None)], [("q1", "device", "a")]),
            ("query,text", [("q1", "a", None)], []),
            ("query,id", [("a", "q1", None)], []),
            ("id,device", [("q1", None, None)], [("q1", "device", "a")]),
            ("id,query_id", [("a", None, None)], [("a", "id", "q1")]),
        ],
        2,
    ),
)
@pytest.mark.usefixtures("loaded")
def test_a_column_query_or_id_is_the_id_if_no_other_is(
    ndcg: Command, header: str, queries: list[Any], attributes: list[Any]
) -> None:
    Path("q.csv").write_text(f"{header}\nq1,a\n")
    assert ndcg("load", "queries", "q.csv").code == 0
    assert stored(QUERIES) == queries
    assert stored(ATTRIBUTES) == attributes


@pytest.mark.usefixtures("loaded")
def test_the_user_says_what_a_column_query_is(ndcg: Command) -> None:
    Path("q.csv").write_text("qid,query,words\n7,q1,how to\n")
    named = ("--column", "query_id=query", "--column", "text=words")
    assert ndcg("load", "queries", "q.csv", *named).code == 0
    assert stored(QUERIES) == [("q1", "how to", None)]
    assert stored(ATTRIBUTES) == [("q1", "qid", "7")]


def test_queries_replace_all_of_the_dataset(ndcg: Command, loaded: Path) -> None:
    folder = loaded.parent
    (folder / "old.csv").write_text("query_id,text,weight,device\nq1,a,2,x\nq2,b,3,y\n")
    (folder / "new.csv").write_text("query_id,language\nq1,en\n")
    for dataset in ("default", "other"):
        ndcg("load", "queries", "old.csv", "--dataset", dataset)
    assert ndcg("load", "queries", "new.csv").code == 0
    assert stored(QUERIES + " limit 1") == [("q1", "a", 2.0)]
    result = ndcg("load", "queries", "new.csv", "--replace")
    told = (
        'loaded 1 query of dataset "default", which replace the others; attribute:'
        " language\n"
    )
    assert (result.code, result.err) == (0, told)
    own = "where dataset = 'default'"
    assert stored(f"select query_id, text, weight from queries {own}") == [
        ("q1", None, None)
    ]
    assert stored(f"select attribute from query_attributes {own}") == [("language",)]
    # The other dataset is as it was.
    other = "where dataset = 'other'"
    assert stored(f"select count(*) from query_attributes {other}") == [(2,)]
    # A bad file replaces nothing.
    (folder / "bad.csv").write_text("query_id,weight\nq1,-1\n")
    assert ndcg("load", "queries", "bad.csv", "--replace").code == 2
    assert stored(f"select attribute from query_attributes {own}") == [("language",)]


@pytest.mark.parametrize(
    ("kind", "content", "told"),
    exploring.sampled(
        [
            (
                "queries",
                "query_id,text\nq1,a\n",
                "texts, weights and attributes of 1 query",
            ),
            (
                "documents",
                "doc_id,title\na,b\n",
                "titles, urls and attributes of 1 document",
            ),
        ],
        2,
    ),
)
@pytest.mark.usefixtures("loaded")
def test_queries_and_documents_are_removed_without_their_runs(
    ndcg: Command, kind: str, content: str, told: str
) -> None:
    before = ndcg("report").out
    Path("f.csv").write_text(content)
    assert ndcg("load", kind, "f.csv").code == 0
    result = ndcg("remove", kind)
    assert result.err == f'removed the {told} of dataset "default"\n'
    assert stored("select count(*) from store.queries") == [(0,)]
    assert stored("select count(*) from store.query_attributes") == [(0,)]
    assert stored("select count(*) from store.documents") == [(0,)]
    assert ndcg("report").out == before
    assert ndcg("remove", kind).refusal == (
        f'no {kind} were loaded into dataset "default"; ndcg-sql load {kind} FILE'
        " loads them\n"
    )
    assert 'no dataset "shop"' in ndcg("remove", kind, "--dataset", "shop").err


@pytest.mark.usefixtures("loaded")
def test_weighted_values_follow_the_weights(ndcg: Command) -> None:
    def weighted() -> list[tuple[object, ...]]:
        kept = "from store.stored_weighted_values order by all"
        computed = (
            "select run_id, judgment_set_id, measure, weighted_value, weighted_n"
            " from store.group_values where attribute is null and weighted_n > 0"
            " order by all"
        )
        assert stored(kept) == stored(computed)
        return stored("select distinct weighted_n from weighted_run_values")

    Path("two.csv").write_text("query_id,weight\nq1,3\nq2,0.1\n")
    Path("one.csv").write_text("query_id,weight\nq1,5\n")
    Path("texts.csv").write_text("query_id,text\nq1,lamp\n")
    assert weighted() == []
    for command, count in (
        (["load", "queries", "two.csv"], 2),
        (["load", "queries", "texts.csv"], 2),
        (["load", "queries", "one.csv", "--replace"], 1),
        (["measures", "add", "P@1"], 1),
        (["load", "queries", "two.csv"], 2),
    ):
        assert ndcg(*command).code == 0
        assert weighted() == [(count,)]
    assert ndcg("remove", "queries").code == 0
    assert weighted() == []


@pytest.mark.usefixtures("loaded")
def test_a_share_of_traffic_is_that_of_judged_queries(ndcg: Command) -> None:
    shares = "select query_id, weight, weight_share from main.queries order by 1"
    assert stored(shares) == [(query, None, None) for query in ("q1", "q2", "q3")]
    rows = "query_id,weight\nq1,3\nq2,1\nq3,96\n"
    Path("traffic.csv").write_text(rows)
    assert ndcg("load", "queries", "traffic.csv").code == 0
    # Queries of another dataset, and sets that judge the same ones, change nothing.
    assert ndcg("load", "queries", "traffic.csv", "--dataset", "other").code == 0
    Path("more").write_text("q1 0 c 1\n")
    assert ndcg("load", "judgments", "more").code == 0
    of_dataset = shares.replace("order", "where dataset = 'default' order")
    unjudged = ("q3", 96, None)
    assert stored(of_dataset) == [("q1", 3, 0.75), ("q2", 1, 0.25), unjudged]
    Path("none.csv").write_text("query_id,weight\nq1,0\nq2,0\n")
    assert ndcg("load", "queries", "none.csv", "--replace").code == 0
    assert stored(of_dataset)[:2] == [("q1", 0, None), ("q2", 0, None)]
