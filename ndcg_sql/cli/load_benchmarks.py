"""ndcg-sql load beir, load msmarco: the folders of public benchmarks."""

from pathlib import Path
from typing import Annotated

import typer

from ndcg_sql.cli.options import NewDataset, Replace
from ndcg_sql.cli.session import Session

_NoDocuments = Annotated[
    bool,
    typer.Option(
        "--no-documents",
        help="Leave out the documents, whose titles and addresses are for people only.",
    ),
]


def _folder(holding: str) -> typer.models.ArgumentInfo:
    """Return the argument for a folder that holds these files."""
    info: typer.models.ArgumentInfo = typer.Argument(
        metavar="DIR", parser=Path, help=f"Folder with {holding}."
    )
    return info


def beir(
    context: typer.Context,
    folder: Annotated[
        Path,
        _folder("qrels/test.tsv, train.tsv or dev.tsv, queries.jsonl, corpus.jsonl"),
    ],
    dataset: NewDataset = "default",
    replace: Replace = False,
    no_documents: _NoDocuments = False,
) -> None:
    """Load a folder of BEIR: queries, documents, a judgment set for each split."""
    _load(context, "beir", folder, dataset, replace, no_documents)


def msmarco(
    context: typer.Context,
    folder: Annotated[
        Path, _folder("files such as qrels.dev.tsv, queries.dev.tsv, collection.tsv")
    ],
    dataset: NewDataset = "default",
    replace: Replace = False,
    no_documents: _NoDocuments = False,
) -> None:
    """Load a folder of MS MARCO: queries, documents, a judgment set for each file."""
    _load(context, "msmarco", folder, dataset, replace, no_documents)


def _load(
    context: typer.Context,
    name: str,
    folder: Path,
    dataset: str,
    replacing: bool,
    no_documents: bool,
) -> None:
    """Load the folder of a benchmark."""
    from ndcg_sql.loading.benchmarks import BENCHMARKS, load

    session = Session.of(context)
    with session.writing() as database:
        load(
            database,
            folder,
            BENCHMARKS[name],
            dataset,
            session.messages,
            replacing=replacing,
            with_documents=not no_documents,
        )
