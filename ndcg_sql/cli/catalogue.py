"""The table of commands: the question of each, and what the command line adds."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

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
from ndcg_sql.questions import changes, comparisons, outputs, reports
from ndcg_sql.requests import clicks, engines, loading, publishing
from ndcg_sql.requests.changes import FuseRequest
from ndcg_sql.requests.fields import method_of
from ndcg_sql.requests.printing import Captioned, Printing
from ndcg_sql.requests.questions import EvalRequest

# A question, or a request.
Made = Callable[..., Any]


@dataclass(frozen=True)
class Entry:
    """A command that is made of a question, with examples of it.

    function, in a module of this package, is called with the session and what the
    command line takes before the question, the question with its values, and what it
    takes beside it. help is in place of that of the question; implied are parameters
    whose values the words of the command say. has_warehouse is whether the command uses
    one.
    """

    request: Made
    example: str
    function: str = "asking.changed"
    before: tuple[Made, ...] = ()
    beside: tuple[Made, ...] = ()
    help: str | None = None
    implied: Mapping[str, str | None] = field(default_factory=dict[str, str | None])
    has_warehouse: bool = True

    @property
    def requests(self) -> tuple[Made, ...]:
        """All that the command takes, in the order of its options."""
        return (*self.before, self.request, *self.beside)


def _question(question: Made, example: str, printing: type = Printing) -> Entry:
    return Entry(question, example, "asking.answered", beside=(printing,))


def _load(request: type, inputs: type, example: str) -> Entry:
    return Entry(request, example, "asking.loaded", before=(inputs,))


_RUN: Mapping[str, str | None] = {"kind": "run"}
_JUDGMENTS: Mapping[str, str | None] = {"kind": "judgments"}
# Each command that is made of a request, by its words.
COMMANDS: Mapping[str, Entry] = {
    "adjudicate": Entry(
        changes.adjudicate, "ndcg-sql adjudicate panel --policy majority"
    ),
    "agreement": _question(comparisons.agreement, "ndcg-sql agreement"),
    "backup": Entry(
        publishing.BackupRequest, "ndcg-sql backup backup.duckdb", "asking.copied"
    ),
    "changes": _question(comparisons.changes, "ndcg-sql changes judgments judgments-2"),
    "check": _question(reports.check, "ndcg-sql check"),
    "compare": _question(
        comparisons.compare,
        "ndcg-sql compare bm25 hybrid -m nDCG@10\n"
        "ndcg-sql compare bm25 '*' --by device --html compared.html",
        Captioned,
    ),
    "describe": _question(reports.describe, "ndcg-sql describe hybrid"),
    "emit": Entry(
        engines.EmitRequest,
        "ndcg-sql emit --dialect postgres -m nDCG@10 -m AP --rankings shop.results"
        " --judgments shop.grades --column query_id=search_id",
        "emit.emit",
        has_warehouse=False,
    ),
    "eval": Entry(
        EvalRequest,
        "ndcg-sql eval qrels.txt first.run -m 'nDCG@10 AP'",
        "asking.evaluated",
        beside=(Printing,),
        has_warehouse=False,
    ),
    "evaluate": Entry(
        changes.evaluate,
        "ndcg-sql evaluate --run hybrid --judgments judgments",
    ),
    "explain": _question(
        reports.explain,
        "ndcg-sql explain hybrid q18 -m nDCG@10\n"
        "ndcg-sql explain bm25 q18 --against hybrid",
    ),
    "export run": Entry(
        outputs.export,
        "ndcg-sql export run hybrid -o hybrid.csv",
        help="Write a run: query, document, rank and score.",
        implied=_RUN,
    ),
    "export judgments": Entry(
        outputs.export,
        "ndcg-sql export judgments judgments -o judgments.parquet",
        help="Write a judgment set: query, document, grade and label.",
        implied=_JUDGMENTS,
    ),
    "fuse": Entry(
        FuseRequest,
        "ndcg-sql fuse bm25 keyword --name fused\n"
        "ndcg-sql fuse bm25 keyword --name blend --method weighted --weights 2,1",
        "asking.requested",
    ),
    "gains list": _question(reports.gains, "ndcg-sql gains list"),
    "gains add": Entry(changes.add_gains, "ndcg-sql gains add steep 0=0 1=1 2=10"),
    "gains remove": Entry(changes.remove_gains, "ndcg-sql gains remove cubic"),
    "gate": Entry(
        comparisons.gate,
        "ndcg-sql gate bm25 hybrid --max-drop 0.01\n"
        "ndcg-sql gate keyword hybrid --by device --max-drop 5% --junit gate.xml",
        "gate.gate",
        before=(ByPosition,),
        beside=(Printing,),
    ),
    "history": _question(reports.history, "ndcg-sql history -m nDCG@10"),
    "holes": _question(reports.unjudged, "ndcg-sql holes -m nDCG@10 --run hybrid"),
    "leaderboard": _question(
        comparisons.leaderboard, "ndcg-sql leaderboard -m nDCG@10"
    ),
    "list": _question(reports.contents, "ndcg-sql list --dataset demo --tags"),
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
    "load values": _load(
        loading.LoadValuesRequest,
        Files,
        "ndcg-sql load values ragas.csv --name answers --origin 'ragas 0.3, gpt-4o'\n"
        "ndcg-sql load values spans.csv -m latency --lower-is-better latency",
    ),
    "load beir": Entry(
        loading.LoadBenchmarkRequest,
        "ndcg-sql load beir scifact --dataset scifact",
        "asking.requested",
        help="Load a folder of BEIR: queries, documents, judgments.\n\n"
        "Each split becomes a judgment set. The folder has qrels/test.tsv, train.tsv or"
        " dev.tsv, queries.jsonl, corpus.jsonl; or folders with Parquet files, as on"
        " Hugging Face.",
        implied={"benchmark": "beir"},
    ),
    "load msmarco": Entry(
        loading.LoadBenchmarkRequest,
        "ndcg-sql load msmarco passages --dataset passages",
        "asking.requested",
        help="Load a folder of MS MARCO: queries, documents, judgments.\n\n"
        "Each file of judgments becomes a judgment set. The folder has files such as"
        " qrels.dev.tsv, queries.dev.tsv and collection.tsv.",
        implied={"benchmark": "msmarco"},
    ),
    "measures list": _question(reports.measures, "ndcg-sql measures list --families"),
    "measures add": Entry(
        changes.add_measures,
        "ndcg-sql measures add \"nDCG(dcg='exp-log2')@7\"",
    ),
    "measures remove": Entry(changes.remove_measures, "ndcg-sql measures remove R@100"),
    "overlap": _question(comparisons.overlap, "ndcg-sql overlap bm25 hybrid"),
    "plot": Entry(
        outputs.plot,
        "ndcg-sql plot differences bm25 hybrid -o diff.pdf\n"
        "ndcg-sql plot leaderboard -m nDCG@10 --width 8cm -o runs.svg",
        "plot.plot",
        beside=(Drawing,),
    ),
    "pool": Entry(
        reports.pool,
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
        changes.remove,
        "ndcg-sql remove run keyword",
        help="Remove runs, with their rankings, tags and values.",
        implied=_RUN,
    ),
    "remove judgments": Entry(
        changes.remove,
        "ndcg-sql remove judgments judgments",
        help="Remove judgment sets, and the values computed with them.",
        implied=_JUDGMENTS,
    ),
    "remove assessments": Entry(
        changes.remove,
        "ndcg-sql remove assessments assessments",
        help="Remove assessments; judgment sets made from them stay.",
        implied={"kind": "assessments"},
    ),
    "remove queries": Entry(
        changes.remove_queries, "ndcg-sql remove queries --dataset demo"
    ),
    "remove documents": Entry(
        changes.remove_documents, "ndcg-sql remove documents --dataset demo"
    ),
    "remove known": Entry(changes.remove_known, "ndcg-sql remove known --dataset demo"),
    "remove dataset": Entry(changes.remove_dataset, "ndcg-sql remove dataset demo"),
    "rename run": Entry(
        changes.rename,
        "ndcg-sql rename run bm25 bm25-2026-01",
        help="Rename a run; its id, its content and its values stay.",
        implied=_RUN,
    ),
    "rename judgments": Entry(
        changes.rename,
        "ndcg-sql rename judgments judgments version-1",
        help="Rename a judgment set; its id, its content and its values stay.",
        implied=_JUDGMENTS,
    ),
    "rename dataset": Entry(
        changes.rename,
        "ndcg-sql rename dataset demo demo-2026",
        help="Rename a dataset; all that is in it stays.",
        implied={"kind": "dataset", "dataset": None},
    ),
    "report": _question(
        reports.report,
        "ndcg-sql report -m 'nDCG@10 AP' --by device\n"
        "ndcg-sql report --run hybrid --per-query --worst 5",
        Captioned,
    ),
    "schema": replace(
        _question(reports.schema, "ndcg-sql schema query_values", InMarkdown),
        has_warehouse=False,
    ),
    "tag run": Entry(
        changes.tag,
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
