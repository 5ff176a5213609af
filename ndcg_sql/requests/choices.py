"""The words among which fields of requests choose."""

from typing import Literal

Test = Literal["randomization", "t", "bootstrap", "wilcoxon"]
Correction = Literal["holm", "bonferroni", "bh", "tukey", "none"]
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
# The order of the candidates of a comparison.
Sort = Literal["difference", "value", "p", "name"]
# How much a table shows of what values are based on.
Counts = Literal["none", "short", "usual", "all"]
# How much a table shows of the statistics of a comparison.
Statistics = Literal["usual", "all"]
# How several grades of a document become one.
Policy = Literal["mean", "median", "majority", "max", "latest", "trust"]
PositionRule = Literal["score", "score32", "given"]
# What to do about a document that is listed twice for a query.
Duplicates = Literal["refuse", "first", "last", "max"]
# What a run is named by, unless the user names it.
NameFrom = Literal["file", "tag"]
# What groups of assessors have in common.
AssessorGroup = Literal["kind", "model"]
# What the assessors of a file are named by, unless the user names them.
AssessorFrom = Literal["column", "file"]
# The action that says that a document was shown.
IMPRESSION = "impression"
# The default number of impressions that a query needs to be judged.
MIN_IMPRESSIONS = 20
# How clicks become grades.
ClickModel = Literal["coec", "ctr"]
Benchmark = Literal["beir", "msmarco"]
# What is removed, renamed and exported by name.
Removed = Literal["run", "judgments", "assessments"]
Renamed = Literal["run", "judgments", "dataset"]
Exported = Literal["run", "judgments"]
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
Dialect = Literal[
    "duckdb",
    "postgres",
    "clickhouse",
    "spark",
    "bigquery",
    "snowflake",
]
# How runs become one, and what puts their scores on one scale.
