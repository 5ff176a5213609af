"""Names of measures: reading them, and the one canonical way to write them.

The notation is that of ir_measures (MacAvaney et al. 2022) with more
parameters: nDCG@10, P(rel=2)@5, nDCG(gains={1:3.5,2:9})@10. trec_eval's names
are understood too, and the spellings of other tools (sql/spellings.csv), with
the cutoff written as there: ndcg_at_10.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from types import MappingProxyType

from ndcg_sql.database import sql_files
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.measures.families import (
    Family,
    Value,
    families,
    loaded_family,
    read_value,
    written,
)
from ndcg_sql.measures.spellings import spelled, spellings
from ndcg_sql.text import NUMBER, closest, closest_of_any_case, listed, number, quoted
from ndcg_sql.wording import call

# Parameters in the order in which a canonical name prints them.
ORDER = (
    *("dcg", "base", "gains", "ideal", "ties", "rel", "judged_only", "known"),
    *("p", "T", "alpha", "beta", "min_rel", "max_rel", "a", "b", "c", "d", "docs"),
    *("relative", "normalize", "norm", "rounding", "tail", "by", "no_rel", "missing"),
)
CHOICES: dict[str, tuple[Value, ...]] = {
    "dcg": ("log2", "exp-log2", "jk", "exp-jk"),
    "ideal": ("judged", "retrieved", "topk", "uncut", "returned"),
    "ties": ("mean",),
    "known": ("keep", "omit"),
    "norm": ("min", "hits"),
    "no_rel": (0.0, 1.0, "omit"),
    "missing": (0.0, "omit"),
}
# Columns of the table measures whose names differ from their parameters', which
# mean something else in other relations or in SQL.
_COLUMNS = {"dcg": "dcg_kind", "ties": "tie_rule", "by": "by_attribute"}
# Families that need a cutoff sum as many terms, whatever a run returned.
_DEEPEST = 1_000_000
# Beyond these, (2^max_rel - 1) / 2^max_rel is 1 as a double, and so is recall.
_HIGHEST = 50
_HEAVIEST = 1_000_000
_HIGHEST_LEVEL = 1_000_000
_DEAREST = 1e15
# Below this, INST's probability of continuing may exceed 1.
_LEAST_WANT = 0.25
# The family of measures whose values another program computed.
LOADED = "loaded"
_NONE: Mapping[str, "Measure"] = MappingProxyType({})
# Sets of measures that trec_eval has a name for.
_SETS = ("official", "set", "all_trec")
BUILT_IN_SCHEMES = ("linear", "exp", "binary")

# What numbers must be, and how messages say it.
_LIMITS: dict[str, tuple[Callable[[float], bool], str]] = {
    "rel": (lambda x: x >= 0, "0 or more: a negative grade means not judged"),
    "p": (lambda x: 0 < x < 1, "above 0 and below 1"),
    "T": (lambda x: 0 < x <= _HEAVIEST, f"above 0 and at most {_HEAVIEST}"),
    "max_rel": (lambda x: x <= _HIGHEST, f"at most {_HIGHEST}"),
    "tail": (lambda x: 0 < x <= 1, "above 0 and at most 1"),
    "alpha": (lambda x: 0 <= x <= 1, "from 0 to 1"),
    "beta": (lambda x: 0 <= x <= _HEAVIEST, f"from 0 to {_HEAVIEST}"),
    "rounding": (lambda x: 0 <= x < 1, "0 or more and below 1"),
    **dict.fromkeys("abcd", (lambda x: abs(x) <= _DEAREST, "from -1e15 to 1e15")),
    "docs": (lambda x: 0 <= x <= _DEAREST and x == int(x), "an integer from 0 to 1e15"),
    "base": (lambda x: x > 1, "above 1"),
}
# Parameters that cannot be combined with a value of another one.
_APART: tuple[tuple[str, str, Value], ...] = (
    ("ties", "ideal", "topk"),
    ("ties", "judged_only", True),
    ("ties", "known", "omit"),
    ("gains", "dcg", "exp-log2"),
    ("gains", "dcg", "exp-jk"),
)

_NAME = re.compile(r"([A-Za-z0-9]\w*)(?:\((.*)\))?(?:@([^@()]*))?", re.DOTALL)
# A comma between measures; the others are in trec_eval's lists, such as P.5,10.
_BETWEEN = re.compile(r"(\s*,\s+|,(?=[A-Za-z])|,$|\s+)")
# A word as the value of a parameter that lacks its quotes.
_BARE = re.compile(r"=\s*(?!(?:true|false)\b)([A-Za-z][\w-]*)(?=\s*[,)])", re.I)
_PARAMETER = re.compile(
    rf"\s*([A-Za-z_]\w*)\s*=\s*({NUMBER}|'[^']*'|\"[^\"]*\"|[A-Za-z][\w-]*|\{{[^}}]*\}})\s*"
)


@dataclass(frozen=True)
class Measure:
    """A measure: a family, its cutoff (None: all) or level, and its parameters.

    Parameters of the family that were not given have their default, or None.
    Measures are equal whichever of their parameters were given.
    """

    family: Family
    cutoff: int | None = None
    level: float | None = None
    parameters: dict[str, Value | None] = field(default_factory=dict[str, Value | None])
    stated: frozenset[str] = field(default=frozenset(), compare=False)

    @property
    def name(self) -> str:
        """The canonical name: parsing it gives this measure back."""
        shown = [
            f"{key}={written(value)}"
            for key in ORDER
            if (value := self.parameters.get(key)) is not None
            and value != self.family.defaults.get(key)
        ]
        brackets = f"({','.join(shown)})" if shown else ""
        at = self.cutoff if self.level is None else self.level
        return (
            self.family.name + brackets + (f"@{written(at)}" if at is not None else "")
        )

    @property
    def takes_known_out(self) -> bool:
        """Whether documents that a query knows do not count, which takes rankings."""
        return self.parameters.get("known") == "omit"

    @property
    def reads_rankings(self) -> bool:
        """Whether its values depend on whole rankings, not only on hits."""
        return self.takes_known_out or self.family.reads_rankings

    @property
    def gain_rows(self) -> list[tuple[str, float, float]]:
        """The rows of the table gains for a map of gains."""
        gains = self.parameters.get("gains")
        if not isinstance(gains, dict):
            return []
        return [(written(gains), grade, gain) for grade, gain in gains.items()]

    @property
    def row(self) -> dict[str, float | str | bool | None]:
        """The row of the table measures, by column."""
        no_judgments = self.family.reads_rankings or self.family.is_loaded
        row: dict[str, float | str | bool | None] = {
            "measure": self.name,
            "family": LOADED if self.family.is_loaded else self.family.name,
            "cutoff": self.cutoff,
            "level": self.level,
            "summary": self.family.summary,
            "higher_is_better": self.family.highest_is_best,
            "reads_judgments": not no_judgments,
            "lower_is_better": self.family.lowest_is_best,
            "origin": self.family.source if self.family.is_loaded else None,
        }
        for key in ORDER:
            value = self.parameters.get(key)
            if isinstance(value, dict) or (
                key in ("no_rel", "missing") and isinstance(value, float)
            ):
                value = written(value)
            row[_COLUMNS.get(key, key.lower())] = value
        return row

    @property
    def trec_eval_name(self) -> str | None:
        """The name that trec_eval prints for the measure, if it has one."""
        for name, nickname in self.family.trec_eval.items():
            candidates = [name]
            if nickname.cutoffs and self.cutoff is not None:
                candidates.append(f"{name}_{self.cutoff}")
            if nickname.cutoffs and self.level is not None:
                candidates.append(f"{name}_{self.level:3.2f}")
            value = self.parameters.get(nickname.key or "")
            if isinstance(value, dict):
                gains = ",".join(f"{written(g)}={written(w)}" for g, w in value.items())
                candidates.append(f"{name}_{gains}")
            elif value is not None:
                key = "p=" if nickname.key == "p" else ""
                candidates.append(f"{name}_{key}{written(value)}")
            for candidate in candidates:
                if _trec_eval(candidate, str) == [self]:
                    return candidate
        return None

    @property
    def other_names(self) -> list[str]:
        """Every name by which the measure can be found, its canonical one first."""
        rest = self.name.removeprefix(self.family.name)
        names = [self.name, *(alias + rest for alias in self.family.aliases)]
        names += [name.lower() for name in names]
        names = [name for name in names if _means(name, self)]
        if trec_eval := self.trec_eval_name:
            names.append(trec_eval)
        return list(dict.fromkeys(names))


def _means(name: str, measure: Measure) -> bool:
    """Return whether a name is that of a measure, and of no other."""
    try:
        return _parse_one(name) == [measure]
    except NdcgSqlError:
        # In lower case it can be a malformed name of another family, such as rbp.
        return False


def parse(text: str, loaded: Mapping[str, Measure] = _NONE) -> list[Measure]:
    """Return the measures that a text names, between blanks or commas, each once.

    loaded are those whose values another program computed, by name. Raises NdcgSqlError
    for an unknown or malformed name.
    """
    return distinct(named(text, loaded))


def measure_called(name: str) -> Measure:
    """Return the measure of a name that an answer has; if not ours, it was loaded."""
    try:
        return _parse_one(name, hinting=False)[0]
    except NdcgSqlError:
        return Measure(loaded_family(name))


def distinct(measures: Iterable[Measure]) -> list[Measure]:
    """Return measures in their order, each once."""
    return list({measure.name: measure for measure in measures}.values())


def named(text: str, loaded: Mapping[str, Measure] = _NONE) -> list[Measure]:
    """Return the measures that a text names, as often as it names them.

    Raises NdcgSqlError for an unknown or malformed name.
    """
    names = split(text)
    if not names:
        raise NdcgSqlError("a measure is missing; name one, such as nDCG@10")
    return [
        measure
        for name in names
        for measure in ([loaded[name]] if name in loaded else _parse_one(name))
    ]


def split(text: str) -> list[str]:
    """Return the names of measures in a text, between blanks or commas."""
    names: list[str] = []
    depth = 0
    for part in _BETWEEN.split(text.strip()):
        if depth > 0:
            names[-1] += part
        elif part.strip(", \t\n\r\f\v"):
            names.append(part)
        depth += part.count("(") - part.count(")")
    return names


def _parse_one(text: str, hinting: bool = True) -> list[Measure]:
    """Return the measures of one name, several for some of trec_eval's names.

    hinting is whether a name that means nothing is compared with those that do.
    """
    match = _NAME.fullmatch(text)
    family = _family(match[1]) if match else None
    if match and family and (match[2] is not None or match[3] is not None):
        return [_measure(text, family, match[2], match[3])]
    exact = match and family and match[1] in (family.name, *family.aliases)
    # A family that needs a level means, without one, trec_eval's levels.
    if family and exact and not family.takes_level:
        return [_measure(text, family, None, None)]
    if elsewhere := spelled(text):
        return _parse_one(elsewhere, hinting)
    trec_eval = _trec_eval(text, str) or _trec_eval(text, str.lower)
    if trec_eval:
        return trec_eval
    if text in _SETS:
        rows = sql_files.rows("trec_eval/measures")
        members = [r["name"] for r in rows if text in r["sets"].split() and r["ours"]]
        return [m for name in members for m in _trec_eval(name, str)]
    if family:
        return [_measure(text, family, None, None)]
    names = [name for f in families().values() for name in (f.name, *f.aliases)]
    names += [name for f in families().values() for name in f.trec_eval]
    names += [*_SETS, *spellings()]
    name = re.split(r"[(@.]", text)[0]
    where = f"measure {quoted(text)}"
    if match or name not in names:
        names = list(dict.fromkeys(names))
        close: list[str] = []
        if hinting:
            # nDCG@10 is meant by nDCG10.
            apart = re.sub(r"[_-]?(\d+)$", r"@\1", text)
            close = _understood([apart] if apart != text and "@" not in text else [])
            close = close or closest(name, names) or closest_of_any_case(name, names)
        remedy = call("measures", families=True) + " shows all"
        if close:
            # The mistyped name may have parameters and a cutoff.
            rest = text[len(name) :]
            whole = _understood(other + rest for other in close) or close
            remedy = f"did you mean {listed(whole)}?"
        raise NdcgSqlError("unknown", remedy, where=where)
    raise NdcgSqlError("malformed", "write it like nDCG@10 or P(rel=2)@5", where=where)


def _choices(key: str) -> str:
    """Return the values that a parameter may have, as they are written."""
    return ", ".join(map(written, CHOICES[key]))


def _understood(names: Iterable[str]) -> list[str]:
    """Return those of some texts that are names of measures."""
    understood: list[str] = []
    for name in names:
        with suppress(NdcgSqlError):
            _parse_one(name, hinting=False)
            understood.append(name)
    return understood


def _family(name: str) -> Family | None:
    """Return the family of a name: exact, then trec_eval's, then ignoring case."""
    for family in families().values():
        if name == family.name or name in family.aliases:
            return family
    for family in families().values():
        if name in family.trec_eval:
            return family
    folded = [
        family
        for family in families().values()
        if name.lower() in {n.lower() for n in (family.name, *family.aliases)}
    ]
    return folded[0] if len(folded) == 1 else None


