"""Values that Spark computed, loaded as runs whose rankings are elsewhere."""

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ndcg_sql.database import views
from ndcg_sql.python.warehouse import Warehouse
from support import exploring
from support.commands import Command, Once, load_texts, records
from support.evaluated import (
    change_manifest,
    fill_judgments,
    fill_warehouse,
    rewrite,
    write_values,
)
from support.expected import ALL, check_equal
from support.files import change, digest, shown, stored
from support.libraries import library

pytestmark = pytest.mark.mostly_slow

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
    with Warehouse(FILE) as warehouse:
        warehouse.load_values(VALUES)


@pytest.fixture
def valued(files: Path, once: Once) -> Path:
    """Put the files into place, with the values loaded."""
    once(_load)
    return files


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
        'loaded run "b": 11 queries, 242 documents; evaluated by Spark 4.3.0 (ndcg-sql'
        ' 9.9.9) with "j"; its rankings are not in the warehouse\n'
        'loaded run "Ä-1": 22 queries, 464 documents; evaluated by Spark 4.3.0'
        ' (ndcg-sql 9.9.9) with "j"; its rankings are not in the warehouse\n'
        "all 132 values agree with the warehouse's to 1e-9\n"
        'not registered, so not kept: the values of "P@5"; to keep them: ndcg-sql'
        " measures add P@5\n"
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
        pytest.param(("compare", "b", "Ä-1", "--per-query"), marks=pytest.mark.slow),
        pytest.param(("gate", "b", "Ä-1"), marks=pytest.mark.slow),
        pytest.param(("leaderboard",), marks=pytest.mark.slow),
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


@pytest.mark.quick
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
    assert "table hits differs from view" in result.refusal


def test_values_outlive_new_views(ndcg: Command, valued: Path) -> None:
    before = stored("from stored_values order by all", valued)
    change(
        valued, "update store.sql_files set checksum = 'old' where path = 'sql/views'"
    )
    assert "recomputed the values of 2 evaluations" in ndcg("evaluate").err
    assert stored("from stored_values order by all", valued) == before
    assert ndcg("check", "--quiet").code == 0


@pytest.mark.usefixtures("valued")
def test_measures_of_rankings_have_no_value(ndcg: Command) -> None:
    known = "query_id,doc_id\n16,x\n"
    load_texts(ndcg, {"known known.csv": known})
    omitting = "nDCG(known='omit')@5"
    assert ndcg("measures", "add", "Novelty@5", omitting).code == 0
    found = {row["measure"] for row in records(ndcg, "report")}
    assert {"nDCG@10", "AP"} <= found
    assert not found & {"Novelty@5", omitting}
    for measure in ("Novelty@5", omitting):
        assert "which " + measure + " needs" in ndcg("report", "-m", measure).refusal


@pytest.mark.quick
@pytest.mark.parametrize(
    "asked",
    [
        ("holes",),
        ("holes", "--run", "b"),
        ("explain", "b", "16"),
        ("explain", "Ä-1", "16", "--against", "b"),
        ("pool",),
        ("overlap", "b", "Ä-1"),
        ("export", "run", "b"),
        ("fuse", "b", "Ä-1", "--name", "x"),
        ("load clicks", "c.csv", "--impressions-from", "b"),
    ],
    ids=lambda asked: " ".join(asked),
)
@pytest.mark.usefixtures("valued")
def test_commands_that_need_rankings_say_so(
    ndcg: Command, asked: tuple[str, ...]
) -> None:
    Path("c.csv").touch()
    assert ndcg(*asked[0].split(), *asked[1:]).refusal == (
        f'run "b" was evaluated by Spark 4.3.0; its rankings, which {asked[0]}'
        " needs, are not in the warehouse; to load them in its place: ndcg-sql load"
        " run FILE --name b --dataset default --replace\n"
    )


@pytest.mark.quick
@pytest.mark.usefixtures("valued")
def test_what_is_known_is_described(ndcg: Command) -> None:
    found = ndcg("describe", "b").out
    assert "most documents     120" in found
    assert "tied" not in found
    assert "judged share" not in found


