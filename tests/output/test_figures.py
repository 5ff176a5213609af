"""Figures: their rows are those of the tables, and what is drawn is all of them.

NDCG_SQL_WRITE_FIGURES=1 writes the structures of the drawings anew.
"""

import csv
import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args
from xml.etree import ElementTree

import pytest

import ndcg_sql
from ndcg_sql import Warehouse, options
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.output.figures import drawing
from ndcg_sql.output.figures.drawing import COLOURED, NATURAL, Size
from ndcg_sql.output.figures.figure import figure

# FIGURES#
from ndcg_sql.questions.outputs import points
from support.commands import Command, Once
from support.drawings import contrast, heights, luminance, placed, structure, texts
from support.scripts import scripted

# Drawing loads a JavaScript engine, and takes seconds.
pytestmark = pytest.mark.slow

DEMO = Path(ndcg_sql.__file__).parent / "demo"
ROOT = Path(__file__).parents[2]
STRUCTURES = ROOT / "tests" / "data" / "figures"
RUNS = ("keyword", "bm25", "hybrid")
# The figures, as users ask for them, and a command that shows the same values.
FIGURES = {
    "leaderboard": "leaderboard -m nDCG@10",
    "cutoffs": "report -m nDCG@1,nDCG@2,nDCG@3,nDCG@5,nDCG@10,nDCG@13",
    "precision-recall": "report -m " + ",".join(f"IPrec@{n / 10:g}" for n in range(11)),
    "values": "report -m nDCG@10",
    "differences bm25 hybrid": "compare bm25 hybrid -m nDCG@10 -q",
    "scatter bm25 hybrid": "compare bm25 hybrid -m nDCG@10 -q",
    "slices bm25 hybrid --by category": "compare bm25 hybrid -m nDCG@10 --by category",
    "history --tag stage": "history -m nDCG@10 --tag stage",
}


def fill() -> None:
    """Load the data of the demo with times and tags."""
    with Warehouse("ndcg.duckdb") as warehouse:
        labels = {"Exact": 2.0, "Partial": 1.0, "Irrelevant": 0.0}
        warehouse.load_judgments(DEMO / "judgments.csv", labels=labels)
        warehouse.load_queries(DEMO / "queries.csv")
        for day, name in enumerate(RUNS, start=1):
            about: Any = {"run_at": f"2026-03-0{day}", "tags": {"stage": "ab"[day % 2]}}
            warehouse.load_run(DEMO / f"{name}.run", **about)


test_script = scripted(__file__, fill)


@pytest.fixture
def demo(ndcg: Command, empty: Path, once: Once) -> Command:  # noqa: ARG001
    """Put the data of the demo into the warehouse."""
    once(fill)
    return ndcg


def _plot(ndcg: Command, asked: str, name: str = "f.svg") -> list[dict[str, str]]:
    """Draw a figure and return its rows."""
    result = ndcg("plot", *asked.split(), "-o", name, "--data", "--force")
    assert (result.code, result.out) == (0, ""), result.err
    with Path(name).with_suffix(".csv").open(newline="") as rows:
        return list(csv.DictReader(rows))


@pytest.mark.parametrize("asked", FIGURES)
def test_a_figure_draws_what_the_table_says(demo: Command, asked: str) -> None:
    name = asked.split()[0]
    rows = _plot(demo, asked)
    shown = demo(*FIGURES[asked].split(), "--format", "csv").out
    same = list(csv.DictReader(shown.splitlines()))
    if name in ("leaderboard", "slices", "history"):
        drawn = [{k: v for k, v in row.items() if k != "slice"} for row in rows]
        assert drawn == same
    elif name in ("cutoffs", "precision-recall"):
        keys = ("run", "measure", "value", "n")
        assert [[row[k] for k in keys] for row in rows] == [
            [row[k] for k in keys] for row in same
        ]
    elif name in ("differences", "scatter"):
        known = {row["query_id"]: row for row in same if row["difference"]}
        assert len(rows) == len(known)
        for row in rows:
            for key in ("baseline_value", "candidate_value", "difference"):
                assert row[key] == known[row["query_id"]][key]
    else:
        assert {(row["run"], row["value"]) for row in rows} == {
            (row["run"], row["value"]) for row in same
        }
        for run in RUNS:
            own = [row for row in rows if row["run"] == run]
            assert sum(int(row["queries"]) for row in own) == int(own[0]["n"])
            assert sum(float(row["share"]) for row in own) == pytest.approx(1)
    found = structure(Path("f.svg").read_text("utf-8"))
    path = STRUCTURES / f"{name}.json"
    if os.environ.get("NDCG_SQL_WRITE_FIGURES"):
        path.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", "utf-8")
    assert found == json.loads(path.read_text("utf-8"))


