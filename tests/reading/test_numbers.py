"""Digits become the doubles that Python reads, to the last bit, or are left to it.

Odd ways to write a number are read for exactly what it is, or refused.
"""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.loading import described
from ndcg_sql.loading.sets import Options, load
from ndcg_sql.loading.tasks import Task
from ndcg_sql.reading.clean import decimals
from ndcg_sql.reading.clean.decimals import doubles
from ndcg_sql.reading.clean.texts import MARGIN, OddError, Texts, padded
from ndcg_sql.system.messages import Messages
from support import exploring

SEED = 31
MANY = exploring.amount(20_000, 2_000_000)
WAYS: dict[str, Callable[[float], str]] = {
    "repr": repr,
    "17 digits": "{:.17g}".format,
    "16 digits": "{:.16g}".format,
    "exponent": "{:e}".format,
    "long exponent": "{:.18e}".format,
    "decimals": "{:.6f}".format,
    "many decimals": "{:.15f}".format,
    "whole": "{:.0f}".format,
    "single": lambda number: str(np.float32(number)),
}


def of(numbers: list[str]) -> Texts:
    """Return texts, one after the other, with other digits between them."""
    encoded = [number.encode() for number in numbers]
    lengths = np.array([len(number) for number in encoded])
    ends = np.cumsum(lengths + 3) - 3
    content = b"e.9".join(encoded) + b"e.9"
    return Texts(padded(content), ends - lengths + MARGIN, lengths)


def bits(numbers: list[float]) -> list[str]:
    """Return what tells doubles apart, with one kind of zero."""
    return [(number + 0.0).hex() for number in numbers]


def patterns(chance: random.Random, count: int) -> list[float]:
    """Return doubles of random bits, without the smallest and largest."""
    drawn = [chance.getrandbits(64) for _ in range(count)]
    found = np.frombuffer(b"".join(one.to_bytes(8, "little") for one in drawn))
    usual = np.isfinite(found) & (np.abs(found) > 1e-300)
    return found[usual].tolist()


def usual(chance: random.Random, count: int) -> list[float]:
    """Return doubles as scores have them."""
    return [
        chance.choice((1, 1, 1, -1)) * chance.random() * 10 ** chance.randint(-9, 4)
        for _ in range(count)
    ]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("drawn", [patterns, usual], ids=["patterns", "usual"])
@pytest.mark.filterwarnings("ignore:overflow")
def test_a_number_is_the_double_that_python_reads(
    way: str, drawn: Callable[[random.Random, int], list[float]]
) -> None:
    chance = random.Random(SEED)
    for _ in range(max(MANY // 20_000, 1)):
        texts = [WAYS[way](number) for number in drawn(chance, 2_000)]
        texts = [text for text in texts if "inf" not in text]
        if way in ("exponent", "long exponent") or drawn is usual:
            texts += [text.replace("e", "E") for text in texts[:100]]
        texts = [t for t in texts if float(t) or not any(d in t for d in "123456789")]
        assert bits(doubles(of(texts)).tolist()) == bits([*map(float, texts)])


def test_numbers_at_the_middle_of_two_doubles_are_rounded_to_even() -> None:
    chance = random.Random(SEED)
    texts: list[str] = []
    for _ in range(MANY // 10):
        whole = chance.randrange(1 << 52, 1 << 53) * 2 + 1
        # The middle of two doubles, and what is next to it, as far as digits go.
        for digits in (whole - 1, whole, whole + 1):
            texts.append(str(digits))
            text = f"{digits:.1f}"
            texts.append(text)
            at = chance.randrange(1, 9)
            texts.append(f"{text[:at]}.{text[at:-2]}")
            texts.append(f"{digits}e-{chance.randrange(1, 30)}")
            half = str(digits * 5)
            texts.append(f"{half[:at]}.{half[at:]}")
    assert bits(doubles(of(texts)).tolist()) == bits([*map(float, texts)])


def test_hardly_a_usual_number_is_read_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[str] = []

    def by_python(text: str) -> float:
        read.append(text)
        return float(text)

    monkeypatch.setattr(decimals, "number", by_python)
    chance = random.Random(SEED)
    for way in ("repr", "17 digits", "exponent", "decimals", "single"):
        doubles(of([WAYS[way](number) for number in usual(chance, 2_000)]))
    assert len(read) < 10


CLEAN = (
    *("0", "-0", "0.0", "-0.00", "7", "007", "00.10", "12345678", "123456789"),
    *("12345678.5", "123456789.123456789", "1e3", "1E3", "1e+3", "1e-3", "1.5e05"),
    *("0e5", "0.0e-400", "0e400", "5e-324", "2.2250738585072011e-308"),
    *("1.7976931348623157e308", "9007199254740993", "9007199254740992.5"),
    *("0.30000000000000004", "0.123456789012345678901234567890", "1" + "0" * 308),
    *("0." + "0" * 320 + "1e320", "1e0000000000000000003", "12.e"[:2], "5."),
)
ODD = (
    *("+1", ".5", "-.5", "-", "e5", "1e", "1e+", "1e2.5", "1.2.3", "--1"),
    *("nan", "inf", "-inf", "infinity", "0x10", "1_000", "1,5", "1 ", " 1", "abc"),
    *("1e400", "-1e400", "1e-400", "2e-324", "1d", "1-2", "1.-2", "12345678-9", "."),
    *("٣", "½", "1e-", "1e5e5", "1.5e5.0", "00000000x", "123456789012345678x", "1:"),
    *("1/", "0.1234567:", "0.12345678901234567/", "1e:", "1e-0x", "1e99999x", "\x7f"),
)


@pytest.mark.parametrize("text", CLEAN)
def test_a_clean_number_is_read(text: str) -> None:
    # Alone, and beside numbers that need nothing of what it needs.
    for texts in ([text], ["1.5", text, "-2.25", "0.1234567890123456"]):
        assert bits(doubles(of(texts)).tolist()) == bits([*map(float, texts)])


@pytest.mark.parametrize("text", ODD)
def test_any_other_text_is_odd(text: str) -> None:
    encoded = text.encode()
    lengths = np.array([3, len(encoded)])
    data = padded(b"1.5 " + encoded + b" ")
    with pytest.raises(OddError):
        doubles(Texts(data, np.array([MARGIN, MARGIN + 4]), lengths))


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
        described.load(Task(memory, "queries", [path], asked, Messages()))
        sql = "select weight from queries where dataset = $dataset"
        return memory.execute(sql, {"dataset": dataset})[0][0]
    if kind == "grade":
        path.write_text(f"q 0 d {text}\n", encoding="utf-8")
        load(memory, "judgments", [path], options, Messages())
        sql = "select grade from judgments order by judgment_set_id desc limit 1"
        return memory.execute(sql)[0][0]
    line = (
        f"q Q0 d 1 {text} t"
        if kind == "score"
        else f'query_id,doc_id,score\n"q",d," {text} "'
    )
    path.write_text(f"{line}\n", encoding="utf-8")
    load(memory, "run", [path], options, Messages())
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
