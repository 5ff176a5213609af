"""Two warehouses become one: nothing is lost, mixed or counted twice."""

import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from support.commands import Command, Once
from support.evaluated import write_values
from support.files import QRELS, RUN, digest, stored

pytestmark = pytest.mark.slow

# What is stored, by the names of what it belongs to in place of ids.
CONTENTS = {
    "rankings": (
        "select dataset, name, query_id, doc_id, position, score from rankings"
        " join runs using (run_id)"
    ),
    "judgments": (
        "select dataset, name, query_id, doc_id, grade, label from judgments"
        " join judgment_sets using (judgment_set_id)"
    ),
    "assessments": (
        "select dataset, name, query_id, doc_id, assessor, grade from assessments"
        " join assessment_sets using (assessment_set_id)"
    ),
    "tags": (
        "select dataset, name, tag, tag_value from run_tags join runs using (run_id)"
    ),
    "values": (
        "select runs.dataset, runs.name, judgment_sets.name, measure, query_id, value"
        " from stored_values join runs using (run_id)"
        " join judgment_sets using (judgment_set_id)"
    ),
    "parents": (
        "select dataset, name, parent_kind, parent_name from judgment_set_parents"
        " join judgment_sets using (judgment_set_id)"
    ),
    "queries": "select dataset, query_id, text, weight from queries",
    "attributes": (
        "select dataset, query_id, attribute, attribute_value from query_attributes"
    ),
    "documents": "select dataset, doc_id, title, url from documents",
    "attributes of documents": (
        "select dataset, doc_id, attribute, attribute_value from document_attributes"
    ),
}
QUERIES = "query_id,text,weight,device\nq1,apple,2,phone\n"
OTHER_RUN = "q1 Q0 c 1 3 t\nq2 Q0 a 2 2 t\n"


def contents(path: str | Path = "ndcg.duckdb") -> dict[str, list[Any]]:
    """Return all that a warehouse holds, without ids."""
    return {name: sorted(stored(sql, path), key=repr) for name, sql in CONTENTS.items()}


def fill(path: str) -> None:
    """Make a warehouse with everything that can be merged."""
    for name, text in (
        ("qrels", QRELS),
        ("new", OTHER_RUN),
        ("more", "q1 0 new 1\n"),
        ("queries.csv", QUERIES),
        ("documents.csv", "doc_id,title,kind\na,Apple,fruit\n"),
        ("said.csv", "query_id,doc_id,assessor,grade\nq1,a,ann,1\nq1,a,bob,2\n"),
    ):
        Path(name).write_text(text)
    own = Warehouse(path)
    own.load_judgments("qrels", dataset="shop")
    own.load_judgments("more", dataset="shop", base="qrels")
    own.load_run("new", dataset="shop", tags={"seed": "1"}, run_at="2026-01-30")
    own.load_queries("queries.csv", dataset="shop")
    own.load_documents("documents.csv", dataset="shop")
    own.load_assessments("said.csv", dataset="shop")


@pytest.fixture
def other(loaded: Path, once: Once) -> Path:  # noqa: ARG001 - made beside it
    """Put two warehouses into place: that of the tests, and another one."""
    once(lambda: fill("other.duckdb"))
    return Path("other.duckdb")


def test_all_of_another_warehouse_is_added(ndcg: Command, other: Path) -> None:
    mine, theirs, before = contents(), contents(other), digest(other)
    result = ndcg("merge", "other.duckdb")
    assert (result.code, result.out) == (0, "")
    assert result.err == (
        'merged "other.duckdb": 1 run, 2 judgment sets, 1 file of assessments,'
        " 1 query, 1 document\n"
        'judgment set "more" of dataset "shop" is now the newest: report and other'
        " commands use it unless --judgments NAME is given\n"
    )
    both = contents()
    for name in CONTENTS:
        assert both[name] == sorted([*mine[name], *theirs[name]], key=repr), name
        assert theirs[name], name
    assert digest(other) == before
    assert ndcg("check", "--quiet").code == 0
    assert not list(Path().glob("*.wal"))


def test_what_both_have_is_kept_once_with_the_tags_of_both(
    ndcg: Command, other: Path
) -> None:
    shutil.copyfile(other, "third.duckdb")
    Warehouse("third.duckdb").tag("new", {"seed": "", "fold": "2"})
    Warehouse("third.duckdb").load_run("new", "newer", dataset="shop")
    assert ndcg("merge", "other.duckdb").code == 0
    once = contents()
    result = ndcg("merge", "other.duckdb")
    assert result.err == (
        'merged "other.duckdb": 0 runs, 0 judgment sets; 4 that both have\n'
    )
    assert contents() == once
    assert ndcg("merge", "third.duckdb").code == 0
    both = contents()
    assert [row[2:] for row in both["tags"]] == [("fold", "2"), ("seed", "1")]
    assert both["judgments"] == once["judgments"]
    assert len(both["rankings"]) > len(once["rankings"])
    assert ndcg("check", "--quiet").code == 0


