"""Names that mean no measure are refused, and told why."""

import pytest

from ndcg_sql.cli.spelling import CommandLine
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.measures.families import families
from ndcg_sql.measures.names import parse


def takes(family: str) -> str:
    """Return what a family takes, as a message lists it."""
    return ", ".join(families()[family].defaults)


CUTOFF = "is not an integer from 1 to 999999999"
LEVEL = "a number from 0 to 1000000 after the @; write it like"
PRICE = "must be from -1e15 to 1e15"
LOWEST = "max_rel must be above min_rel, which is 0 by default"
MAP = "gains must be a map like {1:3.5,2:9}, or a scheme's name"
BARE = "is neither a number nor text in quotes; did you mean"
SHAPE = "malformed; write it like nDCG@10 or P(rel=2)@5"
REFUSED = {
    "nDCG@0": f'cutoff "0" {CUTOFF}',
    "nDCG@1.5": f'cutoff "1.5" {CUTOFF}',
    "nDCG@": f'cutoff "" {CUTOFF}',
    "nDCG@10,20": f'cutoff "10,20" {CUTOFF}; name each measure: nDCG@5, nDCG@10',
    "nDCG@1000000000": f'cutoff "1000000000" {CUTOFF}',
    "nDCG@1٣": f'cutoff "1٣" {CUTOFF}',
    "ndcg_cut.10.5": f'cutoff "10.5" {CUTOFF}',
    "nDCG@10@5": SHAPE,
    "nDCG(rel=2": SHAPE,
    "ndcg.5": SHAPE,
    "nDCG(10)": '"10" is not key=value',
    "nDCG(,)": '"," is not key=value',
    "nDCG(rel)": '"rel" is not key=value',
    "nDCG(rel=2,)": "a parameter is missing after the last comma",
    "nDCG(rel=2 base=3)": 'a comma is missing before "base=3"',
    "nDCG(rel=2,rel=2)": "rel is given twice",
    "nDCG(REL=2)": f'nDCG takes no parameter "REL"; it takes {takes("nDCG")}',
    "Judged(rel=2)@5": f'Judged takes no parameter "rel"; it takes {takes("Judged")}',
    "AP(gains={1:2})": f'AP takes no parameter "gains"; it takes {takes("AP")}',
    "nDCG(dcg='log10')": "dcg must be one of 'log2', 'exp-log2', 'jk', 'exp-jk'",
    "nDCG(ideal='all')": "ideal must be one of 'judged', 'retrieved', 'topk', 'uncut',"
    " 'returned'",
    "P(no_rel=2)": "no_rel must be one of 0, 1, 'omit'",
    "P(missing=1)": "missing must be one of 0, 'omit'",
    "P(judged_only=1)": "judged_only must be true or false",
    "nDCG(ties='first')": "ties must be one of 'mean'",
    "P(ties='mean')": f'P takes no parameter "ties"; it takes {takes("P")}',
    "nDCG(ties='mean',ideal='topk')": "ties='mean' cannot be combined with"
    " ideal='topk'",
    "nDCG(base=1)": "base must be above 1",
    "P(rel=-1)": "rel must be 0 or more: a negative grade means not judged",
    "P(rel='2')": "rel must be a number",
    "P(rel=nan)": "rel: nan is neither a number nor text in quotes",
    "P(rel=1e400)": "rel: 1e400 is too large or too small for a double",
    "nDCG(dcg=exp-log2)": f"dcg: exp-log2 {BARE} \"nDCG(dcg='exp-log2')\"?",
    "nDCG(known=omit)@10": f"known: omit {BARE} \"nDCG(known='omit')@10\"?",
    "nDCG(rel=2, dcg = jk ,judged_only=true)": f"dcg: jk {BARE} "
    "\"nDCG(rel=2, dcg ='jk' ,judged_only=true)\"?",
    "ILD(by=brand,known=omit)@5": f"by: brand {BARE} "
    "\"ILD(by='brand',known='omit')@5\"?",
    "nDCG(known=leave)": "known: leave is neither a number nor text in quotes; it must"
    " be one of 'keep', 'omit'",
    "ERR(max_rel=51)": "max_rel must be at most 50",
    "SetF(beta=1e308)": "beta must be from 0 to 1000000",
    "INSQ(T=0,max_rel=3)": "T must be above 0 and at most 1000000",
    "BPM(T=1000001,max_rel=3)@5": "T must be above 0 and at most 1000000",
    "INST(T=0.2,max_rel=3)": "T must be 0.25 or more for INST",
    "INST(T=2)": "a max_rel is missing; write it like INST(max_rel=3)",
    "NERR10(p=1,max_rel=3)": "p must be above 0 and below 1",
    "NERR10(max_rel=3)@5": "NERR10 takes no cutoff; write it like NERR10(max_rel=3)",
    "Compat(normalize=1)": "normalize must be true or false",
    "RBP(p=1)": "p must be above 0 and below 1",
    "Rprec@5": "Rprec takes no cutoff; write it like Rprec",
    "SDCG@10": "a max_rel is missing; write it like SDCG(max_rel=3)@10",
    "SDCG(max_rel=3)": "a cutoff is missing; write it like SDCG(max_rel=3)@10",
    "SDCG(max_rel=3)@1000001": "cutoff 1000001 is above 1000000",
    "SDCG(max_rel=0)@10": LOWEST,
    "SDCG(min_rel=3,max_rel=3)@10": LOWEST,
    "nDCG(gains=2)": MAP,
    "nDCG(gains='')": MAP,
    "nDCG(gains={1:2},dcg='exp-jk')": "gains cannot be combined with dcg='exp-jk'",
    "nDCG(gains={1:2,1.0:3})": "gains: grade 1 is given twice",
    "nDCG(gains={-1:2})": "gains: a negative grade has no gain: it means not judged",
    "nDCG(gains={1:1e400})": "gains: 1e400 is too large or too small for a double",
    "nDCG(gains={1=2})": 'gains: "1=2" is not grade:gain',
    "nDCG(gains={1:2,})": 'gains: "" is not grade:gain',
    "ndcg.1=x": 'gains: "1:x" is not grade:gain',
    "IPrec": f"IPrec needs {LEVEL} IPrec@0.5",
    "IPrec@-1": f"IPrec needs {LEVEL} IPrec@0.5",
    "IPrec@nan": f"IPrec needs {LEVEL} IPrec@0.5",
    "IPrec(rel=2)": f"IPrec needs {LEVEL} IPrec@0.5",
    "Rprec_mult@1000001": f"Rprec_mult needs {LEVEL} Rprec_mult@0.5",
    "IPrec(rounding=1)@0.5": "rounding must be 0 or more and below 1",
    "11pt_avg@5": "11pt_avg takes no cutoff; write it like 11pt_avg",
    "NumQ(rel=1)": 'NumQ takes no parameter "rel"; it takes known',
    "utility(docs=1.5)": "docs must be an integer from 0 to 1e15",
    "utility(docs=1e16)": "docs must be an integer from 0 to 1e15",
    "utility(a=1e16)": f"a {PRICE}",
    "utility.1,2,3": SHAPE,
    "rbp(p=0)": "p must be above 0 and below 1",
    "NGCD@5": 'unknown; did you mean "NCG@5", "NDCG@5"?',
    "hit_rat@5": 'unknown; did you mean "hit_rate@5", "hit_ratio@5", "hitrate@5"?',
    "nDG@10": 'unknown; did you mean "nDCG@10", "nCG@10", "DCG@10"?',
    "ndgc@10": 'unknown; did you mean "ndcg@10", "dcg@10"?',
    "PP(rel=2)@5": 'unknown; did you mean "P(rel=2)@5", "AP(rel=2)@5"?',
    "official@5": 'unknown; did you mean "official"?',
    "ndcg_kut.10": 'unknown; did you mean "ndcg_cut.10"?',
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
    with pytest.raises(NdcgSqlError, match="a measure is missing; name one"):
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
    with pytest.raises(NdcgSqlError) as error:
        parse("zzz")
    told = error.value.message.spelled(CommandLine())
    assert "ndcg-sql measures list --families" in told
