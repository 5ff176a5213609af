"""What eval, evaluate and compare advise: what they take, or what a warehouse takes."""

from pathlib import Path
from typing import Any

import pytest

from ndcg_sql import compare, evaluate
from ndcg_sql.errors import NdcgSqlError
from support.commands import Command
from support.libraries import library

pd: Any = library("pandas")
JUDGED = {"q": {"a": 1}}
VERSIONS = pd.DataFrame(
    [("q", "a", 1, 1), ("q", "a", 2, 2), ("r", "a", 1, 1), ("r", "a", 2, 2)],
    columns=["query_id", "doc_id", "grade", "version"],
)


@pytest.mark.slow
def test_what_only_a_warehouse_takes_is_said_to_be_so(ndcg: Command) -> None:
    end = 'or duplicates="max". To load the grades of several assessors: '
    end += "load_assessments(FILE)"
    with pytest.raises(NdcgSqlError) as error:
        evaluate(VERSIONS, {"q": ["a"]}, "AP")
    assert str(error.value).endswith(end)
    with pytest.raises(NdcgSqlError) as error:
        compare(VERSIONS, [{"q": ["a"]}] * 2, "AP")
    assert str(error.value).endswith(end)
    VERSIONS.to_csv("judged.csv", index=False)
    Path("run").write_text("q Q0 a 1 1 t\n")
    assert "already on line 2\n" in ndcg("eval", "judged.csv", "run").refusal
    # eval takes these.
    Path("list").write_text("a\nb\n")
    with pytest.raises(NdcgSqlError, match="1 field, expected 6"):
        evaluate(JUDGED, Path("list"), "AP")
    Path("qrels").write_text("q 0 a 1\n")
    assert "1 field, expected 6" in ndcg("eval", "qrels", "list").err
