"""Which tests run: the quick ones, and what is named or asked for by its mark.

What they compare with is there, or its absence is seen.
"""

import itertools
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from support import exploring
from support.libraries import library, program

ROOT = Path(__file__).parents[2]
SERVERS = ROOT / "tests" / "reading" / "test_servers.py"
EXACT = f"{SERVERS}::test_ids_and_scores_are_exact"
QUIET = ("--collect-only", "-q", "-n", "0", "-p", "no:cacheprovider")
ABSENT = "no_such_library"


class Collected:
    """Notes the names of the tests that would run."""

    names: list[str]

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.names = [item.name for item in session.items]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ([str(SERVERS)], []),
        ([EXACT], ["postgresql", "mariadb"]),
        ([f"{EXACT}[postgresql]"], ["postgresql"]),
        pytest.param(
            *([f"{EXACT}[postgresql]", str(SERVERS)], ["postgresql"]),
            marks=pytest.mark.slow,
        ),
        ([EXACT, "-m", "not slow"], []),
        ([str(SERVERS), "-m", "slow", "-k", "exact and postgresql"], ["postgresql"]),
    ],
)
def test_a_test_that_is_named_runs_whatever_its_mark(
    asked: list[str], wanted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # A share of the slow tests may leave out those that are named here.
    monkeypatch.setattr(exploring, "SHARE", None)
    collected = Collected()
    pytest.main([*QUIET, *asked], plugins=[collected])
    names = [f"{EXACT.partition('::')[2]}[{way}]" for way in wanted]
    assert collected.names == names


@pytest.mark.slow
def test_each_slow_case_is_in_one_share(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def collected() -> list[str]:
        names = Collected()
        pytest.main([*QUIET, str(SERVERS), "-m", "slow"], plugins=[names])
        return names.names

    monkeypatch.setattr(exploring, "SHARE", None)
    every = collected()
    shares: list[list[str]] = []
    for part in range(3):
        monkeypatch.setattr(exploring, "SHARE", f"{part}/3")
        shares.append(collected())
    assert sorted(itertools.chain(*shares)) == sorted(every)
    assert max(map(len, shares)) < len(every) / 2


def test_the_checks_name_tests_that_exist() -> None:
    paths = re.findall(r"tests/[\w/.]+", (ROOT / ".ci" / "run").read_text())
    assert paths
    assert [path for path in paths if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("find", [library, program])
@pytest.mark.parametrize("everywhere", ["CI", "NDCG_SQL_CI", None])
def test_what_is_absent_is_a_failure_where_all_is_installed_and_else_skipped(
    monkeypatch: pytest.MonkeyPatch,
    find: Callable[[str], object],
    everywhere: str | None,
) -> None:
    for name in ("CI", "NDCG_SQL_CI"):
        monkeypatch.delenv(name, raising=False)
    if everywhere:
        monkeypatch.setenv(everywhere, "1")
    kind = pytest.fail if everywhere else pytest.skip
    told = f"{ABSENT}: not installed" if everywhere else ABSENT
    with pytest.raises(kind.Exception, match=told):
        find(ABSENT)


def test_what_is_there_is_found() -> None:
    assert library("json").loads("[1]") == [1]
    assert program("sh").endswith("/sh")
