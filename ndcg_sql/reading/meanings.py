"""What each column of a file means: by its usual name, or as the user names it."""

from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ndcg_sql.database.database import Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.columns import (
    BEIR,
    COLUMNS,
    DESCRIBED,
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
from ndcg_sql.reading.layouts import Layout, ReadRequest
from ndcg_sql.reading.nested import looked_into
from ndcg_sql.reading.sources import Source
from ndcg_sql.text import check_name, listed, number, quoted
from ndcg_sql.wording import FILE, Blank, Text, call, named, use

# The fewest columns of a header; a title has fewer.
_LEAST = 2
# How many lines or rows show whether titles stand above it.
FIRST = 20
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
class Header:
    """The names of the columns, and the 1-based places of those with a meaning.

    attributes are the columns of queries or documents that become attributes, or the
    further ones that are wanted of other files; left_out are those that cannot, as
    their values are nested; ignored are the columns of other files without a meaning.
    """

    names: Sequence[str]
    fields: dict[str, int]
    attributes: dict[str, int]
    left_out: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()

    @property
    def column_names(self) -> dict[str, str]:
        """The names in the file of the columns with a meaning."""
        return {column: self.names[at - 1] for column, at in self.fields.items()}

    def of_used(self) -> "Header":
        """Return the header of the columns that are read, and of no others."""
        used = {*self.column_names.values(), *self.attributes}
        names = [name for name in self.names if name in used]
        places = {name: at for at, name in enumerate(names, 1)}
        fields = {column: places[name] for column, name in self.column_names.items()}
        attributes = {name: places[name] for name in self.attributes}
        return Header(names, fields, attributes, self.left_out, self.ignored)

    def layout(
        self, steps: tuple[str, ...], parameters: Parameters, expected: str, **more: Any
    ) -> Layout:
        """Return how to read rows with a field for each name."""
        width = len(self.names)
        return Layout(
            steps,
            parameters,
            self.fields,
            (width, width),
            expected,
            attributes=self.attributes,
            left_out=self.left_out,
            ignored=self.ignored,
            run_column=self.column_names.get("run"),
            column_names=self.column_names,
            **more,
        )


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


def understood(
    source: Source,
    request: ReadRequest,
    names: Sequence[str],
    *,
    elsewhere: tuple[str, ...] = (),
    nested: Container[str] = (),
    has: str = HEADER,
    is_flat: bool = False,
) -> Header:
    """Return the meaning of each column; raise NdcgSqlError if one is missing.

    elsewhere are columns that the file need not have, beside those of the request;
    nested are columns whose values are structures; has is what a message says before
    the names. Unless names are those of what is nested (is_flat), columns that must be
    looked into have no meaning: all that are needed become attributes.
    """
    if not is_flat and (deeper := looked_into(names, request, nested)):
        return Header(names, {}, {name: names.index(name) + 1 for name in deeper})
    elsewhere = (*request.elsewhere, *elsewhere)
    fields = _fields(source.shown, request, [*names], elsewhere, has)
    run = fields.get("run")
    if run and "run" not in request.named and names[run - 1] in nested:
        # A structure describes a system, but is not the name of a run.
        del fields["run"]
    wanted: dict[str, int] = {}
    for name in request.reading.wanted:
        check_once(source.shown, name, names, has)
        wanted[name] = names.index(name) + 1
    used = {*fields.values()}
    others = {name: at for at, name in enumerate(names, 1) if at not in used}
    if request.kind in DESCRIBED:
        _check_attributes(source, names, others)
        flat = {name: at for name, at in others.items() if name not in nested}
        return Header(names, fields, flat, tuple(n for n in others if n in nested))
    ignored = tuple(name for name in others if name.strip() and name not in wanted)
    return Header(names, fields, wanted, ignored=ignored)


def _fields(
    shown: str,
    request: ReadRequest,
    header: list[str],
    elsewhere: tuple[str, ...],
    has: str,
) -> dict[str, int]:
    """Return the 1-based field of each column; refuse missing and ambiguous ones."""
    kind, names = request.kind, request.named
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
    usual = {i: meaning(name, kind) for i, name in enumerate(header, 1)}
    if kind in _GRADED and set(header) >= BEIR:
        usual[header.index("score") + 1] = "grade"
    if kind == "queries":
        usual = _queries(header, usual, place_of)
    sheet = _Sheet(shown, kind, header, has, usual)
    ambiguous = _add_usual(sheet, place_of, request.reading.run_column)
    if kind in _GRADED and "grade" not in place_of and "label" in place_of:
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
                raise NdcgSqlError(
                    Text(
                        f"{sheet.shown}: {listed(rivals)} could each name the run, or ",
                        use(run_column=NO_RUNS),
                    ),
                    Text("choose one: ", use(run_column=rivals[0])),
                    needs=("run_column",),
                )
            ambiguous[column] = rivals
    return ambiguous


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
    kind = sheet.kind
    present = {c: sheet.names[i - 1] for i, c in reversed(sheet.usual.items()) if c}
    if kind == "judgments" and "grade" in elsewhere and "score" in present:
        # One grade for all is for files without numbers that tell rows apart.
        score = present["score"]
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
    numbers = {"score", "rank", "grade", "label"} & present.keys()
    is_described = bool({"text", "weight"} & place_of.keys())
    if kind == "queries" and not is_described and "doc_id" in present and numbers:
        column = {"query_id": present["query_id"]} if "query_id" in present else {}
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


def below_titles(rows: Iterable[tuple[int, Sequence[str]]]) -> int | None:
    """Return the number of the row that is likely to be the header, if not the first.

    rows are the first ones with their numbers. A header has names alone, each once,
    in as many fields as any row; a title above it has fewer.
    """
    filled = {
        at: [field.strip() for field in fields if field.strip()] for at, fields in rows
    }
    if not filled:
        return None
    most = max(map(len, filled.values()))
    first, *others = filled
    if most < _LEAST or len(filled[first]) == most:
        return None
    whole = next(at for at in others if len(filled[at]) == most)
    names = filled[whole]
    is_header = len(set(names)) == most and all(number(name) is None for name in names)
    return whole if is_header else None


def _check_attributes(
    source: Source, names: Sequence[str], attributes: dict[str, int]
) -> None:
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise NdcgSqlError(
            f"{source.shown}: several columns are named {listed(twice)}; rename one"
        )
    for name in attributes:
        fault = check_name("attribute", name)
        if fault:
            raise NdcgSqlError(f"{source.shown}: {fault}; rename the column")
