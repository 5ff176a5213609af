"""Registered measures that the grades of some judgments cannot carry."""

import json
from pathlib import Path
from typing import Any

import pytest

from ndcg_sql.database import opening
from ndcg_sql.evaluation.values import refill
from support import exploring
from support.commands import Command, Once
from support.files import stored, tables, write_judgments, write_run

pytestmark = pytest.mark.mostly_slow

FIVE = "q1 0 a 5\nq1 0 b 1\nq2 0 a 0\nq2 0 b 2\n"
THREE = "q1 0 a 3\nq1 0 b 1\nq2 0 a 0\nq2 0 b 2\n"
RUNS = {
    "r1": "q1 Q0 b 1 2 t\nq1 Q0 a 2 1 t\nq2 Q0 b 1 1 t\n",
    "r2": "q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\nq2 Q0 a 1 1 t\n",
}
USUAL = ["nDCG@10", "AP", "RR", "R@100"]
WARNING = (
    'warning: measure ERR@10 is left out for judgment set "five": the grade 5 is above'
    " its max_rel; ndcg-sql measures add 'ERR(max_rel=5)@10'\n"
)
# Its removal would delete no values.
NOWHERE = WARNING.replace("\n", ", or ndcg-sql measures remove ERR@10\n")
REFUSED = (
    'measure ERR@10 cannot be used with judgment set "five": the grade 5 is above its'
    " max_rel; use a higher one: ERR(max_rel=5)@10\n"
)


def values(ndcg: Command, *options: str) -> dict[tuple[str, ...], float]:
    """Return the values of a report by dataset, run and measure."""
    rows: list[dict[str, Any]] = json.loads(
        ndcg("report", "--format", "json", *options).out
    )
    return {(r["dataset"], r["run"], r["measure"]): r["value"] for r in rows}


def both(ndcg: Command) -> None:
    """Load judgments and runs of two datasets: the grades of one go up to 5."""
    for name, text in {"five": FIVE, "three": THREE, **RUNS}.items():
        Path(name).write_text(text)
    for dataset, judgments in (("big", "five"), ("small", "three")):
        assert ndcg("load", "judgments", judgments, "--dataset", dataset).code == 0
        assert ndcg("load", "run", "r1", "r2", "--dataset", dataset).code == 0


@pytest.fixture
def datasets(ndcg: Command, empty: Path, once: Once) -> Path:
    """Put a warehouse into place where ERR@10 fits one of two datasets."""

    def fill() -> None:
        both(ndcg)
        assert ndcg("measures", "add", "ERR@10").err == (
            "registered ERR@10\n" + WARNING
        )

    once(fill)
    return empty


@pytest.mark.usefixtures("datasets")
@pytest.mark.parametrize(
    "command",
    [
        "report",
        "compare r1 r2 --dataset big",
        "history",
    ],
)
def test_every_answer_says_what_is_left_out(ndcg: Command, command: str) -> None:
    result = ndcg(*command.split())
    assert result.code == 0
    assert result.err.count(WARNING) == 1
    where = "--dataset small" if "big" not in command else ""
    if where:
        small = ndcg(*command.split(), *where.split())
        assert (small.code, "left out" in small.err) == (0, False)


@pytest.mark.quick
@pytest.mark.usefixtures("datasets")
@pytest.mark.parametrize(
    "command",
    [
        "report",
        "compare r1 r2 --dataset big",
        "explain r1 q1 --dataset big",
        "eval five r1",
    ],
)
def test_a_measure_that_is_named_is_refused(ndcg: Command, command: str) -> None:
    assert ndcg(*command.split(), "-m", "ERR@10").refusal == REFUSED


@pytest.mark.usefixtures("datasets")
def test_a_gate_does_not_pass_without_a_measure_it_should_test(ndcg: Command) -> None:
    gate = ("gate", "r1", "r2", "--dataset", "big")
    assert ndcg(*gate).refusal == WARNING.removeprefix("warning: ") + (
        "gate: tests every registered measure; name those to be tested: -m "
        "'nDCG@10 AP RR R@100'\n"
    )
    assert ndcg(*gate, "-m", "AP", "--min", "ERR@10=0.1").refusal == REFUSED
    assert ndcg(*gate, "-m", "AP", "--min", "AP=0.9").code == 1
    assert "ERR@10" in ndcg("gate", "r1", "r2", "--dataset", "small").out


