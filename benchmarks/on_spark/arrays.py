"""The arrays that Spark's own metrics take, from rankings and judgments."""

# pyright: basic

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f


def arrays(spark: SparkSession, folder: str) -> DataFrame:
    """Return predicted and relevant documents of each judged query as arrays."""
    document = f.col("doc_id").cast("double").alias("doc_id")
    place = f.struct((-f.col("score")).alias("score"), document)
    ordered = f.array_sort(f.collect_list(place))["doc_id"]
    rankings = spark.read.parquet(f"{folder}/rankings.parquet")
    predicted = rankings.groupBy("query_id").agg(ordered.alias("prediction"))
    judgments = spark.read.parquet(f"{folder}/judgments.parquet")
    # Queries without relevant documents count as 0, as in ndcg-sql.
    found = f.collect_list(f.when(f.col("grade") > 0, f.col("doc_id").cast("double")))
    relevant = judgments.groupBy("query_id").agg(found.alias("label"))
    none = f.array().cast("array<double>")
    return relevant.join(predicted, "query_id", "left").select(
        f.coalesce("prediction", none).alias("prediction"), "label"
    )
