"""How far assessors agree, against other libraries and published values."""

import itertools
import random
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from support import exploring
from support.commands import Command, load_texts, records
from support.compared import agree
from support.files import stored
from support.libraries import library

pytestmark = pytest.mark.slow

Grades = Sequence[Sequence[float | None]]
Found = dict[tuple[str, ...], float | None]


def load(ndcg: Command, rows: Grades) -> None:
    """Load grades, a row an assessor called a0 and so on."""
    lines = [["query_id", "doc_id", *(f"a{number}" for number in range(len(rows)))]]
    for number, own in enumerate(zip(*rows, strict=True)):
        lines.append(["q", f"{number}", *("" if g is None else f"{g!r}" for g in own)])
    text = "".join(",".join(line) + "\n" for line in lines)
    columns = " ".join(f"--assessor-column {name}" for name in lines[0][2:])
    load_texts(ndcg, {f"assessments grades.csv {columns}": text})


def by_name(rows: list[dict[str, Any]]) -> Found:
    """Return every statistic by its name and assessors."""
    return {(row["statistic"], *row["assessors"]): row["value"] for row in rows}


def expected(rows: Grades) -> Found:
    """Return what libraries make of grades, a row an assessor."""
    metrics: Any = library("sklearn.metrics")
    raters: Any = library("statsmodels.stats.inter_rater")
    krippendorff: Any = library("krippendorff")
    data: Any = np.array(rows, dtype=float)
    everyone = tuple(f"a{number}" for number in range(len(data)))
    values: Found = {}
    for pair in itertools.combinations(range(len(data)), 2):
        names = tuple(f"a{number}" for number in pair)
        both = data[list(pair)]
        both = both[:, ~np.isnan(both).any(axis=0)]
        levels = np.unique(both)
        labels: list[Any] = [*np.searchsorted(levels, both)]
        values[("cohen_kappa", *names)] = metrics.cohen_kappa_score(*labels)
        # scikit-learn weighs by the numbers of the levels, not by the grades.
        values[("cohen_kappa_quadratic", *names)] = raters.cohens_kappa(
            metrics.confusion_matrix(*labels),
            weights=(levels[:, None] - levels) ** 2,
            return_results=False,
        )
    whole = data[:, ~np.isnan(data).any(axis=0)]
    table = raters.aggregate_raters(whole.T)[0]
    values[("fleiss_kappa", *everyone)] = raters.fleiss_kappa(table)
    for level in ("nominal", "ordinal", "interval"):
        alpha = krippendorff.alpha(data, level_of_measurement=level)
        values[(f"krippendorff_alpha_{level}", *everyone)] = alpha
    return values


@pytest.mark.parametrize("seed", range(exploring.amount(4, 120)))
def test_statistics_are_those_of_libraries(ndcg: Command, seed: int) -> None:
    chance = random.Random(seed + int(exploring.SEED))
    levels = [0, 0.1, 1, 2.5, 4][: 2 + seed % 4]
    truth = [chance.choice(levels) for _ in range(60)]

    def grade(right: float) -> float | None:
        drawn = chance.random()
        return None if drawn < 0.2 else right if drawn < 0.7 else chance.choice(levels)

    rows = [[grade(right) for right in truth] for _ in range(exploring.amount(4, 10))]
    load(ndcg, rows)
    found = by_name(records(ndcg, "agreement"))
    agree("scikit-learn, statsmodels, krippendorff", "kappas", found, expected(rows))
    # What any client reads is the same.
    sql = "select statistic, assessor, other_assessor, agreement from main.agreement"
    read = {tuple(names): value for *names, value in stored(sql)}
    cohen = {key: value for key, value in found.items() if "cohen" in key[0]}
    assert read == pytest.approx(cohen, abs=1e-12)


WORDS = """\
kappa (Cohen)
weighted kappa (Cohen)
kappa of all (Fleiss)
alpha, same or not (Krippendorff)
alpha, order (Krippendorff)
alpha, size (Krippendorff)"""


