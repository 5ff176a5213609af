"""The commands that are no more than a request: what they ask, or change."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

import typer

from ndcg_sql.cli.asking import answered, changed
from ndcg_sql.cli.requests import command
from ndcg_sql.cli.sections import Group
from ndcg_sql.requests import changes, loading, questions
from ndcg_sql.requests.printing import Captioned, Output, Printing
from ndcg_sql.requests.shared import Request


@dataclass(frozen=True)
class _Markdown(Printing):
    """A file in Markdown."""

    form: str | None = "markdown"
    output: Output = None


@dataclass(frozen=True)
class Question:
    """A command that prints the answer to a request, with an example of it."""

    request: type[Request]
    example: str
    printing: type[Printing] = Printing
    # Whether the memory that it takes is bounded.
    is_bounded: bool = True

    def add(self, app: typer.Typer, name: str) -> None:
        """Make it a command of an app."""

        def ask(context: typer.Context, request: Request, printing: Printing) -> None:
            answered(context, request, printing, is_bounded=self.is_bounded)

        ask.__doc__ = self.request.__doc__
        command(app, self.request, self.printing, name=name, epilog=self.example)(ask)


@dataclass(frozen=True)
class Change:
    """A command that changes a warehouse, with fields that its name implies.

    Without makes, it refuses to make a warehouse where there is none.
    """

    request: type
    example: str
    help: str | None = None
    implied: Mapping[str, str | None] = field(default_factory=dict[str, str | None])
    makes: bool = False

    def add(self, app: typer.Typer, name: str) -> None:
        """Make it a command of an app."""

        def change(context: typer.Context, request: object) -> None:
            changed(context, request, self.makes)

        change.__doc__ = self.help or self.request.__doc__
        command(app, self.request, name=name, epilog=self.example, **self.implied)(
            change
        )


_RUN: Mapping[str, str | None] = {"kind": "run"}
_JUDGMENTS: Mapping[str, str | None] = {"kind": "judgments"}
_COMMANDS: Mapping[str, Question | Change] = {
    "adjudicate": Change(
        changes.AdjudicateRequest, "ndcg-sql adjudicate panel --policy majority"
    ),
    "agreement": Question(questions.AgreementRequest, "ndcg-sql agreement"),
    "changes": Question(
        questions.ChangesRequest, "ndcg-sql changes judgments judgments-2"
    ),
    # The proofs compute the values of all runs and measures at once.
    "check": Question(questions.CheckRequest, "ndcg-sql check", is_bounded=False),
    "compare": Question(
        questions.CompareRequest,
        "ndcg-sql compare bm25 hybrid -m nDCG@10\n"
        "ndcg-sql compare bm25 '*' --by device --html compared.html",
        Captioned,
    ),
    "describe": Question(questions.DescribeRequest, "ndcg-sql describe hybrid"),
    "eval": Question(
        questions.EvalRequest, "ndcg-sql eval qrels.txt first.run -m 'nDCG@10 AP'"
    ),
    "evaluate": Change(
        changes.EvaluateRequest,
        "ndcg-sql evaluate --run hybrid --judgments judgments",
    ),
    "explain": Question(
        questions.ExplainRequest,
        "ndcg-sql explain hybrid q18 -m nDCG@10\n"
        "ndcg-sql explain bm25 q18 --against hybrid",
    ),
    "gains list": Question(questions.GainsRequest, "ndcg-sql gains list"),
    "gains add": Change(
        changes.AddGainsRequest, "ndcg-sql gains add steep 0=0 1=1 2=10", makes=True
    ),
    "gains remove": Change(changes.RemoveGainsRequest, "ndcg-sql gains remove cubic"),
    "history": Question(questions.HistoryRequest, "ndcg-sql history -m nDCG@10"),
    "holes": Question(
        questions.UnjudgedRequest, "ndcg-sql holes -m nDCG@10 --run hybrid"
    ),
    "leaderboard": Question(
        questions.LeaderboardRequest, "ndcg-sql leaderboard -m nDCG@10"
    ),
    "list": Question(questions.ContentsRequest, "ndcg-sql list --dataset demo --tags"),
    "load values": Change(
        loading.LoadValuesRequest, "ndcg-sql load values values --dataset shop"
    ),
    "load beir": Change(
        loading.LoadBenchmarkRequest,
        "ndcg-sql load beir scifact --dataset scifact",
        "Load a folder of BEIR: queries, documents, judgments.\n\n"
        "Each split becomes a judgment set. The folder has qrels/test.tsv, train.tsv or"
        " dev.tsv, queries.jsonl, corpus.jsonl.",
        {"benchmark": "beir"},
        makes=True,
    ),
    "load msmarco": Change(
        loading.LoadBenchmarkRequest,
        "ndcg-sql load msmarco passages --dataset passages",
        "Load a folder of MS MARCO: queries, documents, judgments.\n\n"
        "Each file of judgments becomes a judgment set. The folder has files such as"
        " qrels.dev.tsv, queries.dev.tsv and collection.tsv.",
        {"benchmark": "msmarco"},
        makes=True,
    ),
    "measures list": Question(
        questions.MeasuresRequest, "ndcg-sql measures list --families"
    ),
    "measures add": Change(
        changes.AddMeasuresRequest,
        "ndcg-sql measures add \"nDCG(dcg='exp-log2')@7\"",
        makes=True,
    ),
    "measures remove": Change(
        changes.RemoveMeasuresRequest, "ndcg-sql measures remove R@100"
    ),
    "merge": Change(changes.MergeRequest, "ndcg-sql merge other.duckdb", makes=True),
    "overlap": Question(questions.OverlapRequest, "ndcg-sql overlap bm25 hybrid"),
    "remove run": Change(
        changes.RemoveRequest,
        "ndcg-sql remove run keyword",
        "Remove runs, with their rankings, tags and values.",
        _RUN,
    ),
    "remove judgments": Change(
        changes.RemoveRequest,
        "ndcg-sql remove judgments judgments",
        "Remove judgment sets, and the values computed with them.",
        _JUDGMENTS,
    ),
    "remove assessments": Change(
        changes.RemoveRequest,
        "ndcg-sql remove assessments assessments",
        "Remove assessments; judgment sets made from them stay.",
        {"kind": "assessments"},
    ),
    "remove queries": Change(
        changes.RemoveQueriesRequest, "ndcg-sql remove queries --dataset demo"
    ),
    "remove documents": Change(
        changes.RemoveDocumentsRequest, "ndcg-sql remove documents --dataset demo"
    ),
    "remove dataset": Change(
        changes.RemoveDatasetRequest, "ndcg-sql remove dataset demo"
    ),
    "rename run": Change(
        changes.RenameRequest,
        "ndcg-sql rename run bm25 bm25-2026-01",
        "Rename a run; its id, its content and its values stay.",
        _RUN,
    ),
    "rename judgments": Change(
        changes.RenameRequest,
        "ndcg-sql rename judgments judgments version-1",
        "Rename a judgment set; its id, its content and its values stay.",
        _JUDGMENTS,
    ),
    "rename dataset": Change(
        changes.RenameRequest,
        "ndcg-sql rename dataset demo demo-2026",
        "Rename a dataset; all that is in it stays.",
        {"kind": "dataset", "dataset": None},
    ),
    "report": Question(
        questions.ReportRequest,
        "ndcg-sql report -m 'nDCG@10 AP' --by device\n"
        "ndcg-sql report --run hybrid --per-query --worst 5",
        Captioned,
    ),
    "schema": Question(
        questions.SchemaRequest, "ndcg-sql schema query_values", _Markdown
    ),
    "tag run": Change(
        changes.TagRequest, "ndcg-sql tag run hybrid model=v2 branch=main"
    ),
}


def question_of(name: str) -> type[Request] | None:
    """Return the request of a command that answers a question; None for any other."""
    entry = _COMMANDS.get(name)
    return entry.request if isinstance(entry, Question) else None


# The groups of commands; without a command, some of them list what there is.
_GROUPS = {
    "gains": "List, add or remove gain schemes.",
    "measures": "List, add or remove registered measures.",
    "remove": "Remove runs, judgments, queries, documents or a dataset.",
    "rename": "Rename a run, a judgment set or a dataset.",
    "tag": "Tag runs.",
}
_LISTS: Mapping[str, type[Request]] = {
    "gains": questions.GainsRequest,
    "measures": questions.MeasuresRequest,
}


@cache
def app_of(name: str) -> typer.Typer | None:
    """Return the command of a name, or the group of commands; None if it has a module.

    What a group does without a command is its list.
    """
    if name in _COMMANDS:
        app = typer.Typer()
        _COMMANDS[name].add(app, name)
        return app
    if name not in _GROUPS:
        return None
    lists = _LISTS.get(name)
    app = typer.Typer(
        cls=Group, invoke_without_command=bool(lists), no_args_is_help=not lists
    )

    def begin(context: typer.Context) -> None:
        if lists and context.invoked_subcommand is None:
            answered(context, lists(), Printing())

    begin.__doc__ = _GROUPS[name]
    app.callback()(begin)
    add_all(app, name)
    return app


def add_all(app: typer.Typer, group: str) -> None:
    """Add the commands of a group to its app."""
    for path, one in _COMMANDS.items():
        if path.startswith(f"{group} "):
            one.add(app, path.removeprefix(f"{group} "))
