"""ndcg-sql gate: whether a candidate may replace a baseline."""

import os
from functools import partial
from pathlib import Path

import typer

from ndcg_sql.cli.asking import answered
from ndcg_sql.cli.beside import ByPosition
from ndcg_sql.cli.session import Session
from ndcg_sql.comparison.answers import Answer
from ndcg_sql.comparison.significance import Verdict
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.output.documents import laid_out
from ndcg_sql.output.gate_results import annotations
from ndcg_sql.output.layout import Screen
from ndcg_sql.requests.printing import Printing
from ndcg_sql.system import terminal
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import harmless, quoted
from ndcg_sql.wording import use


def gate(
    session: Session,
    runs: ByPosition,
    question: "partial[Answer]",
    printing: Printing,
) -> None:
    """Print the outcome of every rule, and exit with 1 if one failed."""
    named = question.keywords
    question = partial(
        question,
        baseline=_once("baseline", runs.first, named["baseline"]),
        candidate=_once("candidate", runs.second, named["candidate"]),
    )
    messages = session.messages
    verdicts: list[Verdict] = []

    def tell(answer: Answer) -> None:
        verdict: Verdict = answer.about["verdict"]
        _tell_github(messages, verdict, laid_out(answer, "markdown", Screen()))
        verdicts.append(verdict)

    answered(session, question, printing, tell)
    [verdict] = verdicts
    (messages.caution if verdict.let_through else messages.tell)(verdict.message)
    if verdict.failed:
        raise typer.Exit(1)


def _once(name: str, position: str | None, option: str | None) -> str | None:
    if position is not None and option is not None:
        raise NdcgSqlError(
            f"gate: {name} given twice, {quoted(position)} and "
            + use(**{name: option}),
            "name it once",
        )
    return option if position is None else position


def _tell_github(messages: Messages, verdict: Verdict, summary: str) -> None:
    if os.environ.get("GITHUB_ACTIONS") == "true":
        # GitHub reads standard error too; standard output holds only data.
        for line in annotations(verdict):
            terminal.tell(line)
    if path := os.environ.get("GITHUB_STEP_SUMMARY"):
        try:
            with Path(path).open("a", encoding="utf-8") as file:
                file.write(f"### {verdict.message}\n\n{summary}\n")
        except OSError as error:
            messages.tell(
                f"{harmless(path)}: {error.strerror}; no step summary was written"
            )
