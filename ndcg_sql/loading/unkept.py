"""What cannot be said where nothing is kept, and what can be said to a warehouse."""

from collections.abc import Collection
from typing import Any, Literal

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.wording import Blank, Call, Text, Use, call, listed


def is_of_run(error: NdcgSqlError) -> bool:
    """Return whether a refusal says that judgments look like a run."""
    parts = error.message.parts
    return any(isinstance(part, Call) and part.method == "load_run" for part in parts)


def advised(
    error: NdcgSqlError,
    kind: Literal["run", "judgments"],
    method: str,
    fields: Collection[str],
) -> NdcgSqlError:
    """Return a refusal of content, with a way out that its reader can go.

    Loading refuses, and advises what loading into a warehouse takes. method is what was
    called instead, and fields are those that it takes.
    """
    uses = [part.fields for part in error.message.parts if isinstance(part, Use)]
    beyond = {name: None for use in uses for name in use if name not in fields}
    if not beyond:
        return error
    # Several are a choice.
    advice: dict[str, Any] = dict(uses[0]) if len(uses) == 1 else {}
    return NdcgSqlError(
        Text(
            error.message,
            "\n" if "\n" in str(error) else "; ",
            f"{method} takes no ",
            listed(beyond, "or"),
            ", but a warehouse does: ",
            call(f"load_{kind}", Blank("FILE"), **advice),
        )
    )
