"""Rules of a gate in a TOML file, which can be kept with the code that they guard."""

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from ndcg_sql.analysis.gating import Drop
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.text import harmless, nearest, quoted

# The module of the standard library, or its predecessor.
toml: Any = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")

Check = Callable[[Any], bool]


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_whole(value: Any) -> bool:
    # TOML distinguishes true from 1, Python does not; TOML's integers have 64 bits.
    is_int = isinstance(value, int) and not isinstance(value, bool)
    return is_int and abs(value) < 1 << 63


def _is_number(value: Any) -> bool:
    return isinstance(value, float) or _is_whole(value)


def _is_switch(value: Any) -> bool:
    return isinstance(value, bool)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, cast("list[Any]", value)))


def _are(fits: Check) -> Check:
    """Return the check that every value of a table fits."""
    return lambda value: (
        isinstance(value, dict)
        and all(map(fits, cast("dict[str, Any]", value).values()))
    )


def _is_drop(value: Any) -> bool:
    return _is_number(value) or (_is_text(value) and Drop.read(value) is not None)


_TEXT = ("text", _is_text)
_TEXTS = ("a list of text", _are_texts)
_NUMBER = ("a number", _is_number)
_NUMBERS = ("a table of numbers", _are(_is_number))
_DROP = ('a number or a percentage such as "5%"', _is_drop)
_DROPS = ("a table of numbers or percentages", _are(_is_drop))
_WHOLE = ("an integer", _is_whole)
# The keys of a file, named as the options, with the type of each value.
_KEYS: dict[str, tuple[str, Check]] = {
    "baseline": _TEXT,
    "candidate": _TEXT,
    "measure": _TEXTS,
    "judgments": _TEXT,
    "dataset": _TEXT,
    "by": _TEXTS,
    "max-drop": _DROP,
    "max-drop-in": _DROPS,
    "min": _NUMBERS,
    "strict": ("true or false", _is_switch),
    "underpowered": _TEXT,
    "test": _TEXT,
    "correct": _TEXT,
    "alpha": _NUMBER,
    "resamples": _WHOLE,
    "seed": _WHOLE,
}


def read_rules(path: Path) -> dict[str, Any]:
    """Return the rules in a file by key; raise NdcgSqlError for one that is wrong."""
    shown = harmless(str(path))
    try:
        with path.open("rb") as file:
            found: dict[str, Any] = toml.load(file)
    except OSError as error:
        raise NdcgSqlError(f"--config {shown}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        # The file is not TOML, or not UTF-8.
        reason = harmless(str(error).splitlines()[0])
        raise NdcgSqlError(f"{shown}: not TOML: {reason}") from None
    for key, value in found.items():
        if key not in _KEYS:
            hint = nearest(key, _KEYS) or f"known: {', '.join(_KEYS)}"
            raise NdcgSqlError(f"{shown}: no rule is called {quoted(key)}; {hint}")
        kind, fits = _KEYS[key]
        if not fits(value):
            raise NdcgSqlError(f"{shown}: {key} is not {kind}")
    return found