def _trec_eval(text: str, fold: Callable[[str], str]) -> list[Measure]:
    """Return the measures of trec_eval's notation: ndcg_cut.5,10, P_10, map.

    fold is applied to names before they are compared.
    """
    nicknames = [
        (fold(name), family, nickname)
        for family in families().values()
        for name, nickname in family.trec_eval.items()
    ]
    # The longest name first: ndcg_cut_10 is not ndcg with "cut_10".
    for name, family, nickname in sorted(nicknames, key=lambda n: -len(n[0])):
        brackets, cutoffs = nickname.brackets, nickname.cutoffs
        rest = text[len(name) + 1 :]
        if fold(text) != name:
            if not rest or not fold(text).startswith((name + ".", name + "_")):
                continue
            if nickname.key and rest.startswith(nickname.key + "="):
                brackets = rest
            elif nickname.key == "gains" and "=" in rest:
                brackets = f"gains={{{rest.replace('=', ':')}}}"
            elif nickname.key and nickname.key != "gains":
                keys, values = nickname.key.split(","), rest.split(",")
                if len(keys) != len(values):
                    continue
                pairs = zip(keys, values, strict=True)
                brackets = ",".join(f"{key}={value}" for key, value in pairs)
            elif cutoffs:
                cutoffs = tuple(rest.split(","))
            else:
                continue
        return [_measure(text, family, brackets, k) for k in cutoffs or (None,)]
    return []


