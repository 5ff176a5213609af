"""Measure the cost of storing a run in the layouts that were considered.

    python benchmarks/storage.py [--small]

Each layout is filled from the same staged rows, in a new file of storage
version v1.0.0: text ids in physical order, text ids as they come, and
integer keys with a dictionary. Then the same nDCG@10 is read from the
rankings, from the hits, from values per query and from values per run.
NOTES.md has the results and the decisions.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import duckdb


@dataclass(frozen=True)
class Shape:
    """The numbers of queries, documents per query and runs; the form of ids."""

    name: str
    queries: int
    depth: int
    runs: int
    judged: int
    doc_id: str


MSMARCO = "((query * 7919 + place * 104729 + run * 31) % 8841823)::varchar"
ITEMS = (
    "'item-' || lpad(((query * 7919 + place * 104729 + run * 31) % 200000)"
    "::varchar, 8, '0') || '-' || left(md5((place * 17)::varchar), 12)"
)
SHAPES = (
    Shape("7 M rows, 1,000 deep", 6_980, 1_000, 1, 1, MSMARCO),
    Shape("1 M users x 20 x 3 runs", 1_000_000, 20, 3, 2, ITEMS),
)

STAGED = """
create or replace temp table staged as
select
    {run} as run,
    (query * 37 + 1000000)::varchar as query_id,
    {doc_id} as doc_id,
    round(30 - ln(place + 1) * 3 + (hash(query, place, {run}) % 1000) / 5000, 6)
        as score
from range({queries}) as queries (query), range({depth}) as places (place),
    (select {run} as run)
