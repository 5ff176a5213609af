"""Print the mean of binary nDCG@10 by RankingEvaluator of Spark ML: FOLDER MEASURE."""

# pyright: basic

import json
import sys

from arrays import arrays
from pyspark.ml.evaluation import RankingEvaluator
from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
evaluator = RankingEvaluator(metricName="ndcgAtK", k=10)
print(json.dumps({"nDCG@10": evaluator.evaluate(arrays(spark, sys.argv[1]))}))
