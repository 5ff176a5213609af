"""Print the mean of a measure by ndcg-sql on Spark: FOLDER MEASURE."""

import json
import sys

from pyspark.sql import SparkSession

from ndcg_sql.spark import evaluate

folder, measure = sys.argv[1:]
spark = SparkSession.builder.getOrCreate()
values = evaluate(
    spark,
    rankings=spark.read.parquet(f"{folder}/rankings.parquet"),
    judgments=spark.read.parquet(f"{folder}/judgments.parquet"),
    measures=measure,
)
(row,) = values.run_values.select("value").collect()
print(json.dumps({"nDCG@10": row.value}))
