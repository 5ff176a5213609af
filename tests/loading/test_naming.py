"""Names of runs by patterns and prefixes; columns that become tags and times."""

import shlex
from pathlib import Path

import pytest

from support import exploring
from support.commands import Command
from support.files import stored

pytestmark = pytest.mark.mostly_slow

NAMES = "select name from runs order by name"
HEADER = "query_id,doc_id,score,Engine,Week,Day\n"


def export(week: int, engines: tuple[str, ...] = ("bm25", "dense")) -> str:
    """Return a week's export: two documents of a query, by each engine."""
    return HEADER + "".join(
        f"q1,d{document},{week * document},{engine},W{week},2026-11-{week - 30}\n"
        for engine in engines
        for document in (1, 2)
    )


def names() -> list[str]:
    return [name for (name,) in stored(NAMES)]


def pasted(told: str) -> list[str]:
    """Return the arguments of the options that end a message."""
    return shlex.split(told.rpartition(": ")[2])


@pytest.fixture
def weeks(here: Path) -> list[str]:
    """Write the exports of two weeks."""
    for week in (47, 48):
        (here / f"export_W{week}.csv").write_text(export(week))
    return ["export_W47.csv", "export_W48.csv"]


PATTERNS: dict[str, tuple[list[str], list[str]]] = {
    "columns": (
        ["--name", "{Week}/{Engine}"],
        ["W47/bm25", "W47/dense", "W48/bm25", "W48/dense"],
    ),
    "the file and its runs": (
        ["--run-column", "Engine", "--name", "{file}-{run}"],
        *([f"export_W{w}-{e}" for w in (47, 48) for e in ("bm25", "dense")],),
    ),
    "a tag, a date and braces": (
        [
            *("--tag", "site=at", "--run-at", "2026-11-25T10:00"),
            *("--name", "{{{site}}} {date} {Week} {Engine}"),
        ],
        [f"{{at}} 2026-11-25 W{w} {e}" for w in (47, 48) for e in ("bm25", "dense")],
    ),
}


@pytest.mark.parametrize(
    "case", exploring.mostly_slow(PATTERNS, "a tag, a date and braces")
)
def test_a_pattern_names_runs(ndcg: Command, weeks: list[str], case: str) -> None:
    options, expected = PATTERNS[case]
    assert ndcg("load", "run", *weeks, *options).code == 0
    assert names() == expected
    again = ndcg("load", "run", *weeks, *options)
    assert again.err.count("already exists with this content; nothing to do") == 4
    read = stored(
        "select name, position, doc_id, score from rankings join runs using (run_id)"
        " where name like '%48%dense' or name like '%48 dense' order by position"
    )
    assert [row[1:] for row in read] == [(1, "d2", 96.0), (2, "d1", 48.0)]


def test_a_date_that_no_column_has_is_that_of_the_run(ndcg: Command) -> None:
    Path("r.tsv").write_text("q1\td1\t1\n")
    Path("r.csv").write_text("query_id,doc_id,score\nq1,d1,1\n")
    for file, what in (
        ("r.tsv", 'a file of the format msmarco has no column "date"'),
        ("r.csv", 'no column "date"; the header has "query_id", "doc_id", "score"'),
    ):
        told = ndcg("load", "run", file, "--name", "{date}")
        assert told.refusal == (
            f"{file}: {what}; to name runs by the date when they were made: --run-at"
            " TIME\n"
        )
        dated = ("--name", "{date} {file}", "--run-at", "2026-01-31")
        assert (
            ndcg("load", "run", file, *dated, "--replace", "--positions", "given").code
            == 0
        )
    assert names() == ["2026-01-31 r"]
    assert "run-at" not in ndcg("load", "run", "r.csv", "--name", "{day}").refusal


def test_a_prefix_stands_in_front_of_every_name(ndcg: Command) -> None:
    Path("a.csv").write_text(export(47))
    Path("one.trec").write_text("q1 Q0 a 1 2 ease\nq1 Q0 b 2 1 ease\n")
    Path("two.trec").write_text("q1 Q0 a 1 2 x\nq1 Q0 b 2 1 x\n")
    divided = ("load", "run", "a.csv", "--run-column", "Engine", "--prefix", "W47/")
    assert ndcg(*divided).code == 0
    assert ndcg("load", "run", "one.trec", "--prefix", "W47/").code == 0
    by_tag = ("load", "run", "two.trec", "--prefix", "W47/", "--name-from", "tag")
    assert ndcg(*by_tag).code == 0
    assert names() == ["W47/bm25", "W47/dense", "W47/one", "W47/x"]
    assert ndcg(*divided).err.count("nothing to do") == 2
    both = ndcg("load", "run", "one.trec", "--prefix", "W47/", "--name", "x")
    assert both.err == "--prefix: --name names the run already; omit one\n"


def test_a_column_is_a_tag_and_another_the_time(
    ndcg: Command, weeks: list[str]
) -> None:
    options = ("--tag-column", "Week", "--tag", "model=x", "--run-at-column", "Day")
    load = ("load", "run", *weeks, "--name", "{Week}/{Engine}", *options)
    assert ndcg(*load).code == 0
    assert ndcg(*load).err.count("nothing to do") == 4
    sql = (
        "select name, run_at::date::varchar, tag, tag_value from runs"
        " join run_tags using (run_id) order by all"
    )
    assert stored(sql)[:2] == [
        ("W47/bm25", "2026-11-17", "Week", "W47"),
        ("W47/bm25", "2026-11-17", "model", "x"),
    ]
    assert len(stored(sql)) == 8


