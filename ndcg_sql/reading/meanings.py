"""What each column of a file means: by its usual name, or as the user names it."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import replace

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
    check_distinct,
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


def understood(
    source: Source,
    request: ReadRequest,
    names: Sequence[str],
    *,
    elsewhere: tuple[str, ...] = (),
    nested: Container[str] = (),
    has: str = HEADER,
    is_flat: bool = False,
) -> Layout:
    """Return how to read rows with a field for each name, but for its steps.

    Raises NdcgSqlError if a column is missing.
    elsewhere are columns that the file need not have, beside those of the request;
    nested are columns whose values are structures; has is what a message says before
    the names. Unless names are those of what is nested (is_flat), columns that must be
    looked into have no meaning: all that are needed become attributes.
    """
    width, header = len(names), [*names]
    how = Layout((), {}, {}, (width, width), "", names=names)
    if not is_flat and (deeper := looked_into(names, request, nested)):
        return how.with_columns({}, {name: header.index(name) + 1 for name in deeper})
    sheet = _Sheet(source.shown, request, header, has)
    fields = sheet.fields((*request.elsewhere, *elsewhere))
    run = fields.get("run")
    if run and "run" not in request.named and names[run - 1] in nested:
        # A structure describes a system, but is not the name of a run.
        del fields["run"]
    wanted: dict[str, int] = {}
    for name in request.reading.wanted:
        check_once(source.shown, name, names, has)
        wanted[name] = header.index(name) + 1
    used = {*fields.values()}
    others = {name: at for at, name in enumerate(names, 1) if at not in used}
    if request.kind in DESCRIBED:
        _check_attributes(source, names, others)
        flat = {name: at for name, at in others.items() if name not in nested}
        left_out = tuple(name for name in others if name in nested)
        return replace(how.with_columns(fields, flat), left_out=left_out)
    ignored = tuple(name for name in others if name.strip() and name not in wanted)
    return replace(how.with_columns(fields, wanted), ignored=ignored)


class _Sheet:
    """The columns of a file: their names, and by their places what usual names mean.

    shown is what messages call the file; has is what they say before the names.
    """

    def __init__(
        self, shown: str, request: ReadRequest, names: list[str], has: str
    ) -> None:
        self._shown, self._request, self._names, self._has = shown, request, names, has
        self._kind: Kind = request.kind
        self._stated = request.named
        self._places: dict[str, int] = {}
        self._usual = {i: meaning(name, self._kind) for i, name in enumerate(names, 1)}

    def fields(self, elsewhere: tuple[str, ...]) -> dict[str, int]:
        """Return the 1-based field of each column; refuse missing and ambiguous ones.

        elsewhere are columns that the file need not have.
        """
        kind, names, places = self._kind, self._names, self._places
        check_columns(self._stated, kind)
        for column, name in self._stated.items():
            check_once(self._shown, name, names, self._has)
            place = names.index(name) + 1
            if place in places.values():
                raise NdcgSqlError(
                    f"column {quoted(name)} is already used",
                    "a column of the file can have only one meaning",
                    where=named("columns") + f" {column}",
                )
            places[column] = place
        if kind in _GRADED and set(names) >= BEIR:
            self._usual[names.index("score") + 1] = "grade"
        if kind == "queries":
            self._choose_id()
        ambiguous = self._add_usual()
        if kind in _GRADED and "grade" not in places and "label" in places:
            places["grade"] = places.pop("label")
        if kind == "clicks" and "clicks" in {*places, *ambiguous}:
            # A row says what became of it, and is no single event.
            elsewhere = (*elsewhere, "action")
        present = (*places, *elsewhere, *ambiguous)
        missing = [column for column in NEEDED[kind] if column not in present]
        self._check_kind(elsewhere)
        if missing or ambiguous:
            raise self._unclear(missing, ambiguous)
        return places

    def _free(self) -> list[int]:
        """Return the places of the columns without a meaning."""
        return [at for at in self._usual if at not in self._places.values()]

    def _choose_id(self) -> None:
        """Choose the id of queries among columns that may be it, or their text."""
        free = {folded(self._names[at - 1]): at for at in self._free()}
        last = {name: free[name] for name in _ID_AT_LAST if name in free}
        usual = {*self._usual.values(), *self._stated}
        ids = {at for at, column in self._usual.items() if column == "query_id"}
        has_other = "query_id" in self._stated or bool(ids - {*last.values()})
        for name, place in last.items():
            if has_other:
                is_text = name == "query" and "text" not in usual
                self._usual[place] = "text" if is_text else None
            has_other = True

    def _add_usual(self) -> dict[str, list[str]]:
        """Add columns with usual names; return the names of doubtful ones.

        Raises NdcgSqlError if several could each name the run.
        """
        names, places, kind = self._names, self._places, self._kind
        is_one_run = self._request.reading.run_column == NO_RUNS
        ambiguous: dict[str, list[str]] = {}
        for column in COLUMNS[kind]:
            if column in places or (column == "run" and is_one_run):
                continue
            free = self._free()
            exact = [i for i in free if names[i - 1].strip() == column]
            meant = exact or [i for i in free if self._usual[i] == column]
            sure = [i for i in meant if not is_usual_at_last(names[i - 1], kind)]
            # No column needs such a name: of several, none counts, and all are told.
            meant = sure or (meant if len(meant) == 1 else [])
            rivals = [names[i - 1] for i in meant]
            if len(rivals) == 1:
                places[column] = meant[0]
                continue
            for name in rivals:
                check_once(self._shown, name, names, self._has)
            if rivals and column == "run":
                raise NdcgSqlError(
                    Text(
                        f"{self._shown}: {listed(rivals)} could each name the run, or ",
                        use(run_column=NO_RUNS),
                    ),
                    Text("choose one: ", use(run_column=rivals[0])),
                    needs=("run_column",),
                )
            ambiguous |= {column: rivals} if rivals else {}
        return ambiguous

    def _check_kind(self, elsewhere: tuple[str, ...]) -> None:
        """Raise NdcgSqlError for a file of another kind than it is to be read as."""
        kind, names, places = self._kind, self._names, self._places
        present = {c: names[i - 1] for i, c in reversed(self._usual.items()) if c}
        what = ""
        remedy = Text()
        if kind == "judgments" and "grade" in elsewhere and "score" in present:
            # One grade for all is for files without numbers that tell rows apart.
            score = present["score"]
            what = f"column {quoted(score)} beside one grade for all rows"
            remedy = Text("if it is the grade: ", use(columns={"grade": score}))
        elif self._stated:
            return
        elif kind == "documents" and [*places] == ["doc_id"] and "query_id" in present:
            what = "each row has a query or user and a document, as judgments and runs"
            what += " do"
            remedy = Text(
                "if users know these documents already: ",
                call("load_known", FILE),
                "; if each row describes a document: ",
                use(columns={"doc_id": names[places["doc_id"] - 1]}),
            )
        numbers = {"score", "rank", "grade", "label"} & present.keys()
        is_described = bool({"text", "weight"} & places.keys())
        if kind == "queries" and not is_described and "doc_id" in present and numbers:
            what = f"no queries: each row has a document and a {min(numbers)}"
            column = {"query_id": present["query_id"]} if "query_id" in present else {}
            remedy = Text("if each row describes a query: ", use(columns=column))
        if what:
            raise NdcgSqlError(f"{self._shown}: {what}", remedy, needs=("kind",))

    def _unclear(
        self, missing: list[str], ambiguous: dict[str, list[str]]
    ) -> NdcgSqlError:
        """Return the error for columns that are missing or could each be the same."""
        kind, names = self._kind, self._names
        columns: dict[str, object] = {c: rivals[0] for c, rivals in ambiguous.items()}
        faults = [
            f"{listed(rivals)} could each be the {column}"
            for column, rivals in ambiguous.items()
        ]
        free = [names[at - 1] for at in self._free()]
        for column in missing:
            others = [name for name in free if name not in columns.values()]
            name = likely(column, others, kind)
            if column == "action" and name is None:
                name = likely("clicks", others, kind)
                column = column if name is None else "clicks"
            columns[column] = name or Blank("NAME")
        lacking = [column for column in columns if column not in ambiguous]
        if missing:
            facts = f"{self._has} {listed(names)}"
            faults.append(f"no column for {listed(lacking)}; {facts}")
        begin = "name them" if missing else "choose one of each"
        if len(columns) == 1:
            begin = "name it" if missing else "choose one"
        unknown = [c for c, name in columns.items() if isinstance(name, Blank)]
        such_as = ", such as" * any(column not in unknown for column in lacking)
        stated = {**columns, **dict.fromkeys(unknown, "NAME")}
        remedy = Text(f"{begin}{such_as}: ", use(columns=stated))
        numbers = [number(name) is not None for name in names]
        if kind == "clicks" and "action" in unknown:
            remedy += "; if rows say what was clicked, or how often: "
            remedy += use(columns={"clicks": Blank("NAME")})
        if kind == "clicks" and [*columns] == unknown == ["position"]:
            remedy += SHOWN + use(impressions_from=Blank("RUN"))
        if kind == "judgments" and "grade" in missing:
            remedy += "; if each row is a relevant document: " + use(grade=1)
        if missing == unknown == ["query_id"] and kind in _WITH_QUERY:
            remedy += "; if all rows are of one query: " + use(query=Blank("ID"))
        if any(numbers) and not all(numbers):
            by_number = use(columns={"query_id": "1"})
            remedy += Text(" (without a header, by their numbers: ", by_number, ")")
        needs = ("columns", "grade", "assessor_columns", "format_in", "encoding")
        fact = f"{self._shown}: {'; '.join(faults)}"
        return NdcgSqlError(fact, remedy, needs=(*needs, "kind"))


def below_titles(rows: Iterable[tuple[int, Sequence[str]]]) -> int | None:
    """Return the number of the row that is likely to be the header, if not the first.

    rows are the first ones with their numbers. A header has names alone, each once,
    in as many fields as any row; a title above it has fewer.
    """
    filled = {
        at: [field.strip() for field in fields if field.strip()] for at, fields in rows
    }
    most = max(map(len, filled.values()), default=0)
    whole = next((at for at, names in filled.items() if len(names) == most), None)
    if whole is None or whole == next(iter(filled)) or most < _LEAST:
        return None
    names = filled[whole]
    is_header = len(set(names)) == most and all(number(name) is None for name in names)
    return whole if is_header else None


def _check_attributes(
    source: Source, names: Sequence[str], attributes: dict[str, int]
) -> None:
    check_distinct(source.shown, names, "rename one")
    for name in attributes:
        fault = check_name("attribute", name)
        if fault:
            raise NdcgSqlError(f"{source.shown}: {fault}; rename the column")
