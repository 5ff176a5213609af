"""Files that cannot be read, or whose columns cannot be told: refused with a reason."""

import gzip
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from support import exploring
from support.commands import Command
from support.files import QRELS, RUN, digest
from support.refusals import CORRECT, KEEP, remedy

RUN_CSV = "query_id,doc_id,score\nq1,a,2\nq1,b,1\n"
NO_ROWS = "no rows; is this the right file?"
BELOW = "no rows below the header; is this the right file?"


@dataclass(frozen=True)
class File:
    """A file, the options it is loaded with, and the lines that refuse it."""

    name: str
    content: bytes | str
    lines: tuple[str, ...]
    options: tuple[str, ...] = ()
    kind: str = "run"


def file(name: str, content: bytes | str, *reasons: str, rows: int = 0) -> File:
    """Return a file and the reasons that refuse it; with rows, a remedy follows."""
    lines = tuple(f"{name}{one}" if one[0] == ":" else one for one in reasons)
    is_twice = any(", document " in one and "already on" in one for one in lines)
    advice = f"{CORRECT} {KEEP}" if is_twice else CORRECT
    last = remedy(len(lines), rows, advice)
    return File(name, content, (*lines, last) if rows else lines)


def options(case: File, *given: str) -> File:
    """Return a case with options."""
    return File(case.name, case.content, case.lines, given, case.kind)


def of_kind(kind: str, case: File) -> File:
    """Return a case of judgments or queries."""
    return File(case.name, case.content, case.lines, case.options, kind)


def option(message: str, *given: str) -> File:
    """Return a good file with options that are refused."""
    return File("good.csv", RUN_CSV, (message,), given)


def damaged(name: str, content: bytes, reason: str) -> File:
    """Return a damaged gzip file; the reason is the library's."""
    return file(
        name,
        content,
        f": the gzip file is damaged or cut short ({reason});"
        " fetch or compress it again",
    )


def flipped(data: bytes, place: int) -> bytes:
    """Return data with one bit turned over."""
    return data[:place] + bytes([data[place] ^ 0x10]) + data[place + 1 :]