@pytest.mark.usefixtures("datasets")
def test_no_view_has_values_of_it(ndcg: Command) -> None:
    half = "nDCG(gains='half')@5"
    assert ndcg("gains", "add", "half", "3=1", "2=0.5", "1=0.1", "0=0").code == 0
    added = ndcg("measures", "add", half)
    assert added.err == f"registered {half}\n" + (
        f'warning: measure {half} is left out for judgment set "five": gain scheme'
        ' "half" defines no gain for the grade 5; choose a scheme that does\n'
    )
    for view in ("query_values", "run_values", "ndcg", "ndcg_steps"):
        sql = f"select distinct measure, dataset from main.{view} order by all"
        found = [row for row in stored(sql) if row[0] in ("ERR@10", half)]
        assert found in ([("ERR@10", "small"), (half, "small")], [(half, "small")]), (
            view
        )
    sql = "select distinct gain_scheme, dataset from main.ideal_rankings order by all"
    assert stored(sql) == [("half", "small"), ("linear", "big"), ("linear", "small")]
    sql = "select count(*) from main.run_comparisons where measure = 'ERR@10'"
    assert stored(sql) == [(2,)]
    assert ndcg("check").code == 0


def test_loading_leaves_a_measure_out_and_says_so_once(ndcg: Command) -> None:
    for name, text in {"five": FIVE, **RUNS}.items():
        Path(name).write_text(text)
    assert ndcg("measures", "add", "ERR@10", "ERR(max_rel=6)@10").code == 0
    # Nothing is evaluated yet, so that nothing is left out.
    assert "warning" not in ndcg("load", "judgments", "five").err
    runs = ndcg("load", "run", "r1", "r2")
    assert (runs.code, runs.err.count(NOWHERE), runs.err.count("warning")) == (0, 1, 1)
    again = ndcg("load", "judgments", "five", "--name", "other")
    assert NOWHERE.replace("five", "other") in again.err
    found = stored("select distinct measure from query_values order by all")
    assert [name for (name,) in found] == sorted([*USUAL, "ERR(max_rel=6)@10"])
    assert ndcg("check").code == 0


@pytest.mark.usefixtures("datasets")
def test_what_no_judgment_set_can_carry_is_not_registered(ndcg: Command) -> None:
    before = tables(Path("ndcg.duckdb"))
    assert ndcg("gains", "add", "half", "9=1").code == 0
    assert ndcg("measures", "add", "P@3", "nDCG(gains='half')@5").refusal == (
        "measure nDCG(gains='half')@5 cannot be used with judgment set \"five\": gain"
        ' scheme "half" defines no gain for the grades 0, 1, 2, 5; choose a scheme that'
        " does\n"
    )
    after = tables(Path("ndcg.duckdb"))
    assert after["measures"] == before["measures"]


@pytest.mark.usefixtures("datasets")
def test_without_any_measure_that_fits_a_report_asks_for_one(ndcg: Command) -> None:
    assert ndcg("measures", "remove", *USUAL).code == 0
    result = ndcg("report", "--dataset", "big")
    assert result.refusal == WARNING.removeprefix("warning: ") + (
        'no registered measure can be used with judgment set "five"; name one: -m'
        " nDCG@10\n"
    )
    # The other dataset is reported, and the runs of this one are not forgotten.
    every = ndcg("report", "--format", "json")
    assert {row["dataset"] for row in json.loads(every.out)} == {"small"}
    assert every.err == WARNING + (
        'judgment set "five" of dataset "big": no registered measure can be used with'
        " it; its runs are omitted\n"
    )


def test_grades_too_large_to_be_summed_do_not_stop_a_load(
    ndcg: Command, loaded: Path
) -> None:
    measures = ["nDCG(dcg='exp-log2')@5", "G(dcg='exp-log2')", "ERR@5"]
    assert ndcg("measures", "add", *measures).code == 0
    Path("big").write_text("q1 0 a 1024\nq1 0 b 1\n")
    result = ndcg("load", "judgments", "big")
    assert result.code == 0
    assert (
        f'warning: measure {measures[0]} is left out for judgment set "big": the gain'
        " of the grade 1024 is too large to be summed; choose other gains, such as"
        " gains={1:1,2:3}, or correct the grade and load the judgments again\n"
        in result.err
    )
    assert ndcg("report").code == 0
    assert ndcg("check").code == 0
    sql = "select count(distinct measure) from query_values where judgment_set = 'big'"
    assert stored(sql) == [(4,)]
    assert loaded.exists()


def test_upgrading_and_publishing_keep_it_out(ndcg: Command, datasets: Path) -> None:
    before = tables(datasets)
    with opening.write(datasets, refill) as database, database.transaction():
        assert refill(database) == 4
    after = tables(datasets)
    for table in ("stored_values", "stored_run_values", "misfits"):
        assert before[table]
        assert sorted(map(repr, after[table])) == sorted(map(repr, before[table]))
    assert ndcg("publish", "copy.duckdb").code == 0
    select = ("query", "from run_values order by all", "--format", "json")
    assert ndcg("-w", "copy.duckdb", *select) == ndcg(*select)


