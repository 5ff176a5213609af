"""The columns of a run: its scores or ranks, and what tells several runs apart."""

import re
from collections.abc import Sequence
from itertools import combinations

from ndcg_sql.reading.columns import CLEAR, NO_RUNS, has_word, meaning, words_of
from ndcg_sql.reading.profile import ColumnProfile
from ndcg_sql.reading.proposals.proposal import Proposal
from ndcg_sql.text import listed, quoted

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
    """Choose the score or the ranks, and the runs; return false for no run."""
    query = proposal.columns.get(proposal.roles["query_id"])
    if "score" not in proposal.roles and query and not _choose_score(proposal, query):
        return False
    _choose_runs(proposal)
    return True


def _choose_score(proposal: Proposal, query: ColumnProfile) -> bool:
    """Choose the score, the ranks or an order; return false for grades."""
    beside, is_list = proposal.beside(), proposal.document.is_list
    numbers = [one for one in beside if one.is_number and not one.is_date]
    ranks = [
        one
        for one in numbers
        if one.is_whole
        and not proposal.score("score", one)
        and (one.is_rank_within(query) or proposal.score("rank", one) >= CLEAR)
    ]
    scored: list[tuple[float, str]] = []
    for one in numbers:
        by_name = proposal.score("score", one)
        falls = 0.0 if is_list else one.falling_within(query)
        is_other = has_word(one.name, "other") or proposal.score("weight", one) > 0
        is_other = is_other or has_word(one.name, "distance")
        if one in ranks or is_other or (one.is_whole and not by_name):
            continue
        if by_name or falls >= _FALLING:
            scored.append((by_name + 30 * falls, one.name))
    left = [
        one
        for one in numbers
        if not has_word(one.name, "other")
        and "id" not in words_of(one.name)
        and not proposal.score("weight", one)
    ]
    if scored:
        proposal.take("score", max(scored)[1])
    elif ranks:
        proposal.take("rank", ranks[0].name)
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
    date = _date(proposal, [*named, *added])
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


def _date(proposal: Proposal, columns: Sequence[ColumnProfile]) -> ColumnProfile | None:
    """Return the only date, if each run has one: exports of other days differ."""
    dates = [one for one in proposal.free() if one.is_date and one not in columns]
    if len(dates) != 1 or len(dates[0].texts) != 1:
        return None
    return dates[0] if len(dates[0].filled) == proposal.profile.row_count else None


def _in_pattern(column: str) -> str:
    """Return a column as a pattern of names has it."""
    return "{" + ("run" if re.search("[{}]", column) else column) + "}"