PACKED = gzip.compress(RUN.encode(), mtime=0)
END = "Compressed file ended before the end-of-stream marker was reached"
EMPTY = {
    "empty": file("r", "", f": {NO_ROWS}"),
    "blank": file("r", "\n \n\t\n\r\n", f": {NO_ROWS}"),
    "comments": file("r", "# q1 Q0 a 1 2 t\n#\n", f": {NO_ROWS}"),
    "only a byte order mark": file("r", "\ufeff", f": {NO_ROWS}"),
    "empty inside gzip": file("r.gz", gzip.compress(b""), f": {NO_ROWS}"),
    "a header alone": file("r.csv", "query_id,doc_id,score\n\n", f": {BELOW}"),
    "a header alone, quoted": file("r.csv", '"qid","doc","score"\n', f": {BELOW}"),
    "a header of judgments": file("r.tsv", "query_id\tdoc_id\tgrade\n", f": {BELOW}"),
    "a header without meaning": file("r.csv", "a;b", f": {BELOW}"),
    "empty judgments": of_kind("judgments", file("j", "", f": {NO_ROWS}")),
    "empty queries": of_kind("queries", file("q.csv", "", f": {NO_ROWS}")),
}
COMPRESSED = {
    "gzip cut": damaged("r.gz", PACKED[:-12], END),
    "gzip with a wrong checksum": damaged(
        "r.gz",
        flipped(PACKED, len(PACKED) - 6),
        "CRC check failed {} != {}".format(
            int.from_bytes(flipped(PACKED, len(PACKED) - 6)[-8:-4], "little"),
            int.from_bytes(PACKED[-8:-4], "little"),
        ),
    ),
    "gzip with a wrong length": damaged(
        "r.gz", flipped(PACKED, len(PACKED) - 3), "Incorrect length of data produced"
    ),
    "gzip and more": damaged("r.gz", PACKED + b"more", END),
    "gzip and much more": damaged(
        "r.gz", PACKED + 20 * b"more", "Not a gzipped file (b'mo')"
    ),
}
HEADER = 'the header has "a", "b"'
TWO = "query,qid,doc,score\n1,2,3,4\n"
COLUMNS = {
    "CSV without a known column": file(
        "r.csv",
        "a,b\n1,2\n",
        f': no column for "query_id", "doc_id"; {HEADER};'
        " name them: --column query_id=NAME --column doc_id=NAME",
    ),
    "CSV with two candidates": file(
        "r.csv",
        TWO,
        ': "query", "qid" could each be the query_id;'
        " if this is right: ndcg-sql load run r.csv --column query_id=query",
    ),
    "CSV with two columns of one name": file(
        "r.csv",
        "query_id,doc_id,score,score\nq,d,1,2\n",
        ': 2 columns are called "score"; rename one',
    ),
    "CSV with two columns of one name that name runs": file(
        "r.csv",
        "query_id,doc_id,score,model,model\nq,d,1,a,b\n",
        ': 2 columns are called "model"; rename one',
    ),
    "CSV with two candidates and a column that is missing": file(
        "r.csv",
        "query,qid,score\n1,2,3\n",
        ': "query", "qid" could each be the query_id; no column for "doc_id"; the'
        ' header has "query", "qid", "score"; name them: --column query_id=query'
        " --column doc_id=NAME",
    ),
    "CSV with two candidates twice": file(
        "r.csv",
        "query,qid,item,doc,score\n1,2,3,4,5\n",
        ': "query", "qid" could each be the query_id; "item", "doc" could each be the'
        " doc_id; if this is right: ndcg-sql load run r.csv --column query_id=query"
        " --column doc_id=item",
    ),
    "CSV without a score": file(
        "r.csv",
        "query_id,doc_id\nq,d\n",
        ": no column for the score; name it: --column score=NAME, or use the order of"
        " the rows: --positions given",
    ),
    "judgments without a grade": of_kind(
        "judgments",
        file(
            "j.csv",
            "query_id,doc_id,score\nq,d,1\n",
            ': no column for "grade"; the header has "query_id", "doc_id", "score"',
            "- it looks like a run",
            "if this is right: ndcg-sql load run j.csv",
            "otherwise, name it: --column grade=NAME; if each row is a relevant"
            " document: --grade 1",
        ),
    ),
    "--column names nothing": options(
        file(
            "r.csv",
            TWO,
            ': no column "topic"; the header has "query", "qid", "doc", "score"',
        ),
        "--column",
        "query_id=topic",
    ),
    "semicolons without a header": options(
        file(
            "r.csv",
            "q;d;1\n",
            ': no column "2"; the header has "1"',
        ),
        *("--column", "query_id=1", "--column", "doc_id=2", "--column", "score=3"),
    ),
    "--column for an unknown column": option(
        '--column foo: not a column of a run file; known: "query_id", "doc_id",'
        ' "score", "rank", "run"',
        "--column",
        "foo=score",
    ),
    "--column without a name": option(
        "--column query_id: write it like --column query_id=Query",
        "--column",
        "query_id",
    ),
    "--column twice": option(
        "--column score: given twice",
        *("--column", "score=score", "--column", "score=doc_id"),
    ),
    "--column of TREC": options(
        file(
            "r",
            RUN,
            ": a file of the format trec has no named columns; omit --column,"
            " or use --format-in csv",
        ),
        *("--column", "score=score"),
    ),
}
ROWS = {
    "CSV rows of other lengths": file(
        "r.csv",
        "query_id,doc_id,score\nq,a\nq,b,1,x\nq,c,1\n",
        ":2: 2 fields, expected 3 as in the header",
        ":3: 4 fields, expected 3 as in the header",
        rows=3,
    ),
    "CSV with empty fields": file(
        "r.csv",
        "query_id,doc_id,score\n,a,1\nq,,1\n",
        ":2: the query id is empty",
        ':3: query "q": the document id is empty',
        rows=2,
    ),
    "CSV with an unclosed quote": file(
        "r.csv",
        'query_id,doc_id,score\nq1,a,1\n"q2,b,2\nq3,c,3\n',
        ":3: not CSV: unexpected end of data",
        rows=2,
    ),
    "CSV with text after a quote": file(
        "r.csv",
        'query_id,doc_id,score\nq1,a,1\n"q2"x,b,2\nq3,c,3\n',
        ":3: not CSV: ',' expected after '\"'",
        rows=3,
    ),
    "CSV with line breaks above the fault": file(
        "r.csv",
        'query_id,doc_id,score\n"q\n1",a,1\n\n"q\n\n2",b,nan\n',
        ':5: query "q\\n\\n2", document "b": score "nan" is not a number',
        rows=2,
    ),
    "CSV with a document twice": file(
        "r.csv",
        RUN_CSV + "\nq1,b,9\n",
        ':5: query "q1", document "b": already on line 3',
        rows=3,
    ),
    "CSV with four columns": file(
        "r.csv",
        "query_id,doc_id,rank,score\nq,a,1,x\nq,b,2,1\n",
        ':2: query "q", document "a": score "x" is not a number',
        rows=2,
    ),
    "query twice": of_kind(
        "queries",
        file(
            "q.csv",
            "query_id,text\nq1,x\nq1,y\n",
            ':3: query "q1": already on line 2',
            rows=2,
        ),
    ),
    "weights": of_kind(
        "queries",
        file(
            "q.csv",
            "query_id,weight\nq1,-1\nq2,nan\nq3,2e100\nq4,inf\nq5,1_0\nq6,9e-101\n"
            "q7,2.5\nq8,0\nq9,0e5\nq10,1e-400\n",
            *(
                f':{number}: query "q{number - 1}": weight "{weight}" is neither 0'
                " nor from 1e-100 to 1e100"
                for number, weight in (
                    *((2, "-1"), (3, "nan"), (4, "2e100"), (5, "inf")),
                    *((6, "1_0"), (7, "9e-101"), (11, "1e-400")),
                )
            ),
            rows=10,
        ),
    ),
}


