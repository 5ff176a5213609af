"""Staged rows, between a file and the tables, and their checks."""

import re
import string
from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import Literal

import duckdb

from ndcg_sql.database import sql_files
from ndcg_sql.database.connections import is_disk_full
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import BadRowsError, Offer
from ndcg_sql.reading import checks
from ndcg_sql.reading.checks import RowsOf
from ndcg_sql.reading.columns import Kind
from ndcg_sql.reading.guesses import note
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.sources import (
    Source,
    damaged_parquet,
    first_line,
    no_rows,
)
from ndcg_sql.text import counted, listed, quoted
from ndcg_sql.wording import Blank, Call, Text, Wording, call, joined, use

_GRADED = ("judgments", "subtopics", "assessments")
# The steps that read the times of the rows that may have one.
_TIMES = {
    "judgments": ("store/staged_times",),
    "known": ("store/staged_epochs", "store/staged_times"),
    "clicks": ("store/staged_epochs", "store/staged_times"),
}
_SHOWN_FAULTS = 10
# The share of bad lines from which on the format was probably guessed wrong.
_WRONG = 0.8
# The share of bad lines that may be wrong otherwise than nearly all are.
_OTHERS = 0.1
# Values in the message of a check that are its own words, not text from a file.
_PLAIN = ("expected", "noun", "unit")
# Groups of thousands, up to their last; 0.123 has none, as none begins with a zero.
_GROUPS = "[1-9][0-9]{0,2}([.][0-9]{3})"
# A number as some locales write it, which is none with a decimal point.
_COMMA = re.compile(
    f"[+-]?(({_GROUPS}+|[0-9]+),[0-9]+(e[+-]?[0-9]+)?|{_GROUPS}{{2,}})", re.I
)
# A number whose points may separate thousands.
_POINTS = re.compile(f"[+-]?{_GROUPS}+(,[0-9]*)?")
# The checks that one of the rows passes, if it alone is kept.
TWICE = frozenset(
    ("document_twice", "document_twice_in_run", "document_twice_in_subtopic")
)
# A bad line with the first check that it breaks.
_FIRST_CHECKS = (
    "select line_number, arg_min(check_name, place) as check_name from bad_lines"
    " group by line_number"
)
# The checks that words for grades break, and how many wrong numbers are looked at.
_NO_GRADES = {"grade", "empty_grade"}
_MOST_WRONG = 1000
# How many labels a message gives places for grades.
_LABELS = 20
# It ends with a command to be pasted, so without a full stop.
_OF_ASSESSORS = "To load the grades of several assessors: " + call(
    "load_assessments", Blank("FILE")
)
# What a file with that many fields on every line is more likely to be.
_LOOKS_LIKE = {
    ("run", 1): Text(
        "documents of one query (use ",
        use(query="ID"),
        ") or scores of a list's rows (use ",
        use(rows_of=Blank("LIST")),
        ")",
    ),
    ("run", 4): "judgments: " + call("load_judgments", Blank("FILE")),
    ("judgments", 2): "documents and labels of one query: use " + use(query="ID"),
    ("judgments", 6): "a run: " + call("load_run", Blank("FILE")),
}
# The parameters of store/staged_*.sql, and the columns whose fields they give.
_FIELDS = {
    "query_field": "query_id",
    "group_field": "group_id",
    "subgroup_field": "subgroup_id",
    "doc_field": "doc_id",
    "score_field": "score",
    "rank_field": "rank",
    "run_field": "run",
    "grade_field": "grade",
    "label_field": "label",
    "subtopic_field": "subtopic",
    "text_field": "text",
    "title_field": "title",
    "url_field": "url",
    "assessor_field": "assessor",
    "time_field": "assessed_at",
    "known_time_field": "time",
    "count_field": "count",
    "action_field": "action",
    "position_field": "position",
    "search_id_field": "search_id",
    "weight_field": "weight",
}


def stage(
    database: Database,
    kind: Kind | Literal["preferences"],
    source: Source,
    how: Layout,
    labels: dict[str, float] | None = None,
    assessor: str | None = None,
) -> None:
    """Read the rows of a file into the temporary table staged.

    assessor, if given, made all of its judgments.
    """
    sql = "create or replace temp table staged_labels (label varchar, grade double)"
    database.execute(sql)
    for label, grade in (labels or {}).items():
        database.execute(
            "insert into staged_labels values ($label, $grade)",
            {"label": label, "grade": grade},
        )
    parameters: Parameters = {"added_fields": how.added, "assessor": assessor}
    rows = "judgments" if kind == "assessments" else kind
    places = {name: how.fields.get(column) for name, column in _FIELDS.items()}
    steps = (*how.steps, f"store/staged_{rows}", *_TIMES.get(rows, ()))
    select = sql_files.composed(steps)
    try:
        database.execute(
            f"create or replace temp table staged as {select}",
            {**how.parameters, **places, **parameters},
        )
    except duckdb.Error as error:
        if is_damage(error, source):
            raise damaged_parquet(source) from error
        raise


