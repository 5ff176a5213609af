"""Evaluation in memory: judgments and runs in, values out, nothing kept."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain, islice, product
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ndcg_sql import options
from ndcg_sql.database import opening
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError, library
from ndcg_sql.evaluation.entries import judgment_sets
from ndcg_sql.evaluation.fitting import check_fits
from ndcg_sql.evaluation.kept import PAIR, Basis, Kept, forget, keep, kept
from ndcg_sql.evaluation.question import choose_measures
from ndcg_sql.evaluation.registry import replace_registered
from ndcg_sql.evaluation.warnings import lacking
from ndcg_sql.fields import grades, names_of, options_of
from ndcg_sql.loading import frames
from ndcg_sql.loading import warnings as doubtful
from ndcg_sql.loading.loaded import LoadedItem
from ndcg_sql.loading.options import Options, Ranked
from ndcg_sql.loading.sentences import naming_loader
from ndcg_sql.measures import systems
from ndcg_sql.measures.names import Measure, parse
from ndcg_sql.measures.systems import System
from ndcg_sql.python.access import in_python, warn
from ndcg_sql.reading import mappings
from ndcg_sql.reading.columns import COLUMNS, NO_RUNS, check_columns
from ndcg_sql.reading.plain import Judged, hits, places
from ndcg_sql.reports.one_shot import judgments_first
from ndcg_sql.system.messages import Collected, Only
from ndcg_sql.text import counted, quoted
from ndcg_sql.wording import FILE, Blank

if TYPE_CHECKING:
    import pandas  # pyright: ignore[reportMissingTypeStubs]
    import polars

    from ndcg_sql.output.results import Result
    from ndcg_sql.questions.inputs import Judgments, Measures, Run


# What evaluate and compare take that says how content is read.
_FIELDS = {
    *("position_rule", "grade", "labels", "columns", "decimal", "encoding"),
    *("duplicates", "unit", "unit_before"),
}
# What compare takes that says how differences are tested.
_TESTING = ("test", "correct", "alpha", "resamples", "seed", "statistics")
_PLAIN = Options()
_COUNTS = "select answered + unanswered, unanswered from evaluations"


# The values of a run, the measures, and warnings about what they are made of.
_Evaluated = tuple["Evaluation", Sequence[Measure], list[str]]


class QueryValue(NamedTuple):
    """The value of a measure for a query."""

    query_id: str
    measure: str
    value: float | None


class Evaluation(Mapping[str, float]):
    """The values of a run: a mapping from measures to means.

    Measures are found under any of their names, also those of a system that is
    followed: values["nDCG@10"] is values["ndcg_cut_10"]. The names that they have here
    are canonical, but those that were asked for where a system is followed. per_query
    has the values of all judged queries, answered or not, in the order of query ids;
    df, pl and to_dicts give them as frames and dictionaries. queries is how many there
    are, unanswered how many of them the run has no document for.
    """

    def __init__(
        self,
        measures: Sequence[Measure],
        means: Mapping[str, Any],
        rows: Callable[[], Iterable[Any]],
        counts: tuple[int, ...],
        names: Sequence[str] = (),
        system: System | None = None,
    ) -> None:
        """Take means by name, rows, counts of queries, and what was asked for."""
        self.queries, self.unanswered = counts
        self._rows, self._system = rows, system
        self._means = {measure.name: means[measure.name] for measure in measures}
        canonical = system.user_names(names) if system else {}
        self._canonical = canonical or {name: name for name in self._means}

    def __getitem__(self, name: object) -> float:
        name = self._canonical.get(str(name), name)
        if name in self._means:
            return self._means[str(name)]
        # ValueError is of a name of several measures.
        with suppress(NdcgSqlError, ValueError, KeyError):
            [measure] = parse(str(name))
            variant = self._system.variant(measure) if self._system else measure
            return self._means[variant.name]
        names = ", ".join(self)
        raise KeyError(f"{name}: not evaluated, only {names}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._canonical)

    def __len__(self) -> int:
        return len(self._canonical)

    @property
    def per_query(self) -> list[QueryValue]:
        """The values of queries: query_id, measure, value; None where left out."""
        user_names: dict[str, list[str]] = {}
        for user_name, name in self._canonical.items():
            user_names.setdefault(name, []).append(user_name)
        return [
            QueryValue(query, user_name, value)
            for query, name, value in self._rows()
            for user_name in user_names[name]
        ]

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return a dictionary for each row of per_query."""
        return [row._asdict() for row in self.per_query]

    def df(self) -> "pandas.DataFrame":
        """Return per_query as a frame of pandas; raise NdcgSqlError if it is absent."""
        frame = library("pandas").DataFrame(
            self.per_query, columns=list(QueryValue._fields)
        )
        return frame.astype({"value": "float64"})

    def pl(self) -> "polars.DataFrame":
        """Return per_query as a frame of polars; raise NdcgSqlError if it is absent."""
        schema = {"query_id": str, "measure": str, "value": float}
        return library("polars").DataFrame(self.per_query, schema=schema, orient="row")

    def _shown(self) -> tuple[dict[str, str], str]:
        """Return the means as text, and the counts, if a query is unanswered."""
        means = cast("Mapping[str, float | None]", dict(self))
        counts = f"queries {self.queries}, unanswered {self.unanswered}"
        shown = {n: "" if v is None else f"{v:.4f}" for n, v in means.items()}
        return shown, counts if self.unanswered else ""

    def _repr_html_(self) -> str:
        # Tables load slowly.
        from ndcg_sql.output.documents import drawn
        from ndcg_sql.output.layout import Cells, Screen

        shown, counts = self._shown()
        values = Cells("value", [*shown.values()], is_right=True)
        table = drawn([[[Cells("measure", [*shown]), values]]], "html", Screen())
        return table + (counts and f"<p>{counts}</p>")

    def __repr__(self) -> str:
        shown, counts = self._shown()
        width = max(map(len, shown), default=0)
        lines = [f"{n:<{width}}  {v}".rstrip() for n, v in shown.items()]
        return "\n".join(filter(None, [*lines, counts]))


