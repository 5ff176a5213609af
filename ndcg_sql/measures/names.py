"""Names of measures: reading them, and the one canonical way to write them.

The notation is that of ir_measures (MacAvaney et al. 2022) with more
parameters: nDCG@10, P(rel=2)@5, nDCG(gains={1:3.5,2:9})@10. trec_eval's names
are understood too, and the spellings of other tools (sql/spellings.csv), with
the cutoff written as there: ndcg_at_10.
"""

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
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
from ndcg_sql.text import NUMBER, closest, closest_of_any_case, listed, number, quoted
from ndcg_sql.wording import call

# Parameters of measures, of all families or of one, in the order in which a canonical
# name prints them: their columns in the table measures, and what values they may have.
_PARAMETERS = {row["parameter"]: row for row in sql_files.rows("parameters")}
ORDER = tuple(name for name in _PARAMETERS if "." not in name)
CHOICES: dict[str, tuple[Value, ...]] = {
    name: tuple(map(read_value, row["allowed"].split()))
    for name, row in _PARAMETERS.items()
    if row["kind"] == "choice"
}
# Families that need a cutoff sum as many terms, whatever a run returned; and what else
# has a bound.
_MOST = 1_000_000
# The family of measures whose values another program computed.
LOADED = "loaded"
_NONE: Mapping[str, "Measure"] = MappingProxyType({})
# Sets of measures that trec_eval has a name for.
_SETS = ("official", "set", "all_trec")
BUILT_IN_SCHEMES = ("linear", "exp", "binary")

# How other tools spell the names of measures.
_SPELLED = re.compile(r"([A-Za-z][\w-]*)(?:\((.*)\))?(?:@([^@()]*))?", re.DOTALL)
_AT = re.compile(r"([A-Za-z][\w-]*)_at_([0-9]+)")
_NAME = re.compile(r"([A-Za-z0-9]\w*)(?:\((.*)\))?(?:@([^@()]*))?", re.DOTALL)
# A comma between measures; the others are in trec_eval's lists, such as P.5,10.
_BETWEEN = re.compile(r"(\s*,\s+|,(?=[A-Za-z])|,$|\s+)")
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
        cutoff = f"@{written(at)}" if at is not None else ""
        return self.family.name + brackets + cutoff

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
        family = self.family
        row: dict[str, float | str | bool | None] = {
            "measure": self.name,
            "family": LOADED if family.is_loaded else family.name,
            "cutoff": self.cutoff,
            "level": self.level,
            "summary": family.summary,
            "higher_is_better": family.highest_is_best,
            "reads_judgments": not (family.reads_rankings or family.is_loaded),
            "lower_is_better": family.lowest_is_best,
            "origin": family.source if family.is_loaded else None,
        }
        for key in ORDER:
            value = self.parameters.get(key)
            if isinstance(value, dict) or (
                key in ("no_rel", "missing") and isinstance(value, float)
            ):
                value = written(value)
            row[_PARAMETERS[key]["column"] or key.lower()] = value
        return row

    @property
    def trec_eval_name(self) -> str | None:
        """The name that trec_eval prints for the measure, if it has one."""
        for name, nickname in self.family.trec_eval.items():
            ends = [""]
            if nickname.cutoffs and self.cutoff is not None:
                ends.append(f"_{self.cutoff}")
            if nickname.cutoffs and self.level is not None:
                ends.append(f"_{self.level:3.2f}")
            value = self.parameters.get(nickname.key or "")
            if isinstance(value, dict):
                pairs = (f"{written(g)}={written(w)}" for g, w in value.items())
                ends.append("_" + ",".join(pairs))
            elif value is not None:
                ends.append(f"_{'p=' * (nickname.key == 'p')}{written(value)}")
            for end in ends:
                if _trec_eval(name + end, str) == [self]:
                    return name + end
        return None

    @property
    def other_names(self) -> list[str]:
        """Every name by which the measure can be found, its canonical one first."""
        rest = self.name.removeprefix(self.family.name)
        names = [self.name, *(alias + rest for alias in self.family.aliases)]
        # In lower case it can be a malformed name of another family, such as rbp.
        names = _understood([*names, *(name.lower() for name in names)])
        names = [name for name in names if _parse_one(name) == [self]]
        names += [self.trec_eval_name] if self.trec_eval_name else []
        return list(dict.fromkeys(names))


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
        for measure in (
            [loaded[name]] if name in loaded else _parse_one(name, others=loaded)
        )
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


@cache
def spellings() -> dict[str, str]:
    """Return the measure that each spelling of another tool means."""
    return {row["spelling"]: row["measure"] for row in sql_files.rows("spellings")}