@pytest.mark.parametrize(
    "case",
    exploring.sampled(
        [*EMPTY.values(), *COMPRESSED.values(), *COLUMNS.values(), *ROWS.values()], 2
    ),
    ids=[*EMPTY, *COMPRESSED, *COLUMNS, *ROWS],
)
def test_a_file_that_makes_no_sense_is_refused(
    ndcg: Command, loaded: Path, case: File
) -> None:
    content = case.content
    bad = Path(case.name)
    bad.write_bytes(content.encode() if isinstance(content, str) else content)
    before = digest(loaded)

    result = ndcg("load", case.kind, case.name, *case.options)

    assert result.err.splitlines() == list(case.lines)
    assert (result.code, result.out) == (2, "")
    assert digest(loaded) == before
    assert sorted(path.name for path in loaded.parent.iterdir()) == sorted(
        {case.name, "ndcg.duckdb"}
    )


def directory(path: Path) -> None:
    """Make a directory."""
    path.mkdir()


def nothing(_path: Path) -> None:
    """Make no file."""


NO_DATA = (
    "no data files in this folder; a data file has a suffix such as .txt, .run,"
    " .qrels, .csv or .parquet; name other files one by one"
)
ABSENT: dict[str, tuple[Callable[[Path], None], str, str]] = {
    "missing": (nothing, "r", "r: no such file"),
    "missing directory": (nothing, "no/r", "no/r: no such file"),
    "directory": (directory, "r", f"r: {NO_DATA}"),
    "device": (nothing, "/dev/null", "/dev/null: neither a file nor a pipe"),
    "control characters": (nothing, "r\x1b[2J", "r\\x1b[2J: no such file"),
}


