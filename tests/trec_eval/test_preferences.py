"""trec_eval's measures of judgments that have groups."""

import random
from collections.abc import Callable, Iterator
from itertools import combinations, permutations
from pathlib import Path

import pytest

from ndcg_sql.database import opening
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.loading.sets import Options, load
from ndcg_sql.measures.names import parse
from ndcg_sql.reading import sources
from ndcg_sql.system.messages import Silent
from ndcg_sql.trec_eval.preferences import group_means, values
from support.commands import Command

RATIOS = ("prefs_simp", "prefs_pair", "prefs_avgjg", "prefs_avgjg_Rnonrel")
PREFS = [
    *("prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_num_prefs_ful_ret"),
    *RATIOS,
    *(f"{name}_ret" for name in RATIOS),
    *("prefs_simp_imp", "prefs_pair_imp", "prefs_avgjg_imp"),
]
Found = dict[tuple[str, str], float]
Valuing = Callable[..., Found]


@pytest.fixture(scope="module")
def warehouse() -> Iterator[Database]:
    """Return a warehouse in memory, in which each test puts its own run."""
    with opening.memory() as warehouse:
        yield warehouse


@pytest.fixture
def value(tmp_path: Path, warehouse: Database) -> Valuing:
    """Return a function that values a run with judgments, both given as text."""

    def by_query_and_name(
        form: str,
        judgments: str,
        run: str,
        names: str = "AP",
        rule: str = "score",
        judged_only: bool = False,
    ) -> Found:
        (tmp_path / "judged").write_text(judgments)
        (tmp_path / "run").write_text(run)
        told = Options(position_rule=rule, replace=True)
        load(warehouse, "run", [tmp_path / "run"], told, Silent())
        run_id: int = warehouse.execute("select run_id from runs")[0][0]
        with sources.opened(tmp_path / "judged", Silent()) as source:
            if form == "qrels_jg":
                asked = parse(names)
                found = group_means(warehouse, run_id, source, asked, judged_only)
            else:
                found = values(warehouse, run_id, source, form == "prefs", PREFS)
        assert warehouse.execute("select count(*) from judgments") == [(0,)]
        assert found == sorted(found, key=lambda row: row[0])
        assert len({row[:2] for row in found}) == len(found)
        return {(query, name): result for query, name, result in found}

    return by_query_and_name


def ranked(*documents: str, query: str = "q") -> str:
    """Return a run that returns documents in this order."""
    lines = [f"{query} Q0 {d} 0 {-i} t\n" for i, d in enumerate(documents)]
    return "".join(lines)


def levels(subgroup: str, **documents: float) -> str:
    """Return lines of preferences; subgroup is "query group subgroup" or less."""
    return "".join(f"{subgroup} {d} {level}\n" for d, level in documents.items())


@pytest.mark.slow
def test_one_subgroup_orders_its_documents_by_level(value: Valuing) -> None:
    judged = levels("q g s", d1=3, d2=2, d3=0, d4=6, d5=0, d6=2)
    found = value("prefs", judged, ranked("d1", "d4", "other", "d3"))
    # Of 15 pairs 2 are level. Returned: 4>1 fails, 4>3 and 1>3 hold; one of the
    # two: 1 and 4 are above 2, 5, 6, but 3 is not below 2 and 6; neither: 2>5, 6>5.
    expected = {
        "prefs_num_prefs_poss": 13,
        "prefs_num_prefs_ful": 8,
        "prefs_num_prefs_ful_ret": 2,
        "prefs_simp": 8 / 13,
        "prefs_simp_ret": 2 / 3,
        "prefs_simp_imp": 8 / 11,
        "prefs_pair": 8 / 13,
        "prefs_pair_ret": 2 / 3,
        "prefs_pair_imp": 8 / 11,
        "prefs_avgjg": 8 / 13,
        "prefs_avgjg_ret": 2 / 3,
        "prefs_avgjg_imp": 8 / 11,
        # 4 are relevant, 2 of them returned; 2 are not, 1 of them returned.
        "prefs_avgjg_Rnonrel": (8 + 2 * 2) / (13 + 4 * 2),
        "prefs_avgjg_Rnonrel_ret": (2 + 2 * 1) / (3 + 4 * 1),
    }
    assert found == pytest.approx({("q", n): v for n, v in expected.items()})


