"""Options, names and things that are not there: refused with a hint."""

from pathlib import Path

import pytest

from support.commands import Command
from support.files import RUN
from support.scripts import scripted

test_script = scripted(__file__)

CONTROL = "a name cannot contain control characters"
LOAD = ("load", "run", "run.txt")
ESC = "\x1b[31m\u202e"


@pytest.mark.usefixtures("loaded")
@pytest.mark.parametrize(
    ("command", "told"),
    [
        *(
            ((*LOAD, "--name", name), f'run "{shown}": {CONTROL}')
            for name, shown in (
                ("a\nb", "a\\nb"),
                ("a\x1b[31m", "a\\x1b[31m"),
                ("a\u202eb", "a\\u202eb"),
            )
        ),
        (
            (*LOAD, "--name", "a\u00a0"),
            'run "a\u00a0": a name cannot begin or end with',
        ),
        ((*LOAD, "--name", "x" * 201), f'run "{"x" * 79}…": a name has 1 to 200'),
        ((*LOAD, "--dataset", "a\tb"), f'dataset "a\\tb": {CONTROL}'),
        (("report", "--run", "\x1b"), 'no run "\\x1b"; known: "base"'),
        (("report", "--format", ESC), ""),
        (("report", "-o", f"no/{ESC}"), ""),
        (("report", "-w", ESC), ""),
        (("report", "-w", f"no/{ESC}/w"), ""),
        (("report", "-m", ESC), ""),
        (("report", f"--{ESC}"), ""),
        ((ESC,), ""),
        ((*LOAD, "--positions", ESC), ""),
        ((*LOAD, "--format-in", ESC), ""),
        ((*LOAD, "--run-at", ESC), ""),
        ((*LOAD, "--tag", ESC), ""),
        ((*LOAD, "--column", f"{ESC}=x"), ""),
        ((*LOAD, "-w", f"no/{ESC}"), ""),
        (("load", "judgments", "run.txt", "--label", ESC), ""),
        (("load", "judgments", "run.txt", "--label", f"{ESC}={ESC}"), ""),
        (("load", "run", f"no/{ESC}"), ""),
        (("explain", ESC, "q1"), ""),
        (("measures", "remove", ESC), ""),
    ],
)
def test_no_message_carries_a_control_character(
    ndcg: Command, here: Path, command: tuple[str, ...], told: str
) -> None:
    (here / "run.txt").write_text(RUN)
    result = ndcg(*command)
    assert result.refusal.startswith(told)
    assert "\x1b" not in result.err
    assert "\u202e" not in result.err