def listed(ndcg: Command) -> dict[tuple[str, str | None], int]:
    """Return the evaluations of the registered measures that are not usual."""
    rows = json.loads(ndcg("measures", "list", "--format", "json").out)
    return {
        (row["measure"], row["dataset"]): row["evaluations"]
        for row in rows
        if row["measure"] not in USUAL
    }


@pytest.mark.usefixtures("empty")
def test_a_measure_is_registered_for_one_dataset(ndcg: Command) -> None:
    both(ndcg)
    before = tables(Path("ndcg.duckdb"))
    scaled = "ERR(max_rel=5)@10"
    wanted = values(ndcg, "-m", scaled)
    added = ndcg("measures", "add", scaled, "--dataset", "big")
    assert added.err == f'registered {scaled} for dataset "big"\n'
    assert listed(ndcg) == {(scaled, "big"): 2}
    found = {k: v for k, v in values(ndcg).items() if k[2] == scaled}
    assert found == {k: v for k, v in wanted.items() if k[0] == "big"}
    # Whoever names it has it anywhere.
    assert values(ndcg, "-m", scaled) == wanted
    assert scaled not in ndcg("gate", "r1", "r2", "--dataset", "small").out
    for command, told in {
        f"add {scaled} --dataset big": "is already registered\n",
        f"add {scaled} --dataset small": 'for dataset "small"\n',
        f"remove {scaled} --dataset big": f'removed {scaled} for dataset "big"\n',
        f"remove {scaled} --dataset big ": 'registered for "small", not for dataset',
        # For every dataset, the values that are missing are added.
        f"add {scaled}": f"registered {scaled}\n",
        f"remove {scaled} --dataset small": "registered for every dataset, not for",
        "add P@5 --dataset bog": 'no dataset "bog"; did you mean "big"?',
    }.items():
        assert told in ndcg("measures", *command.split()).err, command
    assert listed(ndcg) == {(scaled, None): 4}
    assert ndcg("check").code == 0
    # What is loaded later is evaluated with it, or not.
    assert ndcg("measures", "add", "nDCG@3", "--dataset", "small").code == 0
    for dataset in ("big", "small"):
        late = ("load", "run", "r1", "--name", "late", "--dataset", dataset)
        assert ndcg(*late).code == 0
    assert listed(ndcg) == {(scaled, None): 6, ("nDCG@3", "small"): 3}
    assert ndcg("remove", "run", "late", "--dataset", "big").code == 0
    assert ndcg("remove", "run", "late", "--dataset", "small").code == 0
    assert ndcg("measures", "remove", scaled).code == 0
    assert ndcg("measures", "remove", "nDCG@3", "--dataset", "small").code == 0
    assert tables(Path("ndcg.duckdb")) == before


RUN = {"q": {"a": 2, "b": 1}}
NEGATIVE = (
    "no grade is negative, which marks documents in the pool as not judged; there is"
    " nothing to infer"
)
NOT_RELEVANT = (
    "no document is judged not relevant; the value is only the share of relevant"
    " documents that were returned"
)
CASES: dict[str, tuple[dict[str, float], str, list[str]]] = {
    "enough": ({"a": 1, "b": 0, "c": -1}, "nDCG AP Bpref infAP", []),
    "fractions": (
        {"a": 0.5, "b": 0.25},
        "nDCG P@5 AP P(rel=0.5)@5",
        [
            "P@5, AP: no document is relevant, the highest grade is 0.5;"
            " a lower threshold may be intended, such as rel=0.5"
        ],
    ),
    "zeros": (
        {"a": 0},
        "nDCG",
        ["nDCG: no document is relevant, the highest grade is 0"],
    ),
    "all relevant": (
        {"a": 1, "b": 2},
        "Bpref gm_bpref Bpref(rel=2) infAP",
        [f"Bpref, gm_bpref: {NOT_RELEVANT}", f"infAP: {NEGATIVE}"],
    ),
}


@pytest.mark.quick
@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize("name", exploring.mostly_slow(CASES, "all relevant"))
def test_what_judgments_lack_is_told(ndcg: Command, name: str) -> None:
    grades, measures, told = CASES[name]
    write_judgments(Path("qrels"), {"q": grades})
    write_run(Path("run"), RUN)
    said = "".join(f'judgment set "qrels", {line}\n' for line in told)
    shot = ndcg("eval", "qrels", "run", "-m", measures)
    assert (shot.code, shot.err) == (0, said)
    assert ndcg("load", "judgments", "qrels").code == 0
    assert ndcg("load", "run", "run").code == 0
    assert ndcg("report", "-m", measures).err == said
    assert ndcg("--quiet", "report", "-m", measures).err == ""
