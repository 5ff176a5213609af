"""Runs of chunks: a document takes the place of its best chunk."""

import json
from pathlib import Path
from random import Random
from typing import Any

import polars as pl
import pytest
from ir_measures import ScoredDoc

import ndcg_sql
from support.commands import Command
from support.files import stored

MEASURES = ("nDCG@3", "R@3", "P@3")
# Chunks a#1 .9, a#2 .8, a#3 .7 of a; a and b are relevant.
EXPECTED = [0.6131471928, 0.5, 1 / 3]
CHUNKS = {"a#1": 0.9, "a#2": 0.8, "a#3": 0.7}
JUDGED = {"q1": {"a": 1, "b": 1}}
BEFORE = ("--unit-before", "#")
ROWS = "query_id,article,place,score\nq1,a,1,.9\nq1,a,2,.8\nq1,a,3,.7\n"
OBJECT = {"id": "x", "art": "a"}
FILES: dict[str, tuple[str, tuple[str, ...]]] = {
    "trec": (
        "".join(f"q1 Q0 {d} {n} {s} t\n" for n, (d, s) in enumerate(CHUNKS.items())),
        BEFORE,
    ),
    "f.csv": (
        "query_id,doc_id,score\n" + "".join(f"q1,{d},{CHUNKS[d]}\n" for d in CHUNKS),
        BEFORE,
    ),
    "units.csv": (ROWS, ("--unit", "article")),
    "in order.csv": (ROWS, ("--unit", "article", "--positions", "given")),
    "f.json": (json.dumps({"q1": CHUNKS}), BEFORE),
    "lists.json": (json.dumps({"q1": [*CHUNKS]}), BEFORE),
    "f.jsonl": (
        json.dumps({"query_id": "q1", "hits": [OBJECT] * 3}),
        ("--unit", "hits.art", "--positions", "given"),
    ),
    "lists": ("q1\t" + ",".join(CHUNKS) + "\n", BEFORE),
}


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize("name", FILES)
def test_a_document_takes_the_place_of_its_best_chunk(ndcg: Command, name: str) -> None:
    text, options = FILES[name]
    Path(name).write_text(text)
    Path("j").write_text("q1 0 a 1\nq1 0 b 1\n")
    measured = [part for one in MEASURES for part in ("-m", one)]
    told = ndcg("eval", "j", name, *options, *measured, "--format", "json")
    assert [row["value"] for row in json.loads(told.out)] == pytest.approx(EXPECTED)
    kept = "'#'" if options == BEFORE else options[1]
    dropped = f"2 chunks dropped ({options[0]} {kept})"
    assert told.err == f'run "{Path(name).stem}": {dropped}\n'
    loaded = ndcg("load", "run", name, *options, "--name", "r").err
    assert loaded.startswith(
        f'loaded run "r": 1 query, 1 document; no judgments yet; {dropped}\n'
    )
    assert stored("select doc_id, position from rankings") == [("a", 1)]
    [(source,)] = stored("select source from runs")
    assert source.startswith(f"{name}; 2 chunks dropped (unit")


FRAME = pl.DataFrame({"query_id": ["q1"] * 3, "d": ["a"] * 3, "score": [0.9, 0.8, 0.7]})
GIVEN: dict[str, tuple[Any, dict[str, Any]]] = {
    "dict": ({"q1": CHUNKS}, {"unit_before": "#"}),
    "list": ({"q1": [*CHUNKS]}, {"unit_before": "#"}),
    "ScoredDoc": (
        [ScoredDoc("q1", d, s) for d, s in CHUNKS.items()],
        {"unit_before": "#"},
    ),
    "frame": (FRAME, {"unit": "d"}),
    "frame of chunks": (
        FRAME.with_columns(d=pl.Series([*CHUNKS])),
        {"unit_before": "#", "columns": {"doc_id": "d"}},
    ),
}


@pytest.mark.parametrize("name", GIVEN)
def test_python_takes_chunks_too(name: str) -> None:
    run, options = GIVEN[name]
    values = ndcg_sql.evaluate(JUDGED, run, MEASURES, **options)
    assert [values[one] for one in MEASURES] == pytest.approx(EXPECTED)
    with ndcg_sql.Warehouse.memory() as warehouse:
        warehouse.load_judgments(JUDGED)
        told = warehouse.load_run(run, **options)
        assert f"2 chunks dropped ({'unit' if name == 'frame' else 'unit_b'}" in str(
            told
        )


