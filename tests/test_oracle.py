"""Random queries: every value against other programs, or the formulas written out."""

import shutil
from dataclasses import dataclass
from functools import cached_property
from math import exp, inf, log, log2, sqrt
from pathlib import Path
from random import Random
from statistics import stdev
from typing import Any

import pytest
from conftest import Evaluation

from ndcg_sql.families import families
from ndcg_sql.measures import parse

# The last two sort differently by UTF-16 units than by bytes of UTF-8.
PREFIXES = ("d", "Z", "d-", "é", "日", "'", "\ufb01", "\U0001d11e")
SHAPES = (
    *("plain", "plain", "tied", "tied", "sparse", "lost", "long"),
    *("zeros", "negative", "unanswered", "unjudged", "single"),
)
WHOLE = (-2, -1, 0, 0, 0, 1, 1, 2, 3)
FRACTIONS = (-0.5, 0, 0, 0.1, 0.25, 0.5, 1, 1.5, 2.75)
# Numbers that a double tells apart and a single float does not.
NEAR = (
    *(1.0, 1.00000001, 1.00000002, 1.5, 16777216, 16777217, 1e39, 1e40),
    *(-1e39, -1e40, 1e-46, 1e-50, 0.1, 0.1000000001, 0.0, -0.0, inf, -inf),
)


@dataclass(frozen=True)
class World:
    """Judgments and a run of many queries of every shape."""

    judged: dict[str, dict[str, float]]
    ranked: dict[str, dict[str, float]]

    @cached_property
    def rankings(self) -> dict[str, list[str]]:
        """The documents of every judged query, best first; equal scores by id."""
        return {
            query: sorted(
                self.ranked.get(query, {}),
                key=lambda d: (self.ranked[query][d], d.encode()),
                reverse=True,
            )
            for query in self.judged
        }


def world(
    seed: int,
    size: int,
    grades: tuple[float, ...] = WHOLE,
    scores: tuple[float, ...] = (0.5, 1, 1.5, 2),
    shapes: tuple[str, ...] = SHAPES,
    prefixes: tuple[str, ...] = PREFIXES,
) -> World:
    """Return random queries; their scores are exact in single floats, unless given."""
    random = Random(seed)
    made = World({}, {})
    for number in range(1, size + 1):
        shape = shapes[number % len(shapes)]
        length = {"long": 120, "single": 1}.get(shape, random.randint(2, 25))
        query = random.choice(prefixes).replace("d", "") + str(number)
        names = [f"{random.choice(prefixes)}{i}" for i in range(length * 2)]
        returned = names[:length]
        pool = {"lost": names[length:], "sparse": names[:3]}.get(shape, names)
        pool = random.sample(pool, random.randint(1, len(pool)))
        choices = {"zeros": (0,), "negative": (-2, -1)}.get(shape, grades)
        if shape != "unjudged":
            made.judged[query] = {d: random.choice(choices) for d in pool}
        distinct = [value / 8 for value in random.sample(range(-4000, 4000), length)]
        drawn = [random.choice(scores) for _ in returned]
        if shape != "unanswered":
            values = drawn if shape == "tied" else distinct
            made.ranked[query] = dict(zip(returned, values, strict=True))
    return made


def assert_close(found: Evaluation, expected: dict[str, dict[str, Any]]) -> None:
    """Compare the values of measures by query, as closely as doubles allow."""
    compared = 0
    for measure, values in expected.items():
        for query, value in values.items():
            ours = found.query(measure, query)
            where = f"{measure} of {query}: {ours} is not {value}"
            assert (ours is None) == (value is None), where
            if ours is not None:
                assert abs(ours - value) <= 1e-9 * max(1, abs(value)), where
            compared += 1
    assert compared >= 400


def trec_eval(world: World, names: dict[str, str]) -> dict[str, dict[str, Any]]:
    """Return what pytrec_eval gives by measure and query; 0 for no answer."""
    pytrec_eval = pytest.importorskip("pytrec_eval")
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


