"""Options, names and things that are not there: refused with a hint."""

from pathlib import Path
from shlex import quote

import pytest

from ndcg_sql.measures.families import families
from support.commands import Command
from support.files import QRELS, RUN, digest

CONTROL = "a name cannot contain control characters"
LENGTH = "a name has 1 to 200 characters"
BLANK = "a name cannot begin or end with a blank"
GATE = ("gate", "--baseline", "base", "--candidate", "base")
LOAD_RUN = ("load", "run", "run.txt")
LOAD_JUDGMENTS = ("load", "judgments", "qrels.txt")


def shown(option: str, value: str) -> str:
    """Return the value of an option as a message has it."""
    return quote(value) if option == "--max-drop" else value


# A command line of which each message is the whole of standard error.
OPTIONS = [
    (
        (*LOAD_JUDGMENTS, "--label", "Exact"),
        "--label Exact: write it like --label Exact=2",
    ),
    (
        (*LOAD_JUDGMENTS, "--label", "=2"),
        "--label =2: an empty grade can only mean that nobody judged the document;"
        " give it a negative grade: --label =-1",
    ),
    (
        (*LOAD_JUDGMENTS, "--label", "Exact="),
        "--label Exact=: write it like --label Exact=2",
    ),
    (
        (*LOAD_JUDGMENTS, "--label", " 2=5"),
        "--label  2=5: 2 is already a grade, not a label",
    ),
    *(
        (
            (*LOAD_JUDGMENTS, "--label", f"Exact={grade}"),
            f"--label Exact={grade}: the grade is {reason}",
        )
        for grade, reason in (
            *((g, "not a number") for g in ("much", "nan", "1_0")),
            ("inf", "not a finite number"),
            ("1,5", "not a number; did you mean 1.5?"),
        )
    ),
    (
        (*LOAD_JUDGMENTS, "--label", "Exact=2", "--label", "Exact=2"),
        "--label Exact: given twice",
    ),
    ((*LOAD_RUN, "--tag", "bm25"), "--tag bm25: write it like --tag model=bm25"),
    ((*LOAD_RUN, "--tag", "bm25="), "--tag bm25=: write it like --tag model=bm25"),
    ((*LOAD_RUN, "--tag", "k=1", "--tag", "k=2"), "--tag k: given twice"),
    (
        (*LOAD_RUN, "--tag", "a", "--column", "b", "--tag", "c=1", "--tag", "d"),
        "--tag a: write it like --tag model=bm25\n"
        "--tag d: write it like --tag model=bm25\n"
        "--column b: write it like --column query_id=Query",
    ),
    (
        (*LOAD_JUDGMENTS, "--label", "x", "--label", "y=z", "--label", "1=2"),
        "--label x: write it like --label Exact=2\n"
        "--label y=z: the grade is not a number\n"
        "--label 1=2: 1 is already a grade, not a label",
    ),
    (
        ("gains", "add", "s", "a", "b=1", "c"),
        "a: not GRADE=GAIN; write it like 3=1\nc: not GRADE=GAIN; write it like 3=1",
    ),
    (
        ("tag", "run", "base", "bm25"),
        "bm25: not KEY=VALUE; write it like model=bm25",
    ),
    (
        (*LOAD_RUN, "--format-in", "arff"),
        "--format-in arff: not one of csv, tsv, excel, json, jsonl, letor, lists,"
        " msmarco, parquet, recbole, trec, ubi, values",
    ),
    (
        (*LOAD_RUN, "--format-in", "parquet"),
        "run.txt: not parquet; omit --format-in",
    ),
    (
        (*LOAD_RUN, "--positions", "best"),
        "--positions best: not one of score, score32, given",
    ),
    *(
        (
            (*LOAD_RUN, "--run-at", time),
            f"--run-at {quote(time)}: not a time like 2026-01-31T23:59",
        )
        for time in ("yesterday", "2026-13-31", "")
    ),
    (
        ("load", "run", "run.txt", "qrels.txt", "--name", "both"),
        "--name: names one run, but several files are given",
    ),
    (
        ("report", "--format", "xml"),
        "--format xml: not one of table, markdown, latex, csv, tsv, json, jsonl,"
        " parquet",
    ),
    *(
        (
            (*GATE, option, value),
            f"{option} {shown(option, value)}: {reason.replace('a number', kind)}",
        )
        for option, kind in (
            ("--alpha", "a number"),
            ("--max-drop", "a number or a percentage"),
        )
        for value, reason in (
            ("nan", "not a number"),
            (",5", "not a number; did you mean .5?"),
            ("0,5,", "not a number"),
            ("", "not a number"),
            ("-inf", "not a finite number"),
        )
    ),
    *(
        ((*command, option, value), f"{option} {value}: {reason}")
        for command, option in (
            (("overlap", "base", "base"), "--p"),
            (("query", "select 1"), "--time-limit"),
            (("report",), "--timeout"),
        )
        for value, reason in (
            ("1_0", "not a number"),
            ("-inf", "not a finite number"),
            ("0,8", "not a number; did you mean 0.8?"),
        )
    ),
    *(
        ((*command, option, value), f"{option} {value}: not an integer")
        for command, option in (
            (("compare", "base", "base"), "--seed"),
            (("holes",), "--depth"),
            (("pool",), "--depth"),
            (("pool",), "--seed"),
            (("report",), "--threads"),
        )
        for value in ("1.5", "9" * 30)
    ),
    *(
        (
            ("compare", "base", "base", "--resamples", value),
            f"--resamples {value}: not an integer",
        )
        for value in ("abc", "1e3", "")
    ),
    (
        ("eval", "qrels.txt", "run.txt", "--column", "scor=1"),
        '--column scor: not a column of a judgments or run file; did you mean "score"?',
    ),
    (("eval", "qrels.txt", "."), ".: a directory; name the files in it"),
    (("report", "--format", "parquet"), "--format parquet: name a file: -o FILE"),
    (
        ("report", "--color", "sometimes"),
        "--color sometimes: not one of auto, always, never",
    ),
    (("list", "--format", "parquet"), "--format parquet: name a file: -o FILE"),
    (("report", "-o", "no/out.csv"), "-o no/out.csv: the directory does not exist"),
    (("report", "-o", "."), "-o .: a directory"),
    *(
        ((*LOAD_RUN, "--name", name), f'run "{shown}": {reason}')
        for name, shown, reason in (
            ("", "", LENGTH),
            ("x" * 201, "x" * 79 + "…", LENGTH),
            (" a", " a", BLANK),
            ("a\u00a0", "a\u00a0", BLANK),
            ("a\nb", "a\\nb", CONTROL),
            ("a\x1b[31m", "a\\x1b[31m", CONTROL),
            ("a\u202eb", "a\\u202eb", CONTROL),
        )
    ),
    ((*LOAD_RUN, "--dataset", "a\tb"), f'dataset "a\\tb": {CONTROL}'),
    ((*LOAD_JUDGMENTS, "--dataset", ""), f'dataset "": {LENGTH}'),
    ((*LOAD_JUDGMENTS, "--name", "\x7f"), f'judgment set "\\x7f": {CONTROL}'),
    (
        ("load", "run", "other.txt", "--name", "base"),
        'other.txt: run "base" of dataset "default" already exists with other'
        " content; choose another name, or replace it: --replace",
    ),
    (
        (*LOAD_RUN, "--name", "base", "--positions", "given"),
        'run.txt: run "base" of dataset "default" already exists with other'
        " content; choose another name, or replace it: --replace",
    ),
    (
        ("load", "judgments", "changed.txt", "--name", "qrels"),
        'changed.txt: judgment set "qrels" of dataset "default" already exists'
        " with other content; choose another name, or replace it:"
        " --replace",
    ),
    (("report", "--run", "bsae"), 'no run "bsae"; did you mean "base"?'),
    (("report", "--run", "zzzz"), 'no run "zzzz"; known: "base"'),
    (("report", "--run", "\x1b"), 'no run "\\x1b"; known: "base"'),
    (
        ("report", "--judgments", "qrel"),
        'no judgment set "qrel"; did you mean "qrels"?',
    ),
    (
        ("report", "--dataset", "defualt"),
        'no dataset "defualt"; did you mean "default"?',
    ),
    (("explain", "bsae", "q1"), 'no run "bsae"; did you mean "base"?'),
    (
        ("explain", "base", "q7"),
        'query "q7": neither in the run nor judged',
    ),
    (("explain", "base", "q3"), 'query "q3": not judged'),
    (
        ("explain", "base", "q1", "-m", "nDCG@5 nDCG@10 nDCG@20"),
        "explain shows one measure, or two side by side, but not 3; omit some",
    ),
    (
        ("report", "-m", "nDCG@0"),
        'measure "nDCG@0": cutoff "0" is not an integer from 1 to 999999999',
    ),
    (
        ("report", "-m", "nDCG(foo=1)@5"),
        'measure "nDCG(foo=1)@5": nDCG takes no parameter "foo"; it takes '
        + ", ".join(families()["nDCG"].defaults),
    ),
    (
        ("report", "-m", "nDCG(gains='esci')@5"),
        'measure "nDCG(gains=\'esci\')@5": no gain scheme "esci";'
        ' known: "linear", "exp", "binary"',
    ),
    (("report", "-m", ""), "a measure is missing; name one, such as nDCG@10"),
    (
        ("measures", "remove", "P@5"),
        'measure "P@5": not registered; known: "nDCG@10", "AP", "RR", "R@100"',
    ),
]


