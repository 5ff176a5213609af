"""Two rankings of a query stand side by side, with what moved and what it cost."""

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

from support.commands import Command, Once

QRELS = "q 0 a 3\nq 0 b 2\nq 0 c 1\nq 0 d 0\nq 0 e 1\nz 0 a 0\ns 0 a 1\n"
# Found at ... by each run; u is not judged, e and u are beyond a cutoff of 3.
OLD = ["a", "b", "c", "u"]
NEW = ["b", "d", "a", "e"]
IDEAL = 3 + 2 / math.log2(3) + 1 / 2


@pytest.fixture
def two(ndcg: Command, tmp_path: Path, once: Once) -> Path:
    """Load two rankings of a query."""

    def fill() -> None:
        (tmp_path / "qrels").write_text(QRELS)
        for name, documents in (("old", OLD), ("new", NEW)):
            lines = [f"q Q0 {d} 1 {9 - i} t\n" for i, d in enumerate(documents)]
            (tmp_path / name).write_text("".join([*lines, "z Q0 a 1 1 t\n"]))
        assert ndcg("load", "judgments", "qrels").code == 0
        assert ndcg("load", "run", "old", "new").code == 0

    once(fill)
    return tmp_path


def rows(ndcg: Command, *options: str) -> dict[str, dict[str, Any]]:
    """Return what is said of each document."""
    asked = ("explain", "new", "q", "--against", "old", "--format", "json")
    result = ndcg(*asked, *options)
    assert (result.code, result.err) == (0, "")
    return {row["doc_id"]: row for row in json.loads(result.out)}


@pytest.mark.slow
@pytest.mark.usefixtures("two")
def test_documents_say_where_they_went_and_what_that_cost(ndcg: Command) -> None:
    found = rows(ndcg, "-m", "nDCG@3")
    assert list(found) == ["b", "d", "a", "c"]
    places = {d: (r["against_position"], r["position"]) for d, r in found.items()}
    assert places == {"a": (1, 3), "b": (2, 1), "c": (3, None), "d": (None, 2)}
    assert [found[d]["grade"] for d in "abcd"] == [3, 2, 1, 0]
    assert found["a"]["difference"] == pytest.approx((3 / 2 - 3) / IDEAL)
    assert found["b"]["difference"] == pytest.approx((2 - 2 / math.log2(3)) / IDEAL)
    assert found["c"]["difference"] == pytest.approx(-1 / 2 / IDEAL)
    assert (found["c"]["share"], found["d"]["against_share"]) == (None, None)
    asked = ("report", "-q", "-m", "nDCG@3", "--format", "json")
    reported = json.loads(ndcg(*asked).out)
    value = {r["run"]: r["value"] for r in reported if r["query_id"] == "q"}
    changes = sum(row["difference"] for row in found.values())
    assert changes == pytest.approx(value["new"] - value["old"])


@pytest.mark.slow
@pytest.mark.usefixtures("two")
def test_a_document_beyond_the_cutoff_has_a_place_but_no_share(ndcg: Command) -> None:
    found = rows(ndcg, "-m", "DCG@2")
    assert (found["a"]["position"], found["a"]["share"]) == (3, None)
    assert found["a"]["difference"] == -3
    assert found["b"]["difference"] == pytest.approx(2 - 2 / math.log2(3))


@pytest.mark.slow
@pytest.mark.usefixtures("two")
def test_a_table_shows_both_rankings_and_then_what_moved(ndcg: Command) -> None:
    result = ndcg("explain", "new", "q", "--against", "old", "-m", "nDCG@3")
    head, _, *lines = result.out.splitlines()
    columns = ["grade", "worth", "goes to", "new", "grade", "worth", "comes from"]
    assert re.split(r"  +", head) == ["position", "old", *columns]
    assert " ".join(lines[0].split()) == "1 a 3 0.6300 3 b 2 0.4200 2"
    assert " ".join(lines[2].split()) == "3 c 1 0.1050 missing a 3 0.3150 1"
    assert lines[3].startswith("nDCG@3: 1.000000 for old, 0.735")
    assert [line.split()[0] for line in lines[7:]] == ["a", "c", "b"]
    assert lines[7].split() == ["a", "3", "1", "3", "-0.3150"]
    markdown = ndcg("explain", "new", "q", "--against", "old", "--format", "markdown")
    assert markdown.out.splitlines()[6] == ""
    assert "not judged" in markdown.out


@pytest.mark.slow
@pytest.mark.usefixtures("two")
@pytest.mark.parametrize(("query", "value"), [("z", "0.000000"), ("s", "0.000000")])
def test_queries_with_nothing_to_find_or_no_answer_are_shown(
    ndcg: Command, query: str, value: str
) -> None:
    result = ndcg("explain", "new", query, "--against", "old")
    assert (result.code, result.err) == (0, "")
    told = f"nDCG@10: {value} for old, {value} for new, difference +0.000000"
    assert result.out.splitlines()[-1] == told


@pytest.mark.usefixtures("two")
@pytest.mark.parametrize(
    ("given", "line"),
    [
        (("q", "--against", "odl"), 'no run "odl"; did you mean "old"?'),
        (
            ("q", "--against", "new"),
            'run "new" would be compared with itself; name another',
        ),
        (("x", "--against", "old"), 'query "x": neither in the run nor judged'),
        (
            ("q", "--against", "old", "-m", "nDCG@3 nDCG@5"),
            "--against: shows one nDCG or DCG; name it: -m nDCG@10",
        ),
        (
            ("q", "--against", "old", "-m", "IDCG@3"),
            "--against: shows one nDCG or DCG; name it: -m nDCG@10",
        ),
        (
            ("q", "--against", "old", "--like", "quepid"),
            "--against: cannot be combined with --like; name a measure: -m",
        ),
    ],
)
def test_what_cannot_be_shown_is_refused(
    ndcg: Command, given: tuple[str, ...], line: str
) -> None:
    assert ndcg("explain", "new", *given).refusal == line + "\n"
