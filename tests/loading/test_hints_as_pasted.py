"""What a refused file is told to be given, and that it loads when that is pasted."""

import os
import shlex
import subprocess
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.in_memory import evaluate
from ndcg_sql.python.warehouse import Warehouse
from support import exploring
from support.commands import Command, Result
from support.files import stored

pytestmark = pytest.mark.mostly_slow

pd: Any = import_module("pandas")

NAMES = "query_id,doc_id"
# Two engines that return some of the same products.
ENGINES = (
    "Engine,query_id,doc_id,score\n"
    "old,tent,p1,9\nold,tent,p2,8\nnew,tent,p3,9\nnew,tent,p1,7\n"
    "old,boat,p4,3\nold,boat,p5,2\nnew,boat,p5,6\nnew,boat,p4,5\n"
)
RANKINGS = (
    "select name, query_id, doc_id, position from rankings join runs using (run_id)"
    " order by all"
)
OF_ENGINES = [
    *[("new", "boat", "p4", 2), ("new", "boat", "p5", 1)],
    *[("new", "tent", "p1", 2), ("new", "tent", "p3", 1)],
    *[("old", "boat", "p4", 1), ("old", "boat", "p5", 2)],
    *[("old", "tent", "p1", 1), ("old", "tent", "p2", 2)],
]


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


@pytest.mark.quick
def test_rows_that_repeat_hide_no_column_that_divides_a_file(ndcg: Command) -> None:
    Path("f.csv").write_text(ENGINES + "new,tent,p1,7\n")
    told = ndcg("load", "run", "f.csv")
    assert '- "Engine" tells runs apart: ' in told.refusal
    command = pasted(told.err.splitlines()[-1])
    assert ndcg(*command, "--duplicates", "first").code == 0
    assert stored(RANKINGS) == OF_ENGINES


def test_documents_twice_in_one_of_the_runs_are_told_with_their_lines(
    ndcg: Command,
) -> None:
    rows = "".join(
        f"{engine},q{query},p{document},{10 - document}\n"
        for engine in ("old", "new")
        for query in range(6)
        for document in range(4)
    )
    Path("f.csv").write_text(f"Engine,{NAMES},score\n{rows}old,q0,p1,2\n")
    told = ndcg("load", "run", "f.csv").err
    assert "To keep one row" in ndcg(*pasted(told)).err
    last = told.splitlines()[-1]
    for rule, score in (("first", 9), ("last", 2), ("max", 9)):
        loaded = ndcg(*pasted(last), "--duplicates", rule, "--prefix", rule)
        assert loaded.code == 0, loaded.err
        sql = (
            "select score from rankings join runs using (run_id) where query_id = 'q0'"
        )
        assert stored(f"{sql} and doc_id = 'p1' and name = '{rule}old'") == [(score,)]


def test_no_rule_for_duplicates_mixes_what_a_column_divides(ndcg: Command) -> None:
    Path("f.csv").write_text(ENGINES + "new,tent,p1,7\n")
    told = ndcg("load", "run", "f.csv", "--duplicates", "max")
    assert told.refusal.endswith("; if they are no runs: --run-column none\n")
    assert "for a run of each: --run-column Engine; if" in told.err
    assert ndcg("load", "run", "f.csv", "--run-column", "Engine").code == 2
    each = ("--duplicates", "max", "--run-column", "Engine")
    assert ndcg("load", "run", "f.csv", *each).code == 0
    assert stored(RANKINGS) == OF_ENGINES
    one = ("--duplicates", "max", "--run-column", "none", "--name", "one")
    assert ndcg("load", "run", "f.csv", *one).code == 0
    assert stored(f"from ({RANKINGS}) where name = 'one' and query_id = 'tent'") == [
        *[("one", "tent", "p1", 2), ("one", "tent", "p2", 3), ("one", "tent", "p3", 1)],
    ]
    with Warehouse.memory() as warehouse:
        with pytest.raises(
            NdcgSqlError, match='if they are no runs: run_column="none"'
        ):
            warehouse.load_run("f.csv", duplicates="max")
        loaded = warehouse.load_run("f.csv", duplicates="max", run_column="Engine")
        assert "1 duplicate dropped" in str(loaded)


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
    assert "looks like a run, but the judgments come first; " in told.refusal
    assert "--grade" not in told.err
    # Then each file says in turn what must be added to load it.
    command = pasted(told.err)
    for file in ("urteile.csv", "export.csv"):
        told = ndcg(*command)
        assert told.refusal.startswith(file), told
        last = told.err.splitlines()[-1]
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
    assert "looks like a run, but the judgments come first" in told
    assert "ndcg-sql eval j.csv r.csv" in told
    loading = ndcg("load", "judgments", "r.csv").err
    assert "- it looks like a run" in loading
    [way] = [line for line in loading.splitlines() if "if this is right: " in line]
    command = pasted(way)
    assert command[:3] == ["load", "run", "r.csv"]
    Path("s.csv").write_text(f"Search term,Article,{name}\nq,a,1\nq,b,2\n")
    several = ndcg("eval", "r.csv", "s.csv", "j.csv").err
    assert "ndcg-sql eval j.csv r.csv s.csv" in several
    # Two runs are not swapped.
    assert "come first" not in ndcg("eval", "r.csv", "r.csv").err