"""
JUDGED = """
insert into judgments
select query_id, doc_id, 1 + hash(doc_id) % 3
from (
    select
        query_id,
        doc_id,
        row_number() over (partition by query_id order by hash(doc_id)) as pick
    from staged
)
where pick <= {judged}
"""
POSITION = (
    "row_number() over"
    " (partition by query_id order by score desc, doc_id desc)::integer"
)
TEXT = "run integer, query_id varchar, doc_id varchar, position integer, score double"
KEYS = "run integer, query_key integer, doc_key integer, position integer, score double"
STORE = {
    "text ids, in order": (
        f"insert into rankings select run, query_id, doc_id, {POSITION} as position,"
        " score from staged order by query_id, position",
    ),
    "text ids, as they come": (
        f"insert into rankings select run, query_id, doc_id, {POSITION}, score"
        " from staged",
    ),
    "integer keys": (
        "insert into query_keys select nextval('keys'), query_id from"
        " (select distinct query_id from staged"
        " where query_id not in (select query_id from query_keys))",
        "insert into doc_keys select nextval('keys'), doc_id from"
        " (select distinct doc_id from staged"
        " where doc_id not in (select doc_id from doc_keys))",
        f"insert into rankings select run, query_key, doc_key, {POSITION} as position,"
        " score from staged join query_keys using (query_id)"
        " join doc_keys using (doc_id) order by query_key, position",
    ),
}
TEXT_HITS = (
    "select run, query_id, position, grade from rankings"
    " join judgments using (query_id, doc_id)"
)
KEY_HITS = (
    "select run, query_id, position, grade from rankings"
    " join query_keys using (query_key) join doc_keys using (doc_key)"
    " join judgments using (query_id, doc_id)"
)
VALUES = """
with actual as (
    select run, query_id,
        sum(grade / log2(position + 1) order by position) as dcg
    from {hits} where position <= 10 group by run, query_id
),
ideal_places as (
    select query_id, grade, row_number() over
        (partition by query_id order by grade desc, doc_id desc) as place
    from judgments
),
ideal as (
    select query_id, sum(grade / log2(place + 1) order by place) as dcg
    from ideal_places where place <= 10 group by query_id
)
select runs.run, ideal.query_id, coalesce(actual.dcg, 0) / ideal.dcg as value
from ideal cross join (select distinct run from {runs}) as runs
left join actual on ideal.query_id = actual.query_id and runs.run = actual.run
"""
MEANS = (
    "select run, sum(value order by query_id) / count(*) from ({}) as v group by run"
)


def seconds(work: Callable[[], object], rounds: int = 1) -> float:
    """Return the median wall time of some rounds of work."""
    times: list[float] = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return sorted(times)[len(times) // 2]


def megabytes(path: Path) -> float:
    """Return the size of a file in units of 10^6 bytes."""
    return path.stat().st_size / 1e6


def measure(shape: Shape, layout: str, folder: Path) -> None:
    """Fill one layout with one shape, and print the costs."""
    path = folder / "w.duckdb"
    path.unlink(missing_ok=True)
    con = duckdb.connect(str(path), config={"storage_compatibility_version": "v1.0.0"})
    keyed = layout == "integer keys"
    con.execute(f"create table rankings ({KEYS if keyed else TEXT})")
    con.execute(
        "create table judgments (query_id varchar, doc_id varchar, grade double)"
    )
    if keyed:
        con.execute("create sequence keys")
        con.execute("create table query_keys (query_key integer, query_id varchar)")
        con.execute("create table doc_keys (doc_key integer, doc_id varchar)")
    loads: list[float] = []
    for run in range(shape.runs):
        con.execute(
            STAGED.format(
                run=run, doc_id=shape.doc_id, queries=shape.queries, depth=shape.depth
            )
        )
        if run == 0:
            con.execute(JUDGED.format(judged=shape.judged))

        def store() -> None:
            con.execute("begin")
            for statement in STORE[layout]:
                con.execute(statement)
            con.execute("commit")
            con.execute("checkpoint")

        loads.append(seconds(store))
    size = megabytes(path)
    rows = shape.queries * shape.depth * shape.runs
    hits = KEY_HITS if keyed else TEXT_HITS
    report = MEANS.format(VALUES.format(hits=f"({hits}) as h", runs="rankings"))
    from_rankings = seconds(lambda: con.execute(report).fetchall(), 3)
    print(
        f"{shape.name:26} {layout:24} store {' '.join(f'{s:.2f}' for s in loads)} s,"
        f" {size:7.1f} MB ({size * 1e6 / rows:.1f} B a row),"
        f" nDCG@10 from rankings {from_rankings:.2f} s",
        flush=True,
    )
    if layout == "text ids, in order":
        fill = seconds(lambda: con.execute(f"create table hits as {hits}"))
        values = VALUES.format(hits="hits", runs="hits")
        from_hits = seconds(lambda: con.execute(MEANS.format(values)).fetchall(), 3)
        value = seconds(lambda: con.execute(f"create table stored_values as {values}"))
        from_values = seconds(
            lambda: con.execute(MEANS.format("from stored_values")).fetchall(), 3
        )
        plain = seconds(
            lambda: con.execute(
                "select run, avg(value) from stored_values group by run"
            ).fetchall(),
            3,
        )
        con.execute("create table run_means as " + MEANS.format("from stored_values"))
        from_means = seconds(lambda: con.execute("from run_means").fetchall(), 3)
        con.execute("checkpoint")
        print(
            f"{'':26} fill hits {fill:.2f} s, values {value:.2f} s,"
            f" {megabytes(path) - size:.1f} MB more;"
            f" nDCG@10 from hits {from_hits:.2f} s,"
            f" from values per query {from_values:.2f} s (unordered avg {plain:.2f} s),"
            f" from values per run {from_means:.4f} s",
            flush=True,
        )
    con.close()


def main() -> None:
    """Run every layout on every shape."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--small", action="store_true", help="a hundredth of the size")
    small = options.parse_args().small
    print(f"DuckDB {duckdb.__version__}, {os.cpu_count()} cores")
    for shape in SHAPES:
        if small:
            shape = Shape(
                shape.name + " / 100",
                shape.queries // 100,
                shape.depth,
                shape.runs,
                shape.judged,
                shape.doc_id,
            )
        for layout in STORE:
            with tempfile.TemporaryDirectory() as folder:
                measure(shape, layout, Path(folder))


if __name__ == "__main__":
    main()
