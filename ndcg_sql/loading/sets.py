"""Loading runs and judgment sets: all files of a command, or none."""

from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import cast

from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import check_choice, not_with
from ndcg_sql.evaluation.entries import KINDS, choose_entry
from ndcg_sql.evaluation.values import store_values_of
from ndcg_sql.loading import warnings
from ndcg_sql.loading.files import content_hash, opened, stage_rows
from ndcg_sql.loading.loaded import LoadedItem
from ndcg_sql.loading.naming import is_pattern, name_of, naming, new_entries
from ndcg_sql.loading.options import Options, Ranked, check_names
from ndcg_sql.loading.replacing import NewEntry, Old, changed_labels, unchanged
from ndcg_sql.loading.sentences import refusal
from ndcg_sql.loading.storing import store_judgments, store_run
from ndcg_sql.loading.tasks import Rows, Task, store_attributes
from ndcg_sql.options import Duplicates, PositionRule
from ndcg_sql.reading.sources import Streams
from ndcg_sql.system import progress
from ndcg_sql.system.messages import Changing, Collected, Messages
from ndcg_sql.system.paths import shown
from ndcg_sql.text import check_name, counted, quoted, sql_text
from ndcg_sql.wording import Text, named, use

__all__ = ["Options", "Ranked", "load"]

# A run of at most as many bytes is loaded on one thread.
_LITTLE = 4 * 2**20


class _UnchangedError(Exception):
    """All is stored already: what was written to see that is rolled back."""


def load(
    database: Database,
    kind: Ranked,
    paths: Sequence[Path],
    options: Options,
    messages: Messages,
    streams: Streams | None = None,
) -> list[LoadedItem]:
    """Load files as runs or judgment sets, in one transaction; return what they are.

    A file that names several runs becomes as many. Evaluates a new run with the newest
    judgment set of its dataset, and a new judgment set with every run. If anything is
    wrong with any of the files, raises NdcgSqlError, and changes nothing.
    """
    _check(kind, options)
    # A file that is named twice is unchanged the second time.
    paths = list(dict.fromkeys(paths))
    taken, items, stack = dict[str, Path](), list[LoadedItem](), ExitStack()
    # A transaction begins once, and late: DuckDB reads rows that it has written itself
    # on one thread.
    begin = cache(lambda: stack.enter_context(database.transaction()))
    task = Task(database, kind, paths, options, messages, streams or {}, begin)
    with suppress(_UnchangedError), stack:
        for path in progress.files(paths):
            items += _load_file(task, path, taken)
        is_changed = any(item.outcome != "unchanged" for item in items)
        if not (is_changed or options.attributes):
            raise _UnchangedError
        warnings.check_strict(options.strict, task.held.warnings)
        store_values_of(database, task.pairs)
    task.held.pass_on(messages)
    ignored = dict.fromkeys(name for item in items for name in item.ignored)
    if ignored:
        of_queries = Text(
            "; to keep one as an attribute of queries: ", use(attributes=["NAME"])
        )
        columns = Text(warnings.ignored_columns(ignored))
        messages.tell(columns + (of_queries if kind == "judgments" else ""))
    return items


def _check(kind: Ranked, options: Options) -> None:
    check_choice("duplicates", options.duplicates, Duplicates)
    check_choice("position_rule", options.position_rule, PositionRule)
    if options.unit is not None and options.unit_before is not None:
        raise not_with("unit", "unit_before")
    for name in ("unit", "unit_before"):
        if getattr(options, name) == "":
            raise refusal("empty_field", field=named(name))
    if options.name_from != "file" and options.name is not None:
        raise refusal("name_beside_name_from")
    names: list[tuple[str, str | None]] = [("dataset", options.dataset)]
    if kind == "run" and is_pattern(options.name):
        naming(options.name or "", "file", options.tags, options.run_at)
    else:
        names.append((KINDS[kind], options.name))
    names += [("attribute", name) for name in options.attributes]
    check_names(names, options.tags)


