"""ndcg-sql: an evaluation warehouse for rankings, in SQL."""

__version__ = "0.1.0"
