"""Ids are exact text, paths exact files, and positions follow the stated rule."""

import csv
import itertools
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ndcg_sql.database.database import Database
from ndcg_sql.loading.sets import Options, load
from ndcg_sql.system.messages import Messages
from support.commands import Command
from support.ids import IDS, SPACED
from support.scripts import scripted

test_script = scripted(__file__)

DATASETS = (f"ids {n}" for n in itertools.count())
OF_LAST_RUN = "from rankings where run_id = (select max(run_id) from runs)"


def ranked(memory: Database, path: Path, **given: Any) -> list[str]:
    """Load a run of one query; return its documents by position."""
    load(memory, "run", [path], Options(dataset=next(DATASETS), **given), Messages())
    rows = memory.execute(f"select doc_id {OF_LAST_RUN} order by position")
    return [doc_id for (doc_id,) in rows]


def write_trec(path: Path, documents: list[str]) -> None:
    """Write a run of one query, best document first."""
    lines = [f"q Q0 {d} 1 {-i} t\n" for i, d in enumerate(documents)]
    path.write_bytes("".join(lines).encode())


def write_csv(path: Path, documents: list[str]) -> None:
    """Write a run of one query as CSV with quotes, best document first."""
    with path.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.writer(lines, quoting=csv.QUOTE_ALL, lineterminator="\n")
        writer.writerow(["query_id", "doc_id", "score"])
        writer.writerows(["q", d, -i] for i, d in enumerate(documents))


def test_ids_are_stored_to_the_byte(memory: Database, tmp_path: Path) -> None:
    write_trec(tmp_path / "trec", IDS)
    write_csv(tmp_path / "r.csv", IDS)
    assert ranked(memory, tmp_path / "trec") == IDS
    assert ranked(memory, tmp_path / "r.csv") == IDS


def test_ids_of_queries_are_stored_to_the_byte(
    memory: Database, tmp_path: Path
) -> None:
    queries = [query for query in IDS if query != "#"]
    text = "".join(f"{query} 0 d 1\n" for query in queries)
    (tmp_path / "qrels").write_bytes(text.encode())
    options = Options(dataset=next(DATASETS))
    load(memory, "judgments", [tmp_path / "qrels"], options, Messages())
    stored = memory.execute(
        "select query_id from judgments"
        " where judgment_set_id = (select max(judgment_set_id) from judgment_sets)"
    )
    assert sorted(query for (query,) in stored) == sorted(queries)


def test_blanks_and_line_ends_are_part_of_a_quoted_id(
    memory: Database, tmp_path: Path
) -> None:
    write_csv(tmp_path / "r.csv", SPACED)
    assert ranked(memory, tmp_path / "r.csv") == SPACED


def texts(excluded: str) -> st.SearchStrategy[list[str]]:
    """Return lists of texts without some characters and those that are refused."""
    refused = "\0\r\v\f\ufeff"
    letters = st.characters(
        exclude_categories=["Cs"], exclude_characters=refused + excluded
    )
    return st.lists(
        st.text(letters, min_size=1, max_size=12), min_size=1, max_size=8, unique=True
    )


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(texts(""), texts(" \t\n"))
def test_any_text_is_stored_as_it_is(
    memory: Database,
    tmp_path_factory: pytest.TempPathFactory,
    in_quotes: list[str],
    without_blanks: list[str],
) -> None:
    folder = tmp_path_factory.mktemp("texts")
    write_csv(folder / "r.csv", in_quotes)
    assert ranked(memory, folder / "r.csv", evaluate=False) == in_quotes
    write_trec(folder / "r", without_blanks)
    assert ranked(memory, folder / "r", evaluate=False) == without_blanks


def test_a_line_end_in_a_quoted_id_keeps_its_bytes(
    memory: Database, tmp_path: Path
) -> None:
    path = tmp_path / "r.csv"
    path.write_bytes(b'query_id,doc_id,score\r\n"q","a\r\nb",2\r\n"q","a\nb",1\r\n')
    assert ranked(memory, path) == ["a\r\nb", "a\nb"]


def test_a_long_quoted_text_is_read(memory: Database, tmp_path: Path) -> None:
    write_csv(tmp_path / "r.csv", ["x" * 200_000, "y"])
    assert ranked(memory, tmp_path / "r.csv") == ["x" * 200_000, "y"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        *("q[1]", "q*", "q?", "q[a-c]", "a b", "it's", '"q"', "a\\b", "é", "{a,b}"),
        *("$q", "%"),
    ],
)
@pytest.mark.parametrize("suffix", ["", ".csv"])
def test_a_file_name_means_that_very_file(
    memory: Database, tmp_path: Path, name: str, suffix: str
) -> None:
    for decoy in ("q1", "qa", "qq", "a", "b"):
        write_csv(tmp_path / f"{decoy}{suffix}", ["decoy"])
    (write_csv if suffix else write_trec)(tmp_path / f"{name}{suffix}", ["right"])
    assert ranked(memory, tmp_path / f"{name}{suffix}") == ["right"]
    last = "select name, source from runs order by run_id desc limit 1"
    assert memory.execute(last) == [(name, f"{name}{suffix}")]


def test_a_file_name_that_is_no_text_is_refused(ndcg: Command) -> None:
    path = Path(b"r\xff".decode(errors="surrogateescape"))
    write_trec(path, ["a"])
    for named in ([], ["--name", "fine"]):
        result = ndcg("load", "run", path, *named)
        assert "unexpected" not in result.refusal
        assert result.err.count("\n") == 1
