"""Lists: a query and its documents, separated by commas, on each line."""

import json
from dataclasses import replace
from pathlib import Path

from ndcg_sql.reading import columns
from ndcg_sql.reading.format import NO, SHARED, Format, Sample
from ndcg_sql.reading.formats.trec import check_no_queries
from ndcg_sql.reading.json_lists import LISTED, twice
from ndcg_sql.reading.layouts import Layout, ReadRequest, glob_safe
from ndcg_sql.reading.lines import without_comments
from ndcg_sql.reading.scanning import Fault
from ndcg_sql.reading.sources import Source
from ndcg_sql.system import progress

_EXPECTED = "query<TAB>document,document,..."


class Lists(Format):
    """Rankings in their order, or the relevant documents of each query."""

    name = "lists"
    help = "query<TAB>document,document,...; judgments: each has grade 1"

    def sniff(self, sample: Sample) -> int:
        """Detect by one tab, with a comma behind it and no header."""
        request = sample.request
        query, *rest = sample.first_line.split("\t")
        # A JSON file that is damaged may have a tab at this place.
        if query.startswith(("{", "[")):
            return NO
        if (
            request.kind not in LISTED
            or request.named
            or request.reading.query is not None
        ):
            return NO
        is_list = (
            len(rest) == 1 and "," in rest[0] and query.strip() and "," not in query
        )
        return (
            SHARED if is_list and not columns.of_header([query], request.kind) else NO
        )

    def layout(self, source: Source, request: ReadRequest) -> tuple[Layout, Source]:
        """Read the documents of each line, rewritten as records."""
        check_no_queries(source, request.kind)
        source = without_comments(source, 2)
        records = source.folder / "records"
        is_run = request.kind == "run"
        faults = _write_records(source, request, records)
        source = replace(source, readable=records, faults=(*source.faults, *faults))
        how = Layout(
            ("read/records",),
            {"path": glob_safe(records)},
            {"query_id": 1, "doc_id": 2, "rank" if is_run else "grade": 3},
            (3, 3),
            _EXPECTED,
            is_ordered=is_run,
            has_empty=is_run,
        )
        return how, source


def _write_records(source: Source, request: ReadRequest, target: Path) -> list[Fault]:
    """Write a JSON array for each document: line, query, document, rank or grade.

    Returns the faults of invalid lines, which are omitted.
    """
    faults: list[Fault] = []
    is_once = request.reading.is_once
    with (
        source.readable.open(encoding="utf-8", newline="\n") as lines,
        progress.reading(lines),
        target.open("w", encoding="utf-8") as records,
    ):
        for line_number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            query, *rest = line.rstrip("\n").split("\t")
            documents = [part.strip(" ") for part in rest[0].split(",")] if rest else []
            if len(rest) != 1:
                reason = f"malformed line, expected {_EXPECTED}"
                faults.append(Fault(line_number, reason))
                continue
            if is_once and (reason := twice(documents, request.kind)):
                faults.append(Fault(line_number, reason, check="document_twice"))
                continue
            is_run = request.kind == "run"
            for place, document in enumerate(documents, start=1):
                number = str(place) if is_run else "1"
                is_empty = is_run and documents == [""]
                row = [
                    *(str(line_number), query),
                    *(None if is_empty else document, number),
                ]
                records.write(json.dumps(row, ensure_ascii=False) + "\n")
    return faults


FORMATS = (Lists(),)
