"""Lines that begin with #: comments are counted, lines of data are read."""

from pathlib import Path

import pytest

import ndcg_sql
from support.commands import Command
from support.files import stored

TREC = "# of 2026\n#7 Q0 d1 1 2 t\n#\n#7 Q0 d2 2 one t\n8 Q0 d1 1 2 t\n"
# What a run or judgments are, the documents of each query, and the comments.
CASES: dict[str, tuple[str, str, dict[str, str], int]] = {
    "run": ("run", TREC, {"#7": "d1", "8": "d1"}, 3),
    "nothing else": ("run", "#7 Q0 d1 1 -inf t\n", {"#7": "d1"}, 0),
    "a byte order mark": ("run", "\ufeff#\n#7 Q0 d1 1 2 t\n", {"#7": "d1"}, 1),
    "tabs and blanks": ("run", "#7\tQ0  d1\t1 2e3 t \r\n", {"#7": "d1"}, 0),
    "no number": ("run", "#q Q0 d 1 s t\n8 Q0 d1 1 2 t\n", {"8": "d1"}, 1),
    "no rank": ("run", "#q Q0 d r 1 t\n8 Q0 d1 1 2 t\n", {"8": "d1"}, 1),
    "too many fields": ("run", "#q Q0 d 1 1 t u\n8 Q0 d1 1 2 t\n", {"8": "d1"}, 1),
    "only #": ("run", "# Q0 d 1 1 t\n8 Q0 d1 1 2 t\n", {"8": "d1"}, 1),
    "qrels": ("judgments", "#7 0 d1 1\n# 0 d 1\n8 0 d 1\n", {"#7": "d1", "8": "d"}, 1),
    "a header": ("judgments", "#query 0 doc grade\n8 0 d 1\n", {"8": "d"}, 1),
    "ranks": ("run", "#7 d1 1\n#of 3 lists\n8 d 1\n", {"#7": "d1", "8": "d"}, 1),
    "lists": ("run", "#7\td1\n# none\n8\td1,d2\n", {"#7": "d1", "8": "d1"}, 1),
    "judged lists": ("judgments", "#\td\n8\td1,d2\n", {"8": "d1"}, 1),
    "LETOR": ("judgments", "#7 qid:1 1:0 # d\n1 qid:8 1:0 # d\n", {"8": "d"}, 1),
    "CSV": ("run", "query_id,doc_id,score\n#7,d1,1\n", {"#7": "d1"}, 0),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.usefixtures("empty")
def test_what_looks_like_data_is_data(ndcg: Command, name: str) -> None:
    kind, text, documents, comments = CASES[name]
    Path("f").write_text(text, newline="")
    options = {"ranks": ("--positions", "given"), "judged lists": ("--grade", "1")}
    told = ndcg("load", kind, "f", *options.get(name, ())).err
    lines = f"{comments} comment line{'s' if comments != 1 else ''}"
    assert (f"f: {lines} skipped\n" in told) == (comments > 0)
    assert ("comment" in told) == (comments > 0)
    table = "rankings" if kind == "run" else "judgments"
    rows = stored(f"select query_id, min(doc_id) from {table} group by all")
    assert dict(rows) == documents


@pytest.mark.slow
@pytest.mark.usefixtures("empty")
def test_a_large_file_is_read_like_a_small_one(ndcg: Command) -> None:
    """The fast readings leave such lines to the strict one."""
    rows = [f"{q} Q0 {n:0700} {n} {-n} t" for q in range(25) for n in range(1000)]
    for name, number in (("little", 1000), ("large", len(rows))):
        lines = [*rows[:number], "#7 Q0 d 1 1 t", "# comment", ""]
        Path(name).write_text("\n".join(lines))
        Path("j").write_text("#7 0 d 1\n")
        told = ndcg("eval", "j", name, "-m", "RR", "--format", "csv")
        assert told.err == f"{name}: 1 comment line skipped\n"
        assert ",RR,1.0," in told.out
        assert "1 comment line skipped" in ndcg("load", "run", name).err
    assert stored("select count(*) from rankings") == [(26_002,)]


@pytest.mark.usefixtures("empty")
def test_evaluating_files_notes_comments(ndcg: Command) -> None:
    Path("j").write_text("# judged\n#7 0 a 1\n")
    Path("r").write_text("#7 Q0 a 1 1 t\n# x\n#\n")
    told = ndcg("eval", "j", "r", "-m", "RR", "--format", "csv")
    assert told.err == "j: 1 comment line skipped\nr: 2 comment lines skipped\n"
    assert ",RR,1.0," in told.out
    assert ndcg("--quiet", "eval", "j", "r").err == ""
    assert ndcg_sql.evaluate("j", "r", "RR")["RR"] == 1


@pytest.mark.usefixtures("empty")
def test_trec_eval_knows_comments_alone(ndcg: Command) -> None:
    Path("j").write_text("#7 0 a 1\n8 0 a 1\n")
    Path("r").write_text("#7 Q0 a 1 1 t\n8 Q0 a 1 1 t\n")
    told = ndcg("trec_eval", "-m", "num_q", "j", "r")
    assert told.out.split() == ["num_q", "all", "1"]
    assert told.err == ""
