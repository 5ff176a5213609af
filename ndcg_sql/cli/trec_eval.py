"""ndcg-sql trec_eval: the drop-in replacement for trec_eval."""

import sys

import typer

from ndcg_sql.cli.session import Session

app = typer.Typer()


@app.command(
    "trec_eval",
    context_settings={
        "allow_extra_args": True,
        "ignore_unknown_options": True,
        "help_option_names": [],
    },
)
def trec_eval(context: typer.Context) -> None:
    """Evaluate as trec_eval does, with its options and output.

    The exit codes are the same, too.
    """
    from ndcg_sql import __version__
    from ndcg_sql.trec_eval.arguments import parse
    from ndcg_sql.trec_eval.evaluation import evaluate
    from ndcg_sql.trec_eval.manual import manual

    session = Session.of(context)
    session.has_warehouse = False
    options = parse(context.args)
    if options.wants_version:
        print(f"ndcg-sql {__version__}, as trec_eval 10", file=sys.stderr)
    elif options.wants_help:
        print(manual(options), end="")
    else:
        evaluate(options, session.limits)