def arguments(command: tuple[str, ...]) -> str:
    """Return a command line as the name of a test."""
    return ascii(" ".join(command))[1:60]


@pytest.fixture
def files(loaded: Path) -> Path:
    """Put the warehouse and the files that the commands name into place."""
    (loaded.parent / "run.txt").write_text(RUN)
    (loaded.parent / "qrels.txt").write_text(QRELS)
    (loaded.parent / "changed.txt").write_text(QRELS + "q2 0 b 1\n")
    (loaded.parent / "other.txt").write_text("q1 Q0 a 1 9 t\n")
    return loaded


@pytest.mark.parametrize(
    ("command", "line"), OPTIONS, ids=[arguments(command) for command, _ in OPTIONS]
)
def test_a_senseless_command_is_refused_in_a_line_for_each_fault(
    ndcg: Command, files: Path, command: tuple[str, ...], line: str
) -> None:
    before = digest(files)
    result = ndcg(*command)
    assert result.err == line + "\n"
    assert (result.code, result.out) == (2, "")
    assert digest(files) == before


@pytest.mark.usefixtures("files")
def test_a_time_at_the_edge_of_the_calendar_is_no_fault_of_ours(ndcg: Command) -> None:
    result = ndcg(*LOAD_RUN, "--run-at", "0001-01-01T00:00+02:00")
    assert result.refusal.startswith("--run-at 0001-01-01T00:00+02:00: ")


