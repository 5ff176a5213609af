"""What each column of a file means: by its usual names, or as the user names it."""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache, lru_cache
from typing import Literal

from ndcg_sql.database import sql_files
from ndcg_sql.errors import NdcgSqlError, Offer
from ndcg_sql.reading.proposals import (
    of_judgments,
    of_rankings,
    proposed,
    proposed_list,
    with_plain_id,
)
from ndcg_sql.text import closest_of_any_case, harmless, listed, nearest, number, quoted
from ndcg_sql.wording import Blank, Text, Wording, call, named, use

Kind = Literal[
    "run", "judgments", "assessments", "queries", "documents", "known", "clicks"
]
# The kinds of files that describe what others rank and judge.
DESCRIBED = ("queries", "documents")
# The columns that a file of a kind may have.
COLUMNS = {
    "run": ("query_id", "doc_id", "score", "rank", "run"),
    "judgments": ("query_id", "doc_id", "grade", "label", "subtopic"),
    "assessments": (
        *("query_id", "doc_id", "grade", "label"),
        *("assessor", "assessed_at"),
    ),
    "queries": ("query_id", "text", "weight"),
    "documents": ("doc_id", "title", "text", "url"),
    "known": ("query_id", "doc_id", "count", "time"),
    "clicks": (
        *("query_id", "doc_id", "action", "position", "time"),
        *("clicks", "impressions", "search_id"),
    ),
}
# The value of run_column that leaves all rows of a file to one run.
NO_RUNS = "none"
# What a message says before the names of columns.
HEADER = "the header has"
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
# Columns that cannot be a grade.
_TIME = re.compile("time|date|day|week|month|year|stamp", re.I)
_IMPLICIT = "if each row is a relevant document: "
# BEIR calls a grade a score.
_BEIR = {"query-id", "corpus-id", "score"}
_A_RUN, _JUDGMENTS = "it looks like a run", "it looks like judgments"
_LOOKS_LIKE_A_RUN = f"{_A_RUN}: " + call("load_run", Blank("FILE"))
# What a message says before the run that is a way out of clicks without impressions.
SHOWN = "; if searches showed the ranking of a run: "
# What names of columns say of an event, beside its action: where the document was.
_PLACED = {"position", "event_attributes"}


def number_of(kind: Kind) -> str:
    """Return what the number is called that the rows of a kind have."""
    return {"run": "score", "known": "count"}.get(kind, "grade")


def of_header(header: Iterable[str], kind: Kind) -> set[str]:
    """Return the columns that are in a header under usual names."""
    return {column for name in header if (column := _column(name, kind))}


def _folded(name: str) -> str:
    """Return a name as column_names.csv writes it."""
    return re.sub(r"[\s\-.]+", "_", name.strip().lower())


# The keys of a dict by query are looked up at each call.
@lru_cache(maxsize=1 << 16)
def _column(name: str, kind: Kind) -> str | None:
    """Return the column that a usual name means in files of a kind, or None."""
    return _usual(kind).get(_folded(name))


@cache
def _usual(kind: Kind) -> dict[str, str]:
    """Return the columns of files of a kind by their usual names; the first counts.

    A name without a column has no meaning in files of its kind.
    """
    rows = [
        row for row in sql_files.rows("read/column_names") if row["kind"] in ("", kind)
    ]
    usual = {row["name"]: row["column"] for row in reversed(rows)}
    return {name: column for name, column in usual.items() if column}


@cache
def _at_last(kind: Kind) -> frozenset[str]:
    """Return the usual names that mean a column of a kind if no other name does."""
    rows = sql_files.rows("read/column_names")
    return frozenset(
        row["name"] for row in rows if row["at_last"] and row["kind"] in ("", kind)
    )


def is_usual_at_last(name: str, kind: Kind) -> bool:
    """Return whether a name means a column of a kind only if no other name does."""
    return _folded(name) in _at_last(kind)


def check_columns(names: Iterable[str], *kinds: Kind) -> None:
    """Raise NdcgSqlError for a column that no file of these kinds has."""
    allowed = dict.fromkeys(column for kind in kinds for column in COLUMNS[kind])
    for column in names:
        if column not in allowed:
            raise NdcgSqlError(
                f"not a column of a {' or '.join(kinds)} file",
                nearest(column, allowed) or listed(allowed),
                where=named("columns") + f" {harmless(column)}",
            )


