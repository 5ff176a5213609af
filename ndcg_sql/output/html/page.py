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

from ndcg_sql.comparison.letters import abbreviated
from ndcg_sql.comparison.significance import Testing, Verdict
from ndcg_sql.output.columns import signs
from ndcg_sql.output.comparison_tables import EFFECT
from ndcg_sql.output.figures import drawing
from ndcg_sql.output.html import facts
from ndcg_sql.output.html.sections import sections
from ndcg_sql.output.layout import cut
from ndcg_sql.output.templates import caches, inline, template
from ndcg_sql.output.writing import delivered
from ndcg_sql.reports.overview import FACETS, SCATTERS, SLICED, Overview
from ndcg_sql.system.files import temporary_folder
from ndcg_sql.text import chance, counted
from ndcg_sql.wording import use

_FOLDER = Path(__file__).parent


def write_page(
    warehouse: Path,
    file: Path,
    command: str,
    boards: Sequence[Overview],
    about: Mapping[str, Any],
) -> None:
    """Write the page of an answer, made by a command, as one file without others."""
    testing: Testing = about.get("testing", Testing())
    gate: Verdict | None = about.get("verdict")
    sign = signs(about)
    charts: dict[str, dict[str, Any]] = {}
    shown = [
        {
            "key": f"d{number}",
            "of": board,
            "sections": sections(f"d{number}", board, testing, gate, sign, charts),
            **facts.headline(board, testing, gate, sign(board.measures[0])),
        }
        for number, board in enumerate(boards)
    ]
    content = {
        "boards": {f"d{n}": facts.board(one, sign) for n, one in enumerate(boards)},
        "charts": charts,
        "config": drawing.spec("theme"),
    }
    style, library = _file("page.css"), _library()
    parts = map(_file, ("page.js", "rankings.js", "queries.js"))
    script = '"use strict";\n(() => {\n' + "\n".join(parts) + "})();\n"
    page = template(
        "page.html",
        abbreviated=abbreviated,
        chance=chance,
        counted=counted,
        cut=cut,
        exact=repr,
        how=facts.how,
        is_turned=facts.is_turned,
        slice_of=facts.slice_of,
    )
    text: str = page.render(
        command=command,
        version=version("ndcg-sql"),
        made_at=f"{datetime.now(timezone.utc):%Y-%m-%d %H:%M} UTC",
        policy=_policy(style, (library, script)),
        style=inline(style),
        library=inline(library),
        script=inline(script),
        data=_json(content),
        boards=shown,
        effect=EFFECT,
        most={"facets": FACETS, "scatters": SCATTERS, "sliced": SLICED},
        gate=gate,
    )
    with delivered(warehouse, file, shown=use(html=str(file))) as path:
        path.write_text(text, encoding="utf-8")


def _file(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


@cache
def _library() -> str:
    library = bundle()
    # In a script element, nothing may look like its end or like a comment.
    return library.replace("</script", r"<\/script").replace("<!--", r"<\!--")


def bundle() -> str:
    """Return Vega-Lite and what it needs as one script, which is slow to make: once."""
    name = f"vega-{version('vl-convert-python')}.js"
    with suppress(OSError, RuntimeError, UnicodeDecodeError):
        kept = (caches() / name).read_text(encoding="utf-8")
        digest, _, script = kept.partition("\n")
        if digest == _hexadecimal(script):
            return script
    script = _made()
    # A folder that cannot be written to, or found, only costs time.
    with suppress(OSError, RuntimeError), temporary_folder(caches()) as folder:
        # No other process sees half of it.
        new = folder / "bundle"
        new.write_text(f"{_hexadecimal(script)}\n{script}", encoding="utf-8")
        new.replace(caches() / name)
    return script


def _made() -> str:
    return import_module("vl_convert").javascript_bundle()


def _hexadecimal(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _policy(style: str, scripts: Sequence[str]) -> str:
    def digest(text: str) -> str:
        return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    allowed = " ".join(map(digest, scripts))
    return (
        f"default-src 'none'; script-src {allowed}; style-src-elem {digest(style)};"
        # Vega positions its marks by style attributes.
        " style-src-attr 'unsafe-inline'; img-src data:; base-uri 'none';"
        " form-action 'none'"
    )


def _json(content: object) -> Any:
    """Return content as JSON that cannot end the element that it is in."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return inline(text)
