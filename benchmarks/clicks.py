"""Measure what it costs to make judgments of clicks.

    python benchmarks/clicks.py [--events N] [--form FORM]... [--model MODEL]
        [--folder FOLDER]

Ten million events, unless another number is given, of a query for each 500 of them,
with 22 documents at 20 positions, are written by DuckDB and loaded by ndcg-sql into
a new warehouse: as CSV (csv), as Parquet (parquet), as CSV in quotes (quoted), and as
the indexes of UBI (ubi). Seconds are elapsed and of
processor time.
"""

import argparse
from pathlib import Path

import duckdb
from inputs import apart
from measuring import OURS, machine, outcome, table, tell, workplace

FORMS = ("csv", "parquet", "quoted", "ubi")
# A document keeps to five places of its query.
EVENTS = """
    select
        'query ' || hash(range * 3) % $queries as query,
        'doc' || (
            hash(range * 3) % $queries * 17 + greatest(
                0,
                cast(hash(range * 7) % 20 as int)
                + cast(hash(range * 11) % 5 as int) - 2
            )
        ) as document,
        case when hash(range * 5) % 100 < 12 then 'click' else 'impression' end
            as action,
        1 + cast(hash(range * 7) % 20 as int) as position,
        timestamp '2026-01-01' + interval (range * 0.25) second as time
    from range($events)
"""
UBI = f"""
    select
        action as action_name,
        query as query_id,
        strftime(time, '%Y-%m-%dT%H:%M:%S.%gZ') as timestamp,
        {{
            'object': {{'object_id': document}},
            'position': {{'ordinal': position}}
        }} as event_attributes
    from ({EVENTS})
"""
SEARCHES = """
    select
        'query ' || range as query_id,
        'text ' || range as user_query,
        [] as query_response_hit_ids
    from range($queries)
"""


def main() -> None:
    """Write the log in each form, load it and print the table."""
    asked = arguments()
    rows: list[dict[str, object]] = []
    with workplace(asked.folder) as folder:
        for form in asked.form or FORMS:
            suffix = {"parquet": "parquet", "ubi": "ndjson"}.get(form, "csv")
            file = folder / f"{form}.{suffix}"
            if not file.exists():
                tell(f"writing {form}")
                apart(write, file, form, asked.events)
            tell(form)
            warehouse = folder / "ndcg.duckdb"
            warehouse.unlink(missing_ok=True)
            load = [*OURS, "-w", warehouse, "load", "clicks", file]
            if form == "ubi":
                load += ["--searches", file.with_suffix(".searches")]
            done = outcome([*load, "--model", asked.model], folder)
            rows.append({"form": form, **done.cells})
    print(machine())
    print(table(rows))


def write(file: Path, form: str, events: int) -> None:
    """Write a log, and for UBI its searches beside it."""
    options = {
        "csv": "format csv, header",
        "parquet": "format parquet",
        "quoted": "format csv, header, force_quote (query)",
        "ubi": "format json",
    }[form]
    numbers = {"$events": str(events), "$queries": str(max(1, events // 500))}
    select, searches = (UBI if form == "ubi" else EVENTS), SEARCHES
    for name, number in numbers.items():
        select, searches = select.replace(name, number), searches.replace(name, number)
    with duckdb.connect() as connection:
        connection.execute(f"copy ({select}) to '{file}' ({options})")
        if form == "ubi":
            beside = file.with_suffix(".searches")
            connection.execute(f"copy ({searches}) to '{beside}' (format json)")


def arguments() -> argparse.Namespace:
    """Read the arguments."""
    parser = argparse.ArgumentParser(description="Measure judgments from clicks.")
    parser.add_argument("--events", type=int, default=10_000_000)
    parser.add_argument("--form", action="append", choices=FORMS)
    parser.add_argument("--model", default="coec")
    parser.add_argument("--folder", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    main()