CUTOFFS = (1, 3, 5, 10, 20, 100, 1000)
CUT = (("nDCG", "ndcg_cut"), ("AP", "map_cut"), ("R", "recall"))
TREC_EVAL = {
    **{"nDCG": "ndcg", "AP": "map", "RR": "recip_rank"},
    **{f"{family}@{k}": f"{name}_{k}" for family, name in CUT for k in CUTOFFS},
    **{f"Success@{k}": f"success_{k}" for k in CUTOFFS},
    **{f"P@{k}": f"P_{k}" for k in CUTOFFS},
    **{f"relative_P@{k}": f"relative_P_{k}" for k in CUTOFFS},
    **{"Rprec": "Rprec", "Bpref": "bpref", "SetP": "set_P", "SetR": "set_recall"},
    **{"infAP": "infAP", "binG": "binG"},
    **{"SetP(relative=true)": "set_relative_P", "SetAP": "set_map", "SetF": "set_F"},
}


@pytest.mark.parametrize("rule", ["score", "score32"])
def test_trec_eval_gives_the_same(tmp_path: Path, rule: str) -> None:
    drawn = NEAR if rule == "score32" else (0.5, 1, 1.5, 2)
    queries = world(1, 2400, scores=drawn)
    found = Evaluation(tmp_path, queries.judged, queries.ranked, [*TREC_EVAL], rule)
    assert_close(found, trec_eval(queries, TREC_EVAL))
    for values in found.queries.values():
        assert set(values) == set(queries.judged)


def test_trec_eval_gives_the_same_for_exponential_grades(tmp_path: Path) -> None:
    queries = world(2, 600)
    exponential = {
        q: {d: 2**g - 1 if g > 0 else g for d, g in grades.items()}
        for q, grades in queries.judged.items()
    }
    names = {f"nDCG(dcg='exp-log2')@{k}": f"ndcg_cut_{k}" for k in CUTOFFS}
    names["nDCG(dcg='exp-log2')"] = "ndcg"
    found = Evaluation(tmp_path, queries.judged, queries.ranked, list(names))
    assert_close(found, trec_eval(World(exponential, queries.ranked), names))


IR_MEASURES = [
    *("nDCG", "nDCG@5", "nDCG(gains={0:2,1:3,2:7})@10", "nDCG(gains={1:3,2:7})"),
    *("P(rel=2)@5", "AP(rel=2)", "AP(rel=2)@10", "R(rel=2)@10"),
    *("RR", "RR(rel=2)", "RR@5", "Success(rel=2)@5", "Judged@5", "Judged@100"),
    *("Rprec(rel=2)", "Bpref(rel=2)", "SetP(rel=2)", "SetR(rel=2)", "SetF(rel=2)"),
    *("RBP(rel=1)", "RBP(rel=2,p=0.5)"),
    *("SDCG(max_rel=3)@5", "SDCG(max_rel=2)@10"),
]


def test_ir_measures_gives_the_same(tmp_path: Path) -> None:
    ir_measures = pytest.importorskip("ir_measures")
    # RR@5 and Judged break ties the other way there, and a negative grade is judged.
    shapes = tuple(shape for shape in SHAPES if shape not in ("tied", "negative"))
    queries = world(3, 600, grades=(0, 0, 1, 2, 3), shapes=shapes)
    found = Evaluation(tmp_path, queries.judged, queries.ranked, IR_MEASURES)
    expected: dict[str, dict[str, Any]] = {}
    for measure in IR_MEASURES:
        # Asked together, one measure may get the gains of another there.
        asked = [ir_measures.parse_measure(measure)]
        metrics = ir_measures.iter_calc(asked, queries.judged, queries.ranked)
        expected[measure] = {metric.query_id: metric.value for metric in metrics}
        assert set(expected[measure]) == set(queries.judged)
    assert_close(found, expected)


@pytest.mark.skipif(shutil.which("perl") is None, reason="gdeval needs perl")
def test_gdeval_prints_the_same(tmp_path: Path) -> None:
    ir_measures = pytest.importorskip("ir_measures")
    queries = world(4, 900, grades=(-1, 0, 0, 1, 2, 4), prefixes=("d",))
    measure = "nDCG(dcg='exp-log2')@10"
    found = Evaluation(tmp_path, queries.judged, queries.ranked, [measure])
    judged = {q: g for q, g in queries.judged.items() if max(g.values()) > 0}
    ranked = {q: s for q, s in queries.ranked.items() if q in judged}
    asked = ir_measures.parse_measure(measure)
    values = {
        m.query_id: m.value for m in ir_measures.iter_calc([asked], judged, ranked)
    }
    assert len(values) > 400
    for query, value in values.items():
        assert found.query(measure, query) == pytest.approx(value, abs=5.1e-6), query


