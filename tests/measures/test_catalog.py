"""The catalog of families: each is described, tried, and has what it takes.

A new row of sql/measures.csv makes these tests fail until the family has all of
it; their messages say what is missing, and where to add it.
"""

import re

import pytest

from ndcg_sql.database import sql_files
from ndcg_sql.measures.families import Family, families
from ndcg_sql.measures.names import ORDER, parse
from support.examples import CASE_OTHERS, CASE_Q1, CASE_VALUES, EXAMPLES
from support.formulas import VARIANTS
from support.oracles import ALONE, PROGRAMS, named
from support.properties import HURT
from support.shown import BY_HAND, OF_RANKINGS, RUNS_BY_HAND
from support.subtopics import OF_ALPHA, OF_JUDGMENTS, WORKED_VALUES
from support.user_models import MODELS

FAMILIES = [pytest.param(family, id=name) for name, family in families().items()]
# What is written out in Python knows judgments alone; test_subtopics.py,
# test_whole_rankings.py and test_whole_runs.py try the others.
PLAIN = [pytest.param(family, id=name) for name, family in OF_JUDGMENTS.items()]
WORKED = named(
    *(measure for example in EXAMPLES.values() for measure in example.values),
    *(*CASE_VALUES, *CASE_OTHERS, *CASE_Q1, *WORKED_VALUES, *BY_HAND, *RUNS_BY_HAND),
)
WRITTEN_OUT = [*VARIANTS.values(), *MODELS.values()]
MEANINGS = {row["column"]: row["meaning"] for row in sql_files.rows("columns")}


def columns_of_measures() -> set[str]:
    """Return the columns that the migrations give to the table measures."""
    text = "\n".join(sql_files.migrations().values())
    (made,) = re.findall(r"create table measures \((.*?)\n\);", text, re.DOTALL)
    added = re.findall(r"alter table measures add column (\w+)", text)
    return {*re.findall(r"(?m)^    (\w+) ", made), *added}


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_is_described_with_its_properties(family: Family) -> None:
    row = f"the row of {family.name} in sql/measures.csv"
    described = re.fullmatch(r"\S.{20,}[^\s.]", family.description)
    assert described, f"{row} needs a description, a phrase without a full stop"
    assert family.source, f"{row} needs a source: who defined the measure, and where"
    hurt = (*HURT, *OF_ALPHA, *OF_RANKINGS)
    assert (family.name in hurt) == (not family.monotone), (
        f"{family.name}: a family that is not monotone has an example of it in HURT in"
        " tests/support/properties.py, and no other has"
    )


@pytest.mark.parametrize("family", PLAIN)
def test_a_family_is_compared_with_its_formula(family: Family) -> None:
    own = [v.options for v in WRITTEN_OUT if v.family == family.name]
    assert own, (
        f"{family.name} has no formula: add a function of it, with @formula, to"
        " tests/support/formulas.py, or Models to tests/support/user_models.py"
    )
    tried = {key for options in own for key in options}
    # What ties are worth is what scikit-learn is asked; known documents are taken out
    # of every family before its formula is asked.
    missing = family.defaults.keys() - {"ties", "known"} - tried
    assert not missing, (
        f"{family.name}: no formula is asked with {sorted(missing)}; add these options"
        " to what its @formula in tests/support/formulas.py is tried with"
    )


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_is_compared_with_a_program_and_a_worked_example(
    family: Family,
) -> None:
    programs = [name for name, known in PROGRAMS.items() if family.name in known]
    assert programs or family.name in (*ALONE, *OF_RANKINGS), (
        f"{family.name} has no oracle: add a measure of it to those that a program is"
        " asked for in tests/support/oracles.py, or, if no program that can be"
        " installed has it, alone=True to its @formula in tests/support/formulas.py"
    )
    assert not (programs and family.name in ALONE), (
        f"{family.name}: {programs} know it; remove alone=True from its @formula in"
        " tests/support/formulas.py"
    )
    assert family.name in WORKED, (
        f"{family.name} has no worked case: add its values, computed by hand or"
        " published, to EXAMPLES or to the case in tests/support/examples.py"
    )


@pytest.mark.parametrize("family", FAMILIES)
def test_the_parameters_of_a_family_have_a_place_and_a_meaning(family: Family) -> None:
    unknown = set(family.defaults) - set(ORDER)
    assert not unknown, f"{sorted(unknown)}: not in sql/parameters.csv"
    keys = {key.lower() for key in family.defaults}
    keys |= {"cutoff"} if family.takes_cutoff else set()
    keys |= {"level"} if family.takes_level else set()
    # Some have another meaning elsewhere, and so another name as a column.
    columns = {
        {"dcg": "dcg_kind", "ties": "tie_rule", "by": "by_attribute"}.get(key, key)
        for key in keys
    }
    lacking = columns - columns_of_measures()
    assert not lacking, f"{sorted(lacking)}: the table measures has no such columns"
    for column in columns:
        assert MEANINGS.get(column), f"{column}: sql/columns.csv does not explain it"


def test_a_measure_fills_the_columns_that_there_are() -> None:
    # The registry adds the name that trec_eval has for it.
    row = {*parse("nDCG@10")[0].row, "trec_eval_name"}
    assert row == columns_of_measures()
