"""What commands do: print answers, carry out changes, load files.

A function takes the session, the question with its values, and options of its own.
What is heavy is imported where it is used, as help reads this module.
"""

import os
import re
import shlex
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from ndcg_sql.cli.session import Session
from ndcg_sql.errors import NdcgSqlError, refusal
from ndcg_sql.fields import method_of
from ndcg_sql.options import Option
from ndcg_sql.text import harmless, quoted
from ndcg_sql.wording import named, referring, use

if TYPE_CHECKING:
    from ndcg_sql.comparison.answers import Answer
    from ndcg_sql.comparison.significance import Verdict
    from ndcg_sql.output.figures.figure import Plotted
    from ndcg_sql.system.messages import Messages

File = Annotated[Path | None, Option(is_argument=True, is_input=True)]
Files = Annotated[tuple[Path, ...], Option(is_argument=True, is_input=True)]
Url = Annotated[str | None, Option(word="from")]
Form = Annotated[str | None, Option(word="format")]
Output = Annotated[Path | None, Option(short="o")]


def answered(
    session: Session,
    question: "partial[Answer]",
    form: Form = None,
    output: Output = None,
) -> None:
    """Print the answer to a question."""
    with printed_answer(session, question, form, output):
        pass


def answered_with_caption(
    session: Session,
    question: "partial[Answer]",
    form: Form = None,
    output: Output = None,
    caption: str | None = None,
    label: str | None = None,
) -> None:
    """Print the answer to a question, which may be a LaTeX table with a caption.

    Output:
    caption TEXT: Caption of a LaTeX table, as plain text; only with {form=latex}.
    label L: Label of a LaTeX table, such as tab:results; only with {form=latex}.
    """
    if label is not None and not re.fullmatch(r"[\w:./+-]+", label, re.ASCII):
        what = "use only letters, digits and :./+-_, such as tab:results"
        raise NdcgSqlError(what, where=use(label=label))
    with printed_answer(session, question, form, output, caption, label):
        pass


@contextmanager
def printed_answer(
    session: Session,
    question: "partial[Answer]",
    form: str | None,
    output: Path | None,
    caption: str | None = None,
    label: str | None = None,
) -> "Generator[Answer]":
    """Print the answer to a question, and give it while the warehouse is open."""
    from ndcg_sql.output.writing import Printing, check_printing, write
    from ndcg_sql.python.access import write_page
    from ndcg_sql.system.files import discard_output

    printing, values = Printing(form, output, caption, label), question.keywords
    inputs = [values["qrels"], *values["files"]] if "qrels" in values else []
    check_printing(printing, inputs)
    for name in ("html", "junit"):
        file: Path | None = values.get(name)
        if file and output and file.absolute() == output.absolute():
            what = f"also the file of {{{name}}}"
            raise refusal(use(output=str(output)), what, "name another")
    with session.handle(question) as warehouse:
        answer = question(warehouse)
        try:
            write(answer, printing, session.path)
        except BrokenPipeError:
            # Its reader has read enough; a page and the exit code do not depend on it.
            discard_output()
        command = shlex.join(["ndcg-sql", *sys.argv[1:]])
        if page := write_page(warehouse, answer, command):
            session.messages.tell(f"wrote {harmless(str(page))}")
        yield answer


def gate(
    session: Session,
    first: Annotated[str | None, Option(names="runs", is_argument=True)] = None,
    second: Annotated[str | None, Option(names="runs", is_argument=True)] = None,
    *,
    question: "partial[Answer]",
    form: Form = None,
    output: Output = None,
) -> None:
    """Print the outcome of every rule, and exit with 1 if one failed.

    first [BASELINE]: Name of the run to compare with.
    second [CANDIDATE]: Name of the candidate run.
    """
    import typer

    runs = {"baseline": first, "candidate": second}
    for name, position in runs.items():
        option = question.keywords[name]
        if position is not None and option is not None:
            where = f"gate: {name} given twice, {quoted(position)} and "
            raise NdcgSqlError(where + use(**{name: option}), "name it once")
    named_runs = {name: run for name, run in runs.items() if run is not None}
    question = partial(question, **named_runs)
    with printed_answer(session, question, form, output) as answer:
        verdict: Verdict = answer.about["verdict"]
        _tell_github(session.messages, verdict, answer)
    is_doubtful, messages = verdict.let_through, session.messages
    (messages.caution if is_doubtful else messages.tell)(verdict.message)
    if verdict.failed:
        raise typer.Exit(1)


def _tell_github(messages: "Messages", verdict: "Verdict", answer: "Answer") -> None:
    from ndcg_sql.output.comparison_tables import annotations
    from ndcg_sql.output.documents import laid_out
    from ndcg_sql.output.layout import Screen
    from ndcg_sql.system import terminal

    if os.environ.get("GITHUB_ACTIONS") == "true":
        # GitHub reads standard error too; standard output holds only data.
        for line in annotations(verdict):
            terminal.tell(line)
    if path := os.environ.get("GITHUB_STEP_SUMMARY"):
        summary = laid_out(answer, "markdown", Screen())
        try:
            with Path(path).open("a", encoding="utf-8") as file:
                file.write(f"### {verdict.message}\n\n{summary}\n")
        except OSError as error:
            fault = f"{harmless(path)}: {error.strerror}"
            messages.tell(f"{fault}; no step summary was written")


