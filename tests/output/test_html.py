"""Pages: what is in them, and that nothing in them can run or load."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from ndcg_sql.database.database import Database
from ndcg_sql.reports import overview
from support.commands import Command, Once

# Each page costs a few seconds.
pytestmark = pytest.mark.slow

HOSTILE = [
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(1)>",
    "'\"><svg onload=alert(1)>",
    "{{7*7}}${7*7}",
    "=cmd|'/c calc'!A1",
    "\u202egnp.exe",
    "-->]]>",
]


def _page(file: str = "page.html") -> str:
    return Path(file).read_text(encoding="utf-8")


def _data(text: str) -> Any:
    [found] = re.findall(
        r'<script type="application/json" id="data">(.*?)</script>', text
    )
    return json.loads(found)


def _scripts(text: str) -> list[str]:
    return re.findall(r"<script>(.*?)</script>", text, re.DOTALL)


class _Tags(HTMLParser):
    """All tags and attributes that a browser would see."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


@pytest.fixture
def demo(ndcg: Command, once: Once) -> Command:
    once(lambda: ndcg("demo"))
    return ndcg


@pytest.fixture
def page(demo: Command, once: Once) -> str:
    once(lambda: demo("report", "--html", "page.html"))
    return _page()


def test_its_policy_allows_its_own_scripts_and_nothing_else(page: str) -> None:
    [policy] = re.findall(r'Content-Security-Policy" content="(.*?)"', page)
    told = policy.replace("&#39;", "'").split("; ")
    rules = dict(rule.strip().split(" ", 1) for rule in told)
    assert rules["default-src"] == "'none'"
    digests = {
        f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
        for script in _scripts(page)
    }
    assert len(digests) == 2
    assert set(rules["script-src"].split()) == digests
    assert not re.search(r"<(link|img|iframe|base|object)\b", page.split("<script")[0])
    assert not re.search(r'\b(src|href)="(?!#)', page.split("<script")[0])


def test_its_figures_are_those_of_report(demo: Command, page: str) -> None:
    rows = json.loads(demo("report", "--format", "json").out)
    exact = set(re.findall(r'data-value="([^"]+)"', page))
    assert rows
    assert {repr(row["value"]) for row in rows} <= exact
    charts = _data(page)["charts"]
    # The best run comes first.
    drawn = [row["run"] for row in charts["d0-distribution-0"]["data"]["values"]]
    assert list(dict.fromkeys(drawn)) == ["hybrid", "bm25", "keyword"]


def test_it_has_the_values_of_all_queries(demo: Command, page: str) -> None:
    rows = json.loads(demo("report", "-q", "--format", "json").out)
    board = _data(page)["boards"]["d0"]
    assert len(rows) == 20 * 3 * 4
    for row in rows:
        values = board["values"][row["measure"]][board["runs"].index(row["run"])]
        found = values[board["queries"].index(row["query_id"])]
        assert found == pytest.approx(row["value"], abs=1e-12)


def test_explained_rankings_are_those_of_explain(demo: Command, page: str) -> None:
    rows = json.loads(demo("explain", "hybrid", "q04", "--format", "json").out)
    board = _data(page)["boards"]["d0"]
    steps = board["steps"][str(board["queries"].index("q04"))]
    found = steps["runs"][board["runs"].index("hybrid")]
    shown = [(board["docs"][d], grade, gain) for d, grade, gain in found]
    expected = [
        (row["doc_id"], row["grade"], pytest.approx(row["discounted_gain"], abs=1e-12))
        for row in rows
        if row["doc_id"] is not None
    ]
    assert shown == expected
    [shared] = steps["ideal"]
    ideal = [board["docs"][d] for d, _ in shared]
    assert ideal == [row["ideal_doc_id"] for row in rows if row["ideal_doc_id"]]


