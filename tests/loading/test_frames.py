"""Frames of Python: what is loaded from them, and what is refused."""

import math
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from support.files import digest, tables

# To make a warehouse takes longer than to fill it.
pytestmark = pytest.mark.usefixtures("empty")

# They come without complete types.
np: Any = import_module("numpy")
pa: Any = import_module("pyarrow")
pd: Any = import_module("pandas")
pl: Any = import_module("polars")

JUDGED: dict[str, Any] = {
    "query_id": ["q1", "q1", "q2", "q2"],
    "doc_id": ["a", "b", "a", "é 1"],
    "grade": [2.0, 0.0, 0.5, -1.0],
}
RANKED: dict[str, Any] = {
    "user_id": [1, 1, 2],
    "item_id": ["b", "a", "é 1"],
    "score": [0.25, 0.1, float("inf")],
}


def as_pandas(columns: dict[str, Any]) -> Any:
    return pd.DataFrame(columns)


def as_arrow(columns: dict[str, Any]) -> Any:
    return pa.table(columns)


def as_batches(columns: dict[str, Any]) -> Any:
    table = pa.table(columns)
    return pa.RecordBatchReader.from_batches(table.schema, table.to_batches(2))


def as_polars(columns: dict[str, Any]) -> Any:
    return pl.DataFrame(columns)


def as_categories(columns: dict[str, Any]) -> Any:
    frame = pd.DataFrame(columns)
    names = [name for name in columns if name.endswith("id")]
    return frame.astype(dict.fromkeys(names, str)).astype(
        dict.fromkeys(names, "category")
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "make",
    [
        *(as_pandas, as_batches),
        pytest.param(as_polars, marks=pytest.mark.slow),
        pytest.param(as_arrow, marks=pytest.mark.slow),
        pytest.param(as_categories, marks=pytest.mark.slow),
    ],
)
def test_frames_are_loaded_as_they_are(tmp_path: Path, make: Any) -> None:
    path = tmp_path / "ndcg.duckdb"
    judged = {**JUDGED, "query_id": ["1", "1", "2", "2"]}
    with Warehouse.write(path) as warehouse:
        told = warehouse.load_judgments(make(judged), "people")
        assert str(told) == 'loaded judgment set "people": 2 queries, 4 judgments'
        told = warehouse.load_run(make(RANKED), "first", tags={"model": "bm25"})
        assert str(told) == (
            'loaded run "first": 2 queries, 3 documents; evaluated with "people"'
        )
        values: Any = warehouse.connection.execute(
            "select query_id, value from query_values where measure = 'RR' order by 1"
        ).df()
    assert values.to_dict("list") == {"query_id": ["1", "2"], "value": [0.5, 0]}
    stored = tables(path)
    assert [row[1:4] for row in stored["judgments"]] == [
        ("1", "a", 2.0),
        ("1", "b", 0.0),
        ("2", "a", 0.5),
        ("2", "é 1", -1.0),
    ]
    assert [row[1:] for row in stored["rankings"]] == [
        ("1", "a", 2, 0.1),
        ("1", "b", 1, 0.25),
        ("2", "é 1", 1, float("inf")),
    ]
    assert stored["run_tags"] == [(1, "model", "bm25")]
    assert not list(tmp_path.glob("ndcg-sql-*"))


def test_columns_may_have_other_names(tmp_path: Path) -> None:
    frame = pd.DataFrame({"Suche": ["q"], "Ware": ["a"], "Punkte": ["1.5"]})
    columns = {"query_id": "Suche", "doc_id": "Ware", "score": "Punkte"}
    with Warehouse.write(tmp_path / "ndcg.duckdb") as warehouse:
        warehouse.load_run(frame, "base", dataset="shop", columns=columns)
        assert warehouse.database.execute("select dataset, name, source from runs") == [
            ("shop", "base", "frame")
        ]


@pytest.mark.slow
@pytest.mark.parametrize("text", ["object", "str", "string[pyarrow]"])
def test_the_kind_of_a_frame_is_no_part_of_its_content(
    tmp_path: Path, text: str
) -> None:
    ranked = {**RANKED, "user_id": ["1", "1", "2"]}
    ids = dict.fromkeys(("user_id", "item_id"), text)
    # The labels of the rows are not loaded.
    frame = pd.DataFrame(ranked, index=[7, 7, 9]).astype(ids)
    with Warehouse.write(tmp_path / "ndcg.duckdb") as warehouse:
        warehouse.load_run(frame, "base")
        for other in (as_arrow(ranked), as_polars(ranked), as_batches(ranked)):
            again = str(warehouse.load_run(other, "base"))
            assert "already exists with this content" in again


def test_queries_come_from_frames_too(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {"query_id": ["q1", "q2"], "weight": [2.0, 0.5], "country": ["de", None]}
    )
    with Warehouse.write(tmp_path / "ndcg.duckdb") as warehouse:
        told = str(warehouse.load_queries(frame))
        assert 'loaded 2 queries of dataset "default"' in told
        assert warehouse.database.execute("select query_id, weight from queries") == [
            ("q1", 2),
            ("q2", 0.5),
        ]
        assert warehouse.database.execute(
            "select query_id, attribute_value from query_attributes"
        ) == [("q1", "de")]


