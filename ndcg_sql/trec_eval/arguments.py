"""trec_eval's options, in its own grammar, and the text of -h."""

import getopt
import re
from dataclasses import dataclass, field
from pathlib import Path

from ndcg_sql.errors import ExitError
from ndcg_sql.measures.families import families
from ndcg_sql.system.paths import STDIN
from ndcg_sql.text import nearest, quoted
from ndcg_sql.trec_eval.catalog import catalog

USAGE = """\
usage: ndcg-sql trec_eval [-h] [-q] [-c] [-n] [-J] [-l N] [-M N] [-N N] [-m MEASURE]...
           [-R qrels] [-Z FILE] [--compat 9] QRELS RUN...
see ndcg-sql trec_eval -h"""
_OPTIONS = """\
  -q            print the lines of each query before those of all queries
  -c            average over every judged query; one that the run lacks counts 0
  -n            do not print the lines of all queries
  -m MEASURE    a measure or a set (official, set, all_trec); parameters follow a
                dot, as in P.5,10 or ndcg.1=3,2=9; may be repeated, but the
                first parameters of a measure count
  -l N          the lowest relevant grade, 1 if omitted; gains do not change
  -J            remove unjudged documents from the run first
  -M N          use only the first N documents of each query
  -N N          the number of documents in the collection (utility)
  -R FORM       the form of the judgments: qrels
  -T FORM       the form of the run: trec_results
  -Z FILE       print z-scores, by the means and deviations in the lines of FILE:
                query measure mean deviation; -1000000 if FILE has none
  -D N[.QUERY]  use only this query
  -o            accepted, without effect
  --compat 9    as trec_eval 9.0.8: scores as single floats, recall points rounded
                up, only queries that are both judged and in the run
  -h, -v        print this text (with -m, what the measures mean); the version
"""
_SHORT = "hvqm:cl:nD:JN:M:R:T:oZ:"
# The long options; those that end in = take a value.
_LONG = {
    "help": "-h",
    "version": "-v",
    "query_eval_wanted": "-q",
    "measure=": "-m",
    "complete_rel_info_wanted": "-c",
    "level_for_rel=": "-l",
    "nosummary": "-n",
    "Debug_level=": "-D",
    "Judged_docs_only": "-J",
    "Number_docs_in_coll=": "-N",
    "Max_retrieved_per_topic=": "-M",
    "Rel_info_format=": "-R",
    "Results_format=": "-T",
    "Output_old_results_format=": "-o",
    "Zscore=": "-Z",
}
_FLAGS = {
    "-h": ("wants_help", True),
    "-v": ("wants_version", True),
    "-q": ("per_query", True),
    "-n": ("summary", False),
    "-c": ("complete", True),
    "-J": ("judged_only", True),
}
# The fields of integers, the least of each, and why.
_INTEGERS = {
    "-l": ("rel", 0, "a negative grade means not judged"),
    "-M": ("depth", 1, "a run has at least one document"),
    "-N": ("docs", 0, "a collection cannot have fewer documents"),
}
_FORMS = {"-R": "qrels", "-T": "trec_results"}
# Our own option: among those above, it would limit how they can be abbreviated.
_COMPAT = "--compat"
# Forms of judgments, sets and measures of trec_eval that are not included.
_GROUPED = re.compile("qrels_jg|qrels_prefs|(all_)?prefs|prefs_.*|.*_avgjg")


@dataclass
class Options:
    """The options of a command line.

    measures are the requested names, each with its parameters or None.
    """

    qrels: Path = Path()
    runs: list[Path] = field(default_factory=list[Path])
    measures: dict[str, str | None] = field(default_factory=dict[str, str | None])
    per_query: bool = False
    summary: bool = True
    complete: bool = False
    judged_only: bool = False
    rel: int = 1
    depth: int | None = None
    docs: int = 0
    zscores: Path | None = None
    query: str | None = None
    compat: int = 10
    wants_help: bool = False
    wants_version: bool = False