def described(own: Warehouse, kind: str, text: str) -> None:
    """Load queries, documents or assessments into the dataset that both have."""
    Path("said.csv").write_text(text)
    load: dict[str, Callable[..., object]] = {
        "queries": own.load_queries,
        "documents": own.load_documents,
        "assessments": own.load_assessments,
    }
    load[kind]("said.csv", dataset="shop")


Filled = Callable[[Warehouse], object]
CONFLICTS: dict[str, tuple[Filled, str, str]] = {
    "run": (
        lambda own: own.load_run({"q1": {"a": 5}}, "new", dataset="shop"),
        'run "new" of dataset "shop": other content',
        "ndcg-sql rename run new NEW --dataset shop",
    ),
    "judgments": (
        lambda own: own.load_judgments({"q1": {"a": 5}}, "qrels", dataset="shop"),
        'judgment set "qrels" of dataset "shop": other content',
        "ndcg-sql rename judgments qrels NEW --dataset shop",
    ),
    "tag": (
        lambda own: own.load_run("new", dataset="shop", tags={"seed": "2"}),
        'run "new" of dataset "shop": tag seed "2" here, "1" there',
        "ndcg-sql tag run new seed=1 --dataset shop",
    ),
    "time": (
        lambda own: own.load_run("new", dataset="shop", run_at="2026-01-31T23:59"),
        'run "new" of dataset "shop": run_at "2026-01-31 23:59:00" here,'
        ' "2026-01-30 00:00:00" there',
        "ndcg-sql tag run new --run-at 2026-01-30T00:00:00 --dataset shop",
    ),
    "query": (
        lambda own: described(own, "queries", "query_id,device\nq1,desk\n"),
        'query "q1" of dataset "shop": device "desk" here, "phone" there',
        "ndcg-sql load queries FILE --dataset shop",
    ),
    "document": (
        lambda own: described(own, "documents", "doc_id,title\na,Avocado\n"),
        'document "a" of dataset "shop": title "Avocado" here, "Apple" there',
        "ndcg-sql load documents FILE --dataset shop --replace",
    ),
    "document's attribute": (
        lambda own: described(own, "documents", "doc_id,kind\na,tool\n"),
        'document "a" of dataset "shop": kind "tool" here, "fruit" there',
        "ndcg-sql load documents FILE --dataset shop",
    ),
    "assessments": (
        lambda own: described(
            own, "assessments", "query_id,doc_id,assessor,grade\nq1,a,ann,9\n"
        ),
        'assessments "said" of dataset "shop": other content',
        "ndcg-sql rename dataset shop NEW",
    ),
}


@pytest.mark.parametrize("name", CONFLICTS)
def test_what_contradicts_is_refused_and_the_way_out_works(
    ndcg: Command, other: Path, name: str
) -> None:
    make, told, way = CONFLICTS[name]
    make(Warehouse("ndcg.duckdb"))
    before = digest(Path("ndcg.duckdb"))
    for options in ((), ("--dry-run",)):
        result = ndcg("merge", "other.duckdb", *options)
        assert f"other.duckdb: {told}\n" in result.refusal
        assert "1 conflict; nothing was merged; " in result.err
        assert result.err.endswith(f"{way}\n")
        assert digest(Path("ndcg.duckdb")) == before
    method = r"(rename|tag|load_queries|load_documents)\("
    with pytest.raises(NdcgSqlError, match=f"(?s)nothing was merged.*{method}"):
        Warehouse("ndcg.duckdb").merge(other)
    file = {"query": "queries.csv"}.get(name, "documents.csv")
    _, *words = shlex.split(way.replace("NEW", "mine").replace("FILE", file))
    assert ndcg(*words).code == 0
    result = ndcg("merge", "other.duckdb")
    assert result.code == 0, result.err
    assert ndcg("check", "--quiet").code == 0


@pytest.mark.usefixtures("other")
def test_what_one_knows_and_the_other_does_not_is_filled_in(ndcg: Command) -> None:
    Path("q.csv").write_text("query_id,text\nq1,apple\nq2,pear\n")
    Path("d.csv").write_text("doc_id,title,url\na,,http://a\n")
    own = Warehouse("ndcg.duckdb")
    own.load_queries("q.csv", dataset="shop")
    own.load_documents("d.csv", dataset="shop")
    own.load_judgments("qrels", dataset="shop")
    own.load_run("new", dataset="shop")
    result = ndcg("merge", "other.duckdb")
    assert result.code == 0
    assert result.err.splitlines()[0] == (
        'merged "other.duckdb": 0 runs, 1 judgment set, 1 file of assessments,'
        " 1 attribute of queries, 1 attribute of documents; 2 that both have"
    )
    found = contents()
    assert found["queries"] == [
        ("shop", "q1", "apple", 2.0),
        ("shop", "q2", "pear", None),
    ]
    assert found["documents"] == [("shop", "a", "Apple", "http://a")]
    # Weights are new to a run that was here: its weighted values are anew.
    assert ndcg("check", "--quiet").code == 0


