"""What readers of a comparison must know, and how much of it is shown."""

from pathlib import Path

import pytest

from ndcg_sql.python.warehouse import Warehouse
from support.commands import Command

pytestmark = pytest.mark.mostly_slow

QUERIES = [f"q{i:02}" for i in range(40)]


def test_many_candidates_stay_on_a_screen(ndcg: Command) -> None:
    with Warehouse.write("ndcg.duckdb") as own:
        for number in range(17):
            low = {q: {"a": 1, "x": i < number} for i, q in enumerate(QUERIES[1:])}
            own.load_run(low, f"run{number:02}")
        own.load_judgments({q: {"a": 1} for q in QUERIES})
    asked = ("compare", "run00", "run*", "-m", "RR")
    result = ndcg(*asked)
    assert result.err == "17 runs: 1 judged queries without an answer\n"
    assert "lost and won most" not in result.out
    assert (result.out + result.err).count("\n") <= 40
    for options, shown in (("3", True), ("4", False), ("3 --no-queries", False)):
        out = ndcg(*asked, "--limit", *options.split()).out
        assert ("lost and won most" in out) == shown


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize("heavy", [True, False])
def test_weights_that_turn_a_difference_round_are_told(
    ndcg: Command, heavy: bool
) -> None:
    names = [f"q{i}" for i in range(4)]
    weights = [
        f"{q},{9 if (q == 'q0') == heavy else 1},{'b' if q > 'q2' else 'a'}"
        for q in names
    ]
    Path("q.csv").write_text("\n".join(["query_id,weight,kind", *weights]))
    with Warehouse.write("ndcg.duckdb") as own:
        own.load_judgments({q: {"a": 1} for q in names})
        for name, found in (("old", names[:1]), ("new", names[1:])):
            own.load_run({q: {"b": 2, "a": 3.0 * (q in found)} for q in names}, name)
        own.load_queries("q.csv")
    turned = 'warning: run "new": RR differs by +'
    for command, told in {
        "compare old new": f"{turned}0.2500, but with the weights of the queries by -0",
        "gate old new": f"{turned}0.2500, but with the weights of the queries by -0.25",
        "compare old new --by kind": f'{turned}0.1667 for kind "a", but with the weigh',
        "leaderboard": 'warning: with the weights of the queries, run "old" is first',
    }.items():
        err = ndcg(*command.split(), "-m", "RR").err
        # Where they agree, nothing is told.
        assert err.startswith(told) if heavy else "weights" not in err


def test_a_run_of_which_fewer_documents_are_judged_is_told(ndcg: Command) -> None:
    with Warehouse.write("ndcg.duckdb") as own:
        own.load_judgments({"q1": {"a": 1, "b": 0}, "q2": {"a": 1, "b": 1}})
        for name, second in (("shown", "b"), ("other", "c"), ("third", "b")):
            own.load_run({q: ["a", second] for q in ("q1", "q2")}, name)
    line = (
        'warning: run "other": 50% of the first 2 documents are judged, of run "shown"'
        ' 100%; unjudged ones count as not relevant, which favours "shown"'
    )
    runs = ("shown", "other", "third")
    compared = ndcg("compare", *runs, "-m", "AP nDCG@2 P@2")
    assert compared.err.splitlines().count(line) == 1
    assert "third" not in compared.err
    decided = ndcg("gate", "shown", "other", "-m", "nDCG@2")
    assert line in decided.err.splitlines()
    # These values do not depend on them.
    condensed = ndcg("compare", *runs, "-m", "nDCG(judged_only=true)@2 Judged@2 AP")
    assert "judged, of" not in condensed.err
