"""Reports and one-shot evaluations: the same figures in every format and in Python."""

import csv
import io
import shutil
from importlib import import_module
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ndcg_sql import NdcgSqlError, Warehouse
from support.commands import Command, load_texts, records
from support.files import QRELS, RUN, digest
from support.libraries import library

pytestmark = pytest.mark.mostly_slow

# They come without complete types.
pa: Any = library("pyarrow")
pl: Any = library("polars")

Record = dict[str, Any]
WORSE = "q1 Q0 c 1 9 t\nq1 Q0 u 2 8 t\nq1 Q0 a 3 7 t\nq2 Q0 x 1 1 t\n"
# The fields that scripts rely on.
COUNTS = {"n", "answered", "unanswered", "no_relevant"}
MEASURES = "nDCG@10 nDCG(dcg='exp-log2')@2 AP RR P@5 R@100 Judged@10 IDCG"


@pytest.fixture(scope="module")
def two_runs_file(tmp_path_factory: pytest.TempPathFactory, loaded_file: Path) -> Path:
    """Return a warehouse with a second, worse run and an attribute, and all files."""
    folder = tmp_path_factory.mktemp("two")
    shutil.copyfile(loaded_file, folder / "ndcg.duckdb")
    known = "query_id,device\nq1,phone\nq2,desk\n"
    texts = {"qrels": QRELS, "base": RUN, "worse": WORSE, "q.csv": known}
    for name, text in texts.items():
        (folder / name).write_text(text)
    with Warehouse.write(folder / "ndcg.duckdb") as warehouse:
        warehouse.load_run(folder / "worse")
        warehouse.load_queries(folder / "q.csv")
    return folder


@pytest.fixture
def two_runs(here: Path, two_runs_file: Path) -> Path:
    """Put that warehouse into place."""
    shutil.copytree(two_runs_file, here, dirs_exist_ok=True)
    return here / "ndcg.duckdb"


def rounded(found: list[Record]) -> list[Record]:
    """Return rows with each float as the text of its full precision."""
    return [{k: repr(v) for k, v in row.items()} for row in found]


@pytest.mark.usefixtures("two_runs")
@pytest.mark.parametrize("per_query", [["-q"], []], ids=["queries", "means"])
def test_report_and_eval_agree_to_the_bit(ndcg: Command, per_query: list[str]) -> None:
    asked = ("-m", MEASURES, *per_query)
    kept = records(ndcg, "report", *asked)
    assert rounded(kept) == rounded(
        records(ndcg, "eval", "qrels", "base", "worse", *asked)
    )
    assert len(kept) == 2 * 8 * (2 if per_query else 1)
    # Without -m, it is the measures that a new warehouse registers.
    once = records(ndcg, "eval", "qrels", "base", *per_query)
    assert list(dict.fromkeys(row["measure"] for row in once)) == [
        *("nDCG@10", "AP", "RR", "R@100"),
    ]
    kept = records(ndcg, "report", "--run", "base", *per_query)
    assert rounded(kept) == rounded(once)


@pytest.mark.usefixtures("two_runs")
def test_eval_of_two_runs_of_one_name_has_both(ndcg: Command) -> None:
    Path("old").mkdir()
    Path("old/base").write_text(WORSE)
    assert len(records(ndcg, "eval", "qrels", "base", "old/base")) == 8


@pytest.mark.quick
@pytest.mark.usefixtures("two_runs")
def test_json_has_the_fields_that_scripts_rely_on(ndcg: Command) -> None:
    found = records(ndcg, "report", "-m", "ndcg_cut.10 map")
    keys = ("run", "judgment_set", "measure", "n", "no_relevant", "answered")
    assert [tuple(row[key] for key in (*keys, "unanswered")) for row in found] == [
        ("base", "qrels", "nDCG@10", 2, 0, 1, 1),
        ("base", "qrels", "AP", 2, 0, 1, 1),
        ("worse", "qrels", "nDCG@10", 2, 0, 2, 0),
        ("worse", "qrels", "AP", 2, 0, 2, 0),
    ]
    found = records(ndcg, "report", "-q", "-m", "RR", "--run", "base")
    assert not COUNTS & set(found[0])
    keys = ("run", "judgment_set", "measure", "query_id", "value")
    assert [tuple(row[key] for key in keys) for row in found] == [
        ("base", "qrels", "RR", "q1", 1.0),
        ("base", "qrels", "RR", "q2", 0.0),
    ]


@pytest.mark.usefixtures("two_runs")
@pytest.mark.parametrize("per_query", [[], ["-q"]], ids=["means", "queries"])
def test_every_data_format_holds_the_same_rows_in_full_precision(
    ndcg: Command, per_query: list[str]
) -> None:
    command = ["report", *per_query]
    expected = records(ndcg, *command)
    for form, delimiter in (("csv", ","), ("tsv", "\t")):
        text = io.StringIO(ndcg(*command, "--format", form).out, newline="")
        rows = list(csv.DictReader(text, delimiter=delimiter))
        assert [list(row) for row in rows] == [list(row) for row in expected]
        assert [float(row["value"]) for row in rows] == [r["value"] for r in expected]
    assert ndcg(*command, "--format", "parquet", "-o", "out.parquet").out == ""
    with duckdb.connect() as connection:
        result = connection.execute("from 'out.parquet'")
        names = [column[0] for column in result.description or []]
        stored = [dict(zip(names, row, strict=True)) for row in result.fetchall()]
    assert rounded(stored) == rounded(expected)


