"""Judgment sets described, for people to read."""

from ndcg_sql.analysis.answers import Answer, Record
from ndcg_sql.output.grids import folded, grid, plain, prose, shown
from ndcg_sql.output.tables import fields_of_row

# Of a long list, the positions that are shown to people.
_POSITIONS = 20


def description(answer: Answer, form: str) -> str:
    """Lay out a judgment set, and what it rests on if it was made of clicks."""
    [row] = answer.rows.records
    lists = ("impression_bands", "clicks_by_position")
    bands, positions = ([*(row[name] or ())] for name in lists)
    hidden = {*lists, "top_documents", "top_unclicked_documents"}
    parts = [fields_of_row({k: v for k, v in row.items() if k not in hidden}, form)]
    if bands and positions:
        parts += [_bands(bands, form), _positions(positions, form)]
        fit = folded if form == "table" else str
        parts.append("".join(fit(prose(one, form)) + "\n" for one in _notes(row)))
    return "\n".join(parts)


def _bands(bands: list[Record], form: str) -> str:
    columns = ["impressions", "documents of queries", "judged", "clicks"]
    cells = [
        [
            _band(band["least_impressions"]),
            str(band["shown_documents"]),
            str(band["graded_documents"]),
            plain(band["clicks"]),
        ]
        for band in bands
    ]
    return grid(columns, cells, form, {0, 1, 2, 3})


def _band(least: int) -> str:
    """Return the impressions of a band; they begin at 1, 2, 5, 10, 20 ..."""
    most = (least * 5 // 2 if str(least)[0] == "2" else least * 2) - 1
    return str(least) if most == least else f"{least} to {most}"


def _positions(positions: list[Record], form: str) -> str:
    columns = ["position", "impressions", "clicks", "clicks/impression"]
    columns += ["best position of", "never clicked"]
    cells = [
        [
            str(one["position"]),
            str(one["impressions"]),
            plain(one["clicks"]),
            shown(one["click_rate"]),
            str(one["best_documents"]),
            str(one["unclicked_documents"]),
        ]
        for one in positions[:_POSITIONS]
    ]
    return grid(columns, cells, form, set(range(len(columns))))


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