def evaluate(
    judgments: "Judgments",
    run: "Run",
    measures: "Measures | None" = "nDCG@10 AP RR R@100",
    *,
    like: options.System | None = None,
    position_rule: options.PositionRule | None = None,
    grade: float | None = None,
    labels: Mapping[str, float] | None = None,
    columns: Mapping[str, str] | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    duplicates: options.Duplicates = "refuse",
    unit: str | None = None,
    unit_before: str | None = None,
) -> Evaluation:
    """Return the values of one run, computed in memory as a warehouse would.

    judgments and run are what Warehouse.load_judgments and Warehouse.load_run take:
    dicts, frames, Arrow tables, paths of files, the objects of ir_measures and ranx.
    Warns of what a warehouse would warn of, such as runs that answer none of the
    judged queries, and of judged queries without an answer, unless all measures omit
    them. Raises NdcgSqlError for input that a warehouse would refuse. grade is that of
    all judgments that state none, labels are the grades of words; columns name those of
    frames and files, of judgments and of the run; decimal is their decimal mark,
    encoding that of text which is not UTF-8; duplicates="first", "last" or "max" keeps
    one place of a document that occurs twice for a query, which is refused otherwise.
    Where the run has chunks of documents, unit names the column of their documents, or
    unit_before the text behind the id of the document; the best chunk counts.

    >>> values = evaluate({"q1": {"a": 2, "b": 1}}, {"q1": ["b", "a"]}, "nDCG@10 RR")
    >>> values["RR"]
    1.0
    >>> round(values["nDCG@10"], 4)
    0.8597
    """
    arguments = locals()
    with in_python(":memory:"):
        options = _options(arguments)
        names = _names(measures)
        system = None if like is None else systems.find(like)
        rule = position_rule or (system and system.position_rule)
        is_read = grade is not None or labels or unit or unit_before
        outcome = None
        if rule != "given" and not is_read:
            outcome = _of_dicts(judgments, run, names, system, rule)
        if outcome is None:
            outcome = _of_anything(judgments, run, names, system, rule, options)
    evaluation, chosen, lines = outcome
    queries, unanswered = evaluation.queries, evaluation.unanswered
    # A run that answers none is warned of when it is loaded.
    are_omitted = all(m.parameters.get("missing") == "omit" for m in chosen)
    if not are_omitted and 0 < unanswered < queries:
        judged = counted(queries, "judged query", "judged queries")
        lines = [*lines, f"{unanswered} of {judged} without an answer"]
    warn(lines)
    return evaluation


def _options(arguments: Mapping[str, Any]) -> Options:
    """Return how content is read, by the arguments of a function."""
    check_columns(arguments["columns"] or {}, "judgments", "run")
    values = {name: arguments[name] for name in _FIELDS}
    values["labels"] = grades(arguments["labels"] or {})
    return Options.of(values)


