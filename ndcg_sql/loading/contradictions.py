"""Runs whose ranks contradict their scores, or the order of equal scores."""

import re
from itertools import islice

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.loading.likeness import NEARLY_ALL
from ndcg_sql.loading.sheets import Sheet
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.sources import Source
from ndcg_sql.text import counted, number
from ndcg_sql.wording import Text, Wording, use

# How many scores rise before the exact opposite is no chance: fewer are warned of.
_CERTAIN = 10
_FEW = 2
# How many lines show whether ranks are worth a closer look.
_LINES = 2000


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
    equal, as if they were rounded, the ranks may be what was meant.
    Raises NdcgSqlError if they are exact opposites, unless the user chose how
    positions are given.
    """
    source, how, options = sheet.source, sheet.how, sheet.options
    if options.is_rule_chosen or not {"rank", "score"} <= how.fields.keys():
        return ""
    [(lists, contradicted, is_opposite, rising, *ties)] = sheet.database.run(
        "lookups/ranks_against_scores"
    )
    by_ranks = Text("to use the ranks: ", use(position_rule="given"))
    by_scores = use(position_rule="score")
    if rising < _FEW or contradicted < NEARLY_ALL * lists:
        ranked, otherwise, count, are_most_tied = ties
        if count < _FEW or not are_most_tied:
            return ""
        return Text(
            f"{source.shown}: the ranks order documents with equal scores otherwise in"
            f" {otherwise} of {counted(ranked, 'query', 'queries')}; positions there"
            " are by document id, descending; ",
            by_ranks,
            "; to leave this unsaid: ",
            by_scores,
        )
    if is_opposite and rising >= _CERTAIN and lists > 1:
        raise NdcgSqlError(
            f"{source.shown}: the ranks are the opposite of the scores in all {lists}"
            " queries; are low scores the best, such as distances?",
            Text(by_ranks, ", or if high scores are the best: ", by_scores),
        )
    return Text(
        f"{source.shown}: the ranks contradict the scores in {contradicted} of {lists}"
        " queries; positions are by score; ",
        by_ranks,
        "; to leave this unsaid: ",
        by_scores,
    )
