"""Names of measures: families, parameters, the conventions of other systems.

Touches no database; imports text and, for its tables, the SQL files of database.
"""
