"""Another warehouse added to this one: all that it holds, or nothing."""

from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from ndcg_sql.database import opening, schema
from ndcg_sql.database.connections import harmless_path
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import KEYS, TABLES, Kind, entries, into
from ndcg_sql.evaluation.fitting import note_misfits
from ndcg_sql.evaluation.values import evaluate_all, store_anew, weigh
from ndcg_sql.loading.described import FACTS, IDS
from ndcg_sql.loading.removing import NEEDS
from ndcg_sql.requests.changes import MergeRequest
from ndcg_sql.system import progress
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import closest, counted, listed, quoted, sql_name, sql_text
from ndcg_sql.wording import Blank, Text, call, joined, use

# No file, and so no database of DuckDB, can have this name.
_OTHER = "ndcg-sql/other"
# The names of entries are unique in a dataset.
Name = tuple[str, str]
# The kinds of entries in the order in which they are added, with their rows.
_ROWS: dict[Kind, tuple[str, ...]] = {
    "assessments": ("assessments",),
    "judgment set": ("judgments", "subtopic_judgments"),
    "run": ("rankings",),
}
# The tables of what is described, their keys in a dataset, and what their rows are.
_DESCRIBED = (
    ("queries", "query_id", ("query", "queries")),
    ("documents", "doc_id", ("document",)),
    ("known_documents", "query_id, doc_id", ("known document",)),
)
# The attributes of those that are here already, and so are not counted themselves.
_ATTRIBUTES = (
    ("query_attributes", "queries", "query_id", "of queries"),
    ("document_attributes", "documents", "doc_id", "of documents"),
)
_SHOWN = 10


@dataclass
class _Plan:
    """What becomes of the entries of the other warehouse, by kind.

    new are those to be added; same has the id that an entry of the other has here.
    """

    new: dict[Kind, list[tuple[int, Name]]] = field(
        default_factory=dict[Kind, list[tuple[int, Name]]]
    )
    same: dict[Kind, dict[int, int]] = field(default_factory=dict[Kind, dict[int, int]])
    # What the two say differently: a line, and what mends it.
    conflicts: list[tuple[str, Text]] = field(default_factory=list[tuple[str, Text]])


def merge(database: Database, messages: Messages, request: MergeRequest) -> None:
    """Add the entries, queries and documents of another warehouse, with new ids.

    Runs are evaluated with the judgment sets that they had values for, and with the
    newest of their dataset. What both warehouses have is kept once. Raises
    NdcgSqlError, with nothing changed, where the two say different things of the
    same name. A dry run shows what would be added.
    """
    path = request.other
    shown = harmless_path(str(path))
    here = Path(database.path)
    if here.exists() and path.exists() and path.samefile(here):
        raise NdcgSqlError("the warehouse itself", "name another file", where=shown)
    if not path.exists():
        raise NdcgSqlError("no such warehouse", _others(path, here), where=shown)
    with opening.upgraded(path, database.folder) as copy, _attached(database, copy):
        plan = _plan(database)
        if plan.conflicts:
            raise _refused(plan, shown)
        if request.dry_run:
            messages.tell(
                f"would merge {quoted(path.name)}: {_summary(database, plan)}"
            )
            return
        line = f"merged {quoted(path.name)}: {_summary(database, plan)}"
        notes: list[Text] = []
        with database.transaction():
            ids = _add(database, plan)
            _describe(database)
            _evaluate(database, plan, ids, notes)
    messages.tell(Text(line))
    for note in notes:
        messages.tell(note)


def _others(path: Path, here: Path) -> str:
    """Return how to name another warehouse: what is meant, or one that is there."""
    beside = sorted(path.parent.glob("*.duckdb"))
    names = [str(one) for one in beside if one.absolute() != here.absolute()]
    if close := closest(str(path), names):
        return f"did you mean {listed(close)}?"
    such = f", such as {quoted(names[0])}" if names else ""
    return f"name the file of another warehouse{such}"