def is_damage(error: duckdb.Error, source: Source) -> bool:
    """Return whether an error shows that a source is a damaged Parquet file."""
    return source.binary == "parquet" and is_of_content(error)


def is_of_content(error: duckdb.Error) -> bool:
    """Return whether an error while reading comes from what is read.

    DuckDB has no class for damage; a lack of memory or disk is not damage.
    """
    lacks = (duckdb.OutOfMemoryException, duckdb.InterruptException)
    return not isinstance(error, lacks) and not is_disk_full(error)


def check_staged(
    database: Database,
    rows_of: RowsOf,
    source: Source,
    how: Layout,
    position_rule: str = "score",
    advise: bool = True,
    compared: bool = True,
    keep_going: bool = False,
    another_way: Wording = "",
) -> None:
    """Raise BadRowsError if rows break a check: all counted, the first ten shown.

    Successive lines whose fault is the same are told once, with their number.
    With compared, rows are compared with each other, too. With keep_going, the
    message does not say that nothing at all was loaded. another_way is what can be
    done but to correct the rows.
    """
    fewest, most = how.field_range
    by_row = how.by_row or source.by_row or bool(source.noted)
    unit = "row" if by_row else "line"
    parameters: Parameters = {
        "fewest_fields": fewest,
        "most_fields": most,
        "expected": how.expected,
        "position_rule": position_rule,
        "unit": unit,
    }
    database.execute(
        "create or replace temp table bad_lines"
        " (line_number bigint, check_name varchar, place bigint, fault ubigint)"
    )
    checked = checks.of(rows_of)
    for place, (name, check) in enumerate(checked.items()):
        if check.compares and not compared:
            continue
        database.execute(
            "insert into bad_lines select line_number, $check, $place,"
            " hash($check, *columns(* exclude (line_number)))"
            f" from ({check.select})",
            {**parameters, "check": name, "place": place},
        )
    rows: int = database.execute("select count(*) from staged")[0][0]
    bad_lines = database.run("lookups/bad_lines", {"shown": _SHOWN_FAULTS})
    bad = _unreadable(source, unit)
    total = len(source.faults) + (bad_lines[0][3] if bad_lines else 0)
    if total == 0 and rows == 0:
        raise no_rows(source)
    if total == 0:
        return
    for line, check, more, _ in bad_lines:
        reason = _reason(database, check, {**parameters, "line": line})
        bad[line] = reason + _alike(more, unit)
    at = f"{source.shown}: row " if by_row else f"{source.shown}:"
    shown = [f"{at}{line}: {bad[line]}" for line in sorted(bad)]
    names = database.execute("select distinct check_name from bad_lines")
    broken = frozenset(name for (name,) in names)
    # A line of a list has several rows.
    lines: int = database.execute("select count(distinct line_number) from staged")[0][
        0
    ]
    remedy = Text(f"{counted(total, f'bad {unit}')} of {lines + len(source.faults)}")
    looks: Wording = ""
    if advise:
        looks = _looks_like(database, rows_of, source, how)
        what = "rows" if source.noted else "file"
        if looks:
            advice = "It looks like " + Text(looks)
        else:
            advice = _advice(database, rows_of, broken, what)
        is_twice = bool(broken) and broken <= TWICE and not source.faults
        if not looks and is_twice and not database.is_scratch:
            advice = Text(advice, " ", _keeping(how))
        if rows_of == "judgments" and broken == frozenset(("document_twice",)):
            advice = Text(advice, " ", _OF_ASSESSORS)
        left = "this file was not loaded" if keep_going else "nothing was loaded"
        remedy += f"; {left}. " + Text(advice, "\n" if another_way else "", another_way)
        remedy += "" if looks else _guessed(database, source, how, lines)
    comparing = {name for name, check in checked.items() if check.compares}
    raise BadRowsError(
        joined([*shown[:_SHOWN_FAULTS], remedy], "\n"),
        broken,
        compared=not source.faults and broken <= comparing,
        share=total / (lines + len(source.faults)),
        # What explains repeated rows is sought when nothing else is wrong.
        offer=None
        if source.faults
        else _otherwise(looks) or _offer(database, rows_of, broken - comparing),
    )