def test_a_further_column_of_several_values_is_no_tag(ndcg: Command) -> None:
    Path("f.csv").write_text(export(47) + export(48).removeprefix(HEADER))
    load = ("load", "run", "f.csv", "--tag-column", "Week")
    told = ndcg(*load, "--name", "{Engine}", "--duplicates", "first")
    assert told.err == (
        'f.csv: run "bm25": column "Week" has several values, such as "W47" and "W48";'
        " to make a run of each: --name '{Week}/{Engine}'\n"
    )
    assert ndcg(*load, *pasted(told.err)).code == 0
    assert names() == ["W47/bm25", "W47/dense", "W48/bm25", "W48/dense"]


def test_next_week_is_offered_a_prefix(ndcg: Command, weeks: list[str]) -> None:
    load = ("load", "run", "--run-column", "Engine")
    assert ndcg(*load, weeks[0]).code == 0
    told = ndcg(*load, weeks[1])
    assert told.refusal == (
        'export_W48.csv: run "bm25" of dataset "default" already exists with other'
        " content; put something in front of its name: --prefix NAME, or replace it:"
        " --replace\n"
    )
    assert ndcg(*load, weeks[1], "--prefix", "W48/").code == 0
    assert names() == ["W48/bm25", "W48/dense", "bm25", "dense"]


def test_files_of_names_that_are_taken_are_offered_a_prefix(ndcg: Command) -> None:
    for folder, score in (("old", 1), ("new", 2)):
        Path(folder).mkdir()
        for name in "ab":
            (Path(folder) / f"{name}.run").write_text(f"q Q0 d 1 {score} t\n")
    assert ndcg("load", "run", "old").code == 0
    told = ndcg("load", "run", "new").err.splitlines()[0]
    assert "put something in front of its name: --prefix NAME, or replace it" in told
    assert ndcg("load", "run", "new", "--prefix", "new ").code == 0
    assert len(names()) == 4


REFUSED = {
    "a single brace": (
        ["--name", "{Week"],
        "--name '{Week': a single {; a field stands in braces, such as --name"
        " '{file}-{Engine}'; a brace of a name is doubled\n",
    ),
    "no such column": (
        ["--name", "{Monat}/{Engine}"],
        'f.csv: no column "Monat"; the header has ',
    ),
    "no column of runs": (
        ["--name", "{run}"],
        "--name '{run}': f.csv: no column names runs; name it: --run-column NAME\n",
    ),
    "runs of one name": (
        ["--name", "{Week}", "--run-column", "Engine"],
        "--name '{Week}': f.csv: \"W47\" would be the name of several runs, such as"
        ' "bm25" and "dense"; add the column that names them: --name'
        " '{Week}/{run}'\n",
    ),
    "no time": (
        ["--name", "{Engine}", "--run-at-column", "Week"],
        'f.csv: column "Week": "W47" is not a time like 2026-01-31T23:59\n',
    ),
    "two times": (
        ["--run-at", "2026-01-31", "--run-at-column", "Day"],
        "--run-at-column: --run-at states the time already; omit one\n",
    ),
    "a name for several": (
        ["--name", "x", "--run-column", "Engine"],
        'f.csv: contains 2 runs ("bm25", "dense"), named by column "Engine"; --name'
        " names one run: name each by a pattern, such as --name 'x-{run}', or load all"
        " rows as one run: --run-column none\n",
    ),
}


@pytest.mark.quick
@pytest.mark.parametrize("case", REFUSED)
@pytest.mark.usefixtures("bare")
def test_what_names_no_run_is_refused(ndcg: Command, case: str) -> None:
    options, message = REFUSED[case]
    Path("f.csv").write_text(export(47))
    assert ndcg("load", "run", "f.csv", *options).refusal.startswith(message)
    assert not Path("ndcg.duckdb").exists()


@pytest.mark.quick
def test_an_empty_part_leaves_a_row_without_a_run(ndcg: Command) -> None:
    Path("f.csv").write_text(export(47) + "q9,d,1,,W47,2026-11-17\n")
    told = ndcg("load", "run", "f.csv", "--name", "{Week}/{Engine}")
    assert told.err.startswith('f.csv:6: query "q9", document "d": no run, but other')


def test_the_last_field_of_trec_files_is_part_of_a_name(ndcg: Command) -> None:
    Path("w47.trec").write_text("q1 Q0 a 1 2 ease\nq1 Q0 b 2 1 ease\n")
    for number, pattern in enumerate(("{file}-{run}", "{tag}-{file}")):
        assert ndcg("load", "run", "w47.trec", "--name", pattern).code == 0
        assert len(names()) == number + 1
    assert names() == ["ease-w47", "w47-ease"]
    told = ndcg("load", "run", "w47.trec", "--name", "{Engine}")
    assert told.err == (
        'w47.trec: a file of the format trec has no column "Engine"; its last column'
        " is called tag\n"
    )