def test_scikit_learn_gives_the_same(tmp_path: Path) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    dcg, ndcg = metrics.dcg_score, metrics.ndcg_score
    queries = world(
        5, 240, grades=FRACTIONS, shapes=("plain", "sparse", "long", "lost")
    )
    expected: dict[str, dict[str, Any]] = {}
    for query, scores in queries.ranked.items():
        grades = [max(queries.judged[query].get(d, 0), 0) for d in scores]
        predicted = [list(scores.values())]
        for kind, true in (
            ("dcg='log2'", [grades]),
            ("dcg='exp-log2'", [[2**grade - 1 for grade in grades]]),
        ):
            for k in (None, 1, 5, 50):
                asked = {"k": k, "ignore_ties": True}
                for parameters, value in {
                    f"DCG({kind})": dcg(true, predicted, **asked),
                    f"DCG({kind},base=10)": dcg(true, predicted, log_base=10, **asked),
                    f"nDCG({kind},ideal='retrieved')": ndcg(true, predicted, **asked),
                    f"IDCG({kind},ideal='retrieved')": dcg(true, true, **asked),
                }.items():
                    measure = parameters + (f"@{k}" if k else "")
                    expected.setdefault(measure, {})[query] = float(value)
    found = Evaluation(tmp_path, queries.judged, queries.ranked, list(expected))
    assert_close(found, expected)


@dataclass(frozen=True)
class Variant:
    """A measure by its parts, to be named for SQL and to be computed here."""

    family: str
    k: int | None
    options: dict[str, Any]

    @property
    def name(self) -> str:
        """The measure as a user writes it."""
        shown = [f"{key}={value!r}" for key, value in self.options.items()]
        brackets = f"({','.join(shown)})" if shown else ""
        return self.family + brackets + (f"@{self.k}" if self.k else "")

    def value(self, grades: dict[str, float], ranking: list[str]) -> float | None:
        """Compute the value of a query as the definitions say."""
        if not ranking and self.options.get("missing") == "omit":
            return None
        value = self.plain(grades, ranking)
        no_rel = self.options.get("no_rel", 0)
        return value if value is not None else None if no_rel == "omit" else no_rel

    def plain(self, grades: dict[str, float], ranking: list[str]) -> float | None:
        """Compute the value before its options; None when nothing is relevant."""
        top = ranking[: self.k]
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
        rel = self.options.get("rel", 1)
        relevant = {d for d, g in grades.items() if g >= 0 and g >= rel}
        if not relevant:
            return None
        hits = [i for i, d in enumerate(top, start=1) if d in relevant]
        if self.family == "P":
            length = self.k or len(ranking)
            return len(hits) / length if length else 0
        if self.family == "AP":
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
        if self.family == "Bpref":
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
            for i, document in enumerate(documents[: self.k], start=1):
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
        ideal, k = self.options.get("ideal", "judged"), self.k
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
        gains = [scaled.get(d, 0) for d in ranking[: self.k]]
        return self.discounted(gains) / self.discounted([1] * (self.k or 0))

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


GAIN_FAMILIES = ("CG", "DCG", "IDCG", "nCG", "nDCG")
BINARY_FAMILIES = ("P", "R", "AP", "RR", "Success", "relative_P", "RBP")
CASCADES = ("ERR", "nERR")
SET_FAMILIES = ("Rprec", "Bpref", "SetP", "SetR", "SetAP", "SetF", "infAP", "binG")
IDEALS = ("judged", "retrieved", "topk", "uncut", "returned")
MAPS: tuple[Any, ...] = ({1: 3.5, 2: 9}, {0: -0.5, 1: 0.1}, {3: 0}, "binary", "exp")


