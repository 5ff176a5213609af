"""What a load changes, and what it leaves as it was."""

from pathlib import Path

import pytest

from support import exploring
from support.commands import Command
from support.files import QRELS, RUN, digest, stored, tables

pytestmark = pytest.mark.mostly_slow

NEWEST = (
    'judgment set "better" is now the newest: report and other commands use it'
    " unless --judgments qrels is given\n"
)


@pytest.fixture
def files(loaded: Path) -> Path:
    """Put the warehouse and the files that are in it into place."""
    (loaded.parent / "qrels").write_text(QRELS)
    (loaded.parent / "base").write_text(RUN)
    return loaded


@pytest.mark.quick
def test_the_same_content_again_says_so_and_changes_nothing(
    ndcg: Command, files: Path
) -> None:
    before = digest(files)
    result = ndcg("load", "run", "base")
    assert (result.code, result.out) == (0, "")
    assert result.err == (
        'run "base" of dataset "default" already exists with this content;'
        " nothing to do\n"
    )
    result = ndcg("load", "judgments", "qrels")
    assert (result.code, result.out) == (0, "")
    assert result.err == (
        'judgment set "qrels" of dataset "default" already exists with this'
        " content; nothing to do\n"
    )
    assert digest(files) == before


def test_the_same_content_under_another_name_is_another_run(
    ndcg: Command, files: Path
) -> None:
    result = ndcg("load", "run", "base", "--name", "again")
    assert result.err == (
        'loaded run "again": 2 queries, 4 documents; evaluated with "qrels"\n'
    )
    assert stored("select run_id, name, source from runs order by 1", files) == [
        (1, "base", "base"),
        (2, "again", "base"),
    ]


def test_a_second_judgment_set_leaves_every_old_value_to_the_bit(
    ndcg: Command, files: Path
) -> None:
    old = {name: found for name, found in tables(files).items() if found}
    Path("better").write_text("q1 0 a 0.3\nq1 0 u 3\nq3 0 a 1\n")

    result = ndcg("load", "judgments", "better")

    assert result.err == (
        'loaded judgment set "better": 2 queries, 3 judgments; evaluated 1 run\n'
        + NEWEST
    )
    new = tables(files)
    for name, found in old.items():
        assert set(map(repr, found)) <= set(map(repr, new[name])), name
    assert len(new["judgment_sets"]) == 2
    assert len(new["evaluations"]) == 2


def test_a_run_is_evaluated_with_the_newest_set_only(
    ndcg: Command, files: Path
) -> None:
    Path("better").write_text("q1 0 a 3\n")
    assert ndcg("load", "judgments", "better").code == 0
    result = ndcg("load", "run", "base", "--name", "late")
    assert result.err.endswith('; evaluated with "better"\n')
    pairs = "select run_id, judgment_set_id from evaluations order by all"
    assert stored(pairs, files) == [(1, 1), (1, 2), (2, 2)]


@pytest.mark.usefixtures("files")
def test_a_set_in_the_place_of_the_only_one_is_told_like_the_first(
    ndcg: Command,
) -> None:
    Path("qrels").write_text(QRELS + "q2 0 b 1\n")
    replaced = ndcg("load", "judgments", "qrels", "--replace")
    assert replaced.err == (
        'replaced judgment set "qrels": 2 queries, 5 judgments; evaluated 1 run\n'
    )
    other = ndcg("load", "judgments", "qrels", "--dataset", "other")
    assert other.err == 'loaded judgment set "qrels": 2 queries, 5 judgments\n'


@pytest.mark.usefixtures("files")
def test_a_run_that_shares_no_query_is_loaded_with_a_warning(
    ndcg: Command,
) -> None:
    Path("alien").write_text("x1 Q0 a 1 1 t\n")
    result = ndcg("load", "run", "alien")
    assert result.code == 0
    assert result.err.splitlines() == [
        'loaded run "alien": 1 query, 1 document; evaluated with "qrels"',
        'warning: run "alien" and its judgments have no query in common;'
        ' for example, the run has "x1", the judgments have "q1"',
    ]


