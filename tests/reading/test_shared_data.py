"""Every published file: what it is, how it is loaded, and what comes out."""

import csv
import json
import re
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest

from support.commands import Command


@dataclass(frozen=True)
class Loaded:
    """A file that loads: as what, with which options, how many queries and rows."""

    kind: str
    queries: int
    rows: int
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class Refused:
    """A file that is refused: the line, and the end of the message."""

    kind: str
    line: int | str
    reason: str
    options: tuple[str, ...] = ()


def judgments(queries: int, rows: int, *options: str) -> Loaded:
    """Return judgments that load."""
    return Loaded("judgments", queries, rows, options)


def run(queries: int, rows: int, *options: str) -> Loaded:
    """Return a run that loads."""
    return Loaded("run", queries, rows, options)


QID_LIST = "letor/lightgbm-rank.test.qid.svm.gz"
MSMARCO = "1 field, expected 3 (query document rank)"
# Five lines of the run carry words at their end, which trec_eval overlooks.
JUNK = "9 fields, expected 6 (query Q0 document rank score run)"
FILES = {
    "trec_eval/results.test": run(3, 1500),
    "trec_eval/results.trunc": Refused("run", 1, JUNK),
    "trec_eval/qrels.test": judgments(3, 3681),
    "trec_eval/qrels.test.with-comments": judgments(3, 3681),
    "trec_eval/qrels.rel_level": judgments(3, 3681),
    "dl19/qrels.dl19-passage.txt.gz": judgments(43, 9260),
    "dl19/run.dl19-passage.bm25-default.top1000.txt.gz": run(43, 43000),
    "web13/qrels.web.201-250.txt.gz": judgments(50, 14474),
    "web13/run.cwindri.gz": run(48, 7331),
    "examples/irm_compat.qrels": judgments(2, 311),
    "examples/irm_compat.run": run(2, 1927),
    "examples/irm_cwl.qrels": judgments(3, 23),
    "examples/irm_cwl.run": run(3, 30),
    "letor/lightgbm-rank.test.qid.svm.gz": judgments(50, 768),
    "letor/lightgbm-rank.test.scores.txt": run(50, 768, "--rows-of", QID_LIST),
    "letor/tfr-test.txt": judgments(9, 36),
    "letor/xgb-rank.test.csv": judgments(
        10, 66, "--column", "grade=1", "--column", "query_id=5"
    ),
    "ecom/chorus_Broad_Query_Set_individual_ratings.csv": judgments(135, 3188),
    "ecom/chorus_Broad_Query_Set_rated.csv": judgments(135, 3668),
    "ecom/chorus_Broad_Query_Set_unrated.csv": judgments(135, 3188, "--label", "=-1"),
    "ecom/chorus_Chorus_Electronics_basic.csv": judgments(2, 207),
    "ecom/opensearch_esci_us_judgments.json.gz": judgments(150, 6678),
    "ecom/opensearch_esci_us_queryset.json": Loaded("queries", 150, 150),
    # Each of its queries stands there twice, with the same documents.
    "ecom/opensearch_ImportJudgments.json": Refused(
        "judgments",
        " item 2",
        'query "metal frame", document "B071XJXHPN": already on item 1',
    ),
    "ecom/hello-ltr_title_judgments.txt": judgments(40, 1390),
    "msmarco/run.msmarco-passage.dev.small.first1MB.trec.gz": Refused(
        "run", 19298, "3 fields, expected 6 (query Q0 document rank score run)"
    ),
    "msmarco/run.msmarco-passage.dev.small.first1MB.tsv.gz": Refused(
        "run", 52646, MSMARCO, ("--positions", "given")
    ),
    "msmarco/run.msmarco-doc.leaderboard-dev.bm25base.first1MB.txt.gz": Refused(
        "run", 51362, MSMARCO, ("--positions", "given")
    ),
}
# What is no data to load, and the module of the test that reads it, if any.
VALUES = {
    "trec_eval/LICENSE.md": None,
    "trec_eval/out.test": "test_shared_data",
    "trec_eval/out.test.a": "test_trec_eval",
    "trec_eval/out.test.aq": "test_trec_eval",
    "trec_eval/out.test.aqc": "test_trec_eval",
    "web13/expected.cwindri.ndcg_err.csv": "test_published",
    "examples/worked_examples.json": None,
    "examples/recsys_vectors.json": "test_like",
    "examples/irm_expected.json": None,
    # Formats that are not included.
    "ntcireval/sample.rel": None,
    "ntcireval/sample.res": None,
    "ntcireval/sample.lab": None,
    "ntcireval/sample-j.lab": None,
    "ntcireval/res_test_compute.txt": None,
    "ntcireval/res_test_compute_grade.txt": None,
    "ntcireval/res_test_compute_cutoff.txt": None,
    "ntcireval/res_test_compute_label_j.txt": None,
    "letor/lightgbm-rank.test.gz": None,
    "letor/lightgbm-rank.test.query": None,
    "letor/xgb-rank.test.txt": None,
    "ecom/rre_ratings.json": None,
    "ecom/rre_ratings_example.json": None,
    "letor/lightgbm-expected.json": "test_published",
    "letor/lightgbm-rank.test.Eval-Score-MSLR.out.txt": "test_published",
}


