"""The wheel holds all that the package needs, and runs from an empty directory."""

import os
import re
import sys
import tarfile
import zipfile
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest

from ndcg_sql import __version__
from ndcg_sql.database import template
from support.processes import ran

ROOT = Path(__file__).parents[2]
# They are part of the package in the wheel alone.
SQL = (("sql", "ndcg_sql/"), ("migrations", "ndcg_sql/"))


def _run(*command: str | Path, cwd: Path, path: str = "", url: str = "") -> str:
    """Run a command and return its output; fail with what it said on an error."""
    environment = {**os.environ, "PYTHONPATH": path, "NDCG_SQL_REPOSITORY_URL": url}
    environment.pop("NDCG_SQL_WAREHOUSE", None)
    done = ran([str(part) for part in command], cwd, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _built(kind: str, folder: Path, source: Path = ROOT, url: str = "") -> Path:
    """Build a wheel or an sdist as pip would, in a folder; return its path."""
    build = ("hatchling", "build", "-t", kind, "-d", folder)
    _run(sys.executable, "-m", *build, cwd=source, url=url)
    (file,) = folder.iterdir()
    return file


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel."""
    return _built("wheel", tmp_path_factory.mktemp("wheel"))


@pytest.mark.slow
def test_the_wheel_holds_the_package_its_sql_and_nothing_else(wheel: Path) -> None:
    expected = {f"ndcg_sql/database/{template.name()}"}
    for folder, inside in (("ndcg_sql", ""), *SQL):
        for file in (ROOT / folder).rglob("*"):
            name = file.relative_to(ROOT).as_posix()
            if file.is_file() and file.suffix not in (".pyc", ".duckdb"):
                expected.add(inside + name)
    # Type checkers believe the types of a package that says it has them.
    assert {"ndcg_sql/py.typed", "ndcg_sql/sql/measures.csv"} < expected
    facts = {"METADATA", "WHEEL", "entry_points.txt", "licenses/LICENSE", "RECORD"}
    expected |= {f"ndcg_sql-{__version__}.dist-info/{fact}" for fact in facts}
    assert set(zipfile.ZipFile(wheel).namelist()) == expected
    assert wheel.name == f"ndcg_sql-{__version__}-py3-none-any.whl"


@pytest.mark.slow
def test_wheel_runs_without_the_checkout(wheel: Path, tmp_path: Path) -> None:
    site, empty = tmp_path / "site", tmp_path / "empty"
    empty.mkdir()
    # As pip does, which not every environment has.
    zipfile.ZipFile(wheel).extractall(site)
    command = (sys.executable, "-m", "ndcg_sql")
    where = _run(
        sys.executable,
        "-c",
        "import ndcg_sql; print(ndcg_sql.__file__)",
        cwd=empty,
        path=str(site),
    )
    assert where.startswith(str(site))
    assert "0.8517" in _run(*command, "demo", cwd=empty, path=str(site))
    told = _run(*command, "report", "--format", "csv", cwd=empty, path=str(site))
    assert told.count("\n") == 1 + 3 * 4


@pytest.mark.slow
def test_two_builds_at_other_places_and_times_are_equal(
    wheel: Path, tmp_path: Path
) -> None:
    archive = _built("sdist", tmp_path / "first")
    with tarfile.open(archive) as source:
        source.extractall(tmp_path, filter="data")
    (copy,) = tmp_path.glob("ndcg_sql-*")
    for path in copy.rglob("*"):
        os.utime(path, (0, 10**9))
    # A release builds the wheel from the source distribution.
    again = _built("wheel", tmp_path / "second", copy)
    assert again.read_bytes() == wheel.read_bytes()
    again = _built("sdist", tmp_path / "third")
    assert again.read_bytes() == archive.read_bytes()


@pytest.mark.slow
def test_an_index_shows_the_readme_with_links_that_work(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    url = "https://example.org/ndcg-sql"
    shown = {
        address: _metadata(_built("wheel", tmp_path / name, url=address))
        for name, address in (("without", ""), ("with", url))
    }
    assert _text(shown[""]) == readme
    assert shown[""].get_all("Project-URL") is None
    text = _text(shown[url])
    links = re.findall(r"\]\(([^)]*)\)", text)
    assert len(links) == len(re.findall(r"\]\(", readme)) > 40
    assert not [link for link in links if not link.startswith((f"{url}/", "#"))]
    assert f"]({url}/raw/v{__version__}/docs/speed.svg)" in text
    assert f"]({url}/blob/v{__version__}/docs/operations.md#systems)" in text
    assert f"Source, {url}" in (shown[url].get_all("Project-URL") or [])


def _metadata(wheel: Path) -> Message:
    """Return what an index reads of a wheel."""
    archive = zipfile.ZipFile(wheel)
    (name,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
    return message_from_bytes(archive.read(name))


def _text(metadata: Message) -> str:
    """Return the text below the fields."""
    text = metadata.get_payload(decode=True)
    assert isinstance(text, bytes)
    return text.decode()


def test_the_version_to_cite_is_that_of_the_package() -> None:
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (.*)$", text, re.MULTILINE) == [__version__]


@pytest.mark.slow
def test_the_source_distribution_has_what_builds_and_tests_it(tmp_path: Path) -> None:
    with tarfile.open(_built("sdist", tmp_path)) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for pattern in (
        "*.py",
        "ndcg_sql/**/*.py",
        "sql/**/*",
        "migrations/*",
        "tests/**/*.py",
    ):
        files = [path for path in ROOT.glob(pattern) if path.is_file()]
        assert {str(path.relative_to(ROOT)) for path in files} <= names
    assert {"README.md", "LICENSE", "pyproject.toml", ".ci/run", ".ci/site"} <= names
    # Nothing that a developer's work leaves behind.
    left = [name for name in names if "cache" in name or name.endswith(".duckdb")]
    assert not left
