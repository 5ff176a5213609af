"""The formulas of every family, written out once more and in another language.

Each family has one function. Its decorator states the cutoffs and options to
try the family with.
"""

from math import exp, log, log2
from random import Random
from typing import Any

from ndcg_sql.measures.families import families
from ndcg_sql.measures.names import parse
from support.variants import FORMULAS, Options, Query, Try, Variant, formula

KS = (None, 1, 2, 5, 10, 1000)
LEVELS = (0, 0.05, 0.1, 0.25, 1 / 3, 0.5, 0.7, 1, 1.5, 2)
MAPS: tuple[Any, ...] = ({1: 3.5, 2: 9}, {0: -0.5, 1: 0.1}, {3: 0}, "binary", "exp")
# What families are tried with: every cutoff, every threshold, or both.
CUTOFFS: list[Try] = [(k, {}) for k in KS]
THRESHOLDS: list[Try] = [(None, {"rel": rel}) for rel in (0, 0.25, 1, 2, 9)]
BINARY: list[Try] = [*CUTOFFS, *((5, {"rel": rel}) for rel in (0, 0.25, 2, 9))]
CASCADES: list[Try] = [(k, {"max_rel": m}) for k in KS for m in (3, 3.5, 4)]
BIASED: list[Try] = [(None, {"p": p}) for p in (0.01, 0.9, 0.99)]
LISTS: list[Try] = [
    *((None, {"gains": gains}) for gains in MAPS),
    *((None, {"rel": rel}) for rel in (0, 0.5, 2)),
    *((None, {"dcg": dcg}) for dcg in ("log2", "jk", "exp-log2")),
]
PRICES = {"a": 1, "b": -1, "c": 0, "d": 0}
_RANDOM = Random(6)


def _drawn() -> list[Try]:
    """Return every ideal with every discount, and other options at random."""
    drawn: list[Try] = []
    for ideal in ("judged", "retrieved", "topk", "uncut", "returned"):
        for dcg in ("log2", "exp-log2", "jk", "exp-jk"):
            options: Options = {"dcg": dcg, "ideal": ideal}
            if _RANDOM.random() < 0.4:
                options["base"] = _RANDOM.choice((1.5, 3, 10, exp(1)))
            if _RANDOM.random() < 0.5 and not dcg.startswith("exp"):
                options["gains"] = _RANDOM.choice(MAPS)
            if _RANDOM.random() < 0.4:
                options["rel"] = _RANDOM.choice((0, 0.5, 1, 2, 9))
            drawn.append((_RANDOM.choice(KS), options))
    return [*drawn, (5, {"ideal": "returned", "judged_only": True})]


@formula("Judged", CUTOFFS, graded=True)
def _judged(query: Query) -> float:
    top = query.top
    return sum(map(query.is_judged, top)) / len(top) if top else 0


@formula("CG", _drawn(), alone=True, graded=True)
def _cg(query: Query) -> float | None:
    return sum(query.gains) if query.best else None


@formula("DCG", _drawn(), graded=True)
def _dcg(query: Query) -> float | None:
    return query.discounted(query.gains) if query.best else None


@formula("IDCG", _drawn(), graded=True)
def _idcg(query: Query) -> float | None:
    return query.discounted(query.best) if query.best else None


@formula("nCG", _drawn(), alone=True, graded=True)
def _ncg(query: Query) -> float | None:
    return sum(query.gains) / sum(query.best) if query.best else None


@formula("nDCG", _drawn(), graded=True)
def _ndcg(query: Query) -> float | None:
    if not query.best:
        return None
    return query.discounted(query.gains) / query.discounted(query.best)


