"""The option --like: what is followed, what is told, and what is refused."""

import json
import math
from pathlib import Path

import pytest

from ndcg_sql.database import sql_files
from support.commands import Command

pytestmark = pytest.mark.slow


def told(ndcg: Command, *arguments: str | Path) -> str:
    """Return what a command tells that is done."""
    result = ndcg(*arguments)
    assert result.code == 0, result.err
    return result.err


def measures_of(ndcg: Command, *arguments: str | Path) -> list[str]:
    """Return the measures of a report."""
    result = ndcg(*arguments, "--format", "json")
    assert result.code == 0, result.err
    return list(dict.fromkeys(row["measure"] for row in json.loads(result.out)))


@pytest.mark.usefixtures("loaded")
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
    ],
)
def test_what_the_user_writes_comes_before_what_a_system_does(
    ndcg: Command, system: str, asked: str, followed: str
) -> None:
    assert measures_of(ndcg, "report", "--like", system, "-m", asked) == [followed]


@pytest.mark.usefixtures("loaded")
def test_without_a_measure_ndcg_at_ten_is_reported(ndcg: Command) -> None:
    found = measures_of(ndcg, "report", "--like", "quepid")
    assert found == ["nDCG(dcg='exp-log2',ideal='uncut')@10"]
    found = measures_of(ndcg, "report", "--like", "trec_eval")
    assert found == ["nDCG@10"]


@pytest.mark.usefixtures("loaded")
def test_a_measure_without_a_convention_is_said_to_be_as_here(
    ndcg: Command,
) -> None:
    asked = ("report", "--like", "quepid", "-m", "AP nDCG@5")
    line, _ = told(ndcg, *asked).splitlines()
    assert line == (
        "like quepid: AP, nDCG(dcg='exp-log2',ideal='uncut')@5, positions given;"
        " not known in quepid, left unchanged: AP"
    )
    assert "not known" not in told(ndcg, "report", "--like", "beir", "-m", "AP")
    assert told(ndcg, "--quiet", *asked) == ""


@pytest.mark.usefixtures("loaded")
def test_runs_with_other_positions_are_named(ndcg: Command) -> None:
    Path("more").write_text("q1 Q0 a 1 1 t\n")
    assert ndcg("load", "run", "more").code == 0
    assert ndcg("load", "run", "more", "--name", "g", "--positions", "given").code == 0
    _, line = told(ndcg, "report", "--like", "quepid").splitlines()
    assert line == (
        'runs "base", "more": positions score, not given; for those of quepid:'
        " ndcg-sql load run FILE --positions given --name NAME"
    )
    _, line = told(ndcg, "explain", "base", "q1", "--like", "quepid").splitlines()
    assert line.startswith('run "base": positions score, not given; ')
    assert len(told(ndcg, "report", "--run", "g", "--like", "quepid").splitlines()) == 1
    _, line = told(ndcg, "report", "--run", "g", "--like", "sklearn").splitlines()
    assert line.startswith('run "g": positions given, not score; ')


@pytest.fixture
def two_files(here: Path) -> tuple[Path, Path]:
    """Return judgments and a run whose ranks and scores say the contrary."""
    (here / "qrels").write_text("q1 0 a 2\nq1 0 b 0\n")
    (here / "run").write_text("q1 Q0 a 1 1 t\nq1 Q0 b 2 2 t\n")
    return Path("qrels"), Path("run")


def test_eval_takes_the_positions_of_the_system(
    ndcg: Command, two_files: tuple[Path, Path]
) -> None:
    asked = ("eval", *two_files, "--like", "evidently", "--format", "json")
    assert json.loads(ndcg(*asked).out)[0]["value"] == 1
    result = ndcg(*asked, "--positions", "score")
    assert json.loads(result.out)[0]["value"] == pytest.approx(1 / math.log2(3))
    assert result.err == (
        "like evidently: nDCG@10, positions score (evidently uses given)\n"
    )


