"""ndcg-sql plot: a figure for a paper, as SVG, PNG or PDF."""

from ndcg_sql.cli.beside import Drawing
from ndcg_sql.cli.session import Session
from ndcg_sql.output.figures import drawing, saving
from ndcg_sql.requests.figures import PlotRequest


def plot(session: Session, request: PlotRequest, file: Drawing) -> None:
    """Draw a figure, and write it and its rows to files."""
    drawing.check_installed()
    target = saving.check(file.output, file.force)
    with session.warehouse_read() as warehouse:
        figure, rows = warehouse.draw(request, session.messages)
        content = figure.content(target.suffix)
        data = rows if file.data else None
        files = saving.save(session.path, target, content, data)
    session.messages.tell(f"wrote {' and '.join(map(str, files))}")
