"""The formulas of measures of user models, written out in Python."""

from itertools import accumulate
from typing import Any

from ndcg_sql.measures.names import parse
from support.formulas import Variant
from support.oracles import KS


class Model(Variant):
    """A measure of a user model, computed as its definition says."""

    def plain(self, grades: dict[str, float], ranking: list[str]) -> float | None:
        """Compute the value before its options; None when nothing is relevant."""
        if self.family == "Compat":
            return self.compatible(grades, ranking)
        if self.family == "Accuracy":
            return self.accurate(grades, ranking)
        low, high = self.options.get("min_rel", 0), self.options["max_rel"]
        scaled = {
            document: (min(max(grade, low), high) - low) / (high - low)
            for document, grade in grades.items()
            if grade >= 0
        }
        if not any(scaled.values()):
            return None
        depth = self.cutoff or 1000
        gains = [float(scaled.get(document, 0)) for document in ranking[:depth]]
        gains += [0.0] * (depth - len(gains))
        return self.stopped(gains) if self.family == "BPM" else self.walked(gains)

    def stopped(self, gains: list[float]) -> float:
        """Compute BPM."""
        totals = list(accumulate(gains))
        want = self.options.get("T", 1)
        stop = next((i for i, t in enumerate(totals) if t >= want), len(gains) - 1)
        return totals[stop] / (stop + 1)

    def walked(self, gains: list[float]) -> float:
        """Compute the mean gain of one who goes on from each document or not."""
        want, p = self.options.get("T", 1), self.options.get("p", 0.9)
        weight, gained, weighted, weights = 1.0, 0.0, 0.0, 0.0
        for i, gain in enumerate(gains, start=1):
            weighted += weight * gain
            weights += weight
            gained += gain
            wanted = i + 2 * want - (gained if self.family == "INST" else 0)
            if self.family in ("INSQ", "INST", "NERR11"):
                weight *= ((wanted - 1) / wanted) ** 2
            if self.family.startswith("NERR"):
                weight *= 1 - gain
            weight *= {"NERR9": i / (i + 1), "NERR10": p}.get(self.family, 1)
        return weighted / weights

    def compatible(self, grades: dict[str, float], ranking: list[str]) -> float | None:
        """Compute Compat."""
        relevant = [d for d, grade in grades.items() if grade > 0]
        if not relevant:
            return None
        places = {document: i for i, document in enumerate(ranking)}
        ideal = sorted(
            relevant, key=lambda d: (-grades[d], places.get(d, len(ranking)))
        )
        depth, p = max(len(ranking), len(ideal)), self.options.get("p", 0.95)

        def overlap(documents: list[str]) -> float:
            total, found, best = 0.0, set[str](), set[str]()
            for i in range(depth):
                found.update(documents[i : i + 1])
                best.update(ideal[i : i + 1])
                total += p**i * len(found & best) / (i + 1)
            return total

        whole = sum(p**i for i in range(depth))
        if self.options.get("normalize", True):
            whole = overlap(ideal)
        return overlap(ranking) / whole

    def accurate(self, grades: dict[str, float], ranking: list[str]) -> float | None:
        """Compute Accuracy, pair by pair."""
        rel = self.options.get("rel", 1)
        if not any(grade >= 0 and grade >= rel for grade in grades.values()):
            return None
        top = [grades.get(d, -1) for d in ranking[: self.cutoff]]
        relevant = [grade >= 0 and grade >= rel for grade in top]
        pairs = [
            good < bad
            for good, is_good in enumerate(relevant)
            for bad, is_bad in enumerate(relevant)
            if is_good and not is_bad
        ]
        return sum(pairs) / len(pairs) if pairs else float(any(relevant))


SCALES = [
    {"min_rel": low, "max_rel": high}
    for low, high in ((0, 3), (0, 2), (0, 1.5), (1, 4), (0.25, 2), (-1, 2))
]
WANTED = (0.5, 1, 0.25, 2.5, 100, 2)
PERSISTENT = (0.01, 0.5, 0.9, 0.99, 0.999, 0.9)
OPTIONS: tuple[dict[str, Any], ...] = (
    *({"judged_only": True}, {"no_rel": 1}, {"no_rel": "omit"}),
    *({"missing": "omit"}, {"missing": "omit", "no_rel": 1}),
)


def models() -> dict[str, Model]:
    """Return measures by canonical name: each family, scale and option."""
    made: list[Model] = []
    for scale, t, p in zip(SCALES, WANTED, PERSISTENT, strict=True):
        wanted = {**scale, "T": t}
        made += [Model(f, None, wanted) for f in ("INSQ", "INST", "NERR11")]
        made += [Model("NERR10", None, {**scale, "p": p})]
        made += [Model("BPM", k, wanted) for k in KS]
        made += [Model(f, k, scale) for f in ("NERR8", "NERR9") for k in KS]
    for p in (0.01, 0.8, 0.95, 0.999):
        made += [Model("Compat", None, {"p": p, "normalize": n}) for n in (True, False)]
    made += [Model("Accuracy", k, {"rel": r}) for k in (None, *KS) for r in (0, 1, 2)]
    for options in OPTIONS:
        scaled = {**options, "max_rel": 3}
        made += [Model(f, 5, scaled) for f in ("BPM", "NERR8", "NERR9")]
        made += [Model(f, None, scaled) for f in ("INSQ", "INST", "NERR10", "NERR11")]
        made += [Model("Compat", None, options), Model("Accuracy", 5, options)]
    return {parse(model.name)[0].name: model for model in made}


MODELS = models()
