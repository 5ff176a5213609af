"""What Python loads, and refuses in words of its own; warehouses open and closed."""

import pickle
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, create_engine, text

import ndcg_sql
from ndcg_sql import NdcgSqlError, Warehouse, database_rows
from ndcg_sql.cli.spelling import CommandLine
from ndcg_sql.errors import LockedError
from ndcg_sql.system.limits import Limits
from ndcg_sql.wording import PYTHON, Text, call, named, use
from support import exploring
from support.files import digest, tables
from support.libraries import library
from support.locks import held
from support.processes import ran
from support.scripts import scripted
from support.servers import PASSWORD, Server

test_script = scripted(__file__)

# They come without complete types.
pa: Any = import_module("pyarrow")
pd: Any = import_module("pandas")
pl: Any = import_module("polars")

JUDGED: dict[str, Any] = {
    "query_id": ["1", "1", "2", "2"],
    "doc_id": ["a", "b", "a", "é 1"],
    "grade": [2.0, 0.0, 0.5, -1.0],
}
RANKED: dict[str, Any] = {
    "user_id": [1, 1, 2],
    "item_id": ["b", "a", "é 1"],
    "score": [0.25, 0.1, float("inf")],
}


def as_batches(columns: dict[str, Any]) -> Any:
    table = pa.table(columns)
    return pa.RecordBatchReader.from_batches(table.schema, table.to_batches(2))


def as_kind(columns: dict[str, Any], kind: str) -> Any:
    """Return a frame whose ids are of a kind; the labels of its rows mean nothing."""
    ids = [name for name in columns if name.endswith("id")]
    frame = pd.DataFrame(columns, index=[7] * len(columns[ids[0]]))
    return frame.astype(dict.fromkeys(ids, str)).astype(dict.fromkeys(ids, kind))


MADE: dict[str, Callable[[dict[str, Any]], Any]] = {
    **{"pandas": pd.DataFrame, "batches": as_batches},
    **{"polars": pl.DataFrame, "arrow": pa.table},
    **{
        kind: lambda columns, kind=kind: as_kind(columns, kind)
        for kind in ("object", "str", "category", "string[pyarrow]")
    },
}


@pytest.mark.slow
def test_frames_of_every_kind_are_the_same_content(tmp_path: Path) -> None:
    path = tmp_path / "ndcg.duckdb"
    with Warehouse.write(path) as warehouse:
        for kind, make in MADE.items():
            told = warehouse.load_judgments(make(JUDGED), "people")
            loaded = warehouse.load_run(make(RANKED), "first", tags={"model": "bm25"})
            outcomes = [item.outcome for item in (*told.items, *loaded.items)]
            expected = "loaded" if kind == "pandas" else "unchanged"
            assert outcomes == [expected] * 2, kind
        values: Any = warehouse.connection.execute(
            "select query_id, value from query_values where measure = 'RR' order by 1"
        ).df()
    assert values.to_dict("list") == {"query_id": ["1", "2"], "value": [0.5, 0]}
    stored = tables(path)
    assert [row[1:4] for row in stored["judgments"]] == [
        *(("1", "a", 2.0), ("1", "b", 0.0), ("2", "a", 0.5), ("2", "é 1", -1.0)),
    ]
    assert [row[1:] for row in stored["rankings"]] == [
        *(("1", "a", 2, 0.1), ("1", "b", 1, 0.25), ("2", "é 1", 1, float("inf"))),
    ]
    assert stored["run_tags"] == [(1, "model", "bm25")]
    assert not list(tmp_path.glob("ndcg-sql-*"))


INDEXED: dict[str, Callable[[Any], Any]] = {
    "reversed": lambda rows: rows[::-1],
    "sorted": lambda rows: rows.sort_values("score", ascending=False),
    "selected": lambda rows: rows[rows.score > 0],
    "by query": lambda rows: rows.set_index("query_id"),
    "by query and document": lambda rows: rows.set_index(["query_id", "doc_id"]),
    "by one of two": lambda rows: rows.set_index(["query_id", rows.index]),
    "labelled": lambda rows: rows.set_axis(["x", "x", "y"]),
    "in groups": lambda rows: pd.concat({"group": rows}),
    "a copy as index": lambda rows: rows.set_index("query_id", drop=False),
}