@pytest.mark.usefixtures("files")
def test_a_run_that_returns_no_judged_document_is_loaded_with_a_warning(
    ndcg: Command,
) -> None:
    Path("upper").write_text("q1 Q0 A 1 1 t\n")
    told = 'warning: run "upper" returned no judged document'
    result = ndcg("load", "run", "upper")
    assert result.code == 0
    assert result.err.splitlines()[1] == (
        f'{told}; for example, the run has "A", the judgments have "a"'
    )
    assert result.err.splitlines()[1] in ndcg("eval", "qrels", "upper").err
    # A single command has no documents but those that nearly match.
    Path("other").write_text("q1 Q0 z 1 1 t\n")
    told = told.replace("upper", "other")
    assert f"{told}\n" in ndcg("eval", "qrels", "other").err


def test_the_name_of_a_run_is_that_of_its_file(ndcg: Command, files: Path) -> None:
    for name in ("a.run.gz", "b.trec.txt", "c.v2.csv", ".run", "d.tsv.x"):
        Path(name).write_text("q1 Q0 a 1 1 t\n")
    assert ndcg("load", "run", *sorted(map(str, Path().glob("*.[!d]*")))).code == 0
    names = "select name, source from runs where run_id > 1 order by run_id"
    assert stored(names, files) == [
        (".run", ".run"),
        ("a", "a.run.gz"),
        ("b", "b.trec.txt"),
        ("c.v2", "c.v2.csv"),
        ("d.tsv.x", "d.tsv.x"),
    ]


def test_tags_and_the_time_of_a_run_are_stored(ndcg: Command, files: Path) -> None:
    result = ndcg(
        *("load", "run", "base", "--name", "tagged", "--run-at", "2026-01-31T23:59"),
        *("--tag", "model=bm25", "--tag", "k1=1.2=b", "--tag", "ü=ß 1"),
    )
    assert result.code == 0
    tags = "select tag, tag_value from run_tags where run_id = 2 order by all"
    assert stored(tags, files) == [("k1", "1.2=b"), ("model", "bm25"), ("ü", "ß 1")]
    time = "select strftime(run_at, '%Y-%m-%d %H:%M:%S') from runs where run_id = 2"
    assert stored(time, files) == [("2026-01-31 23:59:00",)]


@pytest.mark.parametrize(
    ("text", "expected"),
    exploring.sampled(
        [
            ("2026-01-31", "2026-01-31 00:00:00"),
            ("2026-01-31 12:30:15", "2026-01-31 12:30:15"),
            ("2026-01-31T23:59+02:00", "2026-01-31 21:59:00"),
            ("2025-12-31T23:59-00:30", "2026-01-01 00:29:00"),
        ],
        3,
    ),
)
def test_a_time_is_stored_in_utc(
    ndcg: Command, files: Path, text: str, expected: str
) -> None:
    assert ndcg("load", "run", "base", "--name", "t", "--run-at", text).code == 0
    time = "select strftime(run_at, '%Y-%m-%d %H:%M:%S') from runs where run_id = 2"
    assert stored(time, files) == [(expected,)]


LABELS = ["--label", "Exact=2", "--label", "Partial=.5", "--label", "Poor=-1"]


def test_labels_become_grades_and_are_kept(ndcg: Command, files: Path) -> None:
    Path("labels").write_text("q 0 a Exact\nq 0 b Partial\nq 0 c 3.5\nq 0 d Poor\n")
    assert ndcg("load", "judgments", "labels", *LABELS).code == 0
    sql = "select doc_id, grade, label from judgments where query_id = 'q' order by 1"
    assert stored(sql, files) == [
        ("a", 2.0, "Exact"),
        ("b", 0.5, "Partial"),
        ("c", 3.5, None),
        ("d", -1.0, "Poor"),
    ]


def test_labels_stand_beside_grades_in_csv(ndcg: Command, files: Path) -> None:
    Path("both.csv").write_text("qid,doc,rating,label\nq,a,2,Exact\nq,b,1,\n")
    Path("only.csv").write_text("qid,doc,label\nq,a,Exact\nq,b,Partial\n")
    assert ndcg("load", "judgments", "both.csv").code == 0
    assert ndcg("load", "judgments", "only.csv", *LABELS).code == 0
    sql = "select judgment_set_id, doc_id, grade, label from judgments"
    found = stored(sql + " where query_id = 'q' order by 1, 2", files)
    assert [row[:3] for row in found] == [
        (2, "a", 2.0),
        (2, "b", 1.0),
        (3, "a", 2.0),
        (3, "b", 0.5),
    ]
    assert [row[3] for row in found] == ["Exact", None, "Exact", "Partial"]


