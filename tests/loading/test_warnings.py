"""What is said of rankings and judgments that look wrong."""

import re
import unicodedata
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import duckdb
import pytest

import ndcg_sql
from ndcg_sql.database import sql_files
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from support import exploring
from support.commands import Command
from support.scripts import scripted

test_script = scripted(__file__)

_WORDS = [
    "Fön",
    "Fahrradschloß",
    "ÜBER",
    "0012",
    "100",
    "000",
    "12.0",
    "a b",
    "Āā",
    "日本",
]


def garbled(text: str) -> str:
    """Return what becomes of UTF-8 that is read as Windows-1252, as Excel does."""
    return text.encode().decode("cp1252", "replace")


def of_latin_1(text: str) -> str:
    """Return what becomes of UTF-8 that is read as Latin-1."""
    return text.encode().decode("latin-1")


def decomposed(text: str) -> str:
    """Return the letters and accents one by one, as file names of a Mac have them."""
    return unicodedata.normalize("NFD", text)


# What changes ids on their way, and is taken for the cause.
CHANGES: dict[str, Callable[[str], str]] = {
    "zeros": lambda text: re.sub("^0+(?=[0-9])", "", text),
    "decimals": lambda text: text + ".0" if text.isdecimal() else text,
    "case": lambda text: text.upper().replace("SS", "ß"),
    "blanks": lambda text: f" {text.replace(' ', chr(0xA0) + ' ')} ",
    "form": decomposed,
    "Windows-1252": garbled,
    "Latin-1": of_latin_1,
}


def near(pairs: Sequence[tuple[str, bool]]) -> list[tuple[object, ...]]:
    """Return the rows of near_ids for ids, each with whether it is judged."""
    select = sql_files.composed(("warnings/folded_ids", "warnings/near_ids"))
    rows = "select 1 as run_id, null as query_id, unnest($ids) as id"
    rows += ", unnest($judged) as is_judged"
    runs = "select 1 as run_id, 'r' as name, 9 as query_count"
    ids, judged = zip(*pairs, strict=True)
    return duckdb.execute(
        f"with runs as ({runs}), source_rows as ({rows}) from ({select})",
        {"ids": list(ids), "judged": list(judged), "least": 1},
    ).fetchall()


@pytest.mark.parametrize("change", CHANGES)
def test_changed_ids_are_near(change: str) -> None:
    pairs = [(word, CHANGES[change](word)) for word in _WORDS]
    # Windows-1252 has no sign for some bytes, and what is replaced is lost.
    changed = [(one, two) for one, two in pairs if one != two and "\ufffd" not in two]
    assert changed
    for one, two in changed:
        [row] = near([(one, True), (two, False)])
        assert row == (two, one, "r", 9, 1, 1, 0)
        [row] = near([(one, False), (two, True)])
        assert row == (one, two, "r", 9, 1, 1, 0)


def test_other_ids_are_not_near() -> None:
    far = [
        *_WORDS,
        "Fon",
        "012b",
        "12b",
        "112",
        "12.5",
        "ab",
        "-12",
        "Ã",
        "F\ufffdn",
        "",
    ]
    others = [word for word in far if word != "12.0"]
    for judged in others:
        rows = near(
            [(judged, True), *((one, False) for one in others if one != judged)]
        )
        assert rows == [], judged
    assert near([("A", True), ("a", True)]) == near([("A", False), ("a", False)]) == []


QRELS = "q01 0 007 1\nq01 0 009 1\nq01 0 x 1\nFön 0 a 1\nÜl 0 a 1\nq3 0 a 2\n"
RUN = (
    "q01 Q0 7 1 2 t\nq01 Q0 x 2 1 t\nq01 Q0 9 3 0.5 t\nFÃ¶n Q0 a 1 1 t\n"
    "Ãœl Q0 a 1 1 t\nq3 Q0 a 1 1 t\nq4 Q0 b 1 1 t\n"
)
QUERIES = (
    '2 of 5 queries of run "r" have no judgments, but nearly the ids of judged queries;'
    ' for example, the run has "FÃ¶n", the judgments have "Fön"'
)
DOCUMENTS = (
    '2 judged documents that run "r" did not return have nearly the ids of documents'
    ' that it returned; for example, the run has "7", the judgments have "007"'
)


