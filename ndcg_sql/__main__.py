"""Where the program starts, both as ndcg-sql and as python -m ndcg_sql."""

import sys


def main() -> None:
    """Run the command line; an interrupt before or after it is no fault."""
    try:
        from ndcg_sql.cli.main import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