@pytest.mark.quick
def test_an_unknown_label_is_refused_with_every_line(
    ndcg: Command, files: Path
) -> None:
    Path("labels").write_text("q 0 a Exact\nq 0 b Partial\nq 0 c Bad\nq 0 d Bad\n")
    before = digest(files)
    result = ndcg("load", "judgments", "labels", *LABELS[:4])
    assert result.refusal.startswith("labels:3: ")
    assert '- the grades are words: "Bad"' in result.err
    assert result.err.endswith(f"{' '.join(LABELS[:4])} --label Bad=GRADE\n")
    assert digest(files) == before


QUERIES = "query_id,text,weight,device,lang\nq1,hello,2,phone,de\nq2,,,desktop,\n"
ATTRIBUTES = (
    "select query_id, attribute, attribute_value from query_attributes order by all"
)


def test_queries_keep_their_text_weight_and_attributes(
    ndcg: Command, files: Path
) -> None:
    Path("queries.csv").write_text(QUERIES)
    result = ndcg("load", "queries", "queries.csv")
    assert result.err == (
        'loaded 2 queries of dataset "default"; attributes: device, lang\n'
    )
    known = stored(
        "select dataset, query_id, text, weight from queries order by 2", files
    )
    assert known == [("default", "q1", "hello", 2.0), ("default", "q2", "", None)]
    assert stored(ATTRIBUTES, files) == [
        ("q1", "device", "phone"),
        ("q1", "lang", "de"),
        ("q2", "device", "desktop"),
    ]


def test_queries_loaded_again_replace_what_was_known_of_them(
    ndcg: Command, files: Path
) -> None:
    Path("queries.csv").write_text(QUERIES)
    assert ndcg("load", "queries", "queries.csv").code == 0
    Path("queries.csv").write_text('topic;"a"\n'.replace(";", ",") + 'q1,"x, y"\n')
    assert ndcg("load", "queries", "queries.csv").code == 0
    assert ("q1", "a", "x, y") in stored(ATTRIBUTES, files)
    Path("queries.csv").write_text("topic,text,weight,a\nq1,anew,7,\n")
    assert ndcg("load", "queries", "queries.csv").code == 0
    assert "a" not in {attribute for _, attribute, _ in stored(ATTRIBUTES, files)}
    assert stored("select query_id, text, weight from queries order by 1", files) == [
        ("q1", "anew", 7),
        ("q2", "", None),
    ]


@pytest.mark.quick
def test_a_comment_above_quoted_queries_makes_no_query(
    ndcg: Command, files: Path
) -> None:
    Path("queries.csv").write_text('# of 2026\nquery_id,text\nq1,"x, y"\n')
    assert ndcg("load", "queries", "queries.csv").code == 0
    assert stored("select query_id, text from queries", files) == [("q1", "x, y")]


@pytest.mark.quick
@pytest.mark.usefixtures("loaded")
def test_a_new_dataset_that_may_be_misspelt_is_asked_about(ndcg: Command) -> None:
    Path("x").write_text("q1 Q0 a 1 1 x\n")
    told = ndcg("load", "run", "x", "--dataset", "defualt").err
    assert told.splitlines()[1:] == [
        'warning: dataset "defualt" is new and has no judgments; did you mean'
        ' "default"?'
    ]
    Path("y").write_text("q1 Q0 b 1 1 y\n")
    assert "warning" not in ndcg("load", "run", "y", "--dataset", "defualt").err
    assert "warning" not in ndcg("load", "run", "x", "--dataset", "fresh").err


# Names of datasets beside shop-en, shop-2026-w47 and shop-jan-2026-w47.
MISSPELT = {
    **dict.fromkeys(("shop-fr", "shop-2026-w48", "shop-jun-2026-w47"), False),
    **{"shop-en-1.1": False, "shpo-en": True, "shopen": True},
}


@pytest.mark.parametrize("dataset", MISSPELT)
@pytest.mark.usefixtures("here")
def test_other_languages_and_versions_are_no_misspellings(
    ndcg: Command, dataset: str
) -> None:
    Path("j").write_text("q 0 a 1\n")
    Path("r").write_text("q Q0 a 1 1 t\n")
    for name in ("shop-en", "shop-2026-w47", "shop-jan-2026-w47"):
        assert ndcg("load", "judgments", "j", "--dataset", name).code == 0
    told = ndcg("load", "run", "r", "--dataset", dataset)
    assert (told.code, "did you mean" in told.err) == (0, MISSPELT[dataset])
