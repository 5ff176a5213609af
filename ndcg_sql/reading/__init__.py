"""A file or frame becomes staged rows: opening, detecting, reading, checking.

Imports system, database and measures.
"""
