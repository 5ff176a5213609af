"""What people see calls the better value so, be it the higher or the lower one."""

import re
from pathlib import Path

import pytest

from support.commands import Command, Once, load_texts

QUERIES = range(1, 13)


def _values(offset: int, *queries: int) -> str:
    rows = (f"{q},{100 + 3 * q + offset},{0.5 + offset / 100}" for q in queries)
    return "\n".join(["query_id,latency,faithful", *rows]) + "\n"


@pytest.fixture
def loaded(ndcg: Command, once: Once) -> Command:
    """Load two runs, of which fast is faster; one of its queries is not judged."""
    lowest = "--lower-is-better latency"

    def fill() -> None:
        load_texts(
            ndcg,
            {
                "judgments qrels": "".join(f"{q} 0 d 1\n" for q in QUERIES),
                "run slow": "".join(f"{q} Q0 d 1 1 t\n" for q in QUERIES),
                "run fast": "".join(f"{q} Q0 d 1 1 t\n" for q in QUERIES),
                f"values slow.csv --name slow {lowest}": _values(20, *QUERIES),
                f"values fast.csv --name fast {lowest}": _values(0, 0, *QUERIES),
            },
        )

    once(fill)
    return ndcg


@pytest.mark.parametrize(
    ("command", "form", "shown"),
    [
        ("report -m latency", "markdown", r"\| fast +\| +\*\*118\.0000\*\* \|"),
        ("report -m latency", "latex", r"fast & \\textbf\{118\.0000\}"),
        ("compare slow fast -m latency", "latex", r"fast & \\textbf\{119\.5000\}"),
        ("compare slow fast -m latency", "table", r"\x1b\[32m-20\.0000\x1b\[0m"),
        ("compare fast slow -m latency", "table", r"\x1b\[31m\+20\.0000\x1b\[0m"),
        ("compare slow fast -q -m latency", "table", r"\x1b\[32m-20\.0000\x1b\[0m"),
        ("report -m faithful", "markdown", r"\| slow +\| +\*\*0\.7000\*\* \|"),
        ("compare slow fast -q -m faithful", "table", r"\x1b\[31m-0\.2000\x1b\[0m"),
        ("compare fast slow -q -m faithful", "table", r"\x1b\[32m\+0\.2000\x1b\[0m"),
    ],
)
def test_the_better_value_is_marked(
    loaded: Command, command: str, form: str, shown: str
) -> None:
    result = loaded(*command.split(), "--format", form, "--color", "always")
    assert result.code == 0, result.err
    assert re.search(shown, result.out), result.out


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("report -m latency", "fast has the lowest latency"),
        ("compare slow fast -m latency", '<span class="better">-20.0000</span>'),
        # A query that has loaded values alone is listed, whatever comes first.
        ("report -m nDCG@10 -m latency", '"queries":["0","1","10"'),
    ],
)
def test_a_page_calls_the_lower_value_better(
    loaded: Command, command: str, said: str
) -> None:
    result = loaded(*command.split(), "--html", "page.html")
    assert result.code == 0, result.err
    page = Path("page.html").read_text(encoding="utf-8")
    assert said in page
    assert '"lowest":["latency"]' in page
    if "nDCG" not in command:
        assert '<span class="of">Better run</span>' in page
        assert "won, 0 tied, 0 lost" in page


def test_a_page_shows_the_runs_that_have_values(loaded: Command) -> None:
    load_texts(loaded, {"run bare": "1 Q0 d 1 1 t\n2 Q0 d 1 1 t\n"})
    assert loaded("report", "-m", "latency", "--html", "page.html").code == 0
    assert '"runs":["fast","slow"]' in Path("page.html").read_text(encoding="utf-8")
    assert loaded("report", "--run", "bare", "--html", "page.html").code == 0
    bare = ("report", "-m", "latency", "--run", "bare", "--html", "page.html")
    assert loaded(*bare).refusal.startswith('latency: no values of run "bare"; load')
