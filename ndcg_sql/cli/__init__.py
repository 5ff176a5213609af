"""The command line: options in, data on standard output, messages on standard error.

The table of commands is in ndcg_sql.cli.catalogue. Imports everything.
"""
