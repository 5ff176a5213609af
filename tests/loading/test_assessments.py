"""Several assessors: kept as they said it, made one set by a policy."""

import json
from pathlib import Path

import duckdb
import pytest

from support.commands import Command, Once
from support.files import stored, write_run

pytestmark = pytest.mark.slow

LONG = """query_id,doc_id,assessor,grade,assessed_at
q1,a,ann,2,2026-01-01T10:00
q1,a,bob,1,2026-01-01T12:00+02:00
q1,a,cyd,1,2026-01-02
q1,b,ann,0,2026-01-01T10:00
q1,b,ann,3,2026-01-03T10:00
q1,b,bob,1,2026-01-01T10:00
q2,c,bob,-1,
"""


def grades(name: str) -> dict[tuple[str, str], float]:
    """Return the grades of a judgment set by query and document."""
    rows = stored(
        "select query_id, doc_id, grade from judgments inner join judgment_sets"
        f" using (judgment_set_id) where name = '{name}'"
    )
    return {(query, document): grade for query, document, grade in rows}


@pytest.fixture
def long(ndcg: Command, tmp_path: Path, once: Once) -> Path:
    def fill() -> None:
        path = tmp_path / "long.csv"
        path.write_text(LONG)
        result = ndcg("load", "assessments", "long.csv")
        assert result.err == (
            'loaded assessments "long": 2 queries, 7 assessments of 3 assessors: "ann",'
            ' "bob", "cyd"\n'
        )

    once(fill)
    return tmp_path / "long.csv"


@pytest.mark.usefixtures("long")
def test_what_was_said_is_kept(ndcg: Command) -> None:
    rows = stored(
        "select query_id, doc_id, assessor, grade, cast(assessed_at as varchar)"
        " from assessments order by all"
    )
    assert len(rows) == 7
    assert rows[1] == ("q1", "a", "bob", 1, "2026-01-01 10:00:00")
    again = ndcg("load", "assessments", "long.csv")
    assert again.err == (
        'assessments "long" of dataset "default" already exist with this content;'
        " nothing to do\n"
    )
    assert '"kind":"assessments"' in ndcg("list", "--format", "json").out
    assert ndcg("check").code == 0
    assert ndcg("remove", "assessments", "long").err == (
        'removed assessments "long" of dataset "default": 2 queries, 7 assessments\n'
    )
    assert stored("from assessments") == []


@pytest.mark.usefixtures("long")
def test_a_policy_makes_a_judgment_set(ndcg: Command) -> None:
    write_run(Path("run"), {"q1": {"a": 1, "b": 0}})
    assert ndcg("load", "run", "run").code == 0
    # Of document b, only what ann said last counts.
    expected = {
        "mean": (4 / 3, 2),
        "median": (1, 2),
        "majority": (1, 1),
        "max": (2, 3),
        "latest": (1, 3),
    }
    earlier = ""
    for policy, (a, b) in expected.items():
        result = ndcg("adjudicate", policy, "--policy", policy)
        tied = ""
        if policy == "majority":
            tied = " (1 document without a majority: the lowest grade)"
        newest = (
            f'judgment set "{policy}" is now the newest: report and other commands'
            f" use it unless --judgments {earlier} is given\n"
        )
        assert result.err == (
            f'made judgment set "{policy}" by {policy} of 3 assessors{tied}: 2 queries,'
            " 3 judgments; evaluated 1 run\n"
        ) + (newest if policy != "mean" else "")
        earlier = policy
        found = {("q1", "a"): a, ("q1", "b"): b, ("q2", "c"): -1}
        assert grades(policy) == pytest.approx(found)
    sql = "select name, policy from judgment_sets"
    assert stored(sql) == [(policy, policy) for policy in expected]
    assert ndcg("report").code == 0


