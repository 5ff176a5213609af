"""Large files with nothing unusual, read without a look at single lines."""

from collections.abc import Iterable

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.loading import clean_runs, doubts, subtopics
from ndcg_sql.loading.contradictions import is_suspect
from ndcg_sql.loading.naming import is_pattern
from ndcg_sql.loading.options import Options, Ranked
from ndcg_sql.loading.sheets import Rows, Sheet, namer_of
from ndcg_sql.reading.detection import layout
from ndcg_sql.reading.glimpses import LARGE, Glimpse
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.sources import Source, file_chunks


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
    from ndcg_sql.reading.clean.files import run_of_first

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


def quick_rows(sheet: Sheet, source: Source, is_glimpsed: bool) -> Rows | None:
    """Return what the rows of a large, clean file are; None for any other file.

    source is the file as it is to be read; is_glimpsed is whether a glimpse of it has
    shown that it is not clean.
    """
    database, kind, how, options = sheet.database, sheet.kind, sheet.how, sheet.options
    is_large = source.line_count and source.readable.stat().st_size >= LARGE
    if not is_large or is_glimpsed or source.faults:
        return None
    if kind == "run" and may_be_clean(kind, options):
        chunks = file_chunks(source.readable)
        return _clean_rows(database, source, how, options, chunks)
    is_plain = not (options.labels or options.attributes or options.columns)
    if kind == "run" or not is_plain or options.base is not None:
        return None
    from ndcg_sql.reading.clean.files import stage_clean

    if not stage_clean(database, kind, source, how, kind):
        return None
    empty = doubts.empty_queries(database, source, kind)
    return Rows(how.without(subtopics.COLUMN), options.position_rule, warnings=empty)
