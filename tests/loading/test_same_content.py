"""Content that a warehouse has already, whatever form it comes in."""

import json
from pathlib import Path

from support.commands import Command
from support.files import digest, json_lines

LISTS = {"u1": ["a", "b"], "u2": ["c"], "u3": ["b", "a", "c"]}
ROWS = [{"user_id": user, "recommendations": items} for user, items in LISTS.items()]
NAMED = ("--column", "doc_id=recommendations")


def test_the_same_rankings_without_scores_are_the_same_content(ndcg: Command) -> None:
    Path("recs.json").write_text(json.dumps(LISTS))
    assert ndcg("load", "run", "recs.json").code == 0
    before = digest(Path("ndcg.duckdb"))
    for rows in (ROWS, ROWS[::-1]):
        Path("recs.jsonl").write_text(json_lines(rows))
        again = ndcg("load", "run", "recs.jsonl", *NAMED)
        assert (again.code, again.err) == (
            0,
            'run "recs" of dataset "default" already exists with this content; nothing'
            " to do\n",
        )
    assert digest(Path("ndcg.duckdb")) == before
    other = [*ROWS[:2], {**ROWS[2], "recommendations": ["a", "b", "c"]}]
    Path("recs.jsonl").write_text(json_lines(other))
    refused = ndcg("load", "run", "recs.jsonl", *NAMED)
    assert (refused.code, "with other content" in refused.err) == (2, True)
