"""What a file needs is asked at once, and the command that is told loads it."""

import shlex
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from ndcg_sql.reading import profile
from support import exploring
from support.commands import Command
from support.files import stored

pytestmark = pytest.mark.mostly_slow

pd: Any = import_module("pandas")

EXPORT = "Search term;Product SKU;Engine;Points;Week;Country\n"
LABELS = "Search term;Product SKU;Verdict\n"


def week(number: int) -> str:
    """Return an export of two engines, with decimal commas."""
    random = Random(number)
    return EXPORT + "".join(
        f"zelt {query};p{document};{engine};{9 - place},{random.randrange(10, 99)};"
        f"W{number};{'AT' if query % 2 else 'DE'}\n"
        for engine in ("bm25", "dense")
        for query in range(4)
        for place, document in enumerate(random.sample(range(8), 5))
    )


def labels() -> str:
    words = ("Exact", "Substitute", "Irrelevant", "")
    return LABELS + "".join(
        f"zelt {query};p{document};{words[(query + document) % 4]}\n"
        for query in range(4)
        for document in range(8)
    )


def pasted(told: str) -> list[str]:
    """Return the arguments of the command that ends a message."""
    command = told[told.rindex("ndcg-sql load") :]
    return shlex.split(command)[1:]


def test_a_weeks_export_is_loaded_by_the_one_command_that_is_told(
    ndcg: Command,
) -> None:
    Path("export_W47.csv").write_text(week(47))
    Path("labels.csv").write_text(labels())
    asked = ndcg("load", "judgments", "labels.csv", "--dataset", "shop")
    assert '"Exact", "Irrelevant", "Substitute"' in asked.refusal
    assert ndcg(*pasted(asked.err)).code == 0
    asked = ndcg("load", "run", "export_W47.csv", "--dataset", "shop", "--tag", "a=b")
    assert asked.refusal.startswith('export_W47.csv: no column for "query_id", ')
    assert '- "Engine" tells runs apart: ' in asked.err
    told = ndcg(*pasted(asked.err))
    assert told.code == 0
    assert stored(
        "select dataset, name, tag_value from runs join run_tags using"
        " (run_id) order by name, tag"
    ) == [
        ("shop", "bm25", "b"),
        ("shop", "dense", "b"),
    ]
    assert stored(
        "select grade, count(*) from judgments group by grade order by 1"
    ) == [
        (-1.0, 8),
        (0.0, 8),
        (2.0, 8),
        (3.0, 8),
    ]


# The columns of assessments, of which the third names assessors, or none does.
ASSESSED = {
    "an assessor": "Query;Product;Who;Verdict",
    "what tells grades apart": "Query;Product;Nr;Verdict",
}


@pytest.mark.quick
@pytest.mark.parametrize("case", ASSESSED)
def test_assessments_are_asked_about_once(ndcg: Command, case: str) -> None:
    rows = "zelt;p1;ann;Good\nzelt;p1;bob;Bad\nzelt;p2;ann;Bad\nzelt;p2;bob;Good\n"
    Path("said.csv").write_text(f"{ASSESSED[case]}\n{rows}")
    asked = ndcg("load", "assessments", "said.csv", "--dataset", "shop")
    assert (asked.code, asked.err.count("then: ")) == (2, 0)
    assert '- the grades are words: "Bad", "Good"' in asked.err.splitlines()
    filled = asked.err.replace("Good=GRADE", "Good=1").replace("Bad=GRADE", "Bad=0")
    assert ndcg(*pasted(filled)).code == 0
    said = "select doc_id, assessor, grade from assessments order by all"
    assert stored(said) == [
        *[("p1", "ann", 1), ("p1", "bob", 0), ("p2", "ann", 0), ("p2", "bob", 1)],
    ]


