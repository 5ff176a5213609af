"""What is known of assessors, and files that are called as they are."""

from pathlib import Path

import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python import Warehouse
from support.commands import Command
from support.files import stored


@pytest.mark.usefixtures("here")
def test_files_are_called_as_their_assessors(ndcg: Command) -> None:
    for name, grade in (("ann", 1), ("llm", 2)):
        Path(f"{name}.csv").write_text(f"query_id,doc_id,grade\nq,a,{grade}\n")
    known = ("--kind", "llm", "--model", "m-1", "--prompt", "v2", "--cost", "1.5")
    files = ("ann.csv", "llm.csv", "--assessor-from", "file")
    load = ("load", "assessments", *files, *known, "--seconds", "60")
    assert ndcg("load", "assessments", "ann.csv").err.endswith(
        "if the file is called as the assessor: --assessor-from file\n"
    )
    assert ndcg(*load).code == 0
    assert ndcg(*load).err.count("nothing to do") == 2
    assert stored("select assessor, grade from assessments order by all") == [
        ("ann", 1.0),
        ("llm", 2.0),
    ]
    sql = "select assessment_set, assessor_kind, model, prompt, judging_cost,"
    sql += " judging_seconds from main.assessment_sets order by 1"
    row = ("llm", "m-1", "v2", 1.5, 60.0)
    assert stored(sql) == [("ann", *row), ("llm", *row)]
    twice = ndcg(*load[:-2], "--assessor", "ann")
    assert twice.err == (
        "--assessor-from file: the assessors are named already; omit it\n"
    )
    assert ndcg(*load[:-1], "-1").err == "--seconds -1: must be 0 or more\n"
    odd = ndcg("load", "assessments", "ann.csv", "--assessor-from", "folder")
    assert odd.err == "--assessor-from folder: not one of column, file\n"


@pytest.mark.usefixtures("here")
def test_several_files_of_judgments_are_as_many_sets(ndcg: Command) -> None:
    for name in ("a", "b"):
        Path(f"{name}.qrels").write_text(f"q 0 {name} 1\n")
    assert ndcg("load", "judgments", "a.qrels", "b.qrels").code == 0
    assert stored("select name from judgment_sets order by name") == [("a",), ("b",)]
    bad = ndcg("load", "judgments", "a.qrels", "b.qrels", "--name", "x")
    assert bad.code == 2


def test_python_says_what_is_known_of_assessors(tmp_path: Path) -> None:
    file = tmp_path / "ann.csv"
    file.write_text("query_id,doc_id,grade\nq,a,1\n")
    with Warehouse.memory() as warehouse:
        told = warehouse.load_assessments(
            file, assessor_from="file", assessor_kind="human", seconds=5
        )
        assert told.endswith('1 assessment of 1 assessor: "ann"')
        with pytest.raises(NdcgSqlError, match="only files have names"):
            warehouse.load_assessments({"q": {"a": 1}}, assessor_from="file")
