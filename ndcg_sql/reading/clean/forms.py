"""The form that the lines of a clean run must have, from its layout."""

from ndcg_sql.reading.clean.rankings import BLANKS, CONTROLS, Form
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.lines import first_line
from ndcg_sql.reading.sources import Source

_RULES = ("score", "score32")
# Columns of numbers that name or rank; an empty one is left to the strict reading.
_FILLED = ("query_id", "doc_id", "score", "run", "rank")


def form(
    source: Source, how: Layout, position_rule: str, run: str | None
) -> Form | None:
    """Return the form of a run's lines; None if they may have several.

    run is the name that the first row has in the column of runs, if there is one.
    """
    fewest, most = how.field_range
    needed = {"query_id", "doc_id", "score"}
    if fewest != most or how.added or position_rule not in _RULES:
        return None
    if not needed <= how.fields.keys() or ("run" in how.fields) != bool(run):
        return None
    if how.apart_by == "blanks":
        separator = "\t" if "\t" in first_line(source)[1] else " "
        filled, controls, header_lines = range(most), BLANKS, 0
    elif how.apart_by == "delimiter":
        separator = how.parameters["delimiter"]
        filled = [how.fields[name] - 1 for name in _FILLED if name in how.fields]
        controls, header_lines = CONTROLS, how.parameters["header_line"]
    else:
        return None
    return Form(
        separator.encode(),
        most,
        how.fields["query_id"] - 1,
        how.fields["doc_id"] - 1,
        how.fields["score"] - 1,
        (how.fields["run"] - 1, run.encode()) if run else None,
        tuple(filled),
        controls,
        header_lines,
        position_rule,
    )
