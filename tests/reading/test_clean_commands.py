"""Commands say and store the same, whether or not a clean run is read as one."""

import gzip
import json
import random
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from ndcg_sql.loading import clean_runs
from ndcg_sql.reading import compression, sources
from ndcg_sql.reading.clean import arrow
from ndcg_sql.reading.clean import files as clean_files
from ndcg_sql.reading.clean.files import blocks, parts
from ndcg_sql.reading.clean.rankings import BLANKS, Batch, Form, Judged
from ndcg_sql.reading.clean.rankings import part as part_of
from ndcg_sql.reading.clean.texts import OddError
from ndcg_sql.trec_eval import evaluation
from support.commands import Command
from support.files import shown, tables

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

SEED = 51
MEASURES = ("-m", "nDCG@10", "-m", "AP", "-m", "RR")


def run_lines(separator: str = " ", queries: int = 9) -> str:
    """Return a clean run in the form of TREC."""
    chance = random.Random(SEED)
    return "".join(
        separator.join(
            (f"q{query}", "Q0", f"d{doc}", "1", repr(round(chance.random(), 1)), "t\n")
        )
        for query in range(queries)
        for doc in chance.sample(range(40), 30)
    )


QRELS = "".join(
    f"q{query} 0 d{doc} {doc % 3}\n" for query in range(8) for doc in range(9)
)
CSV = "query,doc,score\n" + "".join(
    f"{line.split()[0]},{line.split()[2]},{line.split()[4]}\n"
    for line in run_lines().splitlines()
)
FILES: dict[str, bytes] = {
    "run": run_lines().encode(),
    "run.tabs": run_lines("\t").encode(),
    "run.csv": CSV.encode(),
    "run.tsv": CSV.replace(",", "\t").encode(),
    "run.gz": gzip.compress(run_lines().encode()),
    "run.zst": zstd.compress(
        run_lines().encode(), options={zstd.CompressionParameter.checksum_flag: 1}
    ),
    "run.csv.gz": gzip.compress(CSV.encode()),
    # What must be left to the strict reading.
    "run.without.checksum.zst": zstd.compress(run_lines().encode()),
    "cut.gz": gzip.compress(run_lines().encode())[:-20],
    "apart": run_lines().encode() + b"q0 Q0 other 1 1 t\n",
    "twice": run_lines().encode() + b"q8 Q0 d1 1 1 t\nq8 Q0 d1 1 1 t\n",
    "two.tags": run_lines().encode() + b"q8 Q0 other 1 1 u\n",
    "nan": run_lines().encode() + b"q8 Q0 other 1 nan t\n",
    "latin": run_lines().encode() + b"q8 Q0 \xe9 1 1 t\n",
    "quotes.csv": CSV.encode() + b'"q9",d1,1\n',
    "named.jsonl": "".join(
        json.dumps({"run": "t", "query_id": q, "doc_id": d, "score": float(score)})
        + "\n"
        for q, _, d, _, score, _ in map(str.split, run_lines().splitlines())
    ).encode(),
    "windows": run_lines().replace("\n", "\r\n").encode(),
    "late": "".join(
        f"q{n // 100} Q0 d{n} {n if n < 200 else 9999 - n} {-n} t\n"
        for n in range(4000)
    ).encode(),
}


