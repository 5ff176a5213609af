"""ndcg-sql pool: the documents to be judged, for assessors."""

from functools import partial

from ndcg_sql.cli.beside import Filling
from ndcg_sql.cli.session import Session
from ndcg_sql.comparison.answers import Answer
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.output.writing import check_output, chosen_format, write_data
from ndcg_sql.reports.unjudged import FORMATS
from ndcg_sql.wording import use


def pool(session: Session, question: "partial[Answer]", file: Filling) -> None:
    """Write the documents to be judged, unless the file may hold grades."""
    form = chosen_format(file.form, file.output, FORMATS)
    if file.output is not None and file.output.is_file() and not file.force:
        raise NdcgSqlError(
            "exists, and may hold grades",
            "name another file, or replace it with " + use(force=True),
            where=use(output=str(file.output)),
        )
    check_output(file.output, form, file.force)
    with session.handle(question) as warehouse:
        write_data(question(warehouse).rows, form, file.output, session.path)