DRAWN = {
    "leaderboard.svg": "leaderboard --dataset demo",
    "cutoffs.svg": "cutoffs --dataset demo",
    "slices.svg": "slices bm25 hybrid --by device",
}


@pytest.mark.parametrize("name", DRAWN)
def test_the_figures_of_the_documentation_are_up_to_date(
    ndcg: Command, once: Once, name: str
) -> None:
    once(lambda: ndcg("demo"))
    assert ndcg("plot", *DRAWN[name].split(), "-o", name).code == 0
    path = ROOT / "docs" / "images" / name
    if os.environ.get("NDCG_SQL_WRITE_FIGURES"):
        shutil.copyfile(name, path)
    drawn, kept = Path(name).read_text("utf-8"), path.read_text("utf-8")
    assert structure(drawn) == structure(kept)


def test_every_figure_is_tried() -> None:
    assert {asked.split()[0] for asked in FIGURES} == {*get_args(options.Figure)}


@pytest.mark.parametrize("name", ["leaderbord", "../theme"])
def test_a_figure_that_there_is_not_is_refused(name: str) -> None:
    with pytest.raises(NdcgSqlError, match=r'^no figure ".*leaderboard'):
        figure(name, [_row("one")])


def test_many_queries_are_binned_by_sql(ndcg: Command) -> None:
    # Values 1 and 1/2; the candidate wins q0 to q99, loses 50, and ties the rest.
    for name in ("a", "b"):
        won = range(100) if name == "b" else range(100, 150)
        lines = [
            f"q{q} Q0 {'x' if q in won else 'y'} 1 2 t\n"
            f"q{q} Q0 {'y' if q in won else 'x'} 2 1 t\n"
            for q in range(10_050)
        ]
        Path(f"{name}.run").write_text("".join(lines))
    Path("qrels").write_text("".join(f"q{q} 0 x 1\n" for q in range(10_050)))
    assert ndcg("load", "judgments", "qrels").code == 0
    assert ndcg("load", "run", "a.run", "b.run").code == 0
    rows = _plot(ndcg, "differences a b -m RR")
    assert [
        (row["outcome"], row["bin_low"], row["bin_high"], row["queries"])
        for row in rows
    ] == [
        ("loss", "-0.5", "-0.45", "50"),
        ("tie", "0.0", "0.0", "9900"),
        ("win", "0.45", "0.5", "100"),
    ]
    assert "binned, 0.05 wide; ties at 0" in texts(Path("f.svg").read_text("utf-8"))
    rows = _plot(ndcg, "scatter a b -m RR")
    assert [
        (row["baseline_low"], row["candidate_low"], row["queries"]) for row in rows
    ] == [("0.5", "0.5", "9900"), ("0.5", "0.975", "100"), ("0.975", "0.5", "50")]
    shown = texts(Path("f.svg").read_text("utf-8"))
    assert "dataset default, judgment set qrels, 10,050 queries" in shown
    rows = _plot(ndcg, "values -m RR")
    assert [(row["run"], row["bin_low"], row["queries"]) for row in rows] == [
        ("a", "0.5", "10000"),
        ("a", "0.95", "50"),
        ("b", "0.5", "9950"),
        ("b", "0.95", "100"),
    ]


@pytest.mark.parametrize(
    ("value", "low"), [(0.0, 0.0), (0.15, 0.15), (0.3, 0.3), (1.0, 0.95)]
)
def test_a_value_on_an_edge_is_in_the_upper_bin(
    ndcg: Command, value: float, low: float
) -> None:
    # P@20 is the number of relevant documents divided by 20.
    count = round(value * 20)
    ranked = "".join(f"q Q0 d{d} 1 {-d} t\n" for d in range(20))
    Path("r").write_text(ranked)
    Path("qrels").write_text("".join(f"q 0 d{d} {int(d < count)}\n" for d in range(20)))
    ndcg("load", "judgments", "qrels")
    ndcg("load", "run", "r")
    [row] = _plot(ndcg, "values -m P@20")
    assert float(row["bin_low"]) == low


