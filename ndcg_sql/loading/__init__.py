"""Storing staged rows as sets: loading, adjudicating, replacing, removing.

Imports system, database, measures, reading and evaluation.
"""
