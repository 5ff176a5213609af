"""How far assessors agree, against other libraries and published values."""

import csv
import itertools
import json
import random
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from support.commands import Command
from support.libraries import library

# To make a warehouse takes longer than to fill it.
pytestmark = [pytest.mark.usefixtures("empty"), pytest.mark.slow]

AGENTS = tuple(f"agent_{n}_rating" for n in (1, 2, 3))
Grades = Sequence[Sequence[float | None]]
Found = dict[tuple[str, ...], float | None]


@pytest.fixture
def agreement(ndcg: Command, tmp_path: Path) -> Callable[[Grades], Found]:
    """Return what loads grades, a row an assessor called a0 and so on, and asks."""

    def found(rows: Grades) -> Found:
        names = [f"a{number}" for number in range(len(rows))]
        with (tmp_path / "grades.csv").open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["query_id", "doc_id", *names])
            for number, own in enumerate(zip(*rows, strict=True)):
                writer.writerow(["q", number, *own])
        columns = [part for name in names for part in ("--assessor-column", name)]
        result = ndcg("load", "assessments", "grades.csv", *columns, "--replace")
        assert result.code == 0, result.err
        return asked(ndcg)

    return found


def asked(ndcg: Command) -> Found:
    """Return every statistic by its name and assessors."""
    rows = json.loads(ndcg("agreement", "--format", "json").out)
    return {(row["statistic"], *row["assessors"]): row["value"] for row in rows}


def expected(rows: Grades) -> Found:
    """Return what libraries make of grades, a row an assessor."""
    metrics: Any = library("sklearn.metrics")
    raters: Any = library("statsmodels.stats.inter_rater")
    krippendorff: Any = library("krippendorff")
    numpy: Any = library("numpy")
    data = numpy.array(rows, dtype=float)
    everyone = tuple(f"a{number}" for number in range(len(data)))
    values: Found = {}
    for pair in itertools.combinations(range(len(data)), 2):
        names = tuple(f"a{number}" for number in pair)
        both = data[list(pair)]
        both = both[:, ~numpy.isnan(both).any(axis=0)]
        levels = numpy.unique(both)
        labels = numpy.searchsorted(levels, both)
        values[("cohen_kappa", *names)] = metrics.cohen_kappa_score(*labels)
        # scikit-learn weighs by the numbers of the levels, not by the grades.
        values[("cohen_kappa_quadratic", *names)] = raters.cohens_kappa(
            metrics.confusion_matrix(*labels),
            weights=numpy.subtract.outer(levels, levels) ** 2,
            return_results=False,
        )
    whole = data[:, ~numpy.isnan(data).any(axis=0)]
    table = raters.aggregate_raters(whole.T)[0]
    values[("fleiss_kappa", *everyone)] = raters.fleiss_kappa(table)
    for level in ("nominal", "ordinal", "interval"):
        alpha = krippendorff.alpha(data, level_of_measurement=level)
        values[(f"krippendorff_alpha_{level}", *everyone)] = alpha
    return values


@pytest.mark.parametrize(
    "seed",
    [
        0,
        pytest.param(1, marks=pytest.mark.slow),
        pytest.param(2, marks=pytest.mark.slow),
        3,
    ],
)
def test_statistics_are_those_of_libraries(
    agreement: Callable[[Grades], Found], seed: int
) -> None:
    chance = random.Random(seed)
    levels = [0, 0.1, 1, 2.5, 4][: 2 + seed]
    truth = [chance.choice(levels) for _ in range(60)]
    rows: list[list[float | None]] = [
        [
            None
            if chance.random() < 0.2
            else grade
            if chance.random() < 0.6
            else chance.choice(levels)
            for grade in truth
        ]
        for _ in range(4)
    ]
    assert agreement(rows) == pytest.approx(expected(rows), abs=1e-12)


def test_statistics_that_make_no_sense_are_blank(ndcg: Command) -> None:
    for name, text, remark in (
        # Whose mean is not quite the same as each of them.
        ("alike", "q,a,0.1,0.1\nq,b,0.1,0.1\n", "all of these grades are the same"),
        ("apart", "q,a,1,\nq,b,,1\n", "no document was judged by both"),
    ):
        Path(name).write_text("query_id,doc_id,x,y\n" + text)
        columns = ("--assessor-column", "x", "--assessor-column", "y")
        options = ("--dataset", name, "--format-in", "csv")
        assert ndcg("load", "assessments", name, *columns, *options).code == 0
        rows = json.loads(ndcg("agreement", "--dataset", name, "--format", "json").out)
        assert len(rows) == 6
        assert {row["value"] for row in rows} == {None}
        assert rows[0]["remark"] == remark


