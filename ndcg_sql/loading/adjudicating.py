"""Judgment sets made of what several assessors said, by a policy."""

import hashlib
import json
from collections.abc import Sequence

from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.assessments import chosen_assessments
from ndcg_sql.loading.assessments import check_names
from ndcg_sql.loading.replacing import namesake
from ndcg_sql.loading.storing import Loaded, store_judgments
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import counted, now, quoted

POLICIES = ("mean", "median", "majority", "max", "latest", "trust")


def adjudicate(
    database: Database,
    name: str,
    policy: str,
    names: Sequence[str],
    assessors: Sequence[str],
    dataset: str | None,
    evaluate: bool,
    replacing: bool,
    messages: Messages,
) -> None:
    """Make a judgment set of assessments by a policy, and evaluate runs with it.

    Raises NdcgSqlError, and stores nothing, where that makes no sense.
    """
    if policy not in POLICIES:
        raise NdcgSqlError(f"--policy {policy}: not one of {', '.join(POLICIES)}")
    if policy == "trust" and not assessors:
        raise NdcgSqlError(
            "--policy trust: say whom, the most trusted first: --assessor NAME"
        )
    check_names([("judgment set", name)])
    with database.transaction():
        with chosen_assessments(database, names, assessors, dataset) as chosen:
            where, sets, who = chosen
            database.run(
                "store/adjudicated",
                {"policy": policy, "dataset": where, "assessors": who},
            )
        # The order matters to trust alone; which grade of an assessor is the last,
        # to every policy, and it is a matter of the order of loading.
        said = [policy, who if policy == "trust" else sorted(who)]
        said += database.run("lookups/staged_hash")[0]
        # What a set is made of is a part of it.
        of_sets = "select assessment_set_id, content_hash from assessment_sets"
        hashes = dict(database.execute(of_sets))  # type: ignore[arg-type]
        said += sorted(hashes[entry.id] for entry in sets)
        content_hash = hashlib.sha256(json.dumps(said).encode()).hexdigest()
        named = ("judgment set", name, where, content_hash, replacing)
        old = namesake(database, *named)
        if old.told:
            messages.tell(old.told)
            return
        old.remove(database)
        shown = ", ".join(entry.name for entry in sets)
        parameters: Parameters = {
            "dataset": where,
            "name": name,
            "source": f"assessments {shown}",
            "content_hash": content_hash,
            "loaded_at": now(),
            "policy": f"trust: {', '.join(who)}" if policy == "trust" else policy,
            "parent_kind": "assessments",
            "parent_ids": [entry.id for entry in sets],
        }
        loaded = store_judgments(database, parameters, evaluate)
    done = "replaced" if old.ids else "made"
    made = (
        f"{done} judgment set {quoted(name)} by {policy} of"
        f" {counted(len(who), 'assessor')}"
    )
    Loaded(f"{made}: {loaded.line}", loaded.warnings).tell(messages)