def test_every_run_has_its_own_ideal_ranking(demo: Command) -> None:
    measure = "nDCG(ideal='retrieved')@5"
    assert demo("report", "-m", measure, "--html", "own.html").code == 0
    board = _data(_page("own.html"))["boards"]["d0"]
    assert board["depth"] == 5
    for run in ("keyword", "bm25", "hybrid"):
        told = demo("explain", run, "q18", "-m", measure, "--format", "json")
        ideals = board["steps"][str(board["queries"].index("q18"))]["ideal"]
        found = [board["docs"][d] for d, _ in ideals[board["runs"].index(run)]]
        right = [row["ideal_doc_id"] for row in json.loads(told.out)]
        assert found == [doc for doc in right if doc is not None]


def test_weights_are_told(ndcg: Command) -> None:
    Path("q.txt").write_text("q1 0 a 1\nq2 0 a 1\nq3 0 a 1\n")
    for name, places in (("most", (1, 1, 2)), ("heavy", (2, 2, 1))):
        lines = [
            f"q{q} Q0 {'a' if place == at else 'x'} {at} {3 - at} t"
            for q, place in enumerate(places, 1)
            for at in (1, 2)
        ]
        Path(f"{name}.run").write_text("\n".join(lines) + "\n")
    Path("q.csv").write_text("query_id,weight\nq1,1\nq2,1\nq3,98\n")
    assert ndcg("load", "judgments", "q.txt").code == 0
    assert ndcg("load", "queries", "q.csv").code == 0
    assert ndcg("load", "run", "most.run", "heavy.run").code == 0
    assert ndcg("report", "-m", "RR", "--html", "page.html").code == 0
    text = _page()
    assert "most has the highest RR: 0.8333" in text
    told = (
        "But with the weights of the queries, heavy has the highest: 0.9900, and most"
    )
    assert f"{told} has 0.5100; tests and intervals are without weights." in text
    assert "but -0.4800 with the weights of queries" in _tiles(text)[0][1]
    assert ndcg("compare", "most", "heavy", "-m", "RR", "--html", "c.html").code == 0
    told = "; but with the weights of the queries +0.4800, the other way round"
    assert told in _page("c.html")
    assert "but +0.4800 with the weights of queries" in _tiles(_page("c.html"))[0][1]


def test_the_headline_names_the_slice_that_weights_turn_round(ndcg: Command) -> None:
    # Most wins two of three queries in each country; the others weigh more in jp.
    countries = ["jp"] * 6 + ["de"] * 6
    names = [f"q{n}" for n in range(len(countries))]
    judged = "".join(f"{q} 0 good 1\n{q} 0 bad 0\n" for q in names)
    Path("q.txt").write_text(judged)
    rows = ["query_id,country,weight"]
    for n, (q, c) in enumerate(zip(names, countries, strict=True)):
        rows.append(
            f"{q},{c},{9 if c == 'jp' and n % 3 == 0 else 10 * (c == 'de') + 1}"
        )
    Path("q.csv").write_text("\n".join(rows) + "\n")
    for name, wins in (("most", (1, 2)), ("few", (0,))):
        lines = [
            f"{q} Q0 {doc} {at} {3 - at} t\n"
            for n, q in enumerate(names)
            for at, doc in enumerate(
                ("good", "bad") if n % 3 in wins else ("bad", "good"), 1
            )
        ]
        Path(f"{name}.run").write_text("".join(lines))
    assert ndcg("load", "judgments", "q.txt").code == 0
    assert ndcg("load", "queries", "q.csv").code == 0
    assert ndcg("load", "run", "most.run", "few.run").code == 0
    asked = ("compare", "few", "most", "-m", "RR", "--by", "country")
    rows = json.loads(ndcg(*asked, "--format", "json").out)
    [turned] = [row for row in rows if row["weighted_difference"] < 0]
    assert (turned["country"], turned["difference"] > 0) == ("jp", True)
    assert ndcg(*asked, "--html", "c.html").code == 0
    slices = _tiles(_page("c.html"))[1][1]
    told = f"behind in country jp, {turned['weighted_difference']:+.4f}"
    assert slices.startswith("Slices ahead in all 2 but with the weights of queries")
    assert told in slices