@pytest.mark.slow
def test_four_columns_are_one_subgroup_a_group(value: Valuing) -> None:
    run = ranked("a", "b", "x")
    four = value("qrels_prefs", "q g a 0\nq g b 1.5\nq h a 1\nq h c 0\n", run)
    five = value("prefs", "q g s a 0\nq g s b 1.5\nq h t a 1\nq h t c 0\n", run)
    assert four == five
    assert four["q", "prefs_num_prefs_poss"] == 2


def test_preferences_of_a_group_go_on_from_subgroup_to_subgroup(value: Valuing) -> None:
    judged = levels("q g 1", d1=3, d2=2, d3=1) + levels("q g 2", d2=5, d4=4)
    found = value("prefs", judged, ranked("d1"))
    # 1>2, 1>3, 2>3, 2>4, and so 1>4; nothing is known of 3 and 4.
    assert found["q", "prefs_num_prefs_poss"] == 5
    assert found["q", "prefs_num_prefs_ful"] == 3


def test_a_level_pair_carries_no_preference_on(value: Valuing) -> None:
    judged = levels("q g 1", a=2, b=1) + levels("q g 2", b=1, c=1)
    assert value("prefs", judged, ranked("a"))["q", "prefs_num_prefs_poss"] == 1


def test_groups_of_a_query_vote(value: Valuing) -> None:
    judged = levels("q g s", a=2, b=1, c=1) + levels("q h s", a=1, b=2)
    found = value("prefs", judged, ranked("a", "b", "c"))
    assert found["q", "prefs_simp"] == pytest.approx(2 / 3)
    assert found["q", "prefs_pair"] == pytest.approx((1 / 2 + 1) / 2)
    assert found["q", "prefs_avgjg"] == pytest.approx((1 + 0) / 2)


@pytest.mark.slow
def test_of_equal_scores_the_lower_document_id_is_first(value: Valuing) -> None:
    judged = levels("q g s", a=2, b=1) + levels("p g s", a=2, b=1)
    run = "q Q0 a 0 1 t\nq Q0 b 0 1 t\np Q0 a 0 1 t\np Q0 b 0 1.000000001 t\n"
    found = value("prefs", judged, run)
    assert (found["q", "prefs_simp"], found["p", "prefs_simp"]) == (1, 0)
    assert value("prefs", judged, run, rule="score32")["p", "prefs_simp"] == 1


def test_an_unanswered_query_fulfils_nothing(value: Valuing) -> None:
    judged = levels("q g s", a=2, b=1)
    found = value("prefs", judged + levels("p g s", a=2), ranked("a", query="o"))
    possible = {key: v for key, v in found.items() if v != 0}
    assert possible == {("q", "prefs_num_prefs_poss"): 1}
    assert {query for query, _ in found} == {"p", "q"}


def test_comments_and_blank_lines_are_skipped(value: Valuing) -> None:
    judged = "# x\n\nq g s a 2\n \t\n# y z\nq  g\ts b  1 \n# end"
    assert value("prefs", judged, ranked("a"))["q", "prefs_simp"] == 1


Row = tuple[str, str, str, float]


