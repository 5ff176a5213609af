"""A published folder: Parquet that every reader reads, replaced as a whole."""

import hashlib
import json
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ndcg_sql.database import views
from ndcg_sql.publishing import attributes, folders
from support.commands import Command, Once
from support.files import RUN
from support.libraries import library

pytestmark = pytest.mark.mostly_slow

PUBLIC = sorted(views.public())


def manifest() -> dict[str, Any]:
    """Return the manifest of the folder."""
    return json.loads(Path("marts/manifest.json").read_text(encoding="utf-8"))


def assert_equal(warehouse: Path) -> None:
    """Compare every public relation with the files of the folder."""
    with duckdb.connect(str(warehouse), read_only=True) as connection:
        for name in PUBLIC:
            own = connection.execute(f"from {name}").fetchall()
            files = f"from read_parquet('marts/{name}/*.parquet')"
            found = connection.execute(files).fetchall()
            assert sorted(found, key=repr) == sorted(own, key=repr), name


def test_it_has_a_file_for_each_run_and_a_manifest(ndcg: Command, loaded: Path) -> None:
    Path("late").write_text(RUN)
    assert ndcg("load", "run", "late").code == 0
    assert (
        ndcg("publish", "marts/").err
        == 'published "marts/": a folder of Parquet files\n'
    )
    assert_equal(loaded)
    told = manifest()
    assert (told["warehouse"], told["left_out"]) == ("ndcg.duckdb", {})
    assert list(told["relations"]) == [*PUBLIC, attributes.NAME]
    values = told["relations"]["query_values"]
    assert [file["path"] for file in values["files"]] == [
        "query_values/default.1.parquet",
        "query_values/default.2.parquet",
    ]
    assert values["columns"][0]["name"] == "dataset"
    assert values["key"] == ["run_id", "judgment_set_id", "measure", "query_id"]
    assert values["rows"] == sum(file["rows"] for file in values["files"]) == 16
    for relation in told["relations"].values():
        for file in relation["files"]:
            content = Path("marts", file["path"]).read_bytes()
            assert len(content) == file["bytes"]
            assert hashlib.sha256(content).hexdigest() == file["sha256"]


def test_only_what_changed_is_written(ndcg: Command, loaded: Path) -> None:
    assert ndcg("publish", "marts/").code == 0
    before = manifest()
    again = ndcg("publish", "marts")
    assert again.err == '"marts" is up to date; nothing to publish\n'
    kept = Path("marts/rankings/default.1.parquet").stat().st_ino
    Path("late").write_text(RUN)
    assert ndcg("load", "run", "late").code == 0
    assert ndcg("publish", "marts").code == 0
    assert_equal(loaded)
    assert Path("marts/rankings/default.1.parquet").stat().st_ino == kept
    assert manifest()["published_at"] >= before["published_at"]
    assert ndcg("remove", "run", "base").code == 0
    assert ndcg("publish", "marts").code == 0
    assert_equal(loaded)
    assert not Path("marts/rankings/default.1.parquet").exists()
    names = {path.name for path in Path().iterdir()}
    assert names == {"marts", "ndcg.duckdb", "late"}


def test_datasets_and_attributes_of_any_name_have_files(
    ndcg: Command, loaded: Path
) -> None:
    Path("qrels").write_text("q1 0 a 1\n")
    for name in ("../up", "a/b", "a_b", "..", "ÄÖ", "x" * 200, "1"):
        assert ndcg("load", "judgments", "qrels", "--dataset", name).code == 0, name
    assert ndcg("publish", "marts/").code == 0
    assert_equal(loaded)
    inside = Path("marts").resolve()
    for relation in manifest()["relations"].values():
        for file in relation["files"]:
            assert Path("marts", file["path"]).resolve().parent.parent == inside


@pytest.fixture
def marts(ndcg: Command, loaded: Path, once: Once) -> Path:
    """Publish a folder."""

    def publish() -> None:
        assert ndcg("publish", "marts/").code == 0

    once(publish)
    return loaded.parent / "marts"