def _load_file(task: Task, path: Path, taken: dict[str, Path]) -> list[LoadedItem]:
    """Load one file."""
    database, options, kind = task.database, task.options, cast("Ranked", task.kind)
    held = task.held
    with ExitStack() as stack:
        source = stack.enter_context(opened(task, path))
        if kind == "run" and source.readable.stat().st_size <= _LITTLE:
            # A second thread costs more than little work saves.
            stack.enter_context(database.setting("threads", "1"))
        base = _base(task, path)
        name, names = name_of(kind, options, path)
        hashed = content_hash(task, source, base and base.content_hash)
        whole = NewEntry(KINDS[kind], options.dataset, name, hashed)
        whole = replace(whole, tags=options.tags, run_at=options.run_at)
        by_rows = options.name_from != "file" or (names and names.columns)
        labels = options.tag_columns or options.run_at_column is not None
        is_whole = not (by_rows or labels or options.attributes)
        if is_whole and taken.get(name, path) == path:
            # Rows of other content may be the same, or give other names than the
            # file's, which then need not be free.
            entry = whole.beside_old(database)
            fields = changed_labels(database, entry)
            if item := unchanged(held, entry, replacing=True, fields=fields):
                taken[name] = path
                return [item]
        said = Collected()
        with task.proposing(path, source):
            rows = stage_rows(task, source, names, said)
            if (clean := rows.clean) and clean.run_id is not None:
                database.execute("drop table if exists temp.staged")
                stack.enter_context(database.hide("staged", clean.rows))
            entries = new_entries(rows, whole)
        if not clean or clean.run_id is not None:
            said.warn_all(warnings.rounded_ids(database, rows.how))
        stored: list[tuple[NewEntry, LoadedItem | None]] = []
        for one in entries:
            entry = one.beside_old(database)
            if fault := check_name(entry.kind, entry.name):
                raise refusal("bad_name", file=source.shown, fault=fault)
            if (other := taken.setdefault(entry.name, path)) != path:
                about = {"kind": entry.kind, "entry": entry.name, "path": shown(path)}
                about |= {"other": shown(other), "name": "{file}-{run}"}
                raise refusal(
                    "names_of_runs_twice" if rows.runs else "name_twice", **about
                )
            is_same, old = False, entry.old
            if old and old.content_hash != entry.content_hash and not options.replace:
                is_same = base is None and _is_same(database, old.id, entry, rows)
            fields = changed_labels(database, entry)
            about = options.replace, source.shown, fields, is_same
            stored.append((entry, unchanged(held, entry, *about)))
        ignored = rows.how.ignored
        same = [replace(item, ignored=ignored) for _, item in stored if item]
        if same and clean:
            clean.remove(database)
        if len(same) == len(entries) and not options.attributes:
            return same
        task.begin()
        argument = task.argument(path, source)
        of_file = Changing(held, lambda c: c.of_file(argument))
        said.pass_on(held if argument is None else of_file)
        if rows.runs:
            database.execute("drop table if exists temp.staged_runs")
            database.execute("alter table temp.staged rename to staged_runs")
            runs = counted(len(rows.runs), "run")
            held.tell(f"{source.shown}: {runs}, named by {rows.namer}")
        items = [item or _store(path, base, entry, rows) for entry, item in stored]
        if options.attributes:
            names = options.attributes
            for line in store_attributes(database, options.dataset, names):
                held.tell(line)
        return [replace(item, ignored=ignored) for item in items]


