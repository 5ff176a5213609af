"""The words among which fields of requests choose."""

from typing import Literal

Test = Literal["randomization", "t", "bootstrap", "wilcoxon"]
Correction = Literal["holm", "bonferroni", "bh", "tukey", "none"]
# How much a table shows of the statistics of a comparison.
Statistics = Literal["usual", "all"]
# What a rule of a gate that has too few queries becomes.
Underpowered = Literal["pass", "fail"]
# Whose conventions measures follow: the systems of sql/systems.csv, in its order.
System = Literal[
    "trec_eval",
    "trec_eval-9",
    "pytrec_eval",
    "ir_measures",
    "gdeval",
    "ndeval",
    "ranx",
    "sklearn",
    "torchmetrics",
    "spark",
    "spark-graded",
    "recommenders",
    "recbole",
    "lightgbm",
    "xgboost",
    "quepid",
    "quepid-cut",
    "elasticsearch",
    "opensearch",
    "mlflow",
    "evidently",
    "beir",
    "mteb",
    "llamaindex",
    "ragas",
]
PositionRule = Literal["score", "score32", "given"]
# What to do about a document that is listed twice for a query.
Duplicates = Literal["refuse", "first", "last", "max"]
# What a run is named by, unless the user names it.
NameFrom = Literal["file", "tag"]
# The action that says that a document was shown.
IMPRESSION = "impression"
# The default number of impressions that a query needs to be judged.
MIN_IMPRESSIONS = 20
# How clicks become grades.
ClickModel = Literal["coec", "ctr"]
ExportFormat = Literal["trec", "csv", "tsv", "json", "jsonl", "parquet"]
Figure = Literal[
    "leaderboard",
    "cutoffs",
    "precision-recall",
    "values",
    "differences",
    "scatter",
    "slices",
    "history",
]
# The engines for which scripts are emitted.
Dialect = Literal["duckdb", "postgres", "clickhouse", "spark", "bigquery", "snowflake"]