def _options_of(
    options: Options, kind: Ranked, content: object, **changes: Any
) -> Options:
    """Return the options of content, of those that its kind has, and others."""
    columns = {} if isinstance(content, Mapping) else options.columns
    columns = {c: name for c, name in columns.items() if c in COLUMNS[kind]}
    left_out = _FIELDS - options_of(f"load_{kind}")
    usual = {name: getattr(_PLAIN, name) for name in left_out}
    return replace(options, **{**usual, "columns": columns, **changes})


def _of_anything(
    judgments: "Judgments",
    run: "Run",
    names: tuple[str, ...],
    system: System | None,
    rule: str | None,
    options: Options,
) -> _Evaluated:
    with opening.scratch() as database:
        chosen = choose_measures(database, names, system)
        warnings = _load(database, chosen, judgments, {"run": run}, rule, options)
        means = dict(database.execute("select measure, value from run_values"))
        rows = database.run("reports/values_by_query")
        [counts] = database.execute(_COUNTS)
        warnings += map(str, lacking(database, chosen, [PAIR]))
        are_tied = bool(database.run("warnings/tied_hits"))
        warnings += _tied(are_tied, chosen, system)
    evaluation = Evaluation(chosen, means, partial(iter, rows), counts, names, system)
    return evaluation, chosen, warnings


def _of_dicts(
    judgments: "Judgments",
    run: "Run",
    names: tuple[str, ...],
    system: System | None,
    chosen_rule: str | None,
) -> _Evaluated | None:
    """Return the values of a run; None if it must be loaded to say what is wrong."""
    if type(judgments) is not dict or type(run) is not dict:
        return None
    judged, ranking = cast("Judged", judgments), cast("Judged", run)
    ranked = mappings.plain_rows(ranking, "run")
    basis = Basis(judged, names, system and system.name)
    cache = kept(basis)
    judgment_rows = cache.rows if cache else mappings.plain_rows(judged, "judgments")
    if ranked is None or judgment_rows is None:
        return None
    rule = chosen_rule or "score"
    # Loading warns of grades in the place of scores.
    every = chain.from_iterable(of_query.values() for of_query in judged.values())
    may_be_scores = sum(grade % 1 != 0 for grade in islice(every, 10)) > 5
    if (
        chosen_rule is None
        and may_be_scores
        and ranked.may_be_grades(doubtful.MOST_GRADES)
    ):
        return None
    place_of = cache.places if cache else places(judgment_rows)
    run_hits = hits(place_of, ranked, rule)
    if not len(run_hits.place):
        return None
    if cache is None:
        database = opening.scratch()
        measures = choose_measures(database, names, system)
        warnings = _load(database, measures, judged, {}, "score", _PLAIN)
        cache = keep(Kept(basis, judgment_rows, database, measures, warnings))
    chosen, warnings, formulas = cache.measures, [*cache.warnings], cache.formulas
    # Most runs have no query of equal scores, which arrays say soonest.
    may_be_constant = chosen_rule is None and run_hits.may_be_constant
    # Documents are too many to look at for each step of a training loop.
    answered = sum(query in place_of for query in ranked.queries)
    may_be_near = answered < min(len(ranked.queries), len(judged))
    is_stored = may_be_constant or may_be_near
    counted_queries = zip(ranked.queries, ranked.counts, strict=True)
    sizes = {query: size for query, size in counted_queries if size}
    try:
        with cache.evaluated(sizes, run_hits, rule, is_stored) as (values, lacks):
            (run_id, set_id), store = PAIR, cache.database
            if may_be_constant:
                ids = {"run_id": run_id, "judgment_set_id": set_id}
                doubts = doubtful.each(store, "constant_scores", ids, run="run")
                warnings += map(str, doubts)
            if may_be_near:
                warnings += map(str, doubtful.near(store, [run_id], set_id, None))
            warnings += [*lacks, *_tied(run_hits.are_tied, chosen, system)]
    except BaseException:
        # Its last transaction may be in any state.
        forget()
        raise
    means, unanswered = formulas.means(values), set(cache.queries) - sizes.keys()
    counts = (len(cache.queries), len(unanswered))
    rows = partial(_rows, cache.queries, cache.names, values)
    return Evaluation(chosen, means, rows, counts, names, system), chosen, warnings


def _rows(
    queries: Sequence[str], names: Sequence[str], values: Any
) -> Iterator[tuple[str, str, float | None]]:
    numbers = (None if x != x else x for x in values.T.ravel().tolist())
    keys = product(queries, names)
    return ((*key, value) for key, value in zip(keys, numbers, strict=True))


