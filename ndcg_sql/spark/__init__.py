"""Measures on Spark: DataFrames of rankings and judgments become values."""

from ndcg_sql.spark.evaluation import Values, evaluate

__all__ = ["Values", "evaluate"]
