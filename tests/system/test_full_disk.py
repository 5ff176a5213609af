"""Whatever runs out of room, the old state is left or the new one, and it goes on."""

import shutil
import subprocess
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest

from ndcg_sql.database import opening
from ndcg_sql.database.connections import translated
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.values import refill
from ndcg_sql.loading.sets import Options, load
from ndcg_sql.publishing.plan import Publication
from ndcg_sql.publishing.publish import publish
from ndcg_sql.system.messages import Messages
from support.commands import Command

QUERIES, DEPTH = 400, 50
# How much room there is, in kB: from none to enough for anything.
ROOM = (0, 100, 400, 900, 9000, 30_000)
ENOUGH = 50_000
FULL = "no space left on the disk; "
DONE = "the change is committed, in"
State = dict[str, int] | None


def mount(folder: Path, size: int, again: bool = False) -> bool:
    """Put a disk of so many kB there, or make the one that is there as large."""
    options = f"size={size}k" + (",remount" if again else "")
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    try:
        return subprocess.run(command, capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Return a disk of its own, or skip where none can be mounted."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if not mount(folder, 1000):
        pytest.skip("a small disk cannot be mounted here: only root may")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a folder with a warehouse of two runs, its copy, and a run to load."""
    folder = tmp_path_factory.mktemp("made")
    queries, depths = range(QUERIES), range(DEPTH)
    for name, shown in (("late", depths), ("other", depths), ("base", depths[::2])):
        lines = (
            f"q{q} Q0 {name}-{(q * DEPTH + d) * 7919 % 1000003} 0 {d * 7 % 50}.5 t\n"
            for q in queries
            for d in shown
        )
        (folder / name).write_text("".join(lines))
    lines = (f"q{q} 0 base-{q * DEPTH * 7919 % 1000003} 1\n" for q in queries)
    (folder / "qrels").write_text("".join(lines))
    with opening.write(folder / "ndcg.duckdb", refill) as warehouse:
        load(warehouse, "judgments", [folder / "qrels"], Options(), Messages())
        load(warehouse, "run", [folder / "base"], Options(), Messages())
    publish(
        lambda copy: opening.read(folder / "ndcg.duckdb", copy=copy),
        Publication(target=str(folder / "copy.duckdb")),
        0,
        Messages(),
    )
    with opening.write(folder / "ndcg.duckdb", refill) as warehouse:
        load(warehouse, "run", [folder / "other"], Options(), Messages())
    return folder


def state(path: Path) -> State:
    """Return the documents of each run of a file, None where there is none."""
    if not path.exists():
        return None
    with duckdb.connect(str(path), read_only=True) as connection:
        sql = "select run, count(*) from rankings group by all"
        return dict(connection.execute(sql).fetchall())


LARGE = QUERIES * DEPTH
ONE = {"base": LARGE // 2}
BOTH = ONE | {"other": LARGE}
# A command, the file that it writes, and what that holds before and afterwards.
COMMANDS: dict[str, tuple[tuple[str, ...], str, State, State]] = {
    "load": (("load", "run", "late"), "ndcg.duckdb", BOTH, BOTH | {"late": LARGE}),
    "replace": (
        ("load", "run", "late", "--name", "base", "--replace"),
        "ndcg.duckdb",
        BOTH,
        BOTH | {"base": LARGE},
    ),
    "remove": (("remove", "run", "other"), "ndcg.duckdb", BOTH, ONE),
    "create": (("load", "run", "late"), "ndcg.duckdb", None, {"late": LARGE}),
    "publish": (("publish", "disk/copy.duckdb"), "copy.duckdb", ONE, BOTH),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_a_full_disk_costs_nothing(
    ndcg: Command, tmp_path: Path, made: Path, disk: Path, name: str
) -> None:
    arguments, file, before, after = COMMANDS[name]
    shutil.copy(made / "late", tmp_path)
    written = disk / file
    where = ("-w", made / "ndcg.duckdb" if name == "publish" else written)
    codes: list[int] = []
    for room in ROOM:
        assert mount(disk, ENOUGH, again=True)
        used = 8
        written.unlink(missing_ok=True)
        if before is not None:
            shutil.copy(made / file, disk)
            used += written.stat().st_size // 1024
        assert mount(disk, used + room, again=True)
        result = ndcg(*where, *arguments)
        codes.append(result.code)
        if result.code == 0:
            assert state(written) == after
            assert list(disk.iterdir()) == [written]
            continue
        *told, last = result.err.splitlines()
        assert (result.code, result.out) == (2, "")
        assert FULL in last
        assert not told
        assert state(written) == before, (room, result.err)
        if before is None:
            assert list(disk.iterdir()) == []
        elif name != "publish":
            assert ndcg("-w", written, "check").code == 0
        assert mount(disk, ENOUGH, again=True)
        again = ndcg(*where, *arguments)
        assert again.code == 0, (room, again.err)
        assert state(written) == after
    # What is removed needs no room: its blocks are free, and no log is written.
    assert codes[0] == (0 if name == "remove" else 2)
    assert codes[-1] == 0


@pytest.mark.slow
def test_a_report_that_does_not_fit_is_not_left_there(
    ndcg: Command, loaded: Path, disk: Path
) -> None:
    report = ("report", "-q", "--format", "csv", "-o", disk / "values.csv")
    (disk / "values.csv").write_text("as it was")
    (disk / "ballast").write_bytes(bytes(996 * 1024))
    for measures in ("nDCG@10", "nDCG@7"):
        result = ndcg("-w", loaded, *report, "-m", measures)
        assert result.refusal.startswith(f"{disk}: {FULL}")
        assert len(result.err.splitlines()) == 1
        assert (disk / "values.csv").read_text() == "as it was"
    (disk / "ballast").unlink()
    assert ndcg("-w", loaded, *report).code == 0
    assert list(disk.iterdir()) == [disk / "values.csv"]


@pytest.mark.slow
def test_a_change_that_cannot_be_folded_in_is_kept(
    ndcg: Command, made: Path, disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As beside another transaction of the same process.
    def nothing(*_: object) -> None: ...

    monkeypatch.setattr(opening, "write_at_commit", nothing)
    assert mount(disk, ENOUGH, again=True)
    path = disk / "ndcg.duckdb"

    def fill() -> None:
        with opening.write(path, refill) as warehouse:
            load(warehouse, "run", [made / "late"], Options(), Messages())
            used = sum(file.stat().st_size for file in disk.iterdir())
            assert mount(disk, used // 1024 + 8, again=True)

    with pytest.raises(NdcgSqlError) as raised:
        fill()
    monkeypatch.undo()
    assert str(raised.value) == (
        f"{path}: {FULL}{DONE} {path}.wal; make room, and the next command that writes"
        " merges it into the file"
    )
    assert state(path) == {"late": LARGE}
    assert ndcg("-w", path, "check").code == 0
    assert mount(disk, ENOUGH, again=True)
    assert ndcg("-w", path, "load", "judgments", made / "qrels").code == 0
    assert list(disk.iterdir()) == [path]
    assert state(path) == {"late": LARGE}


@contextmanager
def largest(size: int) -> Generator[None]:
    """Have the system refuse files of more than so many bytes while inside."""
    resource = pytest.importorskip("resource")
    usual, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (usual, most))


def test_a_file_beyond_the_limit_on_the_size_of_files_is_not_written(
    ndcg: Command, loaded: Path
) -> None:
    # DuckDB writes blocks of the file anew in place, and the system cuts off what
    # goes beyond the limit: the file would not open any more.
    size = loaded.stat().st_size
    before = loaded.read_bytes()
    with largest(size - 1):
        result = ndcg("rename", "run", "early", "late")
        assert ndcg("list").code == 0
    assert result.refusal == (
        "ndcg.duckdb: larger than the limit on the size of files,"
        f" {size - 1:,} bytes; nothing was changed; raise the limit (ulimit -f)\n"
    )
    assert loaded.read_bytes() == before
    with largest(size):
        assert ndcg("rename", "run", "early", "late").code in (0, 2)
    assert ndcg("check").code == 0


def test_a_disk_that_fails_is_named() -> None:
    message = (
        "ndcg.duckdb: Input/output error: the disk cannot be read or written; when it"
        " can, try again; the change may be there already: check()"
    )
    for text in ("fsync failed!", 'Could not write "/w/n.duckdb": Input/output error'):
        assert str(translated(duckdb.FatalException(text), "ndcg.duckdb")) == message


def test_a_quota_is_a_full_disk() -> None:
    text = 'Could not write file "/w/ndcg.duckdb": Disk quota exceeded'
    for error in (duckdb.IOException(text), duckdb.TransactionException(text)):
        assert str(translated(error, "ndcg.duckdb")) == (
            f"/w/ndcg.duckdb: {FULL}make room or have the quota raised and try"
            " again, or put temporary files elsewhere: limits=Limits(temporary=DIR)"
        )
