"""Conventions: measures and positions as in other systems.

sql/systems.csv has a row for each system and family of measures. A row for
every family (*) comes first; rows of single families add to it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from ndcg_sql.database import sql_files
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.measures.names import Measure, distinct, named, split, written
from ndcg_sql.text import nearest
from ndcg_sql.wording import use

DEFAULT = "nDCG@10"
_EVERY = "*"
_NAME = re.compile(r"(\w+)(?:\((.*)\))?(@.*)?")
# Other names of systems.
_ALIASES = {"scikit_learn": "sklearn", "llama_index": "llamaindex"}
# Both define gains: if one was given, the other is not added.
_RIVALS = {"dcg": "gains", "gains": "dcg"}


@dataclass(frozen=True)
class Convention:
    """What a system does with a family of measures, or with every one.

    The parameters are written as in a measure; difference states what remains
    different with them, and may be empty.
    """

    parameters: dict[str, str]
    difference: str
    source: str


@dataclass(frozen=True)
class System:
    """A system whose conventions can be followed.

    families are those that it has besides those with their own conventions:
    names, * for all, or trec_eval for all that trec_eval has a name for. own_names
    are its names that mean another measure here than without the system.
    """

    name: str
    position_rule: str
    families: tuple[str, ...]
    conventions: dict[str, Convention]
    own_names: dict[str, str]

    def measures(self, names: Sequence[str]) -> list[Measure]:
        """Return the measures that a user names, as the system defines them."""
        own = [self._spelled(name) for name in split(" ".join(names) or DEFAULT)]
        return distinct(map(self.variant, named(" ".join(own))))

    def _spelled(self, name: str) -> str:
        """Return the name here of what a name means in the system."""
        match = _NAME.fullmatch(name)
        own = match and self.own_names.get(match[1].lower())
        if not match or not own:
            return name
        family, _, parameters = own.removesuffix(")").partition("(")
        stated = ",".join(filter(None, (parameters, match[2])))
        return f"{family}({stated}){match[3] or ''}"

    def variant(self, measure: Measure) -> Measure:
        """Return a measure as the system defines it; given parameters stay."""
        added = {
            key: value
            for convention in self.conventions_of(measure)
            for key, value in convention.parameters.items()
            if key in measure.family.defaults
            and not {key, _RIVALS.get(key)} & measure.stated
        }
        stated = {key: measure.parameters[key] for key in sorted(measure.stated)}
        every = {k: written(v) for k, v in stated.items() if v is not None} | added
        parameters = ",".join(f"{key}={value}" for key, value in every.items())
        name, at, cutoff = replace(measure, parameters={}).name.partition("@")
        try:
            return named(f"{name}({parameters}){at}{cutoff}")[0]
        except NdcgSqlError as error:
            raise NdcgSqlError(error.message, where=use(like=self.name)) from None

    def followed(self, measures: Sequence[Measure], position_rule: str) -> str:
        """Return a message on what is followed, and what differs from the system."""
        names = ", ".join(measure.name for measure in measures)
        line = f"like {self.name}: {names}, positions {position_rule}"
        if position_rule != self.position_rule:
            line += f" ({self.name} uses {self.position_rule})"
        parts = (part for measure in measures for part in self._differences(measure))
        if differences := "; ".join(dict.fromkeys(parts)):
            line += f"; remaining differences: {differences}"
        unknown = [m.name for m in measures if not self._knows(m)]
        if unknown:
            line += f"; not known in {self.name}, left unchanged: {', '.join(unknown)}"
        return line

    def user_names(self, names: Sequence[str]) -> dict[str, str]:
        """Return the canonical names of measures here, by those that a user gave them.

        Each of several that one name stands for has its name in trec_eval.
        """
        canonical: dict[str, str] = {}
        for name in split(" ".join(names) or DEFAULT):
            measures = named(self._spelled(name))
            for measure in measures:
                alone = name if len(measures) == 1 else measure.trec_eval_name
                canonical[alone or measure.name] = self.variant(measure).name
        return canonical

    def otherwise_tied(self, measures: Sequence[Measure]) -> list[str]:
        """Return what the system does otherwise with ties, in some of the measures."""
        parts = (
            part
            for measure in measures
            for part in self._differences(measure)
            if "tied" in part and (measure.cutoff is not None or "@k" not in part)
        )
        return list(dict.fromkeys(parts))

    def _differences(self, measure: Measure) -> list[str]:
        conventions = self.conventions_of(measure)
        parts = conventions[-1].difference.split("; ") if conventions else []
        return [part for part in parts if part]

    def conventions_of(self, measure: Measure) -> list[Convention]:
        """Return the conventions for a measure, the most specific one last."""
        if not self._knows(measure):
            return []
        keys = (_EVERY, measure.family.name)
        return [self.conventions[key] for key in keys if key in self.conventions]

    def _knows(self, measure: Measure) -> bool:
        """Return whether the system has measures of a family at all."""
        family = measure.family
        own = {family.name, _EVERY, *(["trec_eval"] if family.trec_eval else [])}
        return family.name in self.conventions or bool(own & {*self.families})


@cache
def systems() -> dict[str, System]:
    """Return every system by its name, in the order of sql/systems.csv."""
    by_name: dict[str, System] = {}
    for row in sql_files.rows("systems"):
        name, rule = row["system"], row["position_rule"]
        families = tuple(row["families"].split())
        # A system's row for every family is its first.
        named_so = dict(item.split("=", 1) for item in row["names"].split())
        system = System(name, rule, families, {}, named_so)
        system = by_name.setdefault(name, system)
        parameters = dict(item.split("=", 1) for item in row["parameters"].split())
        convention = Convention(parameters, row["difference"], row["source"])
        system.conventions[row["family"]] = convention
    return by_name


def find(name: str) -> System:
    """Return a system by its name; raise NdcgSqlError if unknown.

    Case is ignored, and a hyphen is an underscore.
    """
    by_name = systems()
    plain = name.lower().replace("-", "_")
    for other, system in by_name.items():
        if _ALIASES.get(plain, plain) == other.replace("-", "_"):
            return system
    hint = nearest(name.lower(), by_name)
    hint = f"{hint} All: " if hint else "one of "
    raise NdcgSqlError(
        "unknown system", hint + ", ".join(by_name), where=use(like=name)
    )


def described() -> list[dict[str, str]]:
    """Return a row for each system and family, with the equivalent measure."""
    rows: list[dict[str, str]] = []
    for system in systems().values():
        knows_usual = system.conventions_of(named(DEFAULT)[0])
        first = "nDCG" if knows_usual else system.families[0]
        families = dict.fromkeys([first, *system.conventions])
        for family in (name for name in families if name != _EVERY):
            measure = system.measures([f"{family}@10"])[0]
            convention = system.conventions_of(measure)[-1]
            row = {
                "system": system.name,
                "measure": re.sub("@10$", "@k", measure.name),
                "positions": system.position_rule,
            }
            about = vars(convention)
            rows.append(row | {name: about[name] for name in ("difference", "source")})
    return rows