def test_a_gate_names_the_slice_of_queries_without_a_value(demo: Command) -> None:
    Path("made.csv").write_text("query_id,made\nq01,early\nq02,early\n")
    assert demo("load", "queries", "made.csv", "--dataset", "demo").code == 0
    asked = ("gate", "bm25", "hybrid", "-m", "RR", "--by", "made")
    assert demo(*asked, "--html", "gate.html").code == 0
    _, _, table = _page("gate.html").partition("Rules of the gate")
    slices = re.findall(
        'data-label="slice"><bdi>(.*?)<', table.partition("</table>")[0]
    )
    assert slices == ["all queries", "made early", "made (not known)"]


def test_it_says_over_how_many_differences_p_is_corrected(demo: Command) -> None:
    rows = json.loads(demo("compare", "bm25", "hybrid", "--format", "json").out)
    assert len(rows) == 4
    assert demo("compare", "bm25", "hybrid", "--html", "c.html").code == 0
    text = _page("c.html")
    how = "randomization test, corrected by holm for"
    assert f"p: {how} 4 differences; significant below 0.05" in text
    assert f"{how} 4 differences, p 0.0057" in _tiles(text)[0][1]
    parts = ("compare", "bm25", "hybrid", "-m", "nDCG@10", "--by", "device")
    assert demo(*parts, "--html", "s.html").code == 0
    text = _page("s.html")
    assert f"p: {how} 1 difference; " in text
    assert f"p, over all slices of this page: {how} 2 differences;" in text
    assert demo(*parts, "--correct", "none", "--html", "n.html").code == 0
    assert "of this page: randomization test, not corrected;" in _page("n.html")
    gate = ("gate", "bm25", "hybrid", "--by", "device", "-m", "nDCG@10")
    assert demo(*gate, "--html", "g.html").code == 0
    assert f"p adjusted: {how} 3 differences<" in _page("g.html")


def test_it_says_first_which_run_is_better(demo: Command, page: str) -> None:
    assert "hybrid has the highest nDCG@10: 0.8517" in page
    told = "It is significantly better than every other run: Tukey&#39;s randomised HSD"
    assert f"{told} of all runs at 0.05." in page
    assert demo("compare", "bm25", "hybrid", "--html", "c.html").code == 0
    told = _page("c.html")
    assert "hybrid is 0.1787 above bm25 in nDCG@10 (+26.5 %), 95 % interval" in told
    how = "randomization test, corrected by holm for 4 differences"
    assert f"; adjusted p 0.0057, significant: {how}; with the weights" in told
    assert demo("gate", "hybrid", "bm25", "--html", "g.html").code == 1
    failed = _page("g.html")
    assert '<div class="verdict fail">' in failed
    assert "Gate failed: " in failed
    assert "adjusted p 0" not in failed
    asked = "gate bm25 keyword -m nDCG@10 --by device --by category --html u.html"
    assert demo(*asked.split()).code == 0
    assert '<div class="verdict underpowered">' in _page("u.html")


def test_one_run_and_several_datasets_have_pages(ndcg: Command) -> None:
    Path("q.txt").write_text("q1 0 a 1\nq2 0 b 1\n")
    Path("r.txt").write_text("q1 Q0 a 1 2 x\nq2 Q0 c 1 2 x\n")
    for dataset in ("one", "two"):
        assert ndcg("load", "judgments", "q.txt", "--dataset", dataset).code == 0
        assert ndcg("load", "run", "r.txt", "--dataset", dataset).code == 0
    assert ndcg("report", "--html", "page.html").code == 0
    text = _page()
    assert set(_data(text)["boards"]) == {"d0", "d1"}
    assert "r: nDCG@10 0.5000" in text


