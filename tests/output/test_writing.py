"""Where output goes: what -o replaces and keeps, and what standard output takes."""

import gzip
import os
import shlex
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from ndcg_sql.database import opening
from ndcg_sql.evaluation.values import refill
from ndcg_sql.output.documents import escaped
from support import exploring
from support.commands import Command
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


@posix
@pytest.mark.usefixtures("loaded")
@pytest.mark.parametrize("name", ["-", "/dev/stdout"])
def test_standard_output_has_names(ndcg: Command, name: str) -> None:
    assert ndcg("report", "-o", name) == ndcg("report")


@pytest.mark.parametrize(
    "form",
    exploring.mostly_slow(
        ["csv", "tsv", "json", "jsonl", "markdown", "latex"], "jsonl", "latex"
    ),
)
@pytest.mark.usefixtures("loaded")
def test_the_suffix_tells_the_format(ndcg: Command, form: str) -> None:
    suffix = {"markdown": "md", "latex": "tex"}.get(form, form)
    expected = ndcg("report", "--format", form).out
    for name in (f"r.{suffix}", f"R.{suffix.upper()}"):
        assert ndcg("report", "-o", name).code == 0
        assert Path(name).read_text() == expected
    assert ndcg("report", "-o", f"r.{suffix}.gz").code == 0
    packed = Path(f"r.{suffix}.gz").read_bytes()
    assert gzip.decompress(packed).decode() == expected
    # What is said wins over the name; a name that says nothing gets a table.
    assert ndcg("report", "-o", f"t.{suffix}", "--format", "table").code == 0
    assert ndcg("report", "-o", "t.txt").code == 0
    table = ndcg("report").out
    assert Path(f"t.{suffix}").read_text() == table
    assert Path("t.txt").read_text() == table


def shell(command: str, folder: Path) -> tuple[int, str]:
    """Run a command line with ndcg-sql as $N; return its code and its talk."""
    environment = {**os.environ, "N": f"{sys.executable} -m ndcg_sql"}
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
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


@pytest.mark.quick
@posix
@pytest.mark.usefixtures("loaded")
def test_a_full_device_is_named(ndcg: Command) -> None:
    result = ndcg("report", "-o", "/dev/full")
    assert result.refusal == "-o /dev/full: No space left on device\n"


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


@pytest.mark.quick
@pytest.mark.usefixtures("loaded")
@pytest.mark.parametrize("name", ["out.xls", "out.docx.gz", "b.v2"])
def test_a_suffix_that_tells_nothing_is_refused(ndcg: Command, name: str) -> None:
    result = ndcg("report", "-o", name)
    assert "names no format; say which: --format" in result.refusal
    assert not Path(name).exists()
    assert ndcg("report", "-o", name, "--format", "csv").code == 0
    assert Path(name).exists()


@pytest.mark.parametrize("command", ["report", "pool", "query 'select 1'"])
@pytest.mark.usefixtures("loaded")
def test_a_workbook_is_told_what_to_write(ndcg: Command, command: str) -> None:
    assert ndcg(*shlex.split(command), "-o", "my table.xlsx").refusal == (
        "-o 'my table.xlsx': workbooks are read, but not written; write CSV, and"
        " import it in Excel by Data, From Text/CSV, with the type Text for ids and a"
        " locale of decimal points: -o 'my table.csv'\n"
    )
    assert not Path("my table.xlsx").exists()


def test_duckdb_draws_no_progress_bar_on_standard_output(tmp_path: Path) -> None:
    with (
        opening.write(tmp_path / "w.duckdb", refill) as file,
        opening.memory() as memory,
    ):
        for warehouse in (file, memory):
            sql = "select current_setting('enable_progress_bar_print')"
            assert warehouse.execute(sql) == [(False,)]


@pytest.mark.quick
@pytest.mark.parametrize(
    "command",
    [
        *(("report",), ("report", "-q"), ("leaderboard",)),
        *(("compare", "none", "such"), ("gate", "none", "such"), ("history",)),
        *(("explain", "none", "q"), ("explain", "none", "q", "--against", "such")),
        *(("overlap", "none", "such"), ("changes", "none", "such"), ("holes",)),
        *(("eval", "no-qrels", "no-run"), ("check",), ("agreement",)),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("-o", "no/out.csv"), "-o no/out.csv: the directory does not exist"),
        (("-o", "."), "-o .: a directory"),
        (("--format", "yaml"), "--format yaml: not one of table, markdown, "),
    ],
    ids=["no directory", "a directory", "no format"],
)
def test_an_output_is_refused_before_anything_is_read(
    ndcg: Command,
    here: Path,
    command: tuple[str, ...],
    options: tuple[str, ...],
    told: str,
) -> None:
    if options == ("-o", "."):
        options = (*options, "--format", "csv")
    # Not even that there is no warehouse is known yet.
    assert ndcg(*command, *options).refusal.startswith(told)
    assert not list(here.iterdir())


WRITERS = (
    "schema",
    "measures list --families --format csv",
    "measures list --systems --format csv",
    "eval qrels run --format csv",
    "report --format csv",
)


@pytest.mark.parametrize("command", WRITERS)
def test_no_database_is_replaced(ndcg: Command, loaded: Path, command: str) -> None:
    other = Path("other.duckdb")
    shutil.copy(loaded, other)
    for file in (loaded, other):
        before = file.read_bytes()
        told = ndcg(*command.split(), "-o", file.name)
        assert told.refusal.startswith(f"-o {file.name}: ")
        assert file.read_bytes() == before


@pytest.mark.usefixtures("loaded")
def test_rows_that_look_like_judgments_are_written_again(ndcg: Command) -> None:
    select = "select query_id, 0, doc_id, 1 from judgments"
    for _ in range(2):
        assert ndcg("query", select, "--format", "tsv", "-o", "rows").code == 0


@pytest.mark.quick
@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ("report -o qrels.txt", "judgments"),
        ("report -o base.run --format csv", "a run"),
        ("query 'select 1' -o qrels.txt", "judgments"),
        ("export run base -o qrels.txt", "judgments"),
        ("export judgments qrels -o base.run", "a run"),
        ("gate base base --junit qrels.txt", "judgments"),
    ],
)
@pytest.mark.usefixtures("loaded")
def test_what_no_such_command_wrote_is_not_replaced(
    ndcg: Command, command: str, kind: str
) -> None:
    Path("qrels.txt").write_text("q1 0 a 1\nq1 0 b 0\n")
    Path("base.run").write_text("q1 Q0 a 1 2.5 t\n")
    assert ndcg(*shlex.split(command)).refusal.endswith(
        f": the file has lines of {kind}, which would be lost; name another file, or"
        " remove it\n"
    )
    # What is of the same kind may be an earlier output.
    for _ in range(2):
        assert ndcg("export", "run", "base", "-o", "base.run").code == 0


@pytest.mark.quick
def test_an_evaluation_never_replaces_what_it_reads(ndcg: Command) -> None:
    Path("qrels").write_text("q 0 a 1\n")
    run = Path("run")
    run.write_text("q Q0 a 1 1 t\n")
    before = run.read_bytes()
    assert ndcg("eval", "qrels", "run", "-o", "run", "--format", "csv").refusal == (
        "-o run: this file is to be read; name another\n"
    )
    assert run.read_bytes() == before
