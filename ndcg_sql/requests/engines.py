"""What other engines evaluate: tables of a database, or files of a store."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests import choices
from ndcg_sql.requests.fields import Option
from ndcg_sql.requests.loading import ClickGrading
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


@dataclass(frozen=True, kw_only=True)
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
    queries: Annotated[
        str | None,
        Option(
            "The table of queries, with a column query_id and those of "
            + named("by")
            + ".",
            "TABLE",
        ),
    ] = None
    by: Annotated[
        tuple[str, ...],
        Option(
            "A column of queries: also values for each of its values; repeatable, each"
            " column by itself.",
            "COLUMN",
        ),
    ] = ()
    compare: Annotated[
        str | None, Option("Also compare all other runs with this one.", "BASELINE")
    ] = None
    schema: Annotated[
        str, Option("The schema that the script creates for its relations.", "NAME")
    ] = "ndcg_sql"
    run: Annotated[
        str | None,
        Option(
            "Run the script in this PostgreSQL database, in one transaction, and print"
            " the values of runs instead.",
            "URL",
        ),
    ] = None
    dbt: Annotated[
        Path | None,
        Option("Write a package of dbt to this new folder instead.", "DIR"),
    ] = None
    one_select: Annotated[
        bool,
        Option(
            "Print one select of the values of a measure per query instead, which"
            " checks and creates nothing."
        ),
    ] = False

    def __post_init__(self) -> None:
        if sum((self.run is not None, self.dbt is not None, self.one_select)) > 1:
            where = listed(("run", "dbt", "one_select"), "and")
            raise NdcgSqlError("name one of them", where=where)


@dataclass(frozen=True, kw_only=True)
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
    columns: Annotated[
        Mapping[str, str],
        Option(
            "Another name of a column, such as query_id=search; may be repeated.",
            "OURS=THEIRS",
            word="column",
            example="query_id=search",
        ),
    ] = field(default_factory=dict[str, str])


@dataclass(frozen=True, kw_only=True)
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
    format_in: Annotated[
        str | None,
        Option(
            "The format of rankings and judgments, parquet or csv, if their names do"
            " not tell.",
            "F",
        ),
    ] = None
    columns: _Columns = ()
    run_column: _RunColumn = None
