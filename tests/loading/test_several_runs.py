"""Files that name several runs: a run for each, or one on request."""

from pathlib import Path
from typing import Any

import pytest

from support import exploring
from support.commands import Command
from support.files import json_lines, stored, tables

pytestmark = pytest.mark.mostly_slow

# Two systems that return the same documents in another order.
ROWS = [
    ("bm25", "q1", "a", 3.0),
    ("bm25", "q1", "b", 2.0),
    ("dense", "q1", "b", 9.0),
    ("dense", "q1", "a", 8.0),
    ("dense", "q3", "a", 8.0),
]
SCORES = "select name, query_id, doc_id, score from rankings join runs using (run_id)"
COLUMNS = (
    "Run-ID",
    *(
        pytest.param(name, marks=pytest.mark.slow)
        for name in ("model", "run", "run_id", "run_name", "system", "tag", "method")
    ),
)


def as_csv(column: str = "run") -> str:
    lines = [f"{q},{r},{d},{s}" for r, q, d, s in ROWS]
    return "\n".join([f"query_id,{column},doc_id,score", *lines, ""])


def as_trec(rows: list[tuple[str, str, str, float]] = ROWS) -> str:
    return "".join(f"{q} Q0 {d} 1 {s} {r}\n" for r, q, d, s in rows)


def runs() -> list[tuple[Any, ...]]:
    return sorted(stored(f"{SCORES} where name <> 'base'"))


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.usefixtures("loaded")
def test_each_value_of_a_column_of_runs_is_a_run(ndcg: Command, column: str) -> None:
    Path("all.csv").write_text(as_csv(column))
    result = ndcg("load", "run", "all.csv")
    assert result.code == 0
    assert result.err.splitlines() == [
        f'all.csv: 2 runs, named by column "{column}"',
        'loaded run "bm25": 1 query, 2 documents; evaluated with "qrels"',
        'loaded run "dense": 2 queries, 3 documents; evaluated with "qrels"',
    ]
    assert runs() == sorted(ROWS)
    again = ndcg("load", "run", "all.csv")
    assert again.code == 0
    assert again.err.count("already exists with this content; nothing to do") == 2


@pytest.mark.quick
@pytest.mark.usefixtures("loaded")
def test_one_value_is_one_run_named_by_the_file(ndcg: Command) -> None:
    Path("one.csv").write_text(
        "query_id,model,doc_id,score\nq1,bm25,a,1\nq3,bm25,b,1\n"
    )
    result = ndcg("load", "run", "one.csv")
    assert result.err.startswith('loaded run "one": 2 queries, 2 documents')


@pytest.mark.usefixtures("loaded")
def test_a_tag_that_differs_on_nearly_every_row_names_no_run(ndcg: Command) -> None:
    rows = [(f"t{n}", "q1", f"d{n}", float(-n)) for n in range(9)]
    Path("odd.trec").write_text(as_trec(rows))
    result = ndcg("load", "run", "odd.trec")
    assert result.err.splitlines()[:2] == [
        'warning: odd.trec: the 9 values of column "tag" in 9 rows do not look like'
        " names of runs; all rows are one run; for a run of each value:"
        " --run-column tag",
        'loaded run "odd": 1 query, 9 documents; evaluated with "qrels"',
    ]
    assert ndcg("load", "run", "odd.trec", "--run-column", "tag").code == 0
    assert stored("select count(*) from runs") == [(11,)]


@pytest.mark.usefixtures("loaded")
def test_tags_inside_one_list_of_ranks_name_no_run(ndcg: Command) -> None:
    lines = [f"q1 Q0 d{n} {n} {-n} {'ab'[n % 2]}\n" for n in range(6)]
    Path("fused.trec").write_text("".join(lines))
    assert "do not look like names of runs" in ndcg("load", "run", "fused.trec").err
    assert stored("select name from runs") == [("base",), ("fused",)]


@pytest.mark.usefixtures("loaded")
def test_many_models_of_products_name_no_run(ndcg: Command) -> None:
    lines = [f"q1,p{n},{n},m{n // 2}\n" for n in range(60)]
    Path("shop.csv").write_text("query_id,doc_id,score,model\n" + "".join(lines))
    assert "the 30 values of column" in ndcg("load", "run", "shop.csv").err


@pytest.mark.usefixtures("loaded")
def test_the_column_is_chosen_or_ignored(ndcg: Command) -> None:
    text = "variant,query_id,doc_id,score,model\nx,q1,a,2,m\ny,q1,b,1,m\n"
    Path("f.csv").write_text(text)
    chosen = ndcg("load", "run", "f.csv", "--run-column", "variant")
    assert chosen.err.startswith('f.csv: 2 runs, named by column "variant"\n')
    Path("g.csv").write_text(as_csv().replace("dense,b", "dense,c"))
    assert ndcg("load", "run", "g.csv", "--run-column", "none").refusal.startswith(
        'g.csv:5: query "q1", document "a": already on line 2'
    )
    Path("h.trec").write_text("q1 Q0 a 1 2 x\nq2 Q0 b 1 1 y\n")
    assert ndcg("load", "run", "h.trec", "--run-column", "none").err.startswith(
        'loaded run "h": 2 queries, 2 documents'
    )