@pytest.mark.usefixtures("valued")
def test_a_page_shows_no_ranking(ndcg: Command) -> None:
    assert ndcg("report", "--html", "page.html").code == 0
    text = Path("page.html").read_text(encoding="utf-8")
    assert '"steps":{}' in text.replace(" ", "")
    assert '"away":["b","Ä-1"]' in text.replace(" ", "")
    assert "No ranking is included, because those of these runs are not in" in text


# These show rankings, which are elsewhere.
EMPTY = {"ndcg_steps", "rankings", "run_documents", "unjudged_documents"}
# These say where a row comes from.
SOURCES = {
    *("source", "content_hash"),
    *("engine", "dialect", "ndcg_sql_version"),
}


def test_relations_have_the_rows_that_rankings_give(valued: Path) -> None:
    with duckdb.connect(str(valued), read_only=True) as connection:
        connection.execute(f"attach '{OURS}' as ours (read_only)")
        for relation in views.public():
            known = connection.execute(f"describe {relation}").fetchall()
            columns = ", ".join(
                name
                for name, kind, *_ in known
                if name not in SOURCES and kind != "TIMESTAMP"
            )
            mine, ours = (
                f"select {columns} from {catalog}{relation}"
                for catalog in ("", "ours.")
            )
            if relation in EMPTY:
                assert not connection.execute(mine).fetchall(), relation
                assert connection.execute(ours).fetchall(), relation
                continue
            for one, other in ((ours, mine), (mine, ours)):
                differing = connection.execute(f"{one} except all {other}").fetchall()
                assert not differing, (relation, differing[:3])


def test_runs_are_omitted_with_newer_judgments(ndcg: Command, valued: Path) -> None:
    Path("new.txt").write_text("q1 0 a 1\n")
    Path("new.run").write_text("q1 Q0 a 1 1 t\n")
    loaded = ndcg("load", "judgments", "new.txt")
    assert loaded.err.startswith(
        'loaded judgment set "new": 1 query, 1 judgment; another engine has the'
        ' rankings of "b", "Ä-1"\n'
    )
    only = 'run "b" was evaluated by Spark 4.3.0 with judgment set "j" only'
    assert ndcg("report").refusal == f"{only}; name that: --judgments j\n"
    assert ndcg("load", "run", "new.run").code == 0
    result = ndcg("report", "--format", "json")
    assert result.err.startswith(f"{only}; it is omitted\n")
    assert '"run":"b"' not in result.out
    assert ndcg("compare", "new", "b").refusal == f"{only}; name that: --judgments j\n"
    result = ndcg("changes", "j", "new")
    assert result.code == 0
    omitted = (
        'run "b" was evaluated by Spark 4.3.0, and its rankings are not in the'
        " warehouse; it is omitted\n"
    )
    assert omitted in result.err
    assert ndcg("changes", "j", "new", "--run", "b").code == 2
    for asked in (("holes", "--judgments", "j"), ("pool",)):
        result = ndcg(*asked)
        assert result.code == 0
        assert omitted in result.err
    assert "judgment set       j\n" in ndcg("describe", "b").out
    assert ndcg("report", "--judgments", "j", "--run", "b").code == 0
    before = digest(valued)
    assert ndcg("remove", "judgments", "j").refusal == (
        'judgment set "j" is all that Spark 4.3.0 evaluated these runs with: "b",'
        ' "Ä-1"; remove them first\n'
    )
    assert digest(valued) == before
    assert ndcg("remove", "run", "b", "Ä-1").code == 0
    assert ndcg("remove", "judgments", "j").code == 0
    for table in ("evaluations", "hits", "run_queries"):
        assert stored(f"select count(*) from external_{table}", valued) == [(0,)]


@pytest.mark.quick
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


