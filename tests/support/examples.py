"""Worked examples: small rankings whose values were computed by hand or published.

A family of measures needs at least one value here: as a measure of an example in
examples.txt, or of the case of four queries at the end.
"""

from dataclasses import dataclass
from pathlib import Path

from support.evaluations import Grades
from support.files import Judged, Ranked


@dataclass(frozen=True)
class Example:
    """A ranking given by its grades, and measures with the values expected."""

    ranked: Grades
    values: dict[str, str]
    others: tuple[float, ...] = ()


def _read(path: Path) -> dict[str, Example]:
    """Return the rows of examples.txt by name."""
    rows = [line.split(" | ") for line in path.read_text("utf-8").splitlines()]
    return {
        name: Example(
            [None if grade == "-" else float(grade) for grade in ranked.split()],
            dict(value.split(" ") for value in values),
            tuple(map(float, others.split())),
        )
        for name, ranked, others, *values in (row for row in rows if len(row) > 3)
    }


EXAMPLES = _read(Path(__file__).with_suffix(".txt"))

# The case: four judged queries by nearly every family of measures.
CASE_JUDGED: Judged = {
    "q1": dict(
        zip((f"d{i}" for i in range(1, 10)), (3, 2, 3, 0, 1, 2, 3, 2, -1), strict=True)
    ),
    "q2": {"a": 1, "b": 0, "c": 2},
    "q3": {"x": 0, "y": 0},
    "q4": {"z": 1},
}
CASE_RANKED: Ranked = {
    "q1": dict(
        zip(
            ("d1", "d2", "d3", "d4", "u1", "d5", "d9", "d6"),
            (9, 8, 7, 6, 5.5, 5, 4.5, 4),
            strict=True,
        )
    ),
    "q2": {"b": 1, "a": 1, "c": 1, "n": 0.5},
    "q3": {"x": 2, "w": 1},
    "q9": {"k": 1},
}
# By measure: the values of q1 and q2, and the mean of the four.
CASE_VALUES = {
    "nDCG": ("0.743806168", "0.950234417", "0.423510146"),
    "nDCG@5": ("0.717734007", "0.950234417", "0.416992"),
    "DCG": ("6.748996448", "2.5", "2.3122"),
    "IDCG": ("9.073595699", "2.630929754", "3.1761"),
    "AP": ("0.613095238", "0.833333333", "0.361607143"),
    "AP@5": ("0.428571", "0.833333", "0.315476"),
    "P@5": ("0.6", "0.4", "0.25"),
    "R@5": ("0.428571", "1", "0.357143"),
    "RR": ("1", "1", "0.5"),
    "Rprec": ("0.571429", "0.5", "0.267857"),
    "Bpref": ("0.428571", "0.5", "0.232143"),
    "SetP": ("0.625", "0.5", "0.28125"),
    "SetR": ("0.714286", "1", "0.428571"),
    "F@5": ("0.5", "0.571429", "0.267857"),
    "SetF": ("0.666667", "0.666667", "0.333333"),
    "infAP": ("0.627380", "0.833333", "0.365178"),
    "binG": ("0.561525", "0.815465", "0.3442"),
    "SetAP": ("0.446429", "0.5", "0.236607"),
    "Success@5": ("1", "1", "0.5"),
    "11pt_avg": ("0.632576", "0.909091", "0.385417"),
    "11pt_avg(rounding=0.9)": ("0.6288", "0.8485", "0.3693"),
    "IPrec@0.5": ("0.666667", "1", "0.416667"),
    "IPrec@0.7": ("0.625", "1", "0.40625"),
    "IPrec(rounding=0.9)@0.6": ("0.625", "0.666667", "0.322917"),
    "IPrec(rounding=0.9)@0.7": ("0.625", "0.666667", "0.322917"),
    "Rprec_mult@0.2": ("1", "1", "0.5"),
    "Rprec_mult@1": ("0.571429", "0.5", "0.267857"),
    "Rprec_mult@2": ("0.357143", "0.5", "0.214286"),
    "G": ("0.447166", "0.876977", "0.3310"),
    "ndcg_rel": ("0.814823", "0.975117", "0.4475"),
    "Rndcg": ("0.758521", "0.903474", "0.4155"),
    "rbp": ("0.292569", "0.1405", "0.1083"),
    "RBP": ("0.595479", "0.328", "0.230870"),
    "CG": ("11", "3", "3.5"),
    "nERR(max_rel=3)": ("0.986360", "0.968553", "0.488728"),
    "SetP(relative=true)": ("0.714286", "1", "0.428571"),
}
# Their values of queries without anything relevant or without an answer.
CASE_OTHERS = {
    "rbp_resid": ("0.549221", "0.729", "0.9", "0", "0.5446"),
    "unj@5": ("0.2", "0.2", "0.2", "0", "0.15"),
    "utility": ("2", "0", "-2", "0", "0"),
    "utility(a=2,b=0,c=-1,d=0.5,docs=100)": ("53", "52", "49", "0", "38.5"),
    "yaap": ("0.355551", "0.693147", "0", "-0.693147", "0.088888"),
    "Judged@5": ("0.8", "0.75", "0.5", "0", "0.5125"),
    "gm_map": ("0.613095", "0.833333", "0", "0", "0.002674"),
    "gm_bpref": ("0.428571", "0.5", "0", "0", "0.002152"),
    "NumQ": ("1", "1", "1", "1", "4"),
    "NumRet": ("8", "4", "2", "0", "14"),
    "NumRel": ("7", "2", "0", "1", "10"),
    "NumRet(rel=1)": ("5", "2", "0", "0", "7"),
    "NumRel(rel=2)": ("6", "1", "0", "0", "7"),
    "num_nonrel_judged_ret": ("1", "1", "1", "0", "3"),
}
CASE_Q1 = {
    "nDCG(dcg='exp-log2')@5": "0.713496",
    "nDCG(dcg='jk')@5": "0.706653",
    "nDCG(ideal='retrieved')@5": "0.806871",
    "nDCG(ideal='topk')@5": "0.977781",
    "nDCG(ideal='uncut')@5": "0.635014",
    "nDCG(gains={1:0.1,2:0.5,3:1})@5": "0.714836",
    "nCG@5": "0.615385",
    "SDCG(max_rel=3)@5": "0.651398",
    "SetF(beta=2)": "0.681818",
    "ERR@5": "0.556885",
    "ERR(max_rel=3)": "0.921828",
    "relative_P@5": "0.6",
    "Judged@10": "0.75",
    "INST(max_rel=3)": "0.892524",
    "INSQ(max_rel=3)": "0.623676",
    "BPM(T=2,max_rel=3)@8": "0.888889",
    "NERR8(max_rel=3)@5": "1",
    "NERR9(max_rel=3)@5": "1",
    "NERR10(max_rel=3)": "1",
    "NERR11(max_rel=3)": "1",
    "Compat": "0.670019",
    "Accuracy": "0.666667",
}
CASE_OPTIONS = {
    "nDCG": ("0.423510146", 4),
    "nDCG(missing='omit')": ("0.564680195", 3),
    "nDCG(no_rel='omit',missing='omit')": ("0.847020292", 2),
    "nDCG(no_rel=1)": ("0.673510146", 4),
    "gm_map": ("0.002674", 4),
    "gm_map(missing='omit')": ("0.017223", 3),
    "gm_map(no_rel='omit',missing='omit')": ("0.714782", 2),
    "gm_bpref(no_rel=1)": ("0.038260", 4),
}
