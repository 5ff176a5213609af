"""Judgments of subtopics at random, and their measures as other programs have them."""

from dataclasses import dataclass
from math import isnan
from random import Random
from typing import Any

from ndcg_sql.measures.families import families
from support import exploring
from support.libraries import library

# The families whose measures all judgments can have values of, by name.
OF_JUDGMENTS = {
    name: family
    for name, family in families().items()
    if not family.needs & {"subtopics", "rankings"}
}
# A query, a subtopic, a document and its grade.
SubtopicJudgment = tuple[str, str, str, float]
# Our names of measures, without parameters, and those of ndeval.
NDEVAL = {
    **{f"alpha_DCG@{k}": f"alpha-DCG@{k}" for k in (2, 3, 7, 20)},
    **{f"alpha_nDCG@{k}": f"alpha-nDCG@{k}" for k in (1, 2, 5, 20)},
    **{f"ERR_IA@{k}": f"ERR-IA@{k}" for k in (2, 5, 20)},
    **{f"nERR_IA@{k}": f"nERR-IA@{k}" for k in (1, 5, 20)},
    **{"NRBP": "NRBP", "nNRBP": "nNRBP", "AP_IA": "MAP-IA"},
    **{f"P_IA@{k}": f"P-IA@{k}" for k in (1, 5, 20)},
    **{f"StRecall@{k}": f"strec@{k}" for k in (1, 5, 20)},
}
# Two queries, and the values of their measures (pyndeval 0.0.8, and by hand).
WORKED_VALUES = {
    "alpha_DCG@5": (0.52181012489459, 0.32927713362201),
    "alpha_nDCG@5": (0.82510557068729, 0.61314719276546),
    "alpha_nDCG(alpha=0.3)@5": (0.83975717178364, 0.61314719276546),
    "ERR_IA@5": (0.48411497730711, 0.36308623298033),
    "nERR_IA@5": (0.75, 0.66666666666667),
    "NRBP": (0.46875, 0.375),
    "nNRBP": (0.71428571428571, 0.66666666666667),
    "P_IA@5": (0.26666666666667, 0.1),
    "AP_IA": (0.58333333333333, 0.5),
    "StRecall@5": (1, 0.5),
}
OF_ALPHA = ("alpha_DCG", "alpha_nDCG", "ERR_IA", "nERR_IA", "NRBP", "nNRBP")


@dataclass(frozen=True)
class Diversity:
    """Judgments of subtopics, and a run of the same queries."""

    judged: list[SubtopicJudgment]
    ranked: dict[str, dict[str, float]]

    @property
    def lines(self) -> str:
        """The judgments as lines of a TREC file."""
        return "".join(f"{q} {t} {d} {g:g}\n" for q, t, d, g in self.judged)


def world(seed: int, size: int = 25) -> Diversity:
    """Return random queries: some without relevant documents, some not answered."""
    random = Random(seed + int(exploring.SEED))
    made = Diversity([], {})
    for number in range(size):
        query = f"{random.choice('qQ-')}{number}"
        subtopics = [str(t) for t in range(random.randint(1, 7))]
        documents = [f"{random.choice('dDx')}{d}" for d in range(random.randint(2, 40))]
        grades = (0,) if number % 9 == 8 else (-2, 0, 0, 1, 1, 2)
        for document in documents:
            some = random.sample(subtopics, random.randint(0, len(subtopics)))
            made.judged.extend(
                (query, subtopic, document, random.choice(grades)) for subtopic in some
            )
        if all(query != other for other, *_ in made.judged):
            made.judged.append((query, "0", documents[0], 1))
        if number % 7 == 6:
            continue
        returned = random.sample(documents, random.randint(1, len(documents)))
        returned += [f"unjudged{d}" for d in range(random.randint(0, 9))]
        scores = range(5) if number % 3 else range(999)
        made.ranked[query] = {d: float(random.choice(scores)) for d in returned}
    return made


def ndeval(
    made: Diversity, alpha: float = 0.5, beta: float = 0.5, rel: int = 1
) -> dict[str, dict[str, float]]:
    """Return what pyndeval gives by our name and query; 0 for no answer."""
    pyndeval: Any = library("pyndeval")
    judged = [(q, t, d, int(grade)) for q, t, d, grade in made.judged]
    evaluator = pyndeval.RelevanceEvaluator(
        judged, [*NDEVAL.values()], relevance_level=rel, alpha=alpha, beta=beta
    )
    # It orders equal scores by ascending id, ndeval itself by descending id.
    shown = [
        (query, document, -position)
        for query, scores in made.ranked.items()
        for position, document in enumerate(
            sorted(scores, key=lambda d: (scores[d], d), reverse=True)
        )
    ]
    values = evaluator.evaluate(shown)
    queries = {query for query, *_ in made.judged}
    return {
        ours: {query: plain(values.get(query, {}).get(theirs, 0)) for query in queries}
        for ours, theirs in NDEVAL.items()
    }


def with_parameters(measure: str, **parameters: Any) -> str:
    """Return a measure with those of some parameters that it takes."""
    family, at, cutoff = measure.partition("@")
    taken = {
        key: value
        for key, value in parameters.items()
        if key == "rel"
        or (key == "alpha" and family in OF_ALPHA)
        or (key == "beta" and family in ("NRBP", "nNRBP"))
    }
    brackets = ",".join(f"{key}={value}" for key, value in taken.items())
    return f"{family}({brackets}){at}{cutoff}" if brackets else measure


def plain(value: float) -> float:
    """Return 0 where it divides 0 by 0, because nothing is relevant."""
    return 0 if isnan(value) else value
