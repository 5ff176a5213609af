"""Runs whose scores do not order them, or otherwise than their ranks."""

import re
from itertools import islice

from ndcg_sql.database.database import Database
from ndcg_sql.evaluation.values import Pair
from ndcg_sql.loading.likeness import NEARLY_ALL
from ndcg_sql.loading.sheets import Sheet
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.sources import Source
from ndcg_sql.text import counted, number, quoted
from ndcg_sql.wording import Text, Wording, use

# How many scores rise, or are tied, before that is no chance.
_FEW = 2
# How many lines show whether ranks are worth a closer look.
_LINES = 2000

# Of how many queries that is told at least: a few may have equal scores by chance.
_FEW_CONSTANT = 5
# To look at the queries of a large run takes longer, and most have no such hits.
_TIED = (
    "select count(*) from hits where tie_first = 1 and tie_last > 1"
    " and run_id = $run_id and judgment_set_id = $judgment_set_id"
)


def is_suspect(source: Source, how: Layout) -> bool:
    """Return whether the first lines of a text file have ranks against scores.

    Or most of their scores are equal. The fast reading drops ranks, so that it must be
    known before.
    """
    if not {"rank", "score"} <= how.fields.keys():
        return False
    rank_at, score_at, query_at = (
        how.fields[column] - 1 for column in ("rank", "score", "query_id")
    )
    last: tuple[str, float, float] | None = None
    lists: set[str] = set()
    rising: set[str] = set()
    neighbours = tied = 0
    with source.readable.open(encoding="utf-8", errors="replace", newline="\n") as file:
        for line in islice(file, how.parameters.get("header_line", 0), _LINES):
            fields = (
                line.rstrip("\n").split(how.parameters["delimiter"])
                if how.apart_by == "delimiter"
                else re.split("[ \t]+", line.strip(" \t\n"))
            )
            if len(fields) != how.field_range[1]:
                continue
            query, rank = fields[query_at], number(fields[rank_at].strip())
            score = number(fields[score_at].strip())
            if score is None or rank is None:
                continue
            here = (query, rank, score)
            if last and last[0] == query and last[1] != here[1]:
                lists.add(query)
                neighbours += 1
                tied += last[2] == score
                if (last[1] < here[1]) == (last[2] < score) and last[2] != score:
                    rising.add(query)
            last = here
    return 2 * len(rising) > len(lists) or 2 * tied >= neighbours > 0


def warning(sheet: Sheet) -> Wording:
    """Return a warning if the staged ranks contradict the scores, or nothing.

    Most runs have a few equal scores, whose ranks say little; where most scores are
    equal, as if they were rounded, the ranks may be what was meant. There is none if
    the user chose how positions are given.
    """
    source, how, options = sheet.source, sheet.how, sheet.options
    if options.is_rule_chosen or not {"rank", "score"} <= how.fields.keys():
        return ""
    [(lists, contradicted, is_opposite, rising, *ties)] = sheet.database.run(
        "lookups/ranks_against_scores"
    )
    ways = Text("; to use the ranks: ", use(position_rule="given"))
    ways += Text("; to leave this unsaid: ", use(position_rule="score"))
    if rising < _FEW or contradicted < NEARLY_ALL * lists:
        ranked, otherwise, count, are_most_tied = ties
        if count < _FEW or not are_most_tied:
            return ""
        return (
            f"{source.shown}: the ranks order documents with equal scores otherwise in"
            f" {otherwise} of {counted(ranked, 'query', 'queries')}; positions there"
            " are by document id, descending" + ways
        )
    what = f"contradict the scores in {contradicted} of {lists} queries"
    if is_opposite and lists > 1:
        what = f"are the opposite of the scores in all {lists} queries; are low scores"
        what += " the best, such as distances?"
    return f"{source.shown}: the ranks {what}; positions are by score" + ways


def constant_scores(database: Database, name: str, pair: Pair) -> list[Wording]:
    """Return a warning if scores do not order a run, whose positions are by score.

    Only queries with a judged document in the run are looked at, whose hits are
    stored.
    """
    run_id, judgment_set_id = pair
    ids = {"run_id": run_id, "judgment_set_id": judgment_set_id}
    [(tied,)] = database.execute(_TIED, ids)
    if tied < _FEW_CONSTANT:
        return []
    [(constant, count)] = database.run("warnings/constant_scores", ids)
    if constant < max(_FEW_CONSTANT, NEARLY_ALL * count):
        return []
    return [
        Text(
            f"run {quoted(name)}: all documents have the same score in {constant} of"
            f" {counted(count, 'query', 'queries')} with several documents and a judged"
            " one; positions there are by document id, descending; to leave this"
            " unsaid: ",
            use(position_rule="score"),
        )
    ]
