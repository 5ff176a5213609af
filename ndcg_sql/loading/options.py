"""The options for loading runs and judgment sets."""

import codecs
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from ndcg_sql.errors import NdcgSqlError, check_choice
from ndcg_sql.loading.sentences import refusal
from ndcg_sql.options import MIN_IMPRESSIONS
from ndcg_sql.reading.detection import formats
from ndcg_sql.reading.layouts import Reading
from ndcg_sql.reading.scanning import WINDOWS
from ndcg_sql.text import check_name, not_number, number, sql_time
from ndcg_sql.wording import Text, use

Ranked = Literal["run", "judgments"]
DECIMALS = (".", ",")
# Each letter alone, too, for one may begin a sign of several, and an escape of Python.
_ASCII = [*map(chr, range(128)), "".join(map(chr, range(32, 127))), "\\u0041"]


@dataclass(frozen=True)
class Options(Reading):
    """A user's options for loading a file of any kind, as questions have them.

    name may be a pattern for runs; prefix stands in front of their names. With
    is_rule_chosen, the user said how positions are given. names are to be used in place
    of those of files. rows_of is the list to whose rows a file of scores belongs; base
    is the judgment set that a new one includes. From assessor on, they are those of
    assessments, from measures on of values, from actions on of clicks.
    """

    dataset: str = "default"
    name: str | None = None
    prefix: str | None = None
    tag_columns: tuple[str, ...] = ()
    run_at_column: str | None = None
    name_from: str = "file"
    names: Mapping[Path, str] = field(default_factory=dict[Path, str])
    rows_of: Path | None = None
    labels: dict[str, float] = field(default_factory=dict[str, float])
    attributes: tuple[str, ...] = ()
    position_rule: str = "score"
    is_rule_chosen: bool = False
    run_at: str | None = None
    tags: dict[str, str] = field(default_factory=dict[str, str])
    evaluate: bool = True
    base: str | None = None
    strict: bool = False
    replace: bool = False

    assessor: str | None = None
    assessor_from: str = "column"
    assessor_columns: tuple[str, ...] = ()
    assessor_kind: str | None = None
    model: str | None = None
    prompt: str | None = None
    cost: float | None = None
    seconds: float | None = None
    measures: tuple[str, ...] = ()
    lower_is_better: tuple[str, ...] = ()
    origin: str | None = None
    judgments: str | None = None
    actions: dict[str, float] = field(default_factory=dict[str, float])
    min_impressions: int = MIN_IMPRESSIONS
    levels: tuple[str, ...] = ()
    impressions: tuple[str, ...] = ()
    searches: Path | None = None
    impressions_from: str | None = None
    depth: int | None = None

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> "Options":
        """Return the options among the parameters of a question, all checked."""
        names = {one.name for one in fields(cls)}
        chosen = {n: v for n, v in values.items() if n in names and v is not None}
        rule = chosen.pop("position_rule", None)
        chosen["position_rule"] = rule or "score"
        chosen["is_rule_chosen"] = rule is not None
        chosen["run_at"] = time_of(chosen.get("run_at"))
        # Adding 0 turns a negative zero into a plain one.
        labels = chosen.get("labels", {}).items()
        chosen["labels"] = {label: grade + 0 for label, grade in labels}
        options = cls(**chosen)
        if options.format_in is not None:
            check_choice("format_in", options.format_in, formats())
        if options.decimal not in (None, *DECIMALS):
            raise refusal("not_a_decimal_mark", decimal=options.decimal)
        _check_encoding(options.encoding)
        return options

    def stated(self, method: str) -> dict[str, object]:
        """Return those that a user stated for a method that loads."""
        options = super().stated(method)
        if not self.is_rule_chosen:
            options.pop("position_rule", None)
        return options

    @property
    def weights(self) -> dict[str, float]:
        """How many clicks each action is worth."""
        return {"click": 1.0, **self.actions}

    @property
    def limits(self) -> tuple[float, ...]:
        """The least fraction of each grade from 1 on; none if grades are fractions."""
        limits: list[float] = []
        for text in (part.strip() for one in self.levels for part in one.split(",")):
            if (value := number(text)) is None:
                raise NdcgSqlError(not_number(text), where=use(levels=text))
            limits.append(value)
        return tuple(limits)


def check_names(
    names: Iterable[tuple[str, str | None]], tags: Mapping[str, str] | None = None
) -> None:
    """Raise NdcgSqlError for an invalid name, or a tag; None is not checked."""
    of_tags = [("tag", part) for tag in (tags or {}).items() for part in tag]
    for what, name in (*names, *of_tags):
        if name is not None and (fault := check_name(what, name)):
            raise NdcgSqlError(fault)


def _check_encoding(name: str | None) -> None:
    """Raise NdcgSqlError if the name of an encoding is none, or if it has no ASCII."""
    if name is None:
        return
    try:
        # IDNA is one of names of hosts, and changes text.
        is_of_text = codecs.lookup(name).name != "idna"
        if is_of_text and all(text.encode().decode(name) == text for text in _ASCII):
            return
    except (LookupError, UnicodeError, ValueError):
        pass
    like = Text(use(encoding=WINDOWS))
    raise refusal("not_an_encoding", encoding=name, like=like)


def time_of(time: str | datetime | None, where: str = "") -> str | None:
    """Return a time in UTC as a SQL literal; raise NdcgSqlError for any other text."""
    if time is None:
        return None
    try:
        # Before 3.11, Python does not read the Z of UTC.
        return sql_time(
            datetime.fromisoformat(re.sub("Z$", "+00:00", time))
            if isinstance(time, str)
            else time
        )
    except (ValueError, OverflowError, AttributeError):
        if where:
            raise refusal("not_a_time_of_column", column=where, time=time) from None
        raise refusal("not_a_time", run_at=time) from None
