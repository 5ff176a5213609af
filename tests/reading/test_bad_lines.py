"""Faulty lines of runs and judgments: each is named, and nothing is stored."""

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from support import exploring
from support.commands import Command
from support.files import QRELS, RUN, digest, tables
from support.refusals import CORRECT, KEEP, remedy

GOOD_LINES = RUN.count("\n")
RUN_FIELDS = "6 (query Q0 document rank score run)"
JUDGMENT_FIELDS = "4 (query 0 document grade)"
NUMBER = "is not a number"
RIGHT = "if this is right: ndcg-sql load"
FILL = "fill in what is in capitals; then "
COMMAS = (
    f"- numbers have decimal commas, such as {{}}\n{RIGHT} {{}} bad.txt --decimal ,"
)
RANGE = "is too large or too small for a double"


@dataclass(frozen=True)
class Faulty:
    """Lines put below good ones, and what is said of each that is bad."""

    added: bytes | str
    reasons: dict[int, str]
    advice: str = CORRECT

    @property
    def bytes(self) -> bytes:
        """What is put below the good lines."""
        return self.added.encode() if isinstance(self.added, str) else self.added


def line(added: bytes | str, reason: str) -> Faulty:
    """Return one bad line below the good ones."""
    return Faulty(added, {GOOD_LINES + 1: reason})


def scored(text: str, reason: str) -> Faulty:
    """Return a line of a run with an odd score."""
    quoted = f'query "q9", document "d": score "{text}" {reason}'
    advice = COMMAS.format(text, "run") if "," in text else CORRECT
    return replace(line(f"q9 Q0 d 1 {text} t\n", quoted), advice=advice)


def judged(text: str, reason: str) -> Faulty:
    """Return a line of judgments with an odd grade."""
    return line(f"q9 0 d {text}\n", f'query "q9", document "d": {reason}')


def labelled(text: str) -> Faulty:
    """Return a line of judgments with a word for a grade."""
    if "," in text:
        return replace(
            judged(text, f'"{text}" {NUMBER}'), advice=COMMAS.format(text, "judgments")
        )
    advice = f"{CORRECT} If words are labels, give each its grade: --label LABEL=GRADE."
    if text == "nan":
        advice = (
            f'- the grades are words: "nan"\n{RIGHT} judgments bad.txt --label nan=-1'
        )
    return replace(judged(text, f'"{text}" {NUMBER}'), advice=advice)


def twice(added: str, reason: str) -> Faulty:
    """Return a line of judgments about a document that was judged already."""
    advice = (
        f"{CORRECT} {KEEP} To load the grades of several assessors:"
        f" ndcg-sql load assessments bad.txt"
    )
    return replace(line(added, reason), advice=advice)


