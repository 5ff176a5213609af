"""ndcg-sql load: judgments, assessments, runs, queries and documents."""

from dataclasses import replace
from typing import Any

import typer

from ndcg_sql.cli.catalogue import add_all
from ndcg_sql.cli.inputs import Files, Inputs, OneFile, data_files
from ndcg_sql.cli.requests import command
from ndcg_sql.cli.sections import Group
from ndcg_sql.cli.session import Session
from ndcg_sql.requests.loading import (
    LoadAssessmentsRequest,
    LoadDocumentsRequest,
    LoadJudgmentsRequest,
    LoadQueriesRequest,
    LoadRunRequest,
)

# Words of other tools for what is loaded here.
_ALIASES = {
    "qrels": "judgments",
    "qrel": "judgments",
    "judgements": "judgments",
    "judgment": "judgments",
    "judgement": "judgments",
    "runs": "run",
    "ranking": "run",
    "rankings": "run",
    "query": "queries",
    "topics": "queries",
    "assessment": "assessments",
    "value": "values",
}


class _Kinds(Group):
    """What can be loaded, also under the words of other tools."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command of a kind, or None if there is none."""
        return super().get_command(ctx, _ALIASES.get(cmd_name, cmd_name))


app = typer.Typer(
    cls=_Kinds,
    help="Load judgments, assessments, runs, queries or documents.",
    no_args_is_help=True,
)


@command(
    app,
    Files,
    LoadJudgmentsRequest,
    name="judgments",
    epilog="ndcg-sql load judgments qrels.txt --dataset shop\n"
    "ndcg-sql load judgments purchases.csv --grade 1 --column doc_id=item",
)
def load_judgments(
    context: typer.Context, inputs: Files, request: LoadJudgmentsRequest
) -> None:
    """Load relevance judgments (qrels), each file as a set.

    FILE may be a folder: its data files are loaded.
    """
    from ndcg_sql.loading.sets import Options, load

    session = Session.of(context)
    inputs.check(request)
    chosen = Options.of(replace(request, name=request.name or inputs.name))
    inputs.check_named(request.name)
    files = data_files(inputs.paths, request.name, session, "judgment set")
    with inputs.opened(session, files, [request.groups]) as opened:
        load(
            opened.database,
            "judgments",
            opened.paths,
            chosen,
            session.messages,
            opened.streams,
        )


@command(
    app,
    Files,
    LoadRunRequest,
    name="run",
    epilog="ndcg-sql load run first.run --dataset shop --tag model=bm25\n"
    "ndcg-sql load run week.csv --name '{Week}/{Engine}' --tag-column Week",
)
def load_run(context: typer.Context, inputs: Files, request: LoadRunRequest) -> None:
    """Load rankings, each file as a new run.

    A file with a column that names runs, such as model, becomes a run for each of
    its values: ndcg-sql load run models.csv --run-column model. FILE may be a
    folder: its data files are loaded.
    """
    from ndcg_sql.loading.sets import Options, load

    session, name = Session.of(context), request.name
    inputs.check(request)
    files = data_files(inputs.paths, name, session)
    is_divided = request.run_column not in (None, "none")
    if inputs.select is not None and name is None and is_divided:
        # Without a file, only the column can name what is one run, too.
        request = replace(request, name_from="tag")
    chosen = Options.of(request)
    if request.name_from == "file":
        inputs.check_named(name, ", or its runs by a column: --run-column NAME")
    beside = [request.rows_of, request.groups]
    with inputs.opened(session, files, beside) as (database, paths, streams):
        names = {path: inputs.name for path in paths if inputs.name}
        chosen = replace(chosen, names=names)
        load(database, "run", paths, chosen, session.messages, streams)


@command(
    app,
    Files,
    LoadAssessmentsRequest,
    name="assessments",
    epilog="ndcg-sql load assessments ann.csv llm.csv --assessor-from file",
)
def load_assessments(
    context: typer.Context, inputs: Files, request: LoadAssessmentsRequest
) -> None:
    """Load the grades of several assessors.

    Each file becomes a set of assessments; ndcg-sql adjudicate makes a judgment set
    from one. FILE may be a folder: its data files are loaded.
    """
    from ndcg_sql.loading.assessments import load

    session = Session.of(context)
    inputs.check(request)
    inputs.check_named(request.name)
    chosen = replace(request, name=request.name or inputs.name)
    files = data_files(inputs.paths, request.name, session, "set of assessments")
    with inputs.opened(session, files) as opened:
        load(opened.database, opened.paths, chosen, session.messages, opened.streams)


@command(
    app,
    OneFile,
    LoadQueriesRequest,
    name="queries",
    epilog="ndcg-sql load queries queries.csv --dataset shop",
)
def load_queries(
    context: typer.Context, inputs: OneFile, request: LoadQueriesRequest
) -> None:
    """Load texts, weights and attributes of queries."""
    _load(context, inputs, request)


@command(
    app,
    OneFile,
    LoadDocumentsRequest,
    name="documents",
    epilog="ndcg-sql load documents corpus.jsonl --dataset scifact",
)
def load_documents(
    context: typer.Context, inputs: OneFile, request: LoadDocumentsRequest
) -> None:
    """Load titles and addresses of documents.

    The corpus.jsonl of BEIR is such a file.
    """
    _load(context, inputs, request)


def _load(
    context: typer.Context,
    inputs: Inputs,
    request: LoadAssessmentsRequest | LoadQueriesRequest | LoadDocumentsRequest,
) -> None:
    """Load what is no ranking: one file."""
    from ndcg_sql.loading.frames import load_file
    from ndcg_sql.loading.options import check_format

    session = Session.of(context)
    check_format(request.format_in)
    inputs.check(request)
    with inputs.opened(session, inputs.paths) as (database, [path], streams):
        load_file(database, path, request, session.messages, streams)


add_all(app, "load")