REFUSED = {
    "a name for several": (
        as_csv(),
        ("--name", "x"),
        'f: contains 2 runs ("bm25", "dense"), named by column "run"; --name names one'
        " run: name each by a pattern, such as --name 'x-{run}', or load all rows as"
        " one run: --run-column none\n",
    ),
    "rivals": (
        "model,query_id,doc_id,score,system\nx,q1,a,2,m\n",
        (),
        'f: "model", "system" could each name the run, or --run-column none; if this is'
        " right: ndcg-sql load run f --run-column model\n",
    ),
    "a column of TREC": (
        as_trec(),
        ("--run-column", "model"),
        'f: a file of the format trec has no column "model"; its last column is called'
        " tag: --run-column tag\n",
    ),
    "no name": (
        as_csv() + "q3,,b,1\n",
        (),
        'f:7: query "q3", document "b": no run, but other rows name theirs\n',
    ),
    "a document twice in a run": (
        as_csv() + "q1,bm25,a,1\n",
        (),
        'f:7: run "bm25", query "q1", document "a": already on line 2\n',
    ),
    "a bad name": (
        as_csv().replace("dense", " dense"),
        (),
        'run " dense": a name cannot begin or end with a blank; rename it in f\n',
    ),
    "a name that is taken": (
        as_csv().replace("dense", "base"),
        (),
        'f: run "base" of dataset "default" already exists with other content; put'
        " something in front of its name: --prefix NAME, or replace it: --replace\n",
    ),
}


@pytest.mark.parametrize("name", exploring.sampled(REFUSED, 2))
def test_what_cannot_be_divided_is_refused(
    ndcg: Command, loaded: Path, name: str
) -> None:
    text, options, message = REFUSED[name]
    Path("f").write_text(text)
    before = tables(loaded)
    assert ndcg("load", "run", "f", *options).refusal.startswith(message)
    assert tables(loaded) == before


def test_two_files_cannot_give_the_same_run(ndcg: Command, loaded: Path) -> None:
    Path("f.csv").write_text(as_csv())
    Path("g.csv").write_text(as_csv().replace("8.0", "7.0"))
    before = tables(loaded)
    result = ndcg("load", "run", "f.csv", "g.csv", "--replace")
    assert result.err.startswith(
        'f.csv and g.csv: both would be run "bm25"; name each by its file, too:'
        " --name '{file}-{run}'"
    )
    assert tables(loaded) == before


@pytest.mark.usefixtures("loaded")
def test_a_run_is_named_by_its_tag_on_request(ndcg: Command) -> None:
    Path("f.trec").write_text("q1 Q0 a 1 2 ease\nq1 Q0 b 2 1 ease\n")
    Path("g.csv").write_text("query_id,model,doc_id,score\nq1,als,a,1\n")
    result = ndcg("load", "run", "f.trec", "g.csv", "--name-from", "tag")
    assert [line.split(":")[0] for line in result.err.splitlines()] == [
        'loaded run "ease"',
        'loaded run "als"',
    ]
    again = ndcg("load", "run", "f.trec", "--name-from", "tag")
    assert again.err.endswith("nothing to do\n")
    Path("h.csv").write_text("query_id,doc_id,score\nq1,a,1\n")
    assert ndcg("load", "run", "h.csv", "--name-from", "tag").refusal.startswith(
        "h.csv: names no run, as --name-from tag expects"
    )
    both = ndcg("load", "run", "f.trec", "--name-from", "tag", "--name", "x")
    assert both.err == "--name-from: --name already names the run; omit one\n"
    odd = ndcg("load", "run", "f.trec", "--name-from", "folder")
    assert odd.err == "--name-from folder: not one of file, tag\n"


@pytest.mark.usefixtures("loaded")
def test_columns_that_are_not_used_are_named_once(ndcg: Command) -> None:
    for name in ("f.csv", "g.csv"):
        Path(name).write_text("query_id,price,doc_id,score,brand\nq1,1,a,1,x\n")
    result = ndcg("load", "run", "f.csv", "g.csv")
    assert result.err.splitlines()[2:] == ["ignored columns: price, brand"]
    Path("h.jsonl").write_text(
        json_lines([{"qid": "q1", "docid": "a", "grade": 1, "note": {"by": "x"}}])
    )
    result = ndcg("load", "judgments", "h.jsonl", "--no-evaluate")
    assert result.err.endswith("\nignored columns: note\n")


@pytest.mark.usefixtures("loaded")
def test_a_tag_that_only_repeats_the_query_names_no_run(ndcg: Command) -> None:
    lines = [f"q{i} Q0 {d} {d} {9 - d} run-q{i}\n" for i in range(6) for d in (1, 2)]
    Path("r.trec").write_text("".join(lines))
    result = ndcg("load", "run", "r.trec")
    assert result.code == 0
    assert result.err.startswith('warning: r.trec: the 6 values of column "tag"')
    assert 'loaded run "r": 6 queries, 12 documents' in result.err
