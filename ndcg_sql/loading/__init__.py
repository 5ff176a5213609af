"""Storing staged rows: loading, fusing, adjudicating, replacing, removing.

Imports system, database, measures, reading and evaluation.
"""