def test_other_values_replace_if_asked(ndcg: Command, valued: Path) -> None:
    rewrite(VALUES, "hits", "from old order by doc_id desc")
    before = digest(valued)
    assert "with this content; nothing to do" in ndcg("load", "values", VALUES).err
    rewrite(
        VALUES, "run_queries", "select * replace (retrieved + 1 as retrieved) from old"
    )
    assert ndcg("load", "values", VALUES).refusal == (
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


@pytest.mark.quick
@pytest.mark.usefixtures("files")
def test_folders_of_values_are_no_runs(ndcg: Command) -> None:
    assert ndcg("load", "run", VALUES).refusal == (
        "values: written by ndcg_sql.spark; load it with ndcg-sql load values values\n"
    )


@pytest.mark.usefixtures("files")
def test_rankings_that_are_replaced_are_told(ndcg: Command) -> None:
    told = ndcg("--warehouse", OURS, "load", "values", VALUES, "--replace").err
    assert 'with "j"; its rankings are no longer in the warehouse\n' in told


def _text(text: str) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        (folder / "manifest.json").write_text(text)

    return write


def _nothing(folder: Path) -> None:
    for relation in ("hits", "run_queries"):
        rewrite(folder, relation, "from old where run = 'c'")


def _broken(folder: Path) -> None:
    path = folder / "hits" / "part-0.parquet"
    content = bytearray(path.read_bytes())
    content[4:-500] = bytes(reversed(content[4:-500]))
    path.write_bytes(content)


def _cut(folder: Path) -> None:
    (folder / "hits" / "part-0.parquet").write_bytes(b"PAR1")


def _without(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def _rows(relation: str, select: str) -> Callable[[Path], None]:
    return lambda folder: rewrite(folder, relation, select)


def _with(relation: str, replaced: str) -> Callable[[Path], None]:
    return _rows(relation, f"select * replace ({replaced}) from old")


def _first_hit(replaced: str) -> Callable[[Path], None]:
    first = "from old order by run, query_id, position limit 1"
    return _rows("hits", f"select * replace ({replaced}) {first}")


def _counts(**counts: object) -> Callable[[Path], None]:
    return lambda folder: change_manifest(folder, **counts)


_MANIFEST = "values/manifest.json: not a manifest of this version; write the folder"
_POSITION = ": its position is not possible; write the folder again with ndcg_sql.spark"


def _flipped(folder: Path) -> None:
    """Flip a bit of a value whose page has a checksum."""
    parquet: Any = library("pyarrow.parquet")
    path = folder / "query_values" / "part-0.parquet"
    table = parquet.read_table(path)
    plain: dict[str, Any] = {"use_dictionary": False, "write_statistics": False}
    parquet.write_table(
        table, path, write_page_checksum=True, compression="none", **plain
    )
    value = max(table["value"].to_pylist())
    whole = path.read_bytes()
    place = whole.index(struct.pack("<d", value))
    path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])