def _base(task: Task, path: Path) -> Old | None:
    """Stage the judgments of the base set of a file, if any; return the set."""
    database, base, dataset = task.database, task.options.base, task.options.dataset
    if base is None:
        return None
    if database.is_new:
        raise refusal("no_base", base=base)
    entry = choose_entry(database, "judgment set", base, dataset)
    if base == task.name(path):
        raise refusal("own_base", base=base)
    sql = "from subtopic_judgments where judgment_set_id = $id limit 1"
    if database.execute(sql, {"id": entry.id}):
        raise refusal("subtopics_extended", base=base)
    database.execute(
        "create or replace temp table base_judgments as"
        " select query_id, doc_id, grade, label from judgments"
        " where judgment_set_id = $id",
        {"id": entry.id},
    )
    return NewEntry("judgment set", dataset, base, "").beside_old(database).old


def _is_same(database: Database, number: int, entry: NewEntry, rows: Rows) -> bool:
    """Return whether a stored run or judgment set has the staged rows of a new one."""
    staged = "staged" + f" where run = {sql_text(entry.run)}" * bool(rows.runs)
    ids: Parameters = {"id": number}
    if entry.kind == "run":
        of_file = "row_number() over (partition by query_id order by rank, line_number)"
        position = of_file if rows.rule == "given" else "null"
        columns = f"query_id, doc_id, score, {position} as position"
        compared = {"run": f"select {columns} from {staged}"}
        ids |= {"rule": rows.rule, "empty": rows.empty_of(entry.run)}
    else:
        new = "staged_subtopics" if rows.has_subtopics else "subtopic_judgments limit 0"
        compared = {"judgments": f"from {staged}", "subtopics": f"from {new}"}
    for kind, select in compared.items():
        with database.hide("compared", select):
            if database.run(f"lookups/is_same_{kind}", ids) != [(True,)]:
                return False
    return True


def _store(path: Path, base: Old | None, entry: NewEntry, rows: Rows) -> LoadedItem:
    """Store the staged rows under a name, in place of what is to be replaced."""
    task, held = rows.task, rows.task.held
    database, options = task.database, task.options
    if rows.runs:
        of_run = "from staged_runs where run = $run"
        make = f"create or replace temp table staged as {of_run}"
        database.execute(make, {"run": entry.run})
    origins, dropped = [task.origin(path)], list[Text]()
    unit = "unit" if options.unit else "unit_before"
    for what, counts, name in (
        ("duplicate", rows.dropped, "duplicates"),
        ("chunk", rows.chunks, unit),
    ):
        if count := counts.get(entry.run, 0):
            value, text = getattr(options, name), f"{counted(count, what)} dropped ("
            origins.append(f"{text}{name}: {value})")
            dropped.append(Text(text, use(**{name: value}), ")"))
    entry = replace(entry, source="; ".join(origins))
    if entry.kind == "run":
        pairs, item = store_run(
            database,
            held,
            replace(entry, columns={"position_rule": rows.rule}),
            evaluating=options.evaluate,
            clean=rows.clean,
            empty=rows.empty_of(entry.run),
            dropped=dropped,
            # What ranks say of equal scores was told when they were read.
            is_order_known=options.is_rule_chosen or "rank" in rows.how.fields,
        )
        task.pairs.extend(pairs)
    else:
        if base is not None:
            # A negative grade counts as unjudged.
            count = "(select count(*) from {} where grade >= 0)".format
            more = f"select {count('staged')} - {count('base_judgments')}"
            [(new,)] = database.execute(more)
            how = f", {new} more than {quoted(options.base)}"
            parents, columns = ("judgments", [base.id]), {"policy": "extended"}
            entry = replace(entry, how=how, parents=parents, columns=columns)
        _, item = store_judgments(
            database,
            held,
            entry,
            evaluating=options.evaluate,
            has_subtopics=rows.has_subtopics,
            dropped=dropped,
        )
    if base is not None:
        values = {"judgment_set": entry.name, "base": options.base}
        doubts = warnings.each(database, "two_scales", {"base_id": base.id}, **values)
        held.warn_all(doubts)
    # What evaluates files alone does not tell the line.
    for line in dropped if database.is_scratch else ():
        held.note(Text(f"{entry.kind} {quoted(entry.name)}: ", line))
    return item