def options_of(case: Loaded | Refused, shared: Path) -> list[str]:
    """Return the options of a case, with the files in them where they are."""
    files = {QID_LIST: str(shared / QID_LIST)}
    return [files.get(option, option) for option in case.options]


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
@pytest.mark.usefixtures("bare")
def test_a_published_file_loads_or_is_refused_at_its_line(
    ndcg: Command, shared: Path, tmp_path: Path, name: str
) -> None:
    case = FILES[name]
    options = options_of(case, shared)
    result = ndcg("load", case.kind, shared / name, *options)
    if isinstance(case, Refused):
        first = f"{shared / name}:{case.line}: {case.reason}"
        # What may load it follows.
        assert result.err.splitlines()[0].partition("; ")[0] == first
        assert (result.code, result.out) == (2, "")
        assert not (tmp_path / "ndcg.duckdb").exists()
        return
    assert result.code == 0, result.err
    table = {"run": "rankings"}.get(case.kind, case.kind)
    with duckdb.connect(str(tmp_path / "ndcg.duckdb"), read_only=True) as connection:
        sql = f"select count(distinct query_id), count(*) from {table}"
        assert connection.execute(sql).fetchall() == [(case.queries, case.rows)]


def test_every_published_file_is_in_the_table(shared: Path) -> None:
    with (shared / "SOURCES.tsv").open(encoding="utf-8", newline="") as lines:
        sources = {row["file"] for row in csv.DictReader(lines, delimiter="\t")}
    there = {
        path.relative_to(shared).as_posix()
        for path in shared.glob("*/*")
        if path.parent.name not in ("notices", "reports")
    }
    assert sources == there == {*FILES, *VALUES}
    described = (shared / "README.md").read_text(encoding="utf-8")
    assert all(f"`{name.split('/')[1]}`" in described for name in there)


@pytest.mark.parametrize("name", [name for name, module in VALUES.items() if module])
def test_published_values_are_read_by_a_test(name: str) -> None:
    (path,) = Path(__file__).parents[1].rglob(f"{VALUES[name]}.py")
    source = path.read_text(encoding="utf-8")
    read = source.replace(f'"{name}": ', "")
    stem = re.escape(name.split("/")[1].removesuffix(".json"))
    assert re.search(rf'["/]{stem}(.json)?"', read), f"nothing reads {name}"


def test_what_trec_eval_prints_at_first_is_part_of_all_it_prints(shared: Path) -> None:
    folder = shared / "trec_eval"
    first, everything = folder / "out.test", folder / "out.test.a"
    assert set(first.read_text().splitlines()) < set(
        everything.read_text().splitlines()
    )


def values(ndcg: Command, *arguments: str | Path) -> dict[str, float]:
    """Return the mean of each measure that a command reports."""
    result = ndcg(*arguments, "--format", "json")
    assert result.code == 0, result.err
    return {row["measure"]: row["value"] for row in json.loads(result.out)}


@pytest.mark.slow
def test_opensearch_and_its_queries_meet(ndcg: Command, shared: Path) -> None:
    folder = shared / "ecom"
    judged = folder / "opensearch_esci_us_judgments.json.gz"
    assert ndcg("load", "judgments", judged).code == 0
    told = ndcg("load", "queries", folder / "opensearch_esci_us_queryset.json")
    assert told.err.startswith('loaded 150 queries of dataset "default"')
    with duckdb.connect("ndcg.duckdb", read_only=True) as connection:
        known = connection.execute(
            "select count(distinct query_id), max(grade) from judgments"
            " semi join queries using (query_id)"
        ).fetchall()
    assert known == [(150, 100.0)]