@pytest.mark.usefixtures("files")
def test_a_label_that_no_double_can_hold_is_refused(ndcg: Command) -> None:
    result = ndcg(*LOAD_JUDGMENTS, "--label", "Exact=1e-400", "--name", "other")
    assert result.code == 2


@pytest.mark.usefixtures("files")
def test_the_advice_for_an_empty_grade_can_be_followed(ndcg: Command) -> None:
    Path("j.csv").write_text("query_id,doc_id,grade\nq1,a,\n")
    result = ndcg("load", "judgments", "j.csv")
    assert result.refusal.startswith('j.csv:2: query "q1", document "a": ')
    assert '--label ""' not in result.err


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    "command",
    [["load"], ["load", "run"], ["nothing"], ["report", "--nothing"], ["explain"], []],
    ids=" ".join,
)
def test_a_wrong_usage_exits_with_2_and_leaves_standard_output_empty(
    ndcg: Command, command: list[str]
) -> None:
    result = ndcg(*command)
    assert "help" in result.refusal


ESC = "\x1b[31m\u202e"


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    "command",
    [
        ["report", "--format", ESC],
        ["report", "-o", f"no/{ESC}"],
        ["report", "-w", ESC],
        ["report", "-w", f"no/{ESC}/w"],
        ["report", "-m", ESC],
        ["report", f"--{ESC}"],
        [ESC],
        [*LOAD_RUN, "--positions", ESC],
        [*LOAD_RUN, "--format-in", ESC],
        [*LOAD_RUN, "--run-at", ESC],
        [*LOAD_RUN, "--tag", ESC],
        [*LOAD_RUN, "--column", f"{ESC}=x"],
        [*LOAD_RUN, "-w", f"no/{ESC}"],
        [*LOAD_JUDGMENTS, "--label", ESC],
        [*LOAD_JUDGMENTS, "--label", f"{ESC}={ESC}"],
        ["load", "run", f"no/{ESC}"],
        ["explain", ESC, "q1"],
        ["measures", "remove", ESC],
    ],
    ids=lambda command: ascii(" ".join(command))[1:40],
)
def test_no_message_carries_a_control_character(
    ndcg: Command, command: list[str]
) -> None:
    result = ndcg(*command)
    assert "\x1b" not in result.refusal
    assert "\u202e" not in result.err


