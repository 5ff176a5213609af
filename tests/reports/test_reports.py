"""Reports and one-shot evaluations: the same figures in every format."""

import csv
import io
import json
import shutil
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ndcg_sql.database import opening
from ndcg_sql.evaluation.values import refill
from ndcg_sql.loading.sets import Options, load
from ndcg_sql.system.messages import Silent
from support import exploring
from support.commands import Command
from support.files import QRELS, RUN, digest

pytestmark = pytest.mark.mostly_slow

Record = dict[str, Any]
WORSE = "q1 Q0 c 1 9 t\nq1 Q0 u 2 8 t\nq1 Q0 a 3 7 t\nq2 Q0 x 1 1 t\n"
FIELDS = {
    "run",
    "judgment_set",
    "measure",
    "value",
    "n",
    "answered",
    "unanswered",
    "no_relevant",
}


@pytest.fixture
def files(loaded: Path) -> Path:
    """Put a warehouse with a second, worse run and all files into place."""
    for name, text in (("qrels", QRELS), ("base", RUN), ("worse", WORSE)):
        (loaded.parent / name).write_text(text)
    return loaded


@pytest.fixture(scope="module")
def two_runs_file(tmp_path_factory: pytest.TempPathFactory, loaded_file: Path) -> Path:
    """Return a warehouse that holds the worse run too."""
    folder = tmp_path_factory.mktemp("two")
    path = Path(shutil.copyfile(loaded_file, folder / "ndcg.duckdb"))
    (folder / "worse").write_text(WORSE)
    with opening.write(path, refill) as warehouse:
        load(warehouse, "run", [folder / "worse"], Options(), Silent())
    return path


@pytest.fixture
def two_runs(files: Path, two_runs_file: Path) -> Path:
    """Put a warehouse that holds both runs into place."""
    return Path(shutil.copyfile(two_runs_file, files))


def records(ndcg: Command, *command: str) -> list[Record]:
    """Return what a command prints as JSON."""
    result = ndcg(*command, "--format", "json")
    assert (result.code, result.err) == (0, "")
    return json.loads(result.out)


def of_csv(text: str, delimiter: str = ",") -> list[dict[str, str]]:
    """Return the rows of CSV text."""
    return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter))


def rounded(found: list[Record]) -> list[Record]:
    """Return rows with each float as the text of its full precision."""
    return [{k: repr(v) for k, v in row.items()} for row in found]


MEASURES = "nDCG@10 nDCG(dcg='exp-log2')@2 AP RR P@5 R@100 Judged@10 IDCG"


@pytest.mark.usefixtures("two_runs")
@pytest.mark.parametrize(
    "per_query", exploring.sampled([["-q"], []], 2), ids=["queries", "means"]
)
def test_report_and_eval_agree_to_the_bit(ndcg: Command, per_query: list[str]) -> None:
    kept = records(ndcg, "report", "-m", MEASURES, *per_query)
    once = records(ndcg, "eval", "qrels", "base", "worse", "-m", MEASURES, *per_query)
    assert rounded(kept) == rounded(once)
    assert len(kept) == 2 * 8 * (2 if per_query else 1)


@pytest.mark.usefixtures("files")
def test_eval_takes_the_measures_that_a_new_warehouse_registers(ndcg: Command) -> None:
    once = records(ndcg, "eval", "qrels", "base")
    assert [row["measure"] for row in once] == ["nDCG@10", "AP", "RR", "R@100"]
    assert rounded(records(ndcg, "report")) == rounded(once)


@pytest.mark.usefixtures("files")
def test_eval_of_two_runs_of_one_name_gives_advice_that_can_be_followed(
    ndcg: Command,
) -> None:
    Path("old").mkdir()
    Path("old/base").write_text(WORSE)
    result = ndcg("eval", "qrels", "base", "old/base", "--format", "json")
    if result.code == 0:
        assert len(json.loads(result.out)) == 8
    else:
        assert "--name" not in result.err


@pytest.mark.usefixtures("two_runs")
def test_json_has_the_fields_that_scripts_rely_on(ndcg: Command) -> None:
    found = records(ndcg, "report", "-m", "ndcg_cut.10 map")
    assert [(row["run"], row["measure"]) for row in found] == [
        ("base", "nDCG@10"),
        ("base", "AP"),
        ("worse", "nDCG@10"),
        ("worse", "AP"),
    ]
    for row in found:
        assert set(row) >= FIELDS
        assert row["judgment_set"] == "qrels"
        assert (row["n"], row["no_relevant"]) == (2, 0)
    assert [row["answered"] for row in found] == [1, 1, 2, 2]
    assert [row["unanswered"] for row in found] == [1, 1, 0, 0]