def check_once(shown: str, name: str, header: Sequence[str], has: str = HEADER) -> None:
    """Raise NdcgSqlError unless a header has a name, and once."""
    count = header.count(name)
    if count > 1:
        what = f"{shown}: {count} columns are called {quoted(name)}"
        raise NdcgSqlError(what, "rename one")
    if count == 0:
        # Names of columns are short: half of the letters are in common by chance.
        close = closest_of_any_case(name, reversed(header), 0.6)
        hint = f"did you mean {listed(close)}?" if close else f"{has} {listed(header)}"
        raise NdcgSqlError(f"{shown}: no column {quoted(name)}", hint)


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
    usual = {i: _column(name, kind) for i, name in enumerate(header, 1)}
    graded = kind in ("judgments", "assessments")
    if graded and set(header) >= _BEIR:
        usual[header.index("score") + 1] = "grade"
    if kind == "queries":
        usual = _queries(header, usual, place_of)
    ambiguous: dict[str, list[str]] = {}
    for column in COLUMNS[kind]:
        if column in place_of or (column == "run" and run_column == NO_RUNS):
            continue
        free = [i for i in usual if i not in place_of.values()]
        exact = [i for i in free if header[i - 1].strip() == column]
        places = exact or [i for i in free if usual[i] == column]
        sure = [i for i in places if not is_usual_at_last(header[i - 1], kind)]
        # No column needs such a name: of several, none counts, and all are told.
        places = sure or (places if len(places) == 1 else [])
        if len(places) > 1:
            for i in places:
                check_once(shown, header[i - 1], header, has)
            rivals = listed(header[i - 1] for i in places)
            if column == "run":
                raise NdcgSqlError(
                    f"{shown}: {rivals} could each name the run",
                    Text(
                        "choose one: ",
                        use(run_column=header[places[0] - 1]),
                        ", or ignore them: ",
                        use(run_column=NO_RUNS),
                    ),
                    offer=Offer(
                        f"{rivals} could each name the run",
                        {"run_column": header[places[0] - 1]},
                    ),
                )
            ambiguous[column] = [header[i - 1] for i in places]
        elif places:
            place_of[column] = places[0]
    if graded and "grade" not in place_of and "label" in place_of:
        place_of["grade"] = place_of.pop("label")
    if kind == "clicks" and "clicks" in {*place_of, *ambiguous}:
        # A row says what became of it, and is no single event.
        elsewhere = (*elsewhere, "action")
    missing = [c for c in _NEEDED[kind] if c not in (*place_of, *elsewhere, *ambiguous)]
    if graded and "grade" in missing:
        _check_no_log(shown, kind, header, missing, has)
    there = set(usual.values())
    is_bare = kind == "documents" and [*place_of] == ["doc_id"] and not names
    if is_bare and "query_id" in there:
        raise _interactions(shown, header[place_of["doc_id"] - 1], there)
    is_run = "score" in there or bool(of_rankings(header))
    if kind == "assessments":
        # What assessors are shown may be in the order of a ranking.
        is_run = "score" in there
    is_run = graded and "grade" in missing and is_run and not of_judgments(header)
    if is_run and missing == ["grade"] and not ambiguous:
        otherwise = Text()
        if not {"score", "rank"} & there:
            grade = use(columns={"grade": of_rankings(header)[0]})
            otherwise = Text("; if it is not: ", grade)
        raise another_kind(f'{shown}: no column for "grade"', "run", otherwise)
    if kind == "judgments" and "grade" in elsewhere and "score" in there:
        # One grade for all is for files without numbers that tell rows apart.
        score = header[next(i for i in usual if usual[i] == "score") - 1]
        raise NdcgSqlError(
            f"{shown}: column {quoted(score)} beside one grade for all rows",
            Text(
                "if it is the grade: ",
                use(columns={"grade": score}),
                "; if not, ",
                _LOOKS_LIKE_A_RUN,
            ),
        )
    if (
        kind == "run"
        and not {"score", "rank"} & {*there, *place_of}
        and "grade" in there
    ):
        grade = header[next(i for i in usual if usual[i] == "grade") - 1]
        raise looks_like_judgments(shown, grade, {})
    if kind == "queries" and not names and not {"text", "weight"} & place_of.keys():
        _check_are_queries(shown, header, there)
    if missing or ambiguous:
        free = [
            header[i - 1] for i in usual if not usual[i] and i not in place_of.values()
        ]
        if is_run and not lists:
            # Which column is the grade is not asked of a run.
            missing = [column for column in missing if column != "grade"]
        raise _unclear(shown, kind, header, free, missing, ambiguous, lists, has)
    return place_of


