"""What people see on terminals of several widths, and in which colours.

NDCG_SQL_WRITE_SCREENS=1 writes the screens anew; look at what changed.
"""

import os
import re
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from ndcg_sql.output.layout import Cells, cut, fitted, measure
from ndcg_sql.system import terminal
from support.commands import Command
from support.scripts import scripted

SCREENS = Path(__file__).parents[1] / "data" / "screens"
COMMANDS = (
    "report",
    "report -m official --run bm25 --run hybrid",
    "report --by category -m nDCG@10 -m AP",
    "report -q -m nDCG@10 -m RR",
    "compare bm25 hybrid keyword -m nDCG@10 -m AP",
    "compare bm25 hybrid -m nDCG@10",
    "explain bm25 q07",
    "explain bm25 q07 -m nDCG@10 -m nDCG(dcg='exp-log2')@10",
    "explain hybrid q07 --against bm25",
    "gate --baseline hybrid --candidate bm25 -m nDCG@10",
    "gate --baseline hybrid --candidate bm25 -m nDCG@10 -m AP --by category",
    "leaderboard",
    "history -m nDCG@10",
    "holes -m nDCG@10",
    "overlap bm25 hybrid",
    "measures list",
    "measures list --families",
    "gains list",
)
TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")


def _width(text: str) -> int:
    """Return how many columns the widest line has."""
    return max(map(measure, text.splitlines()))


@pytest.mark.slow
@pytest.mark.usefixtures("demo")
@pytest.mark.parametrize("width", [80, 120, 200])
def test_tables_are_as_they_were_looked_at(
    ndcg: Command, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setattr(terminal, "width", lambda: width)
    assert ndcg("gains", "add", "shop", "Exact=1", "Irrelevant=0").code == 0
    shown: list[str] = []
    for command in COMMANDS:
        out = ndcg("--quiet", *command.split()).out
        shown.append(f"$ ndcg-sql {command}\n{TIME.sub('2026-01-31 23:59:59', out)}")
        # What has more numbers than fit is wider than the terminal.
        assert command != "report" or width < 120 or _width(out) <= 120
    path = SCREENS / f"{width}.txt"
    if os.environ.get("NDCG_SQL_WRITE_SCREENS"):
        path.write_text("\n".join(shown), encoding="utf-8")
    assert "\n".join(shown) == path.read_text(encoding="utf-8")


def on_terminal(folder: Path, *arguments: str, **environment: str) -> str:
    """Return what a command prints on a terminal of 60 columns."""
    leader, follower = pytest.importorskip("pty").openpty()
    request = pytest.importorskip("termios").TIOCSWINSZ
    size = struct.pack("HHHH", 50, 60, 0, 0)
    pytest.importorskip("fcntl").ioctl(follower, request, size)
    known = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR")}
    command = [sys.executable, "-m", "ndcg_sql", *arguments]
    with subprocess.Popen(
        command,
        cwd=folder,
        env={**known, "TERM": "xterm", **environment},
        stdout=follower,
        stderr=follower,
    ) as process:
        os.close(follower)
        parts: list[bytes] = []
        while part := _read(leader):
            parts.append(part)
        process.wait()
    os.close(leader)
    return b"".join(parts).decode().replace("\r\n", "\n")


def _read(handle: int) -> bytes:
    """Return what arrived at a terminal; nothing once the other side is closed."""
    try:
        return os.read(handle, 65_536)
    except OSError:
        return b""


REPORT = """\
dataset default, judgment set qrels
queries 2, unanswered 1, nothing relevant 0,
judged@10 0.3333, judged@100 0.3333
run    nDCG@10       AP       RR    R@100
─────────────────────────────────────────
base    0.4299   0.5000   0.5000   0.5000
"""


@pytest.mark.slow
def test_a_terminal_has_its_width_and_colour(ndcg: Command, loaded: Path) -> None:
    out = on_terminal(loaded.parent, "report", NO_COLOR="1")
    assert out == REPORT
    refused = 'no run "x"; known: "base"\n'
    told = on_terminal(loaded.parent, "report", "--run", "x")
    assert told == f"\x1b[31m{refused.rstrip()}\x1b[0m\n"
    assert on_terminal(loaded.parent, "report", "--run", "x", TERM="dumb") == refused
    asked = ("--color", "never", "report", "--run", "x")
    assert on_terminal(loaded.parent, *asked) == refused
    # COLUMNS takes precedence over what the terminal reports.
    piped = ndcg("report").out
    assert on_terminal(loaded.parent, "report", COLUMNS="200", TERM="dumb") == piped


test_script = scripted(__file__)


@pytest.mark.parametrize("limit", [1, 2, 3, 10, 11])
@pytest.mark.parametrize("text", ["a" * 30, "漢字" * 9, "é" * 12, "e\u0301" * 12])
def test_a_name_loses_its_middle(text: str, limit: int) -> None:
    short = cut(text, limit)
    assert measure(short) <= limit
    head, tail = short.split("…")
    assert text.startswith(head)
    assert text.endswith(tail)
    assert cut(text, 60) == text


def test_a_table_loses_the_middle_of_names_and_then_overflows() -> None:
    columns = [Cells("name", ["x" * 50, "y" * 70])]
    columns += [Cells("n" * 9, ["1", "2"], is_right=True) for _ in range(2)]
    assert max(map(measure, fitted(columns, 40, is_coloured=False))) == 40
    # Numbers are never cut.
    narrow = list(fitted(columns, 20, is_coloured=False))
    assert [line.split()[1:] for line in narrow[2:]] == [["1", "1"], ["2", "2"]]
    assert max(map(measure, narrow)) == 10 + 2 * (3 + 9)