@formula(
    "SDCG",
    [
        (k, {"min_rel": low, "max_rel": high})
        for k in KS[1:]
        for low, high in ((0, 3), (0, 1.5), (1, 4), (0.25, 2), (-1, 2))
    ],
    graded=True,
)
def _sdcg(query: Query) -> float | None:
    low, high = query.options.get("min_rel", 0), query.options["max_rel"]
    scaled = {
        document: (min(max(grade, low), high) - low) / (high - low)
        for document, grade in query.grades.items()
        if grade >= 0
    }
    if not any(scaled.values()):
        return None
    gains = [scaled.get(document, 0) for document in query.top]
    return query.discounted(gains) / query.discounted([1] * int(query.k or 0))


def _at_depth(query: Query, depth: int) -> float:
    """Return the nDCG at a depth, as G's relatives have it."""
    gained = query.discounted(query.gains[:depth])
    return gained / query.discounted(query.best[:depth])


@formula("ndcg_rel", LISTS, graded=True)
def _ndcg_rel(query: Query) -> float | None:
    if not query.best:
        return None
    depths = [i for i, gain in enumerate(query.gains, start=1) if gain > 0]
    at_end = query.discounted(query.gains) / query.discounted(query.best)
    missed = (len(query.best) - len(depths)) * at_end
    return (sum(_at_depth(query, i) for i in depths) + missed) / len(query.best)


@formula("Rndcg", LISTS, graded=True)
def _r_ndcg(query: Query) -> float | None:
    best = query.best
    if not best:
        return None
    depths = [i for i in range(1, len(best)) if best[i] < best[i - 1]]
    values = [_at_depth(query, i) for i in [*depths, len(best)]]
    if len(query.gains) >= len(best) + 2:
        values.append(query.discounted(query.gains) / query.discounted(best))
    return sum(values) / len(values)


@formula("G", LISTS, graded=True)
def _g(query: Query) -> float | None:
    if not query.best:
        return None
    costs = [max(gain, 1) for gain in query.best] + [1] * len(query.gains)
    return sum(
        gain / log2(2 + sum(costs[:i]) - sum(query.gains[:i]))
        for i, gain in enumerate(query.gains, start=1)
    ) / sum(query.best)


@formula("P", BINARY)
def _p(query: Query) -> float:
    return len(query.hits) / query.length if query.length else 0


@formula("R", BINARY)
def _r(query: Query) -> float:
    return len(query.hits) / len(query.relevant)


@formula("relative_P", BINARY)
def _relative_p(query: Query) -> float:
    best = min(query.length, len(query.relevant))
    return len(query.hits) / best if query.hits else 0


@formula("RR", BINARY)
def _rr(query: Query) -> float:
    return 1 / query.hits[0] if query.hits else 0


@formula("Success", BINARY)
def _success(query: Query) -> float:
    return bool(query.hits)


def _precisions(query: Query) -> float:
    """Add the precisions at the relevant documents within the cutoff."""
    return sum(found / i for found, i in enumerate(query.hits, start=1))


@formula("AP", [*BINARY, *((k, {"norm": n}) for k in KS for n in ("min", "hits"))])
def _ap(query: Query) -> float:
    relevant = len(query.relevant)
    by = {"min": min(query.k or relevant, relevant), "hits": max(len(query.hits), 1)}
    return _precisions(query) / by.get(query.options.get("norm", ""), relevant)


@formula("gm_map", THRESHOLDS)
def _gm_map(query: Query) -> float:
    return _precisions(query) / len(query.relevant)


@formula("yaap", THRESHOLDS, alone=True)
def _yaap(query: Query) -> float:
    found = _precisions(query)
    return log((1 + found) / (1 + len(query.relevant) - found))


@formula("infAP", THRESHOLDS)
def _inf_ap(query: Query) -> float:
    total, tiny = 0.0, 0.00001
    for i in query.hits:
        above = [d for d in query.ranking[: i - 1] if d in query.grades]
        found = len(query.relevant.intersection(above))
        lost = sum(map(query.is_judged, above)) - found
        share = (found + tiny) / (found + lost + 2 * tiny)
        total += (1 + len(above) * share) / i if i > 1 else 1
    return total / len(query.relevant)