def test_units_are_those_of_a_loop() -> None:
    """Against the definition, with ties, negative scores and ids without the text."""
    random = Random(5)
    ids = [f"{doc}{rest}" for doc in "abcé" for rest in ("", "::1", "::2", "::x::3")]
    for position_rule in ("score", "given"):
        run = {
            f"q{q}": {
                d: random.choice([-1, 0, 0.5, 2])
                for d in random.sample(ids, random.randint(1, len(ids)))
            }
            for q in range(30)
        }
        expected: dict[str, dict[str, float]] = {}
        for query, ranked in run.items():
            units = expected.setdefault(query, {})
            for place, (chunk, score) in enumerate(ranked.items()):
                unit = chunk.rpartition("::")[0] or chunk
                value = -place if position_rule == "given" else score
                units[unit] = max(value, units.get(unit, value))
        judged = {q: {d: random.randint(0, 3) for d in [*ids, "a::x"]} for q in run}
        given: Any = {q: [*ranked] for q, ranked in run.items()}
        if position_rule == "score":
            given = run
        names = "nDCG@3 AP RR nDCG"
        values = ndcg_sql.evaluate(judged, given, names, unit_before="::")
        assert values.per_query == ndcg_sql.evaluate(judged, expected, names).per_query


@pytest.mark.usefixtures("empty")
def test_chunks_of_several_runs_stay_apart(ndcg: Command) -> None:
    rows = "q,a-1,x,.9\nq,a-2,x,.8\nq,a-2,y,.7\nq,b-1,y,.75\n-3,-3,y,1\n"
    Path("f.csv").write_text("query_id,doc_id,model,score\n" + rows)
    told = ndcg("load", "run", "f.csv", "--unit-before", "-")
    assert told.err == (
        'f.csv: 2 runs, named by column "model"\n'
        'loaded run "x": 1 query, 1 document; no judgments yet; 1 chunk dropped'
        " (--unit-before -)\n"
        'loaded run "y": 2 queries, 3 documents; no judgments yet\n'
    )
    ranked = "select run_id, doc_id from rankings where query_id = 'q'"
    assert stored(f"{ranked} order by run_id, position") == [
        (1, "a"),
        (2, "b"),
        (2, "a"),
    ]
    # An id that begins with the text is not empty.
    assert stored("select doc_id from rankings where query_id = '-3'") == [("-3",)]


REFUSED = {
    "both": (
        "q1 Q0 a#1 1 1 t\n",
        ("--unit", "d", *BEFORE),
        "--unit: cannot be combined with --unit-before; omit one",
    ),
    "nothing": ("q1 Q0 a 1 1 t\n", ("--unit-before", ""), "--unit-before: is empty"),
    "no columns": (
        "q1 Q0 a 1 1 t\n",
        ("--unit", "d"),
        'f: a file of the format trec has no column "d"; omit --unit',
    ),
    "a chunk twice": (
        "q1 Q0 a#1 1 1 t\nq1 Q0 a#1 2 0 t\n",
        BEFORE,
        'f:2: query "q1", document "a#1": already on line 1',
    ),
    "a rank twice": (
        "query_id,d,rank\nq1,a,1\nq1,a,1\n",
        ("--unit", "d", "--positions", "given"),
        'f:3: query "q1", document "a": rank 1 is already on line 2',
    ),
}


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize("name", REFUSED)
def test_what_is_wrong_with_chunks_is_refused(ndcg: Command, name: str) -> None:
    text, options, message = REFUSED[name]
    Path("f").write_text(text)
    assert ndcg("load", "run", "f", *options).refusal.startswith(message)
    assert ndcg("eval", "f", "f", *options).code == 2


@pytest.mark.parametrize("mark", ["#", "_", "-", ":", "::", "/", "_chunk_"])
def test_chunks_of_judged_documents_are_recognised(mark: str) -> None:
    run = {"q1": {f"a{mark}{n}": n for n in range(3)}}
    example = f'the run has "a{mark}0", the judgments have "a"'
    named = f'{example}; if it ranks chunks of documents: unit_before="{mark}"'
    with pytest.warns(UserWarning, match=named):
        ndcg_sql.evaluate(JUDGED, run, "RR")
    with ndcg_sql.Warehouse.memory() as warehouse:
        warehouse.load_run(run)
        [told] = warehouse.load_judgments(JUDGED).warnings
        again = f'load_run(FILE, unit_before="{mark}", replace=True)'
        assert told.endswith(f"{example}; if it ranks chunks of documents: {again}")


@pytest.mark.usefixtures("empty")
def test_a_proposal_takes_the_unit_for_the_document(ndcg: Command) -> None:
    rows = "q1,a,1,.9\nq1,a,2,.8\nq1,b,3,.7\nq2,b,1,.5\n"
    Path("f.csv").write_text("Suchbegriff,article,chunk,Punkte\n" + rows)
    told = ndcg("load", "run", "f.csv", "--unit", "article").err
    assert told.endswith(
        "if this is right: ndcg-sql load run f.csv --unit article"
        " --column query_id=Suchbegriff --column score=Punkte\n"
    )
