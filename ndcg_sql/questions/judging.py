"""What makes judgments of the grades of assessors, and of what users clicked."""

from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from ndcg_sql import options
from ndcg_sql.errors import NdcgSqlError, refusal
from ndcg_sql.options import IMPRESSION, MIN_IMPRESSIONS, Option, several
from ndcg_sql.questions.handle import Handle, loaded_items
from ndcg_sql.wording import named, use

if TYPE_CHECKING:
    from ndcg_sql.loading.loaded import LoadedItem
    from ndcg_sql.loading.options import Options
    from ndcg_sql.questions.inputs import RowsOfFiles

# How several grades of a document become one.
_Policy = Literal["mean", "median", "majority", "max", "latest", "trust"]


def load_assessments(
    warehouse: Handle,
    data: "RowsOfFiles",
    name: str | None = None,
    *,
    dataset: options.NewDataset = "default",
    assessor: str | None = None,
    assessor_from: Literal["column", "file"] = "column",
    assessor_columns: options.Names = None,
    assessor_kind: Annotated[str | None, Option(word="kind")] = None,
    model: str | None = None,
    prompt: str | None = None,
    cost: Annotated[float | None, Option(least=0)] = None,
    seconds: Annotated[float | None, Option(least=0)] = None,
    labels: options.Labels = None,
    columns: options.Columns = None,
    where: options.Where = None,
    query: str | None = None,
    format_in: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    replace: bool = False,
) -> "list[LoadedItem]":
    """Load the grades of several assessors.

    Each file becomes a set of assessments; adjudicate makes a judgment set from one.
    FILE may be a folder: its data files are loaded.

    Assessors:
    assessor A: Name of the only assessor.
    assessor_from SOURCE: Source of the assessors' names: a column, or the file if each
        file is by one assessor.
    assessor_columns NAME: Column with the grades of the assessor of that name; may be
        repeated.
    assessor_kind KIND: Kind of the assessors, such as human or llm.
    model MODEL: Language model that made the assessments.
    prompt TEXT: Prompt of the model, or its name or version.
    cost AMOUNT: What the assessments cost, in your currency.
    seconds SECONDS: How long the assessors took, in seconds.

    ndcg-sql load assessments ann.csv llm.csv --assessor-from file
    """
    values = locals()
    by_columns = several(assessor_columns)
    if assessor_from == "file" and (assessor is not None or by_columns):
        place = use(assessor_from=assessor_from)
        raise refusal(place, "the assessors are named already", "omit it")
    for twice in by_columns:
        if by_columns.count(twice) > 1:
            raise refusal(use(assessor_columns=[twice]), "given twice")
    renamed = {*(columns or {})}
    if by_columns and (assessor is not None or {"assessor", "grade"} & renamed):
        remedy = "omit {assessor}, {columns} assessor and {columns} grade"
        what = "already names the assessor and the grade"
        raise refusal("{assessor_columns}", what, remedy)
    if assessor is not None and "assessor" in renamed:
        what = "{columns} assessor already names them"
        raise refusal("{assessor}", what, "omit one of the two")
    return loaded_items(warehouse, "assessments", data, values)


