"""The option --like: what is followed, what is told, and what is refused."""

import json
import shlex
from math import log2
from pathlib import Path
from typing import Any

import pytest

from ndcg_sql.database import sql_files
from support.commands import Command

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("loaded")]


def rows_of(ndcg: Command, command: str) -> list[dict[str, Any]]:
    """Return the rows of a report."""
    result = ndcg(*shlex.split(command), "--format", "json")
    assert result.code == 0, result.err
    return json.loads(result.out)


@pytest.mark.parametrize(
    ("system", "asked", "followed"),
    [
        ("lightgbm", "nDCG(no_rel=0)@5", "nDCG(dcg='exp-log2')@5"),
        ("lightgbm", "ndcg_cut.5", "nDCG(dcg='exp-log2',no_rel=1)@5"),
        ("lightgbm", "nDCG(gains={1:3})", "nDCG(gains={1:3},no_rel=1)"),
        ("lightgbm", "nDCG(gains={1:1})", "nDCG(no_rel=1)"),
        ("recommenders", "nDCG(dcg='exp-log2')", "nDCG(dcg='exp-log2',missing='omit')"),
        ("sklearn", "nDCG(ideal='judged')@5", "nDCG(ties='mean')@5"),
        ("quepid", "IDCG@5", "IDCG(dcg='exp-log2',ideal='uncut')@5"),
        ("beir", "SDCG(max_rel=3)@5", "SDCG(max_rel=3)@5"),
        ("Trec_Eval", "AP", "AP"),
        # Without a measure, it is nDCG@10.
        ("quepid", "", "nDCG(dcg='exp-log2',ideal='uncut')@10"),
    ],
)
def test_what_the_user_writes_comes_before_what_a_system_does(
    ndcg: Command, system: str, asked: str, followed: str
) -> None:
    measure = f'-m "{asked}"' if asked else ""
    found = rows_of(ndcg, f"report --like {system} {measure}")
    assert {row["measure"] for row in found} == {followed}


def test_what_is_not_followed_is_told(ndcg: Command) -> None:
    asked = ("report", "--like", "quepid", "-m", "AP nDCG@5")
    line, _ = ndcg(*asked).err.splitlines()
    assert line == (
        "like quepid: AP, nDCG(dcg='exp-log2',ideal='uncut')@5, positions given;"
        " not known in quepid, left unchanged: AP"
    )
    assert "not known" not in ndcg("report", "--like", "beir", "-m", "AP").err
    assert ndcg("--quiet", *asked).err == ""


def test_runs_with_other_positions_are_named(ndcg: Command) -> None:
    Path("more").write_text("q1 Q0 a 1 1 t\n")
    assert ndcg("load", "run", "more").code == 0
    assert ndcg("load", "run", "more", "--name", "g", "--positions", "given").code == 0
    for command, told in {
        "report --like quepid": 'runs "base", "more": positions score, not given; for',
        "explain base q1 --like quepid": 'run "base": positions score, not given; ',
        "report --run g --like quepid": "like quepid: ",
        "report --run g --like sklearn": 'run "g": positions given, not score; ',
    }.items():
        assert ndcg(*command.split()).err.splitlines()[-1].startswith(told), command


def test_positions_are_those_of_the_system(ndcg: Command) -> None:
    # The ranks of the run and its scores say the contrary.
    Path("qrels").write_text("q1 0 a 2\nq1 0 b 0\n")
    Path("run").write_text("q1 Q0 a 1 1 t\nq1 Q0 b 2 2 t\n")
    Path("ranks").write_text("q1 Q0 a 0 1 t\nq1 Q0 b 0 2 t\n")
    Path("rows.csv").write_text("query_id,doc_id\nq1,b\nq1,a\n")
    Path("tied.csv").write_text("query_id,doc_id,rank\nq1,b,1\nq1,a,1\n")
    for asked, value in {
        "run --like evidently": 1,
        "run --like evidently --positions score": 1 / log2(3),
        "ranks --like quepid --positions score": 1 / log2(3),
        # Where there are no ranks, the order of lines counts.
        "rows.csv --like evidently": 1 / log2(3),
    }.items():
        (row,) = rows_of(ndcg, f"eval qrels {asked}")
        assert row["value"] == pytest.approx(value), asked
    way_out = "To ignore its ranks, add --positions score."
    for asked, told, can_ignore in (
        ("ranks --like quepid", "rank 0 is already on line 1", True),
        ("ranks --like quepid --positions given", "rank 0 is already on", False),
        ("tied.csv --like quepid", "rank 1 is already on line 2", False),
        ("rows.csv --like beir", "no column for the score", False),
    ):
        refused = ndcg("eval", "qrels", *asked.split())
        assert told in refused.refusal
        assert (way_out in refused.err) == can_ignore, asked
    named = ndcg("eval", "qrels", "run", "--like", "evidently", "--positions", "score")
    assert named.err.endswith("positions score (evidently uses given)\n")


def test_unanswered_queries_and_slices_follow_a_system(ndcg: Command) -> None:
    (row,) = rows_of(ndcg, "report --like beir")
    assert (row["n"], row["answered"], row["unanswered"]) == (1, 1, 1)
    values = [row["value"] for row in rows_of(ndcg, "report --like beir -q")]
    assert values == [pytest.approx(0.8597186998521972), None]
    Path("queries.csv").write_text("query_id,country\nq1,de\nq2,fr\n")
    assert ndcg("load", "queries", "queries.csv").code == 0
    rows = rows_of(ndcg, "report --like recommenders --by country")
    name = "nDCG(gains='binary',missing='omit')@10"
    found = [(row["country"], row["measure"]) for row in rows]
    assert found == [("de", name), ("fr", name)]


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (
            "report --like 'foo\x1b'",
            "--like 'foo\\x1b': unknown system; one of trec_ev",
        ),
        ("explain base q1 --like sklern", 'did you mean "sklearn"?'),
        ("report --like ranx --like beir", "--like is given twice"),
        (
            "report --like sklearn -m \"nDCG(ideal='topk')@5\"",
            "ties='mean' cannot be combined with ideal='topk'",
        ),
        ("measures list --systems --families", "one list at a time"),
    ],
)
def test_what_cannot_be_followed_is_refused(
    ndcg: Command, command: str, told: str
) -> None:
    assert told in ndcg(*shlex.split(command)).refusal


@pytest.mark.parametrize(
    ("name", "known"), [("scikit-learn", "sklearn"), ("LlamaIndex", "llama_index")]
)
def test_a_system_has_the_names_that_people_write(
    ndcg: Command, name: str, known: str
) -> None:
    asked = ("report", "-m", "nDCG@10", "--like")
    assert ndcg(*asked, name) == ndcg(*asked, known)


def test_the_systems_are_listed(ndcg: Command) -> None:
    found = rows_of(ndcg, "measures list --systems")
    names = {row["system"] for row in sql_files.rows("systems")}
    assert {row["system"] for row in found} == names
    assert (found[0]["measure"], found[0]["positions"]) == ("nDCG@k", "score")
    boosted = [row["measure"] for row in found if row["system"] == "lightgbm"]
    assert boosted == ["nDCG(dcg='exp-log2',no_rel=1)@k", "AP(norm='min',no_rel=1)@k"]