@pytest.mark.quick
@pytest.mark.parametrize("name", ["Stars", "Verdict", "label", "final_judgment"])
def test_judgments_in_the_place_of_a_run_are_loaded_by_what_is_told(
    ndcg: Command, name: str
) -> None:
    Path("j.csv").write_text(f"Search term;Article;{name}\nq;a;2\nq;b;0\n")
    told = ndcg("load", "run", "j.csv")
    assert told.code == 2
    assert "- it looks like judgments\n" in told.err
    assert ndcg(*pasted(told.err)).code == 0
    assert stored("select doc_id, grade from judgments order by 1") == [
        *(("a", 2.0), ("b", 0.0)),
    ]


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
    if "describes a query: " in told and "judged" in name:
        options = shlex.split(told.partition("describes a query: ")[2])
        assert ndcg("load", "queries", name, *options).code == 0


@pytest.mark.quick
@pytest.mark.parametrize(
    "header",
    [
        "user_id,country,last_item_id,engagement_score",
        "user_id,gender,item,avg_rating",
        "query_id,difficulty_rating,product_category,clicks",
    ],
)
def test_attributes_with_similar_names_are_of_queries(
    ndcg: Command, header: str
) -> None:
    Path("queries.csv").write_text(f"{header}\nq1,a,b,2\n")
    ndcg("load", "queries", "queries.csv")
    names = {name for (name,) in stored("select attribute from query_attributes")}
    assert names == {*header.split(",")[1:]}


@pytest.mark.parametrize("name", ["relevance", "rel", "rating"])
def test_the_relevance_that_a_system_gives_is_a_score(ndcg: Command, name: str) -> None:
    Path("r.csv").write_text(f"query_id,doc_id,{name}\nq,a,0.2\nq,b,0.9\n")
    told = ndcg("load", "run", "r.csv")
    assert (told.code, told.out) == (2, "")
    assert "otherwise, name it: --column score=NAME" in told.err
    way = ("--column", f"score={name}")
    assert ndcg("load", "run", "r.csv", *way).code == 0
    assert stored("select doc_id from rankings order by position") == [("b",), ("a",)]
    assert ndcg(*pasted(told.err)).code == 0
    assert stored("select count(*) from judgments") == [(2,)]
    # What a model predicts is a score, even if it is called a relevance.
    rows = "query_id,doc_id,predicted_relevance\nq,a,0.2\n"
    Path("p.csv").write_text(rows)
    assert "column score=predicted" in ndcg("load", "run", "p.csv").err
    assert "column grade=predicted" in ndcg("load", "judgments", "p.csv").err