MEANT = f"{RANGE}; write inf or 0 if you mean it"
RUNS = {
    "five fields": line("q9 Q0 d 1 3\n", f"5 fields, expected {RUN_FIELDS}"),
    "seven fields": line("q9 Q0 d x 1 3 t\n", f"7 fields, expected {RUN_FIELDS}"),
    "two fields": line("q9 d\n", f"2 fields, expected {RUN_FIELDS}"),
    "no score": line("q9 Q0 d 1  t\n", f"5 fields, expected {RUN_FIELDS}"),
    "document twice": line(
        "q1 Q0 a 4 0.5 t\n", 'query "q1", document "a": already on line 2'
    ),
    "document twice, identical": line(
        "q1 Q0 b 1 3 t\n", 'query "q1", document "b": already on line 1'
    ),
    "document thrice": Faulty(
        "q1 Q0 a 4 0.5 t\nq1 Q0 a 5 0.4 t\n",
        {
            5: 'query "q1", document "a": already on line 2',
            6: 'query "q1", document "a": already on line 2',
        },
    ),
    "score nan": scored("nan", NUMBER),
    "score NaN": scored("NaN", NUMBER),
    "score -nan": scored("-nan", NUMBER),
    "score word": scored("abc", NUMBER),
    "score with a comma": scored("3,9", NUMBER),
    "score in hexadecimal": scored("0x10", NUMBER),
    "score with an underscore": scored("1_000", NUMBER),
    "score in Arabic digits": scored("٣", NUMBER),
    "score in full-width digits": scored("\uff11", NUMBER),
    "score with two signs": scored("--1", NUMBER),
    "score without digits": scored(".", NUMBER),
    "score with half an exponent": scored("1e", NUMBER),
    "score infinite by a prefix": scored("infinite", NUMBER),
    "score true": scored("true", NUMBER),
    "score too large": scored("1e400", MEANT),
    "score too low": scored("-1e309", MEANT),
    "score too small": scored("1e-400", MEANT),
    "score below the smallest double": scored("2e-324", MEANT),
    "bytes that are no text": Faulty(
        b"q9 Q0 \xff 1 1 t\nq9 Q0 fine 1 1 t\nq9 Q0 a\xc3 1 1 t\n",
        {5: "byte 7 is not UTF-8 text", 7: "byte 8 is not UTF-8 text"},
    ),
    "a surrogate": line(b"q9 Q0 \xed\xa0\x80 1 1 t\n", "byte 7 is not UTF-8 text"),
    "an overlong slash": line(b"q9 Q0 \xc0\xaf 1 1 t\n", "byte 7 is not UTF-8 text"),
    "a NUL": line(b"q9 Q0 a\0b 1 1 t\n", "a NUL byte; is this a text file?"),
    "a lone carriage return": line(
        b"q9 Q0 d 1 1 t\rq9 Q0 e 1 1 t\n",
        "a carriage return inside the line; line ends are LF or CRLF",
    ),
    "a byte order mark inside": line(
        b"\xef\xbb\xbfq9 Q0 d 1 1 t\n",
        "a byte order mark inside the file; were two files joined?",
    ),
    "a vertical tab": line(
        "q9 Q0 d\ve 1 1 t\n",
        'query "q9", document "d\\x0be": a vertical tab or form feed,'
        " which some tools treat as a blank",
    ),
    "a form feed": line(
        "q9\f Q0 d 1 1 t\n",
        'query "q9\\x0c", document "d": a vertical tab or form feed,'
        " which some tools treat as a blank",
    ),
    **{
        f"a tag with {name}": line(
            f"q9 Q0 d 1 1 {tag}\n",
            'query "q9", document "d": the tag or run has a vertical tab or form feed,'
            " which some tools treat as a blank",
        )
        for name, tag in (
            *(("a vertical tab alone", "\v"), ("a form feed alone", "\f")),
            ("a vertical tab inside", "a\vb"),
        )
    },
    "hostile ids": line(
        "q\x1b[31m Q0 d\u202e 1 abc t\n",
        'query "q\\x1b[31m", document "d\\u202e": score "abc" is not a number',
    ),
    "a long id": line(
        f"{'q' * 200} Q0 d 1 abc t\n",
        f'query "{"q" * 79}…", document "d": score "abc" is not a number',
    ),
    "a line with two faults": line(
        "q1 Q0 a 4 abc other\n", 'query "q1", document "a": score "abc" is not a number'
    ),
}
JUDGMENTS = {
    "three fields": line("q9 0 d\n", f"3 fields, expected {JUDGMENT_FIELDS}"),
    "five fields": line("q9 0 d 1 x\n", f"5 fields, expected {JUDGMENT_FIELDS}"),
    "document twice": twice(
        "q1 0 b 1\n", 'query "q1", document "b": already on line 2'
    ),
    "document twice with another grade": twice(
        "q2 0 a 0\n", 'query "q2", document "a": already on line 4'
    ),
    "grade too large": judged("1e400", f'grade "1e400" {RANGE}'),
    "grade too small": judged("-1e-400", f'grade "-1e-400" {RANGE}'),
    **{
        f"grade {text}": labelled(text)
        for text in ("word", "nan", "inf", "-inf", "Infinity", "1_0", "0x1", "1,5", "٣")
    },
}


def refused(
    ndcg: Command,
    loaded: Path,
    kind: str,
    file: bytes,
    reasons: dict[int, str],
    advice: str = CORRECT,
) -> None:
    """Load a file; hold the message, the exit code and the warehouse to account."""
    bad = loaded.parent / "bad.txt"
    bad.write_bytes(file)
    before = digest(loaded)

    result = ndcg("load", kind, bad.name)

    rows = file.count(b"\n")
    is_twice = all('": already on line' in reason for reason in reasons.values())
    if kind == "run" and is_twice:
        advice = f"{advice} {KEEP}"
    last = [remedy(len(reasons), rows, advice)]
    if advice.startswith("- "):
        last = advice.splitlines()
    assert result.err.splitlines() == [
        *(f"bad.txt:{number}: {reason}" for number, reason in reasons.items()),
        *last,
    ]
    assert (result.code, result.out) == (2, "")
    assert digest(loaded) == before
    assert sorted(path.name for path in loaded.parent.iterdir()) == [
        "bad.txt",
        "ndcg.duckdb",
    ]


@pytest.mark.parametrize("case", exploring.sampled(RUNS.values(), 3), ids=RUNS.keys())
def test_a_faulty_line_of_a_run_is_refused(
    ndcg: Command, loaded: Path, case: Faulty
) -> None:
    refused(ndcg, loaded, "run", RUN.encode() + case.bytes, case.reasons, case.advice)


