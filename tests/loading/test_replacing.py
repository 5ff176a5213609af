"""Runs and judgment sets put in the place of those that have their name."""

from pathlib import Path

import pytest

from support.commands import Command
from support.files import QRELS, RUN, digest, shown, stored, tables

pytestmark = pytest.mark.slow

OTHER = "q1 Q0 a 1 9 t\nq2 Q0 a 1 1 t\n"


@pytest.fixture
def files(loaded: Path) -> Path:
    """Put files with other content than the warehouse has into place."""
    (loaded.parent / "base").write_text(OTHER)
    (loaded.parent / "qrels").write_text("q1 0 a 3\n")
    return loaded


def test_a_run_is_replaced_under_a_new_id_and_evaluated(
    ndcg: Command, files: Path
) -> None:
    result = ndcg("load", "run", "base", "--replace")
    assert (result.code, result.out) == (0, "")
    assert result.err == (
        'replaced run "base": 2 queries, 2 documents; evaluated with "qrels"\n'
    )
    left = tables(files)
    for table in ("rankings", "run_queries", "hits", "evaluations", "stored_values"):
        assert {row[0] for row in left[table]} == {2}, table
    assert stored("select run_id, name from runs", files) == [(2, "base")]
    assert ndcg("check", "--quiet").code == 0


def test_a_judgment_set_is_replaced_and_values_the_runs_anew(
    ndcg: Command, files: Path
) -> None:
    result = ndcg("load", "judgments", "qrels", "--replace")
    assert result.err == (
        'replaced judgment set "qrels": 1 query, 1 judgment; evaluated 1 run\n'
    )
    pairs = "select run_id, judgment_set_id from evaluations"
    assert stored(pairs, files) == [(1, 2)]
    assert stored("select distinct judgment_set_id from judgments", files) == [(2,)]
    assert ndcg("check", "--quiet").code == 0


@pytest.mark.parametrize("kind", ["run", "judgments"])
def test_the_same_content_is_not_replaced(
    ndcg: Command, loaded: Path, kind: str
) -> None:
    name, text = ("base", RUN) if kind == "run" else ("qrels", QRELS)
    Path(name).write_text(text)
    before = digest(loaded)
    result = ndcg("load", kind, name, "--replace")
    assert result.code == 0
    assert result.err.endswith(" already exists with this content; nothing to do\n")
    assert digest(loaded) == before


def test_a_refused_file_leaves_the_old_one(ndcg: Command, files: Path) -> None:
    Path("base").write_text(OTHER + "q3 Q0 a 1 nan t\n")
    before = digest(files)
    result = ndcg("load", "run", "base", "--replace")
    assert (result.code, result.out) == (2, "")
    assert digest(files) == before


def test_two_files_of_one_name_do_not_replace_each_other(
    ndcg: Command, files: Path
) -> None:
    Path("d").mkdir()
    Path("d/base").write_text("q1 Q0 c 1 9 t\n")
    before = tables(files)
    assert ndcg("load", "run", "base", "d/base", "--replace").refusal == (
        'base and d/base: both would be run "base"; load them one by one with --name'
        " NAME\n"
    )
    assert tables(files) == before


@pytest.mark.parametrize("options", [(), ("--replace",)])
@pytest.mark.usefixtures("files")
def test_a_file_that_is_named_twice_is_loaded_once(
    ndcg: Command, options: tuple[str, ...]
) -> None:
    Path("late").write_text(OTHER)
    result = ndcg("load", "run", "late", "./late", *options)
    assert result.code == 0
    assert result.err.splitlines() == [
        'loaded run "late": 2 queries, 2 documents; evaluated with "qrels"',
    ]


def test_without_replace_other_content_is_refused(ndcg: Command, files: Path) -> None:
    before = digest(files)
    assert ndcg("load", "run", "base").refusal == (
        'base: run "base" of dataset "default" already exists with other content;'
        " choose another name: --name NAME, or replace it: --replace\n"
    )
    assert digest(files) == before


TAGGED = ("load", "run", "base", "--name", "tagged", "--tag", "model=bm25")


@pytest.mark.parametrize(
    ("again", "told", "change"),
    [
        (("--tag", "model=bm25"), None, ""),
        ((), None, ""),
        (("--tag", "model=bm26"), "--tag", "model=bm26"),
        (("--tag", "k=1"), "--tag", "model= k=1"),
        (("--run-at", "2026-01-31"), "--run-at", "--run-at 2026-01-31T00:00:00"),
    ],
)
def test_the_same_content_with_other_tags_is_not_dropped_silently(
    ndcg: Command, files: Path, again: tuple[str, ...], told: str | None, change: str
) -> None:
    assert ndcg(*TAGGED).code == 0
    before = digest(files)
    result = ndcg(*TAGGED[:5], *again)
    if told is None:
        assert (result.code, result.err[-15:]) == (0, " nothing to do\n")
    else:
        assert result.refusal == (
            'base: run "tagged" of dataset "default" already exists with this'
            f" content but another {told}; to replace it: --replace; to change it:"
            f" ndcg-sql tag run tagged {change}\n"
        )
    assert digest(files) == before
    if change:
        assert ndcg("tag", "run", "tagged", *change.split()).code == 0
        assert ndcg(*TAGGED[:5], *again).err.endswith(" nothing to do\n")


