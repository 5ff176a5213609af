"""Ids that a spreadsheet rounded: 4,00638E+12 in place of many numbers."""

from pathlib import Path

import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python import Warehouse
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


@pytest.mark.slow
def test_rounded_ids_of_every_kind_are_told(here: Path) -> None:
    ids = ["4,1E+12", "4,2E+12"]
    told = f'2 ids were rounded, such as "4,1E+12" in lines 2, 3{REMEDY}'

    def written(name: str, header: str, row: str) -> str:
        """Write a file with a row for each id, and return what is told of it."""
        rows = [header, *(row.replace("ID", one) for one in ids)]
        (here / name).write_text("\n".join(rows) + "\n")
        return f"{name}: {told}"

    with Warehouse.memory() as warehouse:
        judged = written("j.csv", "query_id;doc_id;grade", "ID;d;1")
        assert warehouse.load_judgments("j.csv").warnings == (judged,)
        queries = written("q.csv", "query_id;text", "ID;t")
        assert warehouse.load_queries("q.csv").warnings == (queries,)
        documents = written("d.csv", "doc_id;title", "ID;t")
        # That none of them is in the judgments is told, too.
        assert warehouse.load_documents("d.csv").warnings[0] == documents
