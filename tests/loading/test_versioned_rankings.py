"""A table or file that keeps every version of a ranking: the column is named."""

import shlex
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from support import exploring
from support.commands import Command


@pytest.mark.parametrize("source", exploring.mostly_slow(["table", "file"], "file"))
def test_versions_with_ranks_are_runs_not_bad_rows(ndcg: Command, source: str) -> None:
    # Each version ranks other documents, so that ranks are twice, too.
    ranked = [
        (version, query, f"d{version + rank}", rank)
        for version in (1, 2)
        for query in ("q1", "q2")
        for rank in (1, 2, 3)
    ]
    columns = "version, query_id, doc_id, rank"
    with closing(sqlite3.connect("shop.db")) as connection, connection:
        connection.execute(f"create table ranked ({columns})")
        connection.executemany("insert into ranked values (?, ?, ?, ?)", ranked)
    lines = [columns.replace(" ", ""), *(",".join(map(str, row)) for row in ranked)]
    Path("ranked.csv").write_text("\n".join(lines) + "\n")
    where = ["--from", "sqlite:///shop.db", "--table", "ranked"]
    words = ["load", "run", *(where if source == "table" else ["ranked.csv"])]
    words += ["--positions", "given"]
    refused = ndcg(*words).refusal
    assert '\n- "version" tells runs apart: "1", "2"\n' in refused
    hint = shlex.split(refused.partition("if this is right: ")[2])
    assert hint[-2:] == ["--run-column", "version"]
    loaded = ndcg(*hint[1:])
    assert loaded.code == 0, loaded.err
