"""What a refused file is told to be given, and that it loads when that is pasted."""

import os
import shlex
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from support import exploring
from support.commands import Command, Result
from support.files import stored
from support.scripts import scripted

pytestmark = pytest.mark.mostly_slow

pd: Any = import_module("pandas")

test_script = scripted(__file__)


def pasted(told: str, **filled: object) -> list[str]:
    """Return the arguments of the only command of a message, with blanks filled in.

    Another sentence may follow it.
    """
    assert told.count("ndcg-sql ") == 1, told
    command = told[told.index("ndcg-sql ") :].partition("\notherwise, ")[0]
    command = command.partition("; if ")[0]
    for blank, value in filled.items():
        command = command.replace(blank, str(value))
    return shlex.split(command)[1:]


EXPORT = "Week;Engine;Search term;Article number;Position;Score\n" + "".join(
    f"W47;{engine};{query};{document};{place};{9 - place},5\n"
    for engine, step in (("alt", 1), ("neu", 2))
    for query in ("Zelt", "Grill")
    for place, document in enumerate((step, 3, 4), 1)
)
JUDGED = "Search term;Article number;Stars\n" + "".join(
    f"{query};{document};{document % 3}\n"
    for query in ("Zelt", "Grill")
    for document in range(1, 5)
)


@pytest.mark.parametrize("grade", exploring.sampled([((),), (("--grade", "1"),)], 2))
def test_files_that_changed_places_are_evaluated_by_what_is_told(
    ndcg: Command, grade: tuple[str, ...]
) -> None:
    Path("export.csv").write_text(EXPORT)
    Path("urteile.csv").write_text(JUDGED)
    told = ndcg("eval", "export.csv", "urteile.csv", "-m", "RR", *grade)
    assert "name the judgments first: ndcg-sql eval QRELS RUN" in told.err
    # Then each file says in turn what must be added to load it.
    command = ["eval", "urteile.csv", "export.csv", "-m", "RR"]
    for file in ("urteile.csv", "export.csv"):
        told = ndcg(*command)
        assert told.refusal.startswith(file), told
        [last] = [line for line in told.err.splitlines() if "right: " in line]
        command += shlex.split(last[last.index("--") :])
    values = ndcg(*command, "--format", "csv")
    # alt begins with document 1, of grade 1, neu with 2, which is relevant, too.
    assert values.code == 0, values.err
    runs = [line.split(",")[0] for line in values.out.splitlines()[1:]]
    assert runs == ["alt", "neu"]


# The header of a run whose columns have unusual names, and what it is named by.
RANKED_BY = ("Searchscore", "Points", "Final Score", "rerankPosition")


@pytest.mark.parametrize("name", RANKED_BY)
def test_a_run_in_the_place_of_judgments_is_known_by_its_columns(
    ndcg: Command, name: str
) -> None:
    Path("r.csv").write_text(f"Search term,Article,{name}\nq,a,1\nq,b,2\n")
    Path("j.csv").write_text("Search term,Article,Stars\nq,a,1\nq,b,0\n")
    told = ndcg("eval", "r.csv", "j.csv").err
    assert "- it looks like a run" in told
    assert "name the judgments first: ndcg-sql eval QRELS RUN" in told
    loading = ndcg("load", "judgments", "r.csv").err
    assert "- it looks like a run" in loading
    [way] = [line for line in loading.splitlines() if "if this is right: " in line]
    command = pasted(way)
    assert command[:3] == ["load", "run", "r.csv"]


# Files of rankings and judgments, with their kinds.
NO_QUERIES = {
    "a run.csv": ("run", "query_id,doc_id,score\nq1,a,2\nq1,b,1\n"),
    "strange run.csv": ("run", "Search term;Article;Searchscore\nq1;a;2\nq2;b;1\n"),
    "a run.txt": ("run", "q1 Q0 a 1 2 r\nq1 Q0 b 2 1 r\n"),
    "judged.csv": ("judgments", "query_id,doc_id,grade\nq1,a,2\nq2,b,1\n"),
    "judged.txt": ("judgments", "q1 0 a 2\nq1 0 b 1\n"),
}


