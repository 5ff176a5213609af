"""The script of a page is made once, and whole."""

from pathlib import Path

import pytest

from ndcg_sql.output.html import page


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Give a place for the script, and return what is made."""
    told: list[str] = []

    def make() -> str:
        told.append("made")
        return "draw('é')\n// the end"

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    monkeypatch.setattr(page, "_made", make)
    return told


def _kept(tmp_path: Path) -> Path:
    [path] = (tmp_path / "caches" / "ndcg-sql").iterdir()
    return path


def test_it_is_made_once(made: list[str], tmp_path: Path) -> None:
    first = page.bundle()
    assert [page.bundle() for _ in range(2)] == [first, first]
    assert first.startswith("draw('é')")
    assert made == ["made"]
    assert first in _kept(tmp_path).read_text(encoding="utf-8")


@pytest.mark.parametrize("damage", [b"", b"half", b"\xff\xfe", b"0" * 64 + b"\nbad"])
def test_a_damaged_one_is_made_anew(
    made: list[str], tmp_path: Path, damage: bytes
) -> None:
    first = page.bundle()
    _kept(tmp_path).write_bytes(damage)
    assert page.bundle() == first
    assert made == ["made"] * 2
    assert page.bundle() == first
    assert made == ["made"] * 2


def test_a_folder_that_cannot_be_used_only_costs_time(
    made: list[str], tmp_path: Path
) -> None:
    (tmp_path / "caches").write_text("a file")
    assert page.bundle() == page.bundle()
    assert made == ["made"] * 2