@pytest.mark.slow
def test_nearly_matching_ids_are_told_in_any_order(here: Path) -> None:
    (here / "qrels").write_text(QRELS, encoding="utf-8")
    (here / "r").write_text(RUN, encoding="utf-8")
    with Warehouse.memory() as warehouse:
        warehouse.load_judgments("qrels")
        assert warehouse.load_run("r").warnings == (QUERIES, DOCUMENTS)
        # A run of the same queries and documents is clean.
        clean = RUN.replace(" 7 ", " 007 ").replace(" 9 ", " 009 ")
        clean = clean.replace("FÃ¶n", "Fön").replace("Ãœl", "Ül")
        (here / "clean").write_text(clean, encoding="utf-8")
        assert warehouse.load_run("clean").warnings == ()
        again = warehouse.load_judgments("qrels", "again")
        assert again.warnings == (QUERIES, DOCUMENTS)
        (here / "s").write_text(RUN + "q01 Q0 8 3 0 t\n", encoding="utf-8")
        assert len(warehouse.load_run("s").warnings) == 2
        several = warehouse.load_judgments("qrels", "third")
        assert several.warnings == tuple(
            f"{line}; likewise 1 other run" for line in (QUERIES, DOCUMENTS)
        )
        with pytest.raises(NdcgSqlError, match="2 of 5 queries"):
            warehouse.load_run("r", "strict", strict=True)


Numbers = dict[str, dict[str, float]]
_RANDOM = Random(5)
NAMES = [f"d{n}" for n in range(12)]
IDS = [f"q{n}" for n in range(8)]
SCORES = {q: {d: _RANDOM.random() for d in NAMES} for q in IDS}
GRADES = {
    q: {d: float(_RANDOM.randrange(3)) for d in _RANDOM.sample(NAMES, 9)} for q in IDS
}
LIKED = {q: dict.fromkeys(_RANDOM.sample(NAMES, 2), 1.0) for q in IDS}
# Numbers that count ranks.
RANKS = {q: {d: float(n) for n, d in enumerate(NAMES)} for q in IDS}
SAID = (
    'run "run": the scores are a few whole numbers, like grades, and the grades of'
    ' judgment set "judgments" are fractions, like scores; were the files swapped?'
    ' to silence this: position_rule="score"'
)


@pytest.mark.parametrize(
    "ranked", exploring.sampled([GRADES, LIKED], 2), ids=["grades", "one grade"]
)
@pytest.mark.filterwarnings("ignore:.*no document is relevant:UserWarning")
def test_swapped_dicts_are_warned_of(ranked: Numbers) -> None:
    with pytest.warns(UserWarning, match="were the files swapped") as warned:
        ndcg_sql.evaluate(SCORES, ranked, "RR")
    # Scores that order nothing are not told a second time.
    assert [str(one.message) for one in warned if "score" in str(one.message)] == [SAID]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ndcg_sql.evaluate(ranked, SCORES, "RR")


@pytest.mark.slow
def test_swapped_files_are_warned_of(ndcg: Command) -> None:
    for name, numbers in (("scores", SCORES), ("grades", GRADES)):
        rows = "".join(
            f"{query}\t{document}\t{number}\n"
            for query, of_query in numbers.items()
            for document, number in of_query.items()
        )
        # BEIR calls a grade a score.
        Path(f"{name}.tsv").write_text(f"query-id\tcorpus-id\tscore\n{rows}")
    told = ndcg("eval", "scores.tsv", "grades.tsv", "-m", "RR")
    assert (told.code, told.err.count("were the files swapped")) == (0, 1)
    assert ndcg("eval", "scores.tsv", "grades.tsv", "--strict").code == 2
    assert ndcg("eval", "grades.tsv", "scores.tsv", "-m", "RR").err == ""


RIGHT: dict[str, tuple[Numbers, Numbers]] = {
    "ranks as scores": (SCORES, RANKS),
    "fractions of both": (SCORES, SCORES),
    "grades of both": (GRADES, GRADES),
    "few fractions": (
        {q: {d: round(2 * x) / 2 for d, x in SCORES[q].items()} for q in IDS},
        GRADES,
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", RIGHT)
@pytest.mark.filterwarnings("ignore")
def test_what_may_be_right_is_loaded(case: str) -> None:
    judged, ranked = RIGHT[case]
    ndcg_sql.evaluate(judged, ranked, "RR")
    with Warehouse.memory() as warehouse:
        warehouse.load_judgments(judged)
        assert "in the place" not in str(warehouse.load_run(ranked).warnings)


@pytest.mark.slow
def test_the_user_may_say_that_scores_are_right() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ndcg_sql.evaluate(SCORES, GRADES, "nDCG@10", position_rule="score")
