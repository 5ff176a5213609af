"""Names of measures: read in several notations, written in one, or refused."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ndcg_sql.cli.spelling import CommandLine
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.measures.families import families
from ndcg_sql.measures.names import CHOICES, ORDER, parse
from ndcg_sql.text import harmless

CANONICAL = """
nDCG nDCG@10 nDCG@999999999 nDCG(dcg='exp-log2')@10 nDCG(dcg='jk')@10 nDCG(rel=2)@10
nDCG(dcg='jk',base=10) nDCG(dcg='exp-jk',base=2.5)@7 nDCG(gains={1:3.5,2:9})@10
nDCG(gains={0:-1,0.5:0})@10 nDCG(gains='binary')@5 nDCG(gains='esci')@5
nDCG(ideal='retrieved')@5 nDCG(ideal='retrieved',ties='mean')@5 nDCG(no_rel='omit')
nDCG(rel=2,judged_only=true)@10 AP(judged_only=true) P(rel=2)@5 P(rel=0.5)@5 P(rel=0)
nDCG(dcg='exp-log2',ideal='returned',rel=2,no_rel=1,missing='omit')@3 DCG(base=10)@5
DCG IDCG@20 CG@6 nCG@6 AP(rel=2)@100 R@100 RR RR@10 Success@1 Judged(missing='omit')@10
BPM(T=2,max_rel=3)@8 NERR10(p=0.8,min_rel=1,max_rel=3) Compat(p=0.8,normalize=false)
IPrec@0 IPrec(rel=2,rounding=0.9)@0.5 Rprec_mult@1000000 RBP(p=0.95) binG 11pt_avg
11pt_avg(rounding=0.25,missing='omit') ndcg_rel(gains={1:3}) rbp rbp_resid(p=0.5)
utility(rel=2,a=2.5,b=-1e-09,c=1,d=-0.5,docs=1000000000000000) NumQ
"""
# Other spellings of one measure.
SPELLED = """
NDCG@10→nDCG@10 MAP→AP MRR@10→RR@10 HitRate@5→Success@5 Recall@20→R@20 Ndcg@10→nDCG@10
judged@10→Judged@10 ndcg→nDCG ndcg.1=3,2=9→nDCG(gains={1:3,2:9}) hit_rate@10→Success@10
ndcg.2=9,1=3.5→nDCG(gains={1:3.5,2:9}) ndcg_cut.10,10→nDCG@10 dcg→DCG ideal_dcg→IDCG
map→AP map_cut.100→AP@100 P.5→P@5 success.5→Success@5 recip_rank→RR nDCG()@10→nDCG@10
nDCG(dcg='log2',base=2,ideal='judged',no_rel=0,missing=0)@10→nDCG@10 P→P
nDCG(missing='omit',rel=2)@10→nDCG(rel=2,missing='omit')@10 nDCG(base=10)@10→nDCG@10
nDCG(dcg='exp-log2',base=10)@10→nDCG(dcg='exp-log2')@10 Hit@3→Success@3 HR@5→Success@5
nDCG(dcg='jk',base=2)@10→nDCG(dcg='jk')@10 nDCG@010→nDCG@10 ndcg_at_10→nDCG@10
nDCG(gains={0:0,1:1,2:9})@10→nDCG(gains={2:9})@10 nDCG(gains={1:1})@10→nDCG@10
P(rel=1)@5→P@5 P(rel=2e0)@5→P(rel=2)@5 P(rel=+.5)@5→P(rel=0.5)@5 P(rel=-0)@5→P(rel=0)@5
P(no_rel=1.0)@5→P(no_rel=1)@5 P(judged_only=True)@5→P(judged_only=true)@5 num_q→NumQ
IPrec@.1→IPrec@0.1 IPrec@-0→IPrec@0 IPrec(rounding=0.5)@1.0→IPrec@1 f2→F(beta=2)
iprec_at_recall_0.10→IPrec@0.1 RPREC_MULT_1.20→Rprec_mult@1.2 set_F.0.5→SetF(beta=0.5)
utility.2,-1,0,0→utility(a=2) utility_1,0,-.5,2.5→utility(b=0,c=-0.5,d=2.5)
utility(docs=1e3)→utility(docs=1000) rbp.p=0.8→rbp(p=0.8) hit-rate@1→Success@1
Rndcg.2=9→Rndcg(gains={2:9}) G.1=3,2=9→G(gains={1:3,2:9}) g→G num_rel_ret→NumRet(rel=1)
NumRelRet→NumRet(rel=1) SetRelP→SetP(relative=true) set_relative_P→SetP(relative=true)
ndcg_burges@5→nDCG(dcg='exp-log2')@5 NDCG_burges(rel=2)@5→nDCG(dcg='exp-log2',rel=2)@5
hit_rate_at_5→Success@5 ndcg_score→nDCG average_precision→AP r-precision→Rprec
R_cap@10→relative_P@10 precision@5→P@5 Success→Success set_map→SetAP bpref→Bpref
rbp_resid.p=0.8→rbp_resid(p=0.8) F1@5→F@5 utility→utility NumRet(rel=1)→NumRet(rel=1)
"""
# Texts with blanks, or of several measures.
SEVERAL = {
    "ndcg_cut.5,10": "nDCG@5 nDCG@10",
    "success": "Success@1 Success@5 Success@10",
    "recall": " ".join(f"R@{k}" for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)),
    'nDCG( dcg = "exp-log2" , rel = 2.0 )@10': "nDCG(dcg='exp-log2',rel=2)@10",
    "nDCG(gains={ 2 : 9 , 1 : 3.5 })@10": "nDCG(gains={1:3.5,2:9})@10",
    "nDCG@10 ndcg_cut.10 NDCG@10 P@5\tAP\n": "nDCG@10 P@5 AP",
    "set": "NumQ NumRet NumRel NumRet(rel=1) utility"
    " SetP SetP(relative=true) SetR SetAP SetF",
    "iprec_at_recall": " ".join(f"IPrec@{i / 10:g}" for i in range(11)),
    "iprec_at_recall..10,.20": "IPrec@0.1 IPrec@0.2",
    "Rprec_mult": " ".join(f"Rprec_mult@{i / 5:g}" for i in range(1, 11)),
    "nDCG@10,AP ,\tRR,": "nDCG@10 AP RR",
    "P.5,10, nDCG(gains={1:3, 2:9})@5": "P@5 P@10 nDCG(gains={1:3,2:9})@5",
}
EQUAL = {
    **{name: name for name in CANONICAL.split()},
    **{
        before: after
        for before, _, after in (pair.partition("→") for pair in SPELLED.split())
    },
    **SEVERAL,
}


@pytest.mark.parametrize(("text", "canonical"), EQUAL.items())
def test_every_spelling_has_its_canonical_name(text: str, canonical: str) -> None:
    assert " ".join(measure.name for measure in parse(text)) == canonical


NUMBERS = st.floats(min_value=0, max_value=1e15, allow_nan=False)


@st.composite
def measures(draw: st.DrawFn) -> str:
    """Draw the name of a measure with any of the parameters that its family takes."""
    family = draw(st.sampled_from(list(families().values())))
    values: dict[str, str] = {}
    needed = [key for key in family.required if key != "cutoff"]
    for key in family.defaults:
        if key in CHOICES:
            value = draw(st.sampled_from(CHOICES[key]))
            values[key] = f"'{value}'" if isinstance(value, str) else str(value)
        elif key == "base":
            values[key] = repr(draw(st.floats(1.0009765625, 1e6)))
        elif key == "gains":
            pairs = draw(st.dictionaries(NUMBERS, NUMBERS, min_size=1, max_size=4))
            values[key] = "{" + ",".join(f"{a!r}:{b!r}" for a, b in pairs.items()) + "}"
        elif key == "by":
            values[key] = draw(st.sampled_from(["'category'", '"a b"', "'x, (y) @'"]))
        elif key == "docs":
            values[key] = str(draw(st.integers(0, 10**15)))
        elif isinstance(family.defaults[key], bool):
            values[key] = draw(st.sampled_from(["true", "false", "True", "False"]))
        else:
            bounds = {
                "p": (0.001, 0.999),
                "T": (0.25, 1e6),
                "max_rel": (2, 50),
                "alpha": (0, 1),
                "beta": (0, 0.999 if family.name in ("NRBP", "nNRBP") else 1e6),
                "min_rel": (0, 1),
                "rounding": (0, 0.999),
                "tail": (0.001, 1),
                **dict.fromkeys("abcd", (-1e15, 1e15)),
            }
            values[key] = repr(draw(st.floats(*bounds.get(key, (0, 1e15)))))
    some = draw(st.lists(st.sampled_from(list(values)), unique=True)) if values else []
    chosen = list(dict.fromkeys([*some, *needed]))
    # Some do not go together.
    if "ties" in chosen:
        without = ("ideal", "judged_only", "known")
        chosen = [key for key in chosen if key not in without]
    if "gains" in chosen and "exp" in values["dcg"]:
        chosen.remove("gains")
    chosen = draw(st.permutations(chosen))
    brackets = ", ".join(f"{key} = {values[key]}" for key in chosen)
    cutoffs = st.none()
    if family.takes_level:
        cutoffs = st.floats(0, 1e6)
    elif "cutoff" in family.required:
        cutoffs = st.integers(1, 1_000_000)
    elif family.takes_cutoff:
        cutoffs = st.none() | st.integers(1, 999_999_999)
    alias, at = draw(st.sampled_from([family.name, *family.aliases])), draw(cutoffs)
    return (
        alias
        + (f"({brackets})" if brackets else "")
        + (f"@{at!r}" if at is not None else "")
    )


@pytest.mark.slow
@given(measures())
def test_a_measure_has_one_name_and_a_row_that_says_the_same(text: str) -> None:
    (measure,) = parse(text)
    assert parse(measure.name) == [measure]
    keys = [key for key in ORDER if f"({key}=" in measure.name or f",{key}=" in text]
    assert keys == sorted(keys, key=ORDER.index)
    # Only the name of an attribute, in quotes, has blanks.
    assert " " not in re.sub("'[^']*'", "", measure.name)
    facts = {
        "measure": measure.name,
        "family": measure.family.name,
        "cutoff": measure.cutoff,
        "level": measure.level,
        "summary": measure.family.summary,
        "higher_is_better": measure.family.highest_is_best,
        "lower_is_better": measure.family.lowest_is_best,
        "origin": None,
        "reads_judgments": not measure.family.reads_rankings,
    }
    row = measure.row
    assert {fact: row[fact] for fact in facts} == facts
    assert None in (measure.cutoff, measure.level)
    # These have another meaning elsewhere, and so another name as a column.
    other = {"dcg": "dcg_kind", "ties": "tie_rule", "by": "by_attribute"}
    assert set(row) == {*facts, *(other.get(key, key.lower()) for key in ORDER)}


@pytest.mark.slow
@given(st.text(max_size=30))
def test_any_text_is_a_measure_or_refused(text: str) -> None:
    try:
        found = parse(text)
    except NdcgSqlError as error:
        message = str(error)
        assert harmless(message) == message, message
        return
    assert parse(" ".join(measure.name for measure in found)) == found


# Names, and after two blanks why each is refused.
TEXT = Path(__file__).with_name("refused_measures.txt").read_text(encoding="utf-8")
REFUSED = {
    **dict.fromkeys(["", " ", "\n\t"], "a measure is missing; name one"),
    "nDCG@10\u202e": 'cutoff "10\\u202e" is not an integer from 1 to 999999999',
    **dict(line.split("  ", 1) for line in TEXT.splitlines()),
}


@pytest.mark.parametrize(("text", "reason"), REFUSED.items())
def test_a_name_that_means_nothing_is_refused(text: str, reason: str) -> None:
    with pytest.raises(NdcgSqlError) as error:
        parse(text)
    message = str(error.value)
    shown = text.replace("\u202e", "\\u202e")
    assert message.startswith(f'measure "{shown}": ' if text.strip() else "a measure")
    assert reason in message
    assert "float" not in message


@pytest.mark.parametrize("text", ["P_", "RBQ(p=0.95)", "PP@5", "rcl", "zzz"])
def test_a_hint_names_no_spelling_twice_or_the_list(text: str) -> None:
    with pytest.raises(NdcgSqlError) as error:
        parse(text)
    told = error.value.message.spelled(CommandLine())
    hints = told.partition("did you mean ")[2].split(", ")
    assert len(set(hints)) == len(hints)
    assert hints != [""] or "ndcg-sql measures list --families" in told


def test_a_large_number_is_written_short() -> None:
    (measure,) = parse("P(rel=1e300)@5")
    assert len(measure.name) < 20