def _measure(
    text: str, family: Family, brackets: str | None, cutoff: str | None
) -> Measure:
    """Return a measure; check every parameter of it."""

    def refuse(reason: str) -> NdcgSqlError:
        return NdcgSqlError(f"measure {quoted(text)}: {reason}")

    k: int | None = None
    level: float | None = None
    if family.takes_level:
        level = number(cutoff or "")
        if level is None or not 0 <= level <= _HIGHEST_LEVEL:
            raise refuse(
                f"{family.name} needs a number from 0 to {_HIGHEST_LEVEL} after the @;"
                f" write it like {family.example}"
            )
        level += 0  # A negative zero becomes a plain one.
    elif cutoff is not None and not family.takes_cutoff:
        raise refuse(f"{family.name} takes no cutoff; write it like {family.example}")
    elif cutoff is not None:
        if not re.fullmatch(r"0*[1-9][0-9]{0,8}", cutoff):
            raise refuse(
                f"cutoff {quoted(cutoff)} is not an integer from 1 to 999999999"
                + ("; name each measure: nDCG@5, nDCG@10" if "," in cutoff else "")
            )
        k = int(cutoff)
    parameters: dict[str, Value] = {}
    rest = brackets or ""
    while rest.strip():
        match = _PARAMETER.match(rest)
        if not match:
            raise refuse(f"{quoted(rest.strip())} is not key=value")
        key = match[1]
        if key not in family.defaults:
            takes = ", ".join(family.defaults) or "none"
            raise refuse(
                f"{family.name} takes no parameter {quoted(key)}; it takes {takes}"
            )
        if key in parameters:
            raise refuse(f"{key} is given twice")
        try:
            parameters[key] = read_value(match[2])
        except ValueError as error:
            way = f"; it must be one of {_choices(key)}" if key in CHOICES else ""
            # nDCG(known='omit') is meant by nDCG(known=omit).
            in_quotes = _BARE.sub(r"='\1'", text)
            if in_quotes != text and _understood([in_quotes]):
                way = f"; did you mean {listed([in_quotes])}?"
            raise refuse(f"{key}: {error}{way}") from None
        rest = rest[match.end() :]
        if rest and not rest.startswith(","):
            raise refuse(f"a comma is missing before {quoted(rest)}")
        if rest.startswith(",") and not rest[1:].strip():
            raise refuse("a parameter is missing after the last comma")
        rest = rest[1:]
    for key in family.required:
        if key not in parameters and (key != "cutoff" or k is None):
            raise refuse(f"a {key} is missing; write it like {family.example}")
    if "cutoff" in family.required and (k or 0) > _DEEPEST:
        raise refuse(f"cutoff {k} is above {_DEEPEST}")
    _check(parameters, refuse)
    wanted = parameters.get("T")
    if family.name == "INST" and isinstance(wanted, float) and wanted < _LEAST_WANT:
        raise refuse(f"T must be {_LEAST_WANT} or more for INST")
    goes_on = parameters.get("beta")
    if family.name in ("NRBP", "nNRBP") and isinstance(goes_on, float) and goes_on >= 1:
        raise refuse(f"beta must be 0 or more and below 1 for {family.name}")
    stated = frozenset(parameters)
    if parameters.get("gains") == {}:
        del parameters["gains"]  # A map of each grade to itself changes nothing.
    if family.name == "nDCG" and parameters.get("dcg", "log2") in ("log2", "exp-log2"):
        parameters.pop("base", None)  # The base cancels in nDCG.
    return Measure(family, k, level, {**family.defaults, **parameters}, stated)


