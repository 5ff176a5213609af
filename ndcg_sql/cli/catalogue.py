"""The table of commands: the question of each, and what is done with it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from inspect import signature
from typing import Any

from ndcg_sql.cli import commands
from ndcg_sql.fields import Documentation, Field, documentation, fields_of, method_of
from ndcg_sql.questions import changes, comparisons, judging, loading, outputs, reports


@dataclass(frozen=True)
class Entry:
    """A command: a question, and the function that asks it.

    implied are parameters of the question whose values the words of the command say;
    help and example are then its own.
    """

    question: Callable[..., Any] | None
    function: Callable[..., None] = commands.changed
    help: str = ""
    example: str = ""
    implied: Mapping[str, str | None] = field(default_factory=dict[str, str | None])
    has_warehouse: bool = True

    @property
    def documentation(self) -> Documentation:
        """The help of the command, but for that of its options."""
        if self.help:
            return Documentation(self.help, {}, [self.example])
        return documentation(self.question or self.function)

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


def _remove(kind: str, name: str, help_: str) -> Entry:
    example = f"ndcg-sql remove {kind} {name}"
    return Entry(changes.remove, help=help_, example=example, implied={"kind": kind})


_answer = partial(Entry, function=commands.answered)
_captioned = partial(Entry, function=commands.answered_with_caption)
_load = partial(Entry, function=commands.loaded)
_load_file = partial(Entry, function=commands.loaded_file)
_plain = partial(Entry, has_warehouse=False)
# Each command by its words.
COMMANDS: Mapping[str, Entry] = {
    "adjudicate": Entry(judging.adjudicate),
    "agreement": _answer(comparisons.agreement),
    "backup": Entry(outputs.backup),
    "changes": _answer(comparisons.changes),
    "check": _answer(reports.check),
    "compare": _captioned(comparisons.compare),
    "completion": Entry(None, commands.completion),
    "demo": Entry(None, commands.demo),
    "describe": _answer(reports.describe),
    "emit": _plain(outputs.emit, commands.printed),
    "eval": _plain(reports.eval_, commands.answered),
    "evaluate": Entry(changes.evaluate),
    "explain": _answer(reports.explain),
    "export": Entry(outputs.export),
    "fuse": Entry(changes.fuse),
    "gains list": _answer(reports.gains),
    "gains add": Entry(changes.add_gains),
    "gains remove": Entry(changes.remove_gains),
    "gate": Entry(comparisons.gate, commands.gate),
    "history": _answer(reports.history),
    "holes": _answer(reports.unjudged),
    "leaderboard": _answer(comparisons.leaderboard),
    "list": _answer(reports.contents),
    "load judgments": _load(loading.load_judgments),
    "load run": _load(loading.load_run),
    "load assessments": _load(judging.load_assessments),
    "load queries": _load_file(loading.load_queries),
    "load documents": _load_file(loading.load_documents),
    "load known": _load_file(loading.load_known),
    "load clicks": _load(judging.load_clicks),
    "load values": _load(loading.load_values),
    "load beir": Entry(
        loading.load_benchmark,
        help="Load a folder of BEIR: queries, documents, judgments.\n\n"
        "Each split becomes a judgment set. The folder has qrels/test.tsv, train.tsv or"
        " dev.tsv, queries.jsonl, corpus.jsonl; or folders with Parquet files, as on"
        " Hugging Face.",
        example="ndcg-sql load beir scifact --dataset scifact",
        implied={"benchmark": "beir"},
    ),
    "load msmarco": Entry(
        loading.load_benchmark,
        help="Load a folder of MS MARCO: queries, documents, judgments.\n\n"
        "Each file of judgments becomes a judgment set. The folder has files such as"
        " qrels.dev.tsv, queries.dev.tsv and collection.tsv.",
        example="ndcg-sql load msmarco passages --dataset passages",
        implied={"benchmark": "msmarco"},
    ),
    "measures list": _answer(reports.measures),
    "measures add": Entry(changes.add_measures),
    "measures remove": Entry(changes.remove_measures),
    "overlap": _answer(comparisons.overlap),
    "plot": Entry(outputs.plot, commands.plot),
    "pool": Entry(reports.pool, commands.pool),
    "publish": Entry(outputs.publish),
    "query": Entry(None, commands.query),
    "remove run": _remove(
        "run", "keyword", "Remove runs, with their rankings, tags and values."
    ),
    "remove judgments": _remove(
        *("judgments", "judgments"),
        "Remove judgment sets, and the values computed with them.",
    ),
    "remove assessments": _remove(
        *("assessments", "assessments"),
        "Remove assessments; judgment sets made from them stay.",
    ),
    "remove queries": Entry(changes.remove_queries),
    "remove documents": Entry(changes.remove_documents),
    "remove known": Entry(changes.remove_known),
    "remove dataset": Entry(changes.remove_dataset),
    "rename": Entry(changes.rename),
    "report": _captioned(reports.report),
    "schema": _plain(reports.schema, commands.answered),
    "tag run": Entry(changes.tag),
}

# The first words of all commands, by what these are for, as help shows them.
SECTIONS = {
    "Load": ("load", "fuse", "demo"),
    "Look": (
        *("report", "eval", "explain", "history", "overlap", "describe", "list"),
        *("plot", "query", "schema", "measures", "gains", "trec_eval"),
    ),
    "Decide": ("leaderboard", "compare", "gate", "changes"),
    "Judge": ("holes", "pool", "adjudicate", "agreement"),
    "Keep": (
        *("rename", "tag", "evaluate", "remove", "backup", "check"),
        *("export", "publish", "emit", "completion"),
    ),
}
TOP = tuple(name for names in SECTIONS.values() for name in names)
# Those that commands begin with; without another word, some list what there is.
GROUPS = {
    "gains": "List, add or remove gain schemes.",
    "load": "Load judgments, assessments, runs, queries or documents.",
    "measures": "List, add or remove registered measures.",
    "remove": "Remove runs, judgments, queries, documents or a dataset.",
    "tag": "Tag runs.",
}
# Words of other tools for what is loaded.
ALIASES = {
    **dict.fromkeys(("qrels", "qrel", "judgement"), "judgments"),
    **dict.fromkeys(("judgment", "judgements"), "judgments"),
    **dict.fromkeys(("runs", "ranking", "rankings"), "run"),
    **dict.fromkeys(("query", "topics"), "queries"),
    **dict.fromkeys(("click", "events"), "clicks"),
    "assessment": "assessments",
    "value": "values",
}


def command_of(method: str) -> tuple[str, Entry]:
    """Return the command of a method of Warehouse, without words that are implied."""
    path, entry = next(pair for pair in COMMANDS.items() if pair[1].method == method)
    said = entry.implied.values()
    return " ".join(word for word in path.split() if word not in said), entry
