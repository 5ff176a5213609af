"""Measures without known documents: other formulas, other programs, and by hand."""

import re
from pathlib import Path

import pytest

from ndcg_sql.measures.families import families
from ndcg_sql.measures.names import parse
from support.evaluations import Evaluation, assert_close
from support.exploring import amount
from support.known import OMITTING, known_of, value
from support.scripts import scripted
from support.subtopics import NDEVAL, OF_JUDGMENTS, Diversity, ndeval
from support.subtopics import world as diverse
from support.worlds import FRACTIONS, WHOLE, World, merged, world


@pytest.fixture(scope="module")
def queries() -> World:
    """Return random queries with each kind of grades."""
    size = amount(16, 240)
    return merged(whole=world(23, size, WHOLE), fractions=world(29, size, FRACTIONS))


def test_every_family_takes_known_documents_out() -> None:
    assert all(family.defaults["known"] == "keep" for family in families().values())
    tried = {variant.family for variant in OMITTING.values()}
    assert tried == set(OF_JUDGMENTS)


@pytest.mark.slow
def test_the_formulas_have_the_values_of_what_is_left(
    queries: World, tmp_path: Path
) -> None:
    known = known_of(queries, 31)
    names = [*OMITTING]
    found = Evaluation(tmp_path, queries.judged, queries.ranked, names, known=known)
    expected = {
        name: {
            query: value(variant, grades, queries.rankings[query], known.get(query, []))
            for query, grades in queries.judged.items()
        }
        for name, variant in OMITTING.items()
    }
    assert_close(found, expected)


def test_ndeval_has_the_values_of_what_is_left(tmp_path: Path) -> None:
    made = diverse(41)
    returned = World({query: {} for query, *_ in made.judged}, made.ranked)
    known = known_of(returned, 43)
    for query, _, document, _ in made.judged[::5]:
        known.setdefault(query, []).append(document)
    known = {query: [*dict.fromkeys(documents)] for query, documents in known.items()}
    judged = [row for row in made.judged if row[2] not in known.get(row[0], [])]
    left = {
        query: {d: score for d, score in ds.items() if d not in known.get(query, [])}
        for query, ds in made.ranked.items()
    }
    values = ndeval(Diversity(judged, left))
    omitting = {
        name: re.sub("(@|$)", r"(known='omit')\1", name, count=1) for name in NDEVAL
    }
    names = [*omitting.values()]
    found = Evaluation(tmp_path, made.lines, made.ranked, names, known=known)
    for name in NDEVAL:
        wanted = dict.fromkeys(returned.judged, 0.0) | values[name]
        ours = found.queries[parse(omitting[name])[0].name]
        assert ours == pytest.approx(wanted, abs=1e-9), name


test_script = scripted(__file__)
