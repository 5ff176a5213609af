"""Print the mean of binary nDCG@10 by RankingMetrics over an RDD: FOLDER MEASURE."""

# pyright: basic

import json
import sys

from arrays import arrays
from pyspark.mllib.evaluation import RankingMetrics
from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
metrics = RankingMetrics(arrays(spark, sys.argv[1]).rdd.map(tuple))
print(json.dumps({"nDCG@10": metrics.ndcgAt(10)}))
