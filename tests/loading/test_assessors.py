"""What is known of assessors, and files that are named after them."""

from pathlib import Path

import pytest

from support.commands import Command
from support.files import stored


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_files_are_called_as_their_assessors(ndcg: Command) -> None:
    for name, grade in (("ann", 1), ("llm", 2)):
        Path(f"{name}.csv").write_text(f"query_id,doc_id,grade\nq,a,{grade}\n")
    known = ("--kind", "llm", "--model", "m-1", "--prompt", "v2", "--cost", "1.5")
    files = ("ann.csv", "llm.csv", "--assessor-from", "file")
    load = ("load", "assessments", *files, *known, "--seconds", "60")
    told = ndcg("load", "assessments", "ann.csv").err
    assert "if the file is named after the assessor: --assessor-from file\n" in told
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


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_documents_without_a_majority_are_counted(ndcg: Command) -> None:
    rows = "q,a,x,1\nq,a,y,2\nq,b,x,1\nq,b,y,1\nq,b,z,0\nq,c,x,-1\n"
    Path("panel.csv").write_text("query_id,doc_id,assessor,grade\n" + rows)
    assert ndcg("load", "assessments", "panel.csv").code == 0
    told = ndcg("adjudicate", "m", "--policy", "majority").err
    assert told == (
        'made judgment set "m" by majority of 3 assessors (1 document without a'
        " majority: the lowest grade): 1 query, 3 judgments\n"
    )
    one = ndcg("adjudicate", "n", "--policy", "majority", "--assessor", "y").err
    assert "without" not in one
