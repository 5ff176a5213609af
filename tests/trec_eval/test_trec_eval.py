"""The drop-in for trec_eval: its text byte for byte, and its exit codes."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ndcg_sql.database import sql_files
from ndcg_sql.trec_eval.catalog import catalog
from support.commands import Command, Result
from support.files import write_judgments, write_run
from support.libraries import library
from support.worlds import NEAR, SHAPES, world

pytestmark = pytest.mark.slow

ALL = ("-m", "all_trec")
GOLDEN = {
    "plain": ("out.test", (), "qrels.test", "results.test"),
    "comments": ("out.test", (), "qrels.test.with-comments", "results.test"),
    "all": ("out.test.a", ALL, "qrels.test", "results.test"),
    "queries": ("out.test.aq", (*ALL, "-q"), "qrels.test", "results.test"),
    "complete": ("out.test.aqc", (*ALL, "-q", "-c"), "qrels.test", "results.trunc"),
}


@pytest.mark.parametrize("name", GOLDEN)
def test_upstream_prints_the_same_bytes(ndcg: Command, shared: Path, name: str) -> None:
    expected, options, qrels, run = GOLDEN[name]
    folder = shared / "trec_eval"
    result = ndcg("trec_eval", *options, folder / qrels, folder / run)
    assert (result.code, result.err) == (0, "")
    assert result.out == (folder / expected).read_text()


# The case of the measures' tests: a query with everything, one with ties, one
# without anything relevant, one without an answer, and one nobody judged.
QRELS = """\
q1 0 d1 3
q1 0 d2 2
q1 0 d3 3
q1 0 d4 0
q1 0 d5 1
q1 0 d6 2
q1 0 d7 3
q1 0 d8 2
q1 0 d9 -1
q2 0 a 1
q2 0 b 0
q2 0 c 2
q3 0 x 0
q3 0 y 0
q4 0 z 1
"""
RUN = """\
q1 Q0 d1 1 9 old
q1 Q0 d2 1 8 old
q1 Q0 d3 1 7 old
q1 Q0 d4 1 6 old
q1 Q0 u1 1 5.5 old
q1 Q0 d5 1 5 old
q1 Q0 d9 1 4.5 old
q1 Q0 d6 1 4 old
q2 Q0 b 1 1 old
q2 Q0 a 1 1 old
q2 Q0 c 1 1 old
q2 Q0 n 1 0.5 old
q3 Q0 x 1 2 old
q3 Q0 w 1 1 old
q9 Q0 k 1 1 new
"""
Trec = Callable[..., Result]


@pytest.fixture
def trec(ndcg: Command, tmp_path: Path) -> Trec:
    """Run the drop-in on the case above, or on other texts."""

    def command(*options: str, qrels: str = QRELS, run: str = RUN) -> Result:
        (tmp_path / "qrels").write_text(qrels, encoding="utf-8", newline="")
        (tmp_path / "run").write_text(run, encoding="utf-8", newline="")
        return ndcg("trec_eval", *options, "qrels", "run")

    return command


def values(result: Result) -> dict[tuple[str, str], str]:
    """Return what was printed, by measure and query."""
    assert (result.code, result.err) == (0, "")
    split = [line.split("\t") for line in result.out.splitlines()]
    assert all(len(line) == 3 for line in split), [x for x in split if len(x) != 3][:4]
    return {(name.strip(), query): value for name, query, value in split}


def test_each_measure_of_trec_eval_prints_in_its_place(trec: Trec) -> None:
    names = [entry.name for entry in catalog()]
    asked = [part for name in reversed(names) for part in ("-m", name)]
    printed = [name for name, query in values(trec("-c", *asked)) if query == "all"]
    stems = [
        max((n for n in names if p == n or p.startswith(n + "_")), key=len)
        for p in printed
    ]
    summed = [entry.name for entry in catalog() if "summary" in entry.printed]
    assert list(dict.fromkeys(stems)) == summed


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("-m", "P.7,3,5"), ["P_3", "P_5", "P_7"]),
        (("-m", "P.23.4"), ["P_23"]),
        (("-m", "P.7", "-m", "P.3", "-m", "P"), ["P_7"]),
        (("-m", "official.5", "-m", "P.7", "-n"), []),
        (
            ("-m", "iprec_at_recall..10,.05"),
            ["iprec_at_recall_0.05", "iprec_at_recall_0.10"],
        ),
        (("-m", "11pt_avg..25,.5,.75"), ["11pt_avg_.25,.5,.75"]),
        (("-m", "ndcg.1=3.5,2=9.0"), ["ndcg_1=3.5,2=9.0"]),
        (("-m", "set_F.0.5", "-m", "rbp.p=0.8"), ["set_F_0.5", "rbp_p=0.8"]),
        (("-m", "map.5"), ["map"]),
        (("-mmap", "--measure=ndcg"), ["map", "ndcg"]),
        (("--measure", "map", "--nosummary"), []),
        # Upstream's options may be abbreviated, --complete... too.
        (("--comp", "--mea", "map"), ["map"]),
    ],
)
def test_parameters_and_the_names_they_make(
    trec: Trec, options: tuple[str, ...], expected: list[str]
) -> None:
    assert [name for name, _ in values(trec("-c", *options))] == expected


def test_options_change_what_they_say(trec: Trec) -> None:
    def one(measure: str, *options: str, query: str = "q1") -> str:
        name = measure.partition(".")[0]
        found = values(trec("-c", "-q", "-m", measure, *options))
        return next(
            v for (n, q), v in found.items() if n.startswith(name) and q == query
        )

    assert one("map") == "0.6131"
    assert one("num_rel", "-l", "3") == "3"
    assert one("ndcg", "-l", "3") == one("ndcg")
    assert one("num_ret", "-M", "4") == "4"
    assert one("num_rel", "-M", "4") == "7"
    assert one("num_ret", "-J") == "6"
    assert one("relstring", "-J") == "'323012'"
    assert one("relstring", "-J", "-M", "6") == "'32301'"
    assert one("utility.0,0,0,1", "-N", "100") == "90.0000"
    # Under -c the sum counts grades above 0, whatever is relevant.
    assert one("num_rel", "-l", "3", query="all") == "10"
    assert one("num_q", "-D", "3.q2", query="all") == "4"


def test_without_c_the_first_query_that_is_missing_ends_it(trec: Trec) -> None:
    result = trec("-q", "-m", "map")
    assert result.code == 4
    assert [line.split("\t")[1] for line in result.out.splitlines()] == [
        *("q1", "q2", "q3")
    ]
    assert result.err == (
        'run: query "q4" is judged, but not in the run; -c counts it as 0\n'
    )
    assert trec("-m", "map").out == ""
    assert values(trec("-D", "0.q1", "-m", "map"))["map", "all"] == "0.6131"


def test_hints_for_names_as_they_are_printed(ndcg: Command) -> None:
    hints = {
        "ndcg_cut_10": "; parameters follow a dot: ndcg_cut.10",
        "iprec_at_recall_0.50": "; parameters follow a dot: iprec_at_recall.0.50",
        "P_5": "; parameters follow a dot: P.5",
        "foo_5": "",
        "mapp": '; did you mean "map", "gm_map", "set_map"?',
        "ndcg_cat_10": '; did you mean "ndcg_cut", "ndcg", "ndcg_rel"?',
        "oficial": '; did you mean "official"?',
    }
    for name, hint in hints.items():
        result = ndcg("trec_eval", "-m", name, "qrels", "run")
        assert result.err == f'-m "{name}": not a trec_eval measure{hint}\n'


def test_of_two_gains_for_a_level_the_first_counts(trec: Trec) -> None:
    twice = values(trec("-c", "-m", "ndcg.1=3,1=4"))["ndcg_1=3,1=4", "all"]
    assert twice == values(trec("-c", "-m", "ndcg.1=3"))["ndcg_1=3", "all"]
    assert twice != values(trec("-c", "-m", "ndcg.1=4"))["ndcg_1=4", "all"]


def test_points_of_recall_may_stand_in_any_order(trec: Trec) -> None:
    up = values(trec("-c", "-m", "11pt_avg..25,.5,.75"))["11pt_avg_.25,.5,.75", "all"]
    down = values(trec("-c", "-m", "11pt_avg..75,.5,.25"))
    assert down == {("11pt_avg_.75,.5,.25", "all"): up}


def test_the_help_tells_what_measures_mean(ndcg: Command) -> None:
    told = ndcg("trec_eval", "-h", "-m", "all_trec").out
    for entry in catalog():
        if "all_trec" in entry.sets:
            assert re.search(rf"(?m)^{re.escape(entry.name)}\n    \w", told), entry.name


ZSCORES = "q1 map 0.5 0.1\nq2 map 0.8333333333333333 0\nq3 map 1 0\nq1 num_ret 3 2\n"


def test_zscores(trec: Trec, tmp_path: Path) -> None:
    (tmp_path / "z").write_text(ZSCORES)
    result = trec("-q", "-c", "-Z", "z", "-m", "map", "-m", "num_ret", "-m", "runid")
    lines = [line.split("\t") for line in result.out.splitlines()]
    found = {(name.strip(), query): value for name, query, value in lines}
    assert found["Znum_ret", "q1"] == "2.5000"
    assert found["Zmap", "q1"] == "1.1310"
    # Where doubles are equal is a matter of their last bits.
    assert found["Zmap", "q2"] in ("0.0000", "-1000000.0000")
    assert found["Zmap", "q3"] == found["Zmap", "q4"] == "-1000000.0000"
    assert found["runid", "all"] == "new"


@pytest.mark.parametrize("line", ["q1 map 0.5", "q1 map x 1", "q1 map 1 nan"])
def test_a_bad_line_of_zscores_is_refused(
    trec: Trec, tmp_path: Path, line: str
) -> None:
    (tmp_path / "z").write_text(f"q2 map 1 1\n{line}\n")
    result = trec("-c", "-Z", "z")
    assert result.refusal.startswith("z:2: ")


def test_what_files_may_hold(trec: Trec) -> None:
    plain = trec("-c", "-q", *ALL).out
    qrels = (
        "# judgments\n#\n\n" + QRELS.replace(" ", "\t ").replace("\n", "\r\n") + "# end"
    )
    run = "\ufeff# a run\n\n" + RUN.replace(" new", " new and more words of text")
    assert trec("-c", "-q", *ALL, qrels=qrels).out == plain
    assert trec("-c", "-q", *ALL, run=run).out == plain


def test_several_runs_print_one_after_the_other(ndcg: Command, trec: Trec) -> None:
    once = trec("-c").out
    Path("other").write_text(RUN.replace("new", "other").replace(" 9 ", " -9 "))
    both = ndcg("trec_eval", "-c", "qrels", "run", "other")
    assert both.code == 0
    assert both.out.startswith(once)
    assert "runid                 \tall\tother\n" in both.out[len(once) :]
    assert both.out[len(once) :].count("\n") == once.count("\n")


def test_a_run_may_come_through_standard_input(trec: Trec, tmp_path: Path) -> None:
    expected = trec("-c").out
    command = [sys.executable, "-m", "ndcg_sql", "trec_eval", "-c", "qrels", "-"]
    with (tmp_path / "run").open() as run:
        done = subprocess.run(
            command, cwd=tmp_path, stdin=run, check=True, capture_output=True, text=True
        )
    assert (done.stdout, done.stderr) == (expected, "")


EXITS: dict[str, tuple[tuple[str, ...], int]] = {
    "nothing": ((), 1),
    "an unknown option": (("-x", "qrels", "run"), 1),
    "one file": (("qrels",), 1),
    "an unknown measure": (("-m", "foo", "qrels", "run"), 1),
    "an underscore": (("-m", "ndcg_cut_10", "qrels", "run"), 1),
    "no parameters": (("-m", "P.", "qrels", "run"), 1),
    "a negative level": (("-l", "-1", "qrels", "run"), 1),
    "depth 0": (("-M", "0", "qrels", "run"), 1),
    "no such file": (("-c", "qrels", "no"), 2),
    "no such judgments": (("-c", "no", "run"), 2),
    "an empty file": (("-c", "empty", "run"), 2),
    "a cutoff of 0": (("-m", "P.0", "qrels", "run"), 2),
    "a cutoff twice": (("-m", "P.5,5", "qrels", "run"), 2),
    "a word for a cutoff": (("-m", "P.x", "qrels", "run"), 2),
    "no pairs": (("-m", "ndcg.5", "qrels", "run"), 2),
    "a gain for the unjudged": (("-m", "ndcg.-1=2", "qrels", "run"), 2),
    "words behind a cutoff": (("-m", "P.5x", "qrels", "run"), 2),
    "a gain for no level": (("-m", "ndcg.x=3", "qrels", "run"), 2),
    "a version": (("--compat", "8", "qrels", "run"), 1),
    "no name of a file": (("-c", "", "run"), 1),
    "a form of judgments": (("-R", "foo", "qrels", "run"), 2),
    "a form of runs": (("-T", "foo", "qrels", "run"), 2),
    "prices": (("-m", "utility.1,2", "qrels", "run"), 4),
    "no such query": (("-D", "0.q5", "qrels", "run"), 7),
    "version": (("-v",), 0),
    "its long name": (("--version",), 0),
    "help": (("-h", "-m", "official"), 0),
}


@pytest.mark.parametrize("name", EXITS)
def test_exit_codes_are_upstreams(ndcg: Command, name: str) -> None:
    for file, text in (("qrels", QRELS), ("run", RUN), ("empty", "")):
        Path(file).write_text(text)
    arguments, code = EXITS[name]
    result = ndcg("trec_eval", *arguments)
    assert result.code == code
    assert (result.out == "") == (name != "help")
    assert (result.err == "") == (name == "help")


APART = (
    "preferences and groups of judgments are not included; evaluate them with"
    " trec_eval\n"
)
GROUPED = """
-R prefs; -R qrels_prefs; -R qrels_jg; -m prefs; -m all_prefs; -m prefs_simp
-m qrels_jg; -m map_avgjg; -m Rprec_mult_avgjg.0.5
"""
# What is given, the exit code, and how the message begins.
REFUSED: list[tuple[str, dict[str, str], int, str]] = [
    *(
        (options, {}, 1, f"{options.partition('.')[0]}: {APART}")
        for options in GROUPED.strip().replace("\n", "; ").split("; ")
    ),
    # A document twice, a judgment twice, and one that is worse, too.
    ("", {"run": RUN + "q1 Q0 d1 1 3 t\n"}, 4, "run:16: "),
    ("", {"qrels": QRELS + "q1 0 d1 3\n"}, 4, "qrels:16: "),
    ("", {"qrels": QRELS + "q1 0 d1 x\n"}, 2, "qrels:16: "),
    ("", {"run": "q1 Q0 d1 1 abc t\n"}, 2, "run:1: "),
    ("", {"run": "q1 Q0 d1 1 3\n"}, 2, "run:1: 5 fields, expected 6"),
    (
        *("", {"qrels": "q1 0 d1 1.5\n"}, 2),
        'qrels:1: query "q1", document "d1": grade "1.5" is not an integer',
    ),
    ("", {"qrels": "q1 0 d1 1 x\n"}, 2, "qrels:1: 5 fields, expected 4"),
]


@pytest.mark.parametrize(("options", "texts", "code", "message"), REFUSED)
def test_what_is_refused_says_why(
    trec: Trec, options: str, texts: dict[str, str], code: int, message: str
) -> None:
    result = trec("-c", "-q", *options.split(), **texts)
    assert (result.code, result.out) == (code, "")
    assert result.err.startswith(message)


def test_version_9_gives_the_same(ndcg: Command) -> None:
    pytrec_eval = library("pytrec_eval")
    scores = NEAR
    shapes = tuple(s for s in SHAPES if s != "negative")
    queries = world(11, 300, scores=scores, shapes=shapes)
    write_judgments(Path("qrels"), queries.judged)
    write_run(Path("run"), queries.ranked)
    result = ndcg("trec_eval", "--compat", "9", "-q", *ALL, "qrels", "run")
    found = values(result)
    whole: Any = {
        query: {document: int(grade) for document, grade in grades.items()}
        for query, grades in queries.judged.items()
        # A query with only negative grades makes it crash.
        if max(grades.values()) >= 0
    }
    measures = pytrec_eval.supported_measures - {"relstring"}
    evaluator = pytrec_eval.RelevanceEvaluator(whole, measures)
    compared = 0
    for query, own in evaluator.evaluate(queries.ranked).items():
        for name, value in own.items():
            if (name, query) in found and not name.startswith(("gm_", "num_")):
                assert found[name, query] == f"{value:6.4f}", (name, query)
                compared += 1
    assert compared > 10_000
    assert {query for _, query in found} == {
        "all",
        *(set(queries.judged) & set(queries.ranked)),
    }
    complete = values(ndcg("trec_eval", "--compat", "9", "-c", *ALL, "qrels", "run"))
    assert complete["num_q", "all"] == str(len(queries.judged))


def test_the_catalog_knows_each_measure_once() -> None:
    rows = sql_files.rows("trec_eval/measures")
    assert len({row["name"] for row in rows}) == len(rows) == 40
    kinds = {row["parameters"] for row in rows}
    assert kinds == {"", "cutoffs", "levels", "numbers", "pairs"}
