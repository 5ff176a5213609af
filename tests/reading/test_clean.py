"""What proves a run clean reads what the strict reading reads, or leaves it to that."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.question import own_tables
from ndcg_sql.loading import clean_runs
from ndcg_sql.loading.sets import Options, load
from ndcg_sql.reading import sources
from ndcg_sql.reading.detection import layout
from ndcg_sql.reading.layouts import Reading
from ndcg_sql.reading.staging import check_staged, stage
from ndcg_sql.system.messages import Messages
from support import exploring
from support.mutations import mutated

SEED = 41
ROUNDS = exploring.amount(120, 20_000)
IDS = (
    *("a", "b", "B", "00", "0", "01", "d1", "d10", "d2", "é", "日本", "a+b_c", "x" * 8),
    *("x" * 7, "x" * 9, "doc-000000001", "doc-000000002", "doc-0000000012"),
    *("x" * 12, "x" * 13, "x" * 16, "x" * 17, "x" * 100 + "y", "x" * 100 + "z", "~"),
)
SCORES = (
    *("1", "2", "2.0", "0", "-0", "0.0", "-1", "1.5", "-1.5", "10", "3e0", "1e-3"),
    *("0.1", "0.30000000000000004", "0.3", "17.123456", "1.7976931348623157e308"),
    *("1.00000001", "1.00000002", "12345678.25", "123456789.5", "5e-324", "1E2"),
)


@dataclass(frozen=True)
class Writing:
    """How the lines of a run are written: a suffix, a header, a form of each line."""

    suffix: str
    header: str
    line: str


WRITINGS = {
    "trec": Writing("run", "", "{query} Q0 {doc} {rank} {score} tag"),
    "trec with tabs": Writing("run", "", "{query}\tQ0\t{doc}\t{rank}\t{score}\ttag"),
    "csv": Writing("csv", "query_id,doc_id,score", "{query},{doc},{score}"),
    "csv of four": Writing(
        "csv", "qid;rank;docid;score", "{query};{rank};{doc};{score}"
    ),
    "csv with runs": Writing(
        "csv", "score,run,doc_id,query", "{score},bm 25,{doc},{query}"
    ),
    "tsv": Writing("tsv", "query_id\tx\tscore\tdoc_id", "{query}\t\t{score}\t{doc}"),
}
JUDGMENTS = "".join(
    f"{query} 0 {doc} {number % 3}\n"
    for query in ("q1", "q2", "00", "a")
    for number, doc in enumerate(IDS[::2])
)


@pytest.fixture(scope="module")
def judged(memory: Database, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the name of a dataset that has judgments and no runs."""
    path = tmp_path_factory.mktemp("judged") / "qrels"
    path.write_text(JUDGMENTS, encoding="utf-8")
    dataset = "judged for clean runs"
    load(memory, "judgments", [path], Options(dataset=dataset), Messages())
    return dataset


def drawn(chance: random.Random, writing: Writing, rule: str) -> bytes:
    """Return a clean run; scores that are to be single floats fit into one."""
    fitting = [one for one in SCORES if rule == "score" or "e308" not in one]
    lines = [writing.header] if writing.header else []
    queries = chance.sample(("q1", "q2", "q10", "00", "a", "é"), chance.randint(1, 4))
    for query in queries:
        docs = chance.sample(IDS, chance.randint(1, len(IDS)))
        scores = chance.choices(fitting, k=len(docs))
        if chance.random() < 0.5:
            scores.sort(key=float, reverse=True)
        lines += [
            writing.line.format(query=query, doc=doc, rank=rank, score=score)
            for rank, (doc, score) in enumerate(zip(docs, scores, strict=True))
        ]
    end = chance.choice(("\n", "\n", ""))
    return ("\n".join(lines) + end).encode()


def pieces(content: bytes, size: int) -> Iterator[bytes]:
    """Yield content in pieces of a size."""
    for start in range(0, len(content), size):
        yield content[start : start + size]