def spelled(text: str) -> str | None:
    """Return the name of a measure that another tool spells differently, if any.

    Case is ignored, and hyphens are underscores. ndcg_at_10 is ndcg@10.
    """
    if at := _AT.fullmatch(text):
        return f"{at[1]}@{at[2]}"
    match = _SPELLED.fullmatch(text)
    measure = match and spellings().get(match[1].lower().replace("-", "_"))
    if not match or not measure:
        return None
    name, _, fixed = measure.rstrip(")").partition("(")
    parameters = ",".join(part for part in (fixed, match[2]) if part)
    brackets = f"({parameters})" if parameters else ""
    return name + brackets + (f"@{match[3]}" if match[3] is not None else "")


def _parse_one(
    text: str, hinting: bool = True, others: Collection[str] = ()
) -> list[Measure]:
    """Return the measures of one name, several for some of trec_eval's names.

    hinting is whether a name that means nothing is compared with those that do, and
    with others.
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
    where = f"measure {quoted(text)}"
    if not match and _family(re.split(r"[(@.]", text)[0]):
        remedy = "write it like nDCG@10 or P(rel=2)@5"
        raise NdcgSqlError("malformed", remedy, where=where)
    close = (closest(text, others) or _closest(text)) if hinting else []
    all_of_them = call("measures", families=True) + " shows all"
    remedy = f"did you mean {listed(close)}?" if close else all_of_them
    raise NdcgSqlError("unknown", remedy, where=where)


def _closest(text: str) -> list[str]:
    """Return the names that are nearest to one that means nothing, if any is near."""
    every = families().values()
    names = [name for f in every for name in (f.name, *f.aliases)]
    names += [*(name for f in every for name in f.trec_eval), *_SETS, *spellings()]
    names = list(dict.fromkeys(names))
    # nDCG@10 is meant by nDCG10; else the name may have parameters and a cutoff.
    apart = re.sub(r"[_-]?(\d+)$", r"@\1", text)
    if apart != text and "@" not in text and (close := _understood([apart])):
        return close
    name = re.split(r"[(@.]", text)[0]
    close = closest(name, names) or closest_of_any_case(name, names)
    return _understood(other + text[len(name) :] for other in close) or close


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
    every = families().values()
    exact = [f for f in every if name in (f.name, *f.aliases)]
    if exact := exact or [f for f in every if name in f.trec_eval]:
        return exact[0]
    folded = [
        f for f in every if name.lower() in {n.lower() for n in (f.name, *f.aliases)}
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
        if level is None or not 0 <= level <= _MOST:
            raise refuse(
                f"{family.name} needs a number from 0 to {_MOST} after the @;"
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
            if match[2] in CHOICES.get(key, ()) or key == "by":
                way = f"; write {key}='{match[2]}'"
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
    if "cutoff" in family.required and (k or 0) > _MOST:
        raise refuse(f"cutoff {k} is above {_MOST}")
    _check(family.name, parameters, refuse)
    stated = frozenset(parameters)
    if parameters.get("gains") == {}:
        del parameters["gains"]  # A map of each grade to itself changes nothing.
    if family.name == "nDCG" and parameters.get("dcg", "log2") in ("log2", "exp-log2"):
        parameters.pop("base", None)  # The base cancels in nDCG.
    return Measure(family, k, level, {**family.defaults, **parameters}, stated)


def _check(
    family: str, parameters: dict[str, Value], refuse: Callable[[str], NdcgSqlError]
) -> None:
    """Raise what refuse returns for a value that is not allowed."""
    for key, value in parameters.items():
        for name in {key, f"{family}.{key}"} & _PARAMETERS.keys():
            row = _PARAMETERS[name]
            if not _is_allowed(value, name, row["kind"], row["allowed"]):
                is_other = (
                    row["kind"] in ("number", "integer") and _as_number(value) is None
                )
                words = "a number" if is_other else row["words"]
                raise refuse(f"{key} must be {words or 'one of ' + _choices(key)}")
        for other, text in re.findall(r"(\w+)=(\S+)", _PARAMETERS[key]["not_with"]):
            if parameters.get(other) == read_value(text):
                raise refuse(f"{key} cannot be combined with {other}={text}")
    lowest, highest = parameters.get("min_rel", 0.0), parameters.get("max_rel")
    if isinstance(lowest, float) and isinstance(highest, float) and lowest >= highest:
        raise refuse("max_rel must be above min_rel, which is 0 by default")


def _as_number(value: Value) -> float | None:
    if isinstance(value, (bool, str, dict)) or not math.isfinite(value):
        return None
    return value


def _is_allowed(value: Value, name: str, kind: str, allowed: str) -> bool:
    """Return whether a parameter may have a value; those of numbers are intervals."""
    if kind == "choice":
        return not isinstance(value, bool) and value in CHOICES[name]
    if kind == "flag":
        return isinstance(value, bool)
    if kind == "name":
        return isinstance(value, str) and value != "" and "'" not in value
    if kind == "gains":
        return isinstance(value, (dict, str)) and value != ""
    number = _as_number(value)
    if number is None:
        return False
    low, high = map(float, allowed[1:-1].split(","))
    is_above = number > low or (number == low and allowed[0] == "[")
    is_below = number < high or (number == high and allowed[-1] == "]")
    return is_above and is_below and (kind == "number" or number == int(number))
