"""What a command is asked: measures of runs by judgment sets, resolved once."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation import entries, warnings
from ndcg_sql.evaluation.entries import Entry
from ndcg_sql.evaluation.registry import registered
from ndcg_sql.evaluation.scope import known_values
from ndcg_sql.evaluation.values import Pair
from ndcg_sql.measures.names import Measure, parse
from ndcg_sql.measures.systems import System
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import quoted


@dataclass(frozen=True)
class Request:
    """What a user says: names, as they are written.

    Without measures, the registered ones are meant; without runs, all of them;
    without judgments, the newest set of each dataset. by are attributes of the
    queries; like is a system whose conventions the measures follow.
    """

    measures: Sequence[str] = ()
    runs: Sequence[str] = ()
    judgments: str | None = None
    dataset: str | None = None
    by: Sequence[str] = ()
    like: System | None = None


@dataclass(frozen=True)
class Question:
    """What that means: measures, runs, and pairs of a run and a judgment set.

    pairs may leave out runs whose dataset has no judgments.
    """

    measures: tuple[Measure, ...]
    runs: tuple[Entry, ...]
    pairs: tuple[Pair, ...]
    by: tuple[str, ...] = ()

    @property
    def parameters(self) -> Parameters:
        """What the selects of reports take."""
        return {
            "run_ids": [run_id for run_id, _ in self.pairs],
            "judgment_set_ids": sorted({set_id for _, set_id in self.pairs}),
            "measures": [measure.name for measure in self.measures],
        }


def choose_measures(
    database: Database, names: Sequence[str], like: System | None = None
) -> tuple[Measure, ...]:
    """Return the measures that a user names; the registered ones if none is named.

    Those of a system that is to be followed are as that system has them.
    """
    if like:
        return tuple(like.measures(names))
    measures = parse(" ".join(names)) if names else []
    measures = measures or [m for name in registered(database) for m in parse(name)]
    if not measures:
        raise NdcgSqlError("no measure is registered; name one: -m nDCG@10")
    return tuple(measures)


def resolve(
    database: Database,
    messages: Messages,
    request: Request,
    columns: Sequence[str] = (),
) -> Question:
    """Return what a request means; tell which runs are left out, and why.

    columns are those that stand beside the attributes of the request. Raises
    NdcgSqlError where a name is not known.
    """
    measures = choose_measures(database, request.measures, request.like)
    chosen, pairs = resolve_runs(database, messages, request)
    without = entries.check_attributes(database, request.by, chosen)
    entries.check_columns(request.by, columns)
    for name in without:
        messages.tell(
            f"dataset {quoted(name)} has no such queries; its runs are left out"
        )
    if request.like:
        warnings.tell_like(database, messages, request.like, measures, pairs)
    return Question(measures, tuple(chosen), tuple(pairs), tuple(request.by))


def resolve_runs(
    database: Database, messages: Messages, request: Request
) -> tuple[list[Entry], list[Pair]]:
    """Return the runs that a user names, and those that can be evaluated."""
    chosen = entries.choose_runs(database, request.runs, request.dataset)
    pairs = entries.judgments_of(database, chosen, request.judgments)
    tell_left_out(messages, chosen, pairs, request.judgments)
    return chosen, pairs


def tell_left_out(
    messages: Messages,
    chosen: Sequence[Entry],
    pairs: Sequence[Pair],
    judgments: str | None,
) -> None:
    """Tell which datasets have no judgments for the runs that were chosen."""
    judged = {run_id for run_id, _ in pairs}
    datasets = dict.fromkeys(run.dataset for run in chosen if run.id not in judged)
    what = f"judgment set {quoted(judgments)}" if judgments else "judgments"
    for dataset in datasets:
        messages.tell(f"dataset {quoted(dataset)} has no {what}; its runs are left out")


@contextmanager
def answered(
    database: Database, messages: Messages, question: Question
) -> Generator[None]:
    """See to it that inside, views know the values that a question asks for.

    Tells what the judgments lack for its measures.
    """
    with known_values(database, question.measures, question.pairs):
        for line in warnings.lacking(database, question.measures, question.pairs):
            messages.tell(line)
        yield


@contextmanager
def combined(database: Database, attributes: Sequence[str]) -> Generator[None]:
    """See to it that inside, queries have one attribute: all of these in one."""
    with _attributes(database, "reports/combined_attributes", attributes):
        yield


@contextmanager
def separate(database: Database, attributes: Sequence[str]) -> Generator[None]:
    """See to it that inside, queries have these attributes alone."""
    with _attributes(database, "reports/separate_attributes", attributes):
        yield


@contextmanager
def _attributes(
    database: Database, file: str, attributes: Sequence[str]
) -> Generator[None]:
    """See to it that inside, queries have the attributes that a select gives them."""
    named = {"attributes": list(attributes)}
    with database.temporary("query_attributes", sql_files.read(file), named):
        yield
