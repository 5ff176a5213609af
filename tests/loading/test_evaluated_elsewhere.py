"""Values that Spark computed, loaded as runs whose rankings are elsewhere."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.warehouse import Warehouse
from support.commands import Command, Once
from support.evaluated import (
    change_manifest,
    fill_judgments,
    fill_warehouse,
    rewrite,
    write_values,
)
from support.expected import ALL, check_equal
from support.files import change, digest, shown, stored

MEASURES = "nDCG@10 AP P@5"
OURS = Path("ours.duckdb")
FILE = Path("ndcg.duckdb")
VALUES = Path("values")


def _fill() -> None:
    fill_warehouse(OURS)
    fill_judgments(FILE)
    write_values(VALUES, OURS, MEASURES)


@pytest.fixture
def files(once: Once) -> Path:
    """Put a warehouse with rankings, the values of it, and one without into place."""
    once(_fill)
    return FILE


def _load() -> None:
    _fill()
    with Warehouse(FILE) as warehouse:
        warehouse.load_values(VALUES)


@pytest.fixture
def valued(once: Once) -> Path:
    """Put the files into place, with the values loaded."""
    once(_load)
    return FILE


def _values(path: Path, measures: str | None) -> dict[tuple[str, ...], tuple[float]]:
    with Warehouse(path) as warehouse:
        relation = warehouse.report(measures, per_query=True).relation
        rows = relation.select("run", "query_id", "measure", "value").fetchall()
    return {row[:3]: row[3:] for row in rows}


@pytest.mark.usefixtures("files")
def test_what_is_loaded_is_told(ndcg: Command) -> None:
    result = ndcg("load", "values", VALUES)
    assert (result.code, result.out) == (0, "")
    assert result.err == (
        'loaded run "b": 11 queries, 242 documents, evaluated by Spark 4.3.0 (ndcg-sql'
        ' 9.9.9) with "j"; its rankings stay there\n'
        'loaded run "Ä-1": 22 queries, 464 documents, evaluated by Spark 4.3.0'
        ' (ndcg-sql 9.9.9) with "j"; its rankings stay there\n'
        "compared 132 values with the views: equal to 1e-9; not registered:"
        ' "P@5"; to keep their values: ndcg-sql measures add P@5\n'
    )


@pytest.mark.parametrize(
    "measures",
    [
        pytest.param(None, id="registered"),
        pytest.param(ALL, id="all", marks=pytest.mark.slow),
    ],
)
def test_all_values_are_those_of_the_rankings(
    valued: Path, measures: str | None
) -> None:
    wanted = _values(OURS, measures)
    assert wanted
    check_equal(_values(valued, measures), wanted)


@pytest.mark.usefixtures("valued")
@pytest.mark.parametrize(
    "asked",
    [
        ("report",),
        ("compare", "b", "Ä-1", "--per-query"),
        pytest.param(("gate", "b", "Ä-1"), marks=pytest.mark.slow),
        ("leaderboard",),
        pytest.param(("report", "--bounds"), marks=pytest.mark.slow),
    ],
    ids=lambda asked: " ".join(asked),
)
def test_commands_show_what_they_show_of_rankings(
    ndcg: Command, asked: tuple[str, ...]
) -> None:
    found, wanted = (
        ndcg("--warehouse", path, *asked, "--format", "json") for path in (FILE, OURS)
    )
    assert found == wanted
    assert found.code == 0
    assert len(found.out) > 100


def test_evaluations_name_the_engine(valued: Path) -> None:
    sql = "select engine, dialect, ndcg_sql_version from evaluations"
    assert shown(sql, valued) == [("Spark 4.3.0", "spark", "9.9.9")] * 2
    assert shown(sql, OURS) == [(None, None, None)] * 2
    sources = "select distinct source, position_rule from runs"
    assert shown(sources, valued) == [
        ("values, values of Spark 4.3.0 (ndcg-sql 9.9.9)", "score")
    ]


def test_check_proves_what_was_loaded(ndcg: Command, valued: Path) -> None:
    assert ndcg("check", "--quiet").code == 0
    change(valued, "delete from store.external_hits where position = 1")
    result = ndcg("check", "--quiet")
    assert result.code == 2
    assert "table hits differs from view" in result.err


@pytest.mark.slow
def test_values_outlive_new_views(ndcg: Command, valued: Path) -> None:
    before = stored("from stored_values order by all", valued)
    change(
        valued, "update store.sql_files set checksum = 'old' where path = 'sql/views'"
    )
    assert "recomputed the values of 2 evaluations" in ndcg("evaluate").err
    assert stored("from stored_values order by all", valued) == before
    assert ndcg("check", "--quiet").code == 0


@pytest.mark.parametrize(
    "asked",
    [
        ("holes",),
        ("explain", "b", "16"),
        ("explain", "Ä-1", "16", "--against", "b"),
        ("pool",),
        ("overlap", "b", "Ä-1"),
        ("export", "run", "b"),
    ],
    ids=lambda asked: " ".join(asked),
)
@pytest.mark.usefixtures("valued")
def test_commands_that_need_rankings_say_so(
    ndcg: Command, asked: tuple[str, ...]
) -> None:
    result = ndcg(*asked)
    assert (result.code, result.out) == (2, "")
    assert result.err == (
        'run "b" was evaluated by Spark 4.3.0, and its rankings are not in the'
        f" warehouse; {asked[0]} needs them: load them with ndcg-sql load run\n"
    )


@pytest.mark.usefixtures("valued")
def test_what_is_known_is_described(ndcg: Command) -> None:
    found = ndcg("describe", "b").out
    assert "most documents     120" in found
    assert "tied" not in found
    assert "judged share" not in found


@pytest.mark.slow
@pytest.mark.usefixtures("valued")
def test_a_page_leaves_out_what_needs_rankings(ndcg: Command) -> None:
    assert ndcg("report", "--html", "page.html").code == 0
    text = Path("page.html").read_text(encoding="utf-8")
    assert "nDCG@10" in text


def test_runs_are_omitted_with_newer_judgments(ndcg: Command, valued: Path) -> None:
    Path("new.txt").write_text("q1 0 a 1\n")
    Path("new.run").write_text("q1 Q0 a 1 1 t\n")
    loaded = ndcg("load", "judgments", "new.txt")
    assert loaded.err.startswith(
        'loaded judgment set "new": 1 query, 1 judgment; not those that another engine'
        ' evaluated: "b", "Ä-1"\n'
    )
    only = 'run "b" was evaluated by Spark 4.3.0 with judgment set "j" only'
    refused = ndcg("report")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err == f"{only}; name that: --judgments j\n"
    assert ndcg("load", "run", "new.run").code == 0
    result = ndcg("report", "--format", "json")
    assert result.err.startswith(f"{only}; it is omitted\n")
    assert '"run":"b"' not in result.out
    result = ndcg("compare", "new", "b")
    assert (result.code, result.out) == (2, "")
    assert result.err == (
        f"{only}; evaluate it there with the other judgments, and load those values as"
        " another run\n"
    )
    assert ndcg("report", "--judgments", "j", "--run", "b").code == 0
    before = digest(valued)
    result = ndcg("remove", "judgments", "j")
    assert (result.code, result.out) == (2, "")
    assert result.err == (f"{only}, which cannot go without it; remove the run first\n")
    assert digest(valued) == before
    assert ndcg("remove", "run", "b", "Ä-1").code == 0
    assert ndcg("remove", "judgments", "j").code == 0
    for table in ("evaluations", "hits", "run_queries"):
        assert stored(f"select count(*) from external_{table}", valued) == [(0,)]


def test_loading_again_changes_nothing(ndcg: Command, valued: Path) -> None:
    before = digest(valued)
    result = ndcg("load", "values", VALUES)
    assert result.code == 0
    assert result.err == (
        'run "b" of dataset "default" already exists with this content; nothing to do\n'
        'run "Ä-1" of dataset "default" already exists with this content; nothing to'
        " do\n"
    )
    assert digest(valued) == before


@pytest.mark.slow
def test_other_values_replace_if_asked(ndcg: Command, valued: Path) -> None:
    rewrite(VALUES, "hits", "from old order by doc_id")
    before = digest(valued)
    refused = ndcg("load", "values", VALUES)
    assert refused.code == 2
    assert refused.err == (
        'values: run "b" of dataset "default" already exists with other content; load'
        " it into another dataset: --dataset D, or replace it: --replace\n"
    )
    assert digest(valued) == before
    tagged = ("--tag", "model=m", "--run-at", "2026-01-31")
    replaced = ndcg("load", "values", VALUES, "--replace", *tagged)
    assert replaced.err.startswith('replaced run "b": 11 queries')
    assert stored("select run_id from external_evaluations", valued) == [(3,), (4,)]
    assert stored("select distinct tag, tag_value from run_tags", valued) == [
        ("model", "m")
    ]


@pytest.mark.slow
def test_a_run_without_a_name_is_named_by_its_folder(
    ndcg: Command, files: Path
) -> None:
    folder = Path("other")
    write_values(folder, OURS, "AP", "Ä-1")
    assert ndcg("load", "values", folder).code == 0
    assert ndcg("load", "values", folder, "--name", "third").code == 0
    assert stored("select name from runs order by run_id", files) == [
        ("other",),
        ("third",),
    ]


def test_python_loads_values_too(files: Path) -> None:
    with Warehouse(files) as warehouse:
        told = warehouse.load_values(VALUES, judgments="j", tags={"model": "m"})
        assert told.startswith('loaded run "b"')
        with pytest.raises(NdcgSqlError, match="explain needs them"):
            warehouse.explain("b", "16")


def _cut(folder: Path) -> None:
    (folder / "hits" / "part-0.parquet").write_bytes(b"PAR1")


def _emptied(folder: Path) -> None:
    (folder / "manifest.json").write_text("{}")


def _nothing(folder: Path) -> None:
    for relation in ("hits", "run_queries"):
        rewrite(folder, relation, "from old where run = 'c'")


def _without(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def _rows(relation: str, select: str) -> Callable[[Path], None]:
    return lambda folder: rewrite(folder, relation, select)


def _counts(**counts: object) -> Callable[[Path], None]:
    return lambda folder: change_manifest(folder, **counts)


_OLD = "select * replace ({}) from old"
_FIRST = "select * replace ({}) from old order by run, query_id, position limit 1"
_UNFIT = (
    """values: 1 row cannot be used with judgment set "j"; the first is (b, '12, """
)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (_without("manifest.json"), "values: no manifest.json; name the folder that"),
        (
            _emptied,
            "values/manifest.json: not a manifest of this version; write the folder",
        ),
        (_counts(measures=["nDGC"]), 'measure "nDGC": unknown; did you mean'),
        (_without("hits/part-0.parquet"), "values/hits: no Parquet files; copy the"),
        (_cut, "values/hits/part-0.parquet: a damaged Parquet file; copy the folder"),
        (_counts(hits=1000), "values/hits: 221 of 1000 rows are there; copy the"),
        (
            _rows("hits", "select * exclude (grade) from old"),
            'column "grade" is not there, not DOUBLE; write the folder again',
        ),
        (
            _rows("hits", _OLD.format("position::varchar as position")),
            'column "position" is VARCHAR, not INTEGER or BIGINT; write the folder',
        ),
        (_counts(judgments=99), 'rests on 99 judgments, but judgment set "j" has 314'),
        (
            _rows("hits", _FIRST.format("7.5::double as grade")),
            _UNFIT + "𝄞5): its grade is 7.5, but 1.5",
        ),
        (
            _rows("hits", _FIRST.format("null::double as grade")),
            _UNFIT + "𝄞5): its grade is null, but 1.5 here",
        ),
        (
            _rows("hits", _FIRST.format("'é' as doc_id")),
            _UNFIT + "é): it is not judged here",
        ),
        (
            _rows("hits", _FIRST.format("1000 as tie_last")),
            ": its position is not possible",
        ),
        (
            _rows("hits", _FIRST.format("null::integer as position")),
            ": its position is not possible",
        ),
        (
            _rows("hits", _FIRST.format("0 as tie_first")),
            ": its position is not possible",
        ),
        (
            _rows("hits", "from old union all from old"),
            "the document is there twice",
        ),
        (
            _rows("hits", _OLD.format("12 as position, 1 as tie_first")),
            "its position is there twice",
        ),
        (
            _rows("run_queries", "from old where query_id <> '16'"),
            "the first is (b, 16, 日1): the run did not answer the query",
        ),
        (
            _rows("run_queries", "from old union all from old"),
            "the first is (b, '12, -): the query is there twice, or without documents",
        ),
        (_nothing, "values: no rankings were evaluated"),
        (
            _rows("query_values", _OLD.format("value + 1e-8 as value")),
            "132 values of 132 differ: AP of run",
        ),
        (
            _rows("query_values", "from old where query_id <> '16'"),
            'query "16", is missing there, but',
        ),
        (
            _rows("query_values", _OLD.format("null::double as value")),
            "is null there, but 0.2851851851851852 here; evaluate again with this",
        ),
        (
            _rows("hits", "from old where position > 1"),
            "differ: AP of run",
        ),
    ],
)
def test_bad_folders_are_refused(
    ndcg: Command, files: Path, damage: Callable[[Path], None], message: str
) -> None:
    damage(VALUES)
    before = digest(files)
    result = ndcg("load", "values", VALUES)
    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert result.err.count("\n") == 1
    assert digest(files) == before


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (("nowhere",), "nowhere: no such folder; name the folder that ndcg-sql spark"),
        (("s3://a/b",), "only local folders are read; download it first"),
        ((VALUES, "--name", "one"), '--name: names one run, but values has 2: "b", "Ä'),
        ((VALUES, "--dataset", "shop"), 'no dataset "shop"'),
        ((VALUES, "--judgments", "k"), 'no judgment set "k"'),
        ((VALUES, "--tag", "a"), "--tag"),
    ],
)
def test_bad_options_are_refused(
    ndcg: Command, files: Path, asked: tuple[str, ...], message: str
) -> None:
    before = digest(files)
    result = ndcg("load", "values", *asked)
    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert digest(files) == before


@pytest.mark.usefixtures("here")
def test_a_warehouse_is_not_made_for_values(ndcg: Command) -> None:
    result = ndcg("load", "values", "values")
    assert (result.code, result.out) == (2, "")
    assert "no such warehouse" in result.err
    assert not FILE.exists()


def test_a_dataset_without_judgments_is_told(ndcg: Command, files: Path) -> None:
    Path("a.run").write_text("q1 Q0 a 1 1 t\n")
    assert ndcg("load", "run", "a.run", "--dataset", "shop").code == 0
    before = digest(files)
    result = ndcg("load", "values", VALUES, "--dataset", "shop")
    assert (result.code, result.out) == (2, "")
    assert result.err == (
        'no judgments in dataset "shop"; load those that the values rest on first:'
        " ndcg-sql load judgments FILE\n"
    )
    assert digest(files) == before