@pytest.mark.parametrize(
    "kind", exploring.mostly_slow(["", "object", "str", "category"], "", "str")
)
def test_rows_are_read_whatever_their_index_is(
    own: Warehouse, dataset: str, kind: str
) -> None:
    columns = {"query_id": [1, 1, 2], "doc_id": [7, 8, 9], "score": [0.5, 1, 2]}
    rows = as_kind(columns, kind) if kind else pd.DataFrame(columns)
    rows = rows.reset_index(drop=True)
    for case, index in INDEXED.items():
        loaded = own.load_run(index(rows), "r", dataset=dataset)
        expected = "loaded" if case == "reversed" else "unchanged"
        assert [item.outcome for item in loaded.items] == [expected], case
    sql = (
        "select query_id, doc_id, score from rankings inner join runs using (run_id)"
        " where dataset = $dataset order by all"
    )
    found = own.database.execute(sql, {"dataset": dataset})
    assert found == [("1", "7", 0.5), ("1", "8", 1), ("2", "9", 2)]


@pytest.mark.parametrize(
    ("told", "said", "meant"),
    [
        (
            'query "--name NAME": ' + use(name="NAME"),
            'query "--name NAME": --name NAME',
            'query "--name NAME": name="NAME"',
        ),
        (call("describe", "-dash"), "ndcg-sql describe -- -dash", 'describe("-dash")'),
        (use(p=1.0000001), "--p 1.0000001", "p=1.0000001"),
        (use(p=2.0), "--p 2", "p=2.0"),
        ("one with " + named("dataset"), "one with --dataset", "one with dataset"),
    ],
)
def test_fields_are_options_or_arguments_outside_of_quotes(
    told: Text, said: str, meant: str
) -> None:
    assert told.spelled(CommandLine()) == said
    assert told.spelled(PYTHON) == meant


@pytest.mark.slow
def test_a_lock_names_the_arguments(loaded: Path) -> None:
    with held(loaded, "write", 60), pytest.raises(LockedError) as error:
        Warehouse.read(loaded, wait=0)
    message = str(error.value)
    assert "or wait longer: wait=SECONDS; publish(FILE) writes" in message


@pytest.mark.slow
def test_the_warehouse_itself_is_no_input_and_stays_locked(empty: Path) -> None:
    with Warehouse.write(empty) as own:
        with pytest.raises(NdcgSqlError, match="the warehouse itself; name another"):
            own.load_run(empty)
        with pytest.raises(NdcgSqlError, match="already open in this process"):
            Warehouse.read(empty)
        command = [sys.executable, "-m", "ndcg_sql", "--timeout", "0", "evaluate"]
        other = ran(command, empty.parent)
        assert "in use by" in other.stderr


def test_a_warehouse_is_opened_and_closed_as_told(loaded: Path) -> None:
    absent = loaded.with_name("absent.duckdb")
    with pytest.raises(NdcgSqlError) as error:
        Warehouse.read(absent)
    assert str(error.value).endswith(
        "absent.duckdb: no such warehouse; load_judgments(FILE) creates one"
    )
    with pytest.raises(NdcgSqlError, match=r"Warehouse\.read"):
        _ = Warehouse(absent).connection
    assert not absent.exists()
    for wait in (-1, float("nan"), float("-inf")):
        for opened in (Warehouse.read, Warehouse.write):
            with pytest.raises(NdcgSqlError, match="not 0 or more seconds"):
                opened(loaded, wait)
    before = digest(loaded)
    loads: dict[str, Any] = {
        **{"judgments": JUDGED, "run": RANKED},
        **{"queries": {"query_id": ["q"]}, "documents": {"doc_id": ["d"]}},
    }
    with Warehouse.read(loaded) as warehouse:
        for kind, columns in loads.items():
            for given in (pd.DataFrame(columns), Path(__file__)):
                with pytest.raises(NdcgSqlError) as error:
                    getattr(warehouse, f"load_{kind}")(given)
                assert str(error.value) == (
                    f"{loaded}: opened read-only; open it with Warehouse.write"
                )
        warehouse.close()
        asked: list[Callable[[], object]] = [
            *(warehouse.report, lambda: warehouse.connection),
            *(
                lambda kind=kind: getattr(warehouse, f"load_{kind}")({})
                for kind in loads
            ),
        ]
        for ask in asked:
            with pytest.raises(NdcgSqlError, match=r"^the warehouse is closed; open"):
                ask()
    assert digest(loaded) == before


def test_an_error_of_duckdb_is_one_of_ours(empty: Path) -> None:
    with Warehouse.write(empty) as own:
        own.connection.execute("create table main.taken as select 1 as x")
        own.database.execute("drop table rankings")
        with pytest.raises(NdcgSqlError, match="please report it"):
            own.load_run(pd.DataFrame(RANKED))


def test_what_is_printed_is_the_sentence_of_the_command(own: Warehouse) -> None:
    loaded = own.load_run({"q1": {"a": 2.0, "c": 1.0}}, "printed", dataset="printed")
    told = 'loaded run "printed": 1 query, 2 documents; no judgments yet'
    assert str(loaded) == repr(loaded) == told
    assert pickle.loads(pickle.dumps(loaded)) == loaded
    with pytest.raises(AttributeError):
        loaded.dataset = "other"  # pyright: ignore[reportAttributeAccessIssue]