def _unreadable(source: Source, unit: str) -> dict[int, str]:
    """Return the reasons by line why lines were not read; many alike are told once."""
    reasons: dict[int, str] = {}
    for reason, group in groupby(source.faults, key=lambda fault: fault.reason):
        first, *others = group
        if len(others) > 1:
            reasons[first.line] = reason + _alike(len(others), unit)
        else:
            reasons |= {fault.line: reason for fault in (first, *others)}
    return reasons


def _alike(more: int, unit: str) -> str:
    return f" (and {counted(more, f'more {unit}')} alike)" if more else ""


def _reason(database: Database, check: str, parameters: Parameters) -> str:
    """Return the message of a check about a bad line, with harmless values."""
    one = checks.every()[check]
    where = f"select * from ({one.select}) where line_number = $line"
    values = {**parameters, **database.records(where, parameters)[0]}
    shown = {
        name: value if name in _PLAIN else quoted(value)
        for name, value in values.items()
    }
    return string.Formatter().vformat(one.message, (), shown)


def _guessed(database: Database, source: Source, how: Layout, lines: int) -> Wording:
    """Return a note on the format, if it is a guess that fits hardly any line."""
    if how.guess is None:
        return ""
    sql = "select count(distinct line_number) from bad_lines where check_name in"
    checks = {"checks": list(how.guess.checks)}
    [(bad,)] = database.execute(f"{sql} (select unnest($checks))", checks)
    bad += len(source.faults) - how.guess.faults
    if bad < _WRONG * (lines + len(source.faults)):
        return ""
    return "\n" + note(how.guess.format, how.guess.others())


def _looks_like(
    database: Database, rows_of: RowsOf, source: Source, how: Layout
) -> Wording:
    """Return what lines of another width probably are, or nothing."""
    widths = database.execute("select distinct field_count from staged limit 2")
    kind = "judgments" if rows_of == "subtopics" else rows_of
    looks = (kind, *(width for (width,) in widths))
    if looks not in _LOOKS_LIKE or how.apart_by != "blanks":
        return ""
    # A single field with a delimiter is a row of CSV.
    if looks == ("run", 1) and re.search("[,;]", first_line(source)[1]):
        return ""
    return Text(_LOOKS_LIKE[looks])


def _otherwise(looks: Wording) -> Offer | None:
    """Return the method that reads lines which look like those of its files, if any."""
    for what, part in pairwise(Text(looks).parts):
        if isinstance(part, Call):
            return Offer(f"it looks like {what}".removesuffix(": "), {}, part.method)
    return None


def _offer(database: Database, rows_of: RowsOf, broken: frozenset[str]) -> Offer | None:
    """Return what gets past bad lines, if one thing is wrong with most of them."""
    if not broken:
        return None
    is_run = rows_of in ("run", "runs") and _is_most(database, broken, {"score"})
    if is_run and (number := _with_commas(database, "score")):
        return Offer(_commas(number), {"decimal": ","})
    is_weighed = rows_of == "queries" and _is_most(database, broken, {"weight"})
    if is_weighed and (number := _with_commas(database, "weight")):
        return Offer(_commas(number), {"decimal": ","})
    if rows_of in _GRADED and _is_most(database, broken, _NO_GRADES):
        words = _wrong_texts(database, "grade", _NO_GRADES)
        if not words:
            return None
        labels = [word for word in words if word]
        if labels and all(map(_COMMA.fullmatch, labels)):
            return Offer(_commas(labels[0]), {"decimal": ","})
        if len(labels) > _LABELS:
            return None
        grades, alike = _grades(database, labels)
        if "" in words:
            grades[""] = -1
        facts = [f"the grades are words: {listed(labels)}{alike}"] if labels else []
        facts += ["an empty grade means unjudged"] if "" in words else []
        return Offer("; ".join(facts), {"labels": grades})
    return None


def _is_most(database: Database, broken: frozenset[str], checks: set[str]) -> bool:
    """Return whether nearly all bad lines break some of these checks first.

    The others, such as one of totals, are told when these are got past. broken are the
    checks of single lines that are broken.
    """
    if broken <= checks or not broken & checks:
        return broken <= checks
    sql = (
        "select count(*) filter (not list_contains($checks, check_name)), count(*)"
        f" from ({_FIRST_CHECKS}) where list_contains($broken, check_name)"
    )
    [(others, count)] = database.execute(
        sql, {"checks": [*checks], "broken": [*broken]}
    )
    return others <= _OTHERS * count


