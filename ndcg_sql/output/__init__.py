"""Turns rows into text or files: tables, formats, exports, figures.

Imports system, database, measures, reading, evaluation, loading, comparison
and reports.
"""