def by_definition(rows: list[Row], returned: list[str]) -> dict[str, float]:
    """Value one query's preferences pair by pair: group, subgroup, document, level."""
    judged = sorted({row[2] for row in rows})
    order = [d for d in returned if d in judged]
    order += [d for d in judged if d not in returned]
    met = set(returned)
    votes: dict[tuple[str, str], int] = {}
    counts: list[list[int]] = []
    groups = sorted({row[0] for row in rows})
    for group in groups:
        own = [row[1:] for row in rows if row[0] == group]
        better = {(d, e) for s, d, x in own for t, e, y in own if s == t and x > y}
        while len({s for s, _, _ in own}) > 1:
            more = {(a, d) for a, b in better for c, d in better if b == c} - better
            if not more:
                break
            better |= more
        for pair in better:
            votes[pair] = votes.get(pair, 0) + 1
        in_order = [(a, b) for a, b in better if order.index(a) < order.index(b)]
        both = [pair for pair in better if met >= set(pair)]
        counts.append(
            [
                sum(a in met for a, _ in in_order),
                sum(pair in both for pair in in_order),
                len(better),
                len(both),
                sum(bool(met & set(pair)) for pair in better),
            ]
        )
    found: dict[str, float] = {}
    columns = [sum(column) for column in zip(*counts, strict=True)]
    found["prefs_num_prefs_ful"], found["prefs_num_prefs_ful_ret"] = columns[:2]
    found["prefs_num_prefs_poss"] = columns[2]
    for suffix, upper, lower in (("", 0, 2), ("_ret", 1, 3), ("_imp", 0, 4)):
        ratios = [c[upper] / c[lower] if c[lower] else 0 for c in counts]
        found["prefs_avgjg" + suffix] = sum(ratios) / len(groups)
        whole = columns[upper] / columns[lower] if columns[lower] else 0
        found["prefs_simp" + suffix] = whole
        shares: list[float] = []
        for a, b in combinations(order, 2):
            all_votes = votes.get((a, b), 0) + votes.get((b, a), 0)
            known = {"": True, "_ret": b in met, "_imp": a in met}[suffix]
            if all_votes and known:
                shares.append(votes.get((a, b), 0) / all_votes if a in met else 0)
        found["prefs_pair" + suffix] = sum(shares) / len(shares) if shares else 0
    return found


@pytest.mark.slow
def test_random_preferences_are_valued_pair_by_pair(value: Valuing) -> None:
    random_ = random.Random(7)
    rows: dict[str, list[Row]] = {}
    returned: dict[str, list[str]] = {}
    for i in range(60):
        documents = [f"d{d}" for d in range(random_.randint(1, 9))]
        own: list[Row] = []
        for group in range(random_.randint(1, 3)):
            # Levels of one mind, so that its subgroups do not contradict.
            mind = {d: random_.choice([0, 0, 1, 2.5, 7]) for d in documents}
            for subgroup in range(random_.randint(1, 3)):
                some = random_.sample(documents, random_.randint(1, len(documents)))
                own += [(f"g{group}", f"s{subgroup}", d, mind[d]) for d in some]
        some = [*documents, "x", "y"]
        rows[f"q{i}"] = own
        returned[f"q{i}"] = random_.sample(some, random_.randint(1, len(some)))
    judged = [f"{q} {g} {s} {d} {x}\n" for q in rows for g, s, d, x in rows[q]]
    random_.shuffle(judged)
    run = "".join(ranked(*returned[q], query=q) for q in returned)
    found = value("prefs", "".join(judged), run)
    for query, own in rows.items():
        for name, expected in by_definition(own, returned[query]).items():
            assert found[query, name] == pytest.approx(expected, abs=1e-12), query


@pytest.mark.slow
def test_a_measure_of_judgment_groups_is_the_mean_over_them(value: Valuing) -> None:
    judged = "q a d1 1\nq a d2 2\nq b d1 0\nq b d9 1\np a d1 1\nq c d1 -1\n"
    names = "AP P@2 Rprec_mult@0.5 Rprec_mult@1.495"
    found = value("qrels_jg", judged, ranked("x", "d1", "d2"), names)
    # In group a, the relevant ones stand at 2 and 3; b finds none, c has none.
    assert found["q", "AP"] == pytest.approx((1 / 2 + 2 / 3) / 2 / 3)
    assert found["q", "P@2"] == pytest.approx(1 / 2 / 3)
    assert found["q", "Rprec_mult@0.5"] == 0
    assert found["q", "Rprec_mult@1.495"] == pytest.approx(2 / 3 / 3)
    assert {v for (query, _), v in found.items() if query == "p"} == {0}


