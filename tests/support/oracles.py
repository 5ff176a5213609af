"""Other programs that give the same values, and which measures each is asked for.

A program knows a family of measures if one of the measures here is of it; the
tests of tests/measures ask it about random queries.
"""

from typing import Any

from ndcg_sql.measures.names import parse
from support.formulas import FORMULAS
from support.libraries import library
from support.subtopics import NDEVAL
from support.worlds import World

CUTOFFS = (1, 3, 5, 10, 20, 100, 1000)
CUT = (("nDCG", "ndcg_cut"), ("AP", "map_cut"), ("R", "recall"))
TENTHS = range(11)
TREC_EVAL = {
    **{"nDCG": "ndcg", "AP": "map", "RR": "recip_rank"},
    **{f"{family}@{k}": f"{name}_{k}" for family, name in CUT for k in CUTOFFS},
    **{f"Success@{k}": f"success_{k}" for k in CUTOFFS},
    **{f"P@{k}": f"P_{k}" for k in CUTOFFS},
    **{f"relative_P@{k}": f"relative_P_{k}" for k in CUTOFFS},
    **{"Rprec": "Rprec", "Bpref": "bpref", "SetP": "set_P", "SetR": "set_recall"},
    **{"infAP": "infAP", "binG": "binG", "gm_map": "map", "gm_bpref": "bpref"},
    **{name: name for name in ("G", "ndcg_rel", "Rndcg", "num_nonrel_judged_ret")},
    # It adds 0.9 before it cuts to a whole number.
    "11pt_avg(rounding=0.9)": "11pt_avg",
    **{
        f"IPrec(rounding=0.9)@{i / 10}": f"iprec_at_recall_{i / 10:.2f}" for i in TENTHS
    },
    **{f"Rprec_mult@{i / 5}": f"Rprec_mult_{i / 5:.2f}" for i in TENTHS[1:]},
    "NumRet(rel=1)": "num_rel_ret",
    **{"SetP(relative=true)": "set_relative_P", "SetAP": "set_map", "SetF": "set_F"},
}
TREC_EVAL_COUNTS = {
    **{"NumQ": "num_q", "NumRet": "num_ret", "NumRel": "num_rel"},
    "utility": "utility",
}


IR_MEASURES = [
    *("nDCG", "nDCG@5", "nDCG(gains={0:2,1:3,2:7})@10", "nDCG(gains={1:3,2:7})"),
    *("P(rel=2)@5", "AP(rel=2)", "AP(rel=2)@10", "R(rel=2)@10"),
    *("RR", "RR(rel=2)", "RR@5", "Success(rel=2)@5", "Judged@5", "Judged@100"),
    *("Rprec(rel=2)", "Bpref(rel=2)", "SetP(rel=2)", "SetR(rel=2)", "SetF(rel=2)"),
    *("RBP(rel=1)", "RBP(rel=2,p=0.5)"),
    *("SDCG(max_rel=3)@5", "SDCG(max_rel=2)@10"),
]
KS = (1, 2, 5, 10, 100)
SCALED = [
    *(
        f"{f}(T={t},max_rel={m})"
        for f in ("INSQ", "INST", "NERR11")
        for t in (0.5, 1.0, 3.0)
        for m in (2, 3, 4)
    ),
    *(
        f"BPM(T={t},max_rel={m})@{k}"
        for t in (1.0, 2.0, 2.5)
        for m in (2, 3)
        for k in KS
    ),
    *(
        f"{f}(max_rel={m})@{k}"
        for f in ("NERR8", "NERR9")
        for m in (2, 3, 4)
        for k in KS
    ),
    *(f"NERR10(p={p},max_rel={m})" for p in (0.1, 0.9, 0.999) for m in (3, 4)),
    *("INST(min_rel=1,max_rel=3)", "NERR8(min_rel=1,max_rel=4)@10"),
]
COMPAT = ["Compat", "Compat(p=0.8)", "Compat(p=0.9,normalize=False)"]
ACCURACY = ["Accuracy", "Accuracy@5", "Accuracy(rel=2)@10"]
USER_MODELS = [*SCALED, *COMPAT, *ACCURACY]


def named(*measures: str) -> set[str]:
    """Return the names of the families of measures."""
    return {parse(measure)[0].family.name for measure in measures}


# The families that a program knows, by the program. Of gdeval's, nDCG is asked
# in test_oracle.py, ERR in test_published.py; pyndeval in test_subtopics.py.
PROGRAMS = {
    "trec_eval": named(*TREC_EVAL, *TREC_EVAL_COUNTS),
    "ir_measures": named(*IR_MEASURES, *USER_MODELS),
    "scikit-learn": {"DCG", "nDCG", "IDCG"},
    "gdeval": {"nDCG", "ERR"},
    "pyndeval": named(*NDEVAL),
}
# The families that no program computes which can be installed.
ALONE = {family for family, known in FORMULAS.items() if known.alone}


def trec_eval(world: World, names: dict[str, str]) -> dict[str, dict[str, Any]]:
    """Return what pytrec_eval gives by measure and query; 0 for no answer."""
    pytrec_eval = library("pytrec_eval")
    whole = {
        query: {document: int(grade) for document, grade in grades.items()}
        for query, grades in world.judged.items()
        # A query with only negative grades makes it crash; its value is 0 here.
        if max(grades.values()) >= 0
    }
    evaluator = pytrec_eval.RelevanceEvaluator(whole, set(names.values()))
    values = evaluator.evaluate(world.ranked)
    assert set(values) == set(whole) & set(world.ranked)
    return {
        measure: {q: values.get(q, {}).get(name, 0) for q in world.judged}
        for measure, name in names.items()
    }