BAD_FOLDERS = [
    (
        _without("manifest.json"),
        "values: no manifest.json; name the folder that",
    ),
    (_text("{}"), _MANIFEST),
    (_text("[" * 100_000), _MANIFEST),
    (_text('{"version": "\\ud800"}'), _MANIFEST),
    (_counts(engine=None), _MANIFEST),
    (_counts(engine="a\nb"), _MANIFEST),
    (_counts(hits=float("inf")), _MANIFEST),
    (_counts(hits="221"), _MANIFEST),
    (_counts(measures=[]), _MANIFEST),
    (_counts(measures=5), _MANIFEST),
    (_counts(run_column=1), _MANIFEST),
    (_counts(position_rule="score32"), _MANIFEST),
    (_counts(measures=["nDGC"]), 'measure "nDGC": unknown; did you mean'),
    (_counts(run_column=None), "the manifest names one run, but values has 2"),
    (
        _without("hits/part-0.parquet"),
        "values/hits: no Parquet files; copy the",
    ),
    (
        _cut,
        "values/hits: a Parquet file is damaged (DuckDB cannot read it); copy",
    ),
    (
        _flipped,
        'part-0.parquet: the Parquet file is damaged (column "value" of row group 0',
    ),
    (_broken, "values/hits: a Parquet file is damaged (DuckDB cannot read it)"),
    (_counts(hits=1000), "values/hits: 221 of 1000 rows are there; copy the"),
    (
        _rows("hits", "select * exclude (tie_last) from old"),
        'column "tie_last" is not there, not INTEGER or BIGINT; write the folder',
    ),
    (
        _with("hits", "position::varchar as position"),
        'column "position" is VARCHAR, not INTEGER or BIGINT; write the folder',
    ),
    # As many judgments, but of documents that no run returned.
    (
        _with(
            "judgments",
            "doc_id || if(grade = 0, 'x', '') as doc_id",
        ),
        'values: not evaluated with judgment set "j", which differs in',
    ),
    (
        _with("judgments", "grade + 1 as grade"),
        "in the set; name the set that was used: --judgments J",
    ),
    (
        _rows("judgments", "from old where query_id <> '16'"),
        "not judged in the folder, grade",
    ),
    (_first_hit("'é' as doc_id"), """document "é": it is not judged"""),
    (
        _first_hit("null::varchar as doc_id"),
        """'12": a name or id is null""",
    ),
    (_first_hit("1000 as tie_last"), _POSITION),
    (_first_hit("null::integer as position"), _POSITION),
    (_first_hit("0 as tie_first"), _POSITION),
    (
        _rows("hits", "from old union all from old"),
        "values: 442 rows cannot be used; the first is run",
    ),
    (
        _with("hits", "1 as position, 1 as tie_first"),
        "its position is there twice",
    ),
    (
        _rows("run_queries", "from old where query_id <> '16'"),
        'query "16", document "日1": the run did not answer the query',
    ),
    (
        _rows("run_queries", "from old union all from old"),
        """run "b", query "'12": the query is there twice""",
    ),
    (
        _with("run_queries", "replace(query_id, '16', '') as query_id"),
        'query "": the query id is empty, or has a NUL',
    ),
    (
        _with("run_queries", "9000000000 as retrieved"),
        "there are not 1 to 10000000 documents",
    ),
    (_nothing, "values: no rankings were evaluated"),
    (
        _with("query_values", "value + 1e-8 as value"),
        "values: 132 values differ; the first is AP of run",
    ),
    (
        _rows("query_values", "from old where query_id <> '16'"),
        'query "16": missing in the folder, ',
    ),
    (
        _rows("query_values", "from old union all from old"),
        "there twice in the folder, ",
    ),
    (_with("query_values", "'ghost' as run"), 'AP of run "b", query'),
    (
        _with("query_values", "null::double as value"),
        "null in the folder, 0.2851851851851852 here; evaluate again with this",
    ),
    (
        _rows("hits", "from old where position > 1"),
        "differ; the first is AP of run",
    ),
]


@pytest.mark.quick
@pytest.mark.parametrize(("damage", "message"), exploring.sampled(BAD_FOLDERS, 4))
def test_bad_folders_are_refused(
    ndcg: Command, files: Path, damage: Callable[[Path], None], message: str
) -> None:
    damage(VALUES)
    before = digest(files)
    result = ndcg("load", "values", VALUES)
    assert message in result.refusal
    assert "unexpected" not in result.err
    assert result.err.count("\n") == 1
    assert digest(files) == before


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(_cut, id="early"),
        pytest.param(_with("query_values", "value + 1e-8 as value"), id="late"),
    ],
)
def test_nothing_is_replaced_by_bad_folders(
    ndcg: Command, valued: Path, damage: Callable[[Path], None]
) -> None:
    damage(VALUES)
    before = digest(valued)
    assert ndcg("load", "values", VALUES, "--replace", "--tag", "a=b").code == 2
    assert digest(valued) == before


@pytest.mark.quick
@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (("nowhere",), "nowhere: no such folder; name the folder that ndcg_sql.spark"),
        (("s3://a/b",), "only local files are read; download it first"),
        (("hdfs:///a/b",), "only local files are read; download it first"),
        (("values/manifest.json",), "a file; name the folder that ndcg_sql.spark"),
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
    assert message in result.refusal
    assert digest(files) == before


@pytest.mark.quick
@pytest.mark.usefixtures("bare")
def test_a_warehouse_is_not_made_for_values(ndcg: Command) -> None:
    result = ndcg("load", "values", "values")
    assert "no such warehouse" in result.refusal
    assert not FILE.exists()
