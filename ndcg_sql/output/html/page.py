"""A page: templates filled with what an answer says, in one file."""

import hashlib
import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timezone
from functools import cache
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ndcg_sql.comparison.significance import Testing, Verdict
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.output.figures import catalogue
from ndcg_sql.output.figures.drawing import check_installed
from ndcg_sql.output.figures.figure import figure
from ndcg_sql.output.html import data, headline, sections
from ndcg_sql.output.html.bundle import bundle, caches
from ndcg_sql.output.html.charts import chart_of, left_out
from ndcg_sql.output.hypertext import inline
from ndcg_sql.output.writing import delivered
from ndcg_sql.reports.overview import Overview, no_chart
from ndcg_sql.system import output_files
from ndcg_sql.text import counted, harmless
from ndcg_sql.wording import use

_FOLDER = Path(__file__).parent
# What begins a file that may be replaced by another page.
_MARK = '<meta name="generator" content="ndcg-sql'


def check_page(file: Path, force: bool) -> None:
    """Raise NdcgSqlError if a page cannot be written to a file.

    A file that is no page of ndcg-sql is only replaced with force. Call this
    before anything is computed.
    """
    check_installed()
    shown = use(html=str(file))
    output_files.check_target(file, shown)
    if file.suffix.lower() not in (".html", ".htm"):
        raise NdcgSqlError("the suffix must be .html", where=shown)
    if not force and output_files.is_foreign(file, _MARK, shown):
        raise NdcgSqlError(
            "exists and is not a page of ndcg-sql",
            "add " + use(force=True) + " to replace it",
            where=shown,
        )


def write_page(
    warehouse: Path,
    file: Path,
    command: str,
    boards: Sequence[Overview],
    about: Mapping[str, Any],
) -> None:
    """Write a page to a file, which is replaced as a whole.

    command is what asked for the page; about belongs to the answer that it shows.
    """
    testing: Testing = about.get("testing", Testing())
    gate: Verdict | None = about.get("verdict")
    content = _page(_title(boards, gate), command, boards, testing, gate)
    with delivered(warehouse, file, shown=use(html=str(file))) as path:
        path.write_text(content, encoding="utf-8")


def _title(boards: Sequence[Overview], gate: Verdict | None) -> str:
    datasets = _some([board.dataset for board in boards])
    queries = counted(
        sum(board.query_count for board in boards), "query", "queries", ","
    )
    days = {board.loaded_at for board in boards}
    if len(days) == 1 and "" not in days:
        queries += f", judgments loaded {days.pop()}"
    first = boards[0]
    if not first.is_comparison:
        runs = counted(sum(len(board.runs) for board in boards), "run", form=",")
        return f"{datasets}: {runs}, {queries}"
    pair = f"{_some(first.candidates)} against {first.baseline}"
    return f"{'Gate of ' if gate else ''}{pair}: {datasets}, {queries}"


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more


def _page(
    title: str,
    command: str,
    overviews: Sequence[Overview],
    testing: Testing,
    gate: Verdict | None = None,
) -> str:
    """Return a page on the runs of one or several datasets.

    It says which command wrote it. It asks for nothing: styles, scripts and data are
    part of it, and its policy allows no other.
    """
    charts: dict[str, dict[str, Any]] = {}
    boards = [
        _board(f"d{number}", overview, testing, gate, charts)
        for number, overview in enumerate(overviews)
    ]
    content = {
        "boards": {f"d{n}": data.board(one) for n, one in enumerate(overviews)},
        "charts": charts,
        "config": catalogue.spec("theme"),
    }
    style, script, library = _file("page.css"), _script(), _library()
    return _template().render(
        title=harmless(title),
        command=harmless(command),
        version=version("ndcg-sql"),
        made_at=f"{datetime.now(timezone.utc):%Y-%m-%d %H:%M} UTC",
        policy=_policy(style, (library, script)),
        style=inline(style),
        library=inline(library),
        script=inline(script),
        data=_json(content),
        boards=boards,
    )


def _board(
    key: str,
    overview: Overview,
    testing: Testing,
    gate: Verdict | None,
    charts: dict[str, dict[str, Any]],
) -> dict[str, Any]:
    shown_sections: list[sections.Section] = []
    for section in sections.sections(overview, testing, gate):
        for number, drawn in enumerate(section.figures):
            chart = f"{key}-{section.key}-{number}"
            try:
                kind, rows, about = drawn
                shown = figure(kind, rows, **about)
            except NdcgSqlError as error:
                section.lines.append(harmless(no_chart(error)))
                continue
            charts[chart] = chart_of(shown, overview.runs)
            # The page has named the dataset and its judgments.
            lines = [
                *shown.spec["title"]["subtitle"][1:],
                *left_out(shown, overview.runs, overview.baseline),
            ]
            section.charts.append(
                sections.Chart(chart, shown.title, shown.description, lines)
            )
        if section.charts or section.tables or section.key == "queries":
            shown_sections.append(section)
    return {
        "key": key,
        "dataset": harmless(overview.dataset),
        "judgment_set": harmless(overview.judgment_set),
        "loaded_at": overview.loaded_at,
        "attributes": [harmless(name) for name in overview.attributes],
        "measures": overview.measures,
        "measures_of_queries": overview.measures_of_queries,
        "runs": [harmless(run) for run in overview.runs],
        "baseline": harmless(overview.baseline or ""),
        "candidates": [harmless(run) for run in overview.candidates],
        "verdict": headline.verdict(overview, testing, gate),
        "tiles": headline.tiles(overview, testing, gate),
        "outcome": "" if gate is None else gate.outcome,
        "sections": shown_sections,
    }


@cache
def _file(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _script() -> str:
    files = "\n".join(_file(name) for name in ("page.js", "rankings.js", "queries.js"))
    return f'"use strict";\n(() => {{\n{files}}})();\n'


@cache
def _library() -> str:
    library = bundle()
    # In a script element, nothing may look like its end or like a comment.
    return library.replace("</script", r"<\/script").replace("<!--", r"<\!--")


def _policy(style: str, scripts: Sequence[str]) -> str:
    allowed = " ".join(_digest(script) for script in scripts)
    return (
        f"default-src 'none'; script-src {allowed}; style-src-elem {_digest(style)};"
        # Vega positions its marks by style attributes.
        " style-src-attr 'unsafe-inline'; img-src data:; base-uri 'none';"
        " form-action 'none'"
    )


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _json(content: object) -> Any:
    """Return content as JSON that cannot end the element that it is in."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return inline(text)


@cache
def _template() -> Any:
    """Return the template, compiled once for each version of it, if it can be kept."""
    with suppress(OSError, RuntimeError):
        return _environment(str(caches())).get_template("page.html")
    return _environment(None).get_template("page.html")


def _environment(folder: str | None) -> Any:
    jinja: Any = import_module("jinja2")
    compiled = folder and jinja.FileSystemBytecodeCache(folder, "%s.jinja")
    return jinja.Environment(
        loader=jinja.FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=jinja.StrictUndefined,
        keep_trailing_newline=True,
        bytecode_cache=compiled,
    )
