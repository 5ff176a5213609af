"""Questions put to values: reports, comparisons, gates, unjudged documents, proofs.

Imports system, database, measures, reading, evaluation and loading.
"""
