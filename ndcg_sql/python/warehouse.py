"""A warehouse from Python: load, ask, keep."""

from pathlib import Path
from typing import cast

import duckdb

from ndcg_sql.comparison.answers import Answer, from_parquet
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.fields import number
from ndcg_sql.output.results import Result
from ndcg_sql.python import methods
from ndcg_sql.python.access import Access, in_python
from ndcg_sql.python.methods import method
from ndcg_sql.questions import changes as changing
from ndcg_sql.questions import comparisons, judging, loading, outputs, reports
from ndcg_sql.system.folders import temporary_folder
from ndcg_sql.text import harmless_lines
from ndcg_sql.wording import use


class Warehouse(Access):
    """A warehouse of judgments, runs and the values of measures.

        warehouse = Warehouse("ndcg.duckdb")
        warehouse.load_judgments("qrels.txt")
        warehouse.load_run(frame, "first")
        warehouse.report("nDCG@10 AP").df()

    It opens the file for each call, as the command line does, so that others can
    read and write it in between. Warehouse.read, Warehouse.write and
    Warehouse.memory hold it open until it is closed; use them as context managers.
    Use a warehouse from one thread only. Every failure is an ndcg_sql.NdcgSqlError.

    measures are written as on the command line ("nDCG@10 AP", or a list); by
    default they are the registered ones. runs are names or patterns, all by
    default; judgments is a judgment set, by default the newest of each dataset.
    Ids and names are text; an integer is taken for its digits.
    What a command would print beside its rows is issued as a Python warning. What
    changes the warehouse returns the messages that the command would print, of what
    is loaded with names and counts, and raises NdcgSqlError, with nothing changed,
    where it would refuse.
    """

    def __repr__(self) -> str:
        call = f"{type(self).__name__}({str(self._path)!r})"
        return f"{call}, closed" if self._is_closed else call

    load_run = method(loading.load_run, methods.loaded)
    load_judgments = method(loading.load_judgments, methods.loaded)
    load_assessments = method(judging.load_assessments, methods.loaded)
    load_values = method(loading.load_values, methods.loaded)
    load_benchmark = method(loading.load_benchmark, methods.loaded)
    load_queries = method(loading.load_queries, methods.loaded)
    load_documents = method(loading.load_documents, methods.loaded)
    load_known = method(loading.load_known, methods.loaded)
    load_clicks = method(judging.load_clicks, methods.loaded)
    fuse = method(changing.fuse, methods.fused)
    report = method(reports.report, methods.rows)
    leaderboard = method(comparisons.leaderboard, methods.rows)
    compare = method(comparisons.compare, methods.rows)
    gate = method(comparisons.gate, methods.verdict)
    explain = method(reports.explain, methods.rows)
    unjudged = method(reports.unjudged, methods.rows)
    history = method(reports.history, methods.rows)
    changes = method(comparisons.changes, methods.rows)
    overlap = method(comparisons.overlap, methods.rows)
    agreement = method(comparisons.agreement, methods.rows)
    describe = method(reports.describe, methods.rows)
    contents = method(reports.contents, methods.rows)
    pool = method(reports.pool, methods.rows)
    check = method(reports.check, methods.proofs)
    measures = method(reports.measures, methods.rows)
    gains = method(reports.gains, methods.rows)
    schema = method(reports.schema, methods.rows)
    plot = method(outputs.plot, methods.figure)
    adjudicate = method(judging.adjudicate, methods.text)
    add_measures = method(changing.add_measures, methods.text)
    remove_measures = method(changing.remove_measures, methods.text)
    add_gains = method(changing.add_gains, methods.text)
    remove_gains = method(changing.remove_gains, methods.text)
    evaluate = method(changing.evaluate, methods.text)
    remove = method(changing.remove, methods.text)
    remove_queries = method(changing.remove_queries, methods.text)
    remove_documents = method(changing.remove_documents, methods.text)
    remove_known = method(changing.remove_known, methods.text)
    remove_dataset = method(changing.remove_dataset, methods.text)
    tag = method(changing.tag, methods.text)
    rename = method(changing.rename, methods.text)
    export = method(outputs.export, methods.text)
    publish = method(outputs.publish, methods.text)
    backup = method(outputs.backup, methods.text)

    def query(self, sql: str, *, time_limit: float = 3600.0) -> Result:
        """Return the rows of a select on the public relations, which writes nothing.

        Files and the network are out of its reach, as on the command line, and it is
        stopped after time_limit seconds, unless the warehouse is held open; there one
        select is run as by connection, which runs all other statements.
        """
        from ndcg_sql.sandbox import parent

        if not isinstance(cast("object", sql), str):
            raise NdcgSqlError("not text", where=use(sql=sql))
        time_limit = number("time_limit", time_limit)
        parent.check_limit(time_limit)
        with temporary_folder(None) as folder:
            path = folder / "rows.parquet"
            if self._held is None:
                self._check_open()
                place = self._path, self._wait, self._limits
                with in_python(str(self._path)):
                    parent.query(sql, "parquet", path, time_limit, *place)
            else:
                with in_python(self._held.path):
                    _write_select(self.connection, sql, path)
            return Result(Answer("query", from_parquet(path)))


def _write_select(connection: duckdb.DuckDBPyConnection, sql: str, path: Path) -> None:
    from ndcg_sql.sandbox.selects import one_select, rows_of

    try:
        explain, select = one_select(connection, sql)
        connection.sql(f"{explain} {rows_of(select)}").write_parquet(str(path))
    except duckdb.InterruptException:
        raise
    except duckdb.Error as error:
        raise NdcgSqlError(f"query: {harmless_lines(str(error))}") from error


# What Python says of wrong arguments names the class that people know.
Access.__init__.__qualname__ = Warehouse.__name__
