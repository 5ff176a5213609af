"""Vega-Lite specs drawn as SVG, PNG and PDF by vl-convert.

Each drawing carries a mark, by which a later figure may replace its file.
"""

import zlib
from html import escape
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.output.writing import MARKS

MARK = MARKS["figure"]
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
        f"<metadata>{MARK}</metadata>"
    )
    return f"{drawn[:start]}{about}{drawn[start:]}\n"


def png(spec: dict[str, Any], scale: float) -> bytes:
    """Return a spec as PNG, at scale times 72 pixels per inch, as the file says."""
    drawn: bytes = _vl_convert().svg_to_png(plain_svg(spec), ppi=72 * scale)
    text = b"tEXtSoftware\0" + MARK.encode()
    chunk = (len(text) - 4).to_bytes(4, "big") + text
    chunk += zlib.crc32(text).to_bytes(4, "big")
    return drawn[:_PNG_HEAD] + chunk + drawn[_PNG_HEAD:]


def pdf(spec: dict[str, Any]) -> bytes:
    """Return a spec as PDF."""
    drawn: bytes = _vl_convert().svg_to_pdf(plain_svg(spec))
    return drawn.rstrip() + f"\n% {MARK}\n".encode()


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
