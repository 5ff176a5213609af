"""ndcg-sql plot: a figure for a paper, as SVG, PNG or PDF."""

from functools import partial

from ndcg_sql.cli.beside import Drawing
from ndcg_sql.cli.session import Session
from ndcg_sql.output.figures import drawing, saving
from ndcg_sql.output.figures.figure import Plotted


def plot(session: Session, question: "partial[Plotted]", file: Drawing) -> None:
    """Draw a figure, and write it and its rows to files."""
    drawing.check_installed()
    saving.check(file.output, file.force)
    with session.handle(question) as warehouse:
        figure, rows = question(warehouse)
        content = figure.content(file.output.suffix)
        data = rows if file.data else None
        files = saving.save(session.path, file.output, content, data, file.force)
    session.messages.tell(f"wrote {' and '.join(map(str, files))}")