@pytest.mark.parametrize(
    "case", exploring.sampled(JUDGMENTS.values(), 2), ids=JUDGMENTS.keys()
)
def test_a_faulty_line_of_judgments_is_refused(
    ndcg: Command, loaded: Path, case: Faulty
) -> None:
    file = QRELS.encode() + case.bytes
    refused(ndcg, loaded, "judgments", file, case.reasons, case.advice)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"q1 Q0 a\0 1 1 t\n", "a NUL byte; is this a text file?"),
        (b"q1 Q0 \xff 1 1 t\n", "byte 7 is not UTF-8 text"),
        (
            b"q1 Q0 a 1 1 t\rq1 Q0 b 1 1 t\n",
            "a carriage return inside the line; line ends are LF or CRLF",
        ),
    ],
    ids=["NUL", "no text", "old Macintosh"],
)
def test_a_file_of_faulty_lines_alone_is_not_called_empty(
    ndcg: Command, loaded: Path, content: bytes, reason: str
) -> None:
    refused(ndcg, loaded, "run", content, {1: reason})


@pytest.mark.usefixtures("loaded")
def test_ten_bad_lines_are_shown_in_file_order_and_all_are_counted(
    ndcg: Command,
) -> None:
    odd = [f"q9 Q0 d{n} 1 abc t\n".encode() for n in range(20)]
    odd[3] = b"q9 Q0 \xff 1 1 t\n"
    odd[7] = b"q9 Q0 d\0 1 1 t\n"
    odd[15] = b"q9 Q0 \xfe 1 1 t\n"
    bad = Path("bad.run")
    bad.write_bytes(b"".join([b"# a comment\n\n", *odd, RUN.encode()]))

    result = ndcg("load", "run", bad.name)

    lines = result.err.splitlines()
    numbers = [int(text.split(":")[1]) for text in lines[:-1]]
    assert numbers == list(range(3, 13))
    assert lines[3] == "bad.run:6: byte 7 is not UTF-8 text"
    assert lines[4].endswith('document "d4": score "abc" is not a number')
    assert lines[-1] == remedy(20, 24)
    assert result.code == 2


def test_successive_lines_with_the_same_fault_are_told_once(
    ndcg: Command, here: Path
) -> None:
    narrow, odd = "q d\n", "q Q0 d 1 1 t x\n"
    path = here / "bad"
    path.write_text(narrow * 12 + RUN + odd * 2 + narrow * 3)
    *shown, last, _guess = ndcg("load", "run", "bad").err.splitlines()
    two, seven = (f"{n} fields, expected {RUN_FIELDS}" for n in (2, 7))
    first = 13 + GOOD_LINES
    assert shown == [
        f"bad:1: {two} (and 11 more lines alike)",
        # Two are as short as one with their number.
        f"bad:{first}: {seven}",
        f"bad:{first + 1}: {seven}",
        f"bad:{first + 2}: {two} (and 2 more lines alike)",
    ]
    assert last == remedy(17, GOOD_LINES + 17)
    path.write_bytes(b"q9 Q0 \xff 1 1 t\n" * 4 + b"q9 Q0 a\xff 1 1 t\n")
    with (
        Warehouse.memory() as warehouse,
        pytest.raises(NdcgSqlError) as told,
    ):
        warehouse.load_run(path)
    assert [line.removeprefix(f"{here}/") for line in str(told.value).split("\n")] == [
        "bad:1: byte 7 is not UTF-8 text (and 3 more lines alike)",
        "bad:5: byte 8 is not UTF-8 text",
        remedy(5, 5),
    ]


@pytest.mark.slow
def test_a_fault_in_the_second_of_three_runs_keeps_out_all(
    ndcg: Command, loaded: Path
) -> None:
    for name, tail in (("r1", ""), ("r2", "q9 Q0 d 1 nan t\n"), ("r3", "")):
        Path(name).write_text(RUN + tail)
    before = tables(loaded)

    assert ndcg("load", "run", "r1", "r2", "r3").refusal.splitlines() == [
        'r2:5: query "q9", document "d": score "nan" is not a number',
        remedy(1, 5),
    ]
    assert tables(loaded) == before


@pytest.mark.slow
@pytest.mark.usefixtures("bare")
def test_a_refused_load_leaves_no_new_warehouse(ndcg: Command, tmp_path: Path) -> None:
    (tmp_path / "bad").write_text("q1 Q0 a 1 nan t\n")
    assert ndcg("load", "run", "bad").code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["bad"]
