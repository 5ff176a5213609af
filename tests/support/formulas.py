"""The formulas of every family, written out once more and in another language."""

from dataclasses import dataclass
from math import exp, log, log2
from random import Random
from typing import Any

from ndcg_sql.measures.families import families
from ndcg_sql.measures.names import parse


@dataclass(frozen=True)
class Variant:
    """A measure by its parts, to be named for SQL and to be computed here."""

    family: str
    k: float | None
    options: dict[str, Any]

    @property
    def name(self) -> str:
        """The measure as a user writes it."""
        shown = [f"{key}={value!r}" for key, value in self.options.items()]
        brackets = f"({','.join(shown)})" if shown else ""
        return self.family + brackets + (f"@{self.k}" if self.k is not None else "")

    @property
    def cutoff(self) -> int | None:
        """The number of documents from the top; None for all."""
        return None if self.k is None else int(self.k)

    def value(self, grades: dict[str, float], ranking: list[str]) -> float | None:
        """Compute the value of a query as the definitions say."""
        if not ranking and self.options.get("missing") == "omit":
            return None
        if not ranking and self.family == "utility":
            return 0
        value = self.plain(grades, self.listed(grades, ranking))
        no_rel = self.options.get("no_rel", 0)
        return value if value is not None else None if no_rel == "omit" else no_rel

    def listed(self, grades: dict[str, float], ranking: list[str]) -> list[str]:
        """Return the documents that the measure looks at."""
        if not self.options.get("judged_only"):
            return ranking
        return [document for document in ranking if grades.get(document, -1) >= 0]

    def plain(self, grades: dict[str, float], ranking: list[str]) -> float | None:
        """Compute the value before its options; None when nothing is relevant."""
        if self.family in ("rbp", "rbp_resid"):
            return self.biased(grades, ranking)
        if self.family in COUNTS:
            return self.counted(grades, ranking)
        if self.family in WHOLE_LISTS:
            return self.along(grades, ranking)
        rel = self.options.get("rel", 1)
        relevant = {d for d, g in grades.items() if g >= 0 and g >= rel}
        if self.family in LEVELS:
            return self.levelled(ranking, relevant) if relevant else None
        top = ranking[: self.cutoff]
        if self.family == "Judged":
            judged = [d for d in top if grades.get(d, -1) >= 0]
            return len(judged) / len(top) if top else 0
        if self.family == "unj":
            unjudged = [d for d in top if grades.get(d, -1) < 0]
            return len(unjudged) / (self.k or len(top)) if top else 0
        if self.family in ("ERR", "nERR"):
            return self.cascaded(grades, ranking)
        if self.family == "SDCG":
            return self.scaled(grades, ranking)
        if self.family in GAIN_FAMILIES:
            return self.cumulated(grades, ranking)
        if not relevant:
            return None
        hits = [i for i, d in enumerate(top, start=1) if d in relevant]
        if self.family == "P":
            length = self.k or len(ranking)
            return len(hits) / length if length else 0
        if self.family == "yaap":
            found = sum(h / i for h, i in enumerate(hits, start=1))
            return log((1 + found) / (1 + len(relevant) - found))
        if self.family in ("AP", "gm_map"):
            whole = {"min": min(self.k or len(relevant), len(relevant))}
            whole["hits"] = max(len(hits), 1)
            by = whole.get(self.options.get("norm", ""), len(relevant))
            return sum(h / i for h, i in enumerate(hits, start=1)) / by
        if self.family == "RBP":
            p = self.options.get("p", 0.8)
            return (1 - p) * sum(p ** (i - 1) for i in hits)
        if self.family == "binG":
            found = enumerate(hits, start=1)
            return sum(1 / log2(2 + i - h) for h, i in found) / len(relevant)
        if self.family == "infAP":
            return self.inferred(grades, ranking, relevant)
        if self.family == "RR":
            return 1 / hits[0] if hits else 0
        if self.family in ("R", "Success"):
            return len(hits) / len(relevant) if self.family == "R" else bool(hits)
        if self.family == "Rprec":
            return sum(i <= len(relevant) for i in hits) / len(relevant)
        if self.family in ("Bpref", "gm_bpref"):
            return self.preferred(grades, ranking, relevant)
        if not hits:
            return 0
        beta = self.options.get("beta", 1)
        precision, recall = len(hits) / len(ranking), len(hits) / len(relevant)
        best = min(self.k or len(ranking), len(relevant))
        return {
            "relative_P": len(hits) / best,
            "SetP": len(hits) / best if "relative" in self.options else precision,
            "SetR": recall,
            "SetAP": precision * recall,
            "SetF": (beta + 1) * precision * recall / (recall + beta * precision),
        }[self.family]

    def biased(self, grades: dict[str, float], ranking: list[str]) -> float | None:
        """Compute rbp, or rbp_resid; None when nothing has a grade above 0."""
        p, best = self.options.get("p", 0.9), max(grades.values())
        weights = {d: (1 - p) * p**i for i, d in enumerate(ranking)}
        if self.family == "rbp":
            gains = {d: max(grades.get(d, 0), 0) / max(best, 1) for d in ranking}
            return sum(gains[d] * w for d, w in weights.items()) if best > 0 else None
        unjudged = [d for d in ranking if grades.get(d, -1) < 0]
        rest = p ** len(ranking) if unjudged else 0
        return rest + sum(weights[d] for d in unjudged)

    def counted(self, grades: dict[str, float], ranking: list[str]) -> float | None:
        """Compute a count, or utility, which is a sum of prices."""
        rel = self.options.get("rel", 1)
        relevant = {d for d, g in grades.items() if g >= 0 and g >= rel}
        found = len(relevant.intersection(ranking))
        if self.family == "NumRel":
            return len(relevant) or None
        if self.family == "NumRet":
            return found if "rel" in self.options else len(ranking)
        if self.family == "num_nonrel_judged_ret":
            return sum(0 <= grades.get(document, -1) < rel for document in ranking)
        if self.family == "NumQ":
            return 1
        prices = [self.options.get(key, default) for key, default in PRICES.items()]
        lost, missed = len(ranking) - found, len(relevant) - found
        rest = self.options.get("docs", 0) - found - lost - missed
        numbers = (found, lost, missed, rest)
        return sum(a * n for a, n in zip(prices, numbers, strict=True))

    def levelled(self, ranking: list[str], relevant: set[str]) -> float:
        """Compute IPrec, 11pt_avg or Rprec_mult."""
        found, precisions = 0, [0.0]
        places = [0]
        for i, document in enumerate(ranking, start=1):
            if document in relevant:
                found += 1
                places.append(i)
            precisions.append(found / i)
        if self.family == "Rprec_mult":
            depth = int((self.k or 0) * len(relevant) + 0.9)
            return sum(0 < i <= depth for i in places) / depth if depth else 0
        values: list[float] = []
        for level in [i / 10 for i in range(11)] if self.k is None else [self.k]:
            m = int(level * len(relevant) + self.options.get("rounding", 0.5))
            reached = m < len(places)
            values.append(max(precisions[places[m] :]) if reached else 0)
        return sum(values) / len(values)

    def along(self, grades: dict[str, float], ranking: list[str]) -> float | None:
        """Compute G, ndcg_rel or Rndcg; None when the ideal gains nothing."""
        gains = [self.gain(grades.get(d, -1)) for d in ranking]
        best = sorted((self.gain(g) for g in grades.values()), reverse=True)
        best = [gain for gain in best if gain > 0]
        if not best:
            return None
        if self.family == "G":
            costs = [max(gain, 1) for gain in best] + [1] * len(gains)
            return sum(
                gain / log2(2 + sum(costs[:i]) - sum(gains[:i]))
                for i, gain in enumerate(gains, start=1)
            ) / sum(best)

        def ndcg(depth: int) -> float:
            return self.discounted(gains[:depth]) / self.discounted(best[:depth])

        at_end = self.discounted(gains) / self.discounted(best)
        if self.family == "ndcg_rel":
            depths = [i for i, gain in enumerate(gains, start=1) if gain > 0]
            missed = (len(best) - len(depths)) * at_end
            return (sum(ndcg(i) for i in depths) + missed) / len(best)
        depths = [i for i in range(1, len(best)) if best[i] < best[i - 1]]
        values = [ndcg(i) for i in [*depths, len(best)]]
        if len(gains) >= len(best) + 2:
            values.append(at_end)
        return sum(values) / len(values)

    @staticmethod
    def inferred(
        grades: dict[str, float], ranking: list[str], relevant: set[str]
    ) -> float:
        """Compute infAP."""
        total, tiny = 0.0, 0.00001
        for i, document in enumerate(ranking, start=1):
            above = [d for d in ranking[: i - 1] if d in grades]
            found = len(relevant.intersection(above))
            lost = sum(grades[d] >= 0 for d in above) - found
            if document in relevant:
                share = (found + tiny) / (found + lost + 2 * tiny)
                total += (1 + len(above) * share) / i if i > 1 else 1
        return total / len(relevant)

    def cascaded(self, grades: dict[str, float], ranking: list[str]) -> float | None:
        """Compute ERR or nERR; None when nothing can satisfy."""
        top = 2 ** self.options.get("max_rel", 4)

        def err(documents: list[str]) -> float:
            value, reach = 0.0, 1.0
            for i, document in enumerate(documents[: self.cutoff], start=1):
                satisfied = (2 ** max(grades.get(document, 0), 0) - 1) / top
                value += reach * satisfied / i
                reach *= 1 - satisfied
            return value

        best = err(sorted(grades, key=lambda d: -grades[d]))
        if not best:
            return None
        return err(ranking) / (best if self.family == "nERR" else 1)

    @staticmethod
    def preferred(
        grades: dict[str, float], ranking: list[str], relevant: set[str]
    ) -> float:
        """Compute Bpref."""
        others = {d for d, g in grades.items() if g >= 0} - relevant
        total = 0.0
        for place, document in enumerate(ranking):
            above = len(others.intersection(ranking[:place]))
            if document in relevant:
                worst = min(len(others), len(relevant))
                total += 1 - (min(above, len(relevant)) / worst if above else 0)
        return total / len(relevant)

    def cumulated(self, grades: dict[str, float], ranking: list[str]) -> float | None:
        """Compute a value of the gain family; None when the ideal gains nothing."""
        ideal, k = self.options.get("ideal", "judged"), self.cutoff
        reach = {"retrieved": ranking, "topk": ranking[:k]}.get(ideal, list(grades))
        best = sorted(
            (self.gain(grades[d]) for d in reach if d in grades), reverse=True
        )
        best = [gain for gain in best if gain > 0]
        if ideal == "returned":
            best = best[: len(ranking)]
        best = best if ideal == "uncut" else best[:k]
        gains = [self.gain(grades.get(d, -1)) for d in ranking[:k]]
        if not best:
            return None
        plain, discounted = sum(gains), self.discounted(gains)
        return {
            "CG": plain,
            "DCG": discounted,
            "IDCG": self.discounted(best),
            "nCG": plain / sum(best),
            "nDCG": discounted / self.discounted(best),
        }[self.family]

    def scaled(self, grades: dict[str, float], ranking: list[str]) -> float | None:
        """Compute SDCG; None when no grade is above the lowest."""
        low, high = self.options.get("min_rel", 0), self.options["max_rel"]
        scaled = {
            d: (min(max(g, low), high) - low) / (high - low)
            for d, g in grades.items()
            if g >= 0
        }
        if not any(scaled.values()):
            return None
        gains = [scaled.get(d, 0) for d in ranking[: self.cutoff]]
        return self.discounted(gains) / self.discounted([1] * int(self.k or 0))

    def discounted(self, gains: list[float]) -> float:
        """Add gains, each divided by the discount of its position."""
        base, places = self.options.get("base", 2), range(1, len(gains) + 1)
        if "jk" in self.options.get("dcg", ""):
            discounts = [log(i, base) if i >= base else 1 for i in places]
        else:
            discounts = [log(i + 1, base) for i in places]
        return sum(g / discount for g, discount in zip(gains, discounts, strict=True))

    def gain(self, grade: float) -> float:
        """Return what a grade is worth; a negative one stands for no judgment."""
        scheme = self.options.get("gains", "linear")
        if self.options.get("dcg", "").startswith("exp"):
            scheme = "exp"
        rel = self.options.get("rel", 1 if scheme == "binary" else 0)
        if grade < 0 or grade < rel:
            return 0
        if isinstance(scheme, dict):
            return scheme.get(grade, grade)  # pyright: ignore
        return {"linear": grade, "binary": 1, "exp": 2**grade - 1}[scheme]


