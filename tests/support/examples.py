"""Worked examples: small rankings whose values were computed by hand or published.

A family of measures needs at least one value here: as a measure of an example,
or of the case of four queries at the end.
"""

from dataclasses import dataclass

from support.evaluations import Grades
from support.files import Judged, Ranked


@dataclass(frozen=True)
class Example:
    """A ranking given by its grades, and measures with the values expected."""

    ranked: Grades
    values: dict[str, str]
    others: tuple[float, ...] = ()


PHONES: Grades = [3, 2, 3, 0, 1, 2]
RATED: Grades = [3, 2, 1, 3, 2]
BOUGHT: Grades = [1, None, None, 1, None]
JK_RANKED: Grades = [3, 2, 3, 0, 0, 1, 2, 2, 3, 0]
EXP = "dcg='exp-log2'"
RETRIEVED = "ideal='retrieved'"
BEST = (f"IDCG({EXP})", f"IDCG({EXP},ideal='returned')")
# Expected values are text: the number of decimals says how closely to compare.
EXAMPLES = {
    "W1": Example(PHONES, {"CG@6": "11", "nCG@6": "0.733333"}, (3, 2)),
    "W2": Example(
        PHONES,
        {"DCG@6": "6.861126689", "IDCG@6": "8.740262366", "nDCG@6": "0.785002372"},
        (3, 2),
    ),
    "W3": Example(PHONES, {f"nDCG({RETRIEVED})@6": "0.960808194"}, (3, 2)),
    "W4": Example(
        PHONES,
        {f"DCG({EXP})@6": "13.848263629", f"nDCG({EXP})@6": "0.751083387"},
        (3, 2),
    ),
    "W5": Example(PHONES, {f"nDCG({EXP},{RETRIEVED})@6": "0.948810749"}, (3, 2)),
    "W6": Example([3, 2, 0, 3, 1, 2], {"DCG@6": "6.653156363"}, (3, 2)),
    "W7": Example(
        [3, 4, 3], {"nDCG@3": "0.950076996", f"nDCG({EXP})@3": "0.871160042"}
    ),
    "W8": Example(
        [5, 1, 3, 2, 4], {f"nDCG({EXP})@5": "0.925134411", "nDCG@5": "0.928715324"}
    ),
    "W9": Example(
        [5, 3, 4, 2, 1], {f"nDCG({EXP})@5": "0.977051422", "nDCG@5": "0.987253630"}
    ),
    "W10": Example(
        RATED, {"DCG(dcg='jk')@5": "7.992282870", "nDCG(dcg='jk')@5": "0.919442014"}
    ),
    "W11": Example(RATED, {"DCG@5": "6.827594796", "nDCG@5": "0.956112505"}),
    "W12": Example(
        RATED, {f"DCG({EXP})@5": "13.568083589", f"nDCG({EXP})@5": "0.929614274"}
    ),
    "W13": Example(
        BOUGHT, {"nDCG@5": "0.485228555", "nDCG(dcg='jk')@5": "0.421158283"}, (1, 1, 1)
    ),
    "W14": Example(
        BOUGHT,
        {
            f"nDCG({RETRIEVED})@5": "0.877215315",
            f"nDCG(dcg='jk',{RETRIEVED})@5": "0.75",
        },
        (1, 1, 1),
    ),
    "S1": Example(
        [5, 1, 0, 0, 10],
        {
            **dict.fromkeys(("nDCG", f"nDCG({RETRIEVED})"), "0.695694044"),
            f"nDCG({EXP})": "0.409738495",
        },
    ),
    # scikit-learn with ignore_ties=True: of equal scores, the last row comes first.
    "S2-ties": Example([5, 10, 1, 0, 0], {f"nDCG({RETRIEVED})@1": "0.5"}),
    "S2": Example(
        [0, 0, 1, 10, 5],
        {f"nDCG({RETRIEVED})": "0.493680191", f"nDCG({RETRIEVED})@4": "0.352024110"},
    ),
    "O1": Example(
        PHONES,
        {
            f"DCG({EXP})": "13.848263629",
            **dict.fromkeys(BEST, "14.595390756"),
        },
    ),
    "O2": Example(
        [3, 2, 3, None, 1, None],
        {f"DCG({EXP})": "12.779642068", **dict.fromkeys(BEST, "13.347184833")},
    ),
    "O3": Example(
        [3, 2, 3, None],
        {
            f"DCG({EXP})": "12.392789261",
            f"IDCG({EXP},ideal='returned')": "13.347184833",
        },
        (1,),
    ),
    "P1": Example(
        [2, 5, 1], {f"DCG({EXP})@3": "23.058822361", f"nDCG({EXP})@3": "0.690532982"}
    ),
    "P2a": Example([1, 2, 0], {f"nDCG({EXP})@3": "0.796707581"}),
    "P2b": Example([2, 5, 1, 9], {f"nDCG({EXP})@3": "0.043338859"}),
    "P2c": Example([0, 0, 0], {f"nDCG({EXP})@3": "0"}),
    "E1": Example(
        [0.01, 1, 0.1], {"nDCG": "0.646881657", f"nDCG({EXP})": "0.642445256"}
    ),
    "negative": Example(
        [0, 1], {"DCG(gains={0:-1})": "-0.369070", "nDCG(gains={0:-1})": "-0.369070"}
    ),
    "fraction": Example([0.5], {"CG(dcg='exp-log2')": "0.414214"}),
}
JK_VALUES = {
    "DCG": "3 5 6.892789 6.892789 6.892789 7.279642 7.992056 8.658723 9.605118"
    " 9.605118",
    "IDCG": "3 6 7.892789 8.892789 9.754142 10.527848 10.884055 11.217389 11.532853"
    " 11.833883",
    "nDCG": "1 0.833333 0.873302 0.775099 0.706653 0.691465 0.734290 0.771902 0.832848"
    " 0.811662",
}
for row, (family, numbers) in enumerate(JK_VALUES.items(), start=1):
    by_cutoff = enumerate(numbers.split(), start=1)
    jk_values = {f"{family}(dcg='jk')@{k}": number for k, number in by_cutoff}
    EXAMPLES[f"K{row}"] = Example(JK_RANKED, jk_values, (1, 1, 1))

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