def _check(parameters: dict[str, Value], refuse: Callable[[str], NdcgSqlError]) -> None:
    """Raise what refuse returns for a value that is not allowed."""
    for key, value in parameters.items():
        if key in CHOICES:
            if isinstance(value, bool) or value not in CHOICES[key]:
                raise refuse(f"{key} must be one of {_choices(key)}")
        elif key == "gains":
            if not isinstance(value, (dict, str)) or value == "":
                raise refuse("gains must be a map like {1:3.5,2:9}, or a scheme's name")
        elif key in ("judged_only", "relative", "normalize"):
            if not isinstance(value, bool):
                raise refuse(f"{key} must be true or false")
        elif key == "by":
            if not isinstance(value, str) or not value or "'" in value:
                raise refuse("by must be the name of an attribute, such as 'category'")
        elif isinstance(value, (bool, str, dict)) or not math.isfinite(value):
            raise refuse(f"{key} must be a number")
        elif key in _LIMITS and not _LIMITS[key][0](value):
            raise refuse(f"{key} must be {_LIMITS[key][1]}")
    lowest, highest = parameters.get("min_rel", 0.0), parameters.get("max_rel")
    if isinstance(lowest, float) and isinstance(highest, float) and lowest >= highest:
        raise refuse("max_rel must be above min_rel, which is 0 by default")
    for key, other, value in _APART:
        if key in parameters and parameters.get(other) == value:
            raise refuse(
                f"{key}{'=' + written(parameters[key]) if key == 'ties' else ''} cannot"
                f" be combined with {other}={written(value)}"
            )
