"""A published folder: Parquet that every reader reads, replaced as a whole."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from ndcg_sql.database import views
from ndcg_sql.publishing import folders
from support.commands import Command
from support.files import RUN
from support.libraries import library
from support.published import assert_equal

pytestmark = [pytest.mark.mostly_slow, pytest.mark.usefixtures("loaded")]

PUBLIC = sorted(views.public())


def manifest() -> dict[str, Any]:
    """Return the manifest of the folder."""
    return json.loads(Path("marts/manifest.json").read_text(encoding="utf-8"))


def test_it_has_a_file_for_each_run_and_a_manifest(ndcg: Command) -> None:
    Path("late").write_text(RUN)
    assert ndcg("load", "run", "late").code == 0
    assert (
        ndcg("publish", "marts/").err
        == 'published "marts/": a folder of Parquet files\n'
    )
    assert_equal("marts/")
    told = manifest()
    assert (told["warehouse"], told["left_out"]) == ("ndcg.duckdb", {})
    assert list(told["relations"]) == PUBLIC
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


def test_only_what_changed_is_written(ndcg: Command) -> None:
    assert ndcg("publish", "marts/").code == 0
    before = manifest()
    again = ndcg("publish", "marts")
    assert again.err == '"marts" is up to date; nothing to publish\n'
    kept = Path("marts/rankings/default.1.parquet").stat().st_ino
    Path("late").write_text(RUN)
    assert ndcg("load", "run", "late").code == 0
    assert ndcg("publish", "marts").code == 0
    assert_equal("marts/")
    assert Path("marts/rankings/default.1.parquet").stat().st_ino == kept
    assert manifest()["published_at"] >= before["published_at"]
    assert ndcg("remove", "run", "base").code == 0
    assert ndcg("publish", "marts").code == 0
    assert_equal("marts/")
    assert not Path("marts/rankings/default.1.parquet").exists()
    names = {path.name for path in Path().iterdir()}
    assert names == {"marts", "ndcg.duckdb", "late"}


def test_datasets_and_attributes_of_any_name_have_files(ndcg: Command) -> None:
    Path("qrels").write_text("q1 0 a 1\n")
    for name in ("../up", "a/b", "a_b", "..", "ÄÖ", "x" * 200, "1"):
        assert ndcg("load", "judgments", "qrels", "--dataset", name).code == 0, name
    assert ndcg("publish", "marts/").code == 0
    assert_equal("marts/")
    inside = Path("marts").resolve()
    for relation in manifest()["relations"].values():
        for file in relation["files"]:
            assert Path("marts", file["path"]).resolve().parent.parent == inside


def test_pandas_and_polars_read_it(ndcg: Command) -> None:
    assert ndcg("publish", "marts/").code == 0
    pandas: Any = library("pandas")
    polars: Any = library("polars")
    library("pyarrow")
    frame = pandas.read_parquet("marts/query_values")
    assert set(frame["run"]) == {"base"}
    scanned = polars.scan_parquet("marts/query_values/*.parquet").collect()
    assert scanned["run"].unique().to_list() == ["base"]


def test_an_empty_folder_is_filled_and_a_failure_leaves_the_old_one(
    ndcg: Command, monkeypatch: pytest.MonkeyPatch
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
