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
from ndcg_sql.system.messages import Silent
from support.commands import Command
from support.ids import IDS, SPACED

DATASETS = (f"ids {n}" for n in itertools.count())
OF_LAST_RUN = "from rankings where run_id = (select max(run_id) from runs)"


def ranked(memory: Database, path: Path, **given: Any) -> list[str]:
    """Load a run of one query; return its documents by position."""
    load(memory, "run", [path], Options(dataset=next(DATASETS), **given), Silent())
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
    load(memory, "judgments", [tmp_path / "qrels"], options, Silent())
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
@given(texts(""))
def test_any_text_in_quotes_is_stored_as_it_is(
    memory: Database, tmp_path_factory: pytest.TempPathFactory, documents: list[str]
) -> None:
    path = tmp_path_factory.mktemp("quotes") / "r.csv"
    write_csv(path, documents)
    assert ranked(memory, path, evaluate=False) == documents


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(texts(" \t\n"))
def test_any_text_without_blanks_is_stored_as_it_is(
    memory: Database, tmp_path_factory: pytest.TempPathFactory, documents: list[str]
) -> None:
    path = tmp_path_factory.mktemp("trec") / "r"
    write_trec(path, documents)
    assert ranked(memory, path, evaluate=False) == documents


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
        "q[1]",
        "q*",
        "q?",
        "q[a-c]",
        "a b",
        "it's",
        '"q"',
        "a\\b",
        "é",
        "{a,b}",
        "$q",
        "%",
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


def positions(
    memory: Database, path: Path, lines: list[str], **given: Any
) -> list[str]:
    """Return the documents of a run of one query, given by its lines, in order."""
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return ranked(memory, path, **given)


def scored(*scores: tuple[str, str]) -> list[str]:
    """Return TREC lines of one query from documents and scores."""
    return [f"q Q0 {doc_id} {99 - i} {s} t" for i, (doc_id, s) in enumerate(scores)]


def test_positions_follow_scores_then_ids_descending(
    memory: Database, tmp_path: Path
) -> None:
    lines = scored(
        *(("Z", "1"), ("d1", "1"), ("d3", "1.0"), ("é", "1e0"), ("d10", "1")),
        *(("low", "-1"), ("zero", "0"), ("minus", "-0.0"), ("zzero", "0.0")),
        *(("top", "inf"), ("topa", "+Infinity"), ("bottom", "-inf"), ("max", "1e308")),
    )
    expected = ["topa", "top", "max", "é", "d3", "d10", "d1", "Z"]
    expected += ["zzero", "zero", "minus", "low", "bottom"]
    assert positions(memory, tmp_path / "r", lines) == expected


def test_ids_are_compared_by_bytes_not_by_letters(
    memory: Database, tmp_path: Path
) -> None:
    documents = ["a", "B", "é", "e\u0301", "\uffee", "\U00010000", "a1", "a10", "a2"]
    lines = scored(*((d, "1") for d in documents))
    expected = sorted(documents, key=lambda d: d.encode(), reverse=True)
    assert positions(memory, tmp_path / "r", lines) == expected


CLOSE = [
    *(("a", "1.00000002"), ("b", "1.00000001"), ("c", "16777217"), ("d", "16777216")),
    *(("e", "1e40"), ("f", "1e39"), ("g", "1e-46"), ("h", "1e-50"), ("i", "0")),
    *(("j", "-1e-46"), ("k", "-1e40"), ("l", "-1e39"), ("m", "-inf"), ("n", "inf")),
]


def test_scores_are_doubles_by_default(memory: Database, tmp_path: Path) -> None:
    expected = ["n", "e", "f", "c", "d", "a", "b", "g", "h", "i", "j", "l", "k", "m"]
    assert positions(memory, tmp_path / "r", scored(*CLOSE)) == expected


def test_score32_ties_what_a_single_float_cannot_tell_apart(
    memory: Database, tmp_path: Path
) -> None:
    # 16777217 rounds to 16777216; 1e39 and more to infinity; 1e-46 to 0.
    expected = ["n", "f", "e", "d", "c", "b", "a", "j", "i", "h", "g", "m", "l", "k"]
    path = tmp_path / "r"
    lines = scored(*CLOSE)
    assert positions(memory, path, lines, position_rule="score32") == expected
    assert memory.execute(f"select score {OF_LAST_RUN} and doc_id = 'c'") == [
        (16777217.0,)
    ]


def test_given_positions_are_those_of_the_ranks(
    memory: Database, tmp_path: Path
) -> None:
    lines = ["q Q0 a 10 1 t", "q Q0 b 2 9 t", "q Q0 c 007 5 t", "q Q0 d 0 0 t"]
    given = {"position_rule": "given"}
    assert positions(memory, tmp_path / "r", lines, **given) == ["d", "b", "c", "a"]
    rows = memory.execute(f"select position {OF_LAST_RUN} order by 1")
    assert rows == [(1,), (2,), (3,), (4,)]


@pytest.mark.parametrize(
    ("header", "tails"),
    [("query_id,doc_id", ["", "", ""]), ("query_id,doc_id,score", [",1", ",3", ",2"])],
    ids=["no score", "scores against the order"],
)
def test_given_positions_without_ranks_are_those_of_the_lines(
    memory: Database, tmp_path: Path, header: str, tails: list[str]
) -> None:
    lines = [header, f"q,b{tails[0]}", f"q,c{tails[1]}", "", f"q,a{tails[2]}"]
    given = {"position_rule": "given"}
    assert positions(memory, tmp_path / "r.csv", lines, **given) == ["b", "c", "a"]
    scores = [score for (score,) in memory.execute(f"select score {OF_LAST_RUN}")]
    assert (scores == [None] * 3) == (tails[0] == "")


NO_RANK = "is not a whole number from 0 to 999999999999999"


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (
            ["q Q0 a 1 3 t", "q Q0 b 2 2 t", "q Q0 c 1 1 t"],
            '3: query "q", document "c": rank 1 is already on line 1',
        ),
        (
            ["q Q0 a 1 3 t", "q Q0 b x 2 t"],
            '2: query "q", document "b": rank "x" ' + NO_RANK,
        ),
        (
            ["q Q0 a -1 3 t"],
            '1: query "q", document "a": rank "-1" ' + NO_RANK,
        ),
        (
            ["q Q0 a 1 nan t"],
            '1: query "q", document "a": score "nan" is not a number',
        ),
    ],
    ids=["repeated", "word", "negative", "score"],
)
def test_given_ranks_that_give_no_order_are_refused(
    memory: Database, tmp_path: Path, lines: list[str], reason: str
) -> None:
    path = tmp_path / "r"
    path.write_text("".join(line + "\n" for line in lines))
    with pytest.raises(Exception, match="bad line") as error:
        ranked(memory, path, position_rule="given")
    assert str(error.value).splitlines()[0] == f"{path}:{reason}"


def test_ranks_of_different_queries_do_not_clash(
    memory: Database, tmp_path: Path
) -> None:
    path = tmp_path / "r"
    path.write_text("q1 Q0 a 1 1 t\nq2 Q0 a 1 1 t\n")
    assert ranked(memory, path, position_rule="given") == ["a", "a"]
    assert memory.execute(f"select position {OF_LAST_RUN}") == [(1,), (1,)]
