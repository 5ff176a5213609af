"""Measures without known documents: other formulas, other programs, and by hand."""

from pathlib import Path

import pytest

from ndcg_sql.measures.families import families
from ndcg_sql.measures.names import parse
from support.evaluations import Evaluation, assert_close
from support.exploring import amount
from support.files import Judged
from support.known import OMITTING, Known, known_of, value
from support.libraries import library
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


def omitting(name: str) -> str:
    """Return the measure without known documents."""
    family, at, cutoff = name.partition("@")
    return f"{family}(known='omit'){at}{cutoff}"


def left(queries: Judged, known: Known) -> dict[str, dict[str, float]]:
    """Return what is left of judgments or of a run."""
    return {
        query: {d: number for d, number in ds.items() if d not in known.get(query, [])}
        for query, ds in queries.items()
    }


def test_trec_eval_has_the_values_of_what_is_left(tmp_path: Path) -> None:
    names = {
        **{"nDCG": "ndcg", "AP": "map", "RR": "recip_rank", "Rprec": "Rprec"},
        **{"Bpref": "bpref", "infAP": "infAP", "P@5": "P_5", "R@10": "recall_10"},
        **{"nDCG@5": "ndcg_cut_5", "binG": "binG", "G": "G", "SetF": "set_F"},
    }
    pytrec_eval = library("pytrec_eval")
    queries = world(23, amount(36, 240), WHOLE)
    known = known_of(queries, 37)
    judged = {
        query: {document: int(grade) for document, grade in grades.items()}
        for query, grades in left(queries.judged, known).items()
        # A query with only negative grades makes it crash.
        if max(grades.values(), default=-1) >= 0
    }
    evaluator = pytrec_eval.RelevanceEvaluator(judged, {*names.values()})
    values = evaluator.evaluate(left(queries.ranked, known))
    asked = [*map(omitting, names)]
    found = Evaluation(tmp_path, queries.judged, queries.ranked, asked, known=known)
    expected = {
        omitting(name): {query: values[query].get(theirs, 0) for query in values}
        for name, theirs in names.items()
    }
    assert_close(found, expected, least=200)


def test_ndeval_has_the_values_of_what_is_left(tmp_path: Path) -> None:
    made = diverse(41)
    returned = World({query: {} for query, *_ in made.judged}, made.ranked)
    known = known_of(returned, 43)
    for query, _, document, _ in made.judged[::5]:
        known.setdefault(query, []).append(document)
    known = {query: [*dict.fromkeys(documents)] for query, documents in known.items()}
    judged = [row for row in made.judged if row[2] not in known.get(row[0], [])]
    values = ndeval(Diversity(judged, left(made.ranked, known)))
    names = [*map(omitting, NDEVAL)]
    found = Evaluation(tmp_path, made.lines, made.ranked, names, known=known)
    for name in NDEVAL:
        wanted = dict.fromkeys(returned.judged, 0.0) | values[name]
        ours = found.queries[parse(omitting(name))[0].name]
        assert ours == pytest.approx(wanted, abs=1e-9), name


test_script = scripted(__file__)
