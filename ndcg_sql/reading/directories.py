"""Folders as input: the data files in them."""

from collections.abc import Sequence
from pathlib import Path

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.system.messages import Messages
from ndcg_sql.system.paths import shown
from ndcg_sql.text import file_stem, harmless


def data_files(paths: Sequence[Path], messages: Messages) -> list[Path]:
    """Return paths with each folder replaced by the data files in it, sorted.

    A data file has the suffix of a format; hidden files, other files and folders in
    it are named as skipped. Raises NdcgSqlError for a folder without data files.
    """
    files: list[Path] = []
    for path in paths:
        if not path.is_dir():
            files.append(path)
            continue
        try:
            inside = sorted(path.iterdir())
        except OSError as error:
            raise NdcgSqlError(f"{shown(path)}: {error.strerror}") from error
        of_format = [file for file in inside if _is_data(file)]
        skipped = [harmless(file.name) for file in inside if file not in of_format]
        if not of_format:
            raise NdcgSqlError(
                f"{shown(path)}: no data files in this folder; a data file has a suffix"
                " such as .txt, .run, .qrels, .csv or .parquet; name other files one"
                " by one"
            )
        if skipped:
            messages.tell(f"{shown(path)}: skipped {', '.join(skipped)}")
        files += of_format
    return files


def _is_data(path: Path) -> bool:
    is_hidden = path.name.startswith(".")
    return not is_hidden and file_stem(path.name) != path.name and path.is_file()
