"""What the tests compare with is there, or its absence is seen."""

from collections.abc import Callable

import pytest

from support.libraries import library, program

ABSENT = "no_such_library"


@pytest.fixture(params=["CI", "NDCG_SQL_CI"])
def everywhere(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Say that all libraries are installed, in one of two ways."""
    for name in ("CI", "NDCG_SQL_CI"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(request.param, "1")
    return request.param


@pytest.mark.usefixtures("everywhere")
@pytest.mark.parametrize("find", [library, program])
def test_what_is_absent_where_all_is_installed_is_a_failure(
    find: Callable[[str], object],
) -> None:
    with pytest.raises(pytest.fail.Exception, match=f"{ABSENT}: not installed"):
        find(ABSENT)


@pytest.mark.parametrize("find", [library, program])
def test_what_is_absent_elsewhere_is_skipped(
    monkeypatch: pytest.MonkeyPatch, find: Callable[[str], object]
) -> None:
    for name in ("CI", "NDCG_SQL_CI"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(pytest.skip.Exception, match=ABSENT):
        find(ABSENT)


def test_what_is_there_is_found() -> None:
    assert library("json").loads("[1]") == [1]
    assert program("sh").endswith("/sh")
