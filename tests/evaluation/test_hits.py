"""The hits of a run that is loaded are those that the views find in its ranking."""

from pathlib import Path

import pytest

from ndcg_sql.database import opening
from ndcg_sql.loading.sets import Options, load
from ndcg_sql.system.messages import Silent
from support.files import write_judgments, write_run
from support.worlds import NEAR, world

COLUMNS = "query_id, doc_id, position, grade, tie_first, tie_last"


@pytest.mark.parametrize("rule", ["score", "score32"])
@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, 5))]
)
def test_hits_are_those_of_the_view(rule: str, seed: int, tmp_path: Path) -> None:
    made = world(seed, 120, scores=NEAR)
    qrels = write_judgments(tmp_path / "qrels", made.judged)
    run = write_run(tmp_path / "run", made.ranked)
    stored = f"select {COLUMNS} from hits order by all"
    with opening.memory() as kept, opening.scratch() as gone:
        for warehouse in (kept, gone):
            load(warehouse, "judgments", [qrels], Options(), Silent())
            load(warehouse, "run", [run], Options(position_rule=rule), Silent())
        hits = kept.execute(stored)
        assert hits == kept.execute(f"select {COLUMNS} from computed_hits order by all")
        assert hits == gone.execute(stored)
    queries = [query for query, *_ in hits]
    counts = {queries.count(query) for query in queries}
    # Both ways to find a position were taken.
    assert min(counts) <= 8 < max(counts)
