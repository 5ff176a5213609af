"""Results for Python: answers in full precision, and what people see of them."""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from html import escape
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, overload

import duckdb

from ndcg_sql.comparison.answers import Answer, Record
from ndcg_sql.errors import NdcgSqlError, library
from ndcg_sql.output.documents import drawn, laid_out
from ndcg_sql.output.layout import Screen
from ndcg_sql.system.terminal import width
from ndcg_sql.text import counted, harmless, listed, nearest
from ndcg_sql.wording import Blank, call

if TYPE_CHECKING:
    import pandas  # pyright: ignore[reportMissingTypeStubs]
    import polars

    from ndcg_sql.output.figures.figure import Figure

# More rows than this are not shown, and more than that not laid out.
MOST, _LAID_OUT = 60, 10_000
# The last line of an explanation rests on all of its rows.
_WHOLE = ("positions", "terms", "moves")


class Result(Sequence[Record]):
    """Rows of a question, which stay when the warehouse is closed.

    print shows the table of the command line, a notebook shows it as HTML. df, pl,
    arrow and to_dicts give all rows in full precision; relation is a relation of
    DuckDB, for filter, order and SQL. A result is a sequence of rows, which are
    dictionaries: found[0]["value"]; found["value"] are the values of a column.
    """

    def __init__(self, answer: Answer) -> None:
        self._answer = answer

    @property
    def relation(self) -> duckdb.DuckDBPyRelation:
        """The rows as a relation of DuckDB."""
        return self._answer.rows.relation

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self._answer.rows.columns

    def df(self) -> "pandas.DataFrame":
        """Return the rows as a frame of pandas; raise NdcgSqlError if it is absent."""
        library("pandas")
        return self.relation.df()

    def pl(self) -> "polars.DataFrame":
        """Return the rows as a frame of polars; raise NdcgSqlError if it is absent."""
        library("polars")
        return self.relation.pl()

    def arrow(self) -> Any:
        """Return the rows as a table of Arrow."""
        relation: Any = self.relation
        return relation.to_arrow_table()

    def to_dicts(self) -> list[Record]:
        """Return a dictionary for each row."""
        return self._dicts(self.relation)

    def _dicts(self, relation: duckdb.DuckDBPyRelation) -> list[Record]:
        names = self.columns
        return [dict(zip(names, row, strict=True)) for row in relation.fetchall()]

    @overload
    def __getitem__(self, key: int) -> Record: ...

    @overload
    def __getitem__(self, key: slice) -> list[Record]: ...

    @overload
    def __getitem__(self, key: str) -> list[Any]: ...

    def __getitem__(self, key: int | slice | str) -> Record | list[Record] | list[Any]:
        if isinstance(key, str):
            if key not in (names := self.columns):
                hint = nearest(key, names) or f"known: {listed(names, 99)}"
                raise KeyError(f"{key}: no such column; {hint}")
            column = self.relation.select(duckdb.ColumnExpression(key))
            return [value for (value,) in column.fetchall()]
        if isinstance(key, slice):
            return self.to_dicts()[key]
        place = key if key >= 0 else key + len(self)
        if not 0 <= place < len(self):
            raise IndexError(f"row {key}: there are {counted(len(self), 'row')}")
        return self._dicts(self.relation.limit(1, place))[0]

    def __iter__(self) -> Iterator[Record]:
        return iter(self.to_dicts())

    def __len__(self) -> int:
        return len(self._answer.rows)

    def plot(self) -> "Figure":
        """Return the figure of the rows; raise NdcgSqlError if they have none."""
        # Who draws nothing does not wait for it.
        from ndcg_sql.output.figures.figure import figure_of

        if (drawn := figure_of(self._answer)) is None:
            raise NdcgSqlError(
                f"{self._answer.name}: such a result has no figure of its own",
                "a warehouse draws others: " + call("plot", Blank("FIGURE")),
            )
        return drawn

    def __repr__(self) -> str:
        return self._laid_out("table", Screen(width() or 80)).rstrip("\n")

    def _laid_out(self, form: str, screen: Screen) -> str:
        answer, count = self._answer, len(self)
        screen = replace(screen, most=MOST)
        if count <= _LAID_OUT or answer.name in _WHOLE:
            return laid_out(answer, form, screen)
        first = replace(answer, rows=answer.rows.first(_LAID_OUT))
        about = f"of the first {_LAID_OUT:,} of {count:,}"
        return laid_out(first, form, screen) + drawn([[about]], form, screen)

    def _repr_html_(self) -> str:
        """Return the rows as HTML, and their figure, if there is one."""
        picture = ""
        # The rows are shown in any case; plot says why they have no figure.
        if find_spec("vl_convert") is not None:
            with suppress(NdcgSqlError):
                figure = self.plot()
                # An image is shown in notebooks that are not trusted yet, too.
                source = f"data:image/png;base64,{b64encode(figure.png()).decode()}"
                alt = escape(harmless(figure.description))
                style = "max-width: 36rem"
                picture = f'\n<img alt="{alt}" src="{source}" style="{style}">'
        rows = self._laid_out("html", Screen())
        style = "overflow-x: auto"
        return f'<div class="ndcg-sql" style="{style}">\n{rows}{picture}\n</div>\n'


class GateResult(Result):
    """The outcome of every rule of a gate; true if the candidate passed."""

    @property
    def passed(self) -> bool:
        """Whether no rule failed."""
        return not self._answer.about["verdict"].failed

    @property
    def message(self) -> str:
        """The verdict in one line."""
        return self._answer.about["verdict"].message

    def __bool__(self) -> bool:
        return self.passed

    def _laid_out(self, form: str, screen: Screen) -> str:
        rules = super()._laid_out(form, screen)
        return rules + drawn([[self.message]], form, screen)