def test_the_first_rows_show_what_a_long_file_needs(
    ndcg: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    header, *rows = week(47).splitlines()
    # Both engines are among the first rows.
    rows.sort(key=lambda row: row.split(";")[0])
    Path("export.csv").write_text("\n".join([header, *rows, ""]))
    whole = ndcg("load", "run", "export.csv").err
    monkeypatch.setattr(profile, "_BEGINNING", 400)
    monkeypatch.setattr(profile, "_PIECE", 100)
    told = ndcg("load", "run", "export.csv").err
    assert sorted(pasted(told)) == sorted(pasted(whole))
    assert ndcg(*pasted(told)).code == 0
    assert stored("select count(*) from rankings") == [(len(rows),)]


@pytest.mark.quick
def test_files_that_need_different_things_are_asked_about_one_by_one(
    ndcg: Command,
) -> None:
    Path("a.csv").write_text("Query,SKU,score\nzelt,p1,2\n")
    Path("b.csv").write_text("Query,Product,score\nzelt,p1,2\n")
    asked = ndcg("load", "run", "a.csv", "b.csv").err.splitlines()
    assert [line[:5] for line in asked] == ["a.csv", "b.csv", "2 of "]
    assert asked[0].endswith(" right: --column doc_id=SKU")


def test_python_is_told_its_own_call(here: Path) -> None:
    (here / "export.csv").write_text(week(47))
    with Warehouse.memory() as warehouse:
        with pytest.raises(NdcgSqlError) as error:
            warehouse.load_run("export.csv", dataset="shop")
        call = str(error.value).partition("if this is right: ")[2]
        assert call == (
            'load_run("export.csv", dataset="shop", run_column="Engine", decimal=",",'
            ' columns={"query_id": "Search term", "doc_id": "Product SKU", "score":'
            ' "Points"})'
        )
        told = eval(call, {"load_run": warehouse.load_run})
        assert str(told).startswith("export.csv: 2 runs, named by column")
        with pytest.raises(NdcgSqlError) as error:
            warehouse.load_run(pd.read_csv("export.csv", sep=";"), dataset="frames")
        assert str(error.value).startswith('frame: no column for "query_id", ')
        given = str(error.value).partition("if this is right: ")[2]
        frame = pd.read_csv("export.csv", sep=";")
        told = eval(
            f"load(frame, dataset='frames', {given})",
            {"load": warehouse.load_run, "frame": frame},
        )
        assert "2 runs" in str(told)


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
        "ndcg-sql load judgments f.json --column query_id=question --column"
        " doc_id=golden",
    ),
    "queries for judgments": (
        "load judgments f.csv",
        "id,text\n1,red tent\n2,blue tent\n",
        "- it looks like queries\nif this is right: ndcg-sql load queries f.csv",
    ),
    "queries for a run": (
        "load run f.csv",
        "query_id,query\n1,red tent\n2,blue tent\n",
        "- it looks like queries\nif this is right: ndcg-sql load queries f.csv",
    ),
    "engines and categories for assessments": (
        "load assessments f.csv",
        "query;doc;bm25;dense;kind\nq;a;1.3;2.4;bag\nq;b;1.2;2.1;hat\n",
        '"kind"; name it: --column grade=NAME',
    ),
    "assessors beside categories": (
        "load assessments f.csv",
        "query;doc;ann;bob;brand;line\nq;a;Good;Bad;x;y\nq;b;Bad;Good;z;x\n",
        '- each assessor has a column of grades: "ann", "bob"',
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
        '- several columns are called "Punkte"; rename them\nfill in what is in'
        " capitals; then if this is right: ndcg-sql load run f.csv --column score=NAME",
    ),
    "judgments of TREC called CSV": (
        "load judgments f.csv",
        "q 1 a 1\nq 1 b 0\n",
        "- the format is TREC\nif this is right: ndcg-sql load judgments f.csv"
        " --format-in trec",
    ),
    "decimal commas of TREC called CSV": (
        "load run f.csv",
        "q Q0 a 1 2,5 t\nq Q0 b 2 1,5 t\n",
        "if this is right: ndcg-sql load run f.csv --decimal ,",
    ),
    "scores of a list": (
        "load run f",
        "0.5\n0.25\n",
        "- it looks like scores, one for each row of a list\nfill in what is in"
        " capitals; then if this is right: ndcg-sql load run f --rows-of LIST",
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


IMPLICIT = {
    "views.csv": "user_id,item_id\nu1,a\nu1,b\nu2,a\n",
    "views.inter": "user_id:token\titem_id:token\ttimestamp:float\n"
    "u1\ta\t1\nu1\tb\t2\nu2\ta\t3\n",
}


@pytest.mark.parametrize("name", IMPLICIT)
def test_implicit_feedback_has_one_grade(ndcg: Command, name: str) -> None:
    Path(name).write_text(IMPLICIT[name])
    asked = ndcg("load", "judgments", name)
    assert "- each row is a relevant document\n" in asked.refusal
    assert asked.refusal.endswith(f": ndcg-sql load judgments {name} --grade 1\n")
    assert ndcg(*pasted(asked.err)).code == 0
    found = stored("select query_id, doc_id, grade from judgments order by all")
    assert found == [("u1", "a", 1.0), ("u1", "b", 1.0), ("u2", "a", 1.0)]


@pytest.mark.quick
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_unicode_text_of_excel_is_read(ndcg: Command, encoding: str) -> None:
    text = "query_id\tdoc_id\tscore\r\ngröße 1\ta\t2\r\ngröße 1\tb\t1\r\n"
    mark = "" if encoding == "utf-16" else "\ufeff"
    Path("u.txt").write_bytes((mark + text).encode(encoding))
    assert ndcg("load", "run", "u.txt").code == 0
    found = stored("select query_id, doc_id from rankings order by position")
    assert found == [("größe 1", "a"), ("größe 1", "b")]
    Path("cut.txt").write_bytes((mark + text).encode(encoding)[:-1])
    assert ndcg("load", "run", "cut.txt").refusal == (
        "cut.txt: damaged UTF-16 text; save it as UTF-8\n"
    )
