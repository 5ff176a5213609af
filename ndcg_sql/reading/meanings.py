"""What each column of a file means: by its usual name, or as the user names it."""

from collections.abc import Container, Sequence
from dataclasses import replace

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading import columns
from ndcg_sql.reading.columns import Kind
from ndcg_sql.reading.layouts import Layout, ReadRequest
from ndcg_sql.reading.sources import Source
from ndcg_sql.text import check_name, listed, quoted
from ndcg_sql.wording import FILE, Blank, Text, call, named, use

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
    has: str = columns.HEADER,
) -> Layout:
    """Return how to read rows with a field for each name, but for its steps.

    Columns elsewhere may be missing; nested ones have structures for values. has is
    what a message says before the names.
    """
    sheet = _Sheet(source.shown, request, [*names], has)
    fields = sheet.fields((*request.reading.elsewhere, *elsewhere))
    run = fields.get("run")
    if run and "run" not in request.named and names[run - 1] in nested:
        # A structure describes a system, but is not the name of a run.
        del fields["run"]
    meant = {column: names[at - 1] for column, at in fields.items()}
    how = Layout(source, fields=fields, names=names, column_names=meant)
    how = replace(how, run_column=meant.get("run"), field_range=(len(names),) * 2)
    wanted: dict[str, int] = {}
    for name in request.reading.wanted:
        columns.check_once(source.shown, name, names, has)
        wanted[name] = names.index(name) + 1
    used = {*fields.values()}
    others = {name: at for at, name in enumerate(names, 1) if at not in used}
    if request.kind not in columns.DESCRIBED:
        ignored = tuple(name for name in others if name.strip() and name not in wanted)
        return replace(how, attributes=wanted, ignored=ignored)
    columns.check_distinct(source.shown, names, "rename one")
    for name in others:
        if fault := check_name("attribute", name):
            raise source.error(f"{fault}; rename the column")
    flat = {name: at for name, at in others.items() if name not in nested}
    left_out = tuple(name for name in others if name in nested)
    return replace(how, attributes=flat, left_out=left_out)


