"""Values of runs by judgment sets: stored, or computed for a question.

Imports system, database, measures and reading.
"""
