"""A format that was guessed wrong is named, with the next likely ones."""

import pickle
from pathlib import Path

import pytest

from support import exploring
from support.commands import Command

WRONG = {
    "one line of semicolons": (
        "judgments",
        "j.txt",
        "q1;d1;1\n",
        "trec",
    ),
    "tabs": (
        "judgments",
        "j.txt",
        "q1\td1\t1\tx y z\tz\n",
        "trec",
    ),
    "ranks after an odd first line": (
        "run",
        "r.txt",
        "q1 d1 first\n" + "".join(f"q1 d{n} {n}\n" for n in range(2, 9)),
        "trec",
    ),
    "scores after a first line of ranks": (
        "run",
        "r.txt",
        "q1 d0 1\n" + "".join(f"q1 1 d{n} {n} 0.5 t\n" for n in range(1, 9)),
        "msmarco",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", exploring.sampled(WRONG, 2))
def test_a_wrong_guess_is_told(ndcg: Command, case: str) -> None:
    kind, name, content, guess = WRONG[case]
    Path(name).write_text(content)
    result = ndcg("load", kind, name)
    last = result.refusal.splitlines()[-1]
    assert (
        last == f"guessed format: {guess}; if it is another, name it with --format-in"
    )
    named = ndcg("load", kind, name, "--format-in", guess)
    assert "guessed" not in named.err


CERTAIN = {
    "few bad lines": ("run", "q Q0 a 1 2 t\nq Q0 b 2 1 t\nq Q0 c\n"),
    "numbers that are none": ("run", "q Q0 a 1 1,5 t\nq Q0 b 2 1,4 t\n"),
    "the same document": ("run", "q Q0 a 1 2 t\nq Q0 a 2 1 t\n"),
    "labels": ("judgments", "q 0 a Exact\nq 0 b Good\n"),
    "judgments for a run": ("run", "q 0 a 1\nq 0 b 0\n"),
    "no text in UTF-8": ("run", "q Q0 \xe4 1 2 t\n"),
}


@pytest.mark.parametrize("case", exploring.sampled(CERTAIN, 2))
def test_a_format_is_no_guess_where_its_lines_are_its_own(
    ndcg: Command, case: str
) -> None:
    kind, content = CERTAIN[case]
    Path("file").write_text(content, encoding="latin-1")
    result = ndcg("load", kind, "file")
    assert "guessed" not in result.refusal


@pytest.mark.slow
def test_a_binary_file_is_refused_in_one_line(ndcg: Command) -> None:
    run = {f"q{n}": {f"d{m}": m / 2 for m in range(20)} for n in range(20)}
    Path("run.pkl").write_bytes(pickle.dumps(run))
    for kind in ("run", "judgments", "queries"):
        result = ndcg("load", kind, "run.pkl")
        told = "run.pkl: a binary file, not text; is this the right file?\n"
        assert result.refusal == told


@pytest.mark.slow
def test_text_with_a_few_bad_bytes_is_still_read_by_line(ndcg: Command) -> None:
    Path("r").write_bytes(b"q1 Q0 a 1 2 t\nq1 Q0 b\0 2 1 t\n")
    assert "r:2: a NUL byte" in ndcg("load", "run", "r").err