def test_no_grade_of_all_rows_hides_a_column_of_grades(ndcg: Command) -> None:
    for values in (("2", "0"), ("gut", "schlecht")):
        rows = "".join(f"q;d{n};{value}\n" for n, value in enumerate(values))
        Path("j.csv").write_text(f"query_id;doc_id;Stars\n{rows}")
        told = ndcg("load", "judgments", "j.csv", "--grade", "1")
        assert told.code == 2
    assert "--label gut=GRADE" in told.err
    filled = told.err.replace("gut=GRADE", "gut=2").replace(
        "schlecht=GRADE", "schlecht=0"
    )
    assert ndcg(*pasted(filled.splitlines()[-1])).code == 0
    assert stored("select grade from judgments order by all") == [(0.0,), (2.0,)]
    # Texts of many kinds are no labels, and neither are prices.
    note = "".join(f"q;d{n};a long remark on the document {n};7\n" for n in range(3))
    Path("views.csv").write_text(f"query_id;doc_id;note;price\n{note}")
    assert ndcg("load", "judgments", "views.csv", "--grade", "1").code == 0
    # Nor are remarks, however few and short.
    for name, second in (("Verdict_comment", "fine"), ("verdict", "")):
        remarks = f"query_id,doc_id,{name}\nq,a,ok\nq,b,{second}\nq,c,{second}\n"
        Path("remarks.csv").write_text(remarks)
        loaded = ndcg("load", "judgments", "remarks.csv", "--grade", "1", "--replace")
        assert (loaded.code, "warning" in loaded.err) == (0, False)
    beside = "beside one grade for all rows"
    memory, refused = Warehouse.memory(), pytest.raises(NdcgSqlError, match=beside)
    with memory as warehouse, refused:
        warehouse.load_judgments("j.csv", grade=1)


@pytest.mark.quick
@pytest.mark.usefixtures("here")
def test_python_is_told_that_judgments_come_first() -> None:
    Path("r.csv").write_text("query_id,doc_id,score\nq,a,1\n")
    Path("j.csv").write_text("query_id,doc_id,grade\nq,a,1\n")
    with pytest.raises(NdcgSqlError) as error:
        evaluate("r.csv", "j.csv")
    assert str(error.value) == (
        "judgments: looks like a run, but the judgments come first;"
        " evaluate(JUDGMENTS, RUN)"
    )
    assert evaluate("j.csv", "r.csv", "RR")["RR"] == 1


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


@pytest.mark.quick
def test_columns_of_words_are_those_of_assessors(ndcg: Command) -> None:
    Path("said.csv").write_text(
        "Search term;Article;Land;Anna;Bernd\n"
        "Zelt;1;DE;gut;schlecht\nZelt;2;DE;schlecht;gut\nGrill;1;AT;gut;\n"
    )
    told = ndcg("load", "assessments", "said.csv")
    assert told.code == 2
    command = pasted(told.err.replace("gut=GRADE", "gut=1"), GRADE=0)
    loaded = ndcg(*command)
    assert loaded.code == 0, loaded.err
    said = "select query_id, doc_id, assessor, grade from assessments order by all"
    assert stored(said) == [
        ("Grill", "1", "Anna", 1.0),
        *[("Zelt", "1", "Anna", 1.0), ("Zelt", "1", "Bernd", 0.0)],
        *[("Zelt", "2", "Anna", 0.0), ("Zelt", "2", "Bernd", 1.0)],
    ]


PER_COUNTRY = (
    "Searchterm;Land;Device;weight\n"
    "Zelt;AT;App;1\nZelt;DE;App;2\nGrill;AT;Web;3\nGrill;DE;App;4\n"
)


@pytest.mark.quick
def test_a_run_of_strange_columns_is_told_whatever_it_is_loaded_as(
    ndcg: Command,
) -> None:
    header = "Searchquery;Article;Value"
    rows = "Zelt;a;10.932,533\nZelt;b;9.932,5\nGrill;a;1.000,5\n"
    Path("f.csv").write_text(f"{header}\n{rows}")
    columns = " --column query_id=Searchquery --column doc_id=Article"
    way = f"ndcg-sql load run f.csv{columns} --column score=Value"
    # The only column left has numbers.
    for asked in ("run", "queries --column query_id=Searchquery"):
        told = ndcg("load", *asked.split(), "f.csv").err
        told = told[told.index("ndcg-sql") :].partition("\n")[0]
        assert {*shlex.split(told)} == {*shlex.split(f"{way} --decimal ,")}
    # How often something was searched for is no score.
    Path("f.csv").write_text(f"{header.replace('Value', 'Searchvolume')}\n{rows}")
    told = ndcg("load", "queries", "f.csv", "--column", "query_id=Searchquery").err
    assert "looks like a run" not in told


