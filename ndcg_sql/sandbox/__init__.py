"""A stranger's SQL: asked here, answered in a child process that is locked in.

Imports system, database and output.
"""
