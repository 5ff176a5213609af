"""Results for Python: rows in full precision, and what people see of them."""

from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import duckdb

from ndcg_sql.database.connections import in_memory
from ndcg_sql.database.database import Database
from ndcg_sql.database.results import OUTPUT
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.output.figures.figure import Figure
from ndcg_sql.output.grids import SCREEN, Screen, rows_as_they_are, shown
from ndcg_sql.system.folders import temporary_folder
from ndcg_sql.system.terminal import width
from ndcg_sql.text import counted, harmless, sql_name

Record = dict[str, Any]
Draw = Callable[[Database], str]
Plot = Callable[[list[Record]], Figure]
# More rows than this are neither laid out nor shown in a notebook.
MOST = 60
_TEMPLATE = Path(__file__).with_name("result.html")


class Result:
    """Rows of a question, which stay when the warehouse is closed.

    print shows the table of the command line, a notebook shows it as HTML. df, pl,
    arrow and to_dicts give all rows in full precision; relation is a relation of
    DuckDB, for filter, order and SQL.
    """

    def __init__(
        self,
        relation: duckdb.DuckDBPyRelation,
        text: str,
        title: str,
        plot: Plot | None = None,
        shown_first: Sequence[str] = (),
    ) -> None:
        """Take rows, the table that people read, and what makes their figure.

        Of many columns, a notebook shows only those named.
        """
        self.relation = relation
        self._text, self._title, self._plot = text, title, plot
        self._shown = [name for name in shown_first if name in self.columns]

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self.relation.columns)

    def df(self) -> Any:
        """Return the rows as a frame of pandas."""
        return self.relation.df()

    def pl(self) -> Any:
        """Return the rows as a frame of polars."""
        return self.relation.pl()

    def arrow(self) -> Any:
        """Return the rows as a table of Arrow."""
        relation: Any = self.relation
        return relation.to_arrow_table()

    def to_dicts(self) -> list[Record]:
        """Return a dictionary for each row."""
        names = self.columns
        rows = self.relation.fetchall()
        return [dict(zip(names, row, strict=True)) for row in rows]

    def __iter__(self) -> Iterator[Record]:
        return iter(self.to_dicts())

    def __len__(self) -> int:
        [(count,)] = self.relation.aggregate("count(*)").fetchall()
        return int(count)

    def plot(self) -> Figure:
        """Return the figure of the rows; raise NdcgSqlError if they have none."""
        if self._plot is None:
            raise NdcgSqlError(
                f"{self._title}: has no figure of its own; Warehouse.plot draws others"
            )
        return self._plot(self.to_dicts())

    def __repr__(self) -> str:
        return self._text.rstrip("\n")

    def _repr_html_(self) -> str:
        """Return the rows as a notebook shows them, and their figure, if they have one.

        Text is escaped; numbers have four decimals.
        """
        jinja: Any = import_module("jinja2")
        template = jinja.Environment(autoescape=True).from_string(
            _TEMPLATE.read_text(encoding="utf-8")
        )
        columns = self._shown or self.columns
        names = ", ".join(map(sql_name, columns))
        rows = self.relation.project(names).limit(MOST).fetchall()
        numeric = [
            all(type(row[c]) in (int, float, type(None)) for row in rows)
            for c in range(len(columns))
        ]
        cells = [[harmless(shown(value)) for value in row] for row in rows]
        return template.render(
            title=harmless(self._title),
            columns=[harmless(name) for name in columns],
            numeric=numeric,
            rows=cells,
            more=len(self) - len(rows),
            **self._drawn(),
        )

    def _drawn(self) -> dict[str, str]:
        """Return the figure of the rows as a picture, and what it shows, if any."""
        if self._plot is None or find_spec("vl_convert") is None:
            return {"picture": "", "description": ""}
        try:
            figure = self.plot()
        except NdcgSqlError:
            # The rows are shown; plot says why they have no figure.
            return {"picture": "", "description": ""}
        # An image is shown in notebooks that are not trusted yet, too.
        picture = b64encode(figure.png()).decode()
        return {"picture": picture, "description": figure.description}


def result(
    database: Database,
    title: str,
    draw: Draw,
    plot: Plot | None = None,
    shown_first: Sequence[str] = (),
) -> Result:
    """Return the rows of the table OUTPUT, in an in-memory database of their own.

    draw lays out a table for people; plot makes the figure of the rows.
    """
    # The table is dropped with the question, and the warehouse may be closed.
    # Through Parquet, no row becomes a Python object.
    with temporary_folder(database.folder) as folder:
        path = folder / "rows"
        database.execute(
            f"copy {OUTPUT} to $path (format parquet)", {"path": str(path)}
        )
        text = partial(_drawn, database, draw)
        return from_parquet(path, title, text, plot, shown_first)


def from_parquet(
    path: Path,
    title: str,
    text: Callable[[], str] | None = None,
    plot: Plot | None = None,
    shown_first: Sequence[str] = (),
) -> Result:
    """Return the rows of a Parquet file, which may be removed afterwards.

    text gives the table for people, by default of the rows as they are.
    """
    own = in_memory()
    own.execute(
        f"create table {OUTPUT} as from read_parquet($path)", {"path": str(path)}
    )
    relation = own.sql(f"from {OUTPUT}")
    count = len(Result(relation, "", title))
    told = _beginning(own, count) if text is None or count > MOST else text()
    return Result(relation, told, title, plot, shown_first)


def _drawn(database: Database, draw: Draw) -> str:
    """Lay out a table as wide as the terminal, or as 80 columns."""
    before = SCREEN.set(Screen(width() or 80))
    try:
        return draw(database)
    finally:
        SCREEN.reset(before)


def _beginning(own: duckdb.DuckDBPyConnection, count: int) -> str:
    """Return the first rows of a long result, laid out."""
    first = own.cursor()
    first.execute(f"create temp table {OUTPUT} as from main.{OUTPUT} limit {MOST}")
    with Database(first, ":memory:", None) as database:
        text = _drawn(database, lambda rows: rows_as_they_are(rows, "table"))
    more = f"… and {counted(count - MOST, 'more row')}" if count > MOST else ""
    return text + more
