"""What a report says of judgments that cannot carry a measure."""

from pathlib import Path

import pytest

from support import exploring
from support.commands import Command
from support.files import write_judgments, write_run

# To make a warehouse takes longer than to fill it.
pytestmark = pytest.mark.usefixtures("empty")

RUN = {"q": {"a": 2, "b": 1}}
NEGATIVE = (
    "no grade is negative, which marks documents in the pool as not judged; there is"
    " nothing to infer"
)
NOT_RELEVANT = (
    "no document is judged not relevant; the value is only the share of relevant"
    " documents that were returned"
)
CASES: dict[str, tuple[dict[str, float], str, list[str]]] = {
    "enough": ({"a": 1, "b": 0, "c": -1}, "nDCG AP Bpref infAP", []),
    "fractions": (
        {"a": 0.5, "b": 0.25},
        "nDCG P@5 AP P(rel=0.5)@5",
        [
            "P@5, AP: no document is relevant, the highest grade is 0.5;"
            " a lower threshold may be intended, such as rel=0.5"
        ],
    ),
    "zeros": (
        {"a": 0},
        "nDCG",
        ["nDCG: no document is relevant, the highest grade is 0"],
    ),
    "all relevant": (
        {"a": 1, "b": 2},
        "Bpref gm_bpref Bpref(rel=2) infAP",
        [f"Bpref, gm_bpref: {NOT_RELEVANT}", f"infAP: {NEGATIVE}"],
    ),
}


@pytest.mark.parametrize("name", exploring.mostly_slow(CASES, "all relevant"))
def test_what_judgments_lack_is_told(ndcg: Command, name: str) -> None:
    grades, measures, told = CASES[name]
    write_judgments(Path("qrels"), {"q": grades})
    write_run(Path("run"), RUN)
    said = "".join(f'judgment set "qrels", {line}\n' for line in told)
    shot = ndcg("eval", "qrels", "run", "-m", measures)
    assert (shot.code, shot.err) == (0, said)
    assert ndcg("load", "judgments", "qrels").code == 0
    assert ndcg("load", "run", "run").code == 0
    assert ndcg("report", "-m", measures).err == said
    assert ndcg("--quiet", "report", "-m", measures).err == ""