def test_it_shows_what_the_table_shows(demo: Command) -> None:
    assert demo("report", "--sort", "AP", "--html", "sorted.html").code == 0
    text = _page("sorted.html")
    rows = json.loads(demo("report", "--sort", "AP", "--format", "json").out)
    runs = list(dict.fromkeys(row["run"] for row in rows))
    assert _data(text)["boards"]["d0"]["runs"] == runs
    assert f"{runs[0]} has the highest AP" in text
    worst = ("report", "-q", "--worst", "3")
    assert demo(*worst, "--html", "worst.html").code == 0
    rows = json.loads(demo(*worst, "--format", "json").out)
    listed = sorted({row["query_id"] for row in rows})
    assert _data(_page("worst.html"))["boards"]["d0"]["queries"] == listed
    assert f"<p>{len(listed)} of 20 queries are listed: for each run, the 3 with" in (
        _page("worst.html")
    )
    compared = ("compare", "keyword", "bm25", "hybrid", "--sort", "difference")
    for limit, candidates in (("2", ["hybrid", "bm25"]), ("1", ["hybrid"])):
        asked = (*compared, "--limit", limit, "--html", f"{limit}.html")
        assert demo(*asked).code == 0
        assert f"<title>{', '.join(candidates)} against" in _page(f"{limit}.html")


