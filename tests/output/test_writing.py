"""Where output goes: what -o replaces and keeps, and what standard output takes."""

import os
import sys
import threading
from pathlib import Path

import pytest

from ndcg_sql.database import opening
from ndcg_sql.evaluation.values import refill
from ndcg_sql.output.documents import escaped
from support import exploring
from support.commands import Command
from support.processes import ran
from support.scripts import scripted
from support.systems import posix

pytestmark = pytest.mark.mostly_slow

HEAD = "run,judgment_set,dataset,measure,value,"


@pytest.mark.usefixtures("loaded")
def test_a_new_file_has_the_mode_of_the_user_and_an_old_one_keeps_its_own(
    ndcg: Command,
) -> None:
    old = os.umask(0o027)
    try:
        for mode in (0o640, 0o604):
            for name in ("r.csv", "r.md", "r.parquet", "r.csv.gz"):
                assert ndcg("report", "-o", name).code == 0
                assert Path(name).stat().st_mode & 0o777 == mode
                Path(name).write_bytes(b"")
                Path(name).chmod(0o604)
    finally:
        os.umask(old)


@pytest.mark.quick
@pytest.mark.parametrize("exists", [True, False])
@pytest.mark.usefixtures("loaded")
def test_a_link_stays_and_leads_to_the_new_file(ndcg: Command, exists: bool) -> None:
    folder = Path("reports")
    folder.mkdir()
    if exists:
        (folder / "r.csv").write_text("old")
    Path("link.csv").symlink_to("reports/r.csv")
    assert ndcg("report", "-o", "link.csv").code == 0
    assert Path("link.csv").readlink() == Path("reports/r.csv")
    assert (folder / "r.csv").read_text().startswith(HEAD)
    assert [file.name for file in folder.iterdir()] == ["r.csv"]


@posix
@pytest.mark.usefixtures("loaded")
def test_a_pipe_or_device_is_written_into(ndcg: Command) -> None:
    pipe = Path("pipe")
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    assert ndcg("report", "-o", "pipe", "--format", "csv").code == 0
    reader.join(timeout=10)
    assert read[0].startswith(HEAD)
    assert pipe.is_fifo()
    assert ndcg("report", "-o", "/dev/null").code == 0
    assert Path("/dev/null").is_char_device()


def shell(command: str, folder: Path) -> tuple[int, str]:
    """Run a command line with ndcg-sql as $N; return its code and its talk."""
    environment = {**os.environ, "N": f"{sys.executable} -m ndcg_sql"}
    done = ran(["bash", "-c", f"set -o pipefail; {command}"], folder, env=environment)
    return done.returncode, done.stderr


FULL = "standard output: No space left on device\n"
CLOSED = "standard output: closed; write to a file with -o FILE\n"
# Command lines, with their code and what they say. Readers may have seen enough, or
# have gone when the program begins: neither data nor the code depend on it.
LINES = {
    "$N --quiet report > /dev/full": (2, FULL),
    "$N --quiet report --format csv > /dev/full": (2, FULL),
    "$N --quiet export run base > /dev/full": (2, FULL),
    "$N --quiet schema > /dev/full": (2, FULL),
    "$N --quiet --help > /dev/full": (2, FULL),
    "$N --quiet demo > /dev/full": (2, FULL),
    "$N report >&-": (2, CLOSED),
    "$N report -o r.csv >&-": (0, ""),
    # Talk never gets into the data.
    "$N export run base 2>&- > data && $N report >> data 2>&-; ! grep exported data": (
        0,
        "",
    ),
    "$N --quiet report | head -1": (0, ""),
    "$N --quiet schema | head -1": (0, ""),
    "$N --quiet export run base | head -1": (0, ""),
    "(sleep 0.1; $N report nothing) 2>&1 | true": (2, ""),
    "(sleep 0.1; $N load run low --name unread) 2>&1 | true; "
    "$N report --run unread | grep -q unread": (0, ""),
    "$N --quiet load run low && (sleep 0.1; $N gate base low -m nDCG@10"
    " --underpowered fail --html g.html) 2>&1 | true; code=$?;"
    " test -s g.html && exit $code": (1, ""),
}


@posix
@pytest.mark.parametrize("line", exploring.mostly_slow([*LINES], next(iter(LINES))))
def test_what_standard_output_takes(loaded: Path, line: str) -> None:
    Path("low").write_text("q1 Q0 nothing 1 1 low\n")
    assert shell(line, loaded.parent) == LINES[line]


HOSTILE = {
    r"\ & % $ # _ { }": r"\textbackslash{} \& \% \$ \# \_ \{ \}",
    "~^<>|": r"\textasciitilde{}\textasciicircum{}\textless{}\textgreater{}"
    r"\textbar{}",
    '"a"': r"\char34{}a\char34{}",
    # A row that began so would give the end of the row above an argument.
    "[1em]*": "{[}1em{]}{*}",
    # Ligatures would show other characters than there are.
    "--- ``'' ,, ?` !` a-b": "-{}-{}- `{}`{}'{}' ,{}, ?{}` !{}` a-b",
    r"\input{/etc/passwd}": r"\textbackslash{}input\{/etc/passwd\}",
    "a\x1b\u202e": r"a\textbackslash{}x1b\textbackslash{}u202e",
    "é漢": "é漢",
}


@pytest.mark.quick
@pytest.mark.parametrize("text", HOSTILE)
def test_latex_shows_hostile_text_as_it_is(text: str) -> None:
    assert escaped(text, "latex") == HOSTILE[text]


def test_duckdb_draws_no_progress_bar_on_standard_output(tmp_path: Path) -> None:
    with (
        opening.write(tmp_path / "w.duckdb", refill) as file,
        opening.memory() as memory,
    ):
        for warehouse in (file, memory):
            sql = "select current_setting('enable_progress_bar_print')"
            assert warehouse.execute(sql) == [(False,)]


test_script = scripted(__file__)