def _grades(database: Database, labels: Sequence[str]) -> tuple[dict[str, object], str]:
    """Return the grade to be given to each label, and a note on where it is from.

    A label that has one in another case gets the same; others are to be filled in.
    """
    rows = database.execute("select label, grade from staged_labels order by label")
    alike = {
        label: [row for row in rows if row[0].casefold() == label.casefold()]
        for label in labels
    }
    alike = {
        label: rows_alike
        for label, rows_alike in alike.items()
        if len({grade for _, grade in rows_alike}) == 1
    }
    grades: dict[str, object] = dict.fromkeys(labels, Blank("GRADE"))
    for label, rows_alike in alike.items():
        grade: float = rows_alike[0][1]
        grades[label] = int(grade) if grade.is_integer() else grade
    others = listed(dict.fromkeys(rows_alike[0][0] for rows_alike in alike.values()))
    verb = "has" if len(alike) == 1 else "have"
    return grades, f", as {others} {verb}" if alike else ""


def _with_commas(database: Database, column: Literal["score", "weight"]) -> str | None:
    """Return a number with a decimal comma, if all that are no numbers have one.

    The points of the others may separate thousands. What has no digits, such as #NV,
    is no number in any spelling.
    """
    odd = _wrong_texts(database, column, {column}, _MOST_WRONG)
    odd = [text for text in odd if re.search("[0-9]", text)]
    if not odd or not all(map(_COMMA.fullmatch, odd)):
        return None
    sql = (
        f"select distinct {column}_text from staged where contains({column}_text, '.')"
    )
    dotted = (text for (text,) in database.execute(sql))
    return odd[0] if all(map(_POINTS.fullmatch, dotted)) else None


def _wrong_texts(
    database: Database, column: str, checks: set[str], most: int | None = None
) -> list[str]:
    """Return the texts of a column on the lines that break one of the checks first."""
    sql = (
        f"select distinct coalesce({column}_text, '') as text from staged"
        f" inner join ({_FIRST_CHECKS}) using (line_number)"
        " where list_contains($checks, check_name) order by text limit $most"
    )
    rows = database.execute(sql, {"checks": [*checks], "most": most})
    return [text for (text,) in rows]


def _commas(number: str) -> str:
    """Return the fact that numbers have decimal commas, or points of thousands."""
    if "," not in number:
        return f"points separate thousands, such as {number}"
    return f"numbers have decimal commas, such as {number}"


def _if_commas(number: str) -> Text:
    """Return what to do if a number is read as others write it."""
    is_so = "commas are decimal marks" if "," in number else "points separate thousands"
    return Text(f"If {is_so}: ", use(decimal=","))


def _keeping(how: Layout) -> Text:
    """Return how to keep one of the rows of a document; max needs numbers."""
    rules = ("first", "last", "max")
    if not {"score", "grade"} & how.fields.keys():
        rules = rules[:2]
    *others, last = (use(duplicates=rule) for rule in rules)
    begin = Text("To keep one row of each document: ", joined(others, ", "))
    return Text(begin, " or ", last, ".")


def _advice(
    database: Database, rows_of: RowsOf, broken: frozenset[str], what: str
) -> Wording:
    """Return what to do about the bad lines; what can be corrected, such as a file."""
    again = "them" if what == "rows" else "it"
    if broken == frozenset(("assessment_twice",)):
        return Text(
            "If one grade is later than the other, name the column of their times: ",
            use(columns={"assessed_at": "NAME"}),
            f". If not, correct the {what} and load {again} again, such as with another"
            " name of the assessor.",
        )
    if broken == frozenset(("time",)):
        return (
            f"Write times like that in the {what}, or rename their column, to load"
            f" {again} without them."
        )
    if broken == frozenset(("subtopic",)):
        return f"Name the subtopic of each row of the {what}, or of none."
    if rows_of in _GRADED:
        words = _wrong_texts(database, "grade", _NO_GRADES)
        labels = [word for word in words if word]
        if labels and all(map(_COMMA.fullmatch, labels)):
            return _if_commas(labels[0])
        if labels:
            grades, alike = _grades(database, labels[:_LABELS])
            return Text(
                f"Not numbers: {listed(labels, 100)}; if these are labels, give each"
                " its grade: ",
                use(labels=grades),
                f"{alike}.",
            )
        if words:
            return "If an empty grade means unjudged, use " + use(labels={"": -1}) + "."
    # A line that is cut has too few fields.
    if broken & {"query_id", "document_id"} and "fields" not in broken:
        [(is_end,)] = database.run("lookups/ends_badly")
        if is_end:
            return f"Delete the last lines if they are totals, and load {again} again."
    if "position" in broken:
        return f"Positions count from 1: correct the {what} and load {again} again."
    for column in ("score", "weight"):
        if column in broken and (odd := _with_commas(database, column)):
            return _if_commas(odd)
    return f"Correct the {what} and load {again} again."