def pool(
    session: Session,
    question: "partial[Answer]",
    form: Form = None,
    output: Output = None,
    force: bool = False,
) -> None:
    """Write the documents to be judged, unless the file may hold grades.

    form F: csv, tsv, json, jsonl or parquet; by default from the suffix of {output}.
    force: Replace FILE, and the grades written into it.
    """
    from ndcg_sql.output.writing import check_output, chosen_format, write_data
    from ndcg_sql.reports.unjudged import FORMATS

    form = chosen_format(form, output, FORMATS)
    if output is not None and output.is_file() and not force:
        remedy = "name another file, or replace it with {force}"
        raise refusal(use(output=str(output)), "exists, and may hold grades", remedy)
    check_output(output, form, force)
    with session.handle(question) as warehouse:
        write_data(question(warehouse).rows, form, output, session.path)


def plot(
    session: Session,
    question: "partial[Plotted]",
    output: Annotated[Path, Option(is_argument=False, short="o", example="figure.svg")],
    data: bool = False,
    force: bool = False,
) -> None:
    """Draw a figure, and write it and its rows to files.

    Output:
    output FILE: Write to this file; its suffix is .svg, .png or .pdf.
    data: Also write the rows that are drawn, as CSV next to FILE.
    """
    from ndcg_sql.output.figures import drawing
    from ndcg_sql.output.writing import check_own

    drawing.check_installed()
    check_own(output, "figure", force)
    with session.handle(question) as warehouse:
        figure, rows = question(warehouse)
        content = figure.content(output.suffix)
        drawn = rows if data else None
        files = drawing.write(session.path, output, content, drawn, force)
    session.messages.tell(f"wrote {' and '.join(map(str, files))}")


def query(
    session: Session,
    sql: str,
    form: Form = None,
    output: Output = None,
    time_limit: float = 60.0,
) -> None:
    """Print the rows of a select.

    It is read-only, and reads no other files and no network.

    sql SQL: One select; - reads it from standard input.
    time_limit SECONDS: Stop the query after this time.

    ndcg-sql query 'select run, measure, value from run_values'
    """
    from ndcg_sql.sandbox import parent

    if sql == "-":
        try:
            sql = sys.stdin.buffer.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            raise NdcgSqlError("-: not UTF-8 text") from None
    place = session.path, session.wait, session.limits
    parent.query(sql, form, output, time_limit, *place)


def printed(session: Session, question: "partial[str]") -> None:
    """Print the text that is the answer to a question."""
    from ndcg_sql.system.files import print_text

    with session.handle(question) as warehouse:
        print_text(question(warehouse))


def demo(session: Session) -> None:
    """Try everything on bundled data.

    ndcg-sql demo
    """
    from ndcg_sql import demo as bundled

    with session.handle(partial(bundled.fill)) as warehouse:
        bundled.fill(warehouse.made, session.messages)
    with session.handle(partial(bundled.show)) as warehouse:
        bundled.show(warehouse.read)


def completion(
    _session: Session, shell: Annotated[str, Option(names="shells")]
) -> None:
    """Print the script with which a shell completes commands.

    It completes options and names, too. Write it to a file that the shell reads when it
    starts; bash, for example:
    ndcg-sql completion bash >> ~/.bashrc

    shell SHELL: bash, zsh or fish.

    ndcg-sql completion bash
    """
    from ndcg_sql.cli.completion import SHELLS, answer

    if shell not in SHELLS:
        raise NdcgSqlError(f"{shell}: not one of {', '.join(SHELLS)}")
    answer(None, f"source_{shell}")


def trec_eval(session: Session, arguments: Sequence[str]) -> None:
    """Evaluate as trec_eval does, with its options and output.

    The exit codes are the same, too.
    """
    from ndcg_sql import __version__
    from ndcg_sql.trec_eval.arguments import manual, parse
    from ndcg_sql.trec_eval.evaluation import evaluate

    options = parse([*arguments])
    if options.wants_version:
        print(f"ndcg-sql {__version__}, as trec_eval 10", file=sys.stderr)
    elif options.wants_help:
        print(manual(options), end="")
    else:
        evaluate(options, session.limits)


def changed(session: Session, question: "partial[Any]") -> None:
    """Change the warehouse."""
    with session.handle(question) as warehouse:
        question(warehouse)


def loaded_file(
    session: Session,
    file: File = None,
    url: Url = None,
    select: str | None = None,
    table: str | None = None,
    *,
    question: "partial[Any]",
) -> None:
    """Load a file, or rows of a database."""
    files = () if file is None else (file,)
    loaded(session, files, url, select, table, question=question)


def loaded(
    session: Session,
    files: Files = (),
    url: Url = None,
    select: str | None = None,
    table: str | None = None,
    *,
    question: "partial[Any]",
) -> None:
    """Load files, or rows of a database."""
    if url is None:
        for name, value in (("select", select), ("table", table)):
            if value is not None:
                raise refusal(named(name), "name the database, too: {url=URL}")
        if not files:
            command = f"{{{method_of(question.func)}()}} --help"
            what = "name a file to load, or a database: {url=URL}; see " + command
            raise NdcgSqlError(referring(what))
        return changed(session, partial(question, data=files))
    if files:
        what = f"{harmless(str(files[0]))} is given, too"
        raise NdcgSqlError(what, "omit one of the two", where=named("url"))
    values = question.keywords
    if select is not None and table is None and values.get("name", "") is None:
        is_named = values.get("run_column") not in (None, "none")
        if is_named and "name_from" in values:
            # Without a file, only the column can name what is one run, too.
            question = partial(question, name_from="tag")
        elif not is_named and values.get("name_from", "file") == "file":
            naming = "name it: " + use(name="NAME")
            if "run_column" in values:
                naming += ", or its runs by a column: " + use(run_column="NAME")
            raise NdcgSqlError("has no name", naming, where=named("select"))
    from ndcg_sql.loading.frames import database_rows
    from ndcg_sql.system.urls import PATIENCE

    patience = max(session.wait, PATIENCE)
    content = database_rows(url, select, table=table, wait=patience)
    return changed(session, partial(question, data=content))
