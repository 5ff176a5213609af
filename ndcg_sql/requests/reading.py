"""How files are read: the fields that loading and evaluating share."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Annotated

from ndcg_sql.requests import choices
from ndcg_sql.requests.fields import Option

# Groups of options.
READING = "Reading files"
NAMING = "Names, tags and times"
Columns = Annotated[
    Mapping[str, str] | None,
    "Name of a column in the file, such as query_id=Query; without a header its"
    " number, such as query_id=5; may be repeated.",
    "C=NAME",
    Option(example="query_id=Query", group=READING),
]
Labels = Annotated[
    Mapping[str, float] | None,
    "Grade of a label, such as Exact=2; =-1 if an empty grade means not judged;"
    " may be repeated.",
    "L=G",
    Option(example="Exact=2", group=READING),
]
OneQuery = Annotated[
    str | None,
    "Query id of all rows, if the file has none.",
    "ID",
    Option(group=READING),
]
Where = Annotated[
    Mapping[str, str] | None,
    "Load only the rows with this value of a column, such as version=2; may be"
    " repeated.",
    "C=VALUE",
    Option(example="version=2", group=READING),
]
RunColumn = Annotated[
    str | None,
    "Column whose values name the runs of a file, such as model; none loads all"
    " rows as one run. If omitted, it is the one called run, run_id, run_name,"
    " model, system, tag or method, or the last field of TREC files.",
    "NAME",
    Option(group=READING),
]
RowsOf = Annotated[
    str | Path | None,
    "List (LETOR, SVMlight, CSV ...) whose scores FILE holds, one for each row.",
    "LIST",
    Option(is_input=True, group=READING),
]
FormatIn = Annotated[
    str | None,
    "Format of the file: {{formats}}; detected if omitted.",
    "F",
    Option(group=READING),
]
Duplicates = Annotated[
    choices.Duplicates,
    "What to do about a document that is listed twice for a query: refuse the file,"
    " or keep the first row, the last, or the one with the max score or grade.",
    "RULE",
    Option(group=READING),
]
Unit = Annotated[
    str | None,
    "Column of the document where rows are chunks of documents: a document takes"
    " the place of its best chunk.",
    "COLUMN",
    Option(group=READING),
]
UnitBefore = Annotated[
    str | None,
    "Take chunks for documents whose id is that up to the last TEXT, such as #:"
    " doc12#3 is a chunk of doc12.",
    "TEXT",
    Option(group=READING),
]
Decimal = Annotated[
    str | None,
    "Decimal mark of the numbers in text: a comma (then points separate"
    " thousands) or a point; a point if omitted.",
    "MARK",
    Option(group=READING),
]
Encoding = Annotated[
    str | None,
    "Encoding of text that is not UTF-8, such as windows-1252.",
    "E",
    Option(group=READING),
]
Strict = Annotated[
    bool,
    "Refuse whatever is otherwise a warning, such as no query in common with the"
    " judgments, ids that nearly match, ranks that contradict scores.",
]
Name = Annotated[
    str | None, "Name to load it under; that of the file or table if omitted.", "N"
]
Tags = Annotated[
    Mapping[str, str] | None,
    "Tag of the run, such as model=bm25; may be repeated.",
    "K=V",
    Option(example="model=bm25", group=NAMING),
]
RunAt = Annotated[
    str | datetime | None,
    "When the system produced it, such as 2026-01-31T23:59.",
    "T",
    Option(group=NAMING),
]
