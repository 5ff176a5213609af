"""Values of runs with judgment sets: stored, or computed for a question.

Imports system, database, measures and reading.
"""
