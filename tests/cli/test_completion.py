"""Shells complete commands, options and names; anything wrong stays silent."""

import shutil
import sys
from pathlib import Path

import pytest

from support.commands import Command, Result
from support.processes import ran

SHELLS = ("bash", "zsh", "fish")


@pytest.fixture
def complete(ndcg: Command, loaded: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Return what bash would be told that can follow a command line."""
    assert loaded.exists()

    def asked(*words: str | Path) -> Result:
        line = ["ndcg-sql", *map(str, words)]
        monkeypatch.setenv("_NDCG_SQL_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", " ".join(line))
        monkeypatch.setenv("COMP_CWORD", str(len(line) - 1))
        result = ndcg()
        monkeypatch.delenv("_NDCG_SQL_COMPLETE")
        return result

    return asked


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("comp", "compare completion"),
        ("load ju", "judgments"),
        ("report --jud", "--judgments"),
        ("report --run b", "base"),
        ("compare b", "base"),
        ("explain ba", "base"),
        ("report --judgments q", "qrels"),
        ("changes q", "qrels"),
        ("report --dataset d", "default"),
        ("report --dataset other --run ", ""),
        ("report -m R@", "R@100"),
        ("measures remove A", "AP"),
        ("report --like rec", "recommenders recbole"),
        ("schema run_v", "run_values"),
        ("remove run b", "base"),
        ("remove dataset de", "default"),
        ("rename judgments q", "qrels"),
        ("tag run b", "base"),
        ("completion f", "fish"),
        ("report -w missing.duckdb --run b", ""),
        ("report --warehouse=. --run b", ""),
    ],
)
def test_names_are_completed(complete: Command, words: str, found: str) -> None:
    result = complete(*words.split(" "))
    assert (result.code, result.err) == (0, "")
    assert result.out.split() == found.split()


def test_a_family_is_completed_without_a_warehouse(
    complete: Command, loaded: Path
) -> None:
    loaded.unlink()
    assert complete("eval", "-m", "Rp").out.split() == ["Rprec", "Rprec_mult@0.5"]


def test_names_of_the_warehouse_that_the_line_names_are_completed(
    complete: Command, loaded: Path
) -> None:
    loaded.rename("other.duckdb")
    assert complete("report", "-w", "other.duckdb", "--run", "b").out == "base\n"


def test_a_dataset_of_queries_alone_is_completed(
    complete: Command, ndcg: Command
) -> None:
    Path("q.csv").write_text("query_id,text\nq1,apple\n")
    assert ndcg("load", "queries", "q.csv", "--dataset", "texts").code == 0
    assert complete("remove", "dataset", "te").out == "texts\n"


def test_a_damaged_warehouse_completes_nothing(complete: Command, loaded: Path) -> None:
    loaded.write_bytes(b"nothing" * 10_000)
    result = complete("report", "--run", "b")
    assert (result.code, result.out.strip(), result.err) == (0, "", "")


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_asks_the_program(ndcg: Command, shell: str) -> None:
    result = ndcg("completion", shell)
    assert (result.code, result.err) == (0, "")
    assert f"_NDCG_SQL_COMPLETE=complete_{shell}" in result.out


def test_another_shell_is_refused(ndcg: Command) -> None:
    assert ndcg("completion", "csh").refusal == "csh: not one of bash, zsh, fish\n"


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")
def test_bash_completes_with_the_script(loaded: Path) -> None:
    """The script itself runs, and what it calls answers."""
    program = Path(sys.executable).parent / "ndcg-sql"
    script = f"""
        PATH={program.parent}:$PATH
        source <(ndcg-sql completion bash)
        COMP_WORDS=(ndcg-sql report --run b) COMP_CWORD=3
        _ndcg_sql_completion {program}
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    done = ran(["bash", "-c", script], loaded.parent)
    assert (done.stdout, done.stderr) == ("base\n", "")
