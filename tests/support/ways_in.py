"""The same few rows, to be loaded in every way there is."""

import itertools
from pathlib import Path
from typing import Any

from ndcg_sql.database.database import Database
from ndcg_sql.loading.sets import Options, load
from ndcg_sql.system.messages import Messages
from support.files import Rows

RANKED = [("q1", "b", 3.5), ("q1", "a", 2.0), ("q1", "é", 2.0), ("q2", "007", -1.25)]
JUDGED = [("q1", "a", 2.0), ("q1", "b", 0.5), ("q2", "007", -1.0), ("q2", "é", 0.0)]
POSITIONS = [
    ("q1", "b", 1, 3.5),
    ("q1", "é", 2, 2.0),
    ("q1", "a", 3, 2.0),
    ("q2", "007", 1, -1.25),
]


# Every file becomes a set or run of its own in the shared warehouse.
NAMES = (f"name {n}" for n in itertools.count())


def loaded_run(memory: Database, path: Path, **given: Any) -> Rows:
    """Load a run into a dataset of its own; return its rankings."""
    options = Options(dataset="ways", name=next(NAMES), evaluate=False, **given)
    load(memory, "run", [path], options, Messages())
    return memory.execute(
        "select query_id, doc_id, position, score from rankings"
        " where run_id = (select max(run_id) from runs) order by query_id, position"
    )


def loaded_judgments(memory: Database, path: Path, **given: Any) -> Rows:
    """Load judgments into a dataset of their own; return them."""
    options = Options(dataset="ways", name=next(NAMES), evaluate=False, **given)
    load(memory, "judgments", [path], options, Messages())
    return memory.execute(
        "select query_id, doc_id, grade, label from judgments where judgment_set_id ="
        " (select max(judgment_set_id) from judgment_sets) order by all"
    )
