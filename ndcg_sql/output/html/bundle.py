"""The script that draws the charts of a page: Vega-Lite and what it needs.

vl-convert takes longer to make it than the rest of a page takes, so it is kept in
the user's folder for caches.
"""

import hashlib
import os
from contextlib import suppress
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

from ndcg_sql.system.folders import temporary_folder


def bundle() -> str:
    """Return Vega-Lite and what it needs as one script.

    It is made once for each version of vl-convert. A copy that is damaged, or
    cannot be kept, is made anew.
    """
    name = f"vega-{version('vl-convert-python')}.js"
    with suppress(OSError, RuntimeError, UnicodeDecodeError):
        kept = (caches() / name).read_text(encoding="utf-8")
        digest, _, script = kept.partition("\n")
        if digest == _digest(script):
            return script
    script = _made()
    # A folder that cannot be written to, or found, only costs time.
    with suppress(OSError, RuntimeError), temporary_folder(caches()) as folder:
        # No other process sees half of it.
        new = folder / "bundle"
        new.write_text(f"{_digest(script)}\n{script}", encoding="utf-8")
        new.replace(caches() / name)
    return script


def _made() -> str:
    return import_module("vl_convert").javascript_bundle()


def caches() -> Path:
    """Return the folder for what is made once; raise an error if there is none."""
    folder = Path(os.environ.get("XDG_CACHE_HOME", ""))
    # A relative folder is to be ignored, says the XDG Base Directory Specification.
    base = folder if folder.is_absolute() else Path.home() / ".cache"
    own = base / "ndcg-sql"
    own.mkdir(mode=0o700, parents=True, exist_ok=True)
    return own


def _digest(script: str) -> str:
    return hashlib.sha256(script.encode()).hexdigest()
