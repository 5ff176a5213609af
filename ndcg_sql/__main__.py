"""Run the command line with python -m ndcg_sql."""

from ndcg_sql.cli import main

main()