def test_grades_whose_squares_no_number_holds_have_no_distance(ndcg: Command) -> None:
    Path("large.csv").write_text(
        "query_id,doc_id,x,y\nq,a,1e200,0\nq,b,0,0\nq,c,1e200,1e200\n"
    )
    columns = ("--assessor-column", "x", "--assessor-column", "y")
    assert ndcg("load", "assessments", "large.csv", *columns).code == 0
    found = {
        row["statistic"]: (row["value"], row["remark"])
        for row in json.loads(ndcg("agreement", "--format", "json").out)
    }
    assert found["cohen_kappa"][0] == pytest.approx(0.4)
    remark = "the squares of these grades are too large or too small"
    assert found["cohen_kappa_quadratic"] == (None, remark)
    assert found["krippendorff_alpha_interval"] == (None, remark)


@pytest.fixture
def chorus(ndcg: Command, shared: Path) -> list[dict[str, str]]:
    """Load what three raters of Chorus said; return it as it stands in the file."""
    path = shared / "ecom" / "chorus_Broad_Query_Set_individual_ratings.csv"
    columns = [part for agent in AGENTS for part in ("--assessor-column", agent)]
    assert ndcg("load", "assessments", path, "--name", "chorus", *columns).code == 0
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_judgment_sets_agree_as_assessors_of_the_same_grades(
    ndcg: Command, empty: Path
) -> None:
    drawn = random.Random(5)
    said = {
        name: {
            f"q{q}": {f"d{d}": float(drawn.choice([0, 1, 2])) for d in range(9)}
            for q in range(4)
        }
        for name in ("human", "model", "third")
    }
    own = Warehouse(empty)
    rows = ["query_id,doc_id,assessor,grade"]
    for name, grades in said.items():
        own.load_judgments(grades, name)
        own.load_judgments({"q0": {"d0": 1.0}}, name, dataset="other")
        rows += [
            f"{q},{d},{name},{g:g}" for q, ds in grades.items() for d, g in ds.items()
        ]
    Path("said.csv").write_text("\n".join(rows) + "\n")
    own.load_assessments("said.csv", dataset="default")
    sets = ("--judgments", "human", "--judgments", "model", "--judgments", "third")
    asked = ("agreement", *sets, "--dataset", "default", "--format", "json")
    found = json.loads(ndcg(*asked).out)
    assert found == json.loads(ndcg("agreement", "--format", "json").out)
    [kappa, _] = [
        row["value"] for row in found if row["assessors"] == ["human", "model"]
    ]
    flat = [
        [g for ds in said[name].values() for g in ds.values()]
        for name in ("human", "model")
    ]
    metrics: Any = library("sklearn.metrics")
    assert kappa == pytest.approx(metrics.cohen_kappa_score(*flat), abs=1e-12)
    names = ["human", "model", "third"]
    frame: Any = own.agreement(judgment_sets=names, dataset="default").df()
    assert frame["value"].tolist() == [row["value"] for row in found]


@pytest.mark.parametrize(
    ("options", "given", "told", "said"),
    [
        (
            ("--judgments", "a"),
            {"judgment_sets": "a"},
            "--judgments: needs two; name another",
            "judgment_sets: needs two; name another",
        ),
        (
            ("--judgments", "a", "--judgments", "b", "--assessor", "x"),
            {"judgment_sets": ["a", "b"], "assessors": "x"},
            "--judgments: cannot be combined with --assessments or --assessor; omit",
            "judgment_sets: cannot be combined with assessments or assessors; omit",
        ),
        (
            ("--judgments", "a", "--judgments", "a"),
            {"judgment_sets": ["a", "a"]},
            'judgment set "a" is given twice',
            'judgment set "a" is given twice',
        ),
        (
            ("--judgments", "a", "--judgments", "far"),
            {"judgment_sets": ["a", "far"]},
            'judgment set "a" belongs to dataset "default", "far" to "other"',
            'judgment set "a" belongs to dataset "default", "far" to "other"',
        ),
        (
            ("--judgments", "a", "--judgments", "nix"),
            {"judgment_sets": ["a", "nix"]},
            'no judgment set "nix"; known: ',
            'no judgment set "nix"; known: ',
        ),
    ],
)
def test_judgment_sets_that_cannot_agree_are_refused_by_both_faces(
    ndcg: Command,
    empty: Path,
    options: tuple[str, ...],
    given: dict[str, Any],
    told: str,
    said: str,
) -> None:
    own = Warehouse(empty)
    for name in ("a", "b"):
        own.load_judgments({"q": {"d": 1.0}}, name)
    own.load_judgments({"q": {"d": 1.0}}, "far", dataset="other")
    assert ndcg("agreement", *options).refusal.startswith(told)
    with pytest.raises(NdcgSqlError) as error:
        own.agreement(**given)
    assert str(error.value).startswith(said)


GROUPED = """query_id,doc_id,assessor,grade
q1,a,ann,2
q1,a,bob,2
q1,a,cyd,1
q1,b,ann,0
q1,b,bob,1
q1,b,cyd,0
q1,c,ann,1
q1,c,bob,1
q1,c,cyd,1
q2,a,ann,2
q2,a,bob,0
"""
MODELS = """query_id,doc_id,assessor,grade
q1,a,one,2
q1,a,two,1
q1,b,one,1
q1,b,two,1
q1,c,one,1
q1,c,two,0
"""


