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
def test_a_new_file_has_the_mode_that_the_user_asked_for(ndcg: Command) -> None:
    old = os.umask(0o027)
    try:
        for name in ("r.csv", "r.md", "r.parquet", "r.csv.gz"):
            assert ndcg("report", "-o", name).code == 0
            assert Path(name).stat().st_mode & 0o777 == 0o640
    finally:
        os.umask(old)


@pytest.mark.usefixtures("loaded")
def test_an_old_file_keeps_its_mode(ndcg: Command) -> None:
    for name in ("r.csv", "r.md"):
        Path(name).touch()
        Path(name).chmod(0o604)
        assert ndcg("report", "-o", name).code == 0
        assert Path(name).stat().st_mode & 0o777 == 0o604
        assert Path(name).stat().st_size > 0


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


@posix
@pytest.mark.parametrize(
    "command",
    exploring.mostly_slow(
        [
            "report",
            "report --format csv",
            "export run base",
            "schema",
            "--help",
            "demo",
        ],
        "report",
    ),
)
def test_a_full_standard_output_is_named(loaded: Path, command: str) -> None:
    code, told = shell(f"$N --quiet {command} > /dev/full", loaded.parent)
    assert (code, told) == (2, "standard output: No space left on device\n")


@pytest.mark.quick
@posix
@pytest.mark.usefixtures("loaded")
def test_a_full_device_is_named(ndcg: Command) -> None:
    result = ndcg("report", "-o", "/dev/full")
    assert result.refusal == "-o /dev/full: No space left on device\n"


def test_a_closed_standard_output_is_named(loaded: Path) -> None:
    told = "standard output: closed; write to a file with -o FILE\n"
    assert shell("$N report >&-", loaded.parent) == (2, told)
    assert shell("$N report -o r.csv >&-", loaded.parent) == (0, "")


def test_talk_never_gets_into_the_data(loaded: Path) -> None:
    command = "$N export run base 2>&- > data; $N report >> data 2>&-"
    assert shell(command, loaded.parent)[0] == 0
    assert "exported" not in Path("data").read_text()


def test_a_reader_that_has_seen_enough_is_no_fault(loaded: Path) -> None:
    for command in ("report", "schema", "export run base"):
        assert shell(f"$N --quiet {command} | head -1", loaded.parent) == (0, "")


def test_the_verdict_does_not_depend_on_who_reads_it(
    ndcg: Command, loaded: Path
) -> None:
    Path("low").write_text("q1 Q0 nothing 1 1 low\n")
    assert ndcg("load", "run", "low").code == 0
    # The reader has gone when the program begins; the page is written all the same.
    gate = "$N gate base low -m nDCG@10 --underpowered fail --html g.html"
    assert shell(f"(sleep 0.1; {gate}) 2>&1 | true", loaded.parent) == (1, "")
    assert Path("g.html").exists()


def test_an_error_or_a_change_does_not_depend_on_who_reads_of_it(loaded: Path) -> None:
    Path("base").write_text("q1 Q0 nothing 1 1 base\n")
    late = "(sleep 0.1; $N {}) 2>&1 | true"
    assert shell(late.format("report nothing"), loaded.parent) == (2, "")
    assert shell(late.format("load run base --name unread"), loaded.parent) == (0, "")
    assert shell("$N report --run unread | grep -q unread", loaded.parent)[0] == 0


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


@pytest.mark.usefixtures("loaded")
def test_latex_is_a_table_of_booktabs(ndcg: Command) -> None:
    Path("r").write_text("q1 Q0 a 1 3 t\n")
    assert ndcg("load", "run", "r", "--name", "50% & [x]").code == 0
    result = ndcg("report", "-m", "nDCG(dcg='exp-log2')@10", "--format", "latex")
    assert (result.code, result.err) == (0, "")
    assert result.out == (
        "% dataset default, judgment set qrels\n"
        "% needs \\usepackage{booktabs}\n"
        "\\begin{tabular}{lr}\n"
        "\\toprule\n"
        "run & nDCG(dcg='exp-log2')@10 \\\\\n"
        "\\midrule\n"
        "base & 0.3984 \\\\\n"
        "50\\% \\& {[}x{]} & \\textbf{0.4131} \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
    )


@pytest.mark.usefixtures("loaded")
@pytest.mark.parametrize(
    "command",
    ["report -q", "explain base q1", "list", "measures list", "measures --families"],
)
def test_every_table_comes_as_latex(ndcg: Command, command: str) -> None:
    words = ["measures", "list", "--families"] if "fam" in command else command.split()
    result = ndcg(*words, "--format", "latex")
    assert (result.code, result.err) == (0, "")
    inside = result.out.split("\\midrule\n")[1].split("\\bottomrule")[0]
    columns = result.out.split("\\begin{tabular}{")[1].split("}")[0]
    for row in inside.splitlines():
        assert row.endswith(" \\\\")
        assert row.replace("\\&", "").count(" & ") == len(columns) - 1


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