def test_a_dry_run_tells_and_changes_nothing(ndcg: Command, other: Path) -> None:
    before = digest(Path("ndcg.duckdb"))
    result = ndcg("merge", "other.duckdb", "--dry-run")
    assert (result.code, result.out) == (0, "")
    assert result.err == (
        'would merge "other.duckdb": 1 run, 2 judgment sets, 1 file of assessments,'
        " 1 query, 1 document\n"
    )
    assert Warehouse("ndcg.duckdb").merge(other, dry_run=True) == result.err.rstrip()
    assert digest(Path("ndcg.duckdb")) == before


@pytest.mark.usefixtures("other")
def test_runs_are_evaluated_with_the_newest_judgments_of_both(ndcg: Command) -> None:
    own = Warehouse("ndcg.duckdb")
    own.load_judgments("qrels", "mine", dataset="shop")
    own.load_run({"q1": {"a": 5}}, "mine", dataset="shop")
    assert ndcg("merge", "other.duckdb").code == 0
    rows: Any = own.report(dataset="shop", measures="AP").df()
    assert set(rows["run"]) == {"mine", "new"}
    assert set(rows["judgment_set"]) == {"more"}
    assert ndcg("evaluate").err == "all of these are already evaluated; nothing to do\n"


def test_a_parent_that_was_removed_is_no_set_of_this_warehouse(
    ndcg: Command, other: Path
) -> None:
    Warehouse(other).remove("judgments", "qrels")
    for n in range(4):
        Warehouse("ndcg.duckdb").load_judgments({"q1": {"a": n}}, f"own {n}")
    assert ndcg("merge", "other.duckdb").code == 0
    [(parent,)] = stored("select parent_id from judgment_set_parents")
    known = [own for (own,) in stored("select judgment_set_id from judgment_sets")]
    assert parent not in known
    Warehouse("ndcg.duckdb").load_judgments({"q1": {"b": 1}}, "one more")
    [(newest,)] = stored("select max(judgment_set_id) from judgment_sets")
    assert newest > parent
    assert ndcg("check", "--quiet").code == 0


def test_what_another_engine_evaluated_is_merged_with_its_judgments(
    ndcg: Command, loaded: Path
) -> None:
    shutil.copyfile(loaded, "away.duckdb")
    write_values(Path("values"), loaded, "nDCG@10")
    away = Warehouse("away.duckdb")
    away.remove("run", "base")
    away.load_values("values", "spark")
    away.rename("dataset", "default", "away")
    result = ndcg("merge", "away.duckdb")
    assert result.code == 0, result.err
    own = Warehouse("ndcg.duckdb")
    frames: list[Any] = [
        own.report("nDCG@10", dataset=dataset).df() for dataset in ("default", "away")
    ]
    here, there = (frame["value"].tolist() for frame in frames)
    assert there == here
    assert ndcg("check", "--quiet").code == 0


@pytest.mark.parametrize(
    ("target", "told"),
    [
        ("ndcg.duckdb", "ndcg.duckdb: the warehouse itself; name another file\n"),
        (
            "nix",
            "nix: no such warehouse; name the file of another warehouse, such as"
            ' "foreign.duckdb"\n',
        ),
        ("foregn", 'foregn: no such warehouse; did you mean "foreign.duckdb"?\n'),
        (
            "no/nix.duckdb",
            "no/nix.duckdb: no such warehouse; name the file of another warehouse\n",
        ),
        ("base", "base: "),
        ("foreign.duckdb", "foreign.duckdb: a DuckDB file, but not a warehouse"),
    ],
)
def test_what_is_no_other_warehouse_is_refused(
    ndcg: Command, loaded: Path, target: str, told: str
) -> None:
    duckdb.connect("foreign.duckdb").close()
    Path("base").write_text(RUN)
    before = digest(loaded)
    assert ndcg("merge", target).refusal.startswith(told)
    with pytest.raises(NdcgSqlError) as error:
        Warehouse(loaded).merge(target)
    assert str(error.value).startswith(told.rstrip())
    assert digest(loaded) == before


def test_into_a_file_that_is_not_there_all_is_moved(ndcg: Command, other: Path) -> None:
    assert ndcg("-w", "moved.duckdb", "merge", "other.duckdb").code == 0
    assert contents("moved.duckdb") == contents(other)
    assert ndcg("-w", "moved.duckdb", "check", "--quiet").code == 0
    result = ndcg("-w", "nix.duckdb", "merge", "other.duckdb", "--dry-run")
    assert result.code == 2
    assert not Path("nix.duckdb").exists()
