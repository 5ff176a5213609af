"""The text of the drop-in for trec_eval, byte for byte, with files of our own.

tests/data/trec_eval holds judgments, runs and, by name, what is printed of them.
Values in that text are held against pytrec_eval, which is trec_eval 9.
"""

from math import log
from pathlib import Path
from typing import Any

import pytest

from support import exploring
from support.commands import Command
from support.libraries import library

FOLDER = Path(__file__).parents[1] / "data" / "trec_eval"
RUN, CLOSE = "run", "run-of-close-scores"
BINARY = tuple(
    part
    for name in ("map", "Rprec", "bpref", "P", "recall", "set_F", "recip_rank")
    for part in ("-m", name)
)
CUTOFFS = tuple(
    part
    for name in (
        *("P.3,1", "ndcg_cut.2,4", "map_cut.3", "recall.2", "success.1,2"),
        "Rprec_mult.0.5",
    )
    for part in ("-m", name)
)
# By name: the options, the run, what pytrec_eval is told, and how many of the
# printed values it has. Without -c, a query without an answer ends
# trec_eval 10.
GOLDEN: dict[str, tuple[tuple[str, ...], str, dict[str, Any], int]] = {
    "official": (("-c",), RUN, {}, 18),
    "all": (("-c", "-q", "-m", "all_trec"), RUN, {}, 549),
    "level-2": (("-c", "-q", "-l", "2", *BINARY), RUN, {"relevance_level": 2}, 161),
    "judged-only": (
        ("-c", "-q", "-J", "-m", "all_trec"),
        RUN,
        {"judged_docs_only_flag": True},
        549,
    ),
    "cutoffs": (("-c", "-q", *CUTOFFS), RUN, {}, 63),
    "trec-eval-9": (("--compat", "9", "-q", "-m", "all_trec"), CLOSE, {}, 453),
    "trec-eval-9-complete": (("--compat", "9", "-c", "-q", *BINARY), CLOSE, {}, 115),
}


# Text, not a value; and what trec_eval 10 rounds another way than 9.
TEXTS = {"runid", "relstring"}
ROUNDED = ("iprec_at_recall", "11pt_avg")


def given(path: Path, value: int) -> dict[str, dict[str, float]]:
    """Return the numbers of a file by query and document."""
    found: dict[str, dict[str, float]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        fields = line.split()
        found.setdefault(fields[0], {})[fields[2]] = float(fields[value])
    return found


def printed(name: str) -> dict[tuple[str, str], str]:
    """Return the values of an output, by measure and query."""
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    lines = [line.split("\t") for line in text.splitlines()]
    return {(measure.strip(), query): value for measure, query, value in lines}


def unanswered(measure: str, grades: dict[str, int]) -> float:
    """Return what a query without an answer counts as, where it does."""
    if measure.startswith("gm_"):
        # What is multiplied is kept as its logarithm.
        return log(0.00001)
    relevant = sum(grade > 0 for grade in grades.values())
    return {"num_q": 1, "num_rel": relevant}.get(measure, 0)


@pytest.mark.slow
@pytest.mark.parametrize("name", exploring.sampled(GOLDEN, 2))
def test_the_text_is_as_it_was(ndcg: Command, name: str) -> None:
    options, run, _, _ = GOLDEN[name]
    result = ndcg("trec_eval", *options, FOLDER / "judgments", FOLDER / run)
    assert (result.code, result.err) == (0, "")
    expected = (FOLDER / f"{name}.txt").read_bytes()
    assert result.out.encode() == expected


def test_every_output_is_one_of_ours() -> None:
    names = {path.stem for path in FOLDER.glob("*.txt")}
    assert names == set(GOLDEN)


@pytest.mark.parametrize("name", GOLDEN)
def test_pytrec_eval_has_the_same_values(name: str) -> None:
    pytrec_eval: Any = library("pytrec_eval")
    options, run, told, least = GOLDEN[name]
    judged = {
        query: {document: int(grade) for document, grade in grades.items()}
        for query, grades in given(FOLDER / "judgments", 3).items()
    }
    asked = {option for option in options if "." in option}
    measures = asked or pytrec_eval.supported_measures - TEXTS
    evaluator = pytrec_eval.RelevanceEvaluator(judged, measures, **told)
    own = evaluator.evaluate(given(FOLDER / run, 4))
    counted = list(judged) if "-c" in options else list(own)
    found = printed(name)
    compared = 0
    for measure in sorted({measure for values in own.values() for measure in values}):
        if measure.startswith(ROUNDED) and "--compat" not in options:
            continue
        values = {
            q: own[q][measure] if q in own else unanswered(measure, judged[q])
            for q in counted
        }
        whole = pytrec_eval.compute_aggregated_measure(measure, [*values.values()])
        for query, value in {**values, "all": whole}.items():
            text = found.get((measure, query))
            if text is not None:
                decimals = 4 if "." in text else 0
                assert text == f"{value:.{decimals}f}", (measure, query)
                compared += 1
    assert compared == least
