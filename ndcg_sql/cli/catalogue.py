"""The table of commands: the question of each, and what is done with it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from inspect import signature
from typing import Any

from ndcg_sql.cli import commands, completion
from ndcg_sql.questions import changes, comparisons, judging, loading, outputs, reports
from ndcg_sql.requests.fields import Field, fields_of, method_of


@dataclass(frozen=True)
class Entry:
    """A command: a question, lines of examples, and the function that asks it.

    help is in place of that of the question; implied are parameters of the question
    whose values the words of the command say. has_warehouse is whether the command uses
    one.
    """

    question: Callable[..., Any] | None
    examples: str
    function: Callable[..., None] = commands.changed
    help: str | None = None
    implied: Mapping[str, str | None] = field(default_factory=dict[str, str | None])
    has_warehouse: bool = True

    @cached_property
    def options(self) -> tuple[Field, ...]:
        """What the command takes, in the order of its help."""
        own = fields_of(self.function)
        before = own[: len(own) - len(self.beside)]
        rest = [one for one in self.parameters if one.name not in self.implied]
        return (*before, *rest, *self.beside)

    @property
    def parameters(self) -> tuple[Field, ...]:
        """What the question takes."""
        return () if self.question is None else fields_of(self.question)

    @cached_property
    def beside(self) -> tuple[Field, ...]:
        """What the function takes after the question, such as where an answer goes."""
        names = [*signature(self.function).parameters]
        after = names[names.index("question") :] if self.question else names
        return tuple(one for one in fields_of(self.function) if one.name in after)

    @property
    def method(self) -> str:
        """The method of Warehouse that does the same."""
        return "" if self.question is None else method_of(self.question)


def _of(kind: str) -> Mapping[str, str | None]:
    return {"kind": kind}


_answer = partial(Entry, function=commands.answered)
_captioned = partial(Entry, function=commands.answered_with_caption)
_load = partial(Entry, function=commands.loaded)
_load_file = partial(Entry, function=commands.loaded_file)
_plain = partial(Entry, has_warehouse=False)
# Each command by its words.
COMMANDS: Mapping[str, Entry] = {
    "adjudicate": Entry(judging.adjudicate, "adjudicate panel --policy majority"),
    "agreement": _answer(comparisons.agreement, "agreement"),
    "backup": Entry(outputs.backup, "backup backup.duckdb"),
    "changes": _answer(comparisons.changes, "changes judgments judgments-2"),
    "check": _answer(reports.check, "check"),
    "compare": _captioned(
        comparisons.compare,
        "compare bm25 hybrid -m nDCG@10\n"
        "compare bm25 '*' --by device --html compared.html",
    ),
    "completion": Entry(None, "completion bash", completion.completion),
    "demo": Entry(None, "demo", commands.demo),
    "describe": _answer(reports.describe, "describe hybrid"),
    "emit": _plain(
        outputs.emit,
        "emit --dialect postgres -m nDCG@10 -m AP --rankings shop.results"
        " --judgments shop.grades --column query_id=search_id",
        commands.printed,
    ),
    "eval": _plain(
        reports.eval_, "eval qrels.txt first.run -m 'nDCG@10 AP'", commands.evaluated
    ),
    "evaluate": Entry(changes.evaluate, "evaluate --run hybrid --judgments judgments"),
    "explain": _answer(
        reports.explain,
        "explain hybrid q18 -m nDCG@10\nexplain bm25 q18 --against hybrid",
    ),
    "export run": Entry(
        outputs.export,
        "export run hybrid -o hybrid.csv",
        help="Write a run: query, document, rank and score.",
        implied=_of("run"),
    ),
    "export judgments": Entry(
        outputs.export,
        "export judgments judgments -o judgments.parquet",
        help="Write a judgment set: query, document, grade and label.",
        implied=_of("judgments"),
    ),
    "fuse": Entry(
        changes.fuse,
        "fuse bm25 keyword --name fused\n"
        "fuse bm25 keyword --name blend --method weighted --weights 2,1",
    ),
    "gains list": _answer(reports.gains, "gains list"),
    "gains add": Entry(changes.add_gains, "gains add steep 0=0 1=1 2=10"),
    "gains remove": Entry(changes.remove_gains, "gains remove cubic"),
    "gate": Entry(
        comparisons.gate,
        "gate bm25 hybrid --max-drop 0.01\n"
        "gate keyword hybrid --by device --max-drop 5% --junit gate.xml",
        commands.gate,
    ),
    "history": _answer(reports.history, "history -m nDCG@10"),
    "holes": _answer(reports.unjudged, "holes -m nDCG@10 --run hybrid"),
    "leaderboard": _answer(comparisons.leaderboard, "leaderboard -m nDCG@10"),
    "list": _answer(reports.contents, "list --dataset demo --tags"),
    "load judgments": _load(
        loading.load_judgments,
        "load judgments qrels.txt --dataset shop\n"
        "load judgments purchases.csv --grade 1 --column doc_id=item",
    ),
    "load run": _load(
        loading.load_run,
        "load run first.run --dataset shop --tag model=bm25\n"
        "load run models.csv --run-column model\n"
        "load run week.csv --name '{Week}/{Engine}' --tag-column Week",
    ),
    "load assessments": _load(
        judging.load_assessments,
        "load assessments ann.csv llm.csv --assessor-from file",
    ),
    "load queries": _load_file(
        loading.load_queries, "load queries queries.csv --dataset shop"
    ),
    "load documents": _load_file(
        loading.load_documents, "load documents corpus.jsonl --dataset scifact"
    ),
    "load known": _load_file(
        loading.load_known, "load known bought.csv --dataset shop"
    ),
    "load clicks": _load(
        judging.load_clicks,
        "load clicks events.csv --model coec --action add_to_cart=3",
    ),
    "load values": _load(
        loading.load_values,
        "load values ragas.csv --name answers --origin 'ragas 0.3, gpt-4o'\n"
        "load values spans.csv -m latency --lower-is-better latency",
    ),
    "load beir": Entry(
        loading.load_benchmark,
        "load beir scifact --dataset scifact",
        commands.changed,
        "Load a folder of BEIR: queries, documents, judgments.\n\n"
        "Each split becomes a judgment set. The folder has qrels/test.tsv, train.tsv or"
        " dev.tsv, queries.jsonl, corpus.jsonl; or folders with Parquet files, as on"
        " Hugging Face.",
        {"benchmark": "beir"},
    ),
    "load msmarco": Entry(
        loading.load_benchmark,
        "load msmarco passages --dataset passages",
        commands.changed,
        "Load a folder of MS MARCO: queries, documents, judgments.\n\n"
        "Each file of judgments becomes a judgment set. The folder has files such as"
        " qrels.dev.tsv, queries.dev.tsv and collection.tsv.",
        {"benchmark": "msmarco"},
    ),
    "measures list": _answer(reports.measures, "measures list --families"),
    "measures add": Entry(
        changes.add_measures, "measures add \"nDCG(dcg='exp-log2')@7\""
    ),
    "measures remove": Entry(changes.remove_measures, "measures remove R@100"),
    "overlap": _answer(comparisons.overlap, "overlap bm25 hybrid"),
    "plot": Entry(
        outputs.plot,
        "plot differences bm25 hybrid -o diff.pdf\n"
        "plot leaderboard -m nDCG@10 --width 8cm -o runs.svg",
        commands.plot,
    ),
    "pool": Entry(reports.pool, "pool --depth 10 -o pool.csv", commands.pool),
    "publish": Entry(outputs.publish, "publish dashboards.duckdb"),
    "query": Entry(
        None, "query 'select run, measure, value from run_values'", commands.query
    ),
    "remove run": Entry(
        changes.remove,
        "remove run keyword",
        help="Remove runs, with their rankings, tags and values.",
        implied=_of("run"),
    ),
    "remove judgments": Entry(
        changes.remove,
        "remove judgments judgments",
        help="Remove judgment sets, and the values computed with them.",
        implied=_of("judgments"),
    ),
    "remove assessments": Entry(
        changes.remove,
        "remove assessments assessments",
        help="Remove assessments; judgment sets made from them stay.",
        implied=_of("assessments"),
    ),
    "remove queries": Entry(changes.remove_queries, "remove queries --dataset demo"),
    "remove documents": Entry(
        changes.remove_documents, "remove documents --dataset demo"
    ),
    "remove known": Entry(changes.remove_known, "remove known --dataset demo"),
    "remove dataset": Entry(changes.remove_dataset, "remove dataset demo"),
    "rename run": Entry(
        changes.rename,
        "rename run bm25 bm25-2026-01",
        help="Rename a run; its id, its content and its values stay.",
        implied=_of("run"),
    ),
    "rename judgments": Entry(
        changes.rename,
        "rename judgments judgments version-1",
        help="Rename a judgment set; its id, its content and its values stay.",
        implied=_of("judgments"),
    ),
    "rename dataset": Entry(
        changes.rename,
        "rename dataset demo demo-2026",
        help="Rename a dataset; all that is in it stays.",
        implied={"kind": "dataset", "dataset": None},
    ),
    "report": _captioned(
        reports.report,
        "report -m 'nDCG@10 AP' --by device\nreport --run hybrid --per-query --worst 5",
    ),
    "schema": _plain(
        reports.schema, "schema query_values", commands.answered_in_markdown
    ),
    "tag run": Entry(
        changes.tag,
        "tag run hybrid model=v2 branch=main\ntag run hybrid --run-at 2026-01-31",
    ),
}


def command_of(method: str) -> tuple[str, Entry]:
    """Return the command that does what a method of Warehouse does.

    Words that say what an argument of the method says, such as run, are left out.
    """
    path, entry = next(pair for pair in COMMANDS.items() if pair[1].method == method)
    said = entry.implied.values()
    return " ".join(word for word in path.split() if word not in said), entry
