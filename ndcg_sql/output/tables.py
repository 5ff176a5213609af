"""Tables for people to read: reports, answers, the schema."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ndcg_sql.comparison.answers import Answer, Record
from ndcg_sql.output.columns import (
    ANSWERS,
    RUN,
    Column,
    by_run,
    family,
    highest_is_best,
    is_count,
    of,
    slice_name,
    slices,
    table,
)
from ndcg_sql.output.grids import (
    Shape,
    escaped,
    grid,
    line,
    plain,
    prose,
    shown,
)
from ndcg_sql.output.hypertext import preformatted
from ndcg_sql.text import harmless_lines, sql_name

# DuckDB's numeric types, such as BIGINT and DECIMAL(18,3), but no lists.
_NUMBERS = r"(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(.*\)|BIGNUM)$"
_TIMES = r"(DATE|TIME)"


def report(answer: Answer, form: str) -> str:
    """Lay out a report: a table for each dataset, runs down, measures across.

    With attributes of queries, every slice has a row for each run. counts in about
    says how many columns tell what the values are based on.
    """
    return "\n".join(
        title(*names, form)
        + _report_part(rows, form, answer.scope.by, counts_shown(answer, form))
        for names, rows in by_dataset(answer.rows.records).items()
    )


def by_dataset(rows: Iterable[Record]) -> dict[tuple[str, str], list[Record]]:
    """Return rows by their dataset and judgment set, each of which has a table."""
    parts: dict[tuple[str, str], list[Record]] = {}
    for row in rows:
        parts.setdefault((row["dataset"], row["judgment_set"]), []).append(row)
    return parts


def counts_shown(answer: Answer, form: str) -> str:
    """Return which columns tell what values are based on: none, short or all.

    LaTeX has none, as papers print tables; every other format has them.
    """
    return "none" if form == "latex" else answer.about.get("counts", "usual")


def title(dataset: str, judgment_set: str, form: str) -> str:
    """Return the line that names the dataset and judgment set of a table."""
    # Markdown recognises a table only after a blank line.
    end = "\n\n" if form == "markdown" else "\n"
    return prose(f"dataset {dataset}, judgment set {judgment_set}", form) + end


def _report_part(
    rows: Sequence[Record], form: str, attributes: Sequence[str], counts: str
) -> str:
    measures = list(dict.fromkeys(row["measure"] for row in rows))
    runs = by_run(rows, [*attributes, "run"])
    # Weighted values are shown if asked for, where any query has a weight.
    weights = [row for row in rows if row["weighted_n"] and counts == "all"]
    weighted = [m for m in measures if any(row["measure"] == m for row in weights)]
    for run in runs:
        judged = [run[of(m)] for m in measures if not family(m).is_loaded]
        run["no_relevant"] = _extremes([part["no_relevant"] for part in judged])
    columns = [*slices(attributes), RUN]
    first = len(columns)
    columns += [Column("value", measure, "mean", measure) for measure in measures]
    if weighted:
        columns += [
            Column("weighted_value", f"weighted {measure}", "number", measure)
            for measure in weighted
        ]
        columns.append(Column(of("weights"), "with weight", "count"))
        for run in runs:
            numbers = [run[of(measure)]["weighted_n"] for measure in weighted]
            run[of("weights")] = _extremes(numbers)
    first_count = len(columns)
    columns += _counts(rows, counts)
    rivals: dict[tuple[str | None, ...], dict[int, Record]] = {}
    for r, run in enumerate(runs):
        rivals.setdefault(tuple(run[name] for name in attributes), {})[r] = run
    best: set[tuple[int, int]] = set()
    for group in rivals.values():
        for c, measure in enumerate(measures, start=first):
            values = {r: run[of(measure)]["value"] for r, run in group.items()}
            top = max((v for v in values.values() if v is not None), default=None)
            # If all are equal, none is the best.
            unequal = top is not None and any(v != top for v in values.values())
            if unequal and highest_is_best(measure):
                best |= {(r, c) for r, value in values.items() if value == top}
    # Highest is not yet best: in papers it is bold, on a terminal only coloured.
    marked = () if form == "table" else best

    styles = dict.fromkeys(best, "best")
    shape = Shape(common=range(first_count, len(columns)))
    return table(columns, runs, form, shape, marked, styles)


def _counts(rows: Sequence[Record], counts: str) -> list[Column]:
    if counts == "none":
        return []
    # Values that were loaded rest on no judgments; how many queries have one varies.
    loaded = dict.fromkeys(
        row["measure"] for row in rows if family(row["measure"]).is_loaded
    )
    having = [Column("n", f"with {name}", "count", name) for name in loaded]
    # Which measure has a depth is the same for all runs.
    rows = [row for row in rows if row["measure"] not in loaded]
    depths = {row["judged_depth"]: row["measure"] for row in rows}
    judged = [
        Column("judged_at_k", f"judged@{depth}", "number", depths[depth])
        for depth in sorted(depths)
    ]
    if counts == "short":
        return [*ANSWERS[:1], *judged[:1], *having]
    in_catalogue = [
        replace(column, key="known_at_k", heading=f"known{column.heading[6:]}")
        for column in judged
        if any(row.get("known_at_k") is not None for row in rows)
    ]
    return [*(ANSWERS if rows else ()), *judged, *in_catalogue, *having]


def _extremes(numbers: Iterable[int | None]) -> str:
    counts = [number for number in numbers if number is not None]
    if not counts:
        return ""
    return " to ".join(str(n) for n in dict.fromkeys([min(counts), max(counts)]))


def report_queries(answer: Answer, form: str) -> str:
    """Lay out a report query by query: queries down, measures across."""
    attributes = answer.scope.by
    # There may be millions of rows: no dictionary for each.
    names = ["dataset", "judgment_set", "run", "query_id", *attributes]
    selected = ", ".join(map(sql_name, [*names, "measure", "value"]))
    rows = answer.rows.relation.project(selected).fetchall()
    measures = list(dict.fromkeys(row[-2] for row in rows))
    write = {m: plain if is_count(m) else shown for m in measures}
    by_query: dict[tuple[str | None, ...], dict[str, str]] = {}
    for *key, measure, value in rows:
        by_query.setdefault(tuple(key), {})[measure] = write[measure](value)
    several = len({key[:2] for key in by_query}) > 1
    leading = [*(["dataset"] if several else []), "run", "query", *attributes]
    nothing = [""] * len(measures)
    cells = [
        [
            *([slice_name(dataset)] if several else []),
            *map(slice_name, named),
            *map(values.get, measures, nothing),
        ]
        for (dataset, _, *named), values in by_query.items()
    ]
    columns = [*leading, *measures]
    dataset, judgment_set = map(slice_name, next(iter(by_query))[:2])
    head = "" if several else title(dataset, judgment_set, form)
    shape = Shape(common=range(len(leading)))
    return head + grid(
        columns, cells, form, range(len(leading), len(columns)), shape=shape
    )


def numbers(answer: Answer, form: str) -> str:
    """Lay out rows with every number in its shortest form."""
    names, types = answer.rows.columns, list(answer.rows.types.values())
    rows = answer.rows.relation.project("cast(columns(*) as varchar)").fetchall()
    cells = [
        [_cell(text, kind) for text, kind in zip(row, types, strict=True)]
        for row in rows
    ]
    right = {i for i, kind in enumerate(types) if re.match(_NUMBERS, kind)}
    times = {i for i, kind in enumerate(types) if re.match(_TIMES, kind)}
    common = range(len(names)) if len(rows) > 1 else ()
    return grid(names, cells, form, right, shape=Shape(common=common, whole=times))


def _cell(text: str | None, kind: str) -> str:
    if text is None or kind not in ("DOUBLE", "FLOAT"):
        return text or ""
    value = float(text)
    # Four decimals would hide a small value, and are too many for a large one.
    plain_size = value == 0 or 1e-3 <= abs(value) < 1e15
    return shown(value) if plain_size else f"{value:.4g}"


def fields(answer: Answer, form: str) -> str:
    """Lay out a single row, a line for each of its columns that is not null."""
    [row] = answer.rows.records
    return fields_of_row(row, form)


def fields_of_row(row: Record, form: str) -> str:
    """Lay out a row, a line for each of its columns that is not null."""

    def text(name: str, value: object) -> str:
        """Return a value; a grade or count is an integer where it is one."""
        is_share = "share" in name.split("_")
        if isinstance(value, float) and value.is_integer() and not is_share:
            return plain(value)
        return shown(value)

    columns = [(name, value) for name, value in row.items() if value is not None]
    lines = [[name.replace("_", " "), text(name, value)] for name, value in columns]
    return grid(["property", "value"], lines, form)


def plan(answer: Answer, form: str) -> str:
    """Return DuckDB's plan of a select, as DuckDB draws it."""
    rows = answer.rows.records
    text = "".join(harmless_lines(row["plan"]) + "\n" for row in rows)
    return preformatted(text) if form == "html" else text


def schema(answer: Answer, form: str) -> str:
    """Lay out the public relations and the meanings of their columns.

    They are Markdown, for a terminal too.
    """
    rows = answer.rows.records
    form = "html" if form == "html" else "markdown"
    parts: list[str] = []
    for relation in dict.fromkeys(row["relation"] for row in rows):
        group = [row for row in rows if row["relation"] == relation]
        comment = group[0]["relation_comment"]
        parts.append(
            f"<h3><code>{escaped(relation, form)}</code></h3>\n{line(comment, form)}"
            if form == "html"
            else f"### `{relation}`\n\n{comment}\n"
        )
        columns = [[r["column_name"], r["data_type"], r["comment"]] for r in group]
        parts.append(grid(["column", "type", "meaning"], columns, form))
    return "\n".join(parts)