def _tied(
    are_tied: bool, measures: Sequence[Measure], system: System | None
) -> list[str]:
    """Return what a followed system does with ties otherwise, if there are any."""
    differences = system.otherwise_tied(measures) if system else []
    if system is None or not differences or not are_tied:
        return []
    return [f"not as in {system.name}: {'; '.join(differences)}"]


def compare(
    judgments: "Judgments",
    runs: "Mapping[str, Run] | Sequence[Run]",
    measures: "Measures | None" = "nDCG@10 AP RR R@100",
    *,
    test: options.TestName | None = None,
    correct: options.Correction | None = None,
    alpha: float | None = None,
    resamples: int | None = None,
    seed: int | None = None,
    statistics: options.Statistics = "usual",
    position_rule: options.PositionRule | None = None,
    grade: float | None = None,
    labels: Mapping[str, float] | None = None,
    columns: Mapping[str, str] | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    duplicates: options.Duplicates = "refuse",
    unit: str | None = None,
    unit_before: str | None = None,
) -> "Result":
    """Return the differences of runs from the first one, computed in memory.

    runs are a dictionary of names and runs, or a list; the first is the baseline.
    The rows and options are those of Warehouse.compare, with intervals and p-values.
    position_rule, grade, labels, columns, decimal, encoding, duplicates, unit and
    unit_before are those of evaluate.

    >>> result = compare(
    ...     {"q1": {"a": 1}, "q2": {"b": 1}},
    ...     {"old": {"q1": ["x", "a"], "q2": ["b"]}, "new": {"q1": ["a"], "q2": ["b"]}},
    ...     "RR",
    ... )
    >>> result.to_dicts()[0]["difference"]
    0.25
    """
    arguments = locals()
    # Tests of significance load slowly.
    from ndcg_sql.python.warehouse import Warehouse

    runs = runs if isinstance(runs, Mapping) else _named(runs)
    if len(runs) < 2:
        raise NdcgSqlError("compare: needs two runs, a baseline and a candidate")
    with in_python(":memory:"), opening.scratch() as database:
        chosen = choose_measures(database, _names(measures))
        options, rule = _options(arguments), position_rule
        warnings = _load(database, chosen, judgments, runs, rule, options, "compare")
        baseline, *candidates = runs
        testing = {name: arguments[name] for name in _TESTING}
        warehouse = Warehouse(":memory:").holding(database)
        compared = warehouse.compare(baseline, candidates, **testing)
    warn(warnings)
    return compared


def _named(runs: "Sequence[Run]") -> "dict[str, Run]":
    """Return runs by name: the name of ranx's runs, or their number."""
    by_name: dict[str, Run] = {}
    for number, run in enumerate(runs, start=1):
        is_ranx = type(run).__module__.partition(".")[0] == "ranx"
        name = (is_ranx and getattr(run, "name", None)) or f"run{number}"
        # A run of ranx may be called like another one, or like its number.
        names = (name, *(f"run{n}" for n in range(number, 2 * len(runs) + 1)))
        by_name[next(one for one in names if one not in by_name)] = run
    return by_name


def _load(
    database: Database,
    measures: Sequence[Measure],
    judgments: "Judgments",
    runs: "Mapping[str, Run]",
    position_rule: str | None,
    options: Options,
    method: str = "evaluate",
) -> list[str]:
    """Load judgments and runs into a scratch database; return warnings."""
    replace_registered(database, measures)
    messages = Collected()
    judging = _options_of(options, "judgments", judgments, name="judgments")
    with judgments_first(method, Blank("JUDGMENTS"), Blank("RUN")):
        _load_one(database, judgments, "judgments", judging, messages)
    check_fits(database, [entry.id for entry in judgment_sets(database)])
    changes: dict[str, Any] = {"run_column": NO_RUNS}
    if position_rule:
        changes |= {"position_rule": position_rule, "is_rule_chosen": True}
    for name, run in runs.items():
        ranking = _options_of(options, "run", run, name=name, **changes)
        _load_one(database, run, "run", ranking, messages)
    return messages.lines


def _load_one(
    database: Database,
    content: "Judgments | Run",
    kind: Ranked,
    options: Options,
    messages: Collected,
) -> Sequence[LoadedItem]:
    # Of several runs, their names tell which one is meant.
    shown = kind if options.name == kind else f"{kind} {quoted(options.name)}"
    only, folder = Only(messages, "warn"), database.folder
    with (
        naming_loader(_FIELDS, f"load_{kind}", FILE),
        frames.received(content, kind, options, only, folder) as files,
    ):
        return frames.load(database, files, kind, options, only, shown)


def _names(measures: "Measures | None") -> tuple[str, ...]:
    return () if measures is None else names_of("measures", measures)
