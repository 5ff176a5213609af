"""Ids of a run and its judgments that are nearly, but not exactly, the same."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path

import duckdb
import pytest

from ndcg_sql.database import sql_files
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse

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
        {"ids": list(ids), "judged": list(judged)},
    ).fetchall()


@pytest.mark.parametrize("change", CHANGES)
def test_changed_ids_are_near(change: str) -> None:
    pairs = [(word, CHANGES[change](word)) for word in _WORDS]
    # Windows-1252 has no sign for some bytes, and what is replaced is lost.
    changed = [(one, two) for one, two in pairs if one != two and "\ufffd" not in two]
    assert changed
    for one, two in changed:
        [row] = near([(one, True), (two, False)])
        assert row == (two, one, "r", 9, 1, 1)
        [row] = near([(one, False), (two, True)])
        assert row == (one, two, "r", 9, 1, 1)


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
    ' for example, the run has "FÃ¶n", the judgments have "Fön"; did a program read'
    " UTF-8 as another encoding?"
)
DOCUMENTS = (
    '2 judged documents that run "r" did not return have nearly the ids of documents'
    ' that it returned; for example, the run has "7", the judgments have "007"; did a'
    " program take ids for numbers?"
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


def test_ids_that_look_alike_are_said_to_differ() -> None:
    run = {"Fo\u0308n": {"a": 1.0}}
    with Warehouse.memory() as warehouse:
        warehouse.load_judgments({"Fön": {"a": 1}})
        [warning] = warehouse.load_run(run, "r").warnings
    assert warning == (
        'run "r" and its judgments have no query in common; for example, the run has'
        ' "Fo\u0308n", the judgments have "Fön", which look alike, but are other'
        " characters"
    )


def test_a_document_that_is_judged_itself_is_not_taken_for_another() -> None:
    with Warehouse.memory() as warehouse:
        warehouse.load_judgments({"q": {"7": 1, "007": 0}, "r": {"7": 1}})
        ranked = {"q": {"007": 1.0}, "r": {"7": 1.0}}
        assert warehouse.load_run(ranked, "r").warnings == ()


def test_documents_in_no_run_are_told_with_an_example_of_each_side() -> None:
    ids = {f"u{n}": {f"i00{n}": 1} for n in range(3)}
    plain = {f"u{n}": {f"{n}"} for n in range(3)}
    with Warehouse.memory() as warehouse:
        warehouse.load_judgments(ids)
        [warning] = warehouse.load_known(plain).warnings
        assert warning == (
            "none of the 3 known documents is in a run or judgment set of dataset"
            ' "default"; for example, they have "0", the runs and judgments have "i000"'
        )
        # One that is shared is enough.
        assert not warehouse.load_known({"u0": ["0", "i000"]}).warnings
        [warning] = warehouse.load_known({"0": ["i000"]}).warnings
        assert warning.endswith('dataset: "0"; the runs and judgments have "u0"')