@pytest.mark.usefixtures("long")
def test_some_assessors_are_trusted_before_others(ndcg: Command) -> None:
    for order, (a, b) in {"cyd bob": (1, 1), "ann": (2, 3), "bob ann": (1, 1)}.items():
        who = [part for name in order.split() for part in ("--assessor", name)]
        assert ndcg("adjudicate", order, "--policy", "trust", *who).code == 0
        assert grades(order)["q1", "a"] == a
        assert grades(order)["q1", "b"] == b
    sql = "select policy from judgment_sets order by judgment_set_id limit 1"
    assert stored(sql) == [("trust: cyd, bob",)]
    assert ndcg("adjudicate", "two", "--policy", "max", "--assessor", "bob").code == 0
    assert grades("two") == {("q1", "a"): 1, ("q1", "b"): 1, ("q2", "c"): -1}


@pytest.mark.usefixtures("long")
def test_only_the_assessments_that_were_used_are_sources(ndcg: Command) -> None:
    for name in ("dan, eve", "fay"):
        Path(name).write_text("q1 0 a 2\n")
        load = ("load", "assessments", name, "--name", name, "--assessor", name)
        assert ndcg(*load).code == 0
    make = ("adjudicate", "gold", "--policy", "trust", "--assessor", "dan, eve")
    assert ndcg(*make).code == 0
    sql = "select source, policy from judgment_sets where name = 'gold'"
    assert stored(sql) == [('assessments "dan, eve"', 'trust: "dan, eve"')]
    parents = "select parent_name from judgment_set_parents"
    assert stored(parents) == [("dan, eve",)]
    # What another assessor says is no part of it.
    Path("gus").write_text("q1 0 a 1\n")
    assert ndcg("load", "assessments", "gus", "--assessor", "gus").code == 0
    assert "already exists with this content" in ndcg(*make).err


@pytest.mark.usefixtures("long")
def test_a_set_that_was_made_stays_as_it_is(ndcg: Command) -> None:
    make = ("adjudicate", "gold", "--policy")
    assert ndcg(*make, "mean").code == 0
    before = grades("gold")
    assert "already exists with this content" in ndcg(*make, "mean").err
    result = ndcg(*make, "max")
    assert "already exists with other content; choose another NAME" in result.refusal
    assert grades("gold") == before
    assert ndcg(*make, "max", "--replace").code == 0
    assert grades("gold") != before


@pytest.mark.usefixtures("empty")
def test_other_grades_are_other_content(ndcg: Command) -> None:
    for name, grade in (("a", 1), ("b", 2)):
        Path(name).write_text(f"q 0 d {grade}\n")

    def load(name: str) -> None:
        assert ndcg("load", "assessments", name, "--assessor", "ann").code == 0

    load("a")
    load("b")
    assert ndcg("adjudicate", "gold", "--policy", "mean").code == 0
    assert grades("gold") == {("q", "d"): 2}
    # The same files, but another one is what ann said last.
    assert ndcg("remove", "assessments", "a").code == 0
    load("a")
    assert ndcg("adjudicate", "gold", "--policy", "mean").refusal == (
        'judgment set "gold" of dataset "default" already exists with other content;'
        " choose another NAME, or replace it: --replace\n"
    )
    assert ndcg("adjudicate", "gold", "--policy", "mean", "--replace").code == 0
    assert grades("gold") == {("q", "d"): 1}
    # What was loaded once more is no other content where it is the same grades.
    assert ndcg("remove", "assessments", "a").code == 0
    load("a")
    again = ndcg("adjudicate", "gold", "--policy", "mean")
    assert again.err.endswith("already exists with this content; nothing to do\n")
    # So is what it is made of.
    only = ("adjudicate", "gold", "--policy", "max", "--replace")
    assert ndcg(*only).code == 0
    assert ndcg(*only, "--assessments", "b").code == 0
    assert stored("select parent_name from judgment_set_parents") == [("b",)]


def test_documents_of_assessments_are_counted_once(ndcg: Command) -> None:
    Path("two.csv").write_text("query_id,doc_id,x,y\nq,a,1,2\nq,b,1,1\n")
    columns = ("--assessor-column", "x", "--assessor-column", "y")
    assert ndcg("load", "assessments", "two.csv", *columns).code == 0
    (row,) = json.loads(ndcg("list", "--format", "json").out)
    assert row["documents"] == 2


