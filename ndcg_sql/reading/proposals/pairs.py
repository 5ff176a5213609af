"""The columns of queries and documents, chosen together.

Names count first; then that a query has several rows in a row, and that a document
stands once in a query.
"""

from collections.abc import Sequence
from itertools import product

from ndcg_sql.reading.columns import CLEAR, has_word, meaning
from ndcg_sql.reading.profile import ColumnProfile
from ndcg_sql.reading.proposals.proposal import Proposal

# How many columns are looked at as queries and as documents.
_LOOKED_AT = 6
_LONG_TEXT = 80
# The least score of a pair.
_PAIR = 30
_Scored = tuple[float, ColumnProfile]


def choose_pair(proposal: Proposal) -> None:
    """Choose the columns of queries and documents, if any are likely."""
    if "query" in proposal.options:
        proposal.take("doc_id", proposal.by_name("doc_id") or proposal.unique())
        proposal.roles.setdefault("query_id", "")
        return
    pairs = [
        (query_score + doc_score + _pair_score(proposal, query, document), sides)
        for sides in product(
            _candidates(proposal, "query_id"), _candidates(proposal, "doc_id")
        )
        for (query_score, query), (doc_score, document) in [sides]
        if query is not document
    ]
    best = max(pairs, key=lambda pair: pair[0], default=None)
    if best and best[0] > _PAIR:
        for role, (_, column) in zip(("query_id", "doc_id"), best[1], strict=True):
            proposal.take(role, column.name)


def _candidates(proposal: Proposal, role: str) -> Sequence[_Scored]:
    """Return the columns that may be the queries or documents, the likely ones."""
    if name := proposal.roles.get(role):
        return [(200, proposal.columns[name])]
    scored: list[_Scored] = []
    for one in proposal.free():
        if not one.filled or (one.is_list and role == "query_id"):
            continue
        score: float = proposal.score(role, one)
        score -= 100 * (one.is_date or one.is_decimal)
        score -= 30 * has_word(one.name.rpartition(".")[2], "other")
        is_number = any(proposal.score(r, one) >= CLEAR for r in ("grade", "rank"))
        score -= 60 * is_number
        score -= 300 * (meaning(one.name, proposal.kind) not in (None, role))
        score -= 60 * (role == "doc_id" and one.length > _LONG_TEXT)
        scored.append((score, one))
    return sorted(scored, key=lambda entry: -entry[0])[:_LOOKED_AT]


def _pair_score(
    proposal: Proposal, query: ColumnProfile, document: ColumnProfile
) -> float:
    if document.is_list:
        return _list_score(proposal, query, document)
    if len(query.values) != len(document.values):
        return -100
    return _rows_score(proposal, query, document)


def _list_score(
    proposal: Proposal, query: ColumnProfile, document: ColumnProfile
) -> float:
    """Return how likely a list is that of the documents of a query a row."""
    mine, other = "retrieved", "relevant"
    if proposal.kind != "run":
        mine, other = other, mine
    is_mine = has_word(document.name, mine)
    score = 40.0 + 60 * is_mine
    score -= 80 * (has_word(document.name, other) and not is_mine)
    rows = {*document.rows}
    pairs = zip(query.values, query.rows, strict=True)
    values = [value for value, row in pairs if row in rows]
    if len(values) > 2:
        score += 30 * (len({*values}) / len(values)) - 15
    # An id beside the text of a question is what other files name it by.
    named = [name for name in proposal.columns if name.lower().endswith("_id")]
    score += 80 * (query.name.lower() in ("id", "_id") and named in ([], ["_id"]))
    return score


def _rows_score(
    proposal: Proposal, query: ColumnProfile, document: ColumnProfile
) -> float:
    """Return how likely rows have one column's documents of another's queries."""
    count = len(query.values)
    names = [*proposal.columns]
    score = 6.0 * (names.index(query.name) < names.index(document.name))
    score += 15 * (query.changes + 1 < 0.6 * count and len(query.texts) > 1)
    score += 15 * len(set(zip(query.values, document.values, strict=True))) / count
    score += 10 * (len(document.texts) > len(query.texts))
    others = [o for o in proposal.columns.values() if o not in (query, document)]
    if proposal.score("doc_id", document) < CLEAR:
        score -= 60 * document.is_rank_within(query)
    score += 25 * any(one.is_rank_within(query) for one in others)
    falling = (one.falling_within(query) for one in others if one.is_decimal)
    score += 10 * any(share > 0.98 for share in falling)
    score -= 20 * (len(document.texts) < 2 or (len(query.texts) < 2 and count > 20))
    return score
