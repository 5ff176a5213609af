"""How what is removed is loaded again, if the file that it came from is still there."""

from collections.abc import Sequence
from pathlib import Path

from ndcg_sql.database.database import Database
from ndcg_sql.evaluation.entries import Entry, Kind, into
from ndcg_sql.system.paths import default_name
from ndcg_sql.wording import Text, Told, call

# With more labels than this, a command is no help.
_LABELS = 10


def loadable(database: Database, kind: Kind, entries: Sequence[Entry]) -> list[Told]:
    """Return how entries are loaded again, one line for each file that is there.

    Files are looked for in the current folder and in that of the warehouse. Names
    of columns are not known: the command asks for them if it needs any.
    """
    calls: dict[str, Text] = {}
    for entry in entries:
        way = {"run": _run, "judgment set": _judgments}.get(kind)
        found = way(database, entry) if way else None
        if found is not None:
            calls[str(found)] = found
    return [Text("to load it again: ", found) for found in calls.values()]


def _run(database: Database, entry: Entry) -> Text | None:
    """Return the call that loads a run again, or None without its file."""
    [(source, rule, run_at, siblings)] = database.run(
        "lookups/loadable_run", {"id": entry.id}
    )
    path = _path(database, source)
    if path is None:
        return None
    fields: dict[str, object] = _named(entry, path, bool(siblings))
    if rule != "score":
        fields["position_rule"] = rule
    if run_at is not None and not siblings:
        fields["run_at"] = run_at.replace(" ", "T")
    tags = "select tag, tag_value from run_tags where run_id = $id order by tag"
    tagged = dict(database.execute(tags, {"id": entry.id}))
    if tagged and not siblings:
        fields["tags"] = tagged
    return call("load_run", str(path), **fields)


def _judgments(database: Database, entry: Entry) -> Text | None:
    """Return the call that loads a judgment set again, or None without its file."""
    found = database.run("lookups/loadable_judgments", {"id": entry.id})
    source, policy, parent = found[0]
    path = _path(database, source)
    if path is None or policy not in (None, "extended") or len(found) > 1:
        return None
    fields: dict[str, object] = _named(entry, path, False)
    if parent is not None:
        fields["base"] = parent
    labels = dict(database.run("lookups/labels_of_judgments", {"id": entry.id}))
    if labels and len(labels) <= _LABELS and parent is None:
        fields["labels"] = labels
    return call("load_judgments", str(path), **fields)


def _named(entry: Entry, path: Path, is_shared: bool) -> dict[str, object]:
    """Return the name and the dataset of an entry, as far as they must be given."""
    fields: dict[str, object] = {}
    if not is_shared and entry.name != default_name(path):
        fields["name"] = entry.name
    return {**fields, **into(entry.dataset)}


def _path(database: Database, source: str) -> Path | None:
    """Return where a file is, from the current folder, if it is still there."""
    here = Path(source)
    beside = (database.folder or Path()) / source
    return next((path for path in (here, beside) if path.is_file()), None)
