"""Names of measures: read in several notations, written in one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.families import families
from ndcg_sql.measures import CHOICES, ORDER, parse
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
        elif key == "docs":
            values[key] = str(draw(st.integers(0, 10**15)))
        elif isinstance(family.defaults[key], bool):
            values[key] = draw(st.sampled_from(["true", "false", "True", "False"]))
        else:
            bounds = {
                "p": (0.001, 0.999),
                "T": (0.25, 1e6),
                "max_rel": (2, 50),
                "beta": (0, 1e6),
                "min_rel": (0, 1),
                "rounding": (0, 0.999),
                **dict.fromkeys("abcd", (-1e15, 1e15)),
            }
            values[key] = repr(draw(st.floats(*bounds.get(key, (0, 1e15)))))
    # NumQ takes none.
    some = draw(st.lists(st.sampled_from(list(values)), unique=True)) if values else []
    chosen = list(dict.fromkeys([*some, *needed]))
    # Some do not go together.
    if "ties" in chosen:
        chosen = [key for key in chosen if key not in ("ideal", "judged_only")]
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


@given(measures())
def test_any_name_has_one_canonical_name(text: str) -> None:
    (measure,) = parse(text)
    (again,) = parse(measure.name)
    assert again == measure
    assert again.name == measure.name
    assert " " not in measure.name
    keys = [key for key in ORDER if f"({key}=" in measure.name or f",{key}=" in text]
    assert keys == sorted(keys, key=ORDER.index)


@given(measures())
def test_the_row_of_a_measure_holds_what_its_name_says(text: str) -> None:
    (measure,) = parse(text)
    row = measure.row
    assert row["measure"] == measure.name
    assert row["family"] == measure.family.name
    assert (row["cutoff"], row["level"]) == (measure.cutoff, measure.level)
    assert row["summary"] == measure.family.summary
    assert None in (measure.cutoff, measure.level)
    named = ("measure", "family", "cutoff", "level", "summary")
    assert set(row) == {*named, *(key.lower() for key in ORDER)}


EQUAL = {
    "NDCG": "nDCG",
    "NDCG@10": "nDCG@10",
    "MAP": "AP",
    "MRR@10": "RR@10",
    "HitRate@5": "Success@5",
    "Hits@5": "Success@5",
    "Recall@20": "R@20",
    "Precision@5": "P@5",
    "ndcg@10": "nDCG@10",
    "Ndcg@10": "nDCG@10",
    "mrr": "RR",
    "p@5": "P@5",
    "ap": "AP",
    "judged@10": "Judged@10",
    "ndcg": "nDCG",
    "ndcg.1=3,2=9": "nDCG(gains={1:3,2:9})",
    "ndcg.2=9,1=3.5": "nDCG(gains={1:3.5,2:9})",
    "ndcg_cut.5,10": "nDCG@5 nDCG@10",
    "ndcg_cut_10": "nDCG@10",
    "ndcg_cut.10,10": "nDCG@10",
    "dcg": "DCG",
    "ideal_dcg": "IDCG",
    "map": "AP",
    "map_cut.100": "AP@100",
    "map_cut_100,200": "AP@100 AP@200",
    "P.5": "P@5",
    "P_5": "P@5",
    "recall.20": "R@20",
    "success.5": "Success@5",
    "success": "Success@1 Success@5 Success@10",
    "recip_rank": "RR",
    "ndcg_cut": " ".join(f"nDCG@{k}" for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)),
    "recall": " ".join(f"R@{k}" for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)),
    "nDCG()@10": "nDCG@10",
    "nDCG( )@10": "nDCG@10",
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
    "P(rel=1.0)@5": "P@5",
    "P(rel=2e0)@5": "P(rel=2)@5",
    "P(rel=+.5)@5": "P(rel=0.5)@5",
    "P(rel=-0)@5": "P(rel=0)@5",
    "P(no_rel=1.0)@5": "P(no_rel=1)@5",
    "P(judged_only=True)@5": "P(judged_only=true)@5",
    "P(judged_only=False)@5": "P@5",
    "nDCG@010": "nDCG@10",
    "nDCG@10 P@5\tAP\n": "nDCG@10 P@5 AP",
    "nDCG@10 ndcg_cut.10 NDCG@10": "nDCG@10",
    "nDCG(rel=2, missing='omit')@10 AP": "nDCG(rel=2,missing='omit')@10 AP",
    "Ndcg_Cut.10": "nDCG@10",
    "set": "NumQ NumRet NumRel NumRet(rel=1) utility"
    " SetP SetP(relative=true) SetR SetAP SetF",
    "RECIP_RANK": "RR",
    "IPrec@.1": "IPrec@0.1",
    "IPrec@1e-1": "IPrec@0.1",
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
    "rbp_p=0.9": "rbp",
    "rbp_resid": "rbp_resid",
    "rbp_resid.p=0.8": "rbp_resid(p=0.8)",
    "RBP": "RBP",
    "ndcg_rel": "ndcg_rel",
    "ndcg_rel.1=3": "ndcg_rel(gains={1:3})",
    "Rndcg.2=9": "Rndcg(gains={2:9})",
    "G.1=3,2=9": "G(gains={1:3,2:9})",
    "binG": "binG",
    "g": "G",
    "11pt_avg": "11pt_avg",
    "gm_map gm_bpref yaap": "gm_map gm_bpref yaap",
    "num_q num_ret num_rel": "NumQ NumRet NumRel",
    "num_rel_ret": "NumRet(rel=1)",
    "NumRelRet": "NumRet(rel=1)",
    "numrelret": "NumRet(rel=1)",
    "num_nonrel_judged_ret": "num_nonrel_judged_ret",
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


def takes(family: str) -> str:
    """Return what a family takes, as a message lists it."""
    return ", ".join(families()[family].defaults)


CUTOFF = "is not a whole number from 1 to 999999999"
LEVEL = "a number from 0 to 1000000 after the @; write it like"
PRICE = "is from -1e15 to 1e15"
MAP = "gains is a map like {1:3.5,2:9}, or a scheme's name"
SHAPE = "malformed; write it like nDCG@10 or P(rel=2)@5"
REFUSED = {
    "nDCG@0": f'cutoff "0" {CUTOFF}',
    "nDCG@-1": f'cutoff "-1" {CUTOFF}',
    "nDCG@1.5": f'cutoff "1.5" {CUTOFF}',
    "nDCG@1e3": f'cutoff "1e3" {CUTOFF}',
    "nDCG@": f'cutoff "" {CUTOFF}',
    "nDCG@ten": f'cutoff "ten" {CUTOFF}',
    "nDCG@1000000000": f'cutoff "1000000000" {CUTOFF}',
    "nDCG@1٣": f'cutoff "1٣" {CUTOFF}',
    "P.0": f'cutoff "0" {CUTOFF}',
    "ndcg_cut.10.5": f'cutoff "10.5" {CUTOFF}',
    "nDCG@10@5": SHAPE,
    "nDCG(rel=2": SHAPE,
    "nDCG@10,P@5": SHAPE,
    "ndcg.5": SHAPE,
    "P.": SHAPE,
    "nDCG(10)": '"10" is not key=value',
    "nDCG(,)": '"," is not key=value',
    "nDCG(rel)": '"rel" is not key=value',
    "nDCG(rel=)": '"rel=" is not key=value',
    "nDCG(rel=2,)": "a parameter is missing after the last comma",
    "nDCG(rel=2 base=3)": 'a comma is missing before "base=3"',
    "nDCG(rel=2,rel=2)": "rel is given twice",
    "nDCG(REL=2)": f'nDCG takes no parameter "REL", but {takes("nDCG")}',
    "Judged(rel=2)@5": f'Judged takes no parameter "rel", but {takes("Judged")}',
    "AP(gains={1:2})": f'AP takes no parameter "gains", but {takes("AP")}',
    "nDCG(dcg='log10')": "dcg is one of 'log2', 'exp-log2', 'jk', 'exp-jk'",
    "nDCG(ideal='all')": "ideal is one of 'judged', 'retrieved', 'topk', 'uncut',"
    " 'returned'",
    "P(no_rel=2)": "no_rel is one of 0, 1, 'omit'",
    "P(no_rel=true)": "no_rel is one of 0, 1, 'omit'",
    "P(missing=1)": "missing is one of 0, 'omit'",
    "P(judged_only=1)": "judged_only is true or false",
    "P(judged_only='true')": "judged_only is true or false",
    "nDCG(ties='first')": "ties is one of 'mean'",
    "P(ties='mean')": f'P takes no parameter "ties", but {takes("P")}',
    "nDCG(ties='mean',ideal='topk')": "ties='mean' does not go together with"
    " ideal='topk'",
    "nDCG(base=1)": "base is above 1",
    "DCG(base=0.5)": "base is above 1",
    "P(rel=-1)": "rel is 0 or more: a negative grade means not judged",
    "P(rel='2')": "rel is a number",
    "P(rel=true)": "rel is a number",
    "P(rel=nan)": "rel: nan is neither a number nor text in quotes",
    "P(rel=inf)": "rel: inf is neither a number nor text in quotes",
    "P(rel=1e400)": "rel: 1e400 is no number that a double can hold",
    "P(rel=1e-400)": "rel: 1e-400 is no number that a double can hold",
    "nDCG(dcg=exp-log2)": "dcg: exp-log2 is neither a number nor text in quotes",
    "ERR(max_rel=51)": "max_rel is at most 50",
    "SetF(beta=1e308)": "beta is from 0 to 1000000",
    "INSQ(T=0,max_rel=3)": "T is above 0 and at most 1000000",
    "BPM(T=1000001,max_rel=3)@5": "T is above 0 and at most 1000000",
    "INST(T=0.2,max_rel=3)": "T is 0.25 or more for INST",
    "INST(T=2)": "a max_rel is missing; write it like INST(max_rel=3)",
    "NERR10(p=1,max_rel=3)": "p is above 0 and below 1",
    "NERR10(max_rel=3)@5": "NERR10 takes no cutoff; write it like NERR10(max_rel=3)",
    "Compat(normalize=1)": "normalize is true or false",
    "RBP(p=1)": "p is above 0 and below 1",
    "Rprec@5": "Rprec takes no cutoff; write it like Rprec",
    "SDCG@10": "a max_rel is missing; write it like SDCG(max_rel=3)@10",
    "SDCG(max_rel=3)": "a cutoff is missing; write it like SDCG(max_rel=3)@10",
    "SDCG(max_rel=3)@1000001": "cutoff 1000001 is above 1000000",
    "SDCG(max_rel=0)@10": "max_rel is above min_rel, which is 0 if left out",
    "SDCG(min_rel=3,max_rel=3)@10": "max_rel is above min_rel, which is 0 if left out",
    "nDCG(gains=2)": MAP,
    "nDCG(gains='')": MAP,
    "nDCG(gains={1:2},dcg='exp-jk')": "gains does not go together with dcg='exp-jk'",
    "nDCG(gains={1:2,1.0:3})": "gains: grade 1 is named twice",
    "nDCG(gains={-1:2})": "gains: a negative grade has no gain: it means not judged",
    "ndcg.-1=2": "gains: a negative grade has no gain: it means not judged",
    "nDCG(gains={1:1e400})": "gains: 1e400 is no number that a double can hold",
    "nDCG(gains={1e400:1})": "gains: 1e400 is no number that a double can hold",
    "nDCG(gains={1=2})": 'gains: "1=2" is not grade:gain',
    "nDCG(gains={1:2,})": 'gains: "" is not grade:gain',
    "ndcg.1=x": 'gains: "1:x" is not grade:gain',
    "IPrec": f"IPrec needs {LEVEL} IPrec@0.5",
    "IPrec@": f"IPrec needs {LEVEL} IPrec@0.5",
    "IPrec@-1": f"IPrec needs {LEVEL} IPrec@0.5",
    "IPrec@x": f"IPrec needs {LEVEL} IPrec@0.5",
    "IPrec@nan": f"IPrec needs {LEVEL} IPrec@0.5",
    "IPrec@inf": f"IPrec needs {LEVEL} IPrec@0.5",
    "IPrec@1e400": f"IPrec needs {LEVEL} IPrec@0.5",
    "IPrec(rel=2)": f"IPrec needs {LEVEL} IPrec@0.5",
    "Rprec_mult@1000001": f"Rprec_mult needs {LEVEL} Rprec_mult@0.5",
    "iprec_at_recall.x": f"IPrec needs {LEVEL} IPrec@0.5",
    "IPrec(rounding=1)@0.5": "rounding is 0 or more and below 1",
    "IPrec(rounding=-0.1)@0.5": "rounding is 0 or more and below 1",
    "11pt_avg@5": "11pt_avg takes no cutoff; write it like 11pt_avg",
    "NumRet@5": "NumRet takes no cutoff; write it like NumRet",
    "NumQ(rel=1)": 'NumQ takes no parameter "rel", but none at all',
    "utility(docs=1.5)": "docs is a whole number from 0 to 1e15",
    "utility(docs=-1)": "docs is a whole number from 0 to 1e15",
    "utility(docs=1e16)": "docs is a whole number from 0 to 1e15",
    "utility(a=1e16)": f"a {PRICE}",
    "utility(d=-1e16)": f"d {PRICE}",
    "utility.1,2,3": SHAPE,
    "rbp(p=0)": "p is above 0 and below 1",
    "nDG@10": 'unknown; did you mean "nDCG", "nCG", "DCG"?',
    "ndcg_kut.10": 'unknown; did you mean "ndcg_cut", "ndcg", "ndcg_rel"?',
    "nDCG@10\u202e": f'cutoff "10\\u202e" {CUTOFF}',
}


@pytest.mark.parametrize(("text", "reason"), REFUSED.items())
def test_a_name_that_means_nothing_is_refused(text: str, reason: str) -> None:
    with pytest.raises(NdcgSqlError) as error:
        parse(text)
    shown = text.replace("\u202e", "\\u202e")
    assert str(error.value) == f'measure "{shown}": {reason}'


@pytest.mark.parametrize("text", ["", " ", "\n\t"])
def test_no_name_at_all_is_refused(text: str) -> None:
    with pytest.raises(NdcgSqlError, match="a measure is missing: nDCG@10"):
        parse(text)


@pytest.mark.parametrize("text", ["P(rel=٣)@5", "nDCG(gains={1:٣})", "nDCG@٣"])
def test_only_ascii_digits_are_digits(text: str) -> None:
    with pytest.raises(NdcgSqlError, match=r"^measure "):
        parse(text)


@pytest.mark.parametrize(
    "text", ["nDCG(gains=exp)", "nDCG(dcg=jk)@3", "P(no_rel=omit)", "P(rel=two)"]
)
def test_a_word_without_quotes_is_refused_in_words(text: str) -> None:
    with pytest.raises(NdcgSqlError) as error:
        parse(text)
    assert "float" not in str(error.value)


@pytest.mark.parametrize("text", ["P_", "RBQ(p=0.95)", "PP@5", "rcl"])
def test_a_hint_names_no_spelling_twice(text: str) -> None:
    with pytest.raises(NdcgSqlError) as error:
        parse(text)
    hints = str(error.value).partition("did you mean ")[2].split(", ")
    assert len(set(hints)) == len(hints)


def test_a_hint_about_what_there_is_names_the_command_that_lists_it() -> None:
    with pytest.raises(NdcgSqlError, match="ndcg-sql measures list --families"):
        parse("zzz")


@given(st.text(max_size=30))
def test_any_text_is_a_measure_or_refused(text: str) -> None:
    try:
        found = parse(text)
    except NdcgSqlError as error:
        message = str(error)
        assert harmless(message) == message, message
        return
    assert parse(" ".join(measure.name for measure in found)) == found