@pytest.mark.quick
@pytest.mark.usefixtures("files")
def test_json_of_queries_has_the_fields_that_scripts_rely_on(ndcg: Command) -> None:
    found = records(ndcg, "report", "-q", "-m", "RR")
    assert [
        (row["run"], row["judgment_set"], row["measure"], row["query_id"], row["value"])
        for row in found
    ] == [("base", "qrels", "RR", "q1", 1.0), ("base", "qrels", "RR", "q2", 0.0)]
    assert not {"n", "answered", "unanswered"} & set(found[0])


@pytest.mark.usefixtures("two_runs")
@pytest.mark.parametrize("per_query", [[], ["-q"]], ids=["means", "queries"])
def test_every_data_format_holds_the_same_rows_in_full_precision(
    ndcg: Command, per_query: list[str]
) -> None:
    command = ["report", *per_query]
    expected = records(ndcg, *command)
    text = ndcg(*command, "--format", "csv")
    tabs = ndcg(*command, "--format", "tsv")
    assert ndcg(*command, "--format", "parquet", "-o", "out.parquet").out == ""
    rows = of_csv(text.out)
    assert of_csv(tabs.out, "\t") == rows
    assert [list(row) for row in rows] == [list(row) for row in expected]
    assert [float(row["value"]) for row in rows] == [row["value"] for row in expected]
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
    assert head.split("  ")[0] == "run"
    for column in ("nDCG@10", "P@5", "queries", "unanswered", "nothing relevant"):
        assert column in head
    assert "judged@5" in head
    assert "judged@10" in head
    assert set(line) == {"─"}
    assert base.split()[0] == "base"
    assert worse.split()[0] == "worse"
    assert base.split()[3:6] == ["2", "1", "0"]
    assert result.err == ""


@pytest.mark.usefixtures("two_runs")
def test_a_table_shows_counts_as_whole_numbers(ndcg: Command) -> None:
    asked = ("-m", "NumQ NumRet RR", "--run", "base")
    *_, line = ndcg("report", *asked).out.splitlines()
    assert line.split()[:4] == ["base", "2", "3", "0.5000"]
    *_, line = ndcg("report", *asked, "-q").out.splitlines()
    assert line.split() == ["base", "q2", "1", "0", "0.0000"]
    (row,) = (r for r in records(ndcg, "report", *asked) if r["measure"] == "NumRet")
    assert row["value"] == 3


@pytest.mark.quick
@pytest.mark.usefixtures("two_runs")
def test_the_best_value_of_a_measure_is_marked(ndcg: Command) -> None:
    markdown = ndcg("report", "-m", "nDCG@10 RR", "--format", "markdown").out
    best = [line for line in markdown.splitlines() if "**" in line]
    assert len(best) == 1
    assert best[0].startswith("| base")
    assert best[0].count("**") == 4


@pytest.mark.usefixtures("files")
def test_a_tie_at_the_top_marks_both_equal_runs_none(ndcg: Command) -> None:
    asked = ("report", "-m", "AP", "--format", "markdown")
    assert "*" not in ndcg(*asked).out
    assert ndcg("load", "run", "base", "--name", "twin").code == 0
    assert "*" not in ndcg(*asked).out
    Path("low").write_text("q1 Q0 x 1 1 t\n")
    assert ndcg("load", "run", Path("low")).code == 0
    assert ndcg(*asked).out.count("**") == 4


@pytest.mark.quick
@pytest.mark.usefixtures("two_runs")
def test_a_markdown_table_stands_after_a_blank_line(ndcg: Command) -> None:
    lines = ndcg("report", "-m", "AP", "--format", "markdown").out.splitlines()
    assert lines[0] == "dataset default, judgment set qrels"
    assert lines[1] == ""
    assert lines[2].startswith("| run ")
    assert set(lines[3]) == {"|", "-", ":"} or set(lines[3]) == {"|", "-"}
    assert len({line.count("|") for line in lines[2:]}) == 1


