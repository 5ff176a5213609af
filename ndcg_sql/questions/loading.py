"""The questions that load: runs, judgment sets, and what belongs to them."""

from datetime import datetime
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from ndcg_sql import options
from ndcg_sql.errors import not_with
from ndcg_sql.options import Option
from ndcg_sql.questions.handle import Handle, loaded_items

if TYPE_CHECKING:
    from ndcg_sql.loading.loaded import LoadedItem
    from ndcg_sql.questions.inputs import Judgments, Known, Rows, RowsOfFiles, Run


def load_judgments(
    warehouse: Handle,
    data: "Judgments",
    name: str | None = None,
    *,
    dataset: options.NewDataset = "default",
    labels: options.Labels = None,
    grade: float | None = None,
    attributes: options.Names = None,
    columns: options.Columns = None,
    where: options.Where = None,
    query: str | None = None,
    format_in: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    base: str | None = None,
    duplicates: options.Duplicates = "refuse",
    strict: bool = False,
    evaluate: bool = True,
    replace: bool = False,
) -> "list[LoadedItem]":
    """Load relevance judgments (qrels), each file as a set.

    FILE may be a folder: its data files are loaded.

    attributes NAME: Column that is an attribute of queries, such as country; may be
        repeated.
    base J: Judgment set whose judgments the new one includes.

    Reading files:
    grade G: Grade of all rows, if the file has none: 1 where each row is a relevant
        document, such as a purchase.

    ndcg-sql load judgments qrels.txt --dataset shop
    ndcg-sql load judgments purchases.csv --grade 1 --column doc_id=item
    """
    return loaded_items(warehouse, "judgments", data, locals())


def load_run(
    warehouse: Handle,
    data: "Run",
    name: str | None = None,
    *,
    dataset: options.NewDataset = "default",
    prefix: str | None = None,
    name_from: options.NameFrom = "file",
    tags: options.Tags = None,
    run_at: str | datetime | None = None,
    tag_columns: options.Names = None,
    run_at_column: str | None = None,
    position_rule: Annotated[
        options.PositionRule | None, Option(word="positions", default="score")
    ] = None,
    columns: options.Columns = None,
    run_column: str | None = None,
    where: options.Where = None,
    query: str | None = None,
    rows_of: options.RowsOf = None,
    format_in: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    duplicates: options.Duplicates = "refuse",
    unit: str | None = None,
    unit_before: str | None = None,
    strict: bool = False,
    replace: bool = False,
) -> "list[LoadedItem]":
    """Load rankings, each file as a new run.

    A file with a column that names runs, such as model, becomes a run for each of its
    values. FILE may be a folder: its data files are loaded.

    Names, tags and times:
    name N: Name to load it under, or a pattern such as '{{Week}}/{{Engine}}' or
        '{{file}}-{{run}}': a field in braces is a column of the file, a tag, file, run,
        or date and time of {run_at}. Each name becomes a run. The name of the file or
        table if omitted.
    prefix TEXT: Prefix for the names of all runs, such as W47/.
    name_from SOURCE: What a run is named by: its file, or the tag in the file (the last
        field of TREC files, or the column of {run_column}).
    tag_columns NAME: Column whose value becomes a tag of its run, such as Week; may be
        repeated.
    run_at_column NAME: Column with the time when the system produced a run.

    Reading files:
    position_rule RULE: score (trec_eval 10), score32 (trec_eval 9), given (the file's
        ranks, or its order).

    ndcg-sql load run first.run --dataset shop --tag model=bm25
    ndcg-sql load run models.csv --run-column model
    ndcg-sql load run week.csv --name '{Week}/{Engine}' --tag-column Week
    """
    values = locals()
    for one, other in (("prefix", "name"), ("run_at_column", "run_at")):
        if values[one] is not None and values[other] is not None:
            raise not_with(one, other)
    if where and rows_of:
        raise not_with("where", "rows_of")
    return loaded_items(warehouse, "run", data, values)


