"""Turns rows into text or files: tables, formats, exports, published copies, figures.

Imports system, database, measures, reading, evaluation, loading, comparison
and reports.
"""
