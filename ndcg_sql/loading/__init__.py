"""Staged rows become stored sets: loading, adjudicating, replacing, removing.

Imports system, database, measures, reading and evaluation.
"""
