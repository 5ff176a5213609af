"""What each column of a file means: by its usual name, or as the user names it."""

from dataclasses import dataclass

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.columns import (
    BEIR,
    COLUMNS,
    HEADER,
    NEEDED,
    NO_RUNS,
    Kind,
    check_columns,
    check_once,
    folded,
    is_usual_at_last,
    likely,
    meaning,
)
from ndcg_sql.text import listed, number, quoted
from ndcg_sql.wording import FILE, Blank, Text, call, named, use

# Names that mean the id of a query only if no other column does, the best first. A
# query without that meaning is the text of a query.
_ID_AT_LAST = ("id", "query")
# The kinds of files whose rows have grades.
_GRADED = ("judgments", "assessments")
# The kinds of files that may be of one query that the user names.
_WITH_QUERY = ("run", "judgments")
# What a message says before the run that is a way out of clicks without impressions.
SHOWN = "; if searches showed the ranking of a run: "


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
    has: str = HEADER,
) -> dict[str, int]:
    """Return the 1-based field of each column in a header.

    names maps columns to their names in the file. Columns from elsewhere need
    not be in the file. run_column is what the user gave as the column that names
    runs, or NO_RUNS; has is what a message says before the names in the header.
    Raises NdcgSqlError if a required column is missing or ambiguous.
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
    missing = [c for c in NEEDED[kind] if c not in (*place_of, *elsewhere, *ambiguous)]
    _check_kind(sheet, place_of, bool(names), elsewhere)
    if missing or ambiguous:
        free = [header[i - 1] for i in usual if i not in place_of.values()]
        raise _unclear(sheet, free, missing, ambiguous)
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
    if kind in _GRADED and set(header) >= BEIR:
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
    ignored = use(run_column=NO_RUNS)
    return NdcgSqlError(
        Text(f"{shown}: {listed(rivals)} could each name the run, or ", ignored),
        Text("choose one: ", use(run_column=rivals[0])),
        needs=("run_column",),
    )


def _check_kind(
    sheet: _Sheet,
    place_of: dict[str, int],
    is_named: bool,
    elsewhere: tuple[str, ...],
) -> None:
    """Raise NdcgSqlError for a file of another kind than it is to be read as.

    place_of are the places of columns with a meaning; is_named is whether the user
    named any.
    """
    kind, present = sheet.kind, sheet.meanings
    if kind == "judgments" and "grade" in elsewhere and "score" in present:
        # One grade for all is for files without numbers that tell rows apart.
        score = sheet.name("score")
        raise NdcgSqlError(
            f"{sheet.shown}: column {quoted(score)} beside one grade for all rows",
            Text("if it is the grade: ", use(columns={"grade": score})),
            needs=("kind",),
        )
    if is_named:
        return
    if kind == "documents" and [*place_of] == ["doc_id"] and "query_id" in present:
        column = {"doc_id": sheet.names[place_of["doc_id"] - 1]}
        raise NdcgSqlError(
            f"{sheet.shown}: each row has a query or user and a document, as judgments"
            " and runs do",
            Text(
                "if users know these documents already: ",
                call("load_known", FILE),
                "; if each row describes a document: ",
                use(columns=column),
            ),
            needs=("kind",),
        )
    numbers = {"score", "rank", "grade", "label"} & present
    is_described = bool({"text", "weight"} & place_of.keys())
    if kind == "queries" and not is_described and "doc_id" in present and numbers:
        column = {"query_id": sheet.name("query_id")} if "query_id" in present else {}
        raise NdcgSqlError(
            f"{sheet.shown}: no queries: each row has a document and a {min(numbers)}",
            Text("if each row describes a query: ", use(columns=column)),
            needs=("kind",),
        )


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
    sheet: _Sheet,
    free: list[str],
    missing: list[str],
    ambiguous: dict[str, list[str]],
) -> NdcgSqlError:
    """Return the error for columns that are missing or could each be the same one.

    free are the columns of the header that are not used.
    """
    kind = sheet.kind
    columns: dict[str, object] = {c: rivals[0] for c, rivals in ambiguous.items()}
    faults = [
        f"{listed(rivals)} could each be the {column}"
        for column, rivals in ambiguous.items()
    ]
    for column in missing:
        others = [name for name in free if name not in columns.values()]
        name = likely(column, others, kind)
        if column == "action" and name is None:
            name = likely("clicks", others, kind)
            column = column if name is None else "clicks"
        columns[column] = name or Blank("NAME")
    lacking = [column for column in columns if column not in ambiguous]
    if missing:
        faults.append(
            f"no column for {listed(lacking)}; {sheet.has} {listed(sheet.names)}"
        )
    begin = "name them" if missing else "choose one of each"
    if len(columns) == 1:
        begin = "name it" if missing else "choose one"
    unknown = {c: "NAME" for c, name in columns.items() if isinstance(name, Blank)}
    such_as = ", such as" * any(column not in unknown for column in lacking)
    remedy = Text(f"{begin}{such_as}: ", use(columns={**columns, **unknown}))
    if kind == "clicks" and "action" in unknown:
        clicks = use(columns={"clicks": Blank("NAME")})
        remedy += Text("; if rows say what was clicked, or how often: ", clicks)
    if kind == "clicks" and [*columns] == ["position"] and unknown:
        remedy += Text(SHOWN, use(impressions_from=Blank("RUN")))
    if kind == "judgments" and "grade" in missing:
        remedy += Text("; if each row is a relevant document: ", use(grade=1))
    if missing == ["query_id"] and "query_id" in unknown and kind in _WITH_QUERY:
        remedy += Text("; if all rows are of one query: ", use(query=Blank("ID")))
    numbers = [number(name) is not None for name in sheet.names]
    if any(numbers) and not all(numbers):
        by_number = use(columns={"query_id": "1"})
        remedy += Text(" (without a header, by their numbers: ", by_number, ")")
    fact = "; ".join(faults)
    needs = ("columns", "grade", "assessor_columns", "format_in", "encoding", "kind")
    return NdcgSqlError(f"{sheet.shown}: {fact}", remedy, needs=needs)