@formula("binG", THRESHOLDS)
def _bin_g(query: Query) -> float:
    found = enumerate(query.hits, start=1)
    return sum(1 / log2(2 + i - h) for h, i in found) / len(query.relevant)


@formula("RBP", [*BINARY, *((k, {"p": p}) for k in KS for p in (0.01, 0.5, 0.99))])
def _graded_rbp(query: Query) -> float:
    p = query.options.get("p", 0.8)
    return (1 - p) * sum(p ** (i - 1) for i in query.hits)


@formula("rbp", BIASED, alone=True, graded=True)
def _rbp(query: Query) -> float | None:
    p, best = query.options.get("p", 0.9), max(query.grades.values(), default=0)
    if best <= 0:
        return None
    grades = [max(query.grades.get(d, 0), 0) for d in query.ranking]
    return sum((1 - p) * p**i * g / max(best, 1) for i, g in enumerate(grades))


@formula("rbp_resid", BIASED, alone=True, graded=True)
def _rbp_resid(query: Query) -> float:
    p, ranking = query.options.get("p", 0.9), query.ranking
    unjudged = [i for i, d in enumerate(ranking) if not query.is_judged(d)]
    rest = p ** len(ranking) if unjudged else 0
    return rest + sum((1 - p) * p**i for i in unjudged)


def _err(query: Query, documents: list[str]) -> float:
    """Return the ERR of a list of documents."""
    value, reach = 0.0, 1.0
    for i, document in enumerate(documents[: query.cutoff], start=1):
        gain = 2 ** max(query.grades.get(document, 0), 0) - 1
        satisfied = gain / 2 ** query.options.get("max_rel", 4)
        value += reach * satisfied / i
        reach *= 1 - satisfied
    return value


def _best_err(query: Query) -> float:
    """Return the ERR of the ideal ranking."""
    return _err(query, sorted(query.grades, key=lambda d: -query.grades[d]))


@formula("ERR", CASCADES, graded=True)
def _expected(query: Query) -> float | None:
    return _err(query, query.ranking) if _best_err(query) else None


@formula("nERR", CASCADES, alone=True, graded=True)
def _normalized_expected(query: Query) -> float | None:
    best = _best_err(query)
    return _err(query, query.ranking) / best if best else None


@formula("Rprec", THRESHOLDS)
def _r_prec(query: Query) -> float:
    return sum(i <= len(query.relevant) for i in query.hits) / len(query.relevant)


@formula("Rprec_mult", [(at, options) for at in LEVELS for options in ({}, {"rel": 2})])
def _r_prec_mult(query: Query) -> float:
    depth = int((query.k or 0) * len(query.relevant) + 0.9)
    places = [i for i, d in enumerate(query.ranking, start=1) if d in query.relevant]
    return sum(i <= depth for i in places) / depth if depth else 0


def _interpolated(query: Query, level: float) -> float:
    """Return the highest precision from a level of recall on."""
    found, precisions, places = 0, [0.0], [0]
    for i, document in enumerate(query.ranking, start=1):
        if document in query.relevant:
            found += 1
            places.append(i)
        precisions.append(found / i)
    m = int(level * len(query.relevant) + query.options.get("rounding", 0.5))
    return max(precisions[places[m] :]) if m < len(places) else 0


@formula(
    "IPrec",
    [
        *((at, {"rounding": r}) for at in LEVELS for r in (0, 0.5, 0.9)),
        *((at, {"rel": 2}) for at in LEVELS),
    ],
)
def _i_prec(query: Query) -> float:
    return _interpolated(query, query.k or 0)


@formula("11pt_avg", [*THRESHOLDS, *((None, {"rounding": r}) for r in (0, 0.9))])
def _eleven_points(query: Query) -> float:
    return sum(_interpolated(query, i / 10) for i in range(11)) / 11