class _Sheet:
    """The columns of a file: their names, and by their places what usual names mean."""

    def __init__(
        self, shown: str, request: ReadRequest, names: list[str], has: str
    ) -> None:
        self._shown, self._request, self._names, self._has = shown, request, names, has
        self._kind: Kind = request.kind
        self._stated = request.named
        self._places: dict[str, int] = {}
        self._usual = {
            i: columns.meaning(name, self._kind) for i, name in enumerate(names, 1)
        }

    def fields(self, elsewhere: tuple[str, ...]) -> dict[str, int]:
        """Return the place of each column; refuse missing and ambiguous ones."""
        kind, names, places = self._kind, self._names, self._places
        columns.check_columns(self._stated, kind)
        for column, name in self._stated.items():
            columns.check_once(self._shown, name, names, self._has)
            place = names.index(name) + 1
            if place in places.values():
                raise NdcgSqlError(
                    f"column {quoted(name)} is already used",
                    "a column of the file can have only one meaning",
                    where=named("columns") + f" {column}",
                )
            places[column] = place
        if kind in _GRADED and set(names) >= columns.BEIR:
            self._usual[names.index("score") + 1] = "grade"
        ambiguous = self._add_usual()
        if kind in _GRADED and "grade" not in places and "label" in places:
            places["grade"] = places.pop("label")
        if kind == "clicks" and "clicks" in {*places, *ambiguous}:
            # A row says what became of it, and is no single event.
            elsewhere = (*elsewhere, "action")
        self._check_kind(elsewhere)
        present = {*places, *elsewhere, *ambiguous}
        missing = [column for column in columns.NEEDED[kind] if column not in present]
        if missing or ambiguous:
            raise self._unclear(missing, ambiguous)
        return places

    def _free(self) -> list[int]:
        """Return the places of the columns without a meaning."""
        return [at for at in self._usual if at not in self._places.values()]

    def _add_usual(self) -> dict[str, list[str]]:
        """Add columns with usual names; return the names of doubtful ones."""
        names, places, kind = self._names, self._places, self._kind
        is_one_run = self._request.reading.run_column == columns.NO_RUNS
        ambiguous: dict[str, list[str]] = {}
        for column in columns.COLUMNS[kind]:
            if column in places or (column == "run" and is_one_run):
                continue
            free = self._free()
            exact = [i for i in free if names[i - 1].strip() == column]
            meant = exact or [i for i in free if self._usual[i] == column]
            if column == "text" and kind == "queries" and not meant:
                # Beside an id of a query, this is its text.
                meant = [i for i in free if columns.folded(names[i - 1]) == "query"]
            doubts = {i: columns.doubt(names[i - 1], kind) for i in meant}
            least = min(doubts.values(), default=0)
            meant = [i for i in meant if doubts[i] == least]
            # No column needs a doubtful name: of several, none counts.
            meant = meant if not least or len(meant) == 1 else []
            if len(meant) == 1:
                places[column] = meant[0]
            elif rivals := [names[i - 1] for i in meant]:
                for name in rivals:
                    columns.check_once(self._shown, name, names, self._has)
                ambiguous[column] = rivals
        if rivals := ambiguous.get("run"):
            what = f"{self._shown}: {listed(rivals)} could each name the run, or "
            what += use(run_column=columns.NO_RUNS)
            remedy = "choose one: " + use(run_column=rivals[0])
            raise NdcgSqlError(what, remedy, needs=("run_column",))
        return ambiguous

    def _check_kind(self, elsewhere: tuple[str, ...]) -> None:
        """Raise NdcgSqlError for a file of another kind than it is to be read as."""
        kind, names, places = self._kind, self._names, self._places
        present = {c: names[i - 1] for i, c in reversed(self._usual.items()) if c}
        score = present.get("score")
        if kind == "judgments" and "grade" in elsewhere and score:
            # One grade for all is for files without numbers that tell rows apart.
            what = f"{self._shown}: column {quoted(score)} beside one grade"
            remedy = "if it is the grade: " + use(columns={"grade": score})
            raise NdcgSqlError(f"{what} for all rows", remedy, needs=("kind",))
        own = {"queries": "query_id", "documents": "doc_id"}.get(kind)
        numbers = {"score", "rank", "grade", "label"} & present.keys()
        is_pair = {"query_id", "doc_id"} <= present.keys() and [*places] == [own]
        if is_pair and own and not self._stated and (numbers or kind == "documents"):
            remedy = Text(f"if each row is one of the {kind}: ")
            remedy += use(columns={own: names[places[own] - 1]})
            if kind == "documents":
                remedy += "; if users know them already: " + call("load_known", FILE)
            what = f"{self._shown}: no {kind}: each row has a query and a document"
            raise NdcgSqlError(what, remedy, needs=("kind",))

    def _unclear(
        self, missing: list[str], ambiguous: dict[str, list[str]]
    ) -> NdcgSqlError:
        """Return the error for columns that are missing or could each be the same."""
        kind, names = self._kind, self._names
        faults = [
            f"{listed(rivals)} could each be the {column}"
            for column, rivals in ambiguous.items()
        ]
        named_so: dict[str, str] = {c: rivals[0] for c, rivals in ambiguous.items()}
        free = [names[at - 1] for at in self._free()]
        for column in missing:
            others = [name for name in free if name not in named_so.values()]
            name = columns.likely(column, others, kind)
            if column == "action" and name is None:
                name = columns.likely("clicks", others, kind)
                column = column if name is None else "clicks"
            named_so[column] = name or "NAME"
        if missing:
            lacking = listed(column for column in named_so if column not in ambiguous)
            faults.append(f"no column for {lacking}; {self._has} {listed(names)}")
        remedy = Text(f"name {'it' if len(named_so) == 1 else 'them'}: ")
        remedy += use(columns=named_so)
        unknown = [column for column, name in named_so.items() if name == "NAME"]
        if kind == "clicks" and "action" in unknown:
            remedy += "; if a column has clicks or their number: "
            remedy += use(columns={"clicks": Blank("NAME")})
        if kind == "clicks" and [*named_so] == unknown == ["position"]:
            remedy += SHOWN + use(impressions_from=Blank("RUN"))
        if kind == "judgments" and "grade" in missing:
            remedy += "; if each row is a relevant document: " + use(grade=1)
        if kind == "assessments" and "grade" in missing:
            remedy += "; if each assessor has a column: "
            remedy += use(assessor_columns=["NAME"])
        if missing == unknown == ["query_id"] and kind in _WITH_QUERY:
            remedy += "; if all rows are of one query: " + use(query=Blank("ID"))
        needs = ("columns", "grade", "format_in", "encoding", "kind")
        return NdcgSqlError(f"{self._shown}: {'; '.join(faults)}", remedy, needs=needs)