@pytest.mark.parametrize(("make", "name", "line"), ABSENT.values(), ids=ABSENT.keys())
@pytest.mark.usefixtures("loaded")
def test_what_is_no_file_is_refused(
    ndcg: Command, make: Callable[[Path], None], name: str, line: str
) -> None:
    make(Path(name))
    result = ndcg("load", "run", name, "--name", "fine")
    assert result.err.splitlines() == [line]
    assert (result.code, result.out) == (2, "")


def test_the_directory_of_the_warehouse_has_no_data_files(
    ndcg: Command, loaded: Path
) -> None:
    for file in loaded.parent.iterdir():
        if file != loaded:
            file.unlink()
    assert ndcg("load", "run", ".").err == f".: {NO_DATA}\n"


@pytest.mark.usefixtures("loaded")
@pytest.mark.parametrize("scheme", ["http", "https", "s3"])
def test_an_address_is_refused(ndcg: Command, scheme: str) -> None:
    result = ndcg("load", "run", f"{scheme}://example.org/r")
    assert "only local files are read; download it first" in result.refusal


def test_a_file_of_sqlite_is_refused_as_a_run_and_as_a_warehouse(ndcg: Command) -> None:
    connection = sqlite3.connect(Path("other.db"))
    connection.execute("create table t (a)")
    connection.close()
    before = digest(Path("other.db"))
    run_result = ndcg("load", "run", "other.db")
    assert (run_result.code, run_result.out) == (2, "")
    for command in (["report"], ["load", "run", "other.db"]):
        result = ndcg(*command, "-w", "other.db")
        assert result.err.startswith("other.db: not a DuckDB file")
        assert result.code == 2
    assert digest(Path("other.db")) == before


@pytest.mark.usefixtures("loaded")
@pytest.mark.parametrize(
    "asked", ["judgments", "assessments --assessor x", "assessments", "known"]
)
def test_a_run_in_place_of_grades_is_told_to_be_one(ndcg: Command, asked: str) -> None:
    Path("r").write_text(RUN)
    told = ndcg("load", *asked.split(), "r").err.splitlines()
    assert told[1:3] == [
        "- it looks like a run",
        "if this is right: ndcg-sql load run r",
    ]


@pytest.mark.usefixtures("loaded")
def test_queries_in_another_format_are_refused_with_advice_that_can_be_followed(
    ndcg: Command,
) -> None:
    Path("q.txt").write_text("q1 apple pie\nq2 pear\n")
    result = ndcg("load", "queries", "q.txt")
    assert result.err.startswith("q.txt: queries must be CSV or TSV with a header line")
    assert (result.code, result.out) == (2, "")
    if "--format-in" in result.err:
        assert (
            "No such option"
            not in ndcg("load", "queries", "q.txt", "--format-in", "csv").err
        )


@pytest.mark.usefixtures("loaded")
def test_two_columns_of_one_name_are_refused(ndcg: Command) -> None:
    Path("q.csv").write_text("query_id,device,device\nq1,phone,desktop\n")
    result = ndcg("load", "queries", "q.csv")
    assert "device" in result.refusal


@pytest.mark.usefixtures("loaded")
@pytest.mark.parametrize(
    ("kind", "other", "content"),
    [
        ("run", "judgments: ndcg-sql load judgments file", QRELS),
        (
            "judgments",
            "a run: ndcg-sql load run file",
            RUN,
        ),
    ],
)
def test_a_file_of_the_other_kind_is_told_for_what_it_is(
    ndcg: Command, kind: str, other: str, content: str
) -> None:
    Path("file").write_text(content)
    what, _, command = other.partition(": ")
    assert ndcg("load", kind, "file").refusal.splitlines()[1:] == [
        f"- it looks like {what}",
        f"if this is right: {command}",
    ]