def test_replacing_takes_the_tags_and_the_time_that_are_given(
    ndcg: Command, files: Path
) -> None:
    assert ndcg(*TAGGED, "--run-at", "2026-01-31T12:00Z").code == 0
    same = (*TAGGED, "--run-at", "2026-01-31 13:00+01:00", "--replace")
    assert ndcg(*same).err.endswith("; nothing to do\n")
    assert ndcg(*TAGGED[:5], "--replace").err.endswith("; nothing to do\n")
    result = ndcg(*TAGGED[:-1], "k=1", "--run-at", "2026-02-01", "--replace")
    assert result.err == (
        'replaced run "tagged": 2 queries, 2 documents; evaluated with "qrels";'
        " no longer: --tag model=bm25\n"
    )
    assert stored("select tag, tag_value from run_tags", files) == [("k", "1")]
    time = "select cast(run_at as varchar) from runs where run_id = 3"
    assert stored(time, files) == [("2026-02-01 00:00:00",)]


def test_what_is_not_said_again_of_a_replaced_run_stays(
    ndcg: Command, files: Path
) -> None:
    assert ndcg(*TAGGED, "--run-at", "2026-01-31T12:00Z").code == 0
    Path("base").write_text(OTHER + "q3 Q0 a 1 1 t\n")
    assert ndcg(*TAGGED[:5], "--replace").err == (
        'replaced run "tagged": 3 queries, 3 documents; evaluated with "qrels";'
        " kept: --tag model=bm25 --run-at 2026-01-31T12:00:00\n"
    )
    assert stored("from run_tags", files) == [(3, "model", "bm25")]
    before = "select run from history where tag is null order by made_at"
    assert shown(before)[0] == ("tagged",)
    # What is told can be given again, and means the same.
    told = ("--tag", "model=bm25", "--run-at", "2026-01-31T12:00:00")
    assert ndcg(*TAGGED[:5], *told).err.endswith("; nothing to do\n")


def test_a_replaced_run_without_a_time_is_told_to_move_in_the_history(
    ndcg: Command, files: Path
) -> None:
    [(then,)] = stored("select cast(loaded_at as varchar) from runs", files)
    assert ndcg("load", "run", "base", "--name", "late").code == 0
    result = ndcg("load", "run", "base", "--replace")
    back = f"ndcg-sql tag run base --run-at {then[:19].replace(' ', 'T')}"
    assert result.err.splitlines()[1:] == [
        "no time is known of it: history places it at its loading, which is now; to"
        f" put it back: {back}"
    ]
    select = "select distinct run, made_at from history where tag is null order by all"
    order = f"select run from ({select}) order by made_at"
    assert shown(order) == [("late",), ("base",)]
    assert ndcg(*back.split()[1:]).code == 0
    assert shown(order) == [("base",), ("late",)]


def other_order(text: str) -> str:
    """Return lines in the opposite order."""
    return "".join(reversed(text.splitlines(keepends=True)))


@pytest.mark.parametrize(
    ("kind", "name", "text"), [("run", "base", RUN), ("judgments", "qrels", QRELS)]
)
# Blanks of two kinds are read strictly.
@pytest.mark.parametrize("strict", [False, True])
def test_the_same_rows_in_another_order_are_the_same_content(
    ndcg: Command, loaded: Path, kind: str, name: str, text: str, strict: bool
) -> None:
    text = other_order(text)
    if strict:
        text = text.replace(" ", "\t", 1)
    Path(name).write_text(text)
    before = digest(loaded)
    result = ndcg("load", kind, name)
    assert result.code == 0
    assert "already exists with this content; nothing to do" in result.err
    assert digest(loaded) == before
    if kind == "run":
        result = ndcg("load", kind, name, "--tag", "model=x")
        assert "with this content but another --tag" in result.err


@pytest.mark.parametrize(
    ("kind", "name", "text", "options"),
    [
        ("run", "base", other_order(RUN).replace(" 3 t", " 4 t"), ()),
        ("run", "base", other_order(RUN) + "q9 Q0 a 1 1 t\n", ()),
        ("run", "base", "".join(other_order(RUN).splitlines(keepends=True)[1:]), ()),
        ("run", "base", other_order(RUN), ("--positions", "score32")),
        ("judgments", "qrels", other_order(QRELS).replace("c 0", "c 1"), ()),
        ("judgments", "qrels", other_order(QRELS) + "q2 0 b 0\n", ()),
    ],
)
@pytest.mark.usefixtures("loaded")
def test_other_rows_in_another_order_are_other_content(
    ndcg: Command, kind: str, name: str, text: str, options: tuple[str, ...]
) -> None:
    Path(name).write_text(text)
    result = ndcg("load", kind, name, *options)
    assert "already exists with other content" in result.refusal


def test_where_the_order_is_the_ranking_another_order_is_other_content(
    ndcg: Command,
) -> None:
    Path("run.txt").write_text("q1\ta,b\n")
    assert ndcg("load", "run", "run.txt").code == 0
    Path("run.txt").write_text("q1\tb,a\n")
    assert "exists with other content" in ndcg("load", "run", "run.txt").err


@pytest.mark.usefixtures("loaded")
def test_a_replaced_run_keeps_the_judgment_sets_it_was_evaluated_with(
    ndcg: Command,
) -> None:
    Path("more").write_text("q1 0 a 1\n")
    assert ndcg("load", "judgments", "more").code == 0
    Path("base").write_text("q1 Q0 a 1 2 base\n")
    told = ndcg("load", "run", "base", "--replace").err
    assert told.splitlines()[0] == (
        'replaced run "base": 1 query, 1 document; evaluated with "more", "qrels"'
    )
    sets = shown("select distinct judgment_set from run_values where run = 'base'")
    assert sorted(sets) == [("more",), ("qrels",)]
    assert ndcg("check").code == 0