def _preferred(query: Query) -> float:
    """Return Bpref."""
    relevant = query.relevant
    others = {d for d in query.grades if query.is_judged(d)} - relevant
    total = 0.0
    for place, document in enumerate(query.ranking):
        above = len(others.intersection(query.ranking[:place]))
        if document in relevant:
            worst = min(len(others), len(relevant))
            total += 1 - (min(above, len(relevant)) / worst if above else 0)
    return total / len(relevant)


for _family in ("Bpref", "gm_bpref"):
    formula(_family, THRESHOLDS)(_preferred)


@formula("SetP", [*THRESHOLDS, (None, {"relative": True})])
def _set_p(query: Query) -> float:
    length = len(query.ranking)
    by = min(length, len(query.relevant)) if "relative" in query.options else length
    return len(query.hits) / by if query.hits else 0


@formula("SetR", THRESHOLDS)
def _set_r(query: Query) -> float:
    return len(query.hits) / len(query.relevant)


@formula("SetAP", THRESHOLDS)
def _set_ap(query: Query) -> float:
    return _p(query) * _r(query)


@formula("F", [*BINARY, *((5, {"beta": beta}) for beta in (0, 0.5, 2))], alone=True)
def _f(query: Query) -> float:
    weight = query.options.get("beta", 1) ** 2
    return (
        (1 + weight) * len(query.hits) / (query.length + weight * len(query.relevant))
    )


@formula("SetF", [*THRESHOLDS, *((None, {"beta": beta}) for beta in (0, 0.5, 2))])
def _set_f(query: Query) -> float:
    precision, recall, beta = _p(query), _r(query), query.options.get("beta", 1)
    if not query.hits:
        return 0
    return (beta + 1) * precision * recall / (recall + beta * precision)


@formula("unj", CUTOFFS, alone=True, graded=True)
def _unj(query: Query) -> float:
    unjudged = sum(not query.is_judged(document) for document in query.top)
    return unjudged / query.length if query.top else 0


@formula("NumQ", THRESHOLDS, graded=True)
def _num_q(_query: Query) -> float:
    return 1


@formula("NumRel", THRESHOLDS)
def _num_rel(query: Query) -> float:
    return len(query.relevant)


@formula("NumRet", [*THRESHOLDS, (None, {})], graded=True)
def _num_ret(query: Query) -> float:
    return len(query.hits if "rel" in query.options else query.ranking)


@formula("num_nonrel_judged_ret", THRESHOLDS, graded=True)
def _num_nonrel_judged_ret(query: Query) -> float:
    return sum(map(query.is_judged, query.ranking)) - len(query.hits)


@formula(
    "utility",
    [*THRESHOLDS, (None, {"a": 2.5, "b": 0, "c": -1.25, "d": 0.5, "docs": 1000})],
    graded=True,
)
def _utility(query: Query) -> float:
    prices = [query.options.get(key, default) for key, default in PRICES.items()]
    found = len(query.hits)
    lost, missed = len(query.ranking) - found, len(query.relevant) - found
    rest = query.options.get("docs", 0) - found - lost - missed
    return sum(a * n for a, n in zip(prices, (found, lost, missed, rest), strict=True))


def variants() -> dict[str, Variant]:
    """Return measures by canonical name: what each family is to be tried with."""
    made: list[Variant] = []
    for name, known in FORMULAS.items():
        family = families()[name]
        made += [Variant(name, k, {**options}) for k, options in known.tried]
        k = 3 if family.takes_cutoff else 0.5 if family.takes_level else None
        needed: Options = {"max_rel": 3} if name == "SDCG" else {}
        for no_rel, missing in ((1, 0), ("omit", 0), (0, "omit"), (1, "omit")):
            omitted = {"no_rel": no_rel, "missing": missing}
            made.append(Variant(name, k, {**needed, **omitted}))
        made.append(Variant(name, k, {**needed, "judged_only": True}))
    for variant in made:
        # Which of the keys a family takes is for its row to say.
        taken = families()[variant.family].defaults
        for key in variant.options.keys() - taken.keys():
            del variant.options[key]
    return {parse(variant.name)[0].name: variant for variant in made}


VARIANTS = variants()
