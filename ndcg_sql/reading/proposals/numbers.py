"""The numbers of rows: scores or ranks of runs, grades of judgments and assessments.

With them, what tells several runs apart, labels of grades, subtopics, and assessors.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from ndcg_sql.database import sql_files
from ndcg_sql.reading.columns import (
    CLEAR,
    NO_RUNS,
    has_word,
    is_graded,
    is_ranked,
    meaning,
    words_of,
)
from ndcg_sql.reading.profile import ColumnProfile
from ndcg_sql.reading.proposals.proposal import MOST_LABELS, Proposal
from ndcg_sql.text import listed, quoted
from ndcg_sql.wording import Blank, use

_MOST_RUNS = 50
# How many columns are tried in pairs as what tells runs apart.
_PAIRED = 6
# The share of rows that are twice which may be so in one of several runs.
_TOLERATED = 0.1
# The share of the rows in which a column that tells runs apart has a value.
_FILLED = 0.9
# The share of falling steps that scores have.
_FALLING = 0.9
# What stands for a grade that a judge did not give.
_NO_GRADE = ("", "nan", "null", "none", "n/a", "na")


def choose_ranking(proposal: Proposal) -> bool:
    """Choose the score or the ranks, and the runs; return false for no run."""
    if not _choose_score(proposal):
        return False
    _choose_runs(proposal)
    return True


def _choose_score(proposal: Proposal) -> bool:
    """Choose the score, the ranks or an order; return false for grades."""
    query = proposal.columns.get(proposal.roles["query_id"])
    if "score" in proposal.roles or query is None:
        return True
    beside, is_list = proposal.beside(), proposal.document.is_list
    numbers = [one for one in beside if one.is_number and not one.is_date]
    left = [
        one
        for one in numbers
        if not has_word(one.name, "other") and not proposal.score("weight", one)
    ]
    ranks: list[str] = []
    scored: list[tuple[float, str]] = []
    for one in numbers:
        by_name = proposal.score("score", one)
        if one.is_whole and not by_name:
            is_rank = one.is_rank_within(query) or proposal.score("rank", one) >= CLEAR
            if is_rank:
                ranks.append(one.name)
        elif one in left and not has_word(one.name, "distance"):
            falls = 0.0 if is_list else one.falling_within(query)
            if by_name or falls >= _FALLING:
                scored.append((by_name + 30 * falls, one.name))
    left = [one for one in left if "id" not in words_of(one.name)]
    if scored:
        proposal.take("score", max(scored)[1])
    elif ranks:
        proposal.take("rank", ranks[0])
        _add_order(proposal, "ranks")
    elif is_list:
        pass
    elif any(proposal.score("grade", one) >= CLEAR for one in beside):
        return False
    elif len(left) == len(beside) == 1:
        proposal.take("score", left[0].name)
    elif query.is_sorted and not numbers and not proposal.profile.twice:
        _add_order(proposal, "the order of the rows")
    elif "position_rule" not in proposal.options:
        proposal.lack("score")
    return True


def _add_order(proposal: Proposal, by: str) -> None:
    if "position_rule" not in proposal.options:
        proposal.fields["position_rule"] = "given"
        proposal.facts.append(f"no scores, so positions are by {by}")


def _choose_runs(proposal: Proposal) -> None:
    """Choose the columns that tell runs apart, and a date in front of them."""
    options, fields = proposal.options, proposal.fields
    pattern: str | None = options.get("name")
    if options.get("run_column") == NO_RUNS or ("prefix" in options and pattern):
        return
    usual = [one for one in proposal.free() if meaning(one.name, "run") == "run"]
    named = usual[:1]
    if column := proposal.columns.get(options.get("run_column", "")):
        named = [column]
    if pattern and "{" in pattern:
        of_pattern = (f"{{{name}}}" in pattern for name in proposal.columns)
        columns = zip(proposal.columns.values(), of_pattern, strict=True)
        by_run = named if "{run}" in pattern else []
        named = [*(one for one, is_named in columns if is_named), *by_run]
    added = apart(proposal, named)
    # Exports of other days differ, if each run has one date.
    dates = [o for o in proposal.free() if o.is_date and o not in (*named, *added)]
    count = proposal.profile.row_count
    is_constant = len(dates) == 1 == len(dates[0].texts)
    date = dates[0] if is_constant and len(dates[0].filled) == count else None
    if not added:
        if len(usual) > 1 and not pattern and "run_column" not in options:
            fields["run_column"] = usual[0].name
        return
    if not named and len(added) == 1 and date is None and not pattern:
        fields["run_column"] = added[0].name
    else:
        parts = [_in_pattern(one.name) for one in (*named, *added)]
        if pattern and "{" not in pattern:
            parts = [f"{pattern}-{'/'.join(parts)}"]
        elif pattern:
            parts = [pattern, *parts[len(named) :]]
        elif date is not None:
            parts.insert(0, _in_pattern(date.name))
        fields["name"] = "/".join(parts)
        if "run_column" in options and not usual:
            fields["run_column"] = None
    names = " and ".join(quoted(one.name) for one in (*named, *added))
    fact = f"{names} tell{'s' * (len(named) + len(added) == 1)} runs apart"
    if len(added) == 1:
        fact += f": {listed(added[0].texts, 3)}"
    proposal.facts.append(fact)


def apart(
    proposal: Proposal, named: Sequence[ColumnProfile] = ()
) -> list[ColumnProfile]:
    """Return the columns that tell rows of one query and document apart.

    named are those that tell runs apart already. Chunks of documents are no runs.
    """
    free = [
        one
        for one in proposal.free()
        if not one.is_list
        and one not in named
        and 1 < len(one.texts) <= _MOST_RUNS
        and len(one.filled) >= _FILLED * proposal.profile.row_count
        and not one.is_decimal
        and not has_word(one.name, "piece")
    ]
    engines = [] if named else [one for one in free if proposal.score("run", one)]
    engines = [one for one in engines if not one.is_number][:1]
    twice = proposal.repeated(*named, *engines)
    if not twice or proposal.document.is_list:
        return engines
    free = [one for one in free if one not in engines]
    free.sort(key=lambda one: (not has_word(one.name, "replicate"), one.is_date))
    for columns in [*combinations(free, 1), *combinations(free[:_PAIRED], 2)]:
        if proposal.repeated(*named, *engines, *columns) <= _TOLERATED * twice:
            return [*engines, *columns]
    return engines


def _in_pattern(column: str) -> str:
    """Return a column as a pattern of names has it."""
    return "{" + ("run" if re.search("[{}]", column) else column) + "}"


def choose_judgments(proposal: Proposal) -> bool:
    """Choose the grade, labels and subtopics; return false for no judgments."""
    is_list, actions = proposal.document.is_list, proposal.actions
    if not _choose_grade(proposal):
        beside = [o for o in proposal.beside() if not has_word(o.name, "other")]
        if any(
            is_ranked(one.name) or (one.is_decimal and not is_list) for one in beside
        ):
            return False
        if proposal.profile.twice:
            proposal.lack("grade")
        elif is_list and "grade" not in proposal.options:
            # A list that is not called relevant may be a ranking.
            if has_word(proposal.document.name, "retrieved"):
                return False
            if not has_word(proposal.document.name, "relevant"):
                proposal.fields["grade"] = 1
                proposal.facts.append("the documents of each list are relevant")
        elif "grade" not in proposal.options:
            proposal.fields["grade"] = 1
            fact = "each row is a relevant document"
            doubtful = [one.name for one in beside if 1 < len(one.texts) <= MOST_LABELS]
            if doubtful and not actions:
                fact += f", whatever {listed(doubtful)} say{'s' * (len(doubtful) == 1)}"
            if actions:
                proposal.fields["where"] = {actions[0]: Blank("VALUE")}
                values = listed(proposal.columns[actions[0]].texts, 5)
                fact += f" of one action: {values}"
            proposal.facts.append(fact)
    if not is_list and proposal.repeated():
        proposal.take("subtopic", proposal.by_name("subtopic"))
    return True


def _choose_grade(proposal: Proposal) -> bool:
    """Choose the grade and its labels; return whether there is a grade."""
    if "grade" not in proposal.roles and "label" not in proposal.roles:
        scored: list[tuple[float, str]] = []
        free = [
            one
            for one in proposal.beside()
            if not one.is_date
            and not has_word(one.name, "other")
            and one.name not in proposal.actions
        ]
        for one in free:
            by_name = max(proposal.score(role, one) for role in ("grade", "label"))
            is_scale = scale_of(one.texts) is not None
            is_few = len(one.texts) <= MOST_LABELS
            if (by_name or is_scale) and (one.is_number or is_few):
                scored.append((by_name + 25 * is_scale + 5 * is_few, one.name))
        if not scored and len(free) == 1:
            # A column without a name for it may have grades: few values.
            [only] = free
            roles = ("score", "rank", "weight")
            is_other = any(proposal.score(role, only) for role in roles)
            is_few = len(only.texts) <= MOST_LABELS
            if is_few and not only.is_decimal and not is_other:
                scored = [(0, only.name)]
        if not scored:
            return False
        proposal.take("grade", max(scored)[1])
        if "grade" in proposal.options:
            proposal.fields["grade"] = None
    grade = proposal.roles.get("grade") or proposal.roles["label"]
    add_labels(proposal, proposal.columns[grade])
    return True


def add_labels(proposal: Proposal, *columns: ColumnProfile) -> None:
    """Add grades of the labels in columns that have none yet.

    Where most values are numbers, a word that occurs once is a mistake, and where
    nearly all are, any word.
    """
    options: Mapping[str, float] = proposal.options.get("labels", {})
    labels: dict[str, None] = {}
    for one in columns:
        others = {*one.commas, *options}
        is_mixed = 2 * len([n for n in one.numbers if n is not None]) > len(one.filled)
        for value, as_number in zip(one.values, one.numbers, strict=True):
            text = value.strip()
            is_typo = one.is_number or (is_mixed and one.filled.count(text) == 1)
            is_word = as_number is None and text not in others
            if is_word and (not is_typo or text.lower() in _NO_GRADE):
                labels[text] = None
    if not labels or len(labels) > 2 * MOST_LABELS:
        return
    grades, alike = _grades([*labels], options)
    proposal.fields["labels"] = grades
    if words := sorted(filter(None, labels)):
        proposal.facts.append(f"the grades are words: {listed(words)}{alike}")
    if "" in labels:
        proposal.facts.append("an empty grade means unjudged")


def _grades(
    labels: Sequence[str], options: Mapping[str, float]
) -> tuple[dict[str, object], str]:
    """Return the grade of each label, and a note on those that have one like it.

    It is that of the label in another case, that of a usual scale, or to be filled in.
    """
    grades: dict[str, object] = {}
    alike: list[str] = []
    of_case: dict[str, dict[str, float]] = {}
    for label, grade in options.items():
        of_case.setdefault(label.casefold(), {})[label] = grade
    scale = scale_of(labels) if not options else None
    for label in sorted(labels):
        key = label.strip().lower()
        same = of_case.get(label.casefold(), {})
        if key in _NO_GRADE:
            grades[label] = -1
        elif len({*same.values()}) == 1:
            [*_, (last, grade)] = same.items()
            alike.append(last)
            grades[label] = int(grade) if grade == int(grade) else grade
        elif scale:
            grades[label] = scale.index(key)
        else:
            grades[label] = Blank("GRADE")
    have = "has" if len(alike) == 1 else "have"
    return grades, f", as {listed(alike)} {have}" if alike else ""


def scale_of(labels: Iterable[str]) -> list[str] | None:
    """Return the usual scale that labels belong to, from the worst one, or None."""
    texts = {label.strip().lower() for label in labels} - {*_NO_GRADE}
    for row in sql_files.rows("read/scales"):
        scale = row["labels"].lower().split("|")
        if len(texts) > len(scale) / 2 and texts <= {*scale}:
            return scale
    return None


def choose_assessments(proposal: Proposal) -> bool:
    """Choose the grade and the assessor, or the grades of each assessor."""
    roles, fields, facts = proposal.roles, proposal.fields, proposal.facts
    free = (one.name for one in proposal.free())
    usual = [name for name in free if meaning(name, "assessments") == "assessor"]
    is_given = bool({"assessor", "assessor_columns"} & proposal.options.keys())
    if usual or not is_given:
        proposal.take("assessor", next(iter(usual), proposal.by_name("assessor")))
    beside = [one for one in proposal.beside() if not one.is_date]
    if "assessor" not in roles and not is_given:
        wide = _wide(beside)
        names = (one.name for one in apart(proposal) if not one.is_date)
        who = next((name for name in names if not is_graded(name)), None)
        if len(wide) > 1 and not proposal.repeated():
            fields["assessor_columns"] = wide
            facts.append(f"each assessor has a column of grades: {listed(wide)}")
            filled = (proposal.columns[name].filled for name in wide)
            add_labels(proposal, *(ColumnProfile("", texts) for texts in filled))
            return True
        proposal.take("assessor", who)
        if "assessor" not in roles:
            fields["assessor"] = Blank("NAME")
            facts.append(
                "no column names the assessor; if the file is named after the assessor:"
                " " + use(assessor_from="file")
            )
    if not _choose_grade(proposal):
        is_unknown = "assessor" not in roles and not is_given
        if is_unknown or any(proposal.score("score", o) >= CLEAR for o in beside):
            return False
        proposal.lack("grade")
    return True


def _wide(beside: Iterable[ColumnProfile]) -> list[str]:
    """Return the columns that may be an assessor's each: grades, or the same words."""
    beside = [one for one in beside if not has_word(one.name, "other")]
    few = [one for one in beside if len(one.texts) <= MOST_LABELS]
    numbers = [one for one in few if one.is_number]
    # Half points are grades; other fractions are scores of engines.
    if any(n is not None and 2 * n % 1 for one in numbers for n in one.numbers):
        return []
    return [one.name for one in numbers] or [
        one.name
        for one in few
        # Both have the same words, or most of them.
        if any(
            2 * len({*one.texts} & {*other.texts}) >= len({*one.texts, *other.texts})
            for other in few
            if other is not one
        )
    ]
