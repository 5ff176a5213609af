"""Fusion in SQL: a method and a norm are rows of formulas, from which a select is made.

What a run gives a document is its value, one column for each run. Terms are made of the
values, and the fused score of the terms. To tune the k, or the weights of runs, what
the runs show is laid out once, a row for each document of a query. A setting then only
scores these rows, and counts which of them come before a judged one.
"""

import re
from collections import Counter
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import product, zip_longest
from string import Template

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import Entry, judgments_of
from ndcg_sql.evaluation.fitting import check_fits
from ndcg_sql.evaluation.question import only_measures, own_tables
from ndcg_sql.evaluation.values import store_values_of
from ndcg_sql.loading.loaded import Setting, Tuned
from ndcg_sql.loading.sentences import refusal
from ndcg_sql.measures.names import Measure, parse
from ndcg_sql.system import progress
from ndcg_sql.text import counted, quoted
from ndcg_sql.wording import use

DEFAULT_K = 60
# How many folds the queries are dealt to; each has two or more.
FOLDS = 5
# The most runs for which methods.csv says which weights are tried.
MOST_RUNS = 8


@dataclass(frozen=True)
class Source:
    """A run that is fused, with its weight; sorted, its content decides."""

    content_hash: str
    weight: float
    run: Entry


@dataclass(frozen=True)
class Fusion:
    """What is fused, and how: runs in the order of the request, and formulas.

    method is a row of sql/fusion/methods.csv. values is the row that has the values:
    one of norms.csv if the method takes a norm, otherwise the method itself. k is None
    where the method has none.
    """

    method: Mapping[str, str]
    values: Mapping[str, str]
    k: int | None
    depth: int | None
    sources: tuple[Source, ...] = ()

    @property
    def norm(self) -> str | None:
        """The norm, if the method takes one."""
        return self.values.get("norm")

    @property
    def weights(self) -> tuple[float, ...] | None:
        """The weights in the order of the request, if the method takes any."""
        is_weighted = "weights" in self.method["takes"].split()
        return tuple(source.weight for source in self.sources) if is_weighted else None

    @property
    def setting(self) -> Setting:
        """What is tuned: the k, or the weights."""
        return self.weights or self.k or 0

    @property
    def tags(self) -> dict[str, str]:
        """The tags that say how a run was fused, but not of which runs."""
        weights = [repr(weight).removesuffix(".0") for weight in self.weights or ()]
        written = {
            **{"fusion": self.method["method"], "norm": self.norm, "k": self.k},
            **{"weights": ", ".join(weights) or None, "depth": self.depth},
        }
        return {tag: str(text) for tag, text in written.items() if text is not None}

    @property
    def ordered(self) -> list[Source]:
        """The sources in the order of places, whatever that of the request is."""
        return sorted(self.sources, key=lambda one: (one.content_hash, one.weight))

    @property
    def parameters(self) -> Parameters:
        """The parameters of its selects."""
        ordered = self.ordered
        parameters: Parameters = {"k": self.k, "depth": self.depth}
        parameters["run_ids"] = [source.run.id for source in ordered]
        parameters["weights"] = [source.weight for source in ordered]
        return parameters

    def weighted(self, weights: Iterable[float]) -> "Fusion":
        """Return the same with these weights of its sources."""
        pairs = zip(self.sources, weights, strict=True)
        sources = (replace(source, weight=weight) for source, weight in pairs)
        return replace(self, sources=tuple(sources))

    @property
    def documents(self) -> str:
        """The select of the documents that the runs show, with their values."""
        entries, missing = "fused_entries", self.values["missing"]
        if self.values["lists"]:
            entries += " inner join fused_lists using (place, query_id)"
        values, columns = self.values["value"], self._pivoted("value", "value")
        parts = {"value": values, "entries": entries, "value_columns": columns}
        shown = _filled("documents", **parts)
        if not missing:
            return shown
        absent = self._pivoted(missing, "absent")
        columns = self._each("coalesce(value_{0}, absent_{0}) as value_{0}")
        filled = _filled("missing", absent_columns=absent, value_columns=columns)
        return f"with source_rows as ({shown}) from ({filled})"

    def scored(self, documents: str) -> str:
        """Return a select of documents with their scores, by a select of them."""
        # The columns of one run, in rows that have those of all runs.
        term = re.sub(r"\b(value|weight)\b", r"\1_{0}", self.method["term"])
        scores = _filled(
            "scores",
            weight_columns=self._each("list_extract($weights, {0}) as weight_{0}"),
            term_columns=self._each(term + " as term_{0}"),
            terms=self._each("term_{0}"),
            sum=self._sum,
            count=self._each("cast(term_{0} is not null as integer)", " + "),
            score=self.method["score"],
        )
        return f"with source_rows as ({documents}) from ({scores})"

    @property
    def _sum(self) -> str:
        """The terms added up by pairs, so that threads cannot change the last bit."""
        # With 0 in it, not even a sum of negative zeros is one.
        terms = [*self._each("coalesce(term_{0}, 0)", "|").split("|"), "0"]
        while len(terms) > 1:
            pairs = zip_longest(terms[::2], terms[1::2], fillvalue="0")
            terms = [f"({one} + {other})" for one, other in pairs]
        return terms[0]

    def _pivoted(self, formula: str, name: str) -> str:
        """Return a formula on rows, each of one run, as a column for each run."""
        value = f"max(case when place = {{0}} then {formula} end)"
        return self._each(f"{value} as {name}_{{0}}")

    def _each(self, text: str, between: str = ", ") -> str:
        """Return a text with the place of each run in it."""
        places = range(1, len(self.sources) + 1)
        return between.join(text.format(place) for place in places)

    @contextmanager
    def read(self, database: Database, which: str = "") -> Generator[None]:
        """Let the select of documents read what runs show, or some, while inside."""
        runs, entries = map(sql_files.read, ("fusion/runs", "fusion/entries"))
        lists = tuple(f"fusion/lists/{name}" for name in self.values["lists"].split())
        with ExitStack() as tables:
            made = database.temporary("fused_runs", runs, self.parameters)
            hidden = database.hide("fused_entries", f"from ({entries}) {which}")
            tables.enter_context(made)
            tables.enter_context(hidden)
            self._check_scores(database)
            if lists:
                select = sql_files.composed(lists)
                tables.enter_context(database.temporary("fused_lists", select))
            yield

    def _check_scores(self, database: Database) -> None:
        """Raise NdcgSqlError for the first list of scores that breaks a check."""
        checks = {row["check"]: row for row in sql_files.rows("fusion/checks")}
        for check in map(checks.__getitem__, self.values.get("checks", "").split()):
            # Scores alone show whether there is any, which their documents take longer.
            suspects = f"from fused_entries where {check['documents']}"
            if not database.execute(f"select 1 {suspects} limit 1"):
                continue
            for row in database.records(
                "select place, query_id, min_by(doc_id, position) as doc_id,"
                " min_by(score, position) as score, max(score) as greatest"
                f" {suspects} group by all"
                f" having {check['lists']} order by place, query_id limit 1"
            ):
                run_name = self.ordered[int(row["place"]) - 1].run.name
                raise self.unusable(check["message"], {**row, "run": run_name})

    def unusable(self, message: str, row: Mapping[str, object]) -> NdcgSqlError:
        """Return the refusal of scores, whose message has values of a row."""
        values = {
            name: f"{value:g}" if isinstance(value, float) else quoted(value)
            for name, value in row.items()
        }
        return NdcgSqlError(
            message.format_map(values),
            "choose another norm, such as " + use(norm="rank"),
            where=use(norm=self.norm),
        )