def load_clicks(
    warehouse: Handle,
    data: "RowsOfFiles",
    name: str | None = None,
    *,
    model: options.ClickModel = "coec",
    actions: Annotated[
        Mapping[str, float] | None, Option(example="add_to_cart=3")
    ] = None,
    min_impressions: Annotated[int, Option(least=1)] = MIN_IMPRESSIONS,
    levels: Annotated[str | Iterable[float | str] | None, Option(word="levels")] = None,
    impressions: options.Names = None,
    dataset: options.NewDataset = "default",
    searches: Annotated[str | Path | None, Option(is_input=True)] = None,
    impressions_from: Annotated[str | None, Option(names="runs")] = None,
    depth: Annotated[int | None, Option(least=1, default="10")] = None,
    columns: options.Columns = None,
    where: options.Where = None,
    format_in: str | None = None,
    encoding: str | None = None,
    evaluate: bool = True,
    replace: bool = False,
) -> "list[LoadedItem]":
    """Make a judgment set from clicks.

    Each row of FILE is an event: a query, a document, an action and the position of the
    document. The action impression records that the document was shown there.
    Alternatively, each row is a shown document with its number of clicks. Several files
    form one log.

    name N: Name of the judgment set; that of the file or table if omitted.
    model MODEL: coec (clicks divided by the clicks expected at those positions) or ctr
        (clicks over impressions).
    actions A=W: How many clicks an action is worth, such as add_to_cart=3, or 0 to
        ignore it; click=1 is the default; may be repeated.
    min_impressions N: Judge a document for a query only if it was shown at least N
        times.
    levels F,F...: Turn fractions into grades 0, 1, 2 ...: the minimum fraction for
        grade 1, for grade 2 and so on, such as 0.2,0.8,1.5.
    impressions A: Further action that records that a document was shown, such as view;
        may be repeated.
    searches SEARCHES: Searches that the events belong to, with their queries and what
        they showed: the index ubi_queries of OpenSearch, an object on each line.
    impressions_from RUN: Run of the dataset whose ranking every search showed, for
        clicks without impressions.
    depth N: How many documents of the run a search showed.

    ndcg-sql load clicks events.csv --model coec --action add_to_cart=3
    """
    values = locals()
    from ndcg_sql.loading.options import Options

    options = Options.of(values)
    _check_grading(options)
    if depth is not None and impressions_from is None:
        what = "a run has it, and none was shown"
        raise refusal("{depth}", what, "name it: {impressions_from=RUN}")
    if "search_id" in options.columns and impressions_from is None:
        place = use(columns={"search_id": options.columns["search_id"]})
        remedy = "omit it, or name the run that was shown: {impressions_from=RUN}"
        raise refusal(place, "read for clicks alone", remedy)
    if impressions_from is not None and searches is not None:
        what = "{searches} says what was shown"
        raise refusal("{impressions_from}", what, "omit one of the two")
    return loaded_items(warehouse, "clicks", data, values)


def _check_grading(options: "Options") -> None:
    """Raise NdcgSqlError for actions, impressions or levels that make no sense."""
    for action, weight in options.actions.items():
        where = use(actions={action: weight})
        if action == IMPRESSION:
            raise refusal(where, "impression already records what was shown", "omit it")
        if weight != 0 and not 1e-6 <= weight <= 1e6:
            raise refusal(where, "must be 0, or from 1e-6 to 1e6")
    for action in options.impressions:
        where = use(impressions=[action])
        if action == IMPRESSION:
            raise refusal(where, "impression is already included", "omit it")
        if action in options.weights:
            raise refusal(where, "it is an action that counts", "omit one of the two")
    if not any(options.weights.values()):
        remedy = "weigh one: " + use(actions={"NAME": 1})
        what = "no action counts as a click"
        raise NdcgSqlError(what, remedy, where=named("actions"))
    if any(one >= higher for one, higher in pairwise((0.0, *options.limits))):
        place = use(levels=",".join(options.levels))
        raise refusal(place, "levels must be above 0, each above the one before")


def adjudicate(
    warehouse: Handle,
    name: str,
    policy: Annotated[_Policy, Option(is_argument=False)],
    *,
    assessments: options.Assessments = None,
    assessors: options.Names = None,
    dataset: options.Dataset = None,
    evaluate: bool = True,
    replace: bool = False,
) -> None:
    """Make a judgment set from the grades of assessors.

    name NAME: Name of the new judgment set.
    policy P: mean, median, majority (the lowest if tied), max, latest, or trust: the
        grade of the first {assessors} who judged the document.
    replace: Replace an existing set of this name.

    ndcg-sql adjudicate panel --policy majority
    """
    if policy == "trust" and not assessors:
        what = "name the assessors, most trusted first: " + use(assessors=["NAME"])
        raise NdcgSqlError(what, where=use(policy=policy))
    from ndcg_sql.loading.assessments import adjudicate as derive

    derive(
        *warehouse.changing,
        name,
        policy,
        assessments=several(assessments),
        assessors=several(assessors),
        dataset=dataset,
        evaluate=evaluate,
        replacing=replace,
    )
