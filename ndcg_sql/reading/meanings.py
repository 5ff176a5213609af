"""What each column of a file means: by its usual name, or as the user names it."""

import re
from collections.abc import Collection
from dataclasses import dataclass

from ndcg_sql.errors import NdcgSqlError, Offer
from ndcg_sql.reading import misfits
from ndcg_sql.reading.columns import (
    COLUMNS,
    HEADER,
    NO_RUNS,
    Kind,
    check_columns,
    check_once,
    folded,
    is_usual_at_last,
    meaning,
)
from ndcg_sql.reading.misfits import SHOWN
from ndcg_sql.reading.proposals import (
    of_judgments,
    of_rankings,
    proposed,
    proposed_list,
    with_plain_id,
)
from ndcg_sql.text import listed, number, quoted
from ndcg_sql.wording import Blank, Text, named, use

# Names that mean the id of a query only if no other column does, the best first. A
# query without that meaning is the text of a query.
_ID_AT_LAST = ("id", "query")
_NEEDED = {
    "run": ("query_id", "doc_id"),
    "judgments": ("query_id", "doc_id", "grade"),
    "assessments": ("query_id", "doc_id", "grade"),
    "queries": ("query_id",),
    "documents": ("doc_id",),
    "known": ("query_id", "doc_id"),
    "clicks": ("query_id", "doc_id", "action", "position"),
}
# The kinds of files whose rows have grades.
_GRADED = ("judgments", "assessments")
# Columns that cannot be a grade.
_TIME = re.compile("time|date|day|week|month|year|stamp", re.I)
_IMPLICIT = "if each row is a relevant document: "
# BEIR calls a grade a score.
_BEIR = {"query-id", "corpus-id", "score"}


@dataclass(frozen=True)
class _Sheet:
    """The columns of a file: their names, and by their places what usual names mean.

    shown is what messages call the file; has is what they say before the names.
    """

    shown: str
    kind: Kind
    names: list[str]
    has: str
    usual: dict[int, str | None]

    @property
    def meanings(self) -> set[str | None]:
        """What the usual names mean, None among it."""
        return {*self.usual.values()}

    @property
    def is_graded(self) -> bool:
        """Whether its rows have grades."""
        return self.kind in _GRADED

    def name(self, column: str) -> str:
        """Return the first name with a meaning."""
        return self.names[next(i for i in self.usual if self.usual[i] == column) - 1]


def fields(
    shown: str,
    kind: Kind,
    header: list[str],
    names: dict[str, str],
    elsewhere: tuple[str, ...] = (),
    run_column: str | None = None,
    lists: Collection[str] = (),
    has: str = HEADER,
) -> dict[str, int]:
    """Return the 1-based field of each column in a header.

    names maps columns to their names in the file. Columns from elsewhere need
    not be in the file. run_column is what the user gave as the column that names
    runs, or NO_RUNS; lists are the columns of lists; has is what a message says
    before the names in the header. Raises NdcgSqlError if a required column is missing
    or ambiguous.
    """
    check_columns(names, kind)
    place_of = _stated(shown, header, names, has)
    usual = _usual_meanings(header, kind, place_of)
    sheet = _Sheet(shown, kind, header, has, usual)
    ambiguous = _add_usual(sheet, place_of, run_column)
    if sheet.is_graded and "grade" not in place_of and "label" in place_of:
        place_of["grade"] = place_of.pop("label")
    if kind == "clicks" and "clicks" in {*place_of, *ambiguous}:
        # A row says what became of it, and is no single event.
        elsewhere = (*elsewhere, "action")
    missing = [c for c in _NEEDED[kind] if c not in (*place_of, *elsewhere, *ambiguous)]
    is_graded_run = "grade" in missing and sheet.is_graded and _is_run(sheet)
    _check_kind(sheet, place_of, bool(names), elsewhere, missing)
    if is_graded_run and missing == ["grade"] and not ambiguous:
        raise misfits.run_without_grades(shown, header, sheet.meanings)
    if missing or ambiguous:
        free = [
            header[i - 1] for i in usual if not usual[i] and i not in place_of.values()
        ]
        if is_graded_run and not lists:
            # Which column is the grade is not asked of a run.
            missing = [column for column in missing if column != "grade"]
        raise _unclear(shown, kind, header, free, missing, ambiguous, lists, has)
    return place_of


