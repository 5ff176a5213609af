"""Two rankings of a query stand side by side, with what moved and what it cost."""

import math
import re
from pathlib import Path
from typing import Any

import pytest

from support.commands import Command, Once, check_refused, load_texts, records

pytestmark = pytest.mark.mostly_slow

QRELS = "q 0 a 3\nq 0 b 2\nq 0 c 1\nq 0 d 0\nq 0 e 1\nz 0 a 0\ns 0 a 1\n"
# Found at ... by each run; u is not judged, e and u are beyond a cutoff of 3.
RANKED = {"old": "abcu", "new": "bdae"}
IDEAL = 3 + 2 / math.log2(3) + 1 / 2
AGAINST = ("explain", "new", "q", "--against", "old")


@pytest.fixture(autouse=True)
def two(ndcg: Command, here: Path, once: Once) -> None:  # noqa: ARG001
    """Load two rankings of a query."""

    def fill() -> None:
        load_texts(ndcg, {"judgments qrels": QRELS})
        for name, documents in RANKED.items():
            lines = [f"q Q0 {d} 1 {9 - i} t\n" for i, d in enumerate(documents)]
            load_texts(ndcg, {f"run {name}": "".join([*lines, "z Q0 a 1 1 t\n"])})

    once(fill)


def test_documents_say_where_they_went_and_what_that_cost(ndcg: Command) -> None:
    found: dict[str, Any]
    found = {r["doc_id"]: r for r in records(ndcg, *AGAINST, "-m", "nDCG@3")}
    assert list(found) == ["b", "d", "a", "c"]
    places = {d: (r["against_position"], r["position"]) for d, r in found.items()}
    assert places == {"a": (1, 3), "b": (2, 1), "c": (3, None), "d": (None, 2)}
    assert [found[d]["grade"] for d in "abcd"] == [3, 2, 1, 0]
    costs = {"a": 3 / 2 - 3, "b": 2 - 2 / math.log2(3), "c": -1 / 2, "d": 0}
    differences = {d: r["difference"] for d, r in found.items()}
    assert differences == pytest.approx({d: c / IDEAL for d, c in costs.items()})
    assert (found["c"]["share"], found["d"]["against_share"]) == (None, None)
    reported = records(ndcg, "report", "-q", "-m", "nDCG@3")
    value = {r["run"]: r["value"] for r in reported if r["query_id"] == "q"}
    assert sum(differences.values()) == pytest.approx(value["new"] - value["old"])
    # A document beyond the cutoff has a place, but no share.
    found = {r["doc_id"]: r for r in records(ndcg, *AGAINST, "-m", "DCG@2")}
    assert (found["a"]["position"], found["a"]["share"]) == (3, None)
    assert found["a"]["difference"] == -3
    assert found["b"]["difference"] == pytest.approx(costs["b"])


def test_a_table_shows_both_rankings_and_then_what_moved(ndcg: Command) -> None:
    head, _, *lines = ndcg(*AGAINST, "-m", "nDCG@3").out.splitlines()
    columns = ["grade", "worth", "goes to", "new", "grade", "worth", "comes from"]
    assert re.split(r"  +", head) == ["position", "old", *columns]
    assert " ".join(lines[0].split()) == "1 a 3 0.6300 3 b 2 0.4200 2"
    assert " ".join(lines[2].split()) == "3 c 1 0.1050 missing a 3 0.3150 1"
    assert lines[3].startswith("nDCG@3: 1.000000 for old, 0.735")
    assert [line.split()[0] for line in lines[7:]] == ["a", "c", "b"]
    assert lines[7].split() == ["a", "3", "1", "3", "-0.3150"]
    markdown = ndcg(*AGAINST, "--format", "markdown").out
    assert markdown.splitlines()[6] == ""
    assert "not judged" in markdown
    # With nothing to find, or without an answer.
    for query in "zs":
        shown = ndcg("explain", "new", query, "--against", "old").out.splitlines()[-1]
        value = "0.000000"
        assert (
            shown == f"nDCG@10: {value} for old, {value} for new, difference +{value}"
        )


@pytest.mark.quick
def test_what_cannot_be_shown_is_refused(ndcg: Command) -> None:
    one = "--against: shows one nDCG or DCG; name it: -m nDCG@10"
    check_refused(
        ndcg,
        "explain new",
        {
            "q --against odl": 'no run "odl"; did you mean "old"?',
            "q --against new": 'run "new" would be compared with itself; name another',
            "x --against old": 'query "x": neither in the run nor judged',
            "q --against old -m 'nDCG@3 nDCG@5'": one,
            "q --against old -m IDCG@3": one,
            "q --against old -m AP": one + "; for AP, explain one run after the other",
            "q --against old --like quepid": "cannot be combined with --like",
        },
    )