@contextmanager
def _attached(database: Database, path: Path) -> Generator[None]:
    """Show the tables of a warehouse, while inside, under names with other_."""
    catalog = sql_name(_OTHER)
    database.execute(f"attach {sql_text(str(path))} as {catalog} (read_only)")
    try:
        with ExitStack() as views:
            tables = (
                "select table_name from duckdb_tables()"
                " where database_name = $database and schema_name = 'store'"
            )
            for (table,) in database.execute(tables, {"database": _OTHER}):
                rows = f"from {catalog}.store.{table}"
                views.enter_context(database.hide(f"other_{table}", rows))
            yield
    finally:
        database.execute(f"detach {catalog}")


def _plan(database: Database) -> _Plan:
    plan = _Plan()
    # Runs that are to be renamed: their tags then no longer conflict.
    renamed: set[Name] = set()
    for kind in _ROWS:
        entries = {
            (dataset, name): (number, content)
            for number, dataset, name, content in _rows(database, kind, "")
        }
        plan.new[kind], plan.same[kind] = [], {}
        for number, dataset, name, content in _rows(database, kind, "other_"):
            if (dataset, name) not in entries:
                plan.new[kind].append((number, (dataset, name)))
                continue
            id_here, content_here = entries[dataset, name]
            if content == content_here or _is_same(database, kind, id_here, number):
                plan.same[kind][number] = id_here
                continue
            line = f"{kind} {quoted(name)} of dataset {quoted(dataset)}: other content"
            plan.conflicts.append((line, _renaming(kind, dataset, name)))
            if kind == "run":
                renamed.add((dataset, name))
    for conflict in database.run("merging/conflicts"):
        loaded_as, kind, dataset, name, fact, here, there = conflict
        if kind == "run" and (dataset, name) in renamed:
            continue
        line = f"{kind} {quoted(name)} of dataset {quoted(dataset)}: {fact}"
        line += f" {quoted(here)} here, {quoted(there)} there"
        plan.conflicts.append((line, _taking(loaded_as, dataset, name, fact, there)))
    return plan


def _rows(
    database: Database, kind: Kind, prefix: str
) -> list[tuple[int, str, str, str]]:
    key = KEYS[kind]
    sql = f"select {key}, dataset, name, content_hash from {prefix}{TABLES[kind]}"
    return [
        (number, dataset, name, content)
        for number, dataset, name, content in database.execute(f"{sql} order by {key}")
    ]


def _is_same(database: Database, kind: Kind, id_here: int, other: int) -> bool:
    """Return whether two entries of a name have the same rows, if they have any."""
    away = (
        "select run_id from external_evaluations where run_id = $own_id"
        " union all select run_id from other_external_evaluations"
        " where run_id = $other_id"
    )
    ids = {"own_id": id_here, "other_id": other}
    if kind == "run" and database.execute(away, ids):
        return False
    key = KEYS[kind]
    for table in _ROWS[kind]:
        here = f"select * exclude ({key}) from {table} where {key} = $own_id"
        there = f"select * exclude ({key}) from other_{table} where {key} = $other_id"
        for one, another in ((here, there), (there, here)):
            if database.execute(f"from (({one}) except ({another})) limit 1", ids):
                return False
    return True


def _renaming(kind: str, dataset: str, name: str) -> Text:
    """Return the call after which two warehouses no longer contradict each other."""
    words = {"run": "run", "judgment set": "judgments"}
    way = call("rename", "dataset", dataset, Blank("NEW"))
    if kind in words:
        way = call("rename", words[kind], name, Blank("NEW"), dataset=dataset)
    return "rename what only has the same name: " + way


def _taking(loaded_as: str, dataset: str, name: str, fact: str, there: str) -> Text:
    """Return the call that gives a fact here the value that it has there.

    loaded_as is the kind of file that has it; of a run, it is a tag, or its time.
    """
    of_dataset = into(dataset)
    if loaded_as == "run":
        way = call("tag", name, {fact.removeprefix("tag "): there}, **of_dataset)
        if fact == "run_at":
            way = call("tag", name, run_at=there.replace(" ", "T"), **of_dataset)
        return "to take what is there: " + way
    # What is stored of a document is replaced by nothing else.
    is_kept = loaded_as == "documents" and fact in FACTS["documents"]
    replacing = {"replace": True} if is_kept else {}
    way = call(f"load_{loaded_as}", Blank("FILE"), **of_dataset, **replacing)
    place = f", in place of all documents of {quoted(dataset)}" if is_kept else ""
    return Text(f"to take what is there, load its file here{place}: ", way)