def parse(arguments: list[str]) -> Options:
    """Return the options in arguments; raise ExitError where trec_eval exits."""
    options = Options()
    arguments = _without_compat(arguments, options)
    try:
        switches, files = getopt.gnu_getopt(arguments, _SHORT, list(_LONG))
    except getopt.GetoptError as error:
        raise _misused(str(error)) from None
    for name, value in switches:
        letter = _LONG.get(name[2:], _LONG.get(f"{name[2:]}=", name))
        _take(options, letter, value)
    if options.wants_help or options.wants_version:
        return options
    if not options.measures:
        _mark(options, "official")
    if len(files) < 2:
        raise _misused("a judgment file and a run file are needed")
    options.qrels = _path(files[0])
    options.runs = [_path(file) for file in files[1:]]
    return options


def _without_compat(arguments: list[str], options: Options) -> list[str]:
    """Return arguments without --compat, which is noted in the options."""
    if _COMPAT not in arguments:
        return arguments
    place = arguments.index(_COMPAT)
    version = "".join(arguments[place + 1 : place + 2])
    if version not in ("9", "10"):
        raise _misused("--compat: must be 9 or 10")
    options.compat = int(version)
    return arguments[:place] + arguments[place + 2 :]


def _path(file: str) -> Path:
    """Return a file's path; what begins with - is standard input, as upstream."""
    if not file:
        raise _misused("a file name is empty")
    return STDIN if file.startswith("-") else Path(file)


def _take(options: Options, letter: str, value: str) -> None:
    """Note one option."""
    if letter == "-m":
        _mark(options, value)
    elif letter in _FLAGS:
        setattr(options, *_FLAGS[letter])
    elif letter in _INTEGERS:
        field, least, why = _INTEGERS[letter]
        if not re.fullmatch(r"[+-]?[0-9]{1,15}", value):
            raise _misused(f"{letter} {quoted(value)}: not an integer")
        if int(value) < least:
            raise _misused(f"{letter} {value}: below {least}; {why}")
        setattr(options, field, int(value))
    elif letter in _FORMS:
        if letter == "-R":
            _check_included(letter, value)
        if value != _FORMS[letter]:
            raise ExitError(f"{letter} {quoted(value)}: not {_FORMS[letter]}", 2)
    elif letter == "-D":
        # Nothing is printed for debugging, but the query that limits it is used.
        options.query = value.partition(".")[2] or None
    elif letter == "-Z":
        options.zscores = Path(value)


def _mark(options: Options, text: str) -> None:
    """Note a measure, or those of a set; the first parameters of a measure count."""
    name, dot, parameters = text.partition(".")
    _check_included("-m", name)
    if dot and not parameters:
        raise ExitError(f"-m {quoted(text)}: parameters are missing after the dot", 1)
    members = [entry.name for entry in catalog() if name in entry.sets]
    names = [entry.name for entry in catalog()]
    if not members and name not in names:
        sets = [name for entry in catalog() for name in entry.sets]
        hint = _hint(text) or nearest(name, [*names, *sets])
        hint = f"; {hint}" if hint else ""
        raise ExitError(f"-m {quoted(text)}: not a trec_eval measure{hint}", 1)
    for member in members or [name]:
        member_parameters = parameters if dot and not members else None
        if options.measures.get(member) is None:
            options.measures[member] = member_parameters


def _check_included(option: str, name: str) -> None:
    """Raise ExitError for preferences and groups of judgments."""
    if _GROUPED.fullmatch(name):
        raise ExitError(
            f"{option} {name}: preferences and groups of judgments are not included;"
            " evaluate them with trec_eval",
            1,
        )


def _hint(text: str) -> str:
    """Return how to write a name that trec_eval prints for -m, if it is one."""
    for entry in sorted(catalog(), key=lambda entry: -len(entry.name)):
        start, parameters = text[: len(entry.name) + 1], text[len(entry.name) + 1 :]
        if entry.parameters and start == f"{entry.name}_" and parameters[:1].isdigit():
            return f"parameters follow a dot: {entry.name}.{parameters}"
    return ""


def _misused(reason: str) -> ExitError:
    """Return the error of a command line that is not valid."""
    return ExitError(f"{reason}\n{USAGE}", 1)


def manual(options: Options) -> str:
    """Return the text of -h; with measures named, what they mean."""
    meanings = [
        f"{entry.name}\n    "
        + (entry.meaning or families()[entry.ours.partition("(")[0]].description)
        + "\n"
        for entry in catalog()
        if entry.name in options.measures
    ]
    return "\n".join([USAGE.partition("\nsee ")[0], _OPTIONS, *meanings])