def variants() -> dict[str, Variant]:
    """Return measures by canonical name: each family, ideal and discount; the rest."""
    random = Random(6)
    ks = (None, 1, 2, 5, 10, 1000)
    made: list[Variant] = [Variant("Judged", k, {}) for k in ks]
    made.append(Variant("Judged", 5, {"missing": "omit"}))
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
    made += [Variant("AP", k, {"norm": n}) for k in ks for n in ("min", "hits")]
    made += [Variant("RBP", k, {"p": p}) for k in ks for p in (0.01, 0.5, 0.99)]
    made += [Variant("SetF", None, {"beta": b}) for b in (0, 0.5, 2)]
    made.append(Variant("SetP", None, {"relative": True}))
    for family in (*GAIN_FAMILIES, *BINARY_FAMILIES, *SET_FAMILIES, *CASCADES):
        for no_rel, missing in ((1, 0), ("omit", 0), (0, "omit"), (1, "omit")):
            k = 3 if families()[family].takes_cutoff else None
            made.append(Variant(family, k, {"no_rel": no_rel, "missing": missing}))
    for k in (1, 2, 5, 10, 1000):
        for low, high in ((0, 3), (0, 1.5), (1, 4), (0.25, 2), (-1, 2)):
            made.append(Variant("SDCG", k, {"min_rel": low, "max_rel": high}))
    omitted = {"max_rel": 3, "no_rel": "omit", "missing": "omit"}
    made += [Variant("SDCG", 3, omitted), Variant("SDCG", 3, {**omitted, "no_rel": 1})]
    for variant in made:
        # Which of the keys a family takes is for its row to say.
        taken = families()[variant.family].defaults
        for key in variant.options.keys() - taken.keys():
            del variant.options[key]
    return {parse(variant.name)[0].name: variant for variant in made}


VARIANTS = variants()


@pytest.fixture(scope="module", params=[WHOLE, FRACTIONS], ids=["whole", "fractions"])
def valued(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[World, Evaluation]:
    """Value random queries by every variant."""
    queries = world(7, 300, request.param, scores=NEAR)
    folder = tmp_path_factory.mktemp("v")
    names = [variant.name for variant in VARIANTS.values()]
    return queries, Evaluation(folder, queries.judged, queries.ranked, names)


def test_the_formulas_give_the_same(valued: tuple[World, Evaluation]) -> None:
    queries, found = valued
    expected = {
        name: {
            q: variant.value(g, queries.rankings[q]) for q, g in queries.judged.items()
        }
        for name, variant in VARIANTS.items()
    }
    assert_close(found, expected)


def test_means_add_up_in_byte_order(valued: tuple[World, Evaluation]) -> None:
    queries, found = valued
    order = sorted(queries.judged, key=str.encode)
    for name, variant in VARIANTS.items():
        values = [v for q in order if (v := found.queries[name][q]) is not None]
        total = 0.0
        for value in values:  # sum() would compensate for rounding.
            total += value
        row = found.means[name]
        assert row["value"] == total / len(values), name
        assert row["n"] == len(values)
        error = stdev(values) / sqrt(len(values))
        assert row["standard_error"] == pytest.approx(error, rel=1e-9, abs=1e-12)
        judged = Variant("Judged", variant.k or 10, {})
        shares = [
            judged.plain(queries.judged[q], queries.rankings[q]) or 0 for q in order
        ]
        assert row["judged_at_k"] == pytest.approx(sum(shares) / len(order), abs=1e-12)


def test_queries_are_accounted_for(valued: tuple[World, Evaluation]) -> None:
    queries, found = valued
    judged, answered = set(queries.judged), set(queries.ranked)
    counts = [len(judged & answered), len(judged - answered), len(answered - judged)]
    for name, variant in VARIANTS.items():
        row = found.means[name]
        columns = ("answered", "unanswered", "unjudged_queries")
        assert [row[column] for column in columns] == counts
        values = [variant.plain(queries.judged[q], queries.rankings[q]) for q in judged]
        assert row["no_relevant"] == values.count(None), name


def test_a_mean_of_no_values_is_null(tmp_path: Path) -> None:
    measures = ["nDCG(missing='omit')", "P(no_rel='omit')@5", "nDCG"]
    found = Evaluation(tmp_path, {"q": {"a": 0}}, {"other": {"a": 1}}, measures)
    rows = [found.means[parse(measure)[0].name] for measure in measures]
    assert [row["value"] for row in rows] == [None, None, 0]
    assert [row["n"] for row in rows] == [0, 0, 1]
    assert [row["standard_error"] for row in rows] == [None, None, None]
