"""Which tests run: the quick ones, and what is named or asked for by its mark."""

from pathlib import Path

import pytest

SERVERS = Path(__file__).parents[1] / "reading" / "test_servers.py"
EXACT = f"{SERVERS}::test_ids_and_scores_are_exact"


class Collected:
    """Notes the names of the tests that would run."""

    names: list[str]

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.names = [item.name for item in session.items]


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ([str(SERVERS)], []),
        ([EXACT], ["batches", "copy", "cursor", "mariadb"]),
        ([f"{EXACT}[copy]"], ["copy"]),
        ([f"{EXACT}[copy]", str(SERVERS)], ["copy"]),
        ([EXACT, "-m", "not slow"], []),
        ([str(SERVERS), "-m", "slow", "-k", "exact and copy"], ["copy"]),
    ],
)
def test_a_test_that_is_named_runs_whatever_its_mark(
    asked: list[str], wanted: list[str]
) -> None:
    collected = Collected()
    quiet = ("--collect-only", "-q", "-n", "0", "-p", "no:cacheprovider")
    pytest.main([*quiet, *asked], plugins=[collected])
    names = [f"{EXACT.partition('::')[2]}[{way}]" for way in wanted]
    assert collected.names == names
