"""Fuse runs with ranx and print how many documents the result has.

    python ranx_fused.py METHOD NORM RUN...

METHOD and NORM are ranx's names; NORM may be none. A METHOD of read fuses nothing.
"""

import sys
from typing import Any

import ranx  # pyright: ignore[reportMissingTypeStubs]

RANX: Any = ranx


def main() -> None:
    """Read the runs, fuse them and count the documents."""
    method, norm, *paths = sys.argv[1:]
    runs = [RANX.Run.from_file(path, kind="trec") for path in paths]
    if method == "read":
        return
    params = {"weights": tuple(1.0 for _ in runs)} if method == "wsum" else None
    fused = RANX.fuse(runs, None if norm == "none" else norm, method, params)
    print(sum(len(documents) for documents in fused.run.values()))


if __name__ == "__main__":
    main()
