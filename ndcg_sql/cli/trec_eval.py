"""ndcg-sql trec_eval: the drop-in replacement for trec_eval."""

import sys
from collections.abc import Sequence
from typing import Any

from ndcg_sql.cli.session import Session

# All that follows are its own options.
SETTINGS: dict[str, Any] = {
    "allow_extra_args": True,
    "ignore_unknown_options": True,
    "help_option_names": [],
}


def trec_eval(session: Session, arguments: Sequence[str]) -> None:
    """Evaluate as trec_eval does, with its options and output.

    The exit codes are the same, too.
    """
    from ndcg_sql import __version__
    from ndcg_sql.trec_eval.arguments import manual, parse
    from ndcg_sql.trec_eval.evaluation import evaluate

    options = parse([*arguments])
    if options.wants_version:
        print(f"ndcg-sql {__version__}, as trec_eval 10", file=sys.stderr)
    elif options.wants_help:
        print(manual(options), end="")
    else:
        evaluate(options, session.limits)
