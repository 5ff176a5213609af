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
    # Two runs of one name are there both.
    Path("old").mkdir()
    Path("old/base").write_text(WORSE)
    both = records(ndcg, "eval", "qrels", "base", "old/base", *per_query)
    assert len(both) == 2 * len(once)


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
def test_every_format_has_the_same_rows(ndcg: Command, per_query: list[str]) -> None:
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
    *_, base, worse = ndcg("report", "-m", "nDCG@10 P@5").out.splitlines()
    assert base.split()[0::3][:2] == ["base", "2"]
    assert base.split()[3:6] == ["2", "1", "0"]
    assert worse.split()[0] == "worse"
    # A mean over no query is said to be one.
    Path("alien").write_text("x Q0 a 1 1 t\n")
    alien = ("eval", "qrels", "alien", "-m", "nDCG(missing='omit')@10")
    [row] = records(ndcg, *alien)
    assert (row["value"], row["n"], row["standard_error"]) == (None, 0, None)
    table = ndcg(*alien)
    assert "no query left" in table.out + table.err
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
def test_every_dataset_has_its_own_table(ndcg: Command) -> None:
    shop = {"judgments shop-qrels": "q1 0 c 3\n", "run base": RUN}
    load_texts(ndcg, {f"{key} --dataset shop": text for key, text in shop.items()})
    asked = ("report", "-m", "AP")
    for title in ("default, judgment set qrels", "shop, judgment set shop-qrels"):
        assert f"dataset {title}\n" in ndcg(*asked).out
    assert len(records(ndcg, *asked)) == 3
    [row] = records(ndcg, *asked, "--dataset", "shop")
    assert (row["dataset"], row["judgment_set"]) == ("shop", "shop-qrels")
    by_query = ndcg(*asked, "-q").out.splitlines()
    assert by_query[0].split() == ["dataset", "run", "query", "AP"]


@pytest.mark.quick
@pytest.mark.usefixtures("bare")
def test_options_and_the_environment_name_the_warehouse(
    ndcg: Command, two_runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    two_runs.rename("w.db")
    # Global options stand before or after the command; quiet silences talk.
    command = ["load", "run", "worse", "--name", "more"]
    for place in (0, 3, 5):
        named = (*command[:place], "-w", "w.db", "--quiet", *command[place:])
        result = ndcg(*named)
        assert (result.code, result.out, result.err) == (0, "", "")
    assert not Path("ndcg.duckdb").exists()
    monkeypatch.setenv("NDCG_SQL_WAREHOUSE", "w.db")
    assert ndcg("report").code == 0
    assert ndcg("report", "-w", "other.db").code == 2
    # It silences no refusal.
    Path("alien").write_text("x Q0 a 1 1 t\n")
    assert ndcg("load", "run", "alien", "--quiet").err == ""
    assert ndcg("report", "--quiet", "--run", "x").err.startswith("no run")
    assert ndcg("report", "--quiet").out != ""


FAILING = (
    *("report --run nothing", "report -m nothing", "report --format xml"),
    "explain base nothing",
)


@pytest.mark.quick
def test_a_failed_report_leaves_the_old_file(ndcg: Command, two_runs: Path) -> None:
    # It is written to the file, and only there.
    printed = ndcg("report")
    written = ndcg("report", "-o", "out")
    assert (written.code, written.out, written.err) == (0, "", "")
    assert Path("out").read_text(encoding="utf-8") == printed.out
    for command in FAILING:
        assert ndcg(*command.split(), "-o", "out").code == 2
        assert Path("out").read_text(encoding="utf-8") == printed.out
    # None replaces the warehouse that it reads.
    before = digest(two_runs)
    for command in ("report", "list", "explain base q1"):
        assert ndcg(*command.split(), "-o", "./ndcg.duckdb").code == 2
        assert digest(two_runs) == before


def test_values_come_as_every_kind_of_frame(ndcg: Command, two_runs: Path) -> None:
    asked = "nDCG@10 AP Judged@3 P(rel=2)@1"
    theirs: Any = import_module("ir_measures")
    before = digest(two_runs)
    with Warehouse.read(two_runs) as own:
        found: Any = own.report(asked, runs="base")
        omitted: Any = own.report("RR(missing='omit')", runs="base", per_query=True)
        measures = [theirs.nDCG @ 10, theirs.P(rel=2) @ 1]
        named = own.report(measures, runs="base").to_dicts()
    # The warehouse is closed by now, and asked more than once.
    expected = found.arrow().to_pylist()
    assert expected == records(ndcg, "report", "-m", asked, "--run", "base")
    assert digest(two_runs) == before
    assert [row["measure"] for row in expected] == asked.split()
    types = {field.name: field.type for field in found.arrow().schema}
    assert types["run"] == types["measure"] == pa.string()
    assert types["value"] == types["judged_at_k"] == pa.float64()
    assert {types[name] for name in COUNTS} == {pa.int64()}
    assert found.pl().to_dicts() == expected
    assert [found.pl().schema[name] for name in ("run", "n")] == [pl.String, pl.Int64]
    frame = found.df()
    assert frame["value"].tolist() == [row["value"] for row in expected]
    assert (frame["value"].dtype, frame["n"].dtype) == ("float64", "int64")
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
    told = "no run in the warehouse; load_run"
    for begun in (Warehouse.memory(), Warehouse.write(path)):
        with begun as warehouse, pytest.raises(NdcgSqlError, match=told):
            warehouse.report()
    assert not path.exists()


@pytest.mark.quick
def test_a_query_with_one_document_is_not_omitted() -> None:
    with Warehouse.memory() as own:
        own.load_judgments({"one": {"a": 1}, "none": {"a": 1}})
        own.load_run({"one": ["a"]}, "base")
        for measure in ("RR(missing='omit')", "nDCG(missing='omit')@5"):
            found = own.report(measure, per_query=True)
            values = dict(zip(found["query_id"], found["value"], strict=True))
            assert values == {"one": 1, "none": None}
