"""The families of measures and their parameters, read from sql/measures.csv."""

import re
from dataclasses import dataclass, field
from functools import cache

from ndcg_sql.database import sql_files
from ndcg_sql.text import NUMBER, number, quoted

Value = float | str | bool | dict[float, float]


# As sql/measures.csv writes them: name(parameters), name:cutoffs, name.key.
_NICKNAME = re.compile(r"(\w+)(?:\(([^)]*)\))?(?::([0-9.,]+))?(?:\.([\w,]+))?")
# What parameters without a default are in examples, if not numbers.
_EXAMPLES = {"by": "'category'"}
_PAIR = re.compile(rf"\s*({NUMBER})\s*:\s*({NUMBER})\s*")


@dataclass(frozen=True)
class Nickname:
    """A name that trec_eval gives to measures of a family.

    Alone, it stands for these cutoffs and parameters; a dot (or an underscore)
    can be followed by other cutoffs, or by the value of the parameter key (the
    values, if there are several keys).
    """

    cutoffs: tuple[str, ...]
    brackets: str | None
    key: str | None


@dataclass(frozen=True)
class Family:
    """A family of measures, as a row of sql/measures.csv describes it.

    needs are the grades without which it means nothing, and what it reads beside
    judgments and hits; formula is what the value of a query is, where total is the sum
    of the terms of its documents. That of a loaded measure has its name, and the
    origin of the values as its source.
    """

    name: str
    aliases: tuple[str, ...] = ()
    trec_eval: dict[str, Nickname] = field(default_factory=dict[str, Nickname])
    defaults: dict[str, Value | None] = field(default_factory=dict[str, "Value | None"])
    required: tuple[str, ...] = ()
    takes_cutoff: bool = False
    takes_level: bool = False
    summary: str = "mean"
    bounded: bool = False
    ideal_is_one: bool = False
    monotone: bool = False
    highest_is_best: bool = True
    needs: frozenset[str] = frozenset()
    formula: str = ""
    description: str = ""
    source: str = ""
    lowest_is_best: bool = False
    is_loaded: bool = False

    @property
    def reads_rankings(self) -> bool:
        """Whether its values depend on all that a run shows, judged or not."""
        return "rankings" in self.needs

    @property
    def can_improve(self) -> bool:
        """Whether runs are better by a higher, or a lower, mean over queries."""
        is_better = self.highest_is_best or self.lowest_is_best
        return self.summary == "mean" and is_better

    @property
    def is_of_runs(self) -> bool:
        """Whether it has values of runs as wholes, and none of queries."""
        return self.summary == "none"

    @property
    def example(self) -> str:
        """The shortest name of a measure of the family."""
        keys = [key for key in self.required if key != "cutoff"]
        shown = [f"{key}={_EXAMPLES.get(key, '3')}" for key in keys]
        brackets = f"({','.join(shown)})" if shown else ""
        at = "@0.5" if self.takes_level else "@10" if "cutoff" in self.required else ""
        return self.name + brackets + at


@cache
def families() -> dict[str, Family]:
    """Return every family by its name, in the order of sql/measures.csv."""
    by_name: dict[str, Family] = {}
    for row in sql_files.rows("measures"):
        defaults: dict[str, Value | None] = {}
        required = ["cutoff"] if row["cutoff"] == "required" else []
        for item in row["parameters"].split():
            key, _, value = item.partition("=")
            if key.endswith("!"):
                key = key.removesuffix("!")
                required.append(key)
            defaults[key] = read_value(value) if value else None
        trec_eval: dict[str, Nickname] = {}
        for name, brackets, cutoffs, key in _NICKNAME.findall(row["trec_eval"]):
            ks = tuple(k for k in cutoffs.split(",") if k)
            trec_eval[name] = Nickname(ks, brackets or None, key or None)
        by_name[row["family"]] = Family(
            name=row["family"],
            aliases=tuple(row["aliases"].split()),
            trec_eval=trec_eval,
            defaults=defaults,
            required=tuple(required),
            takes_cutoff=row["cutoff"] not in ("none", "level"),
            takes_level=row["cutoff"] == "level",
            summary=row["summary"],
            bounded=row["bounded"] == "yes",
            ideal_is_one=row["ideal_is_one"] == "yes",
            monotone=row["monotone"] == "yes",
            highest_is_best=row["best"] == "highest",
            needs=frozenset(row["needs"].split()),
            formula=row["value"],
            description=row["description"],
            source=row["source"],
        )
    return by_name


def loaded_family(name: str, origin: str = "", lowest_is_best: bool = False) -> Family:
    """Return the family of a measure whose values another program computed."""
    return Family(
        name=name,
        highest_is_best=not lowest_is_best,
        description="loaded from another program",
        source=origin,
        lowest_is_best=lowest_is_best,
        is_loaded=True,
    )


def described() -> list[dict[str, str]]:
    """Return a row for each family, with its parameters and its source."""
    return [
        {
            "measure": " = ".join((family.name, *family.aliases)),
            "trec_eval": " ".join(family.trec_eval),
            "parameters": " ".join(
                f"{key}={written(value)}" if value is not None else key
                for key, value in family.defaults.items()
            ),
            "meaning": family.description,
            "source": family.source,
        }
        for family in families().values()
    ]


def written(value: Value) -> str:
    """Return a value of a parameter as a canonical name shows it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        pairs = [f"{written(k)}:{written(v)}" for k, v in sorted(value.items())]
        return "{" + ",".join(pairs) + "}"
    if isinstance(value, str):
        return f"'{value}'"
    return str(int(value)) if abs(value) < 1e16 and value == int(value) else repr(value)


def read_value(text: str) -> Value:
    """Return a value of a parameter from its text; raise ValueError if it has none."""
    if text[0] in "'\"":
        return text[1:-1]
    if text in ("true", "True", "false", "False"):
        return text in ("true", "True")
    if text[0] == "{":
        gains: dict[float, float] = {}
        for item in text[1:-1].split(","):
            pair = _PAIR.fullmatch(item)
            if not pair:
                raise ValueError(f"{quoted(item.strip())} is not grade:gain")
            grade, gain = _finite(pair[1]), _finite(pair[2])
            if grade in gains:
                raise ValueError(f"grade {written(grade)} is given twice")
            if grade < 0:
                raise ValueError("a negative grade has no gain: it means not judged")
            gains[grade] = gain
        return {grade: gain for grade, gain in gains.items() if grade != gain}
    if text[0].isalpha():
        raise ValueError(f"{text} is neither a number nor text in quotes")
    return _finite(text)


def _finite(text: str) -> float:
    """Return a number as a double; raise ValueError if no double can hold it."""
    value = number(text)
    if value is None:
        raise ValueError(f"{text} is too large or too small for a double")
    return value + 0  # A negative zero becomes a plain one.