@pytest.mark.slow
def test_without_judgments_a_report_says_how_to_get_some(ndcg: Command) -> None:
    Path("base").write_text(RUN)
    loaded = ndcg("load", "run", "base", "--dataset", "shop")
    assert loaded.err == (
        'loaded run "base": 2 queries, 4 documents; no judgments yet\n'
    )
    for command in (["report"], ["explain", "base", "q1"]):
        result = ndcg(*command)
        assert result.err == (
            'no judgments in dataset "shop"; ndcg-sql load judgments FILE'
            " --dataset shop loads them\n"
        )
        assert (result.code, result.out) == (2, "")


@pytest.mark.slow
def test_without_runs_a_report_says_how_to_get_some(ndcg: Command) -> None:
    Path("qrels").write_text(QRELS)
    assert ndcg("load", "judgments", "qrels", "--dataset", "shop").code == 0
    assert ndcg("report").err == (
        "no run in the warehouse; ndcg-sql load run FILE loads one\n"
    )
    assert ndcg("report", "--dataset", "shop").err == (
        'no run in dataset "shop"; ndcg-sql load run FILE --dataset shop loads one\n'
    )


@pytest.mark.slow
def test_a_gain_that_is_not_finite_is_refused_everywhere(
    ndcg: Command, loaded: Path
) -> None:
    Path("big").write_text("q1 0 a 1024\nq1 0 b 1\n")
    assert ndcg("load", "judgments", "big").code == 0
    before = digest(loaded)
    exponential = "nDCG(dcg='exp-log2')@5"
    message = (
        "measure nDCG(dcg='exp-log2')@5 cannot be used with judgment set \"big\": the"
        " gain of the grade 1024 is too large to be summed; choose other gains, such as"
        " gains={1:1,2:3}, or correct the grade and load the judgments again\n"
    )
    for command in (
        ["report", "-m", exponential],
        ["report", "-q", "-m", exponential],
        ["measures", "add", exponential],
        ["explain", "base", "q1", "-m", exponential],
    ):
        result = ndcg(*command)
        assert (result.code, result.out, result.err) == (2, "", message), command
    assert digest(loaded) == before


@pytest.mark.parametrize(
    "arguments",
    [
        ("report", "--judgments", "a", "--judgments", "b"),
        ("report", "--dataset", "a", "--dataset=b"),
        ("load", "run", "base", "--name", "a", "--name", "b"),
        ("measures", "list", "--format", "csv", "--format", "json"),
        ("query", "select 1", "-o", "a", "--output", "b"),
    ],
)
def test_an_option_that_counts_once_is_not_given_twice(
    ndcg: Command, loaded: Path, arguments: tuple[str, ...]
) -> None:
    before = digest(loaded)
    result = ndcg(*arguments)
    assert " is given twice\n" in result.refusal
    assert digest(loaded) == before


@pytest.mark.usefixtures("loaded")
def test_other_options_may_be_repeated(ndcg: Command) -> None:
    again = ("-m", "RR", "-m", "AP", "--run", "base", "--run", "base", "-q", "-q")
    assert ndcg("report", *again).code == 0
