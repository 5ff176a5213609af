"""Runs beside one another: statistics, comparisons, leaderboards, gates; answers.

Imports system, database, measures, reading, evaluation and loading.
"""