@pytest.fixture
def clean_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the smallest files read as large ones are."""
    for name in ("LARGE", "LARGE_PACKED", "LARGE_STORED"):
        monkeypatch.setattr(sources, name, 1)
    monkeypatch.setattr(evaluation, "LARGE", 1)
    # What is odd about a file is not at its beginning.
    monkeypatch.setattr(sources, "CHUNK", 500)
    monkeypatch.setattr(compression, "CHUNK", 500)


def told(ndcg: Command, names: list[str]) -> list[object]:
    """Return what eval, load and a select on all that is stored print."""
    Path("qrels").write_text(QRELS)
    Path("halves").write_text(QRELS + "q0 0 half 0.5\n")
    Path("ndcg.duckdb").unlink(missing_ok=True)
    assert ndcg("load", "judgments", "qrels").code == 0
    results: list[object] = []
    for name in names:
        Path(name).write_bytes(FILES[name])
        results += [
            ndcg("eval", "qrels", name, *MEASURES, "--per-query", "--format", "csv"),
            ndcg("load", "run", name, "--name", name),
        ]
    again = ndcg("load", "run", *names)
    like = ndcg("eval", "qrels", *names[:1], *MEASURES, "--like", "trec_eval-9")
    stored = (
        shown(
            "select run, query_id, doc_id, position, score from rankings order by all"
        ),
        # Of a run that turns out to be odd, the first number is lost.
        shown("from (select * exclude (run_id) from query_values) order by all"),
        shown("select run, query_count, document_count, position_rule from runs"),
    )
    others = [ndcg("trec_eval", of, names[0]) for of in ("qrels", "halves")]
    others.append(ndcg("eval", "halves", names[0]))
    return [*results, again, like, *others, *stored, ndcg("check")]


@pytest.mark.parametrize(
    "names", [["run.gz"], pytest.param([*FILES], marks=pytest.mark.slow)]
)
def test_commands_say_and_store_the_same(
    ndcg: Command, names: list[str], request: pytest.FixtureRequest
) -> None:
    before = told(ndcg, names)
    request.getfixturevalue("clean_at_once")
    assert told(ndcg, names) == before


@pytest.mark.slow
@pytest.mark.parametrize("broken", ["score", "retrieved", "tie_first"])
@pytest.mark.usefixtures("clean_at_once")
def test_batches_that_end_early_store_nothing(
    ndcg: Command, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    """The rows, the queries and the hits of a run go over as streams."""

    class Breaking(arrow.ArrowStream):
        def __init__(self, types: Any, batches: Iterator[Batch]) -> None:
            super().__init__(types, self.some(batches) if broken in types else batches)

        def some(self, batches: Iterator[Batch]) -> Iterator[Batch]:
            yield next(batches)
            raise MemoryError("no more")

    Path("first.run").write_text(run_lines())
    Path("qrels").write_text(QRELS)
    assert ndcg("load", "judgments", "qrels").code == 0
    before = tables(Path("ndcg.duckdb"))
    for module in (clean_runs, clean_files):
        monkeypatch.setattr(module, "ArrowStream", Breaking)
    result = ndcg("load", "run", "first.run")
    assert result.refusal == "unexpected: MemoryError: no more; please report it\n"
    assert tables(Path("ndcg.duckdb")) == before


FORM = Form(b" ", 6, 0, 2, 4, (5, b"t"), tuple(range(6)), BLANKS, 0, "score")


@pytest.mark.parametrize("size", [1, 40, 1_000])
def test_blocks_are_whole_queries(size: int) -> None:
    content = run_lines().encode()
    chunks = [content[at : at + size] for at in range(0, len(content), size)]
    found = [*blocks(iter(chunks), b" ", 0, 0)]
    assert b"".join(found) == content
    queries = [{line.split()[0] for line in block.splitlines()} for block in found]
    assert sum(map(len, queries)) == len(set[bytes]().union(*queries)) == 9


def test_threads_find_the_same_in_the_same_order() -> None:
    content = run_lines(queries=40).encode()
    chunks = [content[at : at + 500] for at in range(0, len(content), 500)]
    judged = Judged(b"".join(b"q%d\0d%d\0" % (n, n % 30) for n in range(40)))
    read = partial(part_of, form=FORM, judged=judged, with_rows=True)
    found = [
        [
            (
                [part.queries["query_id"].bytes_at(at) for at in range(len(part.keys))],
                part.hits["position"].tolist(),
                part.hits["tie_last"].tolist(),
            )
            for part in parts(iter(chunks), FORM, read, threads)
        ]
        for threads in (1, 3)
    ]
    assert found[0] == found[1]
    assert len(found[0]) > 3


def test_what_a_thread_finds_odd_ends_all() -> None:
    content = run_lines(queries=40).encode() + b"q99 Q0 d 1 one t\n"
    chunks = [content[at : at + 500] for at in range(0, len(content), 500)]
    read = partial(part_of, form=FORM, judged=Judged(b""), with_rows=False)
    with pytest.raises(OddError):
        for _ in parts(iter(chunks), FORM, read, 3):
            pass