@pytest.mark.usefixtures("two_runs")
def test_a_table_shows_what_the_values_rest_on(ndcg: Command) -> None:
    result = ndcg("report", "-m", "nDCG@10 P@5")
    title, head, line, base, worse = result.out.splitlines()
    assert title == "dataset default, judgment set qrels"
    assert " ".join(head.split()) == (
        "run nDCG@10 P@5 queries unanswered nothing relevant judged@5 judged@10"
    ) or head.split()[:3] == ["run", "nDCG@10", "P@5"]
    assert set(line) == {"─"}
    assert base.split()[:6:3] == ["base", "2"]
    assert base.split()[3:6] == ["2", "1", "0"]
    assert (worse.split()[0], result.err) == ("worse", "")
    # Counts are whole numbers.
    asked = ("-m", "NumQ NumRet RR", "--run", "base")
    *_, line = ndcg("report", *asked).out.splitlines()
    assert line.split()[:4] == ["base", "2", "3", "0.5000"]
    *_, line = ndcg("report", *asked, "-q").out.splitlines()
    assert line.split() == ["base", "q2", "1", "0", "0.0000"]


@pytest.mark.quick
@pytest.mark.usefixtures("two_runs")
def test_markdown_marks_the_best_value_and_a_tie_of_some_runs(ndcg: Command) -> None:
    asked = ("report", "-m", "nDCG@10 RR", "--format", "markdown")
    lines = ndcg(*asked).out.splitlines()
    assert lines[:2] == ["dataset default, judgment set qrels", ""]
    assert lines[2].startswith("| run ")
    assert {"|", "-"} <= set(lines[3]) <= {"|", "-", ":"}
    assert len({line.count("|") for line in lines[2:]}) == 1
    [best] = [line for line in lines if "**" in line]
    assert best.startswith("| base")
    assert best.count("**") == 4
    # Equal runs are marked where they are above another, none of one or of equals.
    assert "*" not in ndcg(*asked, "--run", "base").out
    assert ndcg("load", "run", "base", "--name", "twin").code == 0
    assert "*" not in ndcg(*asked, "--run", "base", "--run", "twin").out
    assert ndcg(*asked).out.count("**") == 8


@pytest.mark.usefixtures("two_runs")
def test_a_mean_over_no_query_is_said_to_be_one(ndcg: Command) -> None:
    Path("alien").write_text("x Q0 a 1 1 t\n")
    asked = ("eval", "qrels", "alien", "-m", "nDCG(missing='omit')@10")
    [row] = records(ndcg, *asked)
    assert (row["value"], row["n"], row["standard_error"]) == (None, 0, None)
    table = ndcg(*asked)
    assert "no query left" in table.out + table.err


@pytest.mark.usefixtures("two_runs")
def test_every_dataset_has_its_own_table(ndcg: Command) -> None:
    shop = {"judgments shop-qrels": "q1 0 c 3\n", "run base": RUN}
    load_texts(ndcg, {f"{key} --dataset shop": text for key, text in shop.items()})
    table = ndcg("report", "-m", "AP").out
    assert "dataset default, judgment set qrels\n" in table
    assert "dataset shop, judgment set shop-qrels\n" in table
    assert len(records(ndcg, "report", "-m", "AP")) == 3
    [row] = records(ndcg, "report", "-m", "AP", "--dataset", "shop")
    assert (row["dataset"], row["judgment_set"]) == ("shop", "shop-qrels")
    by_query = ndcg("report", "-q", "-m", "AP").out.splitlines()
    assert by_query[0].split() == ["dataset", "run", "query", "AP"]


@pytest.mark.parametrize("place", [0, 3])
def test_global_options_stand_before_or_after_the_command(
    ndcg: Command, two_runs: Path, place: int
) -> None:
    Path("moved").mkdir()
    two_runs.rename("moved/w.db")
    command = ["load", "run", "worse", "--name", "more"]
    result = ndcg(*command[:place], "-w", "moved/w.db", "--quiet", *command[place:])
    assert (result.code, result.out, result.err) == (0, "", "")
    assert not Path("ndcg.duckdb").exists()


