"""What other engines evaluate: tables of a database, or files of a store."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests import choices
from ndcg_sql.requests.clicks import ClickGrading
from ndcg_sql.requests.fields import Option, frozen, option
from ndcg_sql.wording import listed, named

_Measures = Annotated[
    tuple[str, ...],
    Option("A measure; repeatable.", "M", word="measure", short="m", names="measures"),
]
_Columns = Annotated[
    tuple[str, ...],
    Option(
        "Another name of a column, such as query_id=user_id or"
        " judgments.query_id=user_id; position=NAME if positions are given;"
        " repeatable.",
        "OURS=THEIRS",
        word="column",
    ),
]
_Dialect = Annotated[
    choices.Dialect,
    Option(
        "The engine that runs the script: bigquery, clickhouse, databricks, duckdb,"
        " postgres, redshift, snowflake, spark or trino.",
        "D",
    ),
]
_RunColumn = Annotated[
    str | None,
    Option("The column of rankings that names the run; one run if omitted.", "COLUMN"),
]


@frozen
class EmitRequest:
    """Print a script that evaluates measures in another database."""

    dialect: _Dialect
    measures: _Measures
    rankings: Annotated[
        str,
        Option(
            "The table of rankings, with columns query_id, doc_id and score.", "TABLE"
        ),
    ]
    judgments: Annotated[
        str,
        Option(
            "The table of judgments, with columns query_id, doc_id and grade; for"
            " measures of subtopics also subtopic.",
            "TABLE",
        ),
    ]
    columns: _Columns = ()
    run_column: _RunColumn = None
    queries: str | None = option(
        "The table of queries, with a column query_id and those of "
        + named("by")
        + ".",
        "TABLE",
    )
    by: tuple[str, ...] = option(
        "A column of queries: also values for each of its values; repeatable, each"
        " column by itself.",
        "COLUMN",
        value=(),
    )
    compare: str | None = option(
        "Also compare all other runs with this one.", "BASELINE"
    )
    schema: str = option(
        "The schema that the script creates for its relations.",
        "NAME",
        value="ndcg_sql",
    )
    run: str | None = option(
        "Run the script in this PostgreSQL database, in one transaction, and print"
        " the values of runs instead.",
        "URL",
    )
    dbt: Path | None = option(
        "Write a package of dbt to this new folder instead.", "DIR"
    )
    one_select: bool = option(
        "Print one select of the values of a measure per query instead, which"
        " checks and creates nothing.",
        value=False,
    )

    def __post_init__(self) -> None:
        if sum((self.run is not None, self.dbt is not None, self.one_select)) > 1:
            where = listed(("run", "dbt", "one_select"), "and")
            raise NdcgSqlError("name one of them", where=where)


@frozen
class EmitClicksRequest(ClickGrading):
    """Print a select of the grades that clicks make.

    Another database runs it on its own table of events, and gets the grades of ndcg-sql
    load clicks. It checks nothing, and creates nothing.
    """

    dialect: _Dialect
    events: Annotated[
        str,
        Option(
            "The table of events, with columns query_id, doc_id, action and position.",
            "TABLE",
        ),
    ]
    columns: Mapping[str, str] = option(
        "Another name of a column, such as query_id=search; may be repeated.",
        "OURS=THEIRS",
        word="column",
        example="query_id=search",
        value={},
    )


@frozen
class SparkRequest:
    """Evaluate rankings on a Spark cluster.

    The values are written to the store of the cluster. Input whose format is not named
    is CSV if the path ends in .csv or .csv.gz, else Parquet.
    """

    measures: _Measures
    rankings: Annotated[
        str,
        Option(
            "The rankings: Parquet or CSV with columns query_id, doc_id and score, in"
            " any store that Spark reads.",
            "PATH",
        ),
    ]
    judgments: Annotated[
        str,
        Option(
            "The judgments, with columns query_id, doc_id and grade; for measures of"
            " subtopics also subtopic.",
            "PATH",
        ),
    ]
    out: Annotated[
        str,
        Option(
            "The new folder for the values, which ndcg-sql load values takes.", "DIR"
        ),
    ]
    master: Annotated[
        str,
        Option(
            "The cluster, such as spark://host:7077 or yarn; local[*] is this machine.",
            "URL",
        ),
    ]
    format_in: str | None = option(
        "The format of rankings and judgments, parquet or csv, if their names do"
        " not tell.",
        "F",
    )
    columns: _Columns = ()
    run_column: _RunColumn = None