@pytest.mark.usefixtures("long")
def test_what_a_set_was_made_of_is_not_forgotten(ndcg: Command) -> None:
    Path("more").write_text("q1 0 a 3\n")
    Path("added").write_text("q9 0 a 3\n")
    assert ndcg("load", "assessments", "more", "--assessor", "dan").code == 0
    assert ndcg("adjudicate", "gold", "--policy", "max").code == 0
    assert ndcg("load", "judgments", "added", "--base", "gold").code == 0
    made_of = (
        "select name, parent_kind, parent_name, parent_id, judgment_set_parents."
        "content_hash from judgment_set_parents inner join judgment_sets"
        " using (judgment_set_id) order by all"
    )
    kept = stored(made_of)
    assert [row[:4] for row in kept] == [
        ("added", "judgments", "gold", 1),
        ("gold", "assessments", "long", 1),
        ("gold", "assessments", "more", 2),
    ]
    assert kept[0][4:] == stored("select content_hash from judgment_sets")[0]
    # Whoever has the name later is somebody else.
    assert ndcg("remove", "assessments", "more").code == 0
    assert ndcg("adjudicate", "gold", "--policy", "mean", "--replace").code == 0
    assert stored(made_of)[0] == kept[0]
    sql = "select judgment_set_id from judgment_sets where name = 'gold'"
    assert stored(sql) == [(3,)]
    assert ndcg("check").code == 0
    rows = json.loads(ndcg("list", "--format", "json").out)
    listed = {row["name"]: (row["policy"], row["parents"]) for row in rows}
    assert listed == {
        "added": ("extended", ["gold"]),
        "gold": ("mean", ["long"]),
        "long": (None, None),
    }
    assert ndcg("publish", "copy.duckdb").code == 0
    parents = "from judgment_set_parents order by all"
    with (
        duckdb.connect("copy.duckdb", read_only=True) as copy,
        duckdb.connect("ndcg.duckdb", read_only=True) as own,
    ):
        assert copy.execute(parents).fetchall() == own.execute(parents).fetchall()
    assert ndcg("remove", "judgments", "added").code == 0
    assert [row[0] for row in stored(made_of)] == ["gold"]


@pytest.mark.usefixtures("long")
def test_a_parent_that_changed_is_found(ndcg: Command) -> None:
    assert ndcg("adjudicate", "gold", "--policy", "max").code == 0
    with duckdb.connect("ndcg.duckdb") as connection:
        connection.execute("update store.assessment_sets set content_hash = 'x'")
    assert ndcg("check").refusal.endswith(
        'judgment set "gold": made from "long", which now has another name or content;'
        " restore the file from a copy\n"
    )


FILES = {
    "of one": ("q1 0 a 1\nq1 0 b 0\n", ("--assessor", "llm"), ["llm"]),
    "of several": (
        "query_id,doc_id,x,y\nq,a,1,\nq,b,Good,0\n",
        ("--assessor-column", "x", "--assessor-column", "y", "--label", "Good=2"),
        ["x", "y"],
    ),
    "of json": (
        '{"query_id": "q", "doc_id": "a", "grade": 1, "rater": "ann"}\n',
        (),
        ["ann"],
    ),
    "of named columns": (
        "query_id,doc_id,grade,who\nq,a,1,ann\n",
        ("--column", "assessor=who"),
        ["ann"],
    ),
    "of days that are no times": (
        "query_id,doc_id,grade,rater,Date\nq,a,1,ann,01/31/2026\n",
        (),
        ["ann"],
    ),
    "of times beside days": (
        "query_id,doc_id,grade,rater,Date,time\nq,a,1,ann,01/31/2026,2026-01-31\n",
        (),
        ["ann"],
    ),
}


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize("name", FILES)
def test_files_of_many_forms(ndcg: Command, name: str) -> None:
    text, options, assessors = FILES[name]
    Path("file").write_text(text)
    assert ndcg("load", "assessments", "file", *options).code == 0
    sql = "select distinct assessor from assessments order by 1"
    assert stored(sql) == [(assessor,) for assessor in assessors]
    # Who left a grade out did not judge the document.
    if name == "of several":
        assert stored("select count(*), sum(grade) from assessments") == [(3, 3)]


