"""Values of runs for people to read: reports, leaderboards, means over replicates."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from ndcg_sql.comparison.answers import Answer, Record
from ndcg_sql.comparison.significance import Testing
from ndcg_sql.output.columns import (
    RUN,
    Block,
    Column,
    Document,
    by_run,
    columns_of,
    common,
    family,
    mark,
    mark_best,
    of,
    signs,
    slice_name,
    slices,
    table,
    title,
    with_queries,
    writer,
)
from ndcg_sql.output.layout import Cells, Style
from ndcg_sql.text import sql_name

# The test of all runs at once, whose groups have letters.
TUKEY = "Tukey's randomised HSD"


def _by_dataset(
    answer: Answer, blocks: Callable[[list[Record]], list[Block]]
) -> Document:
    """Return a part for each dataset and judgment set, below their names."""
    parts: dict[tuple[str, str], list[Record]] = {}
    for row in answer.rows.records:
        parts.setdefault((row["dataset"], row["judgment_set"]), []).append(row)
    return [[title(*names), *blocks(rows)] for names, rows in parts.items()]


def _counts_shown(answer: Answer, form: str) -> str:
    """Return which columns tell what values are based on; LaTeX has none."""
    return "none" if form == "latex" else answer.about.get("counts", "usual")


def report(answer: Answer, form: str) -> Document:
    """Lay out a report: a table for each dataset, runs down, measures across."""
    by, counts = answer.scope.by, _counts_shown(answer, form)
    sign = signs(answer.about)

    def part(rows: list[Record]) -> list[Block]:
        """Return the table of a dataset."""
        measures = list(dict.fromkeys(row["measure"] for row in rows))
        runs = by_run(map(with_queries, rows), [*by, "run"])
        # Weighted values are shown on request, where any query has a weight.
        weights = {r["measure"] for r in rows if r["weighted_n"] and counts == "all"}
        weighted = [measure for measure in measures if measure in weights]
        judged = [measure for measure in measures if not family(measure).is_loaded]
        columns = [
            *slices(by),
            RUN,
            *(Column("value", measure, "mean", measure) for measure in measures),
            *(Column("weighted_value", f"weighted {m}", measure=m) for m in weighted),
            *([Column(of("weights"), "with weight", "count")] if weighted else ()),
            *common(_counts(rows, counts)),
        ]
        for run in runs:
            run["no_relevant"] = _extremes(run, judged, "no_relevant")
            run[of("weights")] = _extremes(run, weighted, "weighted_n")
        mark_best(runs, by, measures, sign)
        return [table(columns, runs, _best)]

    return _by_dataset(answer, part)


def _best(column: Column, run: Record) -> Style | None:
    is_best = column.kind == "mean" and column.part(run).get("is_best")
    return Style("best") if is_best else None


def _counts(rows: Sequence[Record], counts: str) -> list[Column]:
    if counts == "none":
        return []
    # Values that were loaded rest on no judgments; how many queries have one varies.
    measures = dict.fromkeys(row["measure"] for row in rows)
    loaded = [measure for measure in measures if family(measure).is_loaded]
    having = [Column("n", f"with {name}", "count", name) for name in loaded]
    # Which measure has a depth is the same for all runs.
    rows = [row for row in rows if row["measure"] not in loaded]
    depths = {row["judged_depth"]: row["measure"] for row in rows}
    judged = [
        Column("judged_at_k", f"judged@{depth}", "number", depths[depth])
        for depth in sorted(depths)
    ]
    answers = columns_of("counts")
    if counts == "short":
        return [*answers[:1], *judged[:1], *having]
    in_catalogue = [
        replace(column, key="known_at_k", heading=f"known{column.heading[6:]}")
        for column in judged
        if any(row.get("known_at_k") is not None for row in rows)
    ]
    return [*(answers if rows else ()), *judged, *in_catalogue, *having]


def _extremes(run: Record, measures: Sequence[str], key: str) -> str:
    """Return the least and the greatest of the counts of measures."""
    counts = [run[of(m)][key] for m in measures if run[of(m)][key] is not None]
    ends = [min(counts), max(counts)] if counts else []
    return " to ".join(map(str, dict.fromkeys(ends)))


def report_queries(answer: Answer, _: str) -> Document:
    """Lay out a report query by query: queries down, measures across."""
    attributes = answer.scope.by
    # There may be millions of rows: no dictionary for each.
    names = ["dataset", "judgment_set", "run", "query_id", *attributes]
    selected = ", ".join(map(sql_name, [*names, "measure", "value"]))
    rows = answer.rows.relation.project(selected).fetchall()
    write = {measure: writer(measure) for measure in dict.fromkeys(r[-2] for r in rows)}
    by_query: dict[tuple[str | None, ...], dict[str, str]] = {}
    for *key, measure, value in rows:
        by_query.setdefault(tuple(key), {})[measure] = write[measure](value)
    sides = dict(zip(names, zip(*by_query, strict=True), strict=True))
    judged = {key[:2] for key in by_query}
    leading = {"run": "run", "query": "query_id", **{name: name for name in attributes}}
    head: list[Block] = []
    if len(judged) > 1:
        leading = {"dataset": "dataset", **leading}
    else:
        head += [title(*map(slice_name, names)) for names in judged]
    columns = [
        Cells(heading, [*map(slice_name, sides[name])], is_common=True)
        for heading, name in leading.items()
    ]
    for measure in write:
        texts = [values.get(measure, "") for values in by_query.values()]
        columns.append(Cells(measure, texts, is_right=True))
    return [[*head, columns]]


def replicates(answer: Answer, form: str) -> Document:
    """Lay out systems: a table for each dataset, a row for each measure of a system."""
    counts = {"none": 0, "short": 1}.get(_counts_shown(answer, form))
    answers = common(columns_of("counts")[:counts])
    # Counts of replicates are whole numbers, but not their means.
    columns = [*slices(answer.scope.by), *columns_of("replicates"), *answers]
    return _by_dataset(
        answer, lambda rows: [table(columns, [*map(with_queries, rows)])]
    )


def leaderboard(answer: Answer, form: str) -> Document:
    """Lay out a leaderboard: a table for each dataset, runs down, measures across."""
    by, testing = answer.scope.by, answer.about["testing"]
    parts = _by_dataset(
        answer, lambda rows: [_leaderboard(rows, form, by, testing), *notes(rows)]
    )
    # What letters and signs mean is the same for all datasets.
    legend = _legend(answer.rows.records, testing, form)
    if len(parts) > 1:
        return [*parts, [*legend]]
    return [[*part, *legend] for part in parts]


def _leaderboard(
    rows: Sequence[Record], form: str, by: Sequence[str], testing: Testing
) -> list[Cells]:
    runs = by_run(map(with_queries, rows), [*by, "run"])
    first, *others = dict.fromkeys(row["measure"] for row in rows)
    ranked = [run[of(first)] for run in runs]
    # Digits stay aligned: a rank without a mark gets a blank.
    is_padded = form == "table" and any(row["is_tied"] for row in ranked)
    for run, row in zip(runs, ranked, strict=True):
        sign = "=" if row["is_tied"] else " " * is_padded
        run[of("rank")] = "" if row["rank"] is None else f"{row['rank']}{sign}"
    columns = [*slices(by), Column(of("rank"), "rank", "count"), RUN]
    interval = Column("value", f"{testing.confidence} interval", "interval", first)
    for measure in (first, *others):
        columns.append(Column("value", measure, "mean", measure))
        columns += [interval] if measure == first else []
        columns.append(Column("groups", "groups", "text", measure))
    columns += common(counts(rows[0]), len(runs) > 1)

    def style(column: Column, run: Record) -> Style | None:
        best = _best(column, run)
        return best and best._replace(is_marked=True)

    return table(columns, runs, style)


def counts(row: Record) -> list[Column]:
    """Return the columns that tell what the values of a leaderboard are based on."""
    judged = Column("judged_at_k", f"judged@{row['judged_depth']}")
    return [judged, *columns_of("counts", "no_relevant")]


def _legend(rows: Sequence[Record], testing: Testing, form: str) -> list[str]:
    lines: list[str] = []
    if any(row["groups"] for row in rows):
        test = TUKEY
        if testing.correct != "tukey":
            corrected = testing.correct.replace("none", "not corrected")
            test = f"{testing.test} test of each pair, {corrected}"
        lines.append(
            "groups: runs that share a letter are not separated"
            f" ({test}, p below {testing.alpha:g})"
        )
    if any(row["is_best"] for row in rows):
        lines.append(f"{mark(form)} significantly better than every other run")
    if any(row["is_tied"] and row["measure"] == rows[0]["measure"] for row in rows):
        lines.append("= same value as another run")
    return lines


def notes(rows: Iterable[Record]) -> list[str]:
    """Return each note once, after the measures that it is about."""
    about: dict[str, dict[str, None]] = {}
    for row in rows:
        if row["note"]:
            about.setdefault(row["note"], {})[row["measure"]] = None
    return [f"{', '.join(measures)}: {note}" for note, measures in about.items()]
