"""Named gain schemes: what grades are worth, for measures that ask by name."""

import json
import shutil
from pathlib import Path

import pytest

from ndcg_sql.database import opening
from ndcg_sql.evaluation.values import refill
from ndcg_sql.loading.sets import Options, load
from ndcg_sql.system.messages import Silent
from support import exploring
from support.commands import Command
from support.files import digest

pytestmark = pytest.mark.mostly_slow

QRELS = "query_id,doc_id,grade\nq,a,Exact\nq,b,Substitute\nq,c,Irrelevant\n"
RUN = "q Q0 c 1 3 t\nq Q0 b 2 2 t\nq Q0 a 3 1 t\n"
ESCI = ("Exact=1", "Substitute=0.1", "Irrelevant=0")


@pytest.fixture(scope="module")
def shop_file(tmp_path_factory: pytest.TempPathFactory, empty_file: Path) -> Path:
    """Return a warehouse of judgments with labels, and a run, for copying."""
    folder = tmp_path_factory.mktemp("shop")
    (folder / "qrels.csv").write_text(QRELS)
    (folder / "base").write_text(RUN)
    path = Path(shutil.copyfile(empty_file, folder / "ndcg.duckdb"))
    labels = {"Exact": 3.0, "Substitute": 2.0, "Irrelevant": 0.0}
    with opening.write(path, refill) as database:
        options = Options(labels=labels)
        load(database, "judgments", [folder / "qrels.csv"], options, Silent())
        load(database, "run", [folder / "base"], Options(), Silent())
    return path


@pytest.fixture
def shop(here: Path, shop_file: Path) -> Path:
    """Put that warehouse where commands find it."""
    shutil.copyfile(shop_file.parent / "qrels.csv", here / "qrels.csv")
    return Path(shutil.copyfile(shop_file, here / "ndcg.duckdb"))


def value(ndcg: Command, measure: str) -> float:
    """Return the one value of a report."""
    (row,) = json.loads(ndcg("report", "-m", measure, "--format", "json").out)
    assert row["measure"] == measure
    return row["value"]


@pytest.mark.usefixtures("shop")
def test_a_scheme_is_the_same_as_its_map(ndcg: Command) -> None:
    assert ndcg("gains", "add", "esci", *ESCI).err == "added gain scheme esci\n"
    named, mapped = "nDCG(gains='esci')@10", "nDCG(gains={2:0.1,3:1})@10"
    assert value(ndcg, named) == value(ndcg, mapped)
    assert value(ndcg, named) == pytest.approx(
        (0.1 / 1.584962500721156 + 1 / 2) / (1 + 0.1 / 1.584962500721156)
    )
    assert ndcg("measures", "add", named).code == 0
    assert value(ndcg, named) == value(ndcg, mapped)


@pytest.mark.usefixtures("shop")
def test_schemes_are_listed_with_the_labels(ndcg: Command) -> None:
    ndcg("gains", "add", "esci", *ESCI)
    ndcg("gains", "add", "steep", "3=7.5", "0=-1")
    ndcg("measures", "add", "nDCG(gains={1:2})")
    rows = json.loads(ndcg("gains", "list", "--format", "json").out)
    assert [tuple(row.values()) for row in rows] == [
        ("esci", 3, 1, "Exact"),
        ("esci", 2, 0.1, "Substitute"),
        ("esci", 0, 0, "Irrelevant"),
        ("steep", 3, 7.5, "Exact"),
        ("steep", 0, -1, "Irrelevant"),
    ]
    assert "Substitute" in ndcg("gains").out


@pytest.mark.usefixtures("shop")
def test_a_scheme_is_added_once_and_removed_when_nobody_needs_it(
    ndcg: Command,
) -> None:
    ndcg("gains", "add", "esci", *ESCI)
    again = ndcg("gains", "add", "esci", *reversed(ESCI))
    assert (again.code, again.err) == (0, "gain scheme esci already exists\n")
    ndcg("measures", "add", "nDCG(gains='esci')")
    needed = ndcg("gains", "remove", "esci")
    assert needed.code == 2
    assert (
        "used by \"nDCG(gains='esci')\"; remove those first with ndcg-sql measures"
        in needed.err
    )
    ndcg("measures", "remove", "nDCG(gains='esci')")
    assert ndcg("gains", "remove", "esci").code == 0
    assert json.loads(ndcg("gains", "list", "--format", "json").out) == []


REFUSED = {
    ("esci", "Exakt=1"): '"Exakt": neither a number nor a label of the judgments;'
    ' did you mean "Exact"?',
    ("esci", "3=x"): "3=x: the gain is not a finite number",
    ("esci", "3=x", "2=y", "1=1"): (
        "3=x: the gain is not a finite number\n2=y: the gain is not a finite number"
    ),
    ("esci", "3=1e400"): "3=1e400: the gain is not a finite number",
    ("esci", "3=1", "Exact=1"): "Exact=1: grade 3 is given twice",
    ("esci", "3=1", "3=1"): "3: given twice",
    ("esci", "--", "-1=1"): "-1: a negative grade has no gain: it means not judged",
    ("esci", "3"): "3: not GRADE=GAIN; write it like 3=1",
    ("linear", "3=1"): 'gain scheme "linear": "linear", "exp", "binary" are built in',
    ("it's", "3=1"): "a name cannot contain quotes",
    ("{1:2}", "3=1"): "or begin with a brace",
    (
        "a\u202eb",
        "3=1",
    ): 'gain scheme "a\\u202eb": a name cannot contain control characters',
    ("there", "3=2"): 'gain scheme "there": already exists with other gains;'
    " remove it with ndcg-sql gains remove there, or choose another name",
}


@pytest.mark.quick
@pytest.mark.parametrize(("arguments", "reason"), exploring.sampled(REFUSED.items(), 2))
def test_what_makes_no_scheme_is_refused(
    ndcg: Command, shop: Path, arguments: tuple[str, ...], reason: str
) -> None:
    ndcg("gains", "add", "there", "3=1")
    before = digest(shop)
    result = ndcg("gains", "add", *arguments)
    assert reason in result.refusal
    assert digest(shop) == before


@pytest.mark.usefixtures("shop")
def test_a_label_of_several_grades_is_ambiguous(ndcg: Command) -> None:
    other = ("--label", "Exact=4", "--label", "Substitute=2", "--label", "Irrelevant=0")
    ndcg("load", "judgments", "qrels.csv", "--name", "later", *other)
    result = ndcg("gains", "add", "esci", *ESCI)
    assert '"Exact": means several grades (3, 4); write the grade' in result.refusal


@pytest.mark.usefixtures("shop")
def test_grades_that_a_scheme_leaves_out_are_named(ndcg: Command) -> None:
    ndcg("gains", "add", "half", "3=1")
    result = ndcg("report", "-m", "nDCG(gains='half')")
    assert result.code == 2
    assert 'scheme "half" defines no gain for the grades 0, 2; choose' in result.err
    hint = 'no gain scheme "haf"; did you mean "half"'
    assert hint in ndcg("report", "-m", "nDCG(gains='haf')").err
    assert hint in ndcg("gains", "remove", "haf").err
    assert "built in and cannot be removed" in ndcg("gains", "remove", "exp").err
