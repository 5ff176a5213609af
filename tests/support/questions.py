"""The queries of a page for Monday, and what is published for them to answer."""

from pathlib import Path
from typing import Any

from support.commands import Command
from support.pages import ROOT

QUESTIONS = ROOT / "bi" / "sql"
DEMO = ROOT / "ndcg_sql" / "demo"
# The newest judgment set, the newest run, and the last release before it.
JUDGMENTS, BASELINE, CANDIDATE = "fewer judgments", "hybrid draft", "hybrid"
MEASURE = "nDCG@10"
# A document that has a title, and that nobody judged for a query.
TITLED = "power-bank-20000mah-65w-856"
# Name, ranking of the demo, time, by what its scores are disturbed, and release.
RUNS = (
    ("keyword", "keyword", "2026-05-04", 0, None),
    ("bm25", "bm25", "2026-06-01", 0, "7"),
    ("bm25 tuned", "bm25", "2026-07-06", 5, None),
    (BASELINE, "hybrid", "2026-08-03", 7, "8"),
    ("hybrid tuned", "hybrid", "2026-09-07", 3, None),
    (CANDIDATE, "hybrid", "2026-10-05", 0, None),
)
_LABELS = ("--label", "Exact=3", "--label", "Partial=1", "--label", "Irrelevant=0")
Row = dict[str, Any]


def question(name: str) -> str:
    """Return the text of a query."""
    return (QUESTIONS / f"{name}.sql").read_text(encoding="utf-8")


def load(ndcg: Command) -> None:
    """Load runs of which two are releases, and a dataset without weights."""

    def do(*command: str | Path) -> None:
        done = ndcg("--quiet", *command)
        assert done.code == 0, done.err

    judged = DEMO / "judgments.csv"
    lines = judged.read_text(encoding="utf-8").splitlines(keepends=True)
    fewer = [line for number, line in enumerate(lines) if number % 5 != 1]
    Path("fewer.csv").write_text("".join(fewer), encoding="utf-8")
    here = ("--dataset", "demo")
    do("load", "judgments", judged, *_LABELS, *here)
    do("load", "judgments", "fewer.csv", *_LABELS, *here, "--name", JUDGMENTS)
    do("load", "queries", DEMO / "queries.csv", *here)
    for name, source, made_at, step, release in RUNS:
        rows = [line.split() for line in (DEMO / f"{source}.run").open()]
        for number, row in enumerate(rows):
            row[4] = str(float(row[4]) * (1 + number * step % 13 / 8))
        file = f"{name}.run"
        Path(file).write_text("".join(f"{' '.join(row)}\n" for row in rows))
        do("load", "run", file, *here, "--name", name, "--run-at", made_at)
        if release:
            do("tag", "run", name, f"release={release}", *here)
    titles = f"doc_id,title\n{TITLED},A title\n"
    Path("titles.csv").write_text(titles, encoding="utf-8")
    do("load", "documents", "titles.csv", *here)
    there = ("--dataset", "elsewhere")
    do("load", "judgments", judged, *_LABELS, *there, "--name", "qrels")
    for run, made_at in (("bm25", "2025-09-07"), ("hybrid", "2025-10-05")):
        do("load", "run", DEMO / f"{run}.run", *there, "--run-at", made_at)


class Published:
    """What is published in a database, asked for Monday's pair of runs."""

    def __init__(self, url: str) -> None:
        from sqlalchemy import create_engine

        # The queries have a % in their comments, and no parameters.
        options = {"no_parameters": True}
        self._engine = create_engine(url, execution_options=options)

    def all_rows(self, name: str) -> list[Row]:
        """Return the answer to a query."""
        with self._engine.connect() as connection:
            answer = connection.exec_driver_sql(question(name))
            return [dict(row) for row in answer.mappings()]

    def rows(self, name: str, **where: str) -> list[Row]:
        """Return the rows of one dataset, and of the pair where there are pairs."""
        wanted = {
            "dataset": "demo",
            "judgment_set": JUDGMENTS,
            "measure": MEASURE,
            "baseline": BASELINE,
            "candidate": CANDIDATE,
            **where,
        }
        return [
            row
            for row in self.all_rows(name)
            if all(row[key] == value for key, value in wanted.items() if key in row)
        ]
