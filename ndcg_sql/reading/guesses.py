"""What else a file may be, if the format that was detected reads hardly any line."""

import json
import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.columns import DESCRIBED
from ndcg_sql.reading.format import NO, Format, Sample
from ndcg_sql.reading.formats.delimited import Delimited
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.scanning import MARKS
from ndcg_sql.reading.sources import Source
from ndcg_sql.text import number
from ndcg_sql.wording import Text, joined, use

# How many lines, and bytes, show whether a format can read a file, and how many lines
# it may not read.
_LINES = 20
_BYTES = 1 << 20
_MOST_UNREADABLE = 0.2
_NUMBERS = ("score", "rank", "grade")
# How many formats a message names.
_NAMED = 2
# The usual formats first, among those that are equally likely.
_USUAL = ("trec", "csv", "tsv", "jsonl", "json")


def note(guessed: str, others: list[str]) -> Text:
    """Return the message on a guess: the format, and how to name the others."""
    ways = joined((use(format_in=name) for name in others[:_NAMED]), " or ")
    return f"guessed format: {guessed}; if it is another: " + ways


def others(
    formats: Iterable[Format], guessed: Format, sample: Sample, source: Source
) -> list[str]:
    """Return the names of the formats that are the next likely ones.

    First those that can read the first lines, then those whose sniffers are the
    most certain.
    """
    forms = [form for form in formats if form is not guessed]
    fitting = readable_by(forms, sample, source)
    order = [*_USUAL, *(form.name for form in forms)]

    def likelihood(form: Format) -> tuple[bool, int, bool, int]:
        has_delimiter = isinstance(form, Delimited) and any(
            delimiter in sample.first_line for delimiter in form.delimiters
        )
        return (
            form.name in fitting,
            form.sniff(sample),
            has_delimiter,
            -order.index(form.name),
        )

    is_ranked = sample.request.kind not in DESCRIBED
    possible = [
        form
        for form in forms
        if form.name in fitting
        or (form.name in _USUAL and (is_ranked or form.has_columns))
        or (is_ranked and form.sniff(sample) > NO)
    ]
    ranked = sorted(possible, key=likelihood, reverse=True)
    return [form.name for form in ranked]


def readable_by(forms: Iterable[Format], sample: Sample, source: Source) -> list[str]:
    """Return the names of the formats that can read the first lines of a file."""
    head = _head(source)
    return [
        form.name for form in forms if not form.is_binary and _reads(form, sample, head)
    ]


def _head(source: Source) -> Source:
    folder = source.folder / "head"
    folder.mkdir(exist_ok=True)
    path = folder / "lines"
    with source.readable.open("rb") as file:
        lines = file.read(_BYTES).splitlines(keepends=True)
        if file.read(1):
            # The last line is cut.
            lines = lines[:-1]
    content = b"".join(islice((line for line in lines if line.strip()), _LINES))
    path.write_bytes(content)
    return replace(
        source,
        folder=folder,
        original=path,
        readable=path,
        line_count=content.count(b"\n"),
        marks=frozenset(mark for mark in MARKS if mark in content),
        faults=(),
    )


def _reads(form: Format, sample: Sample, head: Source) -> bool:
    """Return whether a format can read nearly all of the first lines of a file."""
    request = sample.request
    try:
        how, read = form.layout(head, request)
    except NdcgSqlError:
        return False
    # Nearly any line can be a list: what has no plain fields must look like itself.
    if how.apart_by == "other" and form.sniff(sample) == NO:
        return False
    needed = {"queries": ("query_id",), "documents": ("doc_id",)}
    for column in needed.get(request.kind, ("query_id", "doc_id")):
        if column not in (*how.fields, *request.elsewhere):
            return False
    rows = _rows(how, read)
    bad = sum(not _is_row(how, row) for row in rows) + len(read.faults)
    return bool(rows) and bad <= _MOST_UNREADABLE * (len(rows) + len(read.faults))


def _rows(how: Layout, source: Source) -> list[list[str]]:
    """Return the fields of each row, without those that a list for ranking has."""
    lines = source.readable.read_text("utf-8", "replace").split("\n")
    lines = [line for line in lines if line.strip()]
    if how.steps[0] == "read/records":
        return [json.loads(line)[1:] for line in lines]
    if how.apart_by == "delimiter":
        lines = lines[how.parameters["header_line"] :]
        return [line.split(how.parameters["delimiter"]) for line in lines]
    if how.apart_by == "blanks":
        lines = [line for line in lines if not line.startswith("#")]
        return [re.split("[ \t]+", line.strip(" \t")) for line in lines]
    return []


def _is_row(how: Layout, fields: list[str]) -> bool:
    fewest, most = how.field_range
    if not fewest <= len(fields) <= most:
        return False
    for name, at in how.fields.items():
        text = fields[at - 1].strip()
        if name in _NUMBERS and number(text) is None:
            return False
        if name == "rank" and not text.isdecimal():
            return False
    return True
