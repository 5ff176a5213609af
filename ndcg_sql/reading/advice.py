"""What gets past the bad lines of a file."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ndcg_sql.database.database import Database
from ndcg_sql.errors import Offer
from ndcg_sql.reading.checks import RowsOf
from ndcg_sql.reading.guesses import note
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.sources import Source, first_line
from ndcg_sql.text import listed
from ndcg_sql.wording import Blank, Text, Wording, call, joined, use

_GRADED = ("judgments", "subtopics", "assessments")
# The share of bad lines from which on the format was probably guessed wrong.
_WRONG = 0.8
# The share of bad lines that may be wrong otherwise than nearly all are.
_OTHERS = 0.1
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
OF_ASSESSORS = "To load the grades of several assessors: " + call(
    "load_assessments", Blank("FILE")
)


@dataclass(frozen=True)
class Looks:
    """What lines of another width probably are, and the method that reads these."""

    what: str
    way: Text
    method: str | None = None

    @property
    def advice(self) -> Text:
        """What to do about such lines."""
        return Text(f"It looks like {self.what}", self.way)

    @property
    def offer(self) -> Offer | None:
        """What gets past such lines, if it is another method."""
        if self.method is None:
            return None
        return Offer(f"it looks like {self.what}", {}, self.method)


def _another(what: str, method: str) -> Looks:
    return Looks(what, Text(": ", call(method, Blank("FILE"))), method)


# What a file with that many fields on every line is more likely to be.
_LOOKS_LIKE = {
    ("run", 1): Looks(
        "documents of one query",
        Text(
            " (use ",
            use(query="ID"),
            ") or scores of a list's rows (use ",
            use(rows_of=Blank("LIST")),
            ")",
        ),
    ),
    ("run", 4): _another("judgments", "load_judgments"),
    ("judgments", 2): Looks(
        "documents and labels of one query", Text(": use ", use(query="ID"))
    ),
    **{
        (kind, 6): _another("a run", "load_run")
        for kind in ("judgments", "assessments", "known")
    },
}


def guessed(database: Database, source: Source, how: Layout, lines: int) -> Wording:
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


def looks_like(
    database: Database, rows_of: RowsOf, source: Source, how: Layout
) -> Looks | None:
    """Return what lines of another width probably are."""
    widths = database.execute("select distinct field_count from staged limit 2")
    kind = "judgments" if rows_of == "subtopics" else rows_of
    looks = (kind, *(width for (width,) in widths))
    if looks not in _LOOKS_LIKE or how.apart_by != "blanks":
        return None
    # A single field with a delimiter is a row of CSV.
    if looks == ("run", 1) and re.search("[,;]", first_line(source)[1]):
        return None
    return _LOOKS_LIKE[looks]


def offer(database: Database, rows_of: RowsOf, broken: frozenset[str]) -> Offer | None:
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


def keeping(how: Layout) -> Text:
    """Return how to keep one of the rows of a document; max needs numbers."""
    rules = ("first", "last", "max")
    if not {"score", "grade"} & how.fields.keys():
        rules = rules[:2]
    *others, last = (use(duplicates=rule) for rule in rules)
    begin = Text("To keep one row of each document: ", joined(others, ", "))
    return Text(begin, " or ", last, ".")


def advice_of(
    database: Database, rows_of: RowsOf, broken: frozenset[str], source: Source
) -> Wording:
    """Return what to do about the bad lines; what can be corrected, such as a file."""
    what = "rows" if source.noted else "file"
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
    lacks_ids = broken & {"query_id", "document_id"} and "fields" not in broken
    if lacks_ids and not source.faults:
        [(is_end,)] = database.run("lookups/ends_badly")
        if is_end:
            return f"Delete the last lines if they are totals, and load {again} again."
    if "position" in broken:
        return f"Positions count from 1: correct the {what} and load {again} again."
    for column in ("score", "weight"):
        if column in broken and (odd := _with_commas(database, column)):
            return _if_commas(odd)
    return f"Correct the {what} and load {again} again."
