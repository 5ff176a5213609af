"""Pictures of the documentation that a browser takes, with the texts that they show.

Fonts differ from machine to machine, texts do not: they stand inside of the PNG file,
and a picture is current if they are those that the page shows now. With
NDCG_SQL_WRITE_FIGURES=1, the tests write the pictures anew.
"""

import json
import os
import re
import zlib
from collections.abc import Iterator

from support.pages import ROOT

IMAGES = ROOT / "docs" / "images"
_SIGNATURE, _HEAD = 8, 8 + 25
_KEY = b"Description\0"
_TIME = re.compile(r"\d{4}-\d\d-\d\d( \d\d:\d\d(:\d\d)?( UTC)?)?")


def check(name: str, drawn: bytes, shown: list[str]) -> None:
    """Fail unless the picture of that name shows these texts; times may differ."""
    texts = [_TIME.sub("2026-01-31", text) for text in shown]
    assert len(texts) > 3
    path = IMAGES / name
    if os.environ.get("NDCG_SQL_WRITE_FIGURES"):
        path.write_bytes(_described(drawn, json.dumps(texts).encode()))
    assert texts_of(path.read_bytes()) == texts, (
        f"docs/images/{name} is out of date; set NDCG_SQL_WRITE_FIGURES=1"
    )


def texts_of(picture: bytes) -> list[str]:
    """Return the texts that a picture shows, as it says itself."""
    [text] = [body for body in _chunks(picture) if body.startswith(b"tEXt" + _KEY)]
    return json.loads(text.removeprefix(b"tEXt" + _KEY))


def _described(picture: bytes, text: bytes) -> bytes:
    """Return a PNG file with a text in it."""
    body = b"tEXt" + _KEY + text
    chunk = (len(body) - 4).to_bytes(4, "big") + body
    chunk += zlib.crc32(body).to_bytes(4, "big")
    return picture[:_HEAD] + chunk + picture[_HEAD:]


def _chunks(picture: bytes) -> Iterator[bytes]:
    """Yield the parts of a PNG file, each with its type."""
    at = _SIGNATURE
    while at < len(picture):
        end = at + 8 + int.from_bytes(picture[at : at + 4], "big")
        yield picture[at + 4 : end]
        at = end + 4