FAULTS = {
    "no assessor": (
        "query_id,doc_id,grade\nq,a,1\n",
        (),
        "file: no column for the assessor\n- no column names the assessor",
    ),
    "one beside those of the file": (
        "query_id,doc_id,grade,rater\nq,a,1,ann\n",
        ("--assessor", "carl"),
        'file: column "rater" names its assessors; omit --assessor carl, or rename the'
        " column if it has another meaning",
    ),
    "an empty one": (
        "query_id,doc_id,grade,assessor\nq,a,1,\n",
        (),
        'file:2: query "q", document "a": no assessor is named',
    ),
    "a time": (
        "query_id,doc_id,grade,assessor,time\nq,a,1,x,noon\n",
        (),
        'file:2: query "q", document "a": "noon" is not a time like 2026-01-31T23:59',
    ),
    "twice": (
        "query_id,doc_id,grade,assessor\nq,a,1,x\nq,a,1,y\nq,a,2,x\n",
        (),
        'file:4: query "q", document "a", assessor "x": already on line 2',
    ),
    "twice the same": (
        "query_id,doc_id,grade,assessor\nq,a,1,x\nq,a,1,y\nq,a,1,x\n",
        (),
        'file:4: query "q", document "a", assessor "x": already on line 2',
    ),
    "twice the same at one time": (
        "query_id,doc_id,grade,assessor,time\nq,a,1,x,2026-01-01T10:00Z\n"
        "q,a,1,x,2026-01-02\nq,a,1,x,2026-01-01T12:00+02:00\n",
        (),
        'file:4: query "q", document "a", assessor "x": already on line 2',
    ),
    "a grade": (
        "query_id,doc_id,grade,assessor\nq,a,good,x\n",
        (),
        'file:2: query "q", document "a": "good" is not a number',
    ),
    "a name": (
        "query_id,doc_id,grade,assessor\nq,a,1, x\n",
        (),
        'assessor " x": a name cannot begin or end with a blank',
    ),
    "a column": (
        "query_id,doc_id,x\nq,a,1\n",
        ("--assessor-column", "y"),
        'file: no column "y"; the header has "query_id", "doc_id", "x"',
    ),
    "both": (
        "query_id,doc_id,x\nq,a,1\n",
        ("--assessor-column", "x", "--assessor", "y"),
        "--assessor-column: already names the assessor and the grade; omit",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.usefixtures("bare")
def test_a_file_is_refused(ndcg: Command, name: str) -> None:
    text, options, message = FAULTS[name]
    Path("file").write_text(text)
    assert ndcg("load", "assessments", "file", *options).refusal.startswith(message)
    assert not Path("ndcg.duckdb").exists()


@pytest.mark.usefixtures("long")
def test_what_makes_no_sense_is_refused(ndcg: Command) -> None:
    for arguments, message in {
        ("adjudicate", "x", "--policy", "best"): "--policy best: not one of mean,",
        ("adjudicate", "x", "--policy", "trust"): "--policy trust: name the assessors,",
        ("adjudicate", "x", "--policy", "max", "--assessor", "dan"): (
            'no assessor "dan"; did you mean "ann"?'
        ),
        ("agreement", "--assessor", "ann"): "agreement needs two assessors;",
        ("agreement", "--assessments", "lon"): 'no assessments "lon"; did you mean',
        ("agreement", "--dataset", "nowhere"): 'no dataset "nowhere"',
    }.items():
        result = ndcg(*arguments)
        assert (result.code, result.out) == (2, ""), arguments
        assert result.err.startswith(message), (arguments, result.err)