def read_clean(
    memory: Database, path: Path, dataset: str, rule: str, size: int
) -> tuple[Any, ...] | None:
    """Return rows, positions, queries and hits of a clean run; None if it is odd."""
    try:
        with sources.opened(path, Messages()) as source:
            if source.faults or source.binary or source.has_quotes:
                return None
            how = layout(source, "run", Reading())
            chunks = pieces(path.read_bytes(), size)
            run = clean_runs.read(memory, how, rule, chunks, dataset, bool)
    except NdcgSqlError:
        return None
    if run is None:
        return None
    rows = memory.execute(
        f"select query_id, doc_id, score, position from ({run.rows}) order by all"
    )
    run.remove(memory)
    parameters = {"run_id": 7, "judgment_set_id": run.judgment_set_id}
    with own_tables(memory, {"run_queries": "false", "hits": "false"}):
        with memory.received("read_queries", run.query_stream()):
            memory.run("store/run_queries_of_read", parameters)
        with memory.received("read_hits", run.hit_stream()):
            memory.run("store/hits_of_read", parameters)
        return rows, *stored(memory)


def read_strictly(
    memory: Database, path: Path, dataset: str, rule: str
) -> tuple[Any, ...]:
    """Return rows, positions, queries and hits of a run, as SQL finds them."""
    with sources.opened(path, Messages()) as source:
        how = layout(source, "run", Reading())
        stage(memory, "run", how)
        check_staged(memory, "run", how, rule)
    memory.run(f"store/scored_by_{rule}")
    newest = memory.run("lookups/newest_judgment_set", {"dataset": dataset})
    parameters = {"run_id": 7, "judgment_set_id": newest[0][0]}
    names = ["run_queries", "hits", "rankings"]
    with own_tables(memory, dict.fromkeys(names, "false")):
        memory.run("store/run_queries_of_staged", parameters)
        memory.run("store/hits_of_scored", parameters)
        memory.run("store/rankings_by_scores", parameters)
        rows = memory.execute(
            "select query_id, doc_id, score, position from rankings order by all"
        )
        return rows, *stored(memory)


def stored(memory: Database) -> list[Any]:
    """Return the stored queries and hits."""
    return [
        memory.execute("from run_queries order by all"),
        memory.execute("from hits order by all"),
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", exploring.mostly_slow(WRITINGS, "trec", "csv with runs")
)
def test_a_run_that_is_proved_clean_is_read_as_the_strict_reading_reads_it(
    memory: Database, judged: str, name: str, tmp_path: Path
) -> None:
    chance = random.Random(f"{SEED} {name}")
    writing = WRITINGS[name]
    path = tmp_path / f"file.{writing.suffix}"
    untouched = clean = accepted = 0
    for _ in range(max(ROUNDS // len(WRITINGS), 1)):
        rule = chance.choice(("score", "score", "score32"))
        original = drawn(chance, writing, rule)
        content = mutated(chance, original)
        path.write_bytes(content)
        found = read_clean(memory, path, judged, rule, chance.choice((5, 60, 10_000)))
        if content == original:
            untouched += 1
            clean += found is not None
        if found is not None:
            accepted += 1
            assert found == read_strictly(memory, path, judged, rule), content
    assert 0 < untouched == clean <= accepted


@pytest.mark.parametrize(
    "lines",
    [
        "q1 Q0 a 1 2 t\nq2 Q0 a 1 2 t\nq1 Q0 b 1 2 t\n",
        "q1 Q0 a 1 2 t\nq1 Q0 a 1 2 t\n",
        "q1 Q0 a 1 2 t\nq1 Q0 b 2 1 u\n",
        "q1 Q0 a 1 2 t\n\nq1 Q0 b 2 1 t\n",
        "q1 Q0 a 1 2 t\nq1 Q0 b 2 1 \n",
        "q1 Q0 a 1 2 t\nq1  Q0 b 1 t\n",
        "q1 Q0 a 1 2 t\n#q1 Q0 b 2 1 t\n",
        "q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t x\n",
        "q1 Q0 a 1 2 t\r\nq1 Q0 b 2 1 t\r\n",
        "q1 Q0 a 1 2 t\nq1 Q0 \ufeffb 2 1 t\n",
        "q1 Q0 a 1 2 t\nq1\tQ0 b 2 1 t\n",
        "q1 Q0 a 1 2 t\nq1 Q0 b 2 inf t\n",
    ],
)
@pytest.mark.parametrize("size", [1, 14, 100])
def test_a_run_with_anything_unusual_is_odd(
    memory: Database, judged: str, lines: str, size: int, tmp_path: Path
) -> None:
    path = tmp_path / "run"
    path.write_text(lines, encoding="utf-8", newline="")
    assert read_clean(memory, path, judged, "score", size) is None
