"""Files with nothing unusual: staged without a look at single lines."""

import re
from collections.abc import Iterable
from itertools import islice

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.loading import clean_runs
from ndcg_sql.loading.naming import is_pattern
from ndcg_sql.loading.options import Options, Ranked
from ndcg_sql.loading.sheets import SUBTOPIC, Rows, Sheet, namer_of
from ndcg_sql.reading.columns import is_graded
from ndcg_sql.reading.detection import layout
from ndcg_sql.reading.fast import run_of_first, stage_fast
from ndcg_sql.reading.glimpses import LARGE, Glimpse
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.sources import Source, file_chunks
from ndcg_sql.text import number

# How many lines show whether ranks are worth a closer look.
_LINES = 2000


def may_be_clean(kind: Ranked, options: Options) -> bool:
    """Return whether a clean file can be read without looking at single lines."""
    odd = (options.rows_of, options.query, options.base)
    odd = (*odd, options.decimal, options.encoding, options.run_at_column)
    odd = (*odd, options.unit, options.unit_before)
    if kind != "run" or options.tag_columns or options.where:
        return False
    if is_pattern(options.name):
        return False
    return odd == (None,) * len(odd) and options.duplicates == "refuse"


def glimpsed_rows(
    database: Database, options: Options, glimpse: Glimpse
) -> Rows | None:
    """Return what the rows of a file are of which only the beginning was looked at.

    None means that it must be looked at whole.
    """
    try:
        how, _ = layout(glimpse.source, "run", options)
        rows = _clean_rows(database, glimpse.source, how, options, glimpse.chunks)
        return rows if glimpse.is_sound() else None
    except (NdcgSqlError, OSError):
        # The file may be damaged, or no longer there.
        return None


def _clean_rows(
    database: Database,
    source: Source,
    how: Layout,
    options: Options,
    chunks: Iterable[bytes],
) -> Rows | None:
    """Return what the rows of a clean run are; None if it must be read otherwise."""
    if how.apart_by == "other" or how.parameters.get("delimiter") == ";":
        # Its rows are no plain lines, or its numbers may have decimal commas.
        return None
    if not options.is_rule_chosen and is_suspect(source, how):
        return None
    rule = options.position_rule
    dataset = options.dataset if options.evaluate else None
    clean = clean_runs.read(database, source, how, rule, chunks, dataset)
    if clean is None:
        return None
    run = run_of_first(source, how) or None
    return Rows(how, rule, run=run, namer=namer_of(how), clean=clean)


def quick_rows(
    sheet: Sheet, source: Source, rule: str, is_glimpsed: bool
) -> Rows | None:
    """Stage a file without looking at single lines; return None if it needs that.

    source is the file as it is to be read; is_glimpsed is whether a glimpse of it has
    shown that it is not clean.
    """
    database, kind, how, options = sheet.database, sheet.kind, sheet.how, sheet.options
    is_large = source.line_count and source.readable.stat().st_size >= LARGE
    is_sound = not is_glimpsed and not source.faults
    if is_large and is_sound and may_be_clean(kind, options):
        chunks = file_chunks(source.readable)
        rows = _clean_rows(database, source, how, options, chunks)
        if rows:
            return rows
    # With a base, messages need the numbers of lines.
    is_whole = options.base is None and not options.attributes
    has_grades = options.grade is not None and any(map(is_graded, how.ignored))
    if options.labels or not is_whole or has_grades:
        return None
    if kind == "run" and (options.unit, options.unit_before) != (None, None):
        return None
    is_plain_run = kind == "run" and how.apart_by != "other"
    if is_plain_run and not options.is_rule_chosen and is_suspect(source, how):
        return None
    if not stage_fast(database, kind, source, how, kind, rule):
        return None
    how = how.without(SUBTOPIC)
    run = run_of_first(source, how) or None
    return Rows(how, rule, run=run, namer=namer_of(how))


def is_suspect(source: Source, how: Layout) -> bool:
    """Return whether the first lines of a text file have ranks against scores.

    Or most of their scores are equal. The fast reading drops ranks, so that it must be
    known before.
    """
    if not {"rank", "score"} <= how.fields.keys():
        return False
    rank_at, score_at, query_at = (
        how.fields[column] - 1 for column in ("rank", "score", "query_id")
    )
    last: tuple[str, float, float] | None = None
    lists: set[str] = set()
    rising: set[str] = set()
    neighbours = tied = 0
    with source.readable.open(encoding="utf-8", errors="replace", newline="\n") as file:
        for line in islice(file, how.parameters.get("header_line", 0), _LINES):
            fields = (
                line.rstrip("\n").split(how.parameters["delimiter"])
                if how.apart_by == "delimiter"
                else re.split("[ \t]+", line.strip(" \t\n"))
            )
            if len(fields) != how.field_range[1]:
                continue
            query, rank = fields[query_at], number(fields[rank_at].strip())
            score = number(fields[score_at].strip())
            if score is None or rank is None:
                continue
            here = (query, rank, score)
            if last and last[0] == query and last[1] != here[1]:
                lists.add(query)
                neighbours += 1
                tied += last[2] == score
                if (last[1] < here[1]) == (last[2] < score) and last[2] != score:
                    rising.add(query)
            last = here
    return 2 * len(rising) > len(lists) or 2 * tied >= neighbours > 0
