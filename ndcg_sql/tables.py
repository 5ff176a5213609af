"""The tables that people read: a report, a query explained, the contents."""

from collections.abc import Sequence
from typing import Any

from ndcg_sql.measures import Measure
from ndcg_sql.rendering import escaped, fetch, grid, plain, shown
from ndcg_sql.warehouse import Warehouse

Record = dict[str, Any]


def report(warehouse: Warehouse, form: str) -> str:
    """Lay out a report: a table for each dataset, runs down, measures across."""
    rows = fetch(warehouse)
    datasets = list(dict.fromkeys((r["dataset"], r["judgment_set"]) for r in rows))
    parts: list[str] = []
    for dataset, judgment_set in datasets:
        part = [
            r
            for r in rows
            if (r["dataset"], r["judgment_set"]) == (dataset, judgment_set)
        ]
        title = _title(dataset, judgment_set, form)
        parts.append(title + _report_part(part, form))
    return "\n".join(parts)


def _title(dataset: str, judgment_set: str, form: str) -> str:
    """Return the line that says what a table's values rest on."""
    # Markdown takes a table for one only after a blank line.
    end = "\n\n" if form == "markdown" else "\n"
    return escaped(f"dataset {dataset}, judgments {judgment_set}", form) + end


def _report_part(rows: Sequence[Record], form: str) -> str:
    """Lay out the runs of one dataset, with what a reader needs to trust them."""
    measures = list(dict.fromkeys(row["measure"] for row in rows))
    names = list(dict.fromkeys(row["run"] for row in rows))
    found = {(row["run"], row["measure"]): row for row in rows}
    depths = sorted({_depth(measure) for measure in measures})
    columns = ["run", *measures, "queries", "unanswered", "nothing relevant"]
    columns += [f"judged@{depth}" for depth in depths]
    cells: list[list[str]] = []
    for name in names:
        own = [found[name, measure] for measure in measures]
        none_relevant = [row["no_relevant"] for row in own]
        extremes = (min(none_relevant), max(none_relevant))
        judged = {_depth(row["measure"]): row["judged_at_k"] for row in own}
        cells.append(
            [
                name,
                *(_mean(row["value"]) for row in own),
                str(own[0]["answered"] + own[0]["unanswered"]),
                str(own[0]["unanswered"]),
                " to ".join(str(n) for n in dict.fromkeys(extremes)),
                *(shown(judged[depth]) for depth in depths),
            ]
        )
    best: set[tuple[int, int]] = set()
    for c, measure in enumerate(measures, start=1):
        values = [found[name, measure]["value"] for name in names]
        top = max((v for v in values if v is not None), default=None)
        if len(names) > 1 and top is not None:
            best |= {(r, c) for r, v in enumerate(values) if v == top}
    return grid(columns, cells, form, range(1, len(columns)), best)


def _mean(value: float | None) -> str:
    """Return a mean, or that options left out every query."""
    return "no query left" if value is None else shown(value)


def _depth(measure: str) -> int:
    """Return the k of the column judged@k that belongs to a measure."""
    cutoff = measure.rpartition("@")[2]
    return int(cutoff) if cutoff.isdigit() else 10


def report_queries(warehouse: Warehouse, form: str) -> str:
    """Lay out a report query by query: queries down, measures across."""
    rows = fetch(warehouse)
    measures = list(dict.fromkeys(row["measure"] for row in rows))
    found: dict[tuple[str, str, str, str], dict[str, str]] = {}
    for row in rows:
        key = (row["dataset"], row["judgment_set"], row["run"], row["query_id"])
        found.setdefault(key, {})[row["measure"]] = shown(row["value"])
    several = len({key[:2] for key in found}) > 1
    leading = ["dataset", "run", "query"] if several else ["run", "query"]
    cells = [
        [
            *([dataset] if several else []),
            run,
            query_id,
            *(values.get(measure, "") for measure in measures),
        ]
        for (dataset, _, run, query_id), values in found.items()
    ]
    columns = [*leading, *measures]
    title = "" if several else _title(*next(iter(found))[:2], form)
    return title + grid(columns, cells, form, range(len(leading), len(columns)))


def explain(warehouse: Warehouse, form: str, measure: Measure) -> str:
    """Lay out a ranking beside the ideal one, position by position."""
    rows = fetch(warehouse)
    columns = ["position", "document", "grade", "gain", "discount", "gain/discount"]
    columns += ["DCG", "ideal document", "ideal gain", "IDCG", "found at"]
    cells = [
        [
            str(row["position"]),
            row["doc_id"] or "",
            _grade(row),
            plain(row["gain"]),
            shown(row["discount"]),
            shown(row["discounted_gain"]),
            shown(row["dcg"]),
            row["ideal_doc_id"] or "",
            plain(row["ideal_gain"]),
            shown(row["ideal_dcg"]),
            _found_at(row),
        ]
        for row in rows
    ]
    right = {0, 2, 3, 4, 5, 6, 8, 9, 10}
    table = grid(columns, cells, form, right)
    end = "\n" if form == "markdown" else ""
    return table + end + _fraction(rows, measure)


def _grade(row: Record) -> str:
    """Return the grade of a returned document, or that nobody judged it."""
    if row["grade"] is None:
        return "not judged" if row["doc_id"] else ""
    return plain(row["grade"])


def _found_at(row: Record) -> str:
    """Return where the run has the document that the ideal ranking has here."""
    if row["ideal_doc_id"] is None:
        return ""
    return "missed" if row["run_position"] is None else str(row["run_position"])


def _fraction(rows: Sequence[Record], measure: Measure) -> str:
    """Return the line that makes one value of the two sums."""
    if measure.parameters["missing"] == "omit" and not any(r["doc_id"] for r in rows):
        return f"{measure.name}: the run did not answer the query; it is left out\n"
    dcg = rows[-1]["dcg"] if rows else 0.0
    ideal = rows[-1]["ideal_dcg"] if rows else 0.0
    if measure.family.name == "DCG":
        return f"{measure.name} = {dcg:.6f}\n"
    if measure.family.name == "IDCG":
        return f"{measure.name} = {ideal:.6f}\n"
    if ideal <= 0:
        no_rel = measure.parameters["no_rel"]
        counts = "is left out" if no_rel == "omit" else f"counts {no_rel:g}"
        return f"{measure.name}: nothing relevant is judged; the query {counts}\n"
    return (
        f"{measure.name} = DCG / IDCG = {dcg:.6f} / {ideal:.6f} = {dcg / ideal:.6f}\n"
    )


def schema(warehouse: Warehouse, _form: str) -> str:
    """Lay out the tables and views with their meanings, in Markdown.

    Public views and tables come with their columns, inner views without.
    """
    rows = fetch(warehouse)
    relations = list(dict.fromkeys((row["kind"], row["relation"]) for row in rows))
    parts: list[str] = []
    inner: list[list[str]] = []
    for kind, relation in relations:
        own = [row for row in rows if row["relation"] == relation]
        comment = own[0]["relation_comment"]
        if kind == "inner view":
            inner.append([relation, comment])
            continue
        columns = [[r["column_name"], r["data_type"], r["comment"]] for r in own]
        parts.append(f"### {kind} `{relation}`\n\n{comment}\n")
        parts.append(grid(["column", "type", "meaning"], columns, "markdown"))
    parts.append("### Views behind them\n")
    parts.append(grid(["view", "meaning"], inner, "markdown"))
    return "\n".join(parts)
