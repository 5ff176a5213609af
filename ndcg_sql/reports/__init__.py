"""Questions put to values: reports, histories, changes, unjudged documents, proofs.

Imports system, database, measures, reading, evaluation, loading and comparison.
"""
