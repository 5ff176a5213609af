"""Help begins with what to do first, and ends with an example that runs.

Like all short commands it is quick: nothing heavy is imported that they do not need.
"""

import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ndcg_sql.cli.catalogue import TOP
from ndcg_sql.cli.main import run
from ndcg_sql.python.warehouse import Warehouse
from support import pages
from support.commands import Command
from support.files import QRELS, RUN

# trec_eval shows the help of trec_eval.
PATHS = [
    path.removeprefix("ndcg-sql ")
    for path in pages.commands()
    if path not in ("ndcg-sql", "ndcg-sql trec_eval")
]
FILES = {
    "qrels.txt": QRELS,
    "first.run": RUN,
    "corpus.jsonl": '{"_id": "a", "title": "Apple"}\n',
    "scifact/queries.jsonl": '{"_id": "q1", "text": "apple"}\n',
    "scifact/qrels/test.tsv": "query-id\tcorpus-id\tscore\nq1\ta\t1\n",
    "passages/qrels.dev.tsv": "1\t0\t7\t1\n",
    "bought.csv": "query_id,doc_id\nq01,a\n",
    "events.csv": "query,document,action,position\n"
    + "q1,a,impression,1\n" * 20
    + "q1,a,click,1\n",
    "purchases.csv": "query_id,item\nu1,a\nu2,b\n",
    "week.csv": ("query_id,doc_id,score,Engine,Week\nq1,a,2,old,W47\nq1,a,3,new,W47\n"),
    "models.csv": "query_id,doc_id,score,model\nq1,a,2,old\nq1,a,3,new\n",
    "queries.csv": "query_id,device\nq1,mobile\n",
    "ragas.csv": "query_id,faithfulness\nq01,0.5\n",
    "spans.csv": "query_id,latency\nq01,120\n",
    "ann.csv": "query_id,doc_id,grade\nq01,a,1\n",
    "llm.csv": "query_id,doc_id,grade\nq01,a,1\nq01,b,0\n",
    "assessments.csv": (
        "query_id,doc_id,assessor,grade\nq1,a,ann,1\nq1,a,bob,1\nq1,b,ann,0\n"
    ),
}


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the warehouse of the demo, with what else examples name."""
    folder = tmp_path_factory.mktemp("demo")
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "panel.csv").write_text(
        "query_id,doc_id,assessor,grade\nq01,a,ann,1\nq01,a,bob,1\nq01,b,ann,0\n"
    )
    (folder / "more.csv").write_text("query_id,doc_id,grade\nq01,a,1\n")
    made = folder / "ndcg.duckdb"
    for line in (
        "demo --quiet",
        f"load judgments {folder}/more.csv --dataset demo --base judgments"
        " --name judgments-2",
        f"load assessments {folder}/panel.csv --dataset demo --name assessments",
        f"load documents {folder}/corpus.jsonl --dataset demo",
        f"load known {folder}/bought.csv --dataset demo",
        "gains add cubic 0=0 1=1 2=8",
        f"load judgments {folder}/qrels.txt --dataset shop",
    ):
        assert run(["-w", str(made), *line.split()]) == 0
    with Warehouse(folder / "other.duckdb") as warehouse:
        warehouse.load_judgments(folder / "qrels.txt", dataset="other")
    return folder


def _help(ndcg: Command, path: str) -> str:
    """Return the help of a command."""
    result = ndcg(*path.split(), "--help")
    assert (result.code, result.err) == (0, "")
    return result.out


def _groups() -> set[str]:
    """Return the commands that have commands below them."""
    return {p for p in PATHS if any(q.startswith(f"{p} ") for q in PATHS)}


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(set(PATHS) - _groups()))
def test_the_help_of_a_command_ends_with_examples_that_run(
    ndcg: Command, demo: Path, path: str
) -> None:
    shutil.copytree(demo, ".", dirs_exist_ok=True)
    _, _, examples = _help(ndcg, path).rpartition("\nExample")
    heading, *lines = examples.rstrip().splitlines()
    assert heading == ("s:" if len(lines) > 1 else ":")
    for example in lines:
        program, *arguments = shlex.split(example)
        assert program == "ndcg-sql"
        assert " ".join(arguments).startswith(path)
        result = ndcg(*arguments)
        assert result.code == 0, result.err
        assert result.out + result.err


@pytest.mark.parametrize("path", ["", *sorted(_groups())])
def test_no_line_of_a_list_of_commands_is_cut_off(ndcg: Command, path: str) -> None:
    _, _, commands = _help(ndcg, path).partition("\n\n")
    assert not [line for line in commands.splitlines() if line.endswith("...")]


@pytest.mark.parametrize("path", sorted(set(PATHS) - _groups()))
def test_help_fits_a_terminal_and_tells_defaults_in_words(
    ndcg: Command, path: str
) -> None:
    shown, _, _ = _help(ndcg, path).rpartition("\nExample")
    assert max(map(len, shown.splitlines())) <= 80
    assert "default: (" not in " ".join(shown.split())


def test_long_help_has_its_options_in_groups(ndcg: Command) -> None:
    headings = [
        line
        for line in _help(ndcg, "gate").splitlines()
        if line.endswith(":") and not line.startswith(" ")
    ]
    expected = ["Arguments", "Options", "Rules", "Significance", "Output", "Examples"]
    assert headings == [f"{name}:" for name in expected]


def test_the_help_begins_with_the_first_commands_to_run(ndcg: Command) -> None:
    lines = _help(ndcg, "").splitlines()
    assert lines.index("Start with:") < lines.index("Load:") < lines.index("Options:")
    named = [line.strip().split("  ")[0] for line in lines if line.startswith("  ")]
    assert [name for name in named if name in TOP] == list(TOP)
    assert "  ndcg-sql report                    Print the values" in "\n".join(lines)


def test_without_a_command_the_same_help_is_printed(ndcg: Command) -> None:
    shown = _help(ndcg, "")
    assert ndcg().refusal == shown


def test_a_command_in_no_section_is_no_command(ndcg: Command) -> None:
    result = ndcg("reprot")
    assert 'no command "reprot"; did you mean "report"' in result.refusal


@pytest.mark.parametrize(
    ("path", "usage"),
    [
        ("load run", "[OPTIONS] [FILE...]"),
        ("eval", "[OPTIONS] QRELS RUN..."),
        ("explain", "[OPTIONS] RUN QUERY"),
        ("gate", "[OPTIONS] [BASELINE] [CANDIDATE]"),
        ("list", "[OPTIONS]"),
    ],
)
def test_the_usage_names_arguments_as_one_types_them(
    ndcg: Command, path: str, usage: str
) -> None:
    shown = _help(ndcg, path)
    assert shown.splitlines()[0] == f"Usage: ndcg-sql {path} {usage}"
    assert not set("<>{}") & set(shown.split("Options:")[0])


def _fastest(*command: str) -> float:
    """Return the shortest of several wall times of a command, in seconds."""
    times: list[float] = []
    for _ in range(5):
        start = time.perf_counter()
        subprocess.run([sys.executable, *command], check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    return min(times)


@pytest.mark.slow
def test_help_takes_at_most_four_times_an_import_of_duckdb() -> None:
    assert _fastest("-m", "ndcg_sql", "--help") <= 4 * _fastest("-c", "import duckdb")


def test_help_imports_neither_duckdb_nor_what_only_some_commands_need() -> None:
    code = (
        "import sys; from ndcg_sql.cli.main import run; run(['--help']);"
        "print([m for m in ('duckdb', 'sqlalchemy', 'pandas') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.slow
def test_what_needs_no_statistics_imports_no_numpy(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("q1 0 apple 1\n")
    (tmp_path / "run").write_text("q1 Q0 apple 1 1.0 run\n")
    commands = [
        ["eval", "qrels", "run"],
        ["load", "judgments", "qrels"],
        ["load", "run", "run"],
        ["report"],
        ["list"],
    ]
    # As the command line does, since DuckDB imports an installed pandas.
    code = (
        "import sys\n"
        "sys.modules['pandas'] = None\n"
        "from ndcg_sql.cli.main import run\n"
        f"print([run(command) for command in {commands}], 'numpy' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout.splitlines()[-1] == "[0, 0, 0, 0, 0] False"