def test_a_table_has_the_statistics_in_words(ndcg: Command) -> None:
    load(ndcg, [[0, 1, 2, 2], [0, 1, 1, 2]])
    heading, _, *lines = ndcg("agreement").out.splitlines()
    assert heading.split() == ["statistic", "assessors", "documents", "value"]
    found = records(ndcg, "agreement")
    assert [line.split("  ")[0] for line in lines] == WORDS.split("\n")
    assert [line.split()[-4:] for line in lines] == [
        ["a0,", "a1", "4", f"{row['value']:.4f}"] for row in found
    ]


SAME = "all of these grades are the same"
SIZE = "the squares of these grades are too large or too small"
SIZES = [None, SIZE, None, None, None, SIZE]
NONE, WHO = "no document was judged by", ["both", "both", "all", "two", "two", "two"]
# Grades of two assessors; kappa, and the remarks of kappas, Fleiss' and the alphas.
BLANK: dict[str, tuple[Grades, float | None, list[str | None]]] = {
    # Whose mean is not quite the same as each of them.
    "alike": ([[0.1, 0.1, 0.1]] * 2, None, [SAME] * 6),
    "apart": ([[1, None], [None, 1]], None, [f"{NONE} {who}" for who in WHO]),
    "large": ([[1e200, 0, 1e200], [0, 0, 1e200]], 0.4, SIZES),
    "small": ([[1e-200, 0, 1e-200], [0, 0, 1e-200]], 0.4, SIZES),
    "negative": ([[-1, -1], [1, 1]], None, [f"{NONE} both"] * 2),
}


@pytest.mark.parametrize("case", BLANK)
def test_statistics_that_make_no_sense_are_blank(ndcg: Command, case: str) -> None:
    rows, kappa, remarks = BLANK[case]
    load(ndcg, rows)
    found = records(ndcg, "agreement")
    assert found[0]["value"] == (kappa and pytest.approx(kappa))
    assert [row["remark"] for row in found][: len(remarks)] == remarks
    assert all((row["value"] is None) == bool(row["remark"]) for row in found)
    read = stored("select agreement from main.agreement order by statistic")
    assert read == [(row["value"],) for row in found[:2] if row["documents"]]


def test_judgment_sets_agree_as_assessors(ndcg: Command, empty: Path) -> None:
    drawn = random.Random(5)
    names = ["human", "model", "third"]
    own = Warehouse(empty)
    rows = ["query_id,doc_id,assessor,grade"]
    for name in names:
        said = {
            f"q{q}": {f"d{d}": float(drawn.choice([0, 1, 2])) for d in range(9)}
            for q in range(4)
        }
        own.load_judgments(said, name)
        own.load_judgments({"q0": {"d0": 1.0}}, name, dataset="other")
        rows += [f"{q},{d},{name},{g}" for q, ds in said.items() for d, g in ds.items()]
    Path("said.csv").write_text("\n".join(rows) + "\n")
    own.load_assessments("said.csv", dataset="default")
    options = [part for name in names for part in ("--judgments", name)]
    found = records(ndcg, "agreement", *options, "--dataset", "default")
    assert found == records(ndcg, "agreement")
    assert own.agreement(judgment_sets=names, dataset="default").to_dicts() == found


def table(*rows: str) -> str:
    """Return grades as CSV, from a row for each document with the grades of all."""
    lines = ["query_id,doc_id,assessor,grade"]
    for row in rows:
        document, *grades = row.split()
        lines += [f"{document[:2]},{document[2:]},{g[:3]},{g[3:]}" for g in grades]
    return "\n".join(lines)


GROUPED = table(
    *("q1a ann2 bob2 cyd1", "q1b ann0 bob1 cyd0", "q1c ann1 bob1 cyd1", "q2a ann2 bob0")
)
MODELS = table("q1a one2 two1", "q1b one1 two1", "q1c one1 two0")