def _filled(name: str, **parts: str) -> str:
    """Return the text of a file under sql/fusion with formulas in their places."""
    return Template(sql_files.read(f"fusion/{name}")).safe_substitute(parts)


def tune(database: Database, text: str, fusion: Fusion) -> tuple[Fusion, Tuned]:
    """Choose the k or the weights of a fusion by the best mean of a measure."""
    count, tried = len(fusion.sources), fusion.method["tried"].split()
    if not tried:
        raise refusal("nothing_to_tune", method=fusion.method["method"])
    if count > MOST_RUNS:
        raise refusal("many_to_tune", count=count, most=MOST_RUNS)
    [measure, *more] = parse(text)
    if more or measure.reads_rankings or not measure.family.can_improve:
        raise refusal("no_measure_to_tune", tune=text)
    runs = [source.run for source in fusion.sources]
    [(_, set_id), *_] = judgments_of(database, runs, None)
    fusions = _tried(fusion, [int(part) for part in tried])
    judged: Parameters = {"judgment_set_id": set_id, "folds": FOLDS}
    queries = sql_files.read("fusion/tuning/queries")
    with database.temporary("tuned_queries", queries, judged):
        [(n,)] = database.execute("select count(*) from tuned_queries")
        if n < 2 * FOLDS:
            few = {"queries": n, "folds": FOLDS, "least": 2 * FOLDS}
            raise refusal("few_queries_to_tune", tune=text, **few)
        with _valued(database, measure, set_id, fusions):
            rows = database.run("fusion/tuning/chosen", judged)
            if len(rows) <= FOLDS:
                raise refusal("few_values_to_tune", tune=measure.name)
            [best, *folds] = [fusions[int(number) - 1] for _, number, *_ in rows]
            run_ids = [int(number) for _, number, *_ in rows[1:]]
            [held_out] = database.run("fusion/tuning/held_out", {"run_ids": run_ids})
    settings = tuple(one.setting for one in folds)
    value, n, held_out_value, held_out_n = (*rows[0][2:], *held_out)
    means = value, n, held_out_value, held_out_n
    return best, Tuned(measure.name, len(fusions), *means, settings)