def _stated(
    shown: str, header: list[str], names: dict[str, str], has: str
) -> dict[str, int]:
    """Return the places of the columns that the user named."""
    place_of: dict[str, int] = {}
    for column, name in names.items():
        check_once(shown, name, header, has)
        place = header.index(name) + 1
        if place in place_of.values():
            raise NdcgSqlError(
                f"column {quoted(name)} is already used",
                "a column of the file can have only one meaning",
                where=named("columns") + f" {column}",
            )
        place_of[column] = place
    return place_of


def _usual_meanings(
    header: list[str], kind: Kind, stated: dict[str, int]
) -> dict[int, str | None]:
    """Return what the name at each place usually means in files of a kind.

    stated are the places of the columns that the user named.
    """
    usual = {i: meaning(name, kind) for i, name in enumerate(header, 1)}
    if kind in _GRADED and set(header) >= _BEIR:
        usual[header.index("score") + 1] = "grade"
    return _queries(header, usual, stated) if kind == "queries" else usual


def _add_usual(
    sheet: _Sheet, place_of: dict[str, int], run_column: str | None
) -> dict[str, list[str]]:
    """Add the places of columns with usual names; return the names of doubtful ones.

    Raises NdcgSqlError if several could each name the run.
    """
    header, usual = sheet.names, sheet.usual
    ambiguous: dict[str, list[str]] = {}
    for column in COLUMNS[sheet.kind]:
        if column in place_of or (column == "run" and run_column == NO_RUNS):
            continue
        free = [i for i in usual if i not in place_of.values()]
        exact = [i for i in free if header[i - 1].strip() == column]
        places = exact or [i for i in free if usual[i] == column]
        sure = [i for i in places if not is_usual_at_last(header[i - 1], sheet.kind)]
        # No column needs such a name: of several, none counts, and all are told.
        places = sure or (places if len(places) == 1 else [])
        rivals = [header[i - 1] for i in places]
        if len(rivals) == 1:
            place_of[column] = places[0]
        elif rivals:
            for name in rivals:
                check_once(sheet.shown, name, header, sheet.has)
            if column == "run":
                raise _several_runs(sheet.shown, rivals)
            ambiguous[column] = rivals
    return ambiguous


def _several_runs(shown: str, rivals: list[str]) -> NdcgSqlError:
    """Return the error for a file in which several columns could name the runs."""
    fact = f"{listed(rivals)} could each name the run"
    return NdcgSqlError(
        f"{shown}: {fact}",
        Text(
            "choose one: ",
            use(run_column=rivals[0]),
            ", or ignore them: ",
            use(run_column=NO_RUNS),
        ),
        offer=Offer(fact, {"run_column": rivals[0]}),
    )


def _is_run(sheet: _Sheet) -> bool:
    """Return whether a file without grades looks like a run."""
    if of_judgments(sheet.names):
        return False
    # What assessors are shown may be in the order of a ranking.
    is_ranked = sheet.kind != "assessments" and bool(of_rankings(sheet.names))
    return "score" in sheet.meanings or is_ranked


def _check_kind(
    sheet: _Sheet,
    place_of: dict[str, int],
    is_named: bool,
    elsewhere: tuple[str, ...],
    missing: list[str],
) -> None:
    """Raise NdcgSqlError for a file of another kind than it is to be read as.

    place_of are the places of columns with a meaning; is_named is whether the user
    named any.
    """
    shown, kind, header = sheet.shown, sheet.kind, sheet.names
    there = sheet.meanings
    if sheet.is_graded and "grade" in missing:
        misfits.check_no_log(shown, kind, header, missing, sheet.has)
    if kind == "run" and missing and "score" not in {*there, *place_of}:
        misfits.check_run_is_no_log(shown, header, missing)
    is_bare = kind == "documents" and [*place_of] == ["doc_id"] and not is_named
    if is_bare and "query_id" in there:
        raise misfits.interactions(shown, header[place_of["doc_id"] - 1], there)
    if kind == "judgments" and "grade" in elsewhere and "score" in there:
        # One grade for all is for files without numbers that tell rows apart.
        raise misfits.run_with_one_grade(shown, sheet.name("score"))
    is_ranked = bool({"score", "rank"} & {*there, *place_of})
    if kind == "run" and not is_ranked and "grade" in there:
        raise misfits.looks_like_judgments(shown, sheet.name("grade"), {})
    is_described = bool({"text", "weight"} & place_of.keys())
    if kind == "queries" and not is_named and not is_described:
        misfits.check_are_queries(shown, header, there)


