"""Files of several runs: what tells them apart, and how they are named."""

from pathlib import Path

import pytest

from ndcg_sql.reading import profile
from support.commands import Command
from support.scripts import scripted

test_script = scripted(__file__)


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_the_first_rows_show_what_a_long_file_needs(
    ndcg: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Both engines are among the first rows.
    rows = [
        f"zelt {query};p{(document + step) % 5};{engine};{9 - document},25"
        for query in range(9)
        for engine, step in (("bm25", 0), ("dense", 1))
        for document in range(5)
    ]
    header = "Search term;Product SKU;Engine;Points"
    Path("export.csv").write_text("\n".join([header, *rows, ""]))
    whole = ndcg("load", "run", "export.csv").refusal
    monkeypatch.setattr(profile, "_BEGINNING", 400)
    monkeypatch.setattr(profile, "_PIECE", 100)
    told = ndcg("load", "run", "export.csv").refusal
    assert (
        told.partition("if this is right")[2] == whole.partition("if this is right")[2]
    )
    assert "--run-column Engine" in told