def _refused(plan: _Plan, shown: str) -> NdcgSqlError:
    lines = [f"{shown}: {line}" for line, _ in plan.conflicts[:_SHOWN]]
    count = counted(len(plan.conflicts), "conflict", form=",")
    if len(plan.conflicts) > _SHOWN:
        count = f"the first {_SHOWN} of {count}"
    ways = dict.fromkeys(way for _, way in plan.conflicts[:_SHOWN])
    return NdcgSqlError(
        "\n".join([*lines, f"{count}; nothing was merged"]), joined(ways, "\n")
    )


def _summary(database: Database, plan: _Plan) -> str:
    """Return what is new in the other warehouse, and what is here already."""
    new = {kind: len(entries) for kind, entries in plan.new.items()}
    parts = [
        counted(new["run"], "run"),
        counted(new["judgment set"], "judgment set"),
    ]
    if new["assessments"]:
        parts.append(counted(new["assessments"], "file") + " of assessments")
    for table, key, words in _DESCRIBED:
        beyond = f"other_{table} anti join {table} using (dataset, {key})"
        [(count,)] = database.execute(f"select count(*) from {beyond}")
        if count:
            parts.append(counted(count, *words))
    for table, described, key, of_what in _ATTRIBUTES:
        beyond = f"other_{table} semi join {described} using (dataset, {key})"
        beyond += f" anti join {table} using (dataset, {key}, attribute)"
        [(count,)] = database.execute(f"select count(*) from {beyond}")
        if count:
            parts.append(f"{counted(count, 'attribute')} {of_what}")
    there = sum(map(len, plan.same.values()))
    both = f"; {there} that both have" if there else ""
    return ", ".join(parts) + both


def _add(database: Database, plan: _Plan) -> dict[Kind, dict[int, int]]:
    """Add the new entries with their rows; return the id that each one has here."""
    ids: dict[Kind, dict[int, int]] = {}
    for kind in _ROWS:
        key = KEYS[kind]
        ids[kind] = dict(plan.same[kind])
        sequence = f"select nextval('{TABLES[kind].removesuffix('s')}_ids')"
        tables = [
            table
            for (table,) in database.run("lookups/tables_with_column", {"column": key})
            if table not in schema.DERIVED and not table.startswith("external_")
        ]
        for other, _ in progress.each(plan.new[kind], "merging", TABLES[kind]):
            id_here = ids[kind][other] = database.execute(sequence)[0][0]
            for table in tables:
                _copy(database, table, {key: (other, id_here)})
            if kind == "judgment set":
                _adopt(database, id_here, ids)
            if kind == "run":
                _copy_external(database, other, id_here, ids)
                database.run("store/run_queries", {"run_id": id_here})
                database.run("store/positions", {"run_id": id_here})
        for other, id_here in plan.same[kind].items():
            if kind == "run":
                ids_of_runs = {"other_id": other, "own_id": id_here}
                database.run("merging/run_tags", ids_of_runs)
    return ids


def _copy(database: Database, table: str, keys: dict[str, tuple[int, int]]) -> None:
    """Copy the rows of an entry, with its id here; they keep their order."""
    replaced = ", ".join(f"$own_{key} as {key}" for key in keys)
    which = " and ".join(f"{key} = $other_{key}" for key in keys)
    sql = f"select * replace ({replaced}) from other_{table} where {which}"
    parameters = {f"other_{key}": other for key, (other, _) in keys.items()}
    parameters |= {f"own_{key}": id_here for key, (_, id_here) in keys.items()}
    database.execute(f"insert into {table} by name {sql}", parameters)


def _copy_external(
    database: Database, other: int, id_here: int, ids: dict[Kind, dict[int, int]]
) -> None:
    """Copy what another engine found of a run, with the judgment set that it used."""
    sql = "select judgment_set_id from other_external_evaluations where run_id = $id"
    for (set_id,) in database.execute(sql, {"id": other}):
        run: dict[str, tuple[int, int]] = {"run_id": (other, id_here)}
        both = {**run, "judgment_set_id": (set_id, ids["judgment set"][set_id])}
        _copy(database, "external_evaluations", both)
        _copy(database, "external_hits", both)
        _copy(database, "external_run_queries", run)


