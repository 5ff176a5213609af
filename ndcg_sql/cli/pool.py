"""ndcg-sql pool: the documents to be judged, for assessors."""

from ndcg_sql.cli.beside import Filling
from ndcg_sql.cli.session import Session
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.output.writing import check_output, chosen_format, write_data
from ndcg_sql.reports.unjudged import FORMATS
from ndcg_sql.requests.questions import PoolRequest
from ndcg_sql.system.messages import Changing
from ndcg_sql.wording import Call, use


def pool(session: Session, request: PoolRequest, file: Filling) -> None:
    """Write the documents to be judged, unless the file may hold grades."""
    form = chosen_format(file.form, file.output, FORMATS)
    if file.output is not None and file.output.is_file() and not file.force:
        raise NdcgSqlError(
            "exists, and may hold grades",
            "name another file, or replace it with " + use(force=True),
            where=use(output=str(file.output)),
        )
    check_output(file.output, form, file.force)
    output = file.output

    def filled(one: Call) -> Call:
        """Return a call that names the file, if it loads it beside what is judged."""
        is_of_pool = output is not None and "base" in one.fields
        return one.of_file(str(output)) if is_of_pool else one

    with session.warehouse_read() as warehouse:
        answer = warehouse.answer(request, Changing(session.messages, filled))
        write_data(answer.rows, form, output, session.path)