def load_values(
    warehouse: Handle,
    data: "RowsOfFiles",
    name: str | None = None,
    *,
    dataset: options.NewDataset = "default",
    run_column: str | None = None,
    measures: Annotated[options.Names, Option(short="m")] = None,
    lower_is_better: options.Names = None,
    origin: str | None = None,
    judgments: Annotated[str | None, Option(names="judgment_sets")] = None,
    tags: options.Tags = None,
    run_at: str | datetime | None = None,
    columns: options.Columns = None,
    where: options.Where = None,
    format_in: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    replace: bool = False,
) -> "list[LoadedItem]":
    """Load values that another program computed.

    The values are per query, such as faithfulness or latency. Each row of FILE is a
    value, with the columns query_id, measure and value (as trec_eval -q and ir_measures
    print them), or a query with a column for each measure. A new run is created without
    rankings; for an existing run, only measures that the warehouse does not compute
    itself are loaded.

    name N: Name of the run, if FILE names none; that of the file if omitted.
    measures M: Load only this measure; may be repeated.
    lower_is_better M: Measure for which lower values are better, such as latency; may
        be repeated.
    origin TEXT: What computed the values, such as 'ragas 0.3, gpt-4o'; the file if
        omitted.
    judgments J: Judgment set that values of measures such as nDCG@10 used; the newest
        if omitted.
    replace: Replace other values of the same measures.

    Reading files:
    run_column NAME: Column that names the run of a row, if it has no usual name.

    ndcg-sql load values ragas.csv --name answers --origin 'ragas 0.3, gpt-4o'
    ndcg-sql load values spans.csv -m latency --lower-is-better latency
    """
    return loaded_items(warehouse, "values", data, locals())


def load_queries(
    warehouse: Handle,
    data: "Rows",
    *,
    dataset: options.NewDataset = "default",
    columns: options.Columns = None,
    where: options.Where = None,
    format_in: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    strict: bool = False,
    replace: bool = False,
) -> "list[LoadedItem]":
    """Load texts, weights and attributes of queries.

    replace: Replace all texts, weights and attributes of the dataset's queries;
        otherwise, those that are not in FILE stay.

    ndcg-sql load queries queries.csv --dataset shop
    """
    return loaded_items(warehouse, "queries", data, locals())


def load_documents(
    warehouse: Handle,
    data: "Rows",
    *,
    dataset: options.NewDataset = "default",
    columns: options.Columns = None,
    format_in: str | None = None,
    encoding: str | None = None,
    strict: bool = False,
    replace: bool = False,
) -> "list[LoadedItem]":
    """Load titles, addresses and attributes of documents.

    Every column but the title, the text and the address is an attribute, such as
    category or brand. The corpus.jsonl of BEIR is such a file.

    replace: Replace all documents of the dataset.

    ndcg-sql load documents corpus.jsonl --dataset scifact
    """
    return loaded_items(warehouse, "documents", data, locals())


def load_known(
    warehouse: Handle,
    data: "Known",
    *,
    dataset: options.NewDataset = "default",
    columns: options.Columns = None,
    where: options.Where = None,
    query: str | None = None,
    format_in: str | None = None,
    encoding: str | None = None,
    strict: bool = False,
    replace: bool = False,
) -> "list[LoadedItem]":
    """Load documents that users already know, such as purchases.

    Each row is a document that a query knows (bought, watched, or used for training),
    optionally with a count and a time. Measures with known='omit' omit these documents.

    replace: Replace all known documents of the dataset; otherwise, those that are not
        in FILE stay.

    ndcg-sql load known bought.csv --dataset shop
    """
    return loaded_items(warehouse, "known", data, locals())


def load_benchmark(
    warehouse: Handle,
    benchmark: Literal["beir", "msmarco"],
    folder: str | Path | PathLike[str],
    *,
    dataset: options.NewDataset = "default",
    duplicates: options.Duplicates = "refuse",
    strict: bool = False,
    replace: bool = False,
    documents: bool = True,
) -> "list[LoadedItem]":
    """Load the folder of a public benchmark: judgments, queries and documents.

    Each file of judgments becomes a judgment set. Everything is loaded, or nothing.

    benchmark NAME: beir or msmarco.
    folder DIR: Folder with the files of the benchmark.
    documents: Do not load documents, whose titles and addresses are only for display.
    """
    from ndcg_sql.loading import benchmarks
    from ndcg_sql.loading.options import Options

    options = Options(
        dataset=dataset, duplicates=duplicates, strict=strict, replace=replace
    )
    place = warehouse.made, warehouse.messages
    return benchmarks.load(*place, benchmark, Path(folder), options, documents)
