"""The command line: options in, data on standard output, messages on standard error.

Each command has its own module; ndcg_sql.cli.main lists them. Imports everything.
"""