def lines(tuned: Tuned, setting: Setting) -> list[str]:
    """Return what is reported of a fusion that was tuned."""
    what, have = ("k", "has") if isinstance(setting, int) else ("weights", "have")
    chosen = "; ".join(
        f"{fold} ({counted(times, 'fold')})"
        for fold, times in Counter(map(_written, tuned.folds)).most_common()
    )
    return [
        f"tuned on all {counted(tuned.n, 'query', 'queries')}: {what}"
        f" {_written(setting)} {have} the highest {tuned.measure} of {tuned.tried}"
        f" tried, {tuned.value:.4f}",
        f"held out: {tuned.measure} {tuned.held_out_value:.4f} for"
        f" {counted(tuned.held_out_n, 'query', 'queries')}, each by the {what} that the"
        f" other {FOLDS - 1} of {FOLDS} folds chose: {chosen}",
    ]


def _written(setting: Setting) -> str:
    if isinstance(setting, int):
        return str(setting)
    return ",".join(f"{weight:g}" for weight in setting)


def _tried(fusion: Fusion, tried: Sequence[int]) -> list[Fusion]:
    """Return the fusions that are tried, what is nearest to the default first.

    That is the k nearest to 60, the lesser of two, or the weights nearest to equal
    ones, of several those with the greater weights first.
    """
    if fusion.k is not None:
        nearest = sorted(tried, key=lambda k: (abs(k - DEFAULT_K), k))
        return [replace(fusion, k=k) for k in nearest]
    # The parts of a whole for two runs, for three and so on.
    count = len(fusion.sources)
    parts = tried[count - 2]
    descending = range(parts, -1, -1)
    whole = [one for one in product(descending, repeat=count) if sum(one) == parts]
    whole.sort(key=lambda share: sum(part * part for part in share))
    return [fusion.weighted([part / parts for part in share]) for share in whole]


@contextmanager
def _valued(
    database: Database, measure: Measure, set_id: int, tried: Sequence[Fusion]
) -> Generator[None]:
    """Have the values of each fusion, from 1 on, in stored_values while inside."""
    first, numbers = tried[0], range(1, len(tried) + 1)
    parameters: Parameters = {
        **{"judgment_set_id": set_id, "depth": first.depth},
        **{"count": len(tried), "run_id": 1},
    }
    documents = (
        f"select * exclude (query_id, fold) from ({first.documents})"
        " inner join tuned_queries using (query_id)"
    )
    hits, placed = map(sql_files.read, ("fusion/tuning/hits", "fusion/tuning/placed"))
    with ExitStack() as tables:
        tables.enter_context(only_measures(database, [measure], [set_id]))
        check_fits(database, [set_id])
        with first.read(database, "semi join tuned_queries using (query_id)"):
            tables.enter_context(database.temporary("tuned_documents", documents))
        tables.enter_context(database.temporary("tuned_hits", hits, parameters))
        empty = ("runs", "run_queries", "loaded_values", "evaluations", "hits")
        tables.enter_context(own_tables(database, dict.fromkeys(empty, "false")))
        for file in ("fusion/tuning/run_queries", "fusion/tuning/runs"):
            database.run(file, parameters)
        database.run("store/positions", parameters)
        database.execute(
            "insert into evaluations by name"
            " from computed_evaluations where judgment_set_id = $judgment_set_id",
            parameters,
        )
        for number in progress.each(numbers, "tuning", "settings"):
            fusion = tried[number - 1]
            of_run = {**parameters, **fusion.parameters, "run_id": number}
            scored = fusion.scored("from tuned_documents")
            of_hits = fusion.scored("from tuned_hits")
            with database.temporary("scored_hits", of_hits, of_run):
                rows = f"with source_rows as ({scored}) from ({placed})"
                database.execute(f"insert into hits by name {rows}", of_run)
        store_values_of(database, [(number, set_id) for number in numbers])
        yield