def _adopt(database: Database, id_here: int, ids: dict[Kind, dict[int, int]]) -> None:
    """Give a new judgment set the parents that it has here.

    A parent that was removed has an id that no set here ever had or will have.
    """
    sql = "select parent_kind, parent_id from judgment_set_parents"
    named = {"own": id_here}
    kinds: dict[str, Kind] = {"judgments": "judgment set", "assessments": "assessments"}
    parents = database.execute(f"{sql} where judgment_set_id = $own", named)
    anew = {
        (parent_kind, parent): ids[kinds[parent_kind]].get(parent)
        for parent_kind, parent in parents
    }
    for (parent_kind, parent), parent_here in anew.items():
        sequence = f"{TABLES[kinds[parent_kind]].removesuffix('s')}_ids"
        fresh = parent_here or database.execute(f"select nextval('{sequence}')")[0][0]
        # Negative until all are renumbered: an old id may be another's new one.
        row = {"own": id_here, "kind": parent_kind, "old": parent, "fresh": fresh}
        database.run("merging/parent", row)
    database.execute(
        "update judgment_set_parents set parent_id = -parent_id"
        " where judgment_set_id = $own and parent_id < 0",
        named,
    )


def _describe(database: Database) -> None:
    """Add what the other warehouse knows of queries and documents."""
    for table, facts in FACTS.items():
        key = IDS[table]
        same = f"{table}.dataset = other.dataset and {table}.{key} = other.{key}"
        for fact in facts:
            database.execute(
                f"update {table} set {fact} = other.{fact} from other_{table} as other"
                f" where {same} and {table}.{fact} is null and other.{fact} is not null"
            )
    keys = {table: key for table, key, _ in _DESCRIBED}
    keys |= {table: f"{key}, attribute" for table, _, key, _ in _ATTRIBUTES}
    for table, key in keys.items():
        new = f"from other_{table} anti join {table} using (dataset, {key})"
        database.execute(f"insert into {table} by name {new}")


def _evaluate(
    database: Database,
    plan: _Plan,
    ids: dict[Kind, dict[int, int]],
    notes: list[Text],
) -> None:
    """Store the values of runs, and note which judgment sets are now the newest."""
    runs, sets = ids["run"], ids["judgment set"]
    valued = "select run_id, judgment_set_id from other_evaluations order by all"
    pairs = [(runs[run], sets[judged]) for run, judged in database.execute(valued)]
    added = {dataset for _, (dataset, _) in plan.new["run"]}
    judged: dict[str, str] = {
        dataset: name for _, (dataset, name) in plan.new["judgment set"]
    }
    every = entries(database, "run")
    for dataset in sorted(added | set(judged)):
        named = {"dataset": dataset}
        newest = database.run("lookups/newest_judgment_set", named)
        pairs += [
            (run.id, newest[0][0]) for run in every if newest and run.dataset == dataset
        ]
        sets_here = "select count(*) from judgment_sets where dataset = $dataset"
        if dataset in judged and database.execute(sets_here, named)[0][0] > 1:
            notes.append(
                Text(
                    f"judgment set {quoted(judged[dataset])} of dataset"
                    f" {quoted(dataset)} is now the newest: report and other commands"
                    " use it unless ",
                    use(judgments="NAME"),
                    " is given",
                )
            )
    stored = set(database.execute("select run_id, judgment_set_id from evaluations"))
    by_id = {run.id: run for run in every}
    missing = [
        (run_id, judgment_set_id)
        for run_id, judgment_set_id in dict.fromkeys(pairs)
        if (run_id, judgment_set_id) not in stored
        and by_id[run_id].fits(judgment_set_id)
    ]
    note_misfits(database, set_ids=sets.values())
    evaluate_all(database, missing)
    weighted = "select distinct dataset from other_queries where weight is not null"
    for (dataset,) in database.execute(weighted):
        weigh(database, dataset)
    for table, kind in (("known_documents", "known"), ("documents", "documents")):
        described = f"select distinct dataset from other_{table}"
        for (dataset,) in database.execute(described):
            store_anew(database, dataset, NEEDS[kind])
