"""The entry point, both of ndcg-sql and of python -m ndcg_sql."""

import gc
import os
import sys
from contextlib import suppress
from typing import cast

# The number of new objects after which Python looks for garbage.
_OBJECTS = 200_000


def main() -> None:
    """Run the command line; an interrupt before or after it prints nothing."""
    # Imports make objects by the ten thousand, and no garbage: looking for some takes
    # a twentieth of the time of a short command.
    gc.set_threshold(_OBJECTS)
    try:
        from ndcg_sql.cli.main import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(130)
    except SystemExit as end:
        # Nothing is open any more. What Python and DuckDB would still free takes a
        # tenth of the time of a short command.
        with suppress(OSError, AttributeError):
            sys.stdout.flush()
        os._exit(cast("int", end.code))


if __name__ == "__main__":
    main()
