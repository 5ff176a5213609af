"""Judgment sets described and compared, for people to read."""

from ndcg_sql.comparison.answers import Answer, Record
from ndcg_sql.output.columns import MEASURE, Column, Document, shown_in, table
from ndcg_sql.output.records import fields_of_row
from ndcg_sql.text import counted

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
# The names of statistics of agreement, in words; of a mean over pairs, after "mean".
_STATISTICS = {
    "cohen_kappa": "kappa (Cohen)",
    "cohen_kappa_quadratic": "weighted kappa (Cohen)",
    "fleiss_kappa": "kappa of all (Fleiss)",
    "krippendorff_alpha_nominal": "alpha, same or not (Krippendorff)",
    "krippendorff_alpha_ordinal": "alpha, order (Krippendorff)",
    "krippendorff_alpha_interval": "alpha, size (Krippendorff)",
}
_AGREEMENT = (
    Column("groups", "between", "text", if_any=True),
    Column("statistic", "statistic", "text"),
    Column("assessors", "assessors", "text", is_common=True),
    Column("pairs", "pairs", if_any=True),
    Column("documents", "documents", is_common=True),
    Column("value", "value"),
    Column("remark", "remark", "text", if_any=True),
)
_ORDERS = (
    MEASURE,
    Column("runs", "runs"),
    Column("kendall_tau", "Kendall's tau"),
    Column("tau_ap", "tau_AP"),
    Column("tied_pairs", "tied pairs"),
    Column("swapped_pairs", "swapped"),
    *(Column(k, k) for k in ("decided", "upheld", "lost", "turned", "added")),
)
_DECIDED = (
    "decided: pairs of runs that differ significantly under the old set; under the new"
    " one they are upheld, lost (not significant) or turned (the other run is better);"
    " added: pairs that differ significantly under the new one alone"
)
# More pairs of runs that change places than this are counted.
_SWAPS = 10


def description(answer: Answer, _: str) -> Document:
    """Lay out a judgment set, and what it rests on if it was made of clicks."""
    [row] = answer.rows.records
    lists = ("impression_bands", "clicks_by_position")
    bands, positions = ([*(row[name] or ())] for name in lists)
    hidden = {*lists, "top_documents", "top_unclicked_documents"}
    own = {name: value for name, value in row.items() if name not in hidden}
    document: Document = [[fields_of_row(own)]]
    if bands and positions:
        named = [{**band, "band": _band(band["least_impressions"])} for band in bands]
        document.append([table(_BANDS, named)])
        document.append([table(_CLICKS, positions[:_POSITIONS]), *_notes(row)])
    return document


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


def agreement(answer: Answer, _: str) -> Document:
    """Lay out how far assessors, or groups of them, agree: a row for each statistic."""
    rows = [
        {
            **row,
            "groups": ", ".join(row["groups"]) if "groups" in row else None,
            "statistic": _statistic(row["statistic"]),
            "assessors": ", ".join(row["assessors"]),
            "pairs": row.get("pairs"),
        }
        for row in answer.rows.records
    ]
    return [[table(shown_in("tables", _AGREEMENT, rows), rows)]]


def _statistic(name: str) -> str:
    one = name.removesuffix("_mean")
    return ("" if one == name else "mean ") + _STATISTICS[one]


def orders(answer: Answer, _: str) -> Document:
    """Lay out how far the orders of runs agree, and name those that change places."""
    rows = [
        {**row, "swapped_pairs": None if row["swaps"] is None else len(row["swaps"])}
        for row in answer.rows.records
    ]
    lines = [_fallen(row) for row in rows if row["places_lost"]]
    return [[table(_ORDERS, rows), *lines, _DECIDED]]


def _fallen(row: Record) -> str:
    falls = [" below ".join(pair) for pair in row["swaps"][:_SWAPS]]
    left = len(row["swaps"]) - len(falls)
    more = f" and {left} more" if left else ""
    # A run may also fall by a tie.
    which = f"{', '.join(falls)}{more}; " if falls else ""
    most = f"{row['fallen_run']} loses {counted(row['places_lost'], 'place')}"
    return f"{row['measure']}, runs that fall: {which}{most}"
