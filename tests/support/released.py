"""A warehouse file of each release, kept with what that release answered.

    PYTHONPATH=tests python -m support.released

makes those of this version, before it is released. One that is there is never made
anew, but that of 0.1.0, which is of a day before the release. The file has something
in nearly every table: two judgment sets, subtopics, assessors, clicks, runs with
tags, attributes of queries and documents, what is known.
"""

import csv
import json
import lzma
import warnings
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import duckdb

from ndcg_sql import Warehouse, __version__
from ndcg_sql.database import views
from support import twins

FOLDER = Path(__file__).parents[1] / "data" / "warehouses"
DATASET = "shop"
_MEASURES = "nDCG@10 AP RR P@2"
# Later versions may know more names of measures and more statistics.
_MAY_GROW = {"measure_names", "agreement"}
Rows = list[dict[str, Any]]


def main() -> None:
    """Make the file of this version, and what it answers."""
    packed, answered = packed_file(__version__), answers_file(__version__)
    if packed.exists():
        raise SystemExit(f"{packed}: already there")
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "ndcg.duckdb"
        fill(path)
        packed.write_bytes(lzma.compress(path.read_bytes(), preset=9))
        text = json.dumps({"relations": relations(path), "answers": answers(path)})
        answered.write_bytes(lzma.compress(text.encode(), preset=9))


def versions() -> list[str]:
    """Return the versions of which a file is kept."""
    suffix = ".duckdb.xz"
    return sorted(path.name.removesuffix(suffix) for path in FOLDER.glob(f"*{suffix}"))


def packed_file(version: str) -> Path:
    """Return where the warehouse of a version is kept, compressed."""
    return FOLDER / f"{version}.duckdb.xz"


def answers_file(version: str) -> Path:
    """Return where the answers of a version are kept, compressed."""
    return FOLDER / f"{version}.json.xz"


def unpack(version: str, path: Path) -> Path:
    """Write the warehouse of a version to a path."""
    path.write_bytes(lzma.decompress(packed_file(version).read_bytes()))
    return path


def expected(version: str) -> dict[str, dict[str, Rows]]:
    """Return the rows of relations and answers, as the version gave them."""
    kept: dict[str, dict[str, Rows]] = json.loads(
        lzma.decompress(answers_file(version).read_bytes())
    )
    return kept


def fill(path: Path) -> None:
    """Fill a warehouse with something of everything."""
    twins.fill(path, [DATASET])
    log = path.parent / "clicks.csv"
    random = Random(DATASET)
    with log.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["query_id", "doc_id", "action", "position"])
        for _ in range(300):
            query, place = random.choice(twins.QUERIES), random.randrange(12)
            action = random.choice(("impression", "impression", "click"))
            rows.writerow([query, twins.DOCUMENTS[place], action, place + 1])
    with Warehouse.write(path) as warehouse:
        warehouse.add_gains("steps", {"0": 0.0, "1": 1.0, "2": 2.5, "3": 7.25})
        warehouse.add_measures("nDCG(gains='steps')@5 ERR@5")
        warehouse.load_clicks(log, dataset=DATASET, min_impressions=2, evaluate=False)


def relations(path: Path, only: frozenset[str] = frozenset()) -> dict[str, Rows]:
    """Return the rows of the public relations, or of some, as any client sees them."""
    names = only or views.public().keys() - _MAY_GROW
    with duckdb.connect(str(path), read_only=True) as connection:
        return {
            name: _rows(connection.execute(f"from {name}")) for name in sorted(names)
        }


def answers(path: Path) -> dict[str, Rows]:
    """Return what a warehouse answers in Python; what it tells beside is left out."""
    with warnings.catch_warnings(), Warehouse.read(path) as warehouse:
        warnings.simplefilter("ignore")
        pair: dict[str, Any] = {"dataset": DATASET, "judgments": "second"}
        results = {
            "report": warehouse.report(_MEASURES, **pair),
            "queries": warehouse.report(_MEASURES, **pair, per_query=True),
            "not registered": warehouse.report("nDCG@7 infAP RBP(p=0.8)", **pair),
            "slices": warehouse.report("AP", by="device", **pair),
            "compare": warehouse.compare("base", "short", _MEASURES, **pair),
            "explain": warehouse.explain("base", "q3", **pair),
            "unjudged": warehouse.unjudged("AP", **pair),
            "history": warehouse.history("AP", dataset=DATASET),
        }
        return {name: _rows(result.relation) for name, result in results.items()}


def _rows(found: duckdb.DuckDBPyConnection | duckdb.DuckDBPyRelation) -> Rows:
    """Return rows as JSON gives them back."""
    names = [column[0] for column in found.description or ()]
    rows = [dict(zip(names, row, strict=True)) for row in found.fetchall()]
    plain: Rows = json.loads(json.dumps(rows, default=str))
    return plain


if __name__ == "__main__":
    main()
