"""The columns of judgments: grades and their labels, subtopics, and assessors."""

from collections.abc import Iterable, Mapping, Sequence

from ndcg_sql.database import sql_files
from ndcg_sql.reading.columns import CLEAR, has_word, is_graded, is_ranked, meaning
from ndcg_sql.reading.profile import ColumnProfile
from ndcg_sql.reading.proposals.proposal import MOST_LABELS, Proposal
from ndcg_sql.reading.proposals.rankings import apart
from ndcg_sql.text import listed
from ndcg_sql.wording import Blank, use

# What stands for a grade that a judge did not give.
_NO_GRADE = ("", "nan", "null", "none", "n/a", "na")


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
        if not scored and len(free) == 1 and _may_be_grade(proposal, free[0]):
            scored = [(0, free[0].name)]
        if not scored:
            return False
        proposal.take("grade", max(scored)[1])
        if "grade" in proposal.options:
            proposal.fields["grade"] = None
    grade = proposal.roles.get("grade") or proposal.roles["label"]
    add_labels(proposal, proposal.columns[grade])
    return True


def _may_be_grade(proposal: Proposal, column: ColumnProfile) -> bool:
    """Return whether a column without a name for it may have grades: few values."""
    roles = ("score", "rank", "weight")
    is_other = column.is_decimal or any(proposal.score(r, column) for r in roles)
    return not is_other and len(column.texts) <= MOST_LABELS


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
        if any(_are_alike(one.texts, o.texts) for o in few if o is not one)
    ]


def _are_alike(labels: Sequence[str], others: Sequence[str]) -> bool:
    """Return whether two columns have the same words, or most of them."""
    return 2 * len({*labels} & {*others}) >= len({*labels, *others})