@pytest.mark.slow
def test_judgment_groups_close_up_each_for_itself(value: Valuing) -> None:
    judged = "q a d1 1\nq a d2 2\nq b d1 2\n"
    run, names = ranked("x", "d1", "d2"), "AP(rel=2)"
    found = value("qrels_jg", judged, run, names)
    assert found["q", names] == pytest.approx((1 / 3 + 1 / 2) / 2)
    found = value("qrels_jg", judged, run, names, judged_only=True)
    assert found["q", names] == pytest.approx((1 / 2 + 1) / 2)


@pytest.mark.parametrize(
    ("form", "judged", "message"),
    [
        ("prefs", "q g s a\n", ":1: 4 fields, expected 5 (query group subgroup"),
        ("prefs", "q g s a 1 2\n", ":1: 6 fields, expected 5"),
        ("qrels_prefs", "q g s a 1\n", "5 fields, expected 4 (query group document l"),
        ("qrels_jg", "q g s a 1\n", "expected 4 (query group document level)"),
        ("prefs", "# x\nq g s a x\n", ':2: query "q", document "a": "x" is not a num'),
        ("prefs", "q g s a nan\n", '"nan" is not a number'),
        ("qrels_jg", "q g a 1e999\n", "too large or too small"),
        ("qrels_jg", "q g a 1.5\n", 'grade "1.5" is not an integer, as trec_eval'),
        ("prefs", "# only this\n", "no rows"),
        # A malformed line comes before what stands twice.
        ("prefs", "q g s a 1\nq g s a 1\nq g s b\n", "2 bad lines of 3"),
    ],
)
def test_malformed_lines_are_refused(
    value: Valuing, form: str, judged: str, message: str
) -> None:
    with pytest.raises(NdcgSqlError) as caught:
        value(form, judged, ranked("a"))
    assert message in str(caught.value)
    assert caught.value.code == 2


@pytest.mark.parametrize(
    ("form", "judged", "message"),
    [
        ("prefs", "q g s a 1\nq g s a 1\n", "already in the subgroup on line 1"),
        ("qrels_prefs", "q g a 1\nq g a 2\n", "already in the group on line 1"),
        ("qrels_jg", "q g a 1\n\nq g a 1\n", ':3: query "q", group "g", document "a"'),
        ("prefs", "q g s a 2\nq g t a 0\n", '"0", but "2" on line 1'),
        (
            "prefs",
            levels("q g 1", a=2, b=1) + levels("q g 2", a=1, b=2),
            ':1: query "q", group "g", document "a": preferred to a document that',
        ),
        (
            "prefs",
            levels("p g 1", a=2, b=1)
            + "".join(
                levels(f"q g {s}", **{d: 2, e: 1})
                for s, (d, e) in enumerate(zip("abcd", "bcda", strict=True))
            ),
            ':3: query "q", group "g", document "a": preferred to a document that',
        ),
    ],
)
def test_rows_that_do_not_go_together_are_refused(
    value: Valuing, form: str, judged: str, message: str
) -> None:
    with pytest.raises(NdcgSqlError) as caught:
        value(form, judged, ranked("a"))
    assert message in str(caught.value)
    # Upstream tells judgment groups while it reads, preferences while it counts.
    assert caught.value.code == (2 if form == "qrels_jg" else 4)


def test_groups_may_contradict_each_other(value: Valuing) -> None:
    judged = "".join(
        levels(f"q {a}{b} s", **{a: 1, b: 0}) for a, b in permutations("abc", 2)
    )
    assert value("prefs", judged, ranked("a", "b", "c"))["q", "prefs_pair"] == 0.5


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "printed"),
    [
        (("-R", "prefs", "-m", "prefs_simp"), "prefs_simp            \tall\t0.5000\n"),
        (("-R", "prefs", "-m", "num_q"), "num_q                 \tall\t2\n"),
    ],
)
def test_the_drop_in_prints_them(
    ndcg: Command, options: tuple[str, ...], printed: str
) -> None:
    judged = levels("q g s", a=2, b=1) + levels("p g s", a=1, b=2)
    Path("judged").write_text(judged)
    Path("run").write_text(ranked("a", "b") + ranked("a", query="p"))
    result = ndcg("trec_eval", *options, "judged", "run")
    assert (result.code, result.out, result.err) == (0, printed, "")
