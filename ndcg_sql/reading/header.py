"""A header as it is understood: the meaning of each column of a file."""

from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading import columns, meanings
from ndcg_sql.reading.layouts import ReadRequest
from ndcg_sql.reading.nested import looked_into
from ndcg_sql.reading.sources import Source
from ndcg_sql.text import check_name, listed, number

# How many columns a header has at least, to be told from a title.
_LEAST = 2
# How many lines or rows show whether titles stand above it.
FIRST = 20


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
    left_out: tuple[str, ...]
    ignored: tuple[str, ...]

    @property
    def run_column(self) -> str | None:
        """The name of the column that names runs."""
        return self.column_names.get("run")

    @property
    def column_names(self) -> dict[str, str]:
        """The names in the file of the columns with a meaning."""
        return {column: self.names[at - 1] for column, at in self.fields.items()}


def understood(
    source: Source,
    request: ReadRequest,
    names: Sequence[str],
    *,
    elsewhere: tuple[str, ...] = (),
    nested: Container[str] = (),
    has: str = columns.HEADER,
    is_flat: bool = False,
) -> Header:
    """Return the meaning of each column; raise NdcgSqlError if one is missing.

    elsewhere are columns that the file need not have, beside those of the request;
    nested are columns whose values are structures; has is what a message says before
    the names. Unless names are those of what is nested (is_flat), columns that must be
    looked into have no meaning: all that are needed become attributes.
    """
    if not is_flat and (deeper := looked_into(names, request, nested)):
        places = {name: names.index(name) + 1 for name in deeper}
        return Header(names, {}, places, (), ())
    fields = meanings.fields(
        source.shown,
        request.kind,
        list(names),
        request.named,
        (*request.elsewhere, *elsewhere),
        request.reading.run_column,
        has,
    )
    if (
        "run" in fields
        and "run" not in request.named
        and names[fields["run"] - 1] in nested
    ):
        # A structure describes a system, but is not the name of a run.
        del fields["run"]
    used = set(fields.values())
    others = {name: at for at, name in enumerate(names, 1) if at not in used}
    if request.kind not in columns.DESCRIBED:
        wanted = _wanted(source, request.reading.wanted, names, has)
        ignored = tuple(
            name
            for at, name in enumerate(names, 1)
            if name.strip() and at not in used and name not in wanted
        )
        return Header(names, fields, wanted, (), ignored)
    _wanted(source, request.reading.wanted, names, has)
    _check_attributes(source, names, others)
    flat = {name: at for name, at in others.items() if name not in nested}
    left_out = tuple(name for name in others if name in nested)
    return Header(names, fields, flat, left_out, ())


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


def _wanted(
    source: Source, wanted: Sequence[str], names: Sequence[str], has: str
) -> dict[str, int]:
    for name in wanted:
        columns.check_once(source.shown, name, names, has)
    return {name: names.index(name) + 1 for name in wanted}


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