HOSTILE = (
    "<script>alert(1)</script>",
    "</text><svg onload=alert(1)>",
    "=cmd()|'/c calc'!A1",
    "'\"&;--",
    "$measure",
    "datum.value",
    "${x} {y}",
    "مرحبا",
)


def test_hostile_names_stay_text(ndcg: Command) -> None:
    ids = [*HOSTILE, "turned\u202eid", "\x1b[31mred"]
    rows = [{"query_id": q, "doc_id": "d", "grade": 1} for q in ids]
    Path("j.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert ndcg("load", "judgments", "j.jsonl").code == 0
    for name, score in (("a", 1), ("b", 2)):
        ranked = [{"query_id": q, "doc_id": "d", "score": score} for q in ids]
        Path(f"{name}.jsonl").write_text("".join(json.dumps(r) + "\n" for r in ranked))
        assert ndcg("load", "run", f"{name}.jsonl").code == 0
    for n, name in enumerate(HOSTILE):
        at = ("--run-at", f"2026-01-{n + 1:02}", "--tag", f"t={name}")
        # Single braces would name a column.
        own = name.replace("{", "{{").replace("}", "}}")
        assert ndcg("load", "run", "a.jsonl", "--name", own, *at).code == 0
    named: set[str] = set()
    # More than eight runs are not named.
    for half in (HOSTILE[::2], HOSTILE[1::2]):
        drawn = ndcg("plot", "cutoffs", "-o", "f.svg", "--force", "--", *half)
        assert drawn.code == 0, drawn.err
        svg = Path("f.svg").read_text("utf-8")
        assert "<script" not in svg
        named |= set(texts(svg))
    assert set(HOSTILE) <= named
    for asked in ("leaderboard", "values", "history --tag t"):
        _plot(ndcg, asked)
        svg = Path("f.svg").read_text("utf-8")
        assert "<script" not in svg
        assert "onload" not in re.sub(r">[^<]*<|\"[^\"]*\"", "", svg)
        assert set(HOSTILE) <= set(texts(svg)), asked
    for asked in ("differences a b", "scatter a b"):
        drawn = _plot(ndcg, asked)
        # The data have the ids as they are.
        assert {row["query_id"] for row in drawn} == set(ids)
        svg = Path("f.svg").read_text("utf-8")
        assert not set(svg) & {"\x1b", "\u202e"}
        assert "<script" not in svg
    _plot(ndcg, "differences a b")
    assert {"turned\\u202eid", "\\x1b[31mred"} <= set(
        texts(Path("f.svg").read_text("utf-8"))
    )


def test_long_names_stay_distinct() -> None:
    names = [f"{'x' * 40}{n}{'y' * 120}" for n in range(3)]
    rows = [_row(name) for name in (*names, "short")]
    shown = texts(figure("leaderboard", rows).svg())
    labels = [text for text in shown if text.startswith("xxx") or text == "short"]
    assert len(set(labels)) == 4
    assert any("…" in label for label in labels)


def test_ids_of_queries_stay_distinct() -> None:
    rows = [
        {
            **{"candidate": "c", "baseline": "b", "dataset": "d", "place": n},
            **{"judgment_set": "j", "measure": "RR", "query_id": name},
            **{"outcome": "win", "difference": 0.5},
        }
        for n, name in enumerate(f"session-0{n}-of-2024-click" for n in range(5))
    ]
    shown = texts(figure("query-differences", rows).svg())
    assert len({text for text in shown if text.startswith("session")}) == 5


def test_names_of_javascript_are_drawn(ndcg: Command) -> None:
    names = ["constructor", "toString", "hasOwnProperty", "__proto__", "valueOf"]
    judged = [f"{q} 0 {q} {1 + i % 2}\n{q} 0 d 0\n" for i, q in enumerate(names)]
    Path("j.txt").write_text("".join(judged))
    Path("q.csv").write_text("query_id,kind\n" + "".join(f"{q},{q}\n" for q in names))
    for run, first in (("constructor", "d"), ("__proto__", None)):
        rows = [f"{q} Q0 {first or q} 1 2 t\n{q} Q0 x 2 1 t\n" for q in names]
        Path(f"{run}.run").write_text("".join(rows))
        assert ndcg("load", "run", f"{run}.run").code == 0
    assert ndcg("load", "judgments", "j.txt").code == 0
    assert ndcg("load", "queries", "q.csv").code == 0
    two = "constructor __proto__"
    for asked in (
        *("leaderboard", "cutoffs", "precision-recall", "values"),
        *(f"differences {two}", f"scatter {two}", f"slices {two} --by kind"),
    ):
        told = ndcg("plot", *asked.split(), "-m", "RR@5", "-o", "f.svg")
        assert (told.code, told.err) == (0, "wrote f.svg\n"), asked
        assert sum(structure(Path("f.svg").read_text())["marks"].values()) > 2, asked


def _row(name: str) -> dict[str, Any]:
    """Return a row of a leaderboard."""
    about = {"dataset": "d", "judgment_set": "j", "measure": "nDCG@10", "n": 2}
    interval = {"value": 0.5, "ci_low": 0.4, "ci_high": 0.6, "groups": "a"}
    return {"run": name, **about, **interval}


@pytest.mark.parametrize(("count", "others"), [(1, 0), (8, 0), (9, 1), (30, 22)])
def test_the_best_eight_curves_have_colours(count: int, others: int) -> None:
    rows = [
        {**_row(f"run {n}"), "cutoff": k, "value": (n % 10 + n / 100) / k}
        for n in range(count)
        for k in (1, 10, 100)
    ]
    made = figure("cutoffs", rows)
    found = structure(made.svg())
    best = sorted(range(count), key=lambda n: n % 10 + n / 100)[-8:]
    assert found["marks"]["line"] == count
    assert found["marks"]["symbol"] == 3 * min(count, 8)
    named = [text for text in found["texts"] if text.startswith("run ")]
    assert sorted(named) == sorted(f"run {n}" for n in best)
    assert ("grey: 1 other run" in str(found["texts"])) == (others == 1)
    assert ("grey: 22 other runs" in str(found["texts"])) == (others == 22)
    assert len(set(re.findall(r"#[0-9a-f]{6}", made.svg()))) > min(count, 7)


def test_times_are_utc_wherever_they_are_drawn() -> None:
    rows = [
        {**_row(name), "made_at": datetime(2026, 3, day), "tag": None}
        for day, name in enumerate("ab", start=1)
    ]
    made = figure("history", rows)
    assert [row["made_at"] for row in made.values] == [
        "2026-03-01T00:00:00Z",
        "2026-03-02T00:00:00Z",
    ]
    assert {"03-01 00:00", "03-02 00:00"} <= {*texts(made.svg())}


def test_what_has_no_interval_has_no_line() -> None:
    rows = [{**_row("a"), "ci_low": None, "ci_high": None, "groups": None}]
    found = structure(figure("leaderboard", rows).svg())
    assert found["marks"]["symbol"] == 1
    assert not found["marks"].get("rule")
    rows[0]["value"] = float("nan")
    assert figure("leaderboard", rows).values[0]["value"] is None


# What each figure writes beside a name, and its values, of which any may be missing.
BESIDE: dict[str, tuple[Callable[[dict[str, Any]], str], tuple[str, ...]]] = {
    "leaderboard": (lambda row: f"{row['value']:.4f}", ("ci_low", "ci_high", "groups")),
    "slices": (
        lambda row: f"{row['losses']} / {row['ties']} / {row['wins']}",
        ("ci_low", "ci_high"),
    ),
}


@pytest.mark.parametrize("name", BESIDE)
@pytest.mark.parametrize("without", [0, 1, 2])
def test_rows_are_drawn_in_their_order(name: str, without: int) -> None:
    beside, missing = BESIDE[name]
    rows: list[dict[str, Any]] = [
        {
            **_row(part),
            "slice": part,
            "value": 0.9 - n / 10,
            "difference": 0.1 * n,
            **{"losses": n, "ties": 10 - n, "wins": n + 1},
        }
        for n, part in enumerate(("zebra", "ant", "moose"))
    ]
    rows[without] |= dict.fromkeys(missing)
    drawn = heights(figure(name, rows, attribute="animal").svg())
    names = [row["run"] for row in rows]
    assert sorted(names, key=lambda part: drawn[part]) == names
    for row in rows:
        assert drawn[beside(row)] == pytest.approx(drawn[row["run"]], abs=4)
    assert "null" not in drawn


def _ticks(measure: str) -> list[float]:
    """Return the ticks of an axis of differences with a wide interval."""
    wide = {"difference": 0.9, "ci_low": -0.6, "ci_high": 2.4, "measure": measure}
    counts = {"losses": 1, "ties": 0, "wins": 1}
    drawn = figure("slices", [{**_row("one"), **wide, **counts, "slice": "one"}])
    told = [text.replace("\N{MINUS SIGN}", "-") for text in texts(drawn.svg())]
    return [float(text) for text in told if re.fullmatch(r"-?[0-9.]+", text)]


def test_differences_of_a_bounded_measure_end_at_one() -> None:
    assert min(_ticks("nDCG@10")) >= -1
    assert max(_ticks("nDCG@10")) == 1
    assert max(_ticks("DCG@10")) > 1


def test_the_colours_survive_print_and_colour_blindness() -> None:
    config = drawing.spec("theme")
    colours = config["range"]["category"]
    # All are seen on white, and the first ones are told apart in grey.
    assert min(contrast(colour, "#ffffff") for colour in colours) > 2
    first = sorted(map(luminance, colours[:3]))
    assert all((b + 0.05) / (a + 0.05) > 2 for a, b in pairwise(first))
    # All that are coloured differ in colour, and in shape too.
    assert len(set(colours)) == len(colours) == COLOURED
    assert len(set(config["range"]["symbol"])) == COLOURED


def test_a_pdf_fits_into_a_paper(demo: Command) -> None:
    from pypdf import PdfReader

    assert demo("plot", "leaderboard", "-o", "f.pdf").code == 0
    [page] = PdfReader("f.pdf", strict=True).pages
    assert "nDCG@10 by run" in page.extract_text()
    if not shutil.which("pdflatex"):
        pytest.skip("pdflatex is not installed")
    Path("paper.tex").write_text(
        "\\documentclass{article}\\usepackage{graphicx}\\begin{document}"
        "\\includegraphics[width=\\linewidth]{f.pdf}\\end{document}\n"
    )
    command = ["pdflatex", "-interaction=nonstopmode", "paper.tex"]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout
    assert PdfReader("paper.pdf").pages


def _paper(kind: str, size: Size) -> ElementTree.Element:
    """Return the drawing of runs with long names."""
    rows = [
        {**_row(f"a run with a long name, number {n}"), "cutoff": n}
        for n in range(1, 4)
    ]
    return ElementTree.fromstring(figure(kind, rows, size=size).svg())


@pytest.mark.parametrize(
    "kind", ["leaderboard", pytest.param("cutoffs", marks=pytest.mark.slow)]
)
def test_a_figure_is_laid_out_for_a_column(kind: str) -> None:
    width, height = points("width", "8cm"), points("height", "60mm")
    size = Size(width, height, font="DejaVu Serif", no_title=True)
    drawn = _paper(kind, size)
    assert width - 2 < float(drawn.attrib["width"]) <= width
    assert height - 2 < float(drawn.attrib["height"]) <= height
    text = list(drawn.iter("{http://www.w3.org/2000/svg}text"))
    sizes = {float(part.attrib["font-size"].removesuffix("px")) for part in text}
    assert sizes
    assert all(7 <= one <= 8 for one in sizes)
    assert {part.attrib["font-family"] for part in text} == {"DejaVu Serif"}
    shown = {"".join(part.itertext()) for part in text}
    assert not any(one.startswith("dataset") for one in shown)
    # Names lose their middle, and stay distinct.
    assert len({one for one in shown if "…" in one}) == 3


def test_ids_of_queries_in_a_column_stand_apart() -> None:
    about = {"dataset": "d", "judgment_set": "j", "measure": "AP", "outcome": "win"}
    pair = {"baseline": "a", "candidate": "b", "difference": 0.1, "n": 50}
    rows = [{**about, **pair, "query_id": f"q{n}"} for n in range(50)]
    size = Size(points("width", "8cm"))
    svg = figure("query-differences", rows, size=size).svg()
    label = r'translate\(([\d.]+),[^>]*opacity="1">q\d+<'
    at = [float(x) for x in re.findall(label, svg)]
    assert len(at) > 10
    # Each is as wide as its letters are high.
    assert all(x - before > 7 for before, x in pairwise(at))


def test_a_legend_that_does_not_fit_is_refused() -> None:
    rows = [{**_row("c"), "slice": "DE", "losses": 1, "ties": 0, "wins": 9}]
    with pytest.raises(NdcgSqlError, match=r'^width="3.5cm": too small for the text'):
        figure("slices", rows, size=Size(points("width", "3.5cm")), attribute="a").svg()


@pytest.mark.parametrize("size", [NATURAL, Size(points("width", "8cm"))])
@pytest.mark.parametrize("binned", [False, True])
def test_a_scatter_plot_is_a_square_from_corner_to_corner(
    size: Size, binned: bool
) -> None:
    pair = {"baseline": "b", "candidate": "c", "measure": "nDCG@10", "queries": 3}
    rows: list[dict[str, Any]] = [
        {**pair, "query_id": f"q{n}", "outcome": "loss", "difference": -0.1}
        | {"baseline_value": n / 10, "candidate_value": n / 10 - 0.1}
        | {"baseline_low": n / 10, "baseline_high": n / 10 + 0.025}
        | {"candidate_low": n / 10 - 0.1, "candidate_high": n / 10 - 0.075}
        for n in range(1, 8)
    ]
    svg = figure("scatter-bins" if binned else "scatter", rows, size=size).svg()
    [line] = re.findall(r'<line [^>]*x2="([^"]+)" y2="([^"]+)"[^>]*dasharray', svg)
    across, up = map(float, line)
    assert (abs(across), across) == (abs(up), pytest.approx(-up))
    # The axes end at what the measure may be.
    ticks = [text for text in placed(svg) if text.text == "1.0"]
    assert len(ticks) == 2
    assert texts(svg).count("0.0") == 2


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(NdcgSqlError, match=r'^width="2.54cm": too small for'):
        _paper("leaderboard", Size(points("width", "1in")))
    for length in ("8", "8 km", "0.1cm", "-8cm", "1e9cm"):
        with pytest.raises(NdcgSqlError, match=r"^width="):
            points("width", length)
    with pytest.raises(NdcgSqlError, match=r"^dpi=300: only for PNG"):
        figure("leaderboard", [_row("one")], size=Size(dpi=300)).content(".svg")


def test_the_resolution_of_a_png_is_chosen() -> None:
    widths = [
        int.from_bytes(
            figure("leaderboard", [_row("one")], size=Size(dpi=dpi)).content(".png")[
                16:20
            ],
            "big",
        )
        for dpi in (None, 72)
    ]
    assert widths[0] == pytest.approx(2 * widths[1], abs=2)


def test_without_vl_convert_the_extra_is_named(
    demo: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(_: str) -> None:
        """Find nothing."""

    monkeypatch.setattr(drawing, "find_spec", missing)
    result = demo("plot", "leaderboard", "-o", "f.svg")
    assert result.refusal == (
        "figures need vl-convert: pip install 'ndcg-sql[figures]'\n"
    )


def test_a_figure_is_an_object_of_python(here: Path) -> None:
    made = figure("leaderboard", [_row("<b>")])
    assert made.rows[0]["run"] == "<b>"
    assert made.complete()["data"]["values"] == made.values
    assert "&lt;b&gt;" in made.svg()
    made.save("f.svg")
    made.save(here / "f.svg")
    (here / "other.svg").write_text("theirs")
    with pytest.raises(NdcgSqlError, match="not a figure of ndcg-sql"):
        made.save("other.svg")
    made.save("other.svg", force=True)
    with pytest.raises(NdcgSqlError, match="there is no data to draw"):
        figure("leaderboard", [])
