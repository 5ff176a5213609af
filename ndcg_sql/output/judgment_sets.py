"""Judgment sets described, for people to read."""

from ndcg_sql.comparison.answers import Answer, Record
from ndcg_sql.output.columns import Column, table
from ndcg_sql.output.grids import folded, prose
from ndcg_sql.output.tables import fields_of_row

# Of a long list, the positions that are shown to people.
_POSITIONS = 20
_BANDS = (
    Column("band", "impressions", "count"),
    Column("shown_documents", "documents of queries", "count"),
    Column("graded_documents", "judged", "count"),
    Column("clicks", "clicks", "gain"),
)
_CLICKS = (
    Column("position", "position", "count"),
    Column("impressions", "impressions", "count"),
    Column("clicks", "clicks", "gain"),
    Column("click_rate", "clicks/impression"),
    Column("best_documents", "best position of", "count"),
    Column("unclicked_documents", "never clicked", "count"),
)


def description(answer: Answer, form: str) -> str:
    """Lay out a judgment set, and what it rests on if it was made of clicks."""
    [row] = answer.rows.records
    lists = ("impression_bands", "clicks_by_position")
    bands, positions = ([*(row[name] or ())] for name in lists)
    hidden = {*lists, "top_documents", "top_unclicked_documents"}
    parts = [fields_of_row({k: v for k, v in row.items() if k not in hidden}, form)]
    if bands and positions:
        named = [{**band, "band": _band(band["least_impressions"])} for band in bands]
        parts.append(table(_BANDS, named, form))
        parts.append(table(_CLICKS, positions[:_POSITIONS], form))
        fit = folded if form == "table" else str
        parts.append("".join(fit(prose(one, form)) + "\n" for one in _notes(row)))
    return "\n".join(parts)


def _band(least: int) -> str:
    """Return the impressions of a band; they begin at 1, 2, 5, 10, 20 ..."""
    most = (least * 5 // 2 if str(least)[0] == "2" else least * 2) - 1
    return str(least) if most == least else f"{least} to {most}"


def _notes(row: Record) -> list[str]:
    lines: list[str] = []
    positions = len(row["clicks_by_position"])
    if positions > _POSITIONS:
        lines.append(f"{_POSITIONS} of {positions} positions shown")
    if row["top_documents"]:
        lines.append(
            f"{row['top_unclicked_documents']} of {row['top_documents']} judged"
            " documents that stood in the first 3 positions were never clicked: a log"
            " does not tell a bad document from one that answers without a click"
        )
    return lines
