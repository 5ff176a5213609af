"""What other engines evaluate: tables of a database."""

from typing import Annotated

from ndcg_sql.requests import choices
from ndcg_sql.requests.fields import Option, frozen, option
from ndcg_sql.wording import named

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
        "The engine that runs the script: duckdb, postgres, clickhouse or spark, or,"
        " for which scripts are only parsed in tests, bigquery or snowflake.",
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
    one_select: bool = option(
        "Print one select of the values of a measure per query instead, which"
        " checks and creates nothing.",
        value=False,
    )