def test_each_question_is_asked_once(
    demo: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    statements: list[str] = []
    executed = vars(Database)["_executed"]

    def counted(database: Database, sql: str, parameters: Any) -> Any:
        statements.append(sql)
        return executed(database, sql, parameters)

    monkeypatch.setattr(Database, "_executed", counted)
    assert demo("report", "--html", "page.html").code == 0
    assert len(statements) <= 150


def test_hostile_texts_stay_text(ndcg: Command) -> None:
    judged = [
        {"query_id": q, "doc_id": d, "grade": 1} for q in HOSTILE for d in HOSTILE
    ]
    ranked = [
        {"query_id": q, "doc_id": d, "score": 1.0 + s, "run": run}
        for run in HOSTILE[:2]
        for q in HOSTILE
        for s, d in enumerate(HOSTILE)
    ]
    told = [
        {"query_id": q, "text": q, "kind": HOSTILE[i % 2]}
        for i, q in enumerate(HOSTILE)
    ]
    for name, rows in (("j", judged), ("r", ranked), ("q", told)):
        Path(f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert ndcg("load", "judgments", "j.jsonl").code == 0
    assert ndcg("load", "run", "r.jsonl").code == 0
    assert ndcg("load", "queries", "q.jsonl").code == 0
    assert ndcg("report", "--html", "page.html").code == 0
    text = _page()
    parser = _Tags()
    parser.feed(text)
    assert parser.tags.isdisjoint({"img", "svg", "iframe", "object", "link", "base"})
    assert not any(name.startswith("on") for name in parser.attributes)
    assert len(re.findall(r"<script", text)) == 3
    assert "\u202e" not in text
    assert set(_data(text)["boards"]["d0"]["queries"]) >= {HOSTILE[0], HOSTILE[4]}


@pytest.mark.parametrize("command", [("report",), ("compare", "bm25", "hybrid")])
def test_what_cannot_be_written_is_refused_first(
    demo: Command, command: tuple[str, ...]
) -> None:
    Path("mine.html").write_text("<p>mine</p>")
    Path("folder").mkdir()
    for name, reason in (
        (
            "mine.html",
            "exists and is not a page of ndcg-sql; name another file, or replace it"
            " with --force",
        ),
        ("folder", "a directory"),
        ("none/page.html", "the directory does not exist"),
    ):
        found = demo(*command, "--html", name)
        assert found.refusal == f"--html {name}: {reason}\n"
    assert Path("mine.html").read_text() == "<p>mine</p>"
    assert demo(*command, "--html", "mine.html", "--force").code == 0
    assert demo(*command, "--html", "mine.html").code == 0


@pytest.mark.parametrize("option", ["--html", "--junit"])
def test_a_page_or_junit_file_is_not_the_output(demo: Command, option: str) -> None:
    where = ("--format", "csv", "-o", "both.html", option, "both.html")
    found = demo("gate", "bm25", "hybrid", *where)
    told = f"-o both.html: also the file of {option}; name another\n"
    assert found.refusal == told
    both = ("--html", "both.html", "--junit", "both.html")
    found = demo("gate", "bm25", "hybrid", *both)
    told = "--junit both.html: also the file of --html; name another\n"
    assert found.refusal == told
    assert not Path("both.html").exists()


def test_without_vl_convert_it_says_what_to_install(
    demo: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(_name: str) -> None:
        return None

    monkeypatch.setattr("ndcg_sql.output.figures.drawing.find_spec", missing)
    found = demo("report", "--html", "page.html")
    assert "pip install 'ndcg-sql[figures]'" in found.refusal
    assert not Path("page.html").exists()


def _tiles(text: str) -> list[tuple[str, str]]:
    """Return where each tile leads, and its text."""
    found = re.findall(
        r'<a class="tile[^"]*" href="([^"]*)"[^>]*>(.*?)</a>', text, re.DOTALL
    )
    return [
        (href, " ".join(re.sub("<[^>]*>", " ", one).split())) for href, one in found
    ]


def test_the_headline_is_that_of_compare(demo: Command, page: str) -> None:
    rows = json.loads(demo("compare", "hybrid", "bm25", "--format", "json").out)
    row = next(row for row in rows if row["measure"] == "nDCG@10")
    margin, slices, queries, judged = (told for _, told in _tiles(page))
    assert margin.startswith("Better run hybrid nDCG@10 0.8517")
    assert f"{-row['difference']:+.4f} to bm25" in margin
    assert f"{-row['ci_high']:+.4f} to {-row['ci_low']:+.4f}" in margin
    told = "Slices with fewer than 5 queries are not counted."
    assert slices == f"Slices ahead in all 7 {told}"
    counts = (
        f"{row['losses']} of {row['n']} won, {row['ties']} tied, {row['wins']} lost"
    )
    assert queries.startswith(f"Queries {counts}")
    values = json.loads(demo("compare", "hybrid", "bm25", "-q", "--format", "json").out)
    worst = max(
        (row for row in values if row["measure"] == "nDCG@10"),
        key=lambda row: row["difference"],
    )
    assert f"worst: {worst['query_id']}, {-worst['difference']:+.4f}" in queries
    assert _tiles(page)[2][0] == "#d0-queries"
    assert f'href="#d0-queries" data-query="{worst["query_id"]}">' in page
    assert judged.startswith("Judged 84%")


def _turning(here: Path) -> None:
    """Write two runs, one of which is better but for six queries of Japan."""
    countries = ["jp"] * 6 + ["de"] * 14
    names = [f"q{n}" for n in range(len(countries))]
    judged = "".join(f"{q} 0 good 1\n{q} 0 bad 0\n" for q in names)
    (here / "q.txt").write_text(judged)
    told = [f"{q},{c}" for q, c in zip(names, countries, strict=True)]
    (here / "q.csv").write_text("\n".join(["query_id,country", *told]) + "\n")
    for name, strong in (("most", "de"), ("jp-only", "jp")):
        lines = [
            f"{q} Q0 {doc} {at} {3 - at} t\n"
            for q, c in zip(names, countries, strict=True)
            for at, doc in enumerate(
                ("good", "bad") if c == strong else ("bad", "good"), 1
            )
        ]
        (here / f"{name}.run").write_text("".join(lines))


def test_the_headline_calls_no_run_better_where_higher_is_not(ndcg: Command) -> None:
    names = [f"q{n}" for n in range(12)]
    Path("q.txt").write_text("".join(f"{q} 0 a 1\n{q} 0 b 0\n" for q in names))
    for run, second in (("judged", "b"), ("odd", "unjudged")):
        rows = [
            f"{q} Q0 {doc} {at} {3 - at} t\n"
            for q in names
            for at, doc in enumerate(("a", "b" if q == "q0" else second), 1)
        ]
        Path(run).write_text("".join(rows))
    assert ndcg("load", "judgments", "q.txt").code == 0
    assert ndcg("load", "run", "judged", "odd").code == 0
    assert ndcg("report", "-m", "Judged@2", "--html", "page.html").code == 0
    margin = _tiles(_page())[0][1]
    assert margin.startswith("Higher value judged Judged@2 1.0000, +0.4583 to odd")
    assert " significant: " in margin
    assert "not significant" not in margin


def test_the_headline_names_the_slice_that_turns_round(
    ndcg: Command, here: Path
) -> None:
    _turning(here)
    assert ndcg("load", "judgments", "q.txt").code == 0
    assert ndcg("load", "queries", "q.csv").code == 0
    assert ndcg("load", "run", "most.run", "jp-only.run").code == 0
    assert ndcg("report", "-m", "RR", "--html", "page.html").code == 0
    margin, slices, queries, _ = (told for _, told in _tiles(_page()))
    # It is not significant, so neither run is called better or worse.
    assert margin.startswith("Higher value most RR 0.8500, +0.2000 to jp-only")
    assert "not significant: " in margin
    told = "But it loses in country jp -0.5000 in 6 queries, adjusted p 0.0313 of 2"
    assert slices.startswith(told)
    assert queries.startswith("Queries 14 of 20 won, 0 tied, 6 lost worst: q0, -0.5000")
    # Where the better run is the candidate, its view is the same.
    asked = ("compare", "jp-only", "most", "-m", "RR", "--html", "c.html")
    assert ndcg(*asked).code == 0
    assert [told for _, told in _tiles(_page("c.html"))][1:3] == [slices, queries]
    # A worse candidate is told of, not the baseline.
    asked = ("compare", "most", "jp-only", "-m", "RR", "--html", "c.html")
    assert ndcg(*asked).code == 0
    margin, slices, queries, judged = (told for _, told in _tiles(_page("c.html")))
    assert margin.startswith("Lower value jp-only RR 0.6500, -0.2000 to most")
    assert slices.startswith("But it wins in country jp +0.5000 in 6 queries")
    assert queries == "Queries 14 of 20 lost, 0 tied, 6 won worst: q10, -0.5000"
    assert judged == "Judged 100% of the first 10 documents"


def test_the_first_lines_have_the_test_of_the_letters(ndcg: Command) -> None:
    # best loses to no run in any query, but Tukey's test measures against noise.
    places = {"best": [1] * 30, "second": [2] * 8 + [1] * 22, "noise": [1, 40] * 15}
    Path("q.txt").write_text("".join(f"q{q} 0 a 1\n" for q in range(30)))
    for name, place in places.items():
        lines = (f"q{q} Q0 a {place[q]} {-place[q]} t\n" for q in range(30))
        fill = (
            f"q{q} Q0 x{n} {n} {-n - 0.5} t\n" for q in range(30) for n in range(40)
        )
        Path(f"{name}.run").write_text("".join([*lines, *fill]))
    assert ndcg("load", "judgments", "q.txt").code == 0
    assert ndcg("load", "run", *(f"{name}.run" for name in places)).code == 0
    rows = json.loads(ndcg("leaderboard", "-m", "RR", "--format", "json").out)
    assert [row["groups"] for row in rows] == ["a", "a", "b"]
    compared = ndcg(
        "compare", "best", "second", "noise", "-m", "RR", "--format", "json"
    )
    assert all(row["p_adjusted"] < 0.05 for row in json.loads(compared.out))
    assert ndcg("report", "-m", "RR", "--html", "page.html").code == 0
    text = _page().replace("&#39;", "'")
    test = "Tukey's randomised HSD"
    told = f"It is not significantly better than second: {test} of all runs at 0.05."
    assert told in text
    assert f"not significant: {test} at 0.05" in _tiles(text)[0][1]
    assert re.findall(r'class="letters">(\w+)<', text) == ["a", "a", "b"]
    # Where a baseline is named, it is tested against its candidates: no letters.
    asked = "compare second best noise -m RR --html c.html"
    assert ndcg(*asked.split()).code == 0
    compared_page = _page("c.html")
    told = ": randomization test, corrected by holm for 2 differences."
    assert told in compared_page
    assert "share a letter" not in compared_page
    assert 'class="letters"' not in compared_page


def test_a_title_names_what_is_shown(demo: Command, page: str) -> None:
    select = "select strftime(loaded_at, '%Y-%m-%d') as day from judgment_sets"
    [_, day] = demo("query", select, "--format", "csv").out.split()
    assert f"<title>demo: 3 runs, 20 queries, judgments loaded {day}</title>" in page
    assert "judgments judgments" not in page
    assert demo("compare", "bm25", "hybrid", "--html", "c.html").code == 0
    title = (
        f"<title>hybrid against bm25: demo, 20 queries, judgments loaded {day}</title>"
    )
    assert title in _page("c.html")


def _many_runs(ndcg: Command, here: Path, count: int) -> list[str]:
    """Load judgments, and runs from best to worst; return the names of the runs."""
    (here / "q.txt").write_text("q1 0 d1 1\nq2 0 d1 1\n")
    for run in range(1, count + 1):
        rows = [f"q1 Q0 d{n} {n} {-abs(n - run) - n / 99} t\n" for n in range(1, 13)]
        (here / f"run{run}.txt").write_text("".join(rows))
    names = [f"run{run}" for run in range(1, count + 1)]
    assert ndcg("load", "judgments", "q.txt").code == 0
    assert ndcg("load", "run", *(f"{name}.txt" for name in names)).code == 0
    return names


def test_the_best_eight_runs_have_colours_and_the_others_are_grey(
    ndcg: Command, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _many_runs(ndcg, here, 10)
    assert ndcg("report", "-m", "nDCG@20", "--html", "page.html").code == 0
    text = _page()
    board = _data(text)["boards"]["d0"]
    assert len(board["runs"]) == 10
    best = board["runs"][:8]
    drawn = _data(text)["charts"]["d0-curves-0"]
    assert {row["run"] for row in drawn["data"]["values"]} == set(board["runs"])
    bars = _data(text)["charts"]["d0-distribution-0"]
    assert {row["run"] for row in bars["data"]["values"]} == set(best)
    lines, dots, ends = drawn["layer"][0]["layer"][1]["layer"]
    channels = [lines["encoding"][name] for name in ("stroke", "strokeDash")]
    channels += [dots["encoding"][name] for name in ("color", "shape")]
    channels.append(ends["layer"][1]["encoding"]["fill"])
    for channel in channels:
        assert channel["scale"]["domain"] == best
        # The names at the ends of lines say what a legend would.
        assert channel["legend"] is None
    # Where each point of a line takes long to compute, the others have no lines.
    monkeypatch.setattr(overview, "_MOST_CURVED", 19)
    assert ndcg("report", "-m", "nDCG@20", "--html", "few.html").code == 0
    few = _data(_page("few.html"))["charts"]["d0-curves-0"]
    assert {row["run"] for row in few["data"]["values"]} == set(best)
    # A colour for each of them, in the order of the leaderboard; the others are grey.
    [table] = re.findall(r'aria-label="Leaderboard,.*?</table>', text, re.DOTALL)
    swatches = re.findall(r'<bdi class="(run[^"]*)">(run\d+)</bdi>', table)
    assert swatches == [
        (f"run run-{n}" if n < 8 else "run", run) for n, run in enumerate(board["runs"])
    ]


def test_bars_of_many_queries_leave_their_text_as_large_as_it_is(ndcg: Command) -> None:
    for name, better in {"a": 1, "b": -1}.items():
        rows = [
            f"q{n} Q0 {document} 1 {score * better} t\n"
            for n in range(40)
            for document, score in {"d1": 1, "d2": n - 20.5}.items()
        ]
        Path(name).write_text("".join(rows))
    Path("q.txt").write_text("".join(f"q{n} 0 d1 1\n" for n in range(40)))
    assert ndcg("load", "judgments", "q.txt").code == 0
    assert ndcg("load", "run", "a", "b").code == 0
    assert ndcg("compare", "a", "b", "--html", "page.html").code == 0
    charts = _data(_page())["charts"]
    assert charts["d0-comparison-0"]["spec"]["width"] == 300
