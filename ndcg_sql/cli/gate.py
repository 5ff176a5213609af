"""ndcg-sql gate: whether a candidate may replace a baseline."""

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from ndcg_sql.cli import completers
from ndcg_sql.cli.chosen import request
from ndcg_sql.cli.command import Command
from ndcg_sql.cli.html import check_html, write_html
from ndcg_sql.cli.options import (
    Alpha,
    Correct,
    Dataset,
    Force,
    Format,
    Html,
    Judgments,
    MeasureNames,
    Output,
    Resamples,
    Seed,
    Test,
    not_number,
)
from ndcg_sql.cli.session import Session
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import harmless, number, quoted

if TYPE_CHECKING:
    from ndcg_sql.analysis.gating import Verdict

app = typer.Typer()
Limit = TypeVar("Limit")
# Options and keys of files, by their names in Testing and Rules.
_TESTING = ("test", "correct", "alpha", "resamples", "seed")
_RULES = {
    "max_drop": "max-drop",
    "max_drop_in": "max-drop-in",
    "minimum": "min",
    "strict": "strict",
    "underpowered": "underpowered",
}


def _drop(given: object) -> str:
    """Return the text of a drop: a number, or a percentage."""
    text = str(given)
    if number(text.removesuffix("%")) is None:
        raise typer.BadParameter(f"{text}: {not_number(text)}")
    return text


@app.command(cls=Command, epilog="ndcg-sql gate bm25 hybrid --max-drop 0.01")
def gate(
    context: typer.Context,
    first: Annotated[
        str | None,
        typer.Argument(
            metavar="[BASELINE]",
            help="Name of the run to compare with.",
            autocompletion=completers.runs,
        ),
    ] = None,
    second: Annotated[
        str | None,
        typer.Argument(
            metavar="[CANDIDATE]",
            help="Name of the candidate run.",
            autocompletion=completers.runs,
        ),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(
            "--baseline",
            metavar="R",
            help="The same as BASELINE.",
            autocompletion=completers.runs,
        ),
    ] = None,
    candidate: Annotated[
        str | None,
        typer.Option(
            "--candidate",
            metavar="R",
            help="The same as CANDIDATE.",
            autocompletion=completers.runs,
        ),
    ] = None,
    measure: MeasureNames = None,
    judgments: Judgments = None,
    dataset: Dataset = None,
    by: Annotated[
        list[str] | None,
        typer.Option(
            "--by",
            metavar="A",
            help="Query attribute; each of its slices is decided separately; may be"
            " repeated.",
        ),
    ] = None,
    max_drop: Annotated[
        str | None,
        typer.Option(
            "--max-drop",
            metavar="X",
            parser=_drop,
            help="Largest tolerated drop of a mean: absolute, such as 0.01, or a share"
            " of the baseline's value, such as 5%.",
            show_default="0.01",
        ),
    ] = None,
    max_drop_in: Annotated[
        list[str] | None,
        typer.Option(
            "--max-drop-in",
            metavar="A=X",
            help="Largest tolerated drop in the slices of an attribute, such as"
            " segment=0.03 or segment=5%; may be repeated.",
        ),
    ] = None,
    least: Annotated[
        list[str] | None,
        typer.Option(
            "--min",
            metavar="M=X",
            help="Least value that the candidate must reach, such as nDCG@10=0.45;"
            " may be repeated.",
        ),
    ] = None,
    strict: Annotated[
        bool | None,
        typer.Option(
            "--strict/--no-strict",
            help="Also fail larger drops that are not significant.",
            show_default="no-strict",
        ),
    ] = None,
    underpowered: Annotated[
        str | None,
        typer.Option(
            "--underpowered",
            metavar="O",
            help="Whether rules with too few queries to decide pass or fail; with"
            " fail, a pass shows that no drop above the tolerance is plausible.",
            show_default="pass",
        ),
    ] = None,
    test: Test = None,
    correct: Correct = None,
    alpha: Alpha = None,
    resamples: Resamples = None,
    seed: Seed = None,
    config: Annotated[
        Path | None,
        typer.Option(
            "--config",
            metavar="FILE",
            parser=Path,
            help="TOML file of rules, named as the options; options take precedence,"
            " --min and --max-drop-in entry by entry.",
        ),
    ] = None,
    junit: Annotated[
        Path | None,
        typer.Option(
            "--junit",
            metavar="FILE",
            parser=Path,
            help="Also write JUnit XML to this file.",
        ),
    ] = None,
    form: Format = None,
    output: Output = None,
    html: Html = None,
    force: Force = False,
) -> None:
    """Pass or fail a run by its drop from a baseline: exit with 0 or 1.

    A drop fails if it exceeds the tolerance and is significant.
    """
    from ndcg_sql.analysis import comparing, gating
    from ndcg_sql.analysis.gate_rules import read_rules
    from ndcg_sql.analysis.significance import Testing
    from ndcg_sql.database.results import output as rows_of
    from ndcg_sql.output import gate_results
    from ndcg_sql.output.writing import check_output, delivered, write

    said = {} if config is None else read_rules(config)
    given: dict[str, Any] = {
        "baseline": _once("baseline", first, baseline),
        "candidate": _once("candidate", second, candidate),
        "measure": measure,
        "judgments": judgments,
        "dataset": dataset,
        "by": by,
        "max-drop": max_drop,
        "strict": strict,
        "underpowered": underpowered,
        "test": test,
        "correct": correct,
        "alpha": alpha,
        "resamples": resamples,
        "seed": seed,
    }
    drops = _limits("--max-drop-in", max_drop_in, "segment=0.03", gating.Drop.read)
    limits = gating.minimum(_limits("--min", least, "nDCG@10=0.45", number))
    given["max-drop-in"] = said.get("max-drop-in", {}) | drops
    given["min"] = gating.minimum(said.get("min", {})) | limits
    said |= {key: value for key, value in given.items() if value is not None}
    for run in ("baseline", "candidate"):
        if run not in said:
            raise NdcgSqlError(f"gate: no {run}; name a run: --{run}")
    if "max-drop" in said:
        said["max-drop"] = gating.Drop.given(said["max-drop"])
    said["max-drop-in"] = {
        attribute: gating.Drop.given(drop)
        for attribute, drop in said["max-drop-in"].items()
    }
    testing = Testing.of(**{key: said.get(key) for key in _TESTING})
    rules = gating.Rules(**_picked(said, _RULES))
    check_output(form, output)
    check_html(html, force, output)
    session = Session.of(context)
    messages = session.messages
    asked = request(
        said.get("measure"),
        judgments=said.get("judgments"),
        dataset=said.get("dataset"),
        by=said.get("by"),
    )
    with session.reading() as database:
        question = comparing.resolve(
            database, said["baseline"], [said["candidate"]], asked
        )
        verdict = gating.judge(database, messages, question, rules, testing)
        with rows_of(database, "reports/gate", {"decisions": verdict.rows}):
            if junit is not None:
                own = Path(database.path)
                with delivered(own, junit, option="--junit") as path:
                    path.write_bytes(gate_results.junit(verdict))
            table = gate_results.table
            write(database, form, output, lambda d, f: table(d, f, verdict))
            _tell_github(messages, verdict, table(database, "markdown", verdict))
        if html is not None:
            write_html(database, messages, html, asked, testing, question, verdict)
    (messages.caution if verdict.let_through else messages.tell)(verdict.told())
    if verdict.failed:
        raise typer.Exit(1)


