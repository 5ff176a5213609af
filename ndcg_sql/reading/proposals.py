"""Which column of a file is likely to be one that no usual name shows.

A proposal is only ever shown in a message: nothing is loaded by it.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

# Words in the names of columns, by what such a column is likely to hold.
_WORDS: dict[str, tuple[str, ...]] = {
    "query_id": (
        *("query", "queries", "search", "keyword", "term", "phrase", "question"),
        *("topic", "prompt"),
    ),
    "doc_id": (
        *("doc", "docs", "document", "item", "product", "article", "sku", "asin"),
        *("movie", "film", "book", "track", "song", "video", "passage", "chunk"),
        *("listing", "hotel", "job", "page", "result", "hit", "offer", "candidate"),
    ),
    "score": (
        *("score", "similarity", "sim", "probability", "prob", "prediction"),
        *("logit", "points", "relevance", "rel"),
    ),
    "rank": ("rank", "ranking", "position", "pos", "place"),
    "position": ("position", "rank", "pos", "place", "slot", "ordinal", "index"),
    "action": ("action", "event", "interaction", "type", "kind", "what"),
    "clicks": ("click", "clicks", "clicked"),
    "grade": (
        *("grade", "rating", "stars", "relevance", "rel", "judgment", "judgement"),
        *("label", "verdict", "quality", "gain", "score"),
    ),
    "subtopic": (
        *("subtopic", "intent", "aspect", "facet", "nugget", "interpretation"),
        "perspective",
    ),
    "text": (
        *("query", "search", "keyword", "term", "phrase", "question", "text"),
        "prompt",
    ),
    "weight": (
        *("weight", "searches", "volume", "frequency", "freq", "traffic", "visits"),
        *("popularity", "demand", "importance", "count"),
    ),
    "search_id": ("session", "visit", "search", "sid"),
    "assessed_at": (
        *("date", "time", "timestamp", "stamp", "when", "day", "at"),
        *("created", "updated", "submitted", "finished"),
    ),
    "assessor": (*("assessor", "annotator", "rater", "judge", "worker", "by", "who"),),
}
# Words of who asked, which are queries where nothing else is.
_ASKERS = ("user", "customer", "member", "visitor", "client", "session")
# Words of a list, which say what its documents are.
_LISTS: dict[str, tuple[str, ...]] = {
    "run": ("retrieved", "results", "ranking", "ranked", "predicted", "contexts"),
    "judgments": ("gold", "relevant", "expected", "truth", "reference", "positive"),
}
# Words of what ranks documents, and of what judges them, which the other does not have.
# A name has one of them as a word, or ends in score, such as searchscore.
_RANKS = (
    *("score", "scores", "points", "similarity", "rank", "ranking", "position", "pos"),
    *("predicted", "prediction", "pred"),
)
_GRADES = (
    *("grade", "grades", "rating", "ratings", "stars", "relevance", "judgment"),
    *("judgement", "label", "verdict"),
)
_ENDINGS = ("score",)
# Words of what is said about a grade, in the names of columns that hold none.
_REMARKS = {
    *("comment", "comments", "reason", "reasons", "remark", "remarks", "notes"),
    *("explanation", "justification", "rationale", "feedback", "text"),
}
# What a column or tag is called that tells one run of a system from the next.
_REPLICATES = {
    *("seed", "seeds", "randomseed", "fold", "folds", "cvfold", "repeat", "repeats"),
    *("repetition", "repetitions", "replica", "replicas", "replicate", "replicates"),
}
# A word that is long enough to be a part of another, such as searchterm.
_LONG = 5


def proposed(
    column: str, names: Iterable[str], askers_are_queries: bool = True
) -> str | None:
    """Return the name that is the most likely to be that of a column, or None.

    A name that several columns have is not proposed. askers_are_queries says whether a
    user may stand for a query.
    """
    words = _WORDS.get(column, ())
    names = [name for name, count in Counter(names).items() if count == 1]
    matches = [name for name in names if _has(name, words)]
    if column == "query_id" and not matches and askers_are_queries:
        matches = [name for name in names if _has(name, _ASKERS)]
    # An id is called so, where the same words are those of a text, too.
    ids = [name for name in matches if column.endswith("_id") and _has(name, ("id",))]
    return next(iter([*ids, *matches]), None)


def of_rankings(names: Iterable[str]) -> list[str]:
    """Return the names that say score or rank, as columns of runs do."""
    return [name for name in names if _says(name, _RANKS)]


def of_judgments(names: Iterable[str]) -> list[str]:
    """Return the names that say grade or label, as columns of judgments do.

    A comment on a grade is none.
    """
    graded = (name for name in names if _says(name, _GRADES))
    return [name for name in graded if not _REMARKS & {*words_of(name)}]


def is_of_replicates(name: str) -> bool:
    """Return whether a name says that its values tell replicates apart."""
    return not _REPLICATES.isdisjoint(words_of(name))


def _says(name: str, words: Sequence[str]) -> bool:
    """Return whether a name of a column has one of some words, or ends in one."""
    endings = tuple(word for word in words if word in _ENDINGS)
    return any(part in words or part.endswith(endings) for part in words_of(name))


def with_plain_id(
    likely: Mapping[str, str],
    missing: Collection[str],
    names: Sequence[str],
    is_list: bool,
) -> dict[str, str]:
    """Return proposals for missing columns, with the meaning of one called id.

    It is likely to be the query's where its other columns are no ids and a row is a
    query: where a list holds its documents (is_list), or nothing is a document. Else it
    is the document's, if nothing else is.
    """
    plain = next((name for name in names if name.strip("_").lower() == "id"), None)
    if plain is None or plain in likely.values():
        return {**likely}
    query, document = likely.get("query_id"), likely.get("doc_id")
    has_title = any(_has(name, ("title",)) for name in names)
    if "query_id" in missing and not has_title and (is_list or document is None):
        is_text = query is None or not _has(query, ("id",))
        return {**likely, "query_id": plain} if is_text else {**likely}
    is_document = "doc_id" in missing and document is None
    return {**likely, "doc_id": plain} if is_document else {**likely}


def proposed_list(kind: str, names: Iterable[str]) -> str | None:
    """Return the list that is the most likely to hold the documents, or None."""
    names = list(names)
    words = _LISTS.get(kind, ())
    matches = [name for name in names if _has(name, words)]
    if not matches and len(names) == 1:
        matches = names
    return next(iter(matches), None)


def words_of(name: str) -> list[str]:
    """Return the words of a name, in lower case, such as those of addToCart."""
    apart = re.sub(r"(?<=[a-zß-ö0-9])(?=[A-Z])", " ", name)
    return re.findall(r"[^\W\d_]+", apart.lower())


def _has(name: str, words: Sequence[str]) -> bool:
    """Return whether a name of a column has one of some words."""
    parts = words_of(name)
    long = [word for word in words if len(word) >= _LONG]
    return any(part in words or any(word in part for word in long) for part in parts)
