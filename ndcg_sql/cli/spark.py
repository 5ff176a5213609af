"""ndcg-sql spark: values of rankings in a store, computed by a Spark cluster."""

from typing import Annotated

import typer

from ndcg_sql.cli.command import Command
from ndcg_sql.cli.session import Session

app = typer.Typer()


@app.command(
    cls=Command,
    epilog="ndcg-sql spark --master spark://host:7077 -m nDCG@10"
    " --rankings s3a://shop/results --judgments s3a://shop/grades"
    " --out s3a://shop/values",
)
def spark(
    context: typer.Context,
    measure: Annotated[
        list[str],
        typer.Option("--measure", "-m", metavar="M", help="A measure; repeatable."),
    ],
    rankings: Annotated[
        str,
        typer.Option(
            "--rankings",
            metavar="PATH",
            help="The rankings: Parquet or CSV with columns query_id, doc_id and"
            " score, in any store that Spark reads.",
        ),
    ],
    judgments: Annotated[
        str,
        typer.Option(
            "--judgments",
            metavar="PATH",
            help="The judgments, with columns query_id, doc_id and grade.",
        ),
    ],
    out: Annotated[
        str,
        typer.Option(
            "--out",
            metavar="DIR",
            help="The new folder for the values, which ndcg-sql load values takes.",
        ),
    ],
    master: Annotated[
        str,
        typer.Option(
            "--master",
            metavar="URL",
            help="The cluster, such as spark://host:7077 or yarn; local[*] is this"
            " machine.",
        ),
    ],
    format_in: Annotated[
        str | None,
        typer.Option(
            "--format-in",
            metavar="F",
            help="The format of rankings and judgments, parquet or csv, if their names"
            " do not tell.",
        ),
    ] = None,
    column: Annotated[
        list[str] | None,
        typer.Option(
            "--column",
            metavar="OURS=THEIRS",
            help="Another name of a column, such as query_id=user_id or"
            " judgments.query_id=user_id; position=NAME if positions are given;"
            " repeatable.",
        ),
    ] = None,
    run_column: Annotated[
        str | None,
        typer.Option(
            "--run-column",
            metavar="COLUMN",
            help="The column of rankings that names the run; one run if omitted.",
        ),
    ] = None,
) -> None:
    """Evaluate rankings on a Spark cluster, and write the values to its store."""
    from importlib import import_module

    from ndcg_sql.errors import NdcgSqlError

    try:
        import_module("pyspark")
        from ndcg_sql.spark.job import FORMATS, Job, run
    except ModuleNotFoundError as error:
        if error.name not in ("pyspark", "sqlglot"):
            raise
        raise NdcgSqlError(
            f"spark needs {error.name}: pip install 'ndcg-sql[spark]'"
        ) from error
    from ndcg_sql.text import harmless, listed, quoted

    if format_in not in (None, *FORMATS):
        raise NdcgSqlError(
            f"--format-in {quoted(format_in)}: unknown; these work: {listed(FORMATS)}"
        )
    job = Job(rankings, judgments, measure, out, format_in, column or [], run_column)
    session = Session.of(context)
    session.has_warehouse = False
    run(job, master, session.timeout)
    session.messages.tell(f"wrote {harmless(out)}")