@pytest.mark.usefixtures("marts")
def test_pandas_and_polars_read_it() -> None:
    pandas: Any = library("pandas")
    polars: Any = library("polars")
    library("pyarrow")
    frame = pandas.read_parquet("marts/query_values")
    assert set(frame["run"]) == {"base"}
    scanned = polars.scan_parquet("marts/query_values/*.parquet").collect()
    assert scanned["run"].unique().to_list() == ["base"]


@pytest.mark.quick
def test_a_folder_of_others_is_refused(ndcg: Command, loaded: Path) -> None:
    Path("theirs").mkdir()
    Path("theirs/precious").write_text("mine")
    Path("file").write_text("mine")
    for text in ('{"format": "other"}', "[]", "{", "null"):
        for target, what in (
            ("theirs/", "exists and is not a published folder"),
            ("theirs", "exists and is not a published folder"),
            ("file/", "a file is there, not a folder"),
        ):
            result = ndcg("publish", target)
            assert result.refusal == (
                f"{target.rstrip('/')}: {what}; name another, or remove it\n"
            )
        Path("theirs/manifest.json").write_text(text)
    assert Path("theirs/precious").read_text() == "mine"
    result = ndcg("publish", "no/marts/")
    assert result.err == "no/marts: the directory does not exist\n"
    assert loaded.exists()


def test_an_empty_folder_is_filled_and_a_failure_leaves_the_old_one(
    ndcg: Command, loaded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("marts").mkdir(mode=0o750)
    assert ndcg("publish", "marts").code == 0
    assert Path("marts").stat().st_mode & 0o777 == 0o750
    before = manifest()
    assert ndcg("tag", "run", "base", "model=a").code == 0

    def fail(*arguments: Any) -> None:
        raise OSError(28, "No space left on device", str(arguments[0]))

    monkeypatch.setattr(folders, "_replace", fail)
    assert ndcg("publish", "marts").refusal == "marts: No space left on device\n"
    assert manifest() == before
    names = {path.name for path in Path().iterdir()}
    assert names == {"marts", "ndcg.duckdb"}
    assert loaded.exists()


def test_nothing_of_others_in_the_folder_is_removed(ndcg: Command, marts: Path) -> None:
    (marts / "notes.md").write_text("mine")
    Path("ndcg.duckdb").rename(marts / "ndcg.duckdb")
    assert ndcg("-w", marts / "ndcg.duckdb", "publish", "marts/").refusal == (
        "marts: has files that ndcg-sql did not publish, or that were changed since"
        ' ("ndcg.duckdb", "notes.md"); move them, or name another folder\n'
    )
    assert (marts / "ndcg.duckdb").exists()


def test_a_file_that_was_changed_is_refused_and_one_that_is_gone_is_made_again(
    ndcg: Command, marts: Path
) -> None:
    [file] = (marts / "query_values").iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole + b"more")
    assert ndcg("publish", "marts/").code == 2
    file.unlink()
    assert (
        ndcg("publish", "marts/").err
        == 'published "marts/": a folder of Parquet files\n'
    )
    assert file.read_bytes() == whole


@pytest.mark.usefixtures("loaded")
def test_an_interrupt_between_two_names_leaves_the_old_folder(
    ndcg: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ndcg("publish", "marts/").code == 0
    before = (Path("marts") / "manifest.json").read_text()
    assert ndcg("tag", "run", "base", "model=a").code == 0
    rename = Path.rename

    def without(_: None) -> None:
        """Return a C library without the function."""

    def interrupted(self: Path, target: Path) -> Path:
        if self.name == "new":
            raise KeyboardInterrupt
        return rename(self, target)

    with monkeypatch.context() as patched:
        # As where the system cannot exchange two folders.
        patched.setattr(folders.ctypes, "CDLL", without)
        patched.setattr(Path, "rename", interrupted)
        assert ndcg("publish", "marts/").code == 130
    assert (Path("marts") / "manifest.json").read_text() == before