def test_warehouse_is_listed_without_loading_duckdb() -> None:
    assert {"NdcgSqlError", "Warehouse", "__version__"} <= set(dir(ndcg_sql))
    assert "database_rows" in dir(ndcg_sql)
    code = "import ndcg_sql, sys; dir(ndcg_sql); sys.exit('duckdb' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


@pytest.mark.slow
def test_a_little_run_leaves_the_number_of_threads_as_it_was() -> None:
    threads = "select current_setting('threads')"
    with Warehouse.memory(limits=Limits(threads=3)) as warehouse:
        warehouse.load_run({"q1": {"a": 1.0}})
        # One is refused by the name, the other by its rows.
        for other in ({"q1": {"a": 2.0}}, {"q1": {"a": float("nan")}}):
            with pytest.raises(NdcgSqlError):
                warehouse.load_run(other)
        assert warehouse.connection.execute(threads).fetchall() == [(3,)]


ALS = "select user_id, item_id, score from ranked where model = 'als'"
RANKINGS = [("1", "a", 0.1), ("1", "b", 0.30000000000000004)]


def results(connection: Connection) -> Iterator[tuple[str, Any]]:
    """Yield results of a select, as SQLAlchemy and a driver return them."""
    driver: Any = connection.connection.driver_connection

    def as_dict(cursor: sqlite3.Cursor, row: tuple[Any, ...]) -> dict[str, Any]:
        names = [column[0] for column in cursor.description]
        return dict(reversed(list(zip(names, row, strict=True))))

    yield "result", connection.execute(text(ALS))
    yield "mappings", connection.execute(text(ALS)).mappings()
    yield "cursor", driver.cursor().execute(ALS)
    for name, factory in (("rows", sqlite3.Row), ("dicts", as_dict)):
        driver.row_factory = factory
        yield name, driver.execute(ALS)


def rankings(warehouse: Warehouse, run: str) -> list[tuple[Any, ...]]:
    sql = "select query_id, doc_id, score from rankings where run = $run order by all"
    return warehouse.connection.execute(sql, {"run": run}).fetchall()


def test_results_are_loaded_as_frames_are(here: Path) -> None:
    with sqlite3.connect(here / "shop.db") as shop:
        shop.executescript(TABLE)
    with (
        Warehouse.memory() as own,
        create_engine("sqlite:///shop.db").connect() as connection,
    ):
        for name, result in results(connection):
            assert str(own.load_run(result, name)) == (
                f'loaded run "{name}": 1 query, 2 documents; no judgments yet'
            )
            assert rankings(own, name) == RANKINGS
        sources = own.connection.execute("select distinct source from runs")
        assert sources.fetchall() == [("result",)]
        # The connection is still the caller's.
        assert connection.execute(text("select 1")).fetchall()


TABLE = """
    create table ranked (model text, user_id integer, item_id text, score float);
    insert into ranked values
        ('als', 1, 'a', 0.1), ('als', 1, 'b', 0.30000000000000004),
        ('popular', 1, 'b', 7), ('popular', 2, 'a', 3);
"""


@pytest.mark.slow
@pytest.mark.parametrize("driver", ["", "+psycopg"])
def test_postgresql_is_read_by_url_by_results_and_by_cursors(
    postgresql: Server, driver: str
) -> None:
    psycopg = library("psycopg")
    postgresql.execute("drop table if exists ranked", *TABLE.split(";")[:-1])
    url = postgresql.url.replace("+psycopg", driver)
    engine = create_engine(postgresql.url)
    with Warehouse.memory() as own, engine.connect() as connection:
        plain = engine.url.set(drivername=f"postgresql{driver}")
        for name, result in (
            ("text", database_rows(url, ALS)),
            ("url", database_rows(plain, ALS)),
            ("streamed", connection.execution_options(yield_per=1).execute(text(ALS))),
        ):
            own.load_run(result, name)
            assert rankings(own, name) == RANKINGS
        pairs = engine.url.translate_connect_args(username="user", database="dbname")
        with psycopg.connect(**pairs) as direct, direct.cursor("one") as cursor:
            own.load_run(cursor.execute(ALS), "cursor")
        assert rankings(own, "cursor") == RANKINGS
        with pytest.raises(NdcgSqlError) as refused:
            own.load_run(database_rows(url, "select * from nosuch"))
        assert str(refused.value).endswith('relation "nosuch" does not exist')
        assert PASSWORD not in str(refused.value)
        written = str(own.connection.execute("select source from runs").fetchall())
        assert PASSWORD not in written
    engine.dispose()
