"""SQL that means harm: it writes, reads, reaches and reveals nothing, and ends.

Every statement is tried against a warehouse beside which lie a file with a
secret and a server that waits for a call.
"""

import hashlib
import re
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from support import exploring
from support.commands import Command

SECRET = "canary-4711"

REFUSED, HARMLESS, ENDLESS = exploring.starred(__file__)


@pytest.fixture
def server() -> Iterator[socket.socket]:
    """Listen for anybody who calls."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        yield listener


def contents(folder: Path) -> dict[str, str]:
    """Return the hash of every file in a folder and below, and the folders."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        if path.is_file()
        else "folder"
        for path in folder.rglob("*")
    }


@pytest.mark.slow
@pytest.mark.parametrize("sql", exploring.tried(REFUSED | HARMLESS))
def test_hostile_sql_has_no_effect(
    ndcg: Command,
    loaded: Path,
    server: socket.socket,
    monkeypatch: pytest.MonkeyPatch,
    sql: str,
) -> None:
    folder = loaded.parent
    monkeypatch.setenv("CANARY", SECRET)
    (folder / "secret.csv").write_text(f"{SECRET}\n{SECRET}\n")
    (folder / "home").mkdir()
    (folder / "home" / ".netrc").write_text(SECRET)
    monkeypatch.setenv("HOME", str(folder / "home"))
    (folder / "statement.sql").write_text(
        sql.format(
            own=loaded,
            secret=folder / "secret.csv",
            new=folder / "new",
            folder=folder,
            name=folder.name,
            url=f"http://127.0.0.1:{server.getsockname()[1]}",
        ).replace("\\0", "\0")
    )
    before = contents(folder)
    with (folder / "statement.sql").open() as statement:
        monkeypatch.setattr("sys.stdin", statement)
        result = ndcg("query", "-", "--format", "csv")
    assert result.code == (2 if sql in REFUSED else 0), result
    assert SECRET not in result.out + result.err
    if sql in REFUSED:
        assert result.out == ""
        assert re.fullmatch(r"query: [^\n]+\n", result.err), result.err
    assert contents(folder) == before
    with pytest.raises(BlockingIOError):
        server.accept()


def children() -> set[str]:
    """Return the children of this process; some tests run servers meanwhile."""
    files = Path("/proc/self/task").glob("*/children")
    return {child for file in files for child in file.read_text().split()}


@pytest.mark.slow
@pytest.mark.parametrize("sql", exploring.tried(ENDLESS))
def test_what_never_ends_is_ended(ndcg: Command, loaded: Path, sql: str) -> None:
    # Rows for people are laid out, however many there are.
    form = "table" if sql.startswith("select range from") else "csv"
    before = children()
    start = time.monotonic()
    assert ndcg("query", "select 1").code == 0
    overhead = time.monotonic() - start
    limits = ["--time-limit", "1", "--memory-limit", "200MB"]
    start = time.monotonic()
    result = ndcg("query", sql, "--format", form, *limits)
    # The machine may be busier than it was for the first.
    assert time.monotonic() - start < 1 + 1 + 3 * overhead
    assert re.match(
        r"query: (stopped after 1 s|needs more memory than)", result.refusal
    )
    assert children() <= before
    assert list(loaded.parent.iterdir()) == [loaded]


def test_there_are_at_least_the_statements_promised() -> None:
    assert len(REFUSED) >= 44
    assert len(ENDLESS) >= 20
