"""What OpenSearch writes: answers of _search, and objects of an index."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal, cast

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.sources import Source, blaming
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import counted

# The members that an answer may begin with; no event and no search has them.
_ANSWER = re.compile(
    rb'\s*\{\s*"(took|timed_out|_scroll_id|pit_id|_shards|num_reduce_phases|'
    rb'terminated_early|hits)"\s*:'
)
_HEAD = 4096
_NOT_BLANK = re.compile(r"\S")


def with_hits_as_lines(source: Source, messages: Messages) -> Source:
    """Return a file of answers as one with a hit on each line; any other as it is.

    Answers may follow one another, as pages do. Warns if hits are missing. Raises
    NdcgSqlError for what is no answer after all.
    """
    with blaming(source.shown, source.folder):
        with source.readable.open("rb") as file:
            is_answer = bool(_ANSWER.match(file.read(_HEAD)))
        if not is_answer or source.faults or source.binary:
            return source
        text = source.readable.read_text(encoding="utf-8")
        lines = source.folder / "hits"
        count = total = 0
        with lines.open("w", encoding="utf-8", newline="\n") as file:
            for hits in _answers(source, text):
                for hit in hits["hits"]:
                    file.write(json.dumps(hit) + "\n")
                count += len(hits["hits"])
                total = max(total, _total(hits))
    if count < total:
        messages.warn(
            f"{source.shown}: {count} of {counted(total, 'hit')}; fetch the others, too"
        )
    return replace(source, readable=lines, line_count=count, unit="row")


def _answers(source: Source, text: str) -> Iterator[dict[str, Any]]:
    """Return the hits of answers that follow one another; raise NdcgSqlError."""
    decoder = json.JSONDecoder()
    at = 0
    while begin := _NOT_BLANK.search(text, at):
        at = begin.start()
        try:
            answer, at = decoder.raw_decode(text, at)
            hits = answer["hits"]
            if not isinstance(hits["hits"], list):
                raise TypeError
        except (ValueError, TypeError, KeyError, RecursionError):
            line = text.count("\n", 0, at) + 1
            raise NdcgSqlError(
                f"{source.shown}:{line}: not an answer of _search",
                "write one hit on each line: jq -c '.hits.hits[]' FILE",
            ) from None
        yield hits


def _total(hits: dict[str, Any]) -> int:
    """Return how many hits there are on all pages, 0 if the answer does not say."""
    total = hits.get("total")
    if isinstance(total, dict):
        total = cast("dict[str, Any]", total).get("value")
    return total if isinstance(total, int) else 0


def index_of(source: Source) -> Literal["ubi_events", "ubi_queries"] | None:
    """Return the index of UBI whose objects are on the lines of a file, or None."""
    if source.binary:
        return None
    with (
        blaming(source.shown, source.folder),
        source.readable.open(encoding="utf-8", errors="replace") as lines,
    ):
        for line in lines:
            if not line.strip():
                continue
            try:
                one = json.loads(line)
            except (ValueError, RecursionError):
                return None
            if not isinstance(one, dict):
                return None
            members = cast("dict[str, Any]", one)
            if {"index", "create"} & members.keys():
                continue
            inside = members.get("_source") or members
            if not isinstance(inside, dict):
                return None
            if "action_name" in inside:
                return "ubi_events"
            return "ubi_queries" if "user_query" in inside else None
    return None
