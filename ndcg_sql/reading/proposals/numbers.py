"""The numbers of rows: scores or ranks of runs, grades of judgments and assessments.

With them, what tells several runs apart, labels of grades, subtopics, and assessors.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain, combinations

from ndcg_sql.reading import columns
from ndcg_sql.reading.profile import ColumnProfile
from ndcg_sql.reading.proposals.proposal import (
    MOST_LABELS,
    NO_GRADE,
    Proposal,
    scale_of,
)
from ndcg_sql.text import listed, quoted
from ndcg_sql.wording import Blank, Text, use

_MOST_RUNS = 50
# How many columns are tried in pairs as what tells runs apart.
_PAIRED = 6
# The share of rows that are twice which may be so in one of several runs.
_TOLERATED = 0.1
# The share of the rows in which a column that tells runs apart has a value.
_FILLED = 0.9
# The share of falling steps that scores have.
_FALLING = 0.9


def choose_ranking(proposal: Proposal) -> bool:
    """Choose the score, ranks or an order, and the runs; return false for grades."""
    query = proposal.columns.get(proposal.roles["query_id"])
    if "score" in proposal.roles or query is None:
        _choose_runs(proposal)
        return True
    beside, is_list = proposal.beside(), proposal.document.is_list
    numbers = [column for column in beside if column.is_number]
    scored: dict[str, float] = {}
    ranks: list[str] = []
    for column in numbers:
        by_name = proposal.score("score", column)
        if column.is_whole and not by_name:
            is_rank = column.is_rank_within(query)
            if is_rank or proposal.score("rank", column) >= columns.CLEAR:
                ranks.append(column.name)
        elif not columns.has_word(column.name, "distance"):
            falls = 0.0 if is_list else column.falling_within(query)
            if (by_name or falls >= _FALLING) and not proposal.score("weight", column):
                scored[column.name] = by_name + 30 * falls
    if scored:
        proposal.take("score", max(scored, key=lambda name: scored[name]))
    elif not (ranks or is_list) and any(map(proposal.is_grade, beside)):
        return False
    elif ranks or (query.is_sorted and not numbers and not is_list):
        proposal.take("rank", next(iter(ranks), None))
        if "position_rule" not in proposal.options:
            proposal.fields["position_rule"] = "given"
    elif not is_list:
        names = [
            column.name
            for column in numbers
            if not (
                proposal.score("weight", column)
                or "id" in columns.words_of(column.name)
            )
        ]
        if len(names) == len(beside) == 1:
            proposal.take("score", names[0])
        elif "position_rule" not in proposal.options:
            proposal.fields["columns"] = {"score": Blank("NAME")}
    _choose_runs(proposal)
    return True


def _choose_runs(proposal: Proposal) -> None:
    """Choose the columns that tell runs apart, and a date in front of them."""
    options, fields = proposal.options, proposal.fields
    pattern: str = options.get("name") or ""
    stated = options.get("run_column")
    if stated == columns.NO_RUNS or "{" in pattern or ("prefix" in options and pattern):
        return
    usual = [c for c in proposal.free() if columns.meaning(c.name, "run") == "run"]
    named = [proposal.columns[stated]] if stated in proposal.columns else usual[:1]
    added = columns_apart(proposal, named)
    if not added:
        return
    # Exports of other days differ, if each run has one date.
    dates = [c for c in proposal.free() if c.is_date and c not in (*named, *added)]
    rows = proposal.profile.row_count
    if pattern or [(len(c.texts), len(c.filled)) for c in dates] != [(1, rows)]:
        dates = []
    apart = [*named, *added]
    if len(apart) == 1 and not dates and not pattern:
        fields["run_column"] = apart[0].name
    else:
        parts = "/".join(columns.braced(column.name) for column in (*dates, *apart))
        fields["name"] = f"{pattern}-{parts}" if pattern else parts
        if stated and not usual:
            fields["run_column"] = None
    names = " and ".join(quoted(column.name) for column in apart)
    fact = f"{names} tell{'s' * (len(apart) == 1)} runs apart"
    if len(added) == 1:
        fact += f": {listed(added[0].texts, 3)}"
    proposal.facts.append(fact)


def columns_apart(
    proposal: Proposal, named: Sequence[ColumnProfile] = ()
) -> list[ColumnProfile]:
    """Return the columns that tell rows of one query and document apart."""
    free = [
        column
        for column in proposal.free()
        if not column.is_list
        and column not in named
        and 1 < len(column.texts) <= _MOST_RUNS
        and len(column.filled) >= _FILLED * proposal.profile.row_count
        and not column.is_decimal
        and not columns.has_word(column.name, "piece")
    ]
    engines = [c for c in free if proposal.score("run", c) and not c.is_number]
    engines = [] if named else engines[:1]
    twice = proposal.repeated(*named, *engines)
    if not twice or proposal.document.is_list:
        return engines
    free = [column for column in free if column not in engines]
    free.sort(key=lambda c: (not columns.has_word(c.name, "replicate"), c.is_date))
    for pair in chain(combinations(free, 1), combinations(free[:_PAIRED], 2)):
        if proposal.repeated(*named, *engines, *pair) <= _TOLERATED * twice:
            return [*engines, *pair]
    return engines


def choose_judgments(proposal: Proposal) -> bool:
    """Choose the grade, labels and subtopics; return false for no judgments."""
    document, fields, facts = proposal.document, proposal.fields, proposal.facts
    if not _choose_grade(proposal):
        beside = proposal.beside()
        is_scored = any(c.is_decimal for c in beside) and not document.is_list
        if is_scored or any(columns.is_ranked(column.name) for column in beside):
            return False
        if "grade" in proposal.options:
            pass
        elif document.is_list:
            # A list that is not called relevant may be a ranking.
            if columns.has_word(document.name, "retrieved"):
                return False
            if not columns.has_word(document.name, "relevant"):
                fields["grade"] = 1
        elif actions := _actions(proposal):
            fields |= {"grade": 1, "where": {actions[0]: Blank("VALUE")}}
            values = listed(proposal.columns[actions[0]].texts, 5)
            facts.append(f"each row is a relevant document of one action: {values}")
        elif doubtful := [c.name for c in beside if 1 < len(c.texts) <= MOST_LABELS]:
            proposal.fields["columns"] = {"grade": Blank("NAME")}
            relevant = Text("; if each row is a relevant document: ", use(grade=1))
            facts.append(f"the grade may be in {listed(doubtful)}" + relevant)
        else:
            fields["grade"] = 1
            facts.append("each row is a relevant document")
    if not document.is_list and proposal.repeated():
        proposal.take("subtopic", proposal.by_name("subtopic"))
    return True


def _actions(proposal: Proposal) -> list[str]:
    """Return the columns that say what users did."""
    names = (name for name in proposal.columns if not columns.is_graded(name))
    return [name for name in names if columns.meaning(name, "clicks") == "action"]


def _choose_grade(proposal: Proposal) -> bool:
    """Choose the grade and its labels; return whether there is a grade."""
    if not {"grade", "label"} & proposal.roles.keys():
        actions = _actions(proposal)
        free = [column for column in proposal.beside() if column.name not in actions]
        scored: dict[str, int] = {}
        for column in free:
            by_name = max(proposal.score(role, column) for role in ("grade", "label"))
            is_scale = scale_of(column.texts) is not None
            is_few = len(column.texts) <= MOST_LABELS
            # A column without a name for it may have grades: few values.
            others = (proposal.score(r, column) for r in ("score", "rank", "weight"))
            is_only = is_few and len(free) == 1 and not column.is_decimal
            is_named = (by_name or is_scale) and (column.is_number or is_few)
            if is_named or (is_only and not any(others)):
                scored[column.name] = by_name + 25 * is_scale + 5 * is_few
        if not scored:
            return False
        proposal.take("grade", max(scored, key=lambda name: (scored[name], name)))
        if "grade" in proposal.options:
            proposal.fields["grade"] = None
    grade = proposal.roles.get("grade") or proposal.roles["label"]
    add_labels(proposal, proposal.columns[grade])
    return True


def add_labels(proposal: Proposal, column: ColumnProfile) -> None:
    """Add grades of the labels in a column that have none yet.

    A grade is that of a usual scale, or to be filled in. Where most values are numbers,
    a word that occurs once is a mistake, and where nearly all are, any word.
    """
    options: Mapping[str, float] = proposal.options.get("labels", {})
    words = [
        text
        for value, as_number in zip(column.values, column.numbers, strict=True)
        if as_number is None and (text := value.strip()) not in options
    ]
    numbers = sum(value is not None for value in column.numbers)
    is_mixed = 2 * numbers > len(column.filled)
    labels = {
        text
        for text, count in Counter(words).items()
        if text.lower() in NO_GRADE
        or not (column.is_number or (is_mixed and count == 1))
    }
    if not labels or len(labels) > 2 * MOST_LABELS:
        return
    scale = (scale_of(labels) if not options else None) or []
    grades: dict[str, object] = {**dict.fromkeys(NO_GRADE, -1)}
    grades |= {label: grade for grade, label in enumerate(scale)}
    proposal.fields["labels"] = {
        label: grades.get(label.lower(), Blank("GRADE")) for label in sorted(labels)
    }
    unjudged = "; -1 means unjudged" * any(t.lower() in NO_GRADE for t in labels)
    proposal.facts.append(f"the grades are words: {listed(sorted(labels))}{unjudged}")


def choose_assessments(proposal: Proposal) -> bool:
    """Choose the grade and the assessor; return false if no column names the latter."""
    if not {"assessor", "assessor_columns"} & proposal.options.keys():
        free = [column.name for column in proposal.free()]
        usual = (
            name for name in free if columns.meaning(name, "assessments") == "assessor"
        )
        apart = (column.name for column in columns_apart(proposal))
        by_content = next((name for name in apart if not columns.is_graded(name)), None)
        by_name = proposal.by_name("assessor")
        proposal.take("assessor", next(usual, by_name or by_content))
        if "assessor" not in proposal.roles:
            return False
    if not _choose_grade(proposal):
        if any(proposal.score("score", c) >= columns.CLEAR for c in proposal.beside()):
            return False
        proposal.fields["columns"] = {"grade": Blank("NAME")}
    return True
