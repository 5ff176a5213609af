"""Files that are of another kind than they were taken for."""

from collections.abc import Collection, Sequence
from typing import Literal

from ndcg_sql.errors import NdcgSqlError, Offer
from ndcg_sql.reading.columns import Kind, folded, meaning, of_header
from ndcg_sql.reading.proposals import of_judgments, of_rankings, proposed
from ndcg_sql.text import listed, quoted
from ndcg_sql.wording import Blank, Text, Wording, call, use

_A_RUN = "it looks like a run"
_JUDGMENTS = "it looks like judgments"
_LOOKS_LIKE_A_RUN = f"{_A_RUN}: " + call("load_run", Blank("FILE"))
# What a message says before the run that is a way out of clicks without impressions.
SHOWN = "; if searches showed the ranking of a run: "
# What names of columns say of an event, beside its action: where the document was.
_PLACED = {"position", "event_attributes"}


def looks_like_judgments(
    shown: str, grade: str, columns: dict[str, str]
) -> NdcgSqlError:
    """Return the error for judgments in place of a run, with what their columns are.

    grade is the column that says so; the relevance that a system gives is its score.
    """
    way = {"columns": columns} if columns else {}
    otherwise = Text("; if it is a run: ", use(columns={"score": grade}))
    judging = call("load_judgments", Blank("FILE"), **way)
    return NdcgSqlError(
        f"{shown}: no column for the score",
        Text(f"{_JUDGMENTS}: ", judging, otherwise),
        offer=Offer(Text(_JUDGMENTS, otherwise), way, "load_judgments"),
    )


def run_without_grades(
    shown: str, header: list[str], there: Collection[str | None]
) -> NdcgSqlError:
    """Return the error for a run in place of grades.

    there are the meanings of all columns.
    """
    otherwise = Text()
    if not {"score", "rank"} & {*there}:
        grade = use(columns={"grade": of_rankings(header)[0]})
        otherwise = Text("; if it is not: ", grade)
    return another_kind(f'{shown}: no column for "grade"', "run", otherwise)


def run_with_one_grade(shown: str, score: str) -> NdcgSqlError:
    """Return the error for a file with a score that is to get one grade."""
    return NdcgSqlError(
        f"{shown}: column {quoted(score)} beside one grade for all rows",
        Text(
            "if it is the grade: ",
            use(columns={"grade": score}),
            "; if not, ",
            _LOOKS_LIKE_A_RUN,
        ),
    )


def check_no_log(
    shown: str, kind: Kind, header: list[str], missing: list[str], has: str
) -> None:
    """Raise NdcgSqlError for a log of events, whose rows are no judgments.

    missing are the columns that the file lacks, the grade among them.
    """
    of_log = _meanings_in_a_log(header)
    if "action" not in of_log:
        return
    what = f"{shown}: no column for {listed(missing)}; {has} {listed(header)}"
    if _PLACED & of_log.keys():
        raise _log_of_clicks(what)
    if missing != ["grade"] or "score" in of_header(header, kind):
        return
    position = {"position": Blank("NAME")}
    remedy = Text(
        "if it is a log of what was shown and clicked: ",
        call("load_clicks", Blank("FILE"), columns=position),
    )
    if kind == "judgments":
        one = use(grade=1, where={of_log["action"]: Blank("VALUE")})
        remedy = Text("if one action makes a document relevant: ", one, "; ", remedy)
    raise NdcgSqlError(what, remedy)


def check_run_is_no_log(
    shown: str, header: Sequence[str], missing: Sequence[str]
) -> None:
    """Raise NdcgSqlError for a log of clicks in place of a run without scores.

    missing are the columns of ids that the file lacks; of a log, names must tell them.
    """
    of_log = _meanings_in_a_log(header)
    likely = {one: proposed(one, header) for one in missing}
    columns = {one: name for one, name in likely.items() if name is not None}
    is_log = "action" in of_log and bool(_PLACED & of_log.keys())
    if not is_log or len(columns) < len(missing):
        return
    lacking = listed(missing) if missing else "the score"
    way = {"columns": columns} if columns else {}
    otherwise = Text("; if it is a run: ", use(**way, position_rule="given"))
    raise _log_of_clicks(f"{shown}: no column for {lacking}", otherwise)


def _meanings_in_a_log(header: Sequence[str]) -> dict[str, str]:
    """Return the names in a header by what they mean in a log of clicks."""
    return {meaning(name, "clicks") or folded(name): name for name in header}


def _log_of_clicks(what: str, otherwise: Wording = "") -> NdcgSqlError:
    looks = "it looks like a log of clicks"
    return NdcgSqlError(
        what,
        Text(f"{looks}: ", call("load_clicks", Blank("FILE")), otherwise),
        offer=Offer(Text(looks, otherwise), {}, "load_clicks"),
    )


def interactions(
    shown: str, document: str, there: Collection[str | None]
) -> NdcgSqlError:
    """Return the error for a file of documents whose rows have queries, too.

    document is the column of documents; there are the meanings of all columns.
    """
    way = call("load_judgments", Blank("FILE"), grade=1)
    if {"grade", "label"} & {*there}:
        way = call("load_judgments", Blank("FILE"))
    elif {"score", "rank"} & {*there}:
        way = call("load_run", Blank("FILE"))
    fact = "each row has a query or user and a document, as judgments and runs do"
    return NdcgSqlError(
        f"{shown}: {fact}",
        Text(
            "to load it as such: ",
            way,
            "; as what users know already: ",
            call("load_known", Blank("FILE")),
            "; if each row describes a document: ",
            use(columns={"doc_id": document}),
        ),
    )


def check_are_queries(
    shown: str, header: list[str], there: Collection[str | None]
) -> None:
    """Raise NdcgSqlError for a file of queries whose rows rank or judge documents.

    there are the meanings of all columns.
    """
    query = next((n for n in header if meaning(n, "queries") == "query_id"), None)
    # Beside an id of queries, what only resembles these is an attribute: avg_score.
    similar = [] if query else header
    query = query or proposed("query_id", header)
    if query is None or not ("doc_id" in there or proposed("doc_id", similar)):
        return
    if {"score", "rank"} & {*there} or of_rankings(similar):
        looks_like = "run"
    elif {"grade", "label"} & {*there} or of_judgments(similar):
        looks_like = "judgments"
    else:
        return
    columns = {"query_id": query}
    otherwise = Text("; if each row describes a query: ", use(columns=columns))
    raise another_kind(f"{shown}: no queries", looks_like, otherwise)


def another_kind(
    what: str, looks_like: Literal["run", "judgments"], otherwise: Wording = ""
) -> NdcgSqlError:
    """Return the error for a file that looks like one of another kind.

    otherwise goes on with what to do if it is none.
    """
    looks = _A_RUN if looks_like == "run" else _JUDGMENTS
    method = f"load_{looks_like}"
    return NdcgSqlError(
        what,
        Text(f"{looks}: ", call(method, Blank("FILE")), otherwise),
        offer=Offer(Text(looks, otherwise), {}, method),
    )