@pytest.mark.usefixtures("files")
def test_a_mean_over_no_query_is_said_to_be_one(ndcg: Command) -> None:
    Path("alien").write_text("x Q0 a 1 1 t\n")
    omitting = ["-m", "nDCG(missing='omit')@10"]
    (row,) = json.loads(
        ndcg("eval", "qrels", "alien", *omitting, "--format", "json").out
    )
    assert (row["value"], row["n"], row["standard_error"]) == (None, 0, None)
    table = ndcg("eval", "qrels", "alien", *omitting)
    assert "no query left" in table.out + table.err


@pytest.mark.usefixtures("two_runs")
def test_every_dataset_has_its_own_table(ndcg: Command) -> None:
    Path("shop-qrels").write_text("q1 0 c 3\n")
    shop = ["--dataset", "shop"]
    assert ndcg("load", "judgments", "shop-qrels", *shop).code == 0
    assert ndcg("load", "run", "base", *shop).code == 0

    table = ndcg("report", "-m", "AP").out
    assert "dataset default, judgment set qrels\n" in table
    assert "dataset shop, judgment set shop-qrels\n" in table
    assert len(records(ndcg, "report", "-m", "AP")) == 3
    (row,) = records(ndcg, "report", "-m", "AP", *shop)
    assert (row["dataset"], row["judgment_set"]) == ("shop", "shop-qrels")
    by_query = ndcg("report", "-q", "-m", "AP").out.splitlines()
    assert by_query[0].split() == ["dataset", "run", "query", "AP"]


@pytest.mark.parametrize(
    ("place", "quiet"),
    exploring.sampled([(0, False), (3, False), (0, True), (3, True)], 3),
)
def test_global_options_stand_before_or_after_the_command(
    ndcg: Command, files: Path, place: int, quiet: bool
) -> None:
    Path("moved").mkdir()
    files.rename("moved/w.db")
    command = ["load", "run", "worse"]
    given = ["-w", "moved/w.db", *(["--quiet"] if quiet else [])]
    result = ndcg(*command[:place], *given, *command[place:])
    assert (result.code, result.out) == (0, "")
    assert (result.err == "") == quiet
    assert not Path("ndcg.duckdb").exists()


@pytest.mark.quick
@pytest.mark.usefixtures("bare")
def test_the_environment_names_the_warehouse(
    ndcg: Command, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files.rename("w.db")
    monkeypatch.setenv("NDCG_SQL_WAREHOUSE", "w.db")
    assert ndcg("report").code == 0
    assert ndcg("report", "-w", "other.db").code == 2


@pytest.mark.usefixtures("files")
def test_quiet_silences_talk_but_no_refusal(ndcg: Command) -> None:
    Path("alien").write_text("x Q0 a 1 1 t\n")
    assert ndcg("load", "run", "alien", "--quiet").err == ""
    assert ndcg("load", "run", "alien", "--quiet").err == ""
    assert ndcg("report", "--quiet", "--run", "x").err.startswith("no run")
    assert ndcg("report", "--quiet").out != ""


@pytest.mark.usefixtures("files")
def test_output_goes_to_a_file_and_only_there(ndcg: Command) -> None:
    for form in ("table", "csv", "tsv", "json", "markdown"):
        printed = ndcg("report", "--format", form)
        written = ndcg("report", "--format", form, "-o", f"out.{form}")
        assert (written.code, written.out, written.err) == (0, "", "")
        assert Path(f"out.{form}").read_text(encoding="utf-8") == printed.out


@pytest.mark.quick
@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    "command",
    [
        ["report", "--run", "nothing"],
        ["report", "-m", "nothing"],
        ["report", "--format", "xml"],
        ["explain", "base", "nothing"],
    ],
    ids=" ".join,
)
def test_a_failed_report_leaves_the_old_file(ndcg: Command, command: list[str]) -> None:
    Path("out").write_text("old")
    assert ndcg(*command, "-o", "out").code == 2
    assert Path("out").read_text() == "old"


@pytest.mark.quick
@pytest.mark.parametrize(
    "command", [["report"], ["list"], ["explain", "base", "q1"]], ids=" ".join
)
def test_a_report_does_not_replace_the_warehouse_that_it_reads(
    ndcg: Command, files: Path, command: list[str]
) -> None:
    before = digest(files)
    assert ndcg(*command, "-o", "./ndcg.duckdb").code == 2
    assert digest(files) == before