def _picked(said: Mapping[str, Any], keys: Mapping[str, str]) -> dict[str, Any]:
    """Return the values given for some keys, by their inside names."""
    return {inside: said[key] for inside, key in keys.items() if key in said}


def _once(what: str, position: str | None, option: str | None) -> str | None:
    """Return the name of a run that was given by position or by an option."""
    if position is not None and option is not None:
        raise NdcgSqlError(
            f"gate: {what} given twice, {quoted(position)} and --{what}"
            f" {quoted(option)}; name it once"
        )
    return option if position is None else position


def _limits(
    option: str,
    items: list[str] | None,
    example: str,
    read: Callable[[str], Limit | None],
) -> dict[str, Limit]:
    """Return the limits of a repeated option; each follows the last =."""
    found: dict[str, Limit] = {}
    for item in items or []:
        key, _, text = item.rpartition("=")
        limit = read(text)
        if not key:
            raise NdcgSqlError(f"{option} {item}: write it like {option} {example}")
        if limit is None:
            raise NdcgSqlError(f"{option} {item}: {not_number(text)}")
        if key in found:
            raise NdcgSqlError(f"{option} {key}: given twice")
        found[key] = limit
    return found


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
                file.write(f"### {verdict.told()}\n\n{summary}\n")
        except OSError as error:
            messages.tell(
                f"{harmless(path)}: {error.strerror}; no step summary was written"
            )
