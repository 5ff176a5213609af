"""What changed: values from one judgment set to another, and from run to run."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Literal

from ndcg_sql import reports
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.text import counted, nearest, quoted
from ndcg_sql.valuing import valued
from ndcg_sql.warehouse import Parameters, Warehouse

Tell = Callable[[str], None]
Kind = Literal["means", "values", "judgments"]


@contextmanager
def changes(
    warehouse: Warehouse,
    tell: Tell,
    old: str,
    new: str,
    measures: list[str],
    runs: list[str],
    *,
    dataset: str | None,
    kind: Kind,
) -> Generator[None]:
    """Put what changed from one judgment set to another into the table OUTPUT.

    That are the means of the same runs, the values of queries that moved, or
    the judgments themselves. Raises NdcgSqlError where a name is not known.
    """
    sets = [
        reports.choose_judgment_set(warehouse, name, dataset) for name in (old, new)
    ]
    if sets[0].dataset != sets[1].dataset:
        raise NdcgSqlError(
            f"judgment set {quoted(old)} is of dataset {quoted(sets[0].dataset)},"
            f" {quoted(new)} of {quoted(sets[1].dataset)}: their queries differ"
        )
    if sets[0] == sets[1]:
        raise NdcgSqlError(f"judgment set {quoted(old)} is named twice; name another")
    parameters: Parameters = {
        "other_set_id": sets[0].id,
        "judgment_set_id": sets[1].id,
    }
    added, removed, regraded, queries = warehouse.run(
        "reports/counted_changes", parameters
    )[0]
    tell(
        f"from {quoted(old)} to {quoted(new)}: {counted(added, 'judgment')} added,"
        f" {removed} removed, {regraded} regraded in"
        f" {counted(queries, 'query', 'queries')}"
    )
    if kind == "judgments":
        with reports.output(warehouse, "reports/changed_judgments", parameters):
            yield
        return
    chosen = reports.choose_measures(warehouse, measures)
    found = reports.choose_runs(warehouse, runs, sets[0].dataset)
    parameters |= {
        "run_ids": [run.id for run in found],
        "measures": [measure.name for measure in chosen],
    }
    pairs = [(run.id, entry.id) for run in found for entry in sets]
    with (
        valued(warehouse, chosen, pairs, alone=True),
        reports.output(warehouse, f"reports/changed_{kind}", parameters),
    ):
        yield


@contextmanager
def history(
    warehouse: Warehouse,
    tell: Tell,
    measures: list[str],
    runs: list[str],
    *,
    judgments: str | None,
    dataset: str | None,
    tag: str | None,
) -> Generator[None]:
    """Put values over time into the table OUTPUT, each beside the run before.

    With a tag, runs that share its value are a series; without, all runs of a
    dataset are one. A tag may be of one value: model=bm25. Raises NdcgSqlError
    where a name is not known.
    """
    key, equals, value = (tag or "").partition("=")
    chosen = reports.choose_measures(warehouse, measures)
    found = reports.choose_runs(warehouse, runs, dataset)
    if tag is not None:
        _check_tag(warehouse, found, key, value if equals else None)
    # The run before counts, also where it is not itself asked for.
    datasets = {run.dataset for run in found}
    series = [run for run in reports.runs(warehouse) if run.dataset in datasets]
    pairs = reports.pairs(warehouse, series, judgments)
    for line in reports.left_out(found, pairs, judgments):
        tell(line)
    parameters: Parameters = {
        "run_ids": [run.id for run in found],
        "judgment_set_ids": sorted({set_id for _, set_id in pairs}),
        "measures": [measure.name for measure in chosen],
        "tag": key if tag is not None else None,
        "tag_value": value if equals else None,
    }
    with (
        valued(warehouse, chosen, pairs),
        reports.output(warehouse, "reports/history", parameters),
    ):
        for column in ("tag", "tag_value") if tag is None else ():
            warehouse.execute(f"alter table {reports.OUTPUT} drop {column}")
        yield


def _check_tag(
    warehouse: Warehouse, found: Sequence[reports.Entry], tag: str, value: str | None
) -> None:
    """Raise NdcgSqlError where none of the runs has a tag, or this value of it."""
    ids = {"run_ids": [run.id for run in found]}
    rows = warehouse.run("reports/tags_of_runs", ids)
    tags = dict.fromkeys(known for known, _ in rows)
    if tag not in tags:
        hint = nearest(tag, tags) or "ndcg-sql load run FILE --tag K=V gives it one"
        raise NdcgSqlError(f"--tag {quoted(tag)}: none of these runs has it; {hint}")
    values = [known for name, known in rows if name == tag]
    if value is not None and value not in values:
        hint = nearest(value, values) or "leave the value out to have them all"
        raise NdcgSqlError(
            f"--tag {quoted(f'{tag}={value}')}: none of these runs has it; {hint}"
        )
