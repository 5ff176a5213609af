"""The entry point, both of ndcg-sql and of python -m ndcg_sql."""

import sys


def main() -> None:
    """Run the command line; an interrupt before or after it prints nothing."""
    try:
        from ndcg_sql.cli.main import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
