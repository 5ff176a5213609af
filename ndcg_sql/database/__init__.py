"""DuckDB and our SQL files: connections, statements, tables, views, opening.

Imports system.
"""
