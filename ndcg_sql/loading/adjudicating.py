"""Judgment sets derived by a policy from the grades of several assessors."""

from collections.abc import Sequence

from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.assessments import chosen_assessments
from ndcg_sql.loading.loaded import hash_of
from ndcg_sql.loading.options import check_names
from ndcg_sql.loading.replacing import namesake
from ndcg_sql.loading.storing import Stored, store_judgments
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import counted, now, quoted, separated
from ndcg_sql.wording import Blank, Text, call, use


def adjudicate(
    database: Database,
    messages: Messages,
    name: str,
    policy: str,
    *,
    assessments: Sequence[str],
    assessors: Sequence[str],
    dataset: str | None,
    evaluate: bool,
    replace: bool,
) -> None:
    """Derive a judgment set from assessments by a policy; evaluate runs with it.

    Raises NdcgSqlError and stores nothing where a name is not known or is taken.
    """
    check_names([("judgment set", name)])
    lately: list[tuple[str, bool, int]] = []
    with database.transaction():
        with chosen_assessments(database, assessments, assessors, dataset) as chosen:
            where, sets, who = chosen
            database.run(
                "store/adjudicated",
                {"policy": policy, "dataset": where, "assessors": who},
            )
            if policy == "latest":
                _check_times(database, where)
                lately = database.run("lookups/lately_loaded", {"dataset": where})
            tied = 0
            if policy == "majority":
                [(tied,)] = database.run("lookups/without_majority", {"dataset": where})
        # Only trust depends on the order of assessors; every policy depends on which
        # grade of an assessor is the last, that is on the order of loading.
        said = [policy, who if policy == "trust" else sorted(who)]
        said += database.run("lookups/staged_hash")[0]
        # The sources of a set are part of its content.
        of_sets = "select assessment_set_id, content_hash from assessment_sets"
        hashes = dict(database.execute(of_sets))
        said += sorted(hashes[entry.id] for entry in sets)
        content_hash = hash_of(*said)
        old = namesake(database, "judgment set", name, where, content_hash, replace)
        if old.message:
            messages.tell(old.message)
            return
        old.remove(database)
        shown = separated(entry.name for entry in sets)
        parameters: Parameters = {
            "dataset": where,
            "name": name,
            "source": f"assessments {shown}",
            "content_hash": content_hash,
            "loaded_at": now(),
            "policy": f"trust: {separated(who)}" if policy == "trust" else policy,
            "parent_kind": "assessments",
            "parent_ids": [entry.id for entry in sets],
        }
        loaded = store_judgments(database, parameters, evaluate)
    done = "replaced" if old.ids else "made"
    made = (
        f"{done} judgment set {quoted(name)} by {policy} of"
        f" {counted(len(who), 'assessor')}"
    )
    if tied:
        made += f" ({counted(tied, 'document')} without a majority: the lowest grade)"
    warnings = [*loaded.warnings]
    without_times = sum(count for _, has_times, count in lately if not has_times)
    if without_times:
        made += (
            f" ({counted(without_times, 'document')} whose grades have no times: the"
            " set loaded last counts as the latest)"
        )
    for undated, has_times, count in lately:
        if not has_times:
            continue
        warnings.append(
            f"{counted(count, 'document')}: the latest grade is of assessments"
            f" {quoted(undated)}, which have no times and count as given when they were"
            " loaded, while other grades have times"
        )
    Stored(f"{made}: " + loaded.line, warnings, loaded.note).tell(messages)


def _check_times(database: Database, dataset: str) -> None:
    """Raise NdcgSqlError for a document whose latest grade no time tells."""
    untimed = database.run("lookups/untimed_assessments", {"dataset": dataset})
    for query, document, name, count in untimed:
        # They are known by the options of another command.
        times = {"columns": {"assessed_at": Blank("NAME")}, "replace": True}
        about = {"dataset": dataset, "name": name, **times}
        raise NdcgSqlError(
            f"no times say which grade of {counted(count, 'document')} is the latest,"
            f" such as query {quoted(query)}, document {quoted(document)}",
            Text(
                "load them with the column of their times: ",
                call("load_assessments", Blank("FILE"), **about),
                "; or choose another policy, such as ",
                use(policy="majority"),
            ),
            where=f"assessments {quoted(name)}",
        )