@pytest.mark.quick
@pytest.mark.usefixtures("bare")
def test_the_environment_names_the_warehouse(
    ndcg: Command, two_runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    two_runs.rename("w.db")
    monkeypatch.setenv("NDCG_SQL_WAREHOUSE", "w.db")
    assert ndcg("report").code == 0
    assert ndcg("report", "-w", "other.db").code == 2
    # Quiet silences talk, but no refusal.
    Path("alien").write_text("x Q0 a 1 1 t\n")
    assert ndcg("load", "run", "alien", "--quiet").err == ""
    assert ndcg("report", "--quiet", "--run", "x").err.startswith("no run")
    assert ndcg("report", "--quiet").out != ""


@pytest.mark.usefixtures("two_runs")
def test_output_goes_to_a_file_and_only_there(ndcg: Command) -> None:
    for form in ("table", "csv", "tsv", "json", "markdown"):
        printed = ndcg("report", "--format", form)
        written = ndcg("report", "--format", form, "-o", f"out.{form}")
        assert (written.code, written.out, written.err) == (0, "", "")
        assert Path(f"out.{form}").read_text(encoding="utf-8") == printed.out


FAILING = (
    *("report --run nothing", "report -m nothing", "report --format xml"),
    "explain base nothing",
)


@pytest.mark.quick
def test_a_failed_report_leaves_the_old_file(ndcg: Command, two_runs: Path) -> None:
    Path("out").write_text("old")
    for command in FAILING:
        assert ndcg(*command.split(), "-o", "out").code == 2
        assert Path("out").read_text() == "old"
    # None replaces the warehouse that it reads.
    before = digest(two_runs)
    for command in ("report", "list", "explain base q1"):
        assert ndcg(*command.split(), "-o", "./ndcg.duckdb").code == 2
        assert digest(two_runs) == before


# Arguments in Python and on the command line.
ASKED: list[tuple[dict[str, Any], list[str]]] = [
    ({}, []),
    ({"measures": MEASURES}, ["-m", MEASURES]),
    ({"measures": ["RR", "AP"]}, ["-m", "RR", "-m", "AP"]),
    ({"runs": "base", "judgments": "qrels"}, ["--run", "base", "--judgments", "qrels"]),
    ({"per_query": True, "dataset": "default"}, ["-q", "--dataset", "default"]),
    ({"by": "device"}, ["--by", "device"]),
]


def test_values_in_python_are_those_of_the_command(
    ndcg: Command, two_runs: Path
) -> None:
    before = digest(two_runs)
    with Warehouse.read(two_runs) as warehouse:
        found = [warehouse.report(**asked).arrow().to_pylist() for asked, _ in ASKED]
    assert found == [records(ndcg, "report", *options) for _, options in ASKED]
    assert all(found)
    assert digest(two_runs) == before


def test_values_come_as_every_kind_of_frame(two_runs: Path) -> None:
    asked = "nDCG@10 AP Judged@3 P(rel=2)@1"
    theirs: Any = import_module("ir_measures")
    with Warehouse.read(two_runs) as warehouse:
        found: Any = warehouse.report(asked, runs="base")
        omitted: Any = warehouse.report(
            "RR(missing='omit')", runs="base", per_query=True
        )
        measures = [theirs.nDCG @ 10, theirs.P(rel=2) @ 1]
        named = warehouse.report(measures, runs="base").to_dicts()
    # The warehouse is closed by now, and asked more than once.
    expected = found.arrow().to_pylist()
    assert [row["measure"] for row in expected] == asked.split()
    types = {field.name: field.type for field in found.arrow().schema}
    assert types["run"] == types["measure"] == pa.string()
    assert types["value"] == types["judged_at_k"] == pa.float64()
    assert {types[name] for name in COUNTS} == {pa.int64()}
    frame = found.pl()
    assert frame.to_dicts() == expected
    assert (frame.schema["run"], frame.schema["n"]) == (pl.String, pl.Int64)
    frame = found.df()
    assert frame["value"].tolist() == [row["value"] for row in expected]
    assert (frame["value"].dtype, frame["n"].dtype) == ("float64", "int64")
    names = ("run", "judgment_set", "dataset", "measure")
    filtered = found.relation.filter("measure = 'AP'").fetchall()[0][:4]
    assert filtered == tuple(expected[1][name] for name in names)
    # A value that is left out is null, and measures of ir_measures are understood.
    assert omitted.df()["value"].isna().tolist() == [False, True]
    assert omitted.pl()["value"].to_list()[1] is None
    assert named == [expected[0], expected[3]]


@pytest.mark.quick
def test_a_list_of_nothing_is_not_all_there_is(two_runs: Path) -> None:
    with Warehouse.read(two_runs) as warehouse:
        for asked in ("measures", "runs", "by"):
            nothing: dict[str, Any] = {asked: []}
            with pytest.raises(NdcgSqlError, match=f"{asked}: is empty; omit it"):
                warehouse.report(**nothing)


@pytest.mark.quick
@pytest.mark.usefixtures("bare")
def test_a_file_that_is_only_now_begun_has_no_values(here: Path) -> None:
    path = here / "new.duckdb"
    for begun in (Warehouse.memory(), Warehouse.write(path)):
        with (
            begun as warehouse,
            pytest.raises(NdcgSqlError, match="no run in the warehouse; load_run"),
        ):
            warehouse.report()
    assert not path.exists()
