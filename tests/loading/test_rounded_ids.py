"""Ids that a spreadsheet rounded: 4,00638E+12 in place of many numbers."""

from pathlib import Path

import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from support import exploring

REMEDY = (
    ": a spreadsheet took them for numbers, and made one id of many; export them again,"
    " and format their column as text before the file is saved"
)
# Documents of a run, which of them are told, and their lines.
FILES: dict[str, tuple[list[str], str]] = {
    "commas": (
        ["4,00638E+12", "4,00639E+12", "17"],
        '2 ids were rounded, such as "4,00638E+12" in lines 2, 3',
    ),
    "points": (
        ["17", "4.01E+12", "1.7E+8", "1.8E+8", "5.5E+9"],
        '4 ids were rounded, such as "4.01E+12" in lines 3, 4, 5',
    ),
    "one": (["4,00638E+12", "17"], ""),
    "no decimals": (["1E5", "1E+5", "2E+12", "4E+13"], ""),
    "versions": (["v1.2E+12", "1.2E+12x", "1.2.3E+12", "1,2E12"], ""),
}


@pytest.mark.parametrize("case", exploring.mostly_slow(FILES, "commas"))
def test_rounded_ids_are_told_with_their_lines(here: Path, case: str) -> None:
    documents, told = FILES[case]
    rows = [f"q;{document};{9 - at}" for at, document in enumerate(documents)]
    (here / "r.csv").write_text("\n".join(["query_id;doc_id;score", *rows, ""]))
    expected = [f"r.csv: {told}{REMEDY}"] if told else []
    with Warehouse.memory() as warehouse:
        assert [*warehouse.load_run("r.csv").warnings] == expected
        if told:
            with pytest.raises(NdcgSqlError, match="ids were rounded"):
                warehouse.load_run("r.csv", "strict", strict=True)
