"""The command line: options in, data on standard output, messages on standard error.

One module a command; ndcg_sql.cli.main has the table of them. Imports everything.
"""
