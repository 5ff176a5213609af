"""Templates of pages, of JUnit files and of what a notebook shows."""

import os
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from ndcg_sql.text import harmless

_FOLDER = Path(__file__).parent


def without_controls(value: object) -> object:
    """Return what a template writes, with control characters written out."""
    # What is HTML already is a kind of text of its own.
    return harmless(value) if type(value) is str else value


def template(
    name: str,
    finalize: Callable[[object], object] = without_controls,
    **functions: Callable[..., object],
) -> Any:
    """Return a template, which escapes what it writes; functions are its filters."""
    jinja: Any = import_module("jinja2")
    compiled = None
    with suppress(OSError, RuntimeError):
        compiled = jinja.FileSystemBytecodeCache(str(caches()), "%s.jinja")
    environment = jinja.Environment(
        loader=jinja.FileSystemLoader([_FOLDER, _FOLDER / "html"]),
        autoescape=True,
        undefined=jinja.StrictUndefined,
        keep_trailing_newline=True,
        bytecode_cache=compiled,
        finalize=finalize,
    )
    environment.filters |= functions
    try:
        return environment.get_template(name)
    except OSError:
        environment.bytecode_cache = None
        return environment.get_template(name)


def inline(html: str) -> Any:
    """Return HTML, a style, a script or JSON that a template leaves as it is."""
    return import_module("markupsafe").Markup(html)


def caches() -> Path:
    """Return the folder for what is made once; raise an error if there is none."""
    folder = Path(os.environ.get("XDG_CACHE_HOME", ""))
    # A relative folder is to be ignored, says the XDG Base Directory Specification.
    base = folder if folder.is_absolute() else Path.home() / ".cache"
    own = base / "ndcg-sql"
    own.mkdir(mode=0o700, parents=True, exist_ok=True)
    return own
