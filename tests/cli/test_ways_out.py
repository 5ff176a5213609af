"""What people tried first, and the way out that they are shown: it works."""

import shlex
from pathlib import Path

import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from support.commands import Command

RECOMMENDED = "model,user_id,item_id,score\na,u,x,1\na,u,y,2\nb,u,x,2\n"
SEEN = "user_id,item_id\nq1,x\nq1,y\nq2,x\n"
ATTRIBUTES = "query_id,device,country\nq1,phone,jp\nq2,phone,fr\n"
TRIED: dict[str, tuple[tuple[str, ...], str]] = {
    "recommendations as judgments": (
        ("load", "judgments", "two.csv", "--grade", "1"),
        'two.csv: column "score" beside one grade for all rows\n- it looks like a run\n'
        "if this is right: ndcg-sql load run two.csv\n"
        "otherwise, if it is the grade: --column grade=score\n",
    ),
    "an option that no command has": (
        ("load", "judgments", "--from-heaven", "log.csv"),
        "ndcg-sql load judgments: No such option: --from-heaven (Possible options:"
        " --from)\nsee ndcg-sql load judgments --help\n",
    ),
    "an unknown option beside all names": (
        ("compare", "base", "other", "--metric", "AP"),
        "ndcg-sql compare: No such option: --metric\nsee ndcg-sql compare --help\n",
    ),
    "the word of another program": (
        ("delete", "run", "base"),
        'ndcg-sql: no command "delete"; did you mean "remove"?\nsee ndcg-sql --help\n',
    ),
    "a run without scores": (
        ("load", "run", "seen.csv"),
        "seen.csv: no column for the score; name it: --column score=NAME, or use the"
        " order of the rows: --positions given\n",
    ),
    "a tag that no run has": (
        ("report", "--over", "seed"),
        "--over seed: none of these runs has it; ndcg-sql tag run RUN seed=VALUE gives"
        " it one\n",
    ),
    "tags without their kind": (
        ("tag", "base", "seed=1"),
        'ndcg-sql tag: no command "base"; known: "run"\nsee ndcg-sql tag --help\n',
    ),
    "runs as arguments": (
        ("report", "base"),
        "ndcg-sql report: Got unexpected extra argument(s) (base); runs are named by"
        " --run\nsee ndcg-sql report --help\n",
    ),
    "attributes with a comma": (
        ("report", "--by", "device,country"),
        "--by device,country: no query has this attribute; for several: --by device"
        " --by country\n",
    ),
    "no runs to compare": (
        ("compare",),
        'ndcg-sql compare: no BASELINE; known: "base"\nsee ndcg-sql compare --help\n',
    ),
    "no query to explain": (
        ("explain", "base"),
        'ndcg-sql explain: no QUERY; known: "q1", "q2", "q3"\n'
        "see ndcg-sql explain --help\n",
    ),
    "no name to remove": (
        ("remove", "run"),
        'ndcg-sql remove run: no NAME; known: "base"\nsee ndcg-sql remove run --help\n',
    ),
    "no dataset to remove": (
        ("remove", "dataset"),
        'ndcg-sql remove dataset: no NAME; known: "default"\n'
        "see ndcg-sql remove dataset --help\n",
    ),
    "no select": (
        ("query",),
        "ndcg-sql query: Missing argument 'SQL'.\nsee ndcg-sql query --help\n",
    ),
    "a cutoff without @": (
        ("report", "-m", "nDCG10"),
        'measure "nDCG10": unknown; did you mean "nDCG@10"?\n',
    ),
    "a file in a query": (
        ("query", "from 'seen.csv'"),
        'query: Permission Error: Cannot access file "seen.csv" - file system'
        " operations are disabled by configuration; a query reads no files: join them"
        " in any DuckDB client\n",
    ),
}


@pytest.fixture
def tried(ndcg: Command, loaded: Path) -> Path:
    """Write the files that people have; return their folder."""
    folder = loaded.parent
    for name, text in (
        ("two.csv", RECOMMENDED),
        ("seen.csv", SEEN),
        ("attributes.csv", ATTRIBUTES),
    ):
        (folder / name).write_text(text)
    assert ndcg("load", "queries", "attributes.csv").code == 0
    return folder


@pytest.mark.usefixtures("tried")
@pytest.mark.parametrize("case", TRIED)
def test_what_was_tried_is_answered_with_the_way_out(ndcg: Command, case: str) -> None:
    arguments, message = TRIED[case]
    assert ndcg(*arguments).refusal == message


@pytest.mark.slow
@pytest.mark.usefixtures("tried")
def test_the_ways_out_work(ndcg: Command) -> None:
    for line in (
        "load run two.csv --run-column model",
        "load run seen.csv --positions given",
        "tag run base seed=1",
        "report --over seed",
        "report --by device --by country",
        "report -m nDCG@10 --run base",
    ):
        result = ndcg(*line.split())
        assert result.code == 0, result.err


# Commands, and those that are told to be pasted: with the user's own file, dataset,
# warehouse, and what is to become of the rows.
TOLD_AGAIN = {
    "-w 'a b.db' load judgments 'a b.run' --dataset 'a b'": (
        "-w 'a b.db' load run 'a b.run' --dataset 'a b'"
    ),
    "load documents pairs.csv --dataset d": (
        "load judgments pairs.csv --dataset d --grade 1"
    ),
    "report --dataset empty": "load run FILE --dataset empty",
    "-w new.db report --dataset d": "-w new.db load judgments FILE --dataset d",
    "eval 'a b.run' qrels.txt --format csv -o 'a b.csv'": (
        "eval qrels.txt 'a b.run' --format csv -o 'a b.csv'"
    ),
    "plot differences base -o d.pdf": "plot differences base '*' -o d.pdf",
}


@pytest.mark.usefixtures("loaded")
@pytest.mark.parametrize("command", TOLD_AGAIN)
def test_what_is_told_to_be_pasted_keeps_what_was_said(
    ndcg: Command, command: str
) -> None:
    Path("a b.run").write_text("q1 Q0 a 1 2 t\nq2 Q0 a 1 2 t\n")
    Path("qrels.txt").write_text("q1 0 a 2\n")
    Path("pairs.csv").write_text(SEEN)
    with Warehouse("ndcg.duckdb") as own:
        own.load_judgments({"q": {"a": 1}}, dataset="empty")
    refusal = ndcg(*shlex.split(command)).refusal
    assert f"ndcg-sql {TOLD_AGAIN[command]}" in refusal.replace(" loads one", "")


def test_python_is_told_of_its_dataset_and_file(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_text("q1 Q0 a 1 2 t\n")
    with Warehouse.memory() as own:
        with pytest.raises(NdcgSqlError, match=r'load_run\(".*a.run", dataset="d"\)$'):
            own.load_judgments(path, dataset="d")
        own.load_judgments({"q": {"a": 1}}, dataset="d")
        with pytest.raises(NdcgSqlError, match=r'load_run\(FILE, dataset="d"\) loads'):
            own.report(dataset="d")
