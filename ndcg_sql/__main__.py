"""Where the program starts, both as ndcg-sql and as python -m ndcg_sql."""

import sys


def main() -> None:
    """Run the command line; an interrupt while it is imported is no fault."""
    try:
        from ndcg_sql import cli
    except KeyboardInterrupt:
        sys.exit(130)
    cli.main()


if __name__ == "__main__":
    main()
