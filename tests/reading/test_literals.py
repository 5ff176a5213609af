"""Odd ways to write a number: read for exactly what it is, or refused."""

from pathlib import Path
from typing import Any

import pytest

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.loading import described
from ndcg_sql.loading.sets import Options, load
from ndcg_sql.loading.tasks import Task
from ndcg_sql.system.messages import Silent

NUMBERS = {
    "+3.5": 3.5,
    ".5": 0.5,
    "5.": 5.0,
    "1.7": 1.7,
    "2.5": 2.5,
    "1e3": 1000.0,
    "1E+2": 100.0,
    "1e-0": 1.0,
    "007": 7.0,
    "00.10": 0.1,
    "0e400": 0.0,
    "+0": 0.0,
    "5e-324": 5e-324,
    "2.2250738585072011e-308": 2.225073858507201e-308,
    "1.7976931348623157e308": 1.7976931348623157e308,
    "9007199254740993": 9007199254740992.0,
    "0.1": 0.1,
    "0.30000000000000004": 0.30000000000000004,
    "123456789.123456789": 123456789.123456789,
    "1" + "0" * 308: 1e308,
    "0." + "0" * 320 + "1e320": 0.1,
}
NEGATIVE = {
    "-0.0": 0.0,
    "-.25e1": -2.5,
    "-1.7976931348623157e308": -1.7976931348623157e308,
}
INFINITE = ("inf", "+inf", "Infinity", "INF", "-inf")
REFUSED = (
    *("nan", "NaN", "-nan", "abc", "true", "infinite", "null", "None"),
    *("1e400", "-1e309", "1e-400", "2e-324", "-1e-400"),
    *("1_000", "1,5", "0x1", "0b1", "1e", "e5", ".", "+", "--1", "1e2.5", "1.2.3"),
    *("٣", "\uff11", "½", "\u22121", "1d", "1f", "5%", "$5", "1\u00a0"),
)


def read(memory: Database, folder: Path, dataset: str, kind: str, text: str) -> Any:
    """Load a number as a score, grade or weight; return what is stored."""
    options = Options(dataset=dataset, name=f"{kind} {text!r}"[:200])
    path = folder / "file"
    if kind == "weight":
        path.write_text(f'query_id,weight\n"q"," {text} "\n', encoding="utf-8")
        asked = Options(dataset=dataset, format_in="csv")
        described.load(Task(memory, "queries", [path], asked, Silent()))
        sql = "select weight from queries where dataset = $dataset"
        return memory.execute(sql, {"dataset": dataset})[0][0]
    if kind == "grade":
        path.write_text(f"q 0 d {text}\n", encoding="utf-8")
        load(memory, "judgments", [path], options, Silent())
        sql = "select grade from judgments order by judgment_set_id desc limit 1"
        return memory.execute(sql)[0][0]
    line = (
        f"q Q0 d 1 {text} t"
        if kind == "score"
        else f'query_id,doc_id,score\n"q",d," {text} "'
    )
    path.write_text(f"{line}\n", encoding="utf-8")
    load(memory, "run", [path], options, Silent())
    return memory.execute("select score from rankings order by run_id desc limit 1")[0][
        0
    ]


TEXTS = [*NUMBERS, *NEGATIVE, *INFINITE, *REFUSED]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        # One rule reads them all: a part of each kind is tried each time.
        *(
            (kind, text)
            if number % 4 == place
            else pytest.param(kind, text, marks=pytest.mark.slow)
            for place, kind in enumerate(("score", "score of CSV", "grade", "weight"))
            for number, text in enumerate(TEXTS)
        )
    ],
)
def test_a_literal_is_read_exactly_or_refused_with_its_line(
    memory: Database, dataset: str, tmp_path: Path, kind: str, text: str
) -> None:
    allowed = NUMBERS | NEGATIVE
    if kind == "weight":
        allowed = {t: n for t, n in NUMBERS.items() if n == 0 or 1e-100 <= n <= 1e100}
    if kind.startswith("score"):
        allowed |= {text: float(text) for text in INFINITE}
    if text in allowed:
        number = read(memory, tmp_path, dataset, kind, text)
        # Zero has no sign: documents with either tie.
        assert repr(number) == repr(allowed[text])
        return
    with pytest.raises(NdcgSqlError) as refused:
        read(memory, tmp_path, dataset, kind, text)
    line = 1 if kind in ("score", "grade") else 2
    assert str(refused.value).startswith(f'{tmp_path / "file"}:{line}: query "q"')
