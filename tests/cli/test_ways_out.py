"""What people tried first, and the way out that they are shown: it works."""

from pathlib import Path

import pytest

from support.commands import Command

RECOMMENDED = "model,user_id,item_id,score\na,u,x,1\na,u,y,2\nb,u,x,2\n"
SEEN = "user_id,item_id\nq1,x\nq1,y\nq2,x\n"
ATTRIBUTES = "query_id,device,country\nq1,phone,jp\nq2,phone,fr\n"
TRIED: dict[str, tuple[tuple[str, ...], str]] = {
    "recommendations as judgments": (
        ("load", "judgments", "two.csv", "--grade", "1"),
        'two.csv: column "score" beside one grade for all rows; if it is the grade:'
        " --column grade=score; if not, it looks like a run: ndcg-sql load run"
        " two.csv\n",
    ),
    "clicks as an option": (
        ("load", "judgments", "--dataset=shop", "--from-clicks=my log.csv"),
        "ndcg-sql load judgments: no option --from-clicks; write ndcg-sql load clicks"
        " --dataset=shop 'my log.csv'\nsee ndcg-sql load judgments --help\n",
    ),
    "clicks as a flag": (
        ("load", "qrels", "--from-clicks", "log.csv", "--model", "ctr"),
        "ndcg-sql load qrels: no option --from-clicks; write ndcg-sql load clicks"
        " log.csv --model ctr\nsee ndcg-sql load qrels --help\n",
    ),
    "an option that no command has": (
        ("load", "judgments", "--from-heaven", "log.csv"),
        "ndcg-sql load judgments: No such option: --from-heaven (Possible options:"
        " --from)\nsee ndcg-sql load judgments --help\n",
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
        'ndcg-sql tag: no command "base"; write ndcg-sql tag run base seed=1\n'
        "see ndcg-sql tag --help\n",
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