@pytest.fixture
def kinds(ndcg: Command, empty: Path) -> Path:
    """Return a warehouse with the grades of people and of models."""
    models = "assessments models.csv --kind llm --model m-1"
    load_texts(ndcg, {"assessments people.csv --kind human": GROUPED, models: MODELS})
    return empty


MEMBERS = {"human": ["ann", "bob", "cyd"], "llm": ["one", "two"]}


def test_kinds_agree_as_their_assessors(ndcg: Command, kinds: Path) -> None:
    found = records(ndcg, "agreement", "--by", "kind")
    values = {(*row["groups"], row["statistic"]): row for row in found}
    assert len(values) == len(found) == 6 + 6 + 2
    pairs = by_name(records(ndcg, "agreement"))
    for kind, names in MEMBERS.items():
        named = [word for name in names for word in ("--assessor", name)]
        for row in records(ndcg, "agreement", *named):
            if not row["statistic"].startswith("cohen"):
                of_kind = row | {"groups": [kind], "pairs": None}
                assert values[kind, row["statistic"]] == of_kind
    for groups in (["human"], ["llm"], ["human", "llm"]):
        first, last = MEMBERS[groups[0]], MEMBERS[groups[-1]]
        couples = {tuple(sorted({a, b})) for a, b in itertools.product(first, last)}
        couples = {couple for couple in couples if len(couple) == 2}
        for name in ("cohen_kappa", "cohen_kappa_quadratic"):
            row = values[(*groups, f"{name}_mean")]
            kappas = [pairs[(name, *couple)] for couple in couples]
            mean = statistics.mean(value for value in kappas if value is not None)
            assert row["value"] == pytest.approx(mean, abs=1e-12)
            assert row["pairs"] == len(couples)
            assert row["assessors"] == sorted({*first, *last})
            assert row["documents"] == (4 if groups == ["human"] else 3)
    models = [[g.replace("llm", "m-1") for g in row["groups"]] for row in found]
    assert records(ndcg, "agreement", "--by", "model") == [
        row | {"groups": groups} for row, groups in zip(found, models, strict=True)
    ]
    assert Warehouse(kinds).agreement(group_by="kind").to_dicts() == found
    # Of one assessor of each, there is no agreement within a kind.
    named = ("--assessor", "ann", "--assessor", "one")
    rows = records(ndcg, "agreement", "--by", "kind", *named)
    assert [(row["groups"], row["pairs"], row["value"]) for row in rows] == [
        (["human", "llm"], 1, pairs[name, "ann", "one"])
        for name in ("cohen_kappa", "cohen_kappa_quadratic")
    ]


def test_kinds_that_cannot_be_told_are_refused(ndcg: Command, kinds: Path) -> None:
    refused: list[tuple[dict[str, Any], str]] = [
        ({}, "needs two; name another"),
        ({"assessors": ["x"]}, "cannot be combined with assessments or assessors; om"),
    ]
    for others, told in refused:
        sets = ["a", "b"] if others else ["a"]
        with pytest.raises(NdcgSqlError, match=f"^judgment_sets: {told}"):
            Warehouse(kinds).agreement(judgment_sets=sets, **others)
    load_texts(ndcg, {"assessments more.csv": MODELS.replace("one", "three")})
    told = (
        'assessments "more": of no kind; load them with ndcg-sql load assessments FILE'
        " --name more --kind KIND --replace, or name others: --assessments NAME\n"
    )
    assert ndcg("agreement", "--by", "kind").refusal == told
    with pytest.raises(NdcgSqlError, match=r'name="more", assessor_kind=KIND, repl'):
        Warehouse(kinds).agreement(group_by="kind")
    named = ("--assessments", "people", "--assessments", "models")
    assert ndcg("agreement", "--by", "kind", *named).code == 0
    again = ("load", "assessments", "more.csv", "--kind", "human", "--replace")
    assert ndcg(*again).code == 0
    told = 'assessor "two" is of several kinds or models: "human", "llm"; name the'
    assert told in ndcg("agreement", "--by", "kind").refusal
