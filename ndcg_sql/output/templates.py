"""Templates of pages, of JUnit files and of what a notebook shows."""

from collections.abc import Callable
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
    environment = jinja.Environment(
        loader=jinja.FileSystemLoader([_FOLDER, _FOLDER / "html"]),
        autoescape=True,
        undefined=jinja.StrictUndefined,
        keep_trailing_newline=True,
        finalize=finalize,
    )
    environment.filters |= functions
    return environment.get_template(name)


def inline(html: str) -> Any:
    """Return HTML, a style, a script or JSON that a template leaves as it is."""
    return import_module("markupsafe").Markup(html)
