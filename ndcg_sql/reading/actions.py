"""The actions of a log of events: what each is worth, and those that nobody weighed."""

import re
from collections.abc import Iterable, Mapping, Sequence

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.sources import Source
from ndcg_sql.text import counted, quoted
from ndcg_sql.wording import Blank, Text, use

# How many actions a message gives places for weights.
_ACTIONS = 10
# What the name of an action says that tells what was shown.
_SHOWN = re.compile("view|show|seen|display|impress|expos|served", re.IGNORECASE)


def check_meanings(source: Source, how: Layout, actions: Sequence[str]) -> None:
    """Raise NdcgSqlError for an action whose column has another meaning."""
    meanings = {at: column for column, at in how.fields.items()}
    for action in actions:
        meaning = meanings.get(how.attributes[action])
        if meaning is not None:
            raise NdcgSqlError(
                f"{source.shown}: action {quoted(action)}: the column is that of"
                f" {quoted(meaning)}",
                "weigh clicks: " + use(actions={"click": Blank("WEIGHT")})
                if meaning == "clicks"
                else "name the column of an action",
            )


def store_actions(
    database: Database, weights: Mapping[str, float], words: Mapping[str, str]
) -> None:
    """Put actions and their weights into the temporary table actions, in order.

    The table action_words has the same by the words that logs have for them.
    """
    columns = "(action_number usmallint, event_action varchar, weight double)"
    for table in ("actions", "action_words"):
        database.execute(f"create or replace temp table {table} {columns}")
    actions = sorted(weights)
    rows = [("actions", action, action) for action in actions]
    rows += [("action_words", action, action) for action in actions]
    rows += [("action_words", word, action) for word, action in words.items()]
    for table, word, action in rows:
        database.execute(
            f"insert into {table} values ($number, $word, $weight)",
            {
                "number": actions.index(action),
                "word": word,
                "weight": weights[action],
            },
        )


def likely_impression(actions: Iterable[str]) -> str | None:
    """Return the action whose name says that something was shown, or None."""
    return next((one for one in actions if _SHOWN.search(one)), None)


def check_actions(database: Database, source: Source, how: Layout) -> None:
    """Raise NdcgSqlError for staged actions that nobody weighed."""
    fewest, most = how.field_range
    widths = {"fewest_fields": fewest, "most_fields": most}
    rows = database.run("clicks/unweighed", widths)
    if not rows:
        return
    first = rows[:_ACTIONS]
    named_so = ", ".join(f"{quoted(action)} ({count})" for action, count in first)
    more = f" and {len(rows) - len(first)} more" * (len(rows) > len(first))
    actions = counted(len(rows), "action")
    shown = "from actions where event_action = 'impression'"
    seen = f"from staged semi join ({shown}) using (action_number) limit 1"
    has_impressions = bool(database.execute(seen))
    likely = likely_impression(action for action, _ in rows)
    remedy = "say how many clicks each is worth, or 0 to ignore it: " + use(
        actions={action: Blank("WEIGHT") for action, _ in first}
    )
    what = f"{source.shown}: {actions} of unknown weight: {named_so}{more}"
    if likely is not None and not has_impressions:
        says = use(impressions=[likely])
        remedy += Text(f"; if {quoted(likely)} says what was shown: ", says)
    raise NdcgSqlError(what, remedy)
