"""Runs and judgment sets as files that load again to exactly the same rows."""

from pathlib import Path
from typing import get_args

from ndcg_sql import options
from ndcg_sql.comparison.answers import Rows
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import KINDS, Entry, check_rankings, choose_entry
from ndcg_sql.output.writing import check_output, chosen_format, write_data
from ndcg_sql.text import counted, quoted
from ndcg_sql.wording import Text, Wording, named, use

FORMATS: tuple[str, ...] = get_args(options.ExportFormat)


def export(
    database: Database,
    kind_word: str,
    name: str,
    dataset: str | None,
    output: Path | None,
    form: str | None,
) -> Wording:
    """Write a run or a judgment set; return the message for the user."""
    kind = KINDS[kind_word]
    entry = choose_entry(database, kind, name, dataset)
    form = chosen_format(form, output, FORMATS)
    trec = "a run" if kind == "run" else kind_word
    check_output(output, trec if form == "trec" else form)
    write = _run if kind == "run" else _judgments
    return write(database, entry, form, output)


def _run(database: Database, run: Entry, form: str, target: Path | None) -> Wording:
    check_rankings([run], "export")
    described = database.run("exports/described_run", {"id": run.id})
    queries, documents, rule, scores, infinite = described[0]
    faults: dict[str, str] = {}
    if not scores:
        faults["trec"] = "a run without scores"
    if infinite:
        faults |= dict.fromkeys(("json", "jsonl"), "infinite scores")
    file = "trec_run" if form == "trec" else "run" if scores else "ranks"
    what = f"run {quoted(run.name)}"
    _write(database, what, file, run.id, form, target, faults)
    counts = f"{counted(queries, 'query', 'queries')}, {counted(documents, 'document')}"
    again = Text("; load it again with ") + use(position_rule=rule)
    return Text(f"exported {what}: {counts}") + ("" if rule == "score" else again)


def _judgments(
    database: Database, judgment_set: Entry, form: str, target: Path | None
) -> Wording:
    ids = {"id": judgment_set.id}
    [(queries, judgments, labels)] = database.run("exports/described_judgments", ids)
    [(subtopics, names, each)] = database.run("lookups/counts_subtopics", ids)
    rows = "subtopic_judgments" if subtopics else "judgments"
    # Where its second field is always the same, it names no subtopics.
    faults = {"trec": "a single subtopic"} if names == 1 else {}
    file = "trec_judgments" if form == "trec" else rows
    what = f"judgment set {quoted(judgment_set.name)}"
    _write(database, what, file, judgment_set.id, form, target, faults)
    counts = f"{counted(queries, 'query', 'queries')}, "
    counts += counted(each if subtopics else judgments, "judgment")
    counts += f" for {counted(subtopics, 'subtopic')}" if subtopics else ""
    lost = "; without its labels, which trec cannot hold"
    return f"exported {what}: {counts}{lost if form == 'trec' and labels else ''}"


def _write(
    database: Database,
    what: str,
    file: str,
    entry_id: int,
    form: str,
    target: Path | None,
    faults: dict[str, str],
) -> None:
    """Write rows, if the format can hold them; faults has what some formats cannot."""

    def fault(form: str) -> str | None:
        for row in database.run("exports/unfit_text", {"form": form}):
            unfit = f"{row[2]}: query {quoted(row[0])}, document {quoted(row[1])}"
            return faults.get(form, unfit)
        return faults.get(form)

    rows = Rows.of(database, f"exports/{file}", {"id": entry_id})
    with database.hide("answer_rows", f"from {rows.table}"):
        if reason := fault(form):
            able = ", ".join(other for other in FORMATS if not fault(other))
            raise NdcgSqlError(
                f"{form} cannot hold {reason}",
                "use " + named("form") + f", one of {able}",
                where=what,
            )
        write_data(rows, form, target, Path(database.path))