def looks_like_judgments(
    shown: str, grade: str, columns: dict[str, str]
) -> NdcgSqlError:
    """Return the error for judgments in place of a run, with what their columns are.

    grade is the column that says so; the relevance that a system gives is its score.
    """
    way = {"columns": columns} if columns else {}
    otherwise = Text("; if it is a run: ", use(columns={"score": grade}))
    judging = call("load_judgments", Blank("FILE"), **way)
    return NdcgSqlError(
        f"{shown}: no column for the score",
        Text(f"{_JUDGMENTS}: ", judging, otherwise),
        offer=Offer(Text(_JUDGMENTS, otherwise), way, "load_judgments"),
    )


def _check_no_log(
    shown: str, kind: Kind, header: list[str], missing: list[str], has: str
) -> None:
    """Raise NdcgSqlError for a log of events, whose rows are no judgments.

    missing are the columns that the file lacks, the grade among them.
    """
    of_log = {_column(name, "clicks") or _folded(name): name for name in header}
    if "action" not in of_log:
        return
    what = f"{shown}: no column for {listed(missing)}; {has} {listed(header)}"
    if _PLACED & of_log.keys():
        raise NdcgSqlError(
            what,
            "it looks like a log of clicks: " + call("load_clicks", Blank("FILE")),
            offer=Offer("it looks like a log of clicks", {}, "load_clicks"),
        )
    if missing != ["grade"] or "score" in of_header(header, kind):
        return
    position = {"position": Blank("NAME")}
    remedy = Text(
        "if it is a log of what was shown and clicked: ",
        call("load_clicks", Blank("FILE"), columns=position),
    )
    if kind == "judgments":
        one = use(grade=1, where={of_log["action"]: Blank("VALUE")})
        remedy = Text("if one action makes a document relevant: ", one, "; ", remedy)
    raise NdcgSqlError(what, remedy)


def _interactions(
    shown: str, document: str, there: Collection[str | None]
) -> NdcgSqlError:
    """Return the error for a file of documents whose rows have queries, too.

    document is the column of documents; there are the meanings of all columns.
    """
    way = call("load_judgments", Blank("FILE"), grade=1)
    if {"grade", "label"} & {*there}:
        way = call("load_judgments", Blank("FILE"))
    elif {"score", "rank"} & {*there}:
        way = call("load_run", Blank("FILE"))
    fact = "each row has a query or user and a document, as judgments and runs do"
    return NdcgSqlError(
        f"{shown}: {fact}",
        Text(
            "to load it as such: ",
            way,
            "; as what users know already: ",
            call("load_known", Blank("FILE")),
            "; if each row describes a document: ",
            use(columns={"doc_id": document}),
        ),
    )


def _check_are_queries(
    shown: str, header: list[str], there: Collection[str | None]
) -> None:
    """Raise NdcgSqlError for a file of queries whose rows rank or judge documents.

    there are the meanings of all columns.
    """
    query = next((n for n in header if _column(n, "queries") == "query_id"), None)
    # Beside an id of queries, what only resembles these is an attribute: avg_score.
    similar = [] if query else header
    query = query or proposed("query_id", header)
    if query is None or not ("doc_id" in there or proposed("doc_id", similar)):
        return
    if {"score", "rank"} & {*there} or of_rankings(similar):
        looks_like = "run"
    elif {"grade", "label"} & {*there} or of_judgments(similar):
        looks_like = "judgments"
    else:
        return
    columns = {"query_id": query}
    otherwise = Text("; if each row describes a query: ", use(columns=columns))
    raise another_kind(f"{shown}: no queries", looks_like, otherwise)


def another_kind(
    what: str, looks_like: Literal["run", "judgments"], otherwise: Wording = ""
) -> NdcgSqlError:
    """Return the error for a file that looks like one of another kind.

    otherwise goes on with what to do if it is none.
    """
    looks = _A_RUN if looks_like == "run" else _JUDGMENTS
    method = f"load_{looks_like}"
    return NdcgSqlError(
        what,
        Text(f"{looks}: ", call(method, Blank("FILE")), otherwise),
        offer=Offer(Text(looks, otherwise), {}, method),
    )


def _queries(
    header: list[str], usual: dict[int, str | None], stated: dict[str, int]
) -> dict[int, str | None]:
    """Return what the columns of a file of queries mean, with one for the id.

    stated are the columns that the user named.
    """
    free = {
        _folded(name): place
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
