"""Which column of a file is likely to be one that no usual name shows.

A proposal is only ever shown in a message: nothing is loaded by it.
"""

import re
from collections.abc import Iterable, Sequence

# Words in the names of columns, by what such a column is likely to hold.
_WORDS: dict[str, tuple[str, ...]] = {
    "query_id": (
        *("query", "queries", "search", "keyword", "term", "phrase", "question"),
        *("topic", "prompt", "user", "customer", "member", "visitor", "session"),
    ),
    "doc_id": (
        *("doc", "docs", "document", "item", "product", "article", "sku", "asin"),
        *("movie", "film", "book", "track", "song", "video", "passage", "chunk"),
        *("listing", "hotel", "job", "page", "result", "hit", "offer", "candidate"),
    ),
    "score": (
        *("score", "similarity", "sim", "probability", "prob", "prediction"),
        *("logit", "points", "relevance"),
    ),
    "rank": ("rank", "ranking", "position", "pos", "place"),
    "grade": (
        *("grade", "rating", "stars", "relevance", "rel", "judgment", "judgement"),
        *("label", "verdict", "quality", "gain", "score"),
    ),
    "subtopic": (
        *("subtopic", "intent", "aspect", "facet", "nugget", "interpretation"),
        "perspective",
    ),
    "assessor": ("assessor", "annotator", "rater", "judge", "worker", "by"),
}
# Words of a list, which say what its documents are.
_LISTS: dict[str, tuple[str, ...]] = {
    "run": ("retrieved", "results", "ranking", "ranked", "predicted", "contexts"),
    "judgments": ("gold", "relevant", "expected", "truth", "reference", "positive"),
}
# A word that is long enough to be a part of another, such as searchterm.
_LONG = 5


def proposed(column: str, names: Iterable[str]) -> str | None:
    """Return the name that is the most likely to be that of a column, or None."""
    words = _WORDS.get(column, ())
    matches = [name for name in names if _has(name, words)]
    # An id is called so, where the same words are those of a text, too.
    ids = [name for name in matches if column.endswith("_id") and _has(name, ("id",))]
    return next(iter([*ids, *matches]), None)


def proposed_list(kind: str, names: Iterable[str]) -> str | None:
    """Return the list that is the most likely to hold the documents, or None."""
    names = list(names)
    words = _LISTS.get(kind, ())
    matches = [name for name in names if _has(name, words)]
    if not matches and len(names) == 1:
        matches = names
    return next(iter(matches), None)


def _has(name: str, words: Sequence[str]) -> bool:
    """Return whether a name of a column has one of some words."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    parts = re.findall(r"[a-z]+", apart.lower())
    long = [word for word in words if len(word) >= _LONG]
    return any(part in words or any(word in part for word in long) for part in parts)
