"""Names of measures: read in several notations, written in one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.measures.families import families
from ndcg_sql.measures.names import CHOICES, ORDER, parse
from ndcg_sql.text import harmless


def names(text: str) -> str:
    """Return the canonical names that a text stands for, separated by blanks."""
    return " ".join(measure.name for measure in parse(text))


CANONICAL = [
    "nDCG",
    "nDCG@10",
    "nDCG@999999999",
    "nDCG(dcg='exp-log2')@10",
    "nDCG(dcg='jk')@10",
    "nDCG(dcg='jk',base=10)",
    "nDCG(dcg='exp-jk',base=2.5)@7",
    "nDCG(gains={1:3.5,2:9})@10",
    "nDCG(gains={0:-1,0.5:0})@10",
    "nDCG(gains='binary')@5",
    "nDCG(gains='esci')@5",
    "nDCG(ideal='retrieved')@5",
    "nDCG(ideal='retrieved',ties='mean')@5",
    "nDCG(rel=2,judged_only=true)@10",
    "AP(judged_only=true)",
    "nDCG(dcg='exp-log2',ideal='returned',rel=2,no_rel=1,missing='omit')@3",
    "nDCG(rel=2)@10",
    "nDCG(no_rel='omit')",
    "DCG(base=10)@5",
    "DCG",
    "IDCG@20",
    "CG@6",
    "nCG@6",
    "P(rel=2)@5",
    "P(rel=0.5)@5",
    "P(rel=0)",
    "AP(rel=2)@100",
    "R@100",
    "RR",
    "RR@10",
    "Success@1",
    "Judged@10",
    "Judged(missing='omit')@10",
    "BPM(T=2,max_rel=3)@8",
    "NERR10(p=0.8,min_rel=1,max_rel=3)",
    "Compat(p=0.8,normalize=false)",
    "IPrec@0",
    "IPrec(rel=2,rounding=0.9)@0.5",
    "Rprec_mult@1000000",
    "11pt_avg(rounding=0.25,missing='omit')",
    "utility(rel=2,a=2.5,b=-1e-09,c=1,d=-0.5,docs=1000000000000000)",
    "ndcg_rel(gains={1:3})",
    "rbp_resid(p=0.5)",
    "NumQ",
    "NumRet(rel=1)",
]


@pytest.mark.parametrize("name", CANONICAL)
def test_a_canonical_name_reads_back_as_itself(name: str) -> None:
    (measure,) = parse(name)
    assert measure.name == name


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
    # NumQ takes none.
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
def test_any_name_has_one_canonical_name(text: str) -> None:
    (measure,) = parse(text)
    (again,) = parse(measure.name)
    assert again == measure
    assert again.name == measure.name
    assert " " not in measure.name
    keys = [key for key in ORDER if f"({key}=" in measure.name or f",{key}=" in text]
    assert keys == sorted(keys, key=ORDER.index)


@pytest.mark.slow
@given(measures())
def test_the_row_of_a_measure_holds_what_its_name_says(text: str) -> None:
    (measure,) = parse(text)
    row = measure.row
    assert row["measure"] == measure.name
    assert row["family"] == measure.family.name
    assert (row["cutoff"], row["level"]) == (measure.cutoff, measure.level)
    assert row["summary"] == measure.family.summary
    assert None in (measure.cutoff, measure.level)
    facts = {
        "higher_is_better": measure.family.highest_is_best,
        "reads_judgments": not measure.family.reads_rankings,
    }
    assert {fact: row[fact] for fact in facts} == facts
    named = ("measure", "family", "cutoff", "level", "summary", *facts)
    # These have another meaning elsewhere, and so another name as a column.
    other = {"dcg": "dcg_kind", "ties": "tie_rule", "by": "by_attribute"}
    assert set(row) == {*named, *(other.get(key, key.lower()) for key in ORDER)}


EQUAL = {
    "NDCG@10": "nDCG@10",
    "MAP": "AP",
    "MRR@10": "RR@10",
    "HitRate@5": "Success@5",
    "Recall@20": "R@20",
    "Ndcg@10": "nDCG@10",
    "judged@10": "Judged@10",
    "ndcg": "nDCG",
    "ndcg.1=3,2=9": "nDCG(gains={1:3,2:9})",
    "ndcg.2=9,1=3.5": "nDCG(gains={1:3.5,2:9})",
    "ndcg_cut.5,10": "nDCG@5 nDCG@10",
    "ndcg_cut.10,10": "nDCG@10",
    "dcg": "DCG",
    "ideal_dcg": "IDCG",
    "map": "AP",
    "map_cut.100": "AP@100",
    "P.5": "P@5",
    "success.5": "Success@5",
    "success": "Success@1 Success@5 Success@10",
    "recip_rank": "RR",
    "ndcg_cut": " ".join(f"nDCG@{k}" for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)),
    "recall": " ".join(f"R@{k}" for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)),
    "nDCG()@10": "nDCG@10",
    "nDCG(dcg='log2',base=2,ideal='judged',no_rel=0,missing=0)@10": "nDCG@10",
    'nDCG( dcg = "exp-log2" , rel = 2.0 )@10': "nDCG(dcg='exp-log2',rel=2)@10",
    "nDCG(missing='omit',rel=2)@10": "nDCG(rel=2,missing='omit')@10",
    "nDCG(base=10)@10": "nDCG@10",
    "nDCG(dcg='exp-log2',base=10)@10": "nDCG(dcg='exp-log2')@10",
    "nDCG(dcg='jk',base=2)@10": "nDCG(dcg='jk')@10",
    "nDCG(gains={ 2 : 9 , 1 : 3.5 })@10": "nDCG(gains={1:3.5,2:9})@10",
    "nDCG(gains={0:0,1:1,2:9})@10": "nDCG(gains={2:9})@10",
    "nDCG(gains={1:1})@10": "nDCG@10",
    "P(rel=1)@5": "P@5",
    "P(rel=2e0)@5": "P(rel=2)@5",
    "P(rel=+.5)@5": "P(rel=0.5)@5",
    "P(rel=-0)@5": "P(rel=0)@5",
    "P(no_rel=1.0)@5": "P(no_rel=1)@5",
    "P(judged_only=True)@5": "P(judged_only=true)@5",
    "nDCG@010": "nDCG@10",
    "nDCG@10 P@5\tAP\n": "nDCG@10 P@5 AP",
    "nDCG@10 ndcg_cut.10 NDCG@10": "nDCG@10",
    "nDCG(rel=2, missing='omit')@10 AP": "nDCG(rel=2,missing='omit')@10 AP",
    "set": "NumQ NumRet NumRel NumRet(rel=1) utility"
    " SetP SetP(relative=true) SetR SetAP SetF",
    "IPrec@.1": "IPrec@0.1",
    "IPrec@-0": "IPrec@0",
    "IPrec(rounding=0.5)@1.0": "IPrec@1",
    "iprec_at_recall": " ".join(f"IPrec@{i / 10:g}" for i in range(11)),
    "iprec_at_recall_0.10": "IPrec@0.1",
    "iprec_at_recall..10,.20": "IPrec@0.1 IPrec@0.2",
    "Rprec_mult": " ".join(f"Rprec_mult@{i / 5:g}" for i in range(1, 11)),
    "Rprec_mult.0.2,0.4": "Rprec_mult@0.2 Rprec_mult@0.4",
    "RPREC_MULT_1.20": "Rprec_mult@1.2",
    "utility": "utility",
    "utility.2,-1,0,0": "utility(a=2)",
    "utility_1,0,-.5,2.5": "utility(b=0,c=-0.5,d=2.5)",
    "utility(docs=1e3)": "utility(docs=1000)",
    "set_F.0.5": "SetF(beta=0.5)",
    "rbp": "rbp",
    "rbp.p=0.8": "rbp(p=0.8)",
    "rbp_resid": "rbp_resid",
    "rbp_resid.p=0.8": "rbp_resid(p=0.8)",
    "RBP": "RBP",
    "ndcg_rel": "ndcg_rel",
    "Rndcg.2=9": "Rndcg(gains={2:9})",
    "G.1=3,2=9": "G(gains={1:3,2:9})",
    "binG": "binG",
    "g": "G",
    "11pt_avg": "11pt_avg",
    "gm_map gm_bpref yaap": "gm_map gm_bpref yaap",
    "num_q num_ret num_rel": "NumQ NumRet NumRel",
    "num_rel_ret": "NumRet(rel=1)",
    "NumRelRet": "NumRet(rel=1)",
    "nDCG@10, AP": "nDCG@10 AP",
    "nDCG@10,AP ,\tRR,": "nDCG@10 AP RR",
    "P.5,10, nDCG(gains={1:3, 2:9})@5": "P@5 P@10 nDCG(gains={1:3,2:9})@5",
    "hit_rate@10 Hit@3 HR@5 hit-rate@1": "Success@10 Success@3 Success@5 Success@1",
    "recall@10 precision@5 mrr@10": "R@10 P@5 RR@10",
    "ndcg_at_10 map_at_100 hit_rate_at_5": "nDCG@10 AP@100 Success@5",
    "ndcg_burges@5": "nDCG(dcg='exp-log2')@5",
    "NDCG_burges(rel=2)@5": "nDCG(dcg='exp-log2',rel=2)@5",
    "f1@5 F1 f2@3": "F@5 F F(beta=2)@3",
    "r-precision R_cap@10": "Rprec relative_P@10",
    "ndcg_score average_precision": "nDCG AP",
}


@pytest.mark.parametrize(("text", "canonical"), EQUAL.items())
def test_other_spellings_mean_the_same_measure(text: str, canonical: str) -> None:
    assert names(text) == canonical


def test_an_exact_name_comes_before_one_of_trec_eval() -> None:
    assert names("P") == "P"
    assert names("Success") == "Success"
    assert names("success") == "Success@1 Success@5 Success@10"


def test_a_large_number_is_written_short() -> None:
    assert len(names("P(rel=1e300)@5")) < 20


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