def _queries(
    header: list[str], usual: dict[int, str | None], stated: dict[str, int]
) -> dict[int, str | None]:
    """Return what the columns of a file of queries mean, with one for the id.

    stated are the columns that the user named.
    """
    free = {
        folded(name): place
        for place, name in enumerate(header, 1)
        if place not in stated.values()
    }
    last = {name: free[name] for name in _ID_AT_LAST if name in free}
    ids = {at for at, column in usual.items() if column == "query_id"}
    has_other = "query_id" in stated or bool(ids - set(last.values()))
    has_text = "text" in (*stated, *usual.values())
    for name, place in last.items():
        if has_other:
            is_text = name == "query" and not has_text
            usual = {**usual, place: "text" if is_text else None}
        has_other = True
    return usual


def _unclear(
    shown: str,
    kind: Kind,
    header: list[str],
    free: list[str],
    missing: list[str],
    ambiguous: dict[str, list[str]],
    lists: Collection[str],
    has: str,
) -> NdcgSqlError:
    """Return the error for columns that are missing or could each be the same one.

    free are the columns of the header that have no meaning.
    """
    faults = [
        f"{listed(rivals)} could each be the {column}"
        for column, rivals in ambiguous.items()
    ]
    if missing:
        faults.append(f"no column for {listed(missing)}; {has} {listed(header)}")
    likely: dict[str, str] = {}
    if "doc_id" in missing and lists:
        free = [name for name in free if name not in lists]
        if name := proposed_list(kind, lists):
            likely["doc_id"] = name
            # The order of a list is a ranking, and what it lists is relevant.
            missing = [column for column in missing if column != "grade"]
            faults[-1] = f"no column for {listed(missing)}; {has} {listed(header)}"
    for column in missing:
        if column in likely:
            continue
        others = [name for name in free if name not in likely.values()]
        # Of a log, a user is who saw what a query found.
        if name := proposed(column, others, kind != "clicks"):
            likely[column] = name
    if "action" in missing and "action" not in likely:
        others = [name for name in free if name not in likely.values()]
        if name := proposed("clicks", others):
            missing = ["clicks" if one == "action" else one for one in missing]
            likely["clicks"] = name
            faults[-1] = f"no column for {listed(missing)}; {has} {listed(header)}"
    likely = with_plain_id(likely, missing, free, "doc_id" in missing and bool(lists))
    is_implicit = kind == "judgments" and "grade" in missing and "grade" not in likely
    others = [name for name in free if name not in likely.values()]
    first = {column: rivals[0] for column, rivals in ambiguous.items()}
    columns = {**first, **{column: likely.get(column, "NAME") for column in missing}}
    if is_implicit and all(map(_TIME.search, others)):
        del columns["grade"]
    remedy = Text()
    if columns:
        one = "choose one" if not missing else "name it"
        several = "choose one of each" if not missing else "name them"
        begin = one if len(columns) == 1 else several
        remedy = Text(f"{begin}{', such as' if likely else ''}: ", use(columns=columns))
    if is_implicit:
        remedy += Text("; " if remedy else "", _IMPLICIT, use(grade=1))
    if "action" in missing and "action" not in likely:
        clicks = use(columns={"clicks": Blank("NAME")})
        remedy += Text("; if rows say what was clicked, or how often: ", clicks)
    if kind == "clicks" and missing == ["position"] and not likely:
        remedy += Text(SHOWN, use(impressions_from=Blank("RUN")))
    numbers = [number(name) is not None for name in header]
    if any(numbers) and not all(numbers):
        by_number = use(columns={"query_id": "1"})
        remedy += Text(" (without a header, by their numbers: ", by_number, ")")
    needed = [c for c in missing if not (is_implicit and c == "grade")]
    offered: dict[str, object] = {
        "columns": {**first, **{c: likely.get(c, Blank("NAME")) for c in needed}},
        **({"grade": 1} if is_implicit else {}),
    }
    fact = "; ".join(faults)
    if is_implicit:
        fact += "; each row is a relevant document"
    return NdcgSqlError(
        f"{shown}: {'; '.join(faults)}", remedy, offer=Offer(fact, offered)
    )