@pytest.mark.slow
def test_a_path_is_read_as_a_file(tmp_path: Path) -> None:
    run = tmp_path / "base.run"
    run.write_text("q Q0 a 1 1 t\n")
    with Warehouse.write(tmp_path / "ndcg.duckdb") as warehouse:
        told = str(warehouse.load_run(run, "base"))
        assert told.startswith('loaded run "base": 1 query')
        assert warehouse.load_run(str(run), "again").name == "again"
        assert warehouse.database.execute(
            "select name, source from runs order by 1"
        ) == [
            ("again", "base.run"),
            ("base", "base.run"),
        ]


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no id": (
        {**RANKED, "item_id": ["a", None, "b"]},
        r'frame:2: .*document id is empty|frame:2: .*""',
    ),
    "a nan": ({**RANKED, "score": [1.0, float("nan"), 2.0]}, "frame:2: "),
    "a duplicate": ({**RANKED, "item_id": ["a", "a", "b"]}, "frame:2: .*twice|frame:"),
    "ids that are no text": (
        {**RANKED, "user_id": [1.5, 1.5, 2.0]},
        'frame: column "user_id" is DOUBLE; ids are text or integers',
    ),
    "no score": (
        {"query_id": ["q"], "doc_id": ["a"]},
        "frame: no column for the score",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "reason"), REFUSED.values(), ids=REFUSED)
def test_bad_frames_are_refused(
    tmp_path: Path, columns: dict[str, Any], reason: str
) -> None:
    path = tmp_path / "ndcg.duckdb"
    with Warehouse.write(path) as warehouse:
        warehouse.load_judgments(as_pandas(JUDGED), "people")
        with pytest.raises(NdcgSqlError, match=reason) as error:
            warehouse.load_run(as_pandas(columns), "base")
        assert str(tmp_path) not in str(error.value)
        assert warehouse.database.execute("select count(*) from runs") == [(0,)]


@pytest.mark.parametrize("frame", [{"query_id": [1], "doc_id": [1]}, None, 7])
def test_what_is_no_frame_is_refused(tmp_path: Path, frame: Any) -> None:
    with (
        Warehouse.write(tmp_path / "ndcg.duckdb") as warehouse,
        pytest.raises(NdcgSqlError, match="is neither a pandas or polars frame nor"),
    ):
        warehouse.load_run(frame, "base")


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    names = ["query_id", "doc_id", "score", "score"]
    twice = pd.DataFrame([["q", "a", 1, 2]], columns=names)
    arrow = pa.table([["q"], ["a"], [1], [2]], names=names)
    with Warehouse.write(tmp_path / "ndcg.duckdb") as warehouse:
        for frame in (twice, arrow):
            with pytest.raises(NdcgSqlError, match='columns are named "score"'):
                warehouse.load_run(frame, "base")


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"run_at": "yesterday"}, 'run_at="yesterday": not a time like 2026-01-31'),
        ({"tags": {"k": math.inf}}, 'tags={"k": inf}: inf is not text; write "inf"'),
        ({"tags": {"k": True}}, 'tags={"k": True}: True is not text'),
        ({"tags": ["a"]}, r'tags=\["a"\]: not a mapping'),
        ({"tags": "ab"}, 'tags="ab": not a mapping'),
        ({"columns": {None: "score"}}, 'columns={None: "score"}: None is not text'),
        ({"columns": ["ab"]}, r'columns=\["ab"\]: not a mapping'),
        ({"position_rule": "best"}, 'position_rule="best": not one of score, score32'),
        ({"name": 5.0}, 'name=5.0: not text; write name="5.0"'),
        (
            {"name": {"q": ["a"]}},
            "name: dict is not text; what is loaded comes first, then its name",
        ),
        ({"dataset": ["web"]}, 'dataset=."web".: not text'),
        ({"name": " x"}, 'run " x": a name cannot begin or end with a blank'),
    ],
)
def test_bad_options_are_refused(
    own: Warehouse, options: dict[str, Any], reason: str
) -> None:
    chosen: Any = {"name": "base", **options}
    with pytest.raises(NdcgSqlError, match=reason):
        own.load_run(as_pandas(RANKED), **chosen)


@pytest.mark.parametrize(
    "grade",
    [math.nan, np.float64("-inf"), 10**400, Fraction(10**400), "two", None, 2j],
    ids=repr,
)
def test_labels_need_finite_grades(own: Warehouse, grade: Any) -> None:
    frame = as_pandas({**JUDGED, "grade": ["Exact"] * 4})
    with pytest.raises(NdcgSqlError, match='label "Exact": the grade is not a finite'):
        own.load_judgments(frame, "people", labels={"Exact": grade})
    words: Any = {b"Exact": 2}
    with pytest.raises(NdcgSqlError, match="label b'Exact': not text"):
        own.load_judgments(frame, "people", labels=words)


@pytest.mark.parametrize("wait", [-1, math.nan, np.float64("-inf")])
def test_no_one_waits_less_than_not_at_all(loaded: Path, wait: float) -> None:
    for opened in (Warehouse.read, Warehouse.write):
        with pytest.raises(NdcgSqlError, match="not 0 or more seconds"):
            opened(loaded, wait)


def test_a_warehouse_that_was_opened_for_reading_takes_nothing(loaded: Path) -> None:
    before = digest(loaded)
    frames = {"judgments": as_pandas(JUDGED), "run": as_pandas(RANKED)}
    frames |= {"queries": pd.DataFrame({"query_id": ["q"]})}
    with Warehouse.read(loaded) as warehouse:
        for kind, frame in frames.items():
            for given in (frame, Path("absent")):
                with pytest.raises(NdcgSqlError) as error:
                    getattr(warehouse, f"load_{kind}")(given)
                assert str(error.value) == (
                    f"{loaded}: opened read-only; open it with Warehouse.write"
                )
    assert digest(loaded) == before
