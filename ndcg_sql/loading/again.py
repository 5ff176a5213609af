"""How what is removed is loaded again, if the file that it came from is still there."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import KEYS, TABLES, Entry, Kind, into
from ndcg_sql.loading.files import content_hash, hash_of_run, opened
from ndcg_sql.loading.loaded import same_name, tags_of
from ndcg_sql.loading.options import REQUESTS, Options, Ranked
from ndcg_sql.requests.fields import made
from ndcg_sql.system.messages import Silent
from ndcg_sql.system.paths import default_name, shown
from ndcg_sql.wording import Text, Wording, call

# With more labels than this, a command is no help.
_LABELS = 10
# A larger file is not read only to say how it was loaded.
_LARGEST = 64 * 2**20
# What the source of an entry says of rows that were left out.
_DROPPED = re.compile(r"; [0-9]+ duplicates? dropped \(duplicates: (\w+)\)$")


class _Way(NamedTuple):
    """The file of an entry, how it was loaded as far as stored, its base's hash."""

    kind: Ranked
    path: Path
    fields: dict[str, object]
    base_hash: str | None = None


def loadable(database: Database, kind: Kind, entries: Sequence[Entry]) -> list[Wording]:
    """Return how entries are loaded again, one line for each file that is there.

    Files are looked for in the current folder and in that of the warehouse. Names
    of columns and the like are not stored: where the file cannot have been loaded
    without them, only its name is told.
    """
    lines: dict[str, Wording] = {}
    hashes: dict[tuple[Path, str], str | None] = {}
    for entry in entries:
        find = {"run": _run, "judgment set": _judgments}.get(kind)
        way = find(database, entry) if find else None
        if way is None:
            continue
        line: Wording = f"loaded from {shown(way.path)}, which is still there"
        fields = _sufficient(database, kind, entry, way, hashes)
        if fields is not None:
            again = call(f"load_{way.kind}", str(way.path), **fields)
            line = Text("to load it again: ", again)
        lines[str(line)] = line
    return list(lines.values())


def _run(database: Database, entry: Entry) -> _Way | None:
    """Return how a run was loaded, or None without its file."""
    [(source, rule, run_at, siblings)] = database.run(
        "lookups/loadable_run", {"id": entry.id}
    )
    path, fields = _path(database, source)
    if path is None:
        return None
    fields |= _named(entry, path, bool(siblings))
    if rule != "score":
        fields["position_rule"] = rule
    if run_at is not None and not siblings:
        fields["run_at"] = run_at.replace(" ", "T")
    tagged = tags_of(database, entry.id)
    if tagged and not siblings:
        fields["tags"] = tagged
    return _Way("run", path, fields)


def _judgments(database: Database, entry: Entry) -> _Way | None:
    """Return how a judgment set was loaded, or None without its file."""
    rows = database.run("lookups/loadable_judgments", {"id": entry.id})
    source, policy, parent, parent_hash = rows[0]
    path, fields = _path(database, source)
    if path is None or policy not in (None, "extended") or len(rows) > 1:
        return None
    fields |= _named(entry, path, False)
    if parent is not None:
        fields["base"] = parent
    labels = dict(database.run("lookups/labels_of_judgments", {"id": entry.id}))
    if labels and len(labels) <= _LABELS and parent is None:
        fields["labels"] = labels
    return _Way("judgments", path, fields, parent_hash)


def _sufficient(
    database: Database,
    kind: Kind,
    entry: Entry,
    way: _Way,
    hashes: dict[tuple[Path, str], str | None],
) -> Mapping[str, object] | None:
    """Return the fields that load an entry again as it is, or None.

    That they do is known by the hash of the content and of all that changes it. A
    file of several runs is read once: hashes keeps what was found.
    """
    if way.path.stat().st_size > _LARGEST or _lacks_base(database, entry, way):
        return None
    sql = f"select content_hash from {TABLES[kind]} where {KEYS[kind]} = $id"
    [(stored,)] = database.execute(sql, {"id": entry.id})
    # Lists without scores are in the order of their ranking, which nobody has to say.
    unsaid = {name: way.fields[name] for name in way.fields if name != "position_rule"}
    tried = [unsaid] if unsaid == way.fields else [unsaid, way.fields]
    for fields in tried:
        key = (way.path, repr((fields, way.base_hash)))
        if key not in hashes:
            hashes[key] = _hash(database, way, fields)
        whole = hashes[key]
        if whole is None:
            return None
        if stored in (whole, hash_of_run(whole, entry.name)):
            return fields
    return None


def _lacks_base(database: Database, entry: Entry, way: _Way) -> bool:
    """Return whether the judgment set that one was built on is no longer there."""
    if "base" not in way.fields:
        return False
    name = str(way.fields["base"])
    stored = same_name(database, "judgment set", entry.dataset, name)
    return way.base_hash not in [stored_hash for _, stored_hash in stored]


def _hash(database: Database, way: _Way, fields: Mapping[str, object]) -> str | None:
    """Return the hash that a file has when it is loaded; None if it cannot be."""
    options = Options.of(made(REQUESTS[way.kind], fields))
    try:
        with opened(database, way.kind, way.path, options, Silent(), None) as files:
            return content_hash(way.kind, options, files, way.base_hash)
    except (NdcgSqlError, OSError):
        return None


def _named(entry: Entry, path: Path, is_shared: bool) -> dict[str, object]:
    """Return the name and the dataset of an entry, as far as they must be given."""
    fields: dict[str, object] = {}
    if not is_shared and entry.name != default_name(path):
        fields["name"] = entry.name
    return {**fields, **into(entry.dataset)}


def _path(database: Database, source: str) -> tuple[Path | None, dict[str, object]]:
    """Return where a file is, from the current folder, and which rows were kept."""
    fields: dict[str, object] = {}
    if dropped := _DROPPED.search(source):
        source, fields["duplicates"] = source[: dropped.start()], dropped[1]
    here = Path(source)
    beside = (database.folder or Path()) / source
    path = next((path for path in (here, beside) if path.is_file()), None)
    return path, fields
