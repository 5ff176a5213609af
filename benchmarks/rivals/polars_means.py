"""Print the means that an analyst would get from polars by hand: QRELS RUN.

Nothing is checked: a document that is there twice, a score that is no number
or a query without an answer goes unseen, and ties fall as they come.
"""

# pyright: basic, reportMissingImports=false

import json
import sys

import polars as pl

judgments = pl.read_csv(
    sys.argv[1],
    separator=" ",
    has_header=False,
    new_columns=["query_id", "iteration", "doc_id", "grade"],
    schema_overrides={"column_1": pl.String, "column_3": pl.String},
)
run = pl.read_csv(
    sys.argv[2],
    separator=" ",
    has_header=False,
    new_columns=["query_id", "q0", "doc_id", "rank", "score", "tag"],
    schema_overrides={"column_1": pl.String, "column_3": pl.String},
)
hits = run.with_columns(
    position=pl.col("score").rank("ordinal", descending=True).over("query_id")
).join(judgments, on=["query_id", "doc_id"])

gain = pl.col("grade") / (pl.col("position") + 1).log(2)
dcg = hits.filter(pl.col("position") <= 10).group_by("query_id").agg(dcg=gain.sum())
ideal = (
    judgments.with_columns(
        position=pl.col("grade").rank("ordinal", descending=True).over("query_id")
    )
    .filter(pl.col("position") <= 10)
    .group_by("query_id")
    .agg(ideal=gain.sum())
)
relevant = judgments.group_by("query_id").agg(relevant=(pl.col("grade") > 0).sum())
found = (
    hits.filter(pl.col("grade") > 0)
    .with_columns(number=pl.col("position").rank("ordinal").over("query_id"))
    .group_by("query_id")
    .agg(
        precisions=(pl.col("number") / pl.col("position")).sum(),
        first=pl.col("position").min(),
    )
)
queries = (
    relevant.join(ideal, on="query_id", how="left")
    .join(dcg, on="query_id", how="left")
    .join(found, on="query_id", how="left")
)
means = queries.select(
    (pl.col("dcg") / pl.col("ideal")).fill_null(0).mean().alias("nDCG@10"),
    (pl.col("precisions") / pl.col("relevant")).fill_null(0).mean().alias("AP"),
    (1 / pl.col("first")).fill_null(0).mean().alias("RR"),
)
print(json.dumps(means.row(0, named=True)))