def test_ranks_that_cannot_be_used_have_a_way_out(
    ndcg: Command, two_files: tuple[Path, Path]
) -> None:
    qrels, run = two_files
    run.write_text("q1 Q0 a 0 1 t\nq1 Q0 b 0 2 t\n")
    assert ndcg("eval", qrels, run, "--like", "quepid").refusal.splitlines()[1:] == [
        'run:2: query "q1", document "b": rank 0 is already on line 1',
        "1 bad line of 2; nothing was loaded. Correct the file and load it again.",
        "To ignore its ranks, add --positions score.",
    ]
    asked = ("eval", qrels, run, "--like", "quepid", "--positions")
    assert ndcg(*asked, "score").code == 0
    assert "ignore its ranks" not in ndcg(*asked, "given").err
    Path("run.csv").write_text("query_id,doc_id,rank\nq1,b,1\nq1,a,1\n")
    for like in ((), ("--like", "quepid")):
        told = ndcg("eval", qrels, "run.csv", *like).err
        assert "rank 1 is already on line 2" in told
        assert "ignore its ranks" not in told
    # Where there are no ranks, the order of lines counts.
    Path("run.csv").write_text("query_id,doc_id\nq1,b\nq1,a\n")
    result = ndcg("eval", qrels, "run.csv", "--like", "evidently", "--format", "json")
    assert json.loads(result.out)[0]["value"] == pytest.approx(1 / math.log2(3))
    result = ndcg("eval", qrels, "run.csv", "--like", "beir")
    assert "no column for the score" in result.refusal


@pytest.mark.usefixtures("loaded")
def test_unanswered_queries_are_left_out_where_the_system_does_so(
    ndcg: Command,
) -> None:
    asked = ("report", "--like", "beir", "--format", "json")
    (row,) = json.loads(ndcg(*asked).out)
    assert (row["n"], row["answered"], row["unanswered"]) == (1, 1, 1)
    values = [row["value"] for row in json.loads(ndcg(*asked, "-q").out)]
    assert values == [pytest.approx(0.8597186998521972), None]


@pytest.mark.usefixtures("loaded")
def test_slices_and_every_format_follow_a_system(ndcg: Command) -> None:
    Path("queries.csv").write_text("query_id,country\nq1,de\nq2,fr\n")
    assert ndcg("load", "queries", "queries.csv").code == 0
    asked = ("report", "--like", "recommenders", "--by", "country")
    name = "nDCG(gains='binary',missing='omit')@10"
    rows = json.loads(ndcg(*asked, "--format", "json").out)
    assert [(row["country"], row["measure"]) for row in rows] == [
        ("de", name),
        ("fr", name),
    ]
    for form in ("table", "markdown", "latex", "csv", "tsv", "jsonl"):
        result = ndcg(*asked, "--format", form)
        assert result.code == 0
        assert "binary" in result.out
        assert result.err.startswith("like recommenders: ")
    assert ndcg(*asked, "--format", "parquet", "-o", "out.parquet").code == 0
    assert Path("out.parquet").read_bytes().startswith(b"PAR1")


@pytest.mark.usefixtures("loaded", "two_files")
@pytest.mark.parametrize(
    "command", [("report",), ("eval", "qrels", "run"), ("explain", "base", "q1")]
)
def test_a_system_that_is_not_known_is_refused(
    ndcg: Command, command: tuple[str, ...]
) -> None:
    assert ndcg(*command, "--like", "foo\x1b").refusal.startswith(
        "--like 'foo\\x1b': unknown system; one of trec_eval, trec_eval-9, "
    )
    result = ndcg(*command, "--like", "scikit-learn")
    assert 'did you mean "sklearn"?' in result.refusal
    assert result.err.count("\n") == 1
    result = ndcg(*command, "--like", "ranx", "--like", "beir")
    assert "--like is given twice" in result.refusal


@pytest.mark.usefixtures("loaded")
def test_parameters_that_do_not_go_with_those_of_a_system_are_refused(
    ndcg: Command,
) -> None:
    result = ndcg("report", "--like", "sklearn", "-m", "nDCG(ideal='topk')@5")
    assert result.refusal.startswith("--like sklearn: measure ")
    assert "ties='mean' cannot be combined with ideal='topk'" in result.err


def test_the_systems_are_listed(ndcg: Command) -> None:
    result = ndcg("measures", "list", "--systems", "--format", "json")
    found = json.loads(result.out)
    names = {row["system"] for row in sql_files.rows("systems")}
    assert {row["system"] for row in found} == names
    assert found[0] == {
        "system": "trec_eval",
        "measure": "nDCG@k",
        "positions": "score",
        "difference": "without -c, an unanswered query ends the program (exit code 4)",
        "source": "usnistgov/trec_eval 10.0, called with -c",
    }
    boosted = [row["measure"] for row in found if row["system"] == "lightgbm"]
    assert boosted == ["nDCG(dcg='exp-log2',no_rel=1)@k", "AP(norm='min',no_rel=1)@k"]
    assert ndcg("measures", "list", "--systems").out.count("\n") == len(found) + 2
    result = ndcg("measures", "list", "--systems", "--families")
    assert result.refusal == "--families and --systems: one list at a time\n"