@pytest.mark.quick
@pytest.mark.parametrize("name", NO_QUERIES)
def test_rankings_and_judgments_in_the_place_of_queries_are_told(
    ndcg: Command, name: str
) -> None:
    kind, text = NO_QUERIES[name]
    Path(name).write_text(text)
    told = ndcg("load", "queries", name, "--dataset", "my shop").refusal
    looks = "a run" if kind == "run" else kind
    assert told.startswith(f"{name}: no ")
    assert f"\n- it looks like {looks}\n" in told
    command = pasted(told)
    assert command[:5] == ["load", kind, name, "--dataset", "my shop"]
    if not name.startswith("strange"):
        assert ndcg(*command).code == 0
    if "one of the queries: " in told and "judged" in name:
        options = shlex.split(told.partition("one of the queries: ")[2])
        assert ndcg("load", "queries", name, *options).code == 0


@pytest.mark.quick
@pytest.mark.parametrize("name", ["W47", "my week"])
def test_a_name_of_several_runs_becomes_a_pattern(ndcg: Command, name: str) -> None:
    Path("export.csv").write_text(EXPORT)
    told = ndcg("load", "run", "export.csv", "--name", name)
    assert ndcg(*pasted(told.refusal.splitlines()[-1])).code == 0
    names = stored("select name from runs order by name")
    assert names == [(f"{name}-alt",), (f"{name}-neu",)]


def test_a_stream_of_several_runs_is_named_by_their_column(ndcg: Command) -> None:
    Path("f.txt").write_text(EXPORT)

    def piped(*arguments: str) -> Result:
        with Path("f.txt").open("rb") as file:
            before = os.dup(0)
            try:
                os.dup2(file.fileno(), 0)
                return ndcg(*arguments)
            finally:
                os.dup2(before, 0)
                os.close(before)

    told = piped("load", "run", "-", "--run-column", "Engine")
    assert told.err == (
        "-: a stream has no name; name its runs by their column: --name '{Engine}'\n"
    )
    told = piped("load", "run", "-", "--name", "{Engine}")
    assert piped(*pasted(told.err)).code == 0
    assert stored("select name from runs order by name") == [("alt",), ("neu",)]


# A score among others, and what else is told of the file.
ODD = {
    "an exponent": ("9,1E-05", ""),
    "no value": ("#NV", 'f.csv:14: query "Grill", document "9": score "#NV" is not'),
    "nothing": ("", 'f.csv:14: query "Grill", document "9": score "" is not'),
}


@pytest.mark.quick
@pytest.mark.parametrize("case", ODD)
def test_one_odd_score_hides_nothing_else(ndcg: Command, case: str) -> None:
    score, line = ODD[case]
    Path("f.csv").write_text(f"{EXPORT}W47;neu;Grill;9;4;{score}\n")
    told = ndcg("load", "run", "f.csv")
    assert "- numbers have decimal commas, such as " in told.refusal
    assert '- "Engine" tells runs apart: ' in told.err
    if line:
        assert ndcg(*pasted(told.err)).refusal.startswith(line)
        Path("f.csv").write_text(EXPORT)
    assert ndcg(*pasted(told.err.splitlines()[-1])).code == 0
    assert len(stored("select name from runs")) == 2


# What Excel leaves below a table.
BELOW = {"empty rows": ";;;;;\n;; ;;;\n", "totals": ";;;;;\nSumme;;;;;12\n"}


@pytest.mark.quick
@pytest.mark.parametrize("case", BELOW)
def test_what_stands_below_a_table_hides_no_question(ndcg: Command, case: str) -> None:
    Path("f.csv").write_text(EXPORT + BELOW[case])
    told = ndcg("load", "run", "f.csv")
    assert '- "Engine" tells runs apart: ' in told.refusal
    if case == "totals":
        assert "f.csv:15: the query id is empty" in ndcg(*pasted(told.err)).err
        Path("f.csv").write_text(EXPORT)
    assert ndcg(*pasted(told.err.splitlines()[-1])).code == 0
    assert stored("select count(*) from rankings") == [(12,)]


@pytest.mark.quick
def test_the_last_rows_tell_weeks_apart(ndcg: Command) -> None:
    values = ("W47", "W48"), ("alt", "neu"), range(40), range(1, 21)
    rows = [f"{w};{e};q{q};d{d};{d}\n" for w, e, q, d in product(*values)]
    header = "Week;Engine;Search term;Article number;Position\n"
    Path("f.csv").write_text(header + "".join(rows))
    told = ndcg("load", "run", "f.csv")
    assert '- "Engine" and "Week" tell runs apart' in told.err
    assert ndcg(*pasted(told.err.splitlines()[-1])).code == 0
    assert len(stored("select name from runs")) == 4
