"""Faulty lines and files that cannot be read: each fault is named."""

import gzip
from pathlib import Path

import pytest

from support.commands import Command
from support.files import RUN, in_folder
from support.scripts import scripted

test_script = scripted(__file__)


def flipped(data: bytes, place: int) -> bytes:
    """Return data with one bit turned over."""
    return data[:place] + bytes([data[place] ^ 0x10]) + data[place + 1 :]


PACKED = gzip.compress(RUN.encode(), mtime=0)
END = "Compressed file ended before the end-of-stream marker was reached"
CHECKSUMS = (
    int.from_bytes(flipped(PACKED, len(PACKED) - 6)[-8:-4], "little"),
    int.from_bytes(PACKED[-8:-4], "little"),
)
# Damaged gzip files, and the reason of the library.
DAMAGED = {
    "cut": (PACKED[:-12], END),
    "checksum": (
        flipped(PACKED, len(PACKED) - 6),
        "CRC check failed {} != {}".format(*CHECKSUMS),
    ),
    "length": (flipped(PACKED, len(PACKED) - 3), "Incorrect length of data produced"),
    "more": (PACKED + b"more", END),
    "much more": (PACKED + 20 * b"more", "Not a gzipped file (b'mo')"),
}


@pytest.mark.usefixtures("loaded")
def test_damaged_gzip_is_refused_with_the_reason(ndcg: Command) -> None:
    for case, (content, reason) in DAMAGED.items():
        Path("r.gz").write_bytes(content)
        assert ndcg("load", "run", "r.gz").refusal == (
            f"r.gz: the gzip file is damaged or cut short ({reason});"
            " fetch or compress it again\n"
        ), case
        assert in_folder(Path()) == ["ndcg.duckdb", "r.gz"]
