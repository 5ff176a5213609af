"""Vega-Lite specs drawn by vl-convert, as SVG, PNG and PDF, and written to files.

Each drawing carries a mark, by which a later figure may replace its file.
"""

import csv
import io
import zlib
from html import escape
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ndcg_sql.comparison.answers import Rows
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.output.writing import FIGURE, delivered, write_data
from ndcg_sql.system.files import check_target, is_foreign
from ndcg_sql.text import harmless
from ndcg_sql.wording import named, use

# The signature and the first chunk (header) of a PNG file.
_PNG_HEAD = 8 + 25


def check_installed() -> None:
    """Raise NdcgSqlError if figures cannot be drawn."""
    if find_spec("vl_convert") is None:
        raise NdcgSqlError("figures need vl-convert: pip install 'ndcg-sql[figures]'")


def _vl_convert() -> Any:
    check_installed()
    return import_module("vl_convert")


def svg(spec: dict[str, Any], title: str, description: str) -> str:
    """Return a spec as SVG with a title and a description."""
    drawn = plain_svg(spec)
    start = drawn.index(">") + 1
    about = (
        f"<title>{escape(title)}</title><desc>{escape(description)}</desc>"
        f"<metadata>{FIGURE}</metadata>"
    )
    return f"{drawn[:start]}{about}{drawn[start:]}\n"


def png(spec: dict[str, Any], scale: float) -> bytes:
    """Return a spec as PNG, at scale times 72 pixels per inch, as the file says."""
    drawn: bytes = _vl_convert().svg_to_png(plain_svg(spec), ppi=72 * scale)
    text = b"tEXtSoftware\0" + FIGURE.encode()
    chunk = (len(text) - 4).to_bytes(4, "big") + text
    chunk += zlib.crc32(text).to_bytes(4, "big")
    return drawn[:_PNG_HEAD] + chunk + drawn[_PNG_HEAD:]


def pdf(spec: dict[str, Any]) -> bytes:
    """Return a spec as PDF."""
    drawn: bytes = _vl_convert().svg_to_pdf(plain_svg(spec))
    return drawn.rstrip() + f"\n% {FIGURE}\n".encode()


def plain_svg(spec: dict[str, Any]) -> str:
    """Return a spec as SVG; nothing is ever read from an address.

    Raises NdcgSqlError where Vega fails, which it only reports on standard error.
    """
    drawn: str = _vl_convert().vegalite_to_svg(
        spec, vl_version="6.4", allowed_base_urls=[]
    )
    if "<text" not in drawn:
        raise NdcgSqlError("the figure could not be drawn; please report it")
    return drawn


def write(
    warehouse: Path, path: Path, content: bytes, data: Rows | None, force: bool
) -> list[Path]:
    """Write a figure, and rows as CSV if they are given; return the files."""
    beside = path.with_suffix(".csv")
    if data is not None:
        shown = named("data") + f": {harmless(str(beside))}"
        check_target(beside, shown)
        head = io.StringIO()
        csv.writer(head, lineterminator="\n").writerow(data.columns)
        # Rows of another figure have other columns.
        if not force and is_foreign(beside, head.getvalue(), shown):
            raise NdcgSqlError(
                "exists and is not the data of such a figure",
                "move it, or replace it with " + use(force=True),
                where=shown,
            )
    with delivered(warehouse, path) as new:
        new.write_bytes(content)
    if data is None:
        return [path]
    write_data(data, "csv", beside, warehouse)
    return [path, beside]