def test_rows_of_queries_are_chosen_in_both_faces(ndcg: Command) -> None:
    Path("q.csv").write_text(PER_COUNTRY)
    named = ("--column", "query_id=Searchterm")
    chosen = ndcg("load", "queries", "q.csv", *named, "--where", "weight=1")
    assert (chosen.code, "loaded 1 query" in chosen.err) == (0, True)
    none = ndcg("load", "queries", "q.csv", *named, "--where", "Land=FR")
    assert none.refusal == "q.csv: no rows; is this the right file?\n"
    odd = ndcg("load", "queries", "q.csv", *named, "--where", "Lnad=DE").err
    assert odd.endswith('no column "Lnad"; did you mean "Land"?\n')
    # Rows that no column tells apart are told with their lines.
    Path("q.csv").write_text("Searchterm;Land\nZelt;AT\nZelt;AT\n")
    assert "q.csv:3: " in ndcg("load", "queries", "q.csv", *named).err
    Path("q.csv").write_text(PER_COUNTRY)
    columns = {"query_id": "Searchterm"}
    with Warehouse.memory() as warehouse:
        with pytest.raises(NdcgSqlError, match="already on line 2"):
            warehouse.load_queries("q.csv", columns=columns)
        chosen = {"Land": "DE"}
        loaded = warehouse.load_queries("q.csv", columns=columns, where=chosen)
        assert "loaded 2 queries" in str(loaded)


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
@pytest.mark.parametrize(
    "below",
    ["q,b,none\n,c,1\n", ",b,1\n,c,1\n", ',b,1\n"q,c,1\n'],
    ids=["bad otherwise, too", "most lines", "not CSV"],
)
def test_bad_lines_at_the_end_are_not_always_totals(ndcg: Command, below: str) -> None:
    Path("f.csv").write_text(f"{NAMES},score\nq,a,1\n{below}")
    told = ndcg("load", "run", "f.csv").err
    assert told.endswith("nothing was loaded. Correct the file and load it again.\n")


def test_rows_of_empty_fields_are_blank_lines(ndcg: Command) -> None:
    for name, quote in (("plain", ""), ("quoted", '"')):
        row = f"{quote}q{quote},a,1\n,,\n , ,\nq,b,2\n,,\n"
        Path(f"{name}.csv").write_text(f"{NAMES},grade\n{row}")
        loaded = ndcg("load", "judgments", f"{name}.csv")
        assert "1 query, 2 judgments\n" in loaded.err
        # Their lines count.
        Path("bad.csv").write_text(f"{NAMES},grade\n{row}q,,1\n")
        assert ndcg("load", "judgments", "bad.csv").err.startswith("bad.csv:7: ")


TITLES = {
    "with delimiters": "Export KW 47;;;;;\n;;;;;\n",
    "without delimiters": "Export KW 47\n\n",
    "of two cells": "Export;KW 47;;;;\n",
}


@pytest.mark.parametrize("case", TITLES)
def test_titles_above_the_header_are_removed_as_told(ndcg: Command, case: str) -> None:
    Path("f.csv").write_text(TITLES[case] + EXPORT)
    told = ndcg("load", "run", "f.csv")
    place = TITLES[case].count("\n") + 1
    assert told.refusal == (
        f"f.csv:{place}: looks like the header; remove the lines above it, such as with"
        f" tail -n +{place} f.csv > NEW\n"
    )
    command = told.err.partition("such as with ")[2].replace("NEW", "new.csv")
    subprocess.run(command, shell=True, check=True)
    assert Path("new.csv").read_text() == EXPORT
    Path("f.csv").write_text("Export KW 47\nq;a;1\n")
    assert "no column for" in ndcg("load", "run", "f.csv").err


@pytest.mark.usefixtures("here")
def test_titles_above_the_header_of_a_sheet_are_told(ndcg: Command) -> None:
    rows = [["Export KW 47", ""], ["", ""], ["query_id", "doc_id"], ["q", "a"]]
    frame = pd.DataFrame(rows)
    frame.to_excel("f.xlsx", index=False, header=False, engine="xlsxwriter")
    assert ndcg("load", "judgments", "f.xlsx", "--grade", "1").refusal == (
        "f.xlsx: row 3 looks like the header; remove the rows above it\n"
    )
    pd.DataFrame(rows[2:]).to_excel(
        "f.xlsx", index=False, header=False, engine="xlsxwriter"
    )
    assert ndcg("load", "judgments", "f.xlsx", "--grade", "1").code == 0
