"""trec_eval's measures in the order in which it prints them, and our equivalents."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from ndcg_sql.database import sql_files
from ndcg_sql.errors import ExitError, NdcgSqlError
from ndcg_sql.measures.families import families, written
from ndcg_sql.measures.names import Measure, parse
from ndcg_sql.text import number, quoted
from ndcg_sql.wording import Text, Wording

# Measures that take a persistence instead of gains.
_BIASED = ("rbp", "rbp_resid")


@dataclass(frozen=True)
class Entry:
    """A measure of trec_eval: a row of sql/trec_eval/measures.csv.

    parameters is the kind of its parameters: cutoffs, levels, numbers, pairs, or none.
    If needs, another measure of ours, is 0, the value is 0.
    """

    name: str
    sets: list[str]
    printed: list[str]
    parameters: str
    defaults: str
    ours: str
    needs: str
    meaning: str


@dataclass(frozen=True)
class Line:
    """A printed line: its name, and our measures whose mean is its value.

    Without measures, the value comes from elsewhere. If needs is 0, the value is
    0. length is that of a text.
    """

    entry: Entry
    name: str
    measures: tuple[Measure, ...] = ()
    needs: Measure | None = None
    length: int = 0

    @property
    def summary(self) -> str:
        """How the values of queries are combined."""
        if self.measures:
            return self.measures[0].family.summary
        return "sum" if self.is_("count") else "mean"

    def is_(self, property_: str) -> bool:
        """Return whether it has a property: count, text, queries or summary."""
        return property_ in self.entry.printed


@dataclass(frozen=True)
class Common:
    """The options that concern every measure: -l, -N, --compat."""

    rel: int = 1
    docs: int = 0
    compat: int = 10


@cache
def catalog() -> list[Entry]:
    """Return every measure of trec_eval, in its order."""
    entries: list[Entry] = []
    for row in sql_files.rows("trec_eval/measures"):
        fields: dict[str, Any] = {**row}
        fields |= {name: row[name].split() for name in ("sets", "printed")}
        entries.append(Entry(**fields))
    return entries


def lines(entry: Entry, parameters: str | None, common: Common) -> list[Line]:
    """Return the lines that a measure prints; raise ExitError for bad parameters."""
    text = entry.defaults if parameters is None else parameters
    items = text.split(",") if text else []

    def refuse(reason: Wording) -> ExitError:
        return ExitError(Text(f"-m {entry.name}.{parameters}: ", reason), 2)

    if entry.parameters in ("cutoffs", "levels"):
        is_cutoff = entry.parameters == "cutoffs"
        points = sorted({(_cutoff if is_cutoff else _number)(i, refuse) for i in items})
        if len(points) < len(items):
            raise refuse(f"a {'cutoff' if is_cutoff else 'level'} is named twice")
        return [
            Line(
                entry,
                f"{entry.name}_{point if is_cutoff else f'{point:3.2f}'}",
                _ours(entry, common, refuse, at=written(point)),
            )
            for point in points
        ]
    name = entry.name
    if parameters is not None and entry.parameters:
        name += f"_{parameters}"
    if entry.parameters == "numbers":
        values = [_number(item, refuse) for item in items]
        if entry.name == "relstring":
            return [Line(entry, name, length=max(0, int(values[0])))]
        if entry.name == "11pt_avg":
            points = [_ours(entry, common, refuse, at=written(v)) for v in values]
            return [Line(entry, name, tuple(m for point in points for m in point))]
        keys = ("beta",) if entry.name == "set_F" else ("a", "b", "c", "d")
        if len(values) != len(keys) and entry.name == "utility":
            reason = "four numbers are needed, as in utility.1,-1,0,0"
            raise ExitError(refuse(reason).message, 4)
        named = {key: written(v) for key, v in zip(keys, values, strict=False)}
        return [Line(entry, name, _ours(entry, common, refuse, named))]
    pairs: dict[str, str] = {}
    for item in items if entry.parameters == "pairs" else []:
        key, equals, value = item.partition("=")
        if not equals or "=" in value:
            raise refuse(f"{quoted(item)} is not level=gain, as in ndcg.1=3,2=9")
        if not re.fullmatch(r"[+-]?[0-9]+", key) and not (
            key == "p" and entry.name in _BIASED
        ):
            raise refuse(f"{quoted(key)} is not a level")
        # Of two gains for one level, the first counts, as upstream.
        pairs.setdefault(key, written(_number(value, refuse)))
    needed = parse(f"{entry.needs}(rel={common.rel})") if entry.needs else [None]
    return [Line(entry, name, _ours(entry, common, refuse, pairs), needed[0])]


def _ours(
    entry: Entry,
    common: Common,
    refuse: Callable[[Wording], ExitError],
    named: dict[str, str] | None = None,
    at: str = "",
) -> tuple[Measure, ...]:
    """Return our measures with the values of a trec_eval measure."""
    if not entry.ours:
        return ()
    family, _, inner = entry.ours.rstrip(")").partition("(")
    defaults = families()[family].defaults
    parameters = dict(pair.split("=") for pair in inner.split(",") if pair)
    named = dict(named or {})
    gains = {
        level: named.pop(level)
        for level in list(named)
        if re.fullmatch(r"[+-]?[0-9]+", level)
    }
    if gains and "gains" in defaults:
        pairs = ",".join(f"{level}:{gain}" for level, gain in gains.items())
        parameters["gains"] = f"{{{pairs}}}"
    elif gains:
        raise refuse(f"{entry.name} takes only p")
    parameters |= {key: value for key, value in named.items() if key in defaults}
    # Gains do not depend on the relevance level, and neither do some counts.
    if "dcg" not in defaults and (defaults.get("rel") is not None or "rel=" in inner):
        parameters["rel"] = str(common.rel)
    if common.compat == 9 and "rounding" in defaults:
        parameters["rounding"] = "0.9"
    if "docs" in defaults:
        parameters["docs"] = str(common.docs)
    brackets = ",".join(f"{key}={value}" for key, value in parameters.items())
    text = f"{family}({brackets})" + (f"@{at}" if at else "")
    try:
        return tuple(parse(text))
    except NdcgSqlError as error:
        raise refuse(error.message) from None


def _cutoff(text: str, refuse: Callable[[Wording], ExitError]) -> int:
    """Return a cutoff; a fraction is cut off, as upstream."""
    digits = re.fullmatch(r"\s*\+?([0-9]{1,9})(?:\.[0-9]*)?\s*", text)
    if not digits or int(digits[1]) < 1:
        raise refuse(f"{quoted(text)} is not a cutoff of 1 or more")
    return int(digits[1])


def _number(text: str, refuse: Callable[[Wording], ExitError]) -> float:
    """Return a number."""
    value = number(text)
    if value is None:
        raise refuse(f"{quoted(text)} is not a number")
    return value + 0