@pytest.fixture
def kinds(ndcg: Command, empty: Path) -> Path:
    """Return a warehouse with the grades of people and of models."""
    Path("people.csv").write_text(GROUPED)
    Path("models.csv").write_text(MODELS)
    people = ("load", "assessments", "people.csv", "--kind", "human")
    assert ndcg(*people).code == 0
    models = ("load", "assessments", "models.csv", "--kind", "llm", "--model", "m-1")
    assert ndcg(*models).code == 0
    return empty


def test_agreement_of_kinds_is_that_of_their_assessors(
    ndcg: Command, kinds: Path
) -> None:
    found = json.loads(ndcg("agreement", "--by", "kind", "--format", "json").out)
    values = {(*row["groups"], row["statistic"]): row for row in found}
    assert len(values) == len(found) == 6 + 6 + 2
    pairs = asked(ndcg)
    members = {"human": ["ann", "bob", "cyd"], "llm": ["one", "two"]}
    for kind, names in members.items():
        some = [part for name in names for part in ("--assessor", name)]
        own = json.loads(ndcg("agreement", *some, "--format", "json").out)
        for row in own:
            if not row["statistic"].startswith("cohen"):
                same = values[kind, row["statistic"]]
                assert {key: same[key] for key in row} == row
                assert same["pairs"] is None
    for groups in (["human"], ["llm"], ["human", "llm"]):
        first, last = members[groups[0]], members[groups[-1]]
        couples = {
            tuple(sorted((one, other)))
            for one, other in itertools.product(first, last)
            if one != other
        }
        for name in ("cohen_kappa", "cohen_kappa_quadratic"):
            row = values[(*groups, f"{name}_mean")]
            kappas = [pairs[(name, *couple)] for couple in couples]
            wanted = statistics.mean(value for value in kappas if value is not None)
            assert row["value"] == pytest.approx(wanted, abs=1e-12)
            assert row["pairs"] == len(couples)
            assert row["assessors"] == sorted({*first, *last})
            assert row["documents"] == (4 if groups == ["human"] else 3)
    by_model = json.loads(ndcg("agreement", "--by", "model", "--format", "json").out)
    renamed = [[g.replace("llm", "m-1") for g in row["groups"]] for row in found]
    assert [row["groups"] for row in by_model] == renamed
    assert [row["value"] for row in by_model] == [row["value"] for row in found]
    frame: Any = Warehouse(kinds).agreement(group_by="kind").df()
    assert frame["statistic"].tolist() == [row["statistic"] for row in found]
    # Of one assessor of each, there is no agreement within a kind.
    two = ("--assessor", "ann", "--assessor", "one")
    rows = json.loads(ndcg("agreement", "--by", "kind", *two, "--format", "json").out)
    assert [(row["groups"], row["pairs"]) for row in rows] == [
        (["human", "llm"], 1)
    ] * 2
    kappas = [
        pairs[name, "ann", "one"] for name in ("cohen_kappa", "cohen_kappa_quadratic")
    ]
    assert [row["value"] for row in rows] == kappas


def test_kinds_that_cannot_be_told_are_refused(ndcg: Command, kinds: Path) -> None:
    def refused(*options: str) -> str:
        """Return what is told of options that are refused."""
        told = ndcg("agreement", "--by", *options)
        assert (told.code, told.out) == (2, "")
        return told.err

    assert refused("kin") == "--by kin: not one of kind, model\n"
    sets = ("--judgments", "a", "--judgments", "b")
    assert refused("kind", *sets) == (
        "--by: cannot be combined with --judgments; omit one\n"
    )
    Path("more.csv").write_text(MODELS.replace("one", "three"))
    assert ndcg("load", "assessments", "more.csv").code == 0
    assert refused("kind") == (
        'assessments "more": of no kind; load them with ndcg-sql load assessments FILE'
        " --name more --kind KIND --replace, or name those that have one:"
        " --assessments NAME\n"
    )
    with pytest.raises(NdcgSqlError) as error:
        Warehouse(kinds).agreement(group_by="kind")
    assert str(error.value) == (
        'assessments "more": of no kind; load them with load_assessments(FILE,'
        ' name="more", assessor_kind=KIND, replace=True), or name those that have one:'
        " assessments=[NAME]"
    )
    named = ("--assessments", "people", "--assessments", "models")
    assert ndcg("agreement", "--by", "kind", *named).code == 0
    again = ("load", "assessments", "more.csv", "--kind", "human", "--replace")
    assert ndcg(*again).code == 0
    assert refused("kind") == (
        'assessor "two" is of several kinds or models: "human", "llm"; name the'
        " assessments of one: --assessments NAME\n"
    )