COUNTS = ("NumQ", "NumRet", "NumRel", "num_nonrel_judged_ret", "utility")
PRICES = {"a": 1, "b": -1, "c": 0, "d": 0}
WHOLE_LISTS = ("G", "ndcg_rel", "Rndcg")
BIASED = ("rbp", "rbp_resid")
LEVELS = ("IPrec", "11pt_avg", "Rprec_mult")
GAIN_FAMILIES = ("CG", "DCG", "IDCG", "nCG", "nDCG")
BINARY_FAMILIES = ("P", "R", "AP", "RR", "Success", "relative_P", "RBP")
CASCADES = ("ERR", "nERR")
SET_FAMILIES = (
    *("Rprec", "Bpref", "SetP", "SetR", "SetAP", "SetF", "infAP", "binG"),
    *("gm_map", "gm_bpref", "yaap", "11pt_avg", *COUNTS),
)
IDEALS = ("judged", "retrieved", "topk", "uncut", "returned")
MAPS: tuple[Any, ...] = ({1: 3.5, 2: 9}, {0: -0.5, 1: 0.1}, {3: 0}, "binary", "exp")


def variants() -> dict[str, Variant]:
    """Return measures by canonical name: each family, ideal and discount; the rest."""
    random = Random(6)
    ks = (None, 1, 2, 5, 10, 1000)
    made: list[Variant] = [Variant("Judged", k, {}) for k in ks]
    for family in GAIN_FAMILIES:
        for ideal in IDEALS:
            for dcg in ("log2", "exp-log2", "jk", "exp-jk"):
                options: dict[str, Any] = {"dcg": dcg, "ideal": ideal}
                if random.random() < 0.4:
                    options["base"] = random.choice((1.5, 3, 10, exp(1)))
                if random.random() < 0.5 and not dcg.startswith("exp"):
                    options["gains"] = random.choice(MAPS)
                if random.random() < 0.4:
                    options["rel"] = random.choice((0, 0.5, 1, 2, 9))
                made.append(Variant(family, random.choice(ks), options))
    for family in BINARY_FAMILIES:
        made += [Variant(family, k, {}) for k in ks]
        made += [Variant(family, 5, {"rel": rel}) for rel in (0, 0.25, 2, 9)]
    for family in SET_FAMILIES:
        made += [Variant(family, None, {"rel": r}) for r in (0, 0.25, 1, 2, 9)]
    for family in CASCADES:
        made += [Variant(family, k, {"max_rel": m}) for k in ks for m in (3, 3.5, 4)]
    made += [Variant("unj", k, {}) for k in ks]
    for level in (0, 0.05, 0.1, 0.25, 1 / 3, 0.5, 0.7, 1, 1.5, 2):
        made.append(Variant("Rprec_mult", level, {}))
        made += [Variant("IPrec", level, {"rounding": r}) for r in (0, 0.5, 0.9)]
        made += [Variant(f, level, {"rel": 2}) for f in ("IPrec", "Rprec_mult")]
    made += [Variant("11pt_avg", None, {"rounding": r}) for r in (0, 0.9)]
    made += [Variant(f, None, {"p": p}) for f in BIASED for p in (0.01, 0.9, 0.99)]
    priced = {"a": 2.5, "b": 0, "c": -1.25, "d": 0.5, "docs": 1000}
    made.append(Variant("utility", None, priced))
    made.append(Variant("NumRet", None, {}))
    for family in WHOLE_LISTS:
        made += [Variant(family, None, {"gains": gains}) for gains in MAPS]
        made += [Variant(family, None, {"rel": r}) for r in (0, 0.5, 2)]
        made += [Variant(family, None, {"dcg": d}) for d in ("log2", "jk", "exp-log2")]
    made += [Variant("AP", k, {"norm": n}) for k in ks for n in ("min", "hits")]
    made += [Variant("RBP", k, {"p": p}) for k in ks for p in (0.01, 0.5, 0.99)]
    made += [Variant("SetF", None, {"beta": b}) for b in (0, 0.5, 2)]
    made.append(Variant("SetP", None, {"relative": True}))
    for k in (1, 2, 5, 10, 1000):
        for low, high in ((0, 3), (0, 1.5), (1, 4), (0.25, 2), (-1, 2)):
            made.append(Variant("SDCG", k, {"min_rel": low, "max_rel": high}))
    for name in dict.fromkeys(variant.family for variant in made):
        family = families()[name]
        k = 3 if family.takes_cutoff else 0.5 if family.takes_level else None
        needed: dict[str, Any] = {"max_rel": 3} if name == "SDCG" else {}
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
