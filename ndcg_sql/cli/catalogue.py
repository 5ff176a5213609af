"""The table of commands: the request of each, and what the command line adds."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ndcg_sql.cli.beside import (
    ByPosition,
    Drawing,
    Files,
    Filling,
    InMarkdown,
    OneFile,
    Select,
    TimeLimit,
)
from ndcg_sql.requests import (
    changes,
    clicks,
    comparisons,
    engines,
    figures,
    loading,
    publishing,
    questions,
)
from ndcg_sql.requests.fields import method_of
from ndcg_sql.requests.printing import Captioned, Printing


@dataclass(frozen=True)
class Entry:
    """A command that is made of a request, with examples of it.

    function, in a module of this package, is called with the session and the requests:
    what the command line takes before the request of a method, that request, and what
    it takes beside it. help is in place of that of the request; implied are fields
    whose values the words of the command say. has_warehouse is whether the command uses
    one.
    """

    request: type
    example: str
    function: str = "asking.changed"
    before: tuple[type, ...] = ()
    beside: tuple[type, ...] = ()
    help: str | None = None
    implied: Mapping[str, str | None] = field(default_factory=dict[str, str | None])
    has_warehouse: bool = True

    @property
    def requests(self) -> tuple[type, ...]:
        """All that the command takes, in the order of its options."""
        return (*self.before, self.request, *self.beside)


def _question(request: type, example: str, printing: type = Printing) -> Entry:
    return Entry(request, example, "asking.answered", beside=(printing,))


def _load(request: type, inputs: type, example: str) -> Entry:
    return Entry(request, example, "asking.loaded", before=(inputs,))


_RUN: Mapping[str, str | None] = {"kind": "run"}
_JUDGMENTS: Mapping[str, str | None] = {"kind": "judgments"}
# Each command that is made of a request, by its words.
COMMANDS: Mapping[str, Entry] = {
    "adjudicate": Entry(
        changes.AdjudicateRequest, "ndcg-sql adjudicate panel --policy majority"
    ),
    "agreement": _question(comparisons.AgreementRequest, "ndcg-sql agreement"),
    "backup": Entry(
        publishing.BackupRequest, "ndcg-sql backup backup.duckdb", "asking.copied"
    ),
    "changes": _question(
        comparisons.ChangesRequest, "ndcg-sql changes judgments judgments-2"
    ),
    "check": _question(questions.CheckRequest, "ndcg-sql check"),
    "compare": _question(
        comparisons.CompareRequest,
        "ndcg-sql compare bm25 hybrid -m nDCG@10\n"
        "ndcg-sql compare bm25 '*' --by device --html compared.html",
        Captioned,
    ),
    "describe": _question(questions.DescribeRequest, "ndcg-sql describe hybrid"),
    "emit": Entry(
        engines.EmitRequest,
        "ndcg-sql emit --dialect postgres -m nDCG@10 -m AP --rankings shop.results"
        " --judgments shop.grades --column query_id=search_id",
        "emit.emit",
        has_warehouse=False,
    ),
    "eval": replace(
        _question(
            questions.EvalRequest, "ndcg-sql eval qrels.txt first.run -m 'nDCG@10 AP'"
        ),
        has_warehouse=False,
    ),
    "evaluate": Entry(
        changes.EvaluateRequest,
        "ndcg-sql evaluate --run hybrid --judgments judgments",
    ),
    "explain": _question(
        questions.ExplainRequest,
        "ndcg-sql explain hybrid q18 -m nDCG@10\n"
        "ndcg-sql explain bm25 q18 --against hybrid",
    ),
    "export run": Entry(
        publishing.ExportRequest,
        "ndcg-sql export run hybrid -o hybrid.csv",
        "asking.copied",
        help="Write a run: query, document, rank and score.",
        implied=_RUN,
    ),
    "export judgments": Entry(
        publishing.ExportRequest,
        "ndcg-sql export judgments judgments -o judgments.parquet",
        "asking.copied",
        help="Write a judgment set: query, document, grade and label.",
        implied=_JUDGMENTS,
    ),
    "fuse": Entry(
        changes.FuseRequest,
        "ndcg-sql fuse bm25 keyword --name fused\n"
        "ndcg-sql fuse bm25 keyword --name blend --method weighted --weights 2,1",
    ),
    "gains list": _question(questions.GainsRequest, "ndcg-sql gains list"),
    "gains add": Entry(
        changes.AddGainsRequest, "ndcg-sql gains add steep 0=0 1=1 2=10"
    ),
    "gains remove": Entry(changes.RemoveGainsRequest, "ndcg-sql gains remove cubic"),
    "gate": Entry(
        comparisons.GateRequest,
        "ndcg-sql gate bm25 hybrid --max-drop 0.01\n"
        "ndcg-sql gate keyword hybrid --by device --max-drop 5% --junit gate.xml",
        "gate.gate",
        before=(ByPosition,),
        beside=(Printing,),
        help="Pass or fail a run by its drop from a baseline.\n\n"
        "Exit with 0 or 1. A drop fails if it exceeds the tolerance and is"
        " significant.",
    ),
    "history": _question(questions.HistoryRequest, "ndcg-sql history -m nDCG@10"),
    "holes": _question(
        questions.UnjudgedRequest, "ndcg-sql holes -m nDCG@10 --run hybrid"
    ),
    "leaderboard": _question(
        comparisons.LeaderboardRequest, "ndcg-sql leaderboard -m nDCG@10"
    ),
    "list": _question(questions.ContentsRequest, "ndcg-sql list --dataset demo --tags"),
    "load judgments": _load(
        loading.LoadJudgmentsRequest,
        Files,
        "ndcg-sql load judgments qrels.txt --dataset shop\n"
        "ndcg-sql load judgments purchases.csv --grade 1 --column doc_id=item",
    ),
    "load run": _load(
        loading.LoadRunRequest,
        Files,
        "ndcg-sql load run first.run --dataset shop --tag model=bm25\n"
        "ndcg-sql load run models.csv --run-column model\n"
        "ndcg-sql load run week.csv --name '{Week}/{Engine}' --tag-column Week",
    ),
    "load assessments": _load(
        loading.LoadAssessmentsRequest,
        Files,
        "ndcg-sql load assessments ann.csv llm.csv --assessor-from file",
    ),
    "load queries": _load(
        loading.LoadQueriesRequest,
        OneFile,
        "ndcg-sql load queries queries.csv --dataset shop",
    ),
    "load documents": _load(
        loading.LoadDocumentsRequest,
        OneFile,
        "ndcg-sql load documents corpus.jsonl --dataset scifact",
    ),
    "load known": _load(
        loading.LoadKnownRequest,
        OneFile,
        "ndcg-sql load known bought.csv --dataset shop",
    ),
    "load clicks": _load(
        clicks.LoadClicksRequest,
        Files,
        "ndcg-sql load clicks events.csv --model coec --action add_to_cart=3",
    ),
    "load values": Entry(
        loading.LoadValuesRequest, "ndcg-sql load values values --dataset shop"
    ),
    "load beir": Entry(
        loading.LoadBenchmarkRequest,
        "ndcg-sql load beir scifact --dataset scifact",
        help="Load a folder of BEIR: queries, documents, judgments.\n\n"
        "Each split becomes a judgment set. The folder has qrels/test.tsv, train.tsv or"
        " dev.tsv, queries.jsonl, corpus.jsonl.",
        implied={"benchmark": "beir"},
    ),
    "load msmarco": Entry(
        loading.LoadBenchmarkRequest,
        "ndcg-sql load msmarco passages --dataset passages",
        help="Load a folder of MS MARCO: queries, documents, judgments.\n\n"
        "Each file of judgments becomes a judgment set. The folder has files such as"
        " qrels.dev.tsv, queries.dev.tsv and collection.tsv.",
        implied={"benchmark": "msmarco"},
    ),
    "measures list": _question(
        questions.MeasuresRequest, "ndcg-sql measures list --families"
    ),
    "measures add": Entry(
        changes.AddMeasuresRequest,
        "ndcg-sql measures add \"nDCG(dcg='exp-log2')@7\"",
    ),
    "measures remove": Entry(
        changes.RemoveMeasuresRequest, "ndcg-sql measures remove R@100"
    ),
    "overlap": _question(comparisons.OverlapRequest, "ndcg-sql overlap bm25 hybrid"),
    "plot": Entry(
        figures.PlotRequest,
        "ndcg-sql plot differences bm25 hybrid -o diff.pdf\n"
        "ndcg-sql plot leaderboard -m nDCG@10 --width 8cm -o runs.svg",
        "plot.plot",
        beside=(Drawing,),
    ),
    "pool": Entry(
        questions.PoolRequest,
        "ndcg-sql pool --depth 10 -o pool.csv",
        "pool.pool",
        beside=(Filling,),
    ),
    "publish": Entry(
        publishing.PublishRequest,
        "ndcg-sql publish dashboards.duckdb",
        "asking.copied",
    ),
    "query": Entry(
        Select,
        "ndcg-sql query 'select run, measure, value from run_values'",
        "query.query",
        beside=(Printing, TimeLimit),
    ),
    "remove run": Entry(
        changes.RemoveRequest,
        "ndcg-sql remove run keyword",
        help="Remove runs, with their rankings, tags and values.",
        implied=_RUN,
    ),
    "remove judgments": Entry(
        changes.RemoveRequest,
        "ndcg-sql remove judgments judgments",
        help="Remove judgment sets, and the values computed with them.",
        implied=_JUDGMENTS,
    ),
    "remove assessments": Entry(
        changes.RemoveRequest,
        "ndcg-sql remove assessments assessments",
        help="Remove assessments; judgment sets made from them stay.",
        implied={"kind": "assessments"},
    ),
    "remove queries": Entry(
        changes.RemoveQueriesRequest, "ndcg-sql remove queries --dataset demo"
    ),
    "remove documents": Entry(
        changes.RemoveDocumentsRequest, "ndcg-sql remove documents --dataset demo"
    ),
    "remove known": Entry(
        changes.RemoveKnownRequest, "ndcg-sql remove known --dataset demo"
    ),
    "remove dataset": Entry(
        changes.RemoveDatasetRequest, "ndcg-sql remove dataset demo"
    ),
    "rename run": Entry(
        changes.RenameRequest,
        "ndcg-sql rename run bm25 bm25-2026-01",
        help="Rename a run; its id, its content and its values stay.",
        implied=_RUN,
    ),
    "rename judgments": Entry(
        changes.RenameRequest,
        "ndcg-sql rename judgments judgments version-1",
        help="Rename a judgment set; its id, its content and its values stay.",
        implied=_JUDGMENTS,
    ),
    "rename dataset": Entry(
        changes.RenameRequest,
        "ndcg-sql rename dataset demo demo-2026",
        help="Rename a dataset; all that is in it stays.",
        implied={"kind": "dataset", "dataset": None},
    ),
    "report": _question(
        questions.ReportRequest,
        "ndcg-sql report -m 'nDCG@10 AP' --by device\n"
        "ndcg-sql report --run hybrid --per-query --worst 5",
        Captioned,
    ),
    "schema": replace(
        _question(questions.SchemaRequest, "ndcg-sql schema query_values", InMarkdown),
        has_warehouse=False,
    ),
    "tag run": Entry(
        changes.TagRequest,
        "ndcg-sql tag run hybrid model=v2 branch=main\n"
        "ndcg-sql tag run hybrid --run-at 2026-01-31",
    ),
}


def command_of(method: str) -> tuple[str, Entry]:
    """Return the command that does what a method of Warehouse does.

    Words that say what an argument of the method says, such as run, are left out.
    """
    path, entry = next(
        (path, entry)
        for path, entry in COMMANDS.items()
        if method_of(entry.request) == method
    )
    said = entry.implied.values()
    return " ".join(word for word in path.split() if word not in said), entry
