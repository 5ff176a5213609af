"""ndcg-sql gate: whether a candidate may replace a baseline."""

import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ndcg_sql.cli.asking import answered
from ndcg_sql.cli.requests import command
from ndcg_sql.cli.session import Session
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests.fields import Option
from ndcg_sql.requests.printing import Printing
from ndcg_sql.requests.questions import GateRequest
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import harmless, quoted
from ndcg_sql.wording import use

if TYPE_CHECKING:
    from ndcg_sql.analysis.answers import Answer
    from ndcg_sql.analysis.gating import Verdict

app = typer.Typer()


@dataclass(frozen=True, kw_only=True)
class _Runs:
    """The two runs by position, in place of options."""

    first: Annotated[
        str | None,
        Option(
            "Name of the run to compare with.",
            "[BASELINE]",
            names="runs",
            is_argument=True,
        ),
    ] = None
    second: Annotated[
        str | None,
        Option(
            "Name of the candidate run.", "[CANDIDATE]", names="runs", is_argument=True
        ),
    ] = None


@command(
    app,
    _Runs,
    GateRequest,
    Printing,
    epilog="ndcg-sql gate bm25 hybrid --max-drop 0.01\n"
    "ndcg-sql gate keyword hybrid --by device --max-drop 5% --junit gate.xml",
)
def gate(
    context: typer.Context, runs: _Runs, request: GateRequest, printing: Printing
) -> None:
    """Pass or fail a run by its drop from a baseline.

    Exit with 0 or 1. A drop fails if it exceeds the tolerance and is significant.
    """
    request = replace(
        request,
        baseline=_once("baseline", runs.first, request.baseline),
        candidate=_once("candidate", runs.second, request.candidate),
    )
    messages = Session.of(context).messages
    verdicts: list[Verdict] = []

    def tell(answer: "Answer") -> None:
        from ndcg_sql.output.grids import Screen
        from ndcg_sql.output.layouts import laid_out

        verdict: Verdict = answer.about["verdict"]
        _tell_github(messages, verdict, laid_out(answer, "markdown", Screen()))
        verdicts.append(verdict)

    answered(context, request, printing, tell)
    [verdict] = verdicts
    (messages.caution if verdict.let_through else messages.tell)(verdict.message)
    if verdict.failed:
        raise typer.Exit(1)


def _once(name: str, position: str | None, option: str | None) -> str | None:
    """Return the name of a run that was given by position or by an option."""
    if position is not None and option is not None:
        raise NdcgSqlError(
            f"gate: {name} given twice, {quoted(position)} and "
            + use(**{name: option}),
            "name it once",
        )
    return option if position is None else position


def _tell_github(messages: Messages, verdict: "Verdict", summary: str) -> None:
    """Show the verdict as annotations and step summary of GitHub Actions."""
    from ndcg_sql.output.gate_results import annotations

    if os.environ.get("GITHUB_ACTIONS") == "true":
        # GitHub reads standard error too; standard output holds only data.
        for line in annotations(verdict):
            print(line, file=sys.stderr)
    if path := os.environ.get("GITHUB_STEP_SUMMARY"):
        try:
            with Path(path).open("a", encoding="utf-8") as file:
                file.write(f"### {verdict.message}\n\n{summary}\n")
        except OSError as error:
            messages.tell(
                f"{harmless(path)}: {error.strerror}; no step summary was written"
            )
