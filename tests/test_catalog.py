"""The catalog of families: each is described, tried, and has what it takes."""

import re

import pytest
import test_oracle_user_models
from formulas import VARIANTS
from test_oracle import IR_MEASURES, TREC_EVAL, TREC_EVAL_COUNTS
from test_worked_case import CASE_OTHERS, CASE_Q1, CASE_VALUES
from test_worked_examples import EXAMPLES

from ndcg_sql import sqlfiles
from ndcg_sql.families import Family, families
from ndcg_sql.measures import ORDER, parse

FAMILIES = [pytest.param(family, id=name) for name, family in families().items()]


def named(*measures: str) -> set[str]:
    """Return the names of the families of measures."""
    return {parse(measure)[0].family.name for measure in measures}


# What else gives the same values, by the program that is asked in test_oracle
# (and in test_published for gdeval's ERR), ...
PROGRAMS = {
    "trec_eval": named(*TREC_EVAL, *TREC_EVAL_COUNTS),
    "ir_measures": named(*IR_MEASURES, *test_oracle_user_models.IR_MEASURES),
    "scikit-learn": {"DCG", "nDCG", "IDCG"},
    "gdeval": {"nDCG", "ERR"},
}
# ... or by nothing but the formula, for no program that can be installed has it.
ALONE = {"CG", "nCG", "nERR", "unj", "yaap", "rbp", "rbp_resid"}
WORKED = named(
    *(measure for example in EXAMPLES.values() for measure in example.values),
    *(*CASE_VALUES, *CASE_OTHERS, *CASE_Q1),
)
WRITTEN_OUT = [*VARIANTS.values(), *test_oracle_user_models.MODELS.values()]
MEANINGS = {row["column"]: row["meaning"] for row in sqlfiles.rows("columns")}


def columns_of_measures() -> set[str]:
    """Return the columns that the migrations give to the table measures."""
    text = "\n".join(migration.text for migration in sqlfiles.migrations())
    (made,) = re.findall(r"create table measures \((.*?)\n\);", text, re.DOTALL)
    added = re.findall(r"alter table measures add column (\w+)", text)
    return {*re.findall(r"(?m)^    (\w+) ", made), *added}


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_is_described(family: Family) -> None:
    assert re.fullmatch(r"\S.{20,}[^\s.]", family.description)
    assert family.source
    assert family.summary in ("mean", "sum", "geometric")


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_is_compared_with_what_others_compute(family: Family) -> None:
    assert family.name in {variant.family for variant in WRITTEN_OUT}
    programs = [name for name, known in PROGRAMS.items() if family.name in known]
    assert bool(programs) != (family.name in ALONE), programs


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_has_a_worked_example(family: Family) -> None:
    assert family.name in WORKED


@pytest.mark.parametrize("family", FAMILIES)
def test_the_parameters_of_a_family_have_a_place_and_a_meaning(family: Family) -> None:
    assert set(family.defaults) <= set(ORDER)
    keys = {key.lower() for key in family.defaults}
    keys |= {"cutoff"} if family.takes_cutoff else set()
    keys |= {"level"} if family.takes_level else set()
    assert keys <= columns_of_measures()
    assert all(MEANINGS[key] for key in keys)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_parameter_of_a_family_is_tried(family: Family) -> None:
    own = [v.options for v in WRITTEN_OUT if v.family == family.name]
    tried = {key for options in own for key in options}
    # What ties are worth is what scikit-learn is asked.
    assert tried >= family.defaults.keys() - {"ties"}


def test_a_measure_fills_the_columns_that_there_are() -> None:
    assert set(parse("nDCG@10")[0].row) == columns_of_measures()
