"""Runs untrusted SQL in a child process that can reach only the warehouse.

Imports system, database and output.
"""
